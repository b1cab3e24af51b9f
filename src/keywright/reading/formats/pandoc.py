"""Markup and RTF that pandoc reads, in a sandbox with limits of memory and time, as plain HTML."""

import importlib.util
import math
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from typing import Final

from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BrokenFile, KeywrightError, MissingExtra, TooLarge, describe_install
from keywright.core.word_lists import read_pairs, read_patterns, read_sections
from keywright.reading.bare_text.cleaning import with_line_feeds
from keywright.reading.blocks import Block, LeftOut
from keywright.reading.encodings import decode, older_encoding
from keywright.reading.formats import xml
from keywright.reading.formats.docx import SYMBOL_FONT
from keywright.reading.formats.html_blocks import find_blocks
from keywright.reading.formats.markup import divide_part, make_document
from keywright.reading.formats.plain import document_of_text
from keywright.reading.formats.xml import Element
from keywright.reading.limits import SAVE_AGAIN, Limits, advise_raising

_OPTIONS: Final = (
    *("--sandbox", "--to=html5", "--verbose", "--wrap=none", f"--data-dir={os.devnull}"),
    f"--template={Path(__file__).with_name('pandoc.html')}",  # has abstracts of texts without a title
)
_UNKNOWN_OPTION, _UNKNOWN_FORMAT, _NO_MEMORY = 6, 21, 251  # exit statuses of pandoc and of its run-time system
_TOO_SLOW: Final = -getattr(signal, "SIGXCPU", 24)  # and of the system that limits the processor's time
_SECONDS, _CHARACTERS = 10.0, 50_000
"""Seconds for any text in a markup language, and characters of a longer one for each further second; arbitrary."""
_MEMORY, _BYTES = 500_000_000, 400  # the same for memory: bytes, and more for each character, as AsciiDoc needs
_NOT_FOUND: Final = "[WARNING] Could not load include file"
_ARGUMENT: Final = r"\{(?:[^{}]|\{[^{}]*\})*\}"  # braces inside it at most once
_SKIPPED: Final = re.compile(rf"\[INFO\] Skipped '\\([a-zA-Z]+)(\[[^]{{}}]*\])?((?:{_ARGUMENT})+)' at .*line (\d+)")
_WORD: Final = re.compile(r"(?<!\\)\b[^\W\d_]{2,}")
_FEWEST: Final = 3  # words of a command's arguments from which on it is taken for text; arbitrary
_DEFINE: Final = b"\\providecommand"
_OVERLAY: Final = re.compile(r"(?<=[a-zA-Z])<[-+.,|:@\w ]*>(?=\{)")  # on which slides of Beamer something is shown
_MOST: Final = 9  # arguments of a command of TeX
_ASIDES: Final = frozenset({"marginpar", "note", "todo"})  # commands whose text is not of the page
_PATHS: Final = read_sections("reading/element_paths.txt")
_NO_TEXT: Final = _PATHS["PANDOC_NO_TEXT"]
_COUNTED: Final = {
    "//span[contains(@class, 'math')]": "formula",
    "//section[@id='footnotes']/ol/li": "footnote",
    "//pre": "code block",
}
_IN_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")
_APART: Final = {key: SectionKind(kind) for key, kind in read_pairs("reading/file_types.txt", "ENVIRONMENTS").items()}
"""Environments of LaTeX, and kinds of their text."""
_LONGEST_REASON: Final = 200  # characters of pandoc's messages that an error shows; arbitrary
_KEYWORDS: Final = re.compile(read_patterns("reading/patterns.txt")["KEYWORDS_IN_SOURCE"], re.IGNORECASE | re.MULTILINE)
_INCLUDE: Final = re.compile(r"^include::\S+\[.*\]$", re.MULTILINE)
_FENCE: Final = re.compile(r"^(-{4,}|\.{4,}|\+{4,}|/{4,})[ \t]*$", re.MULTILINE)
_TEMPLATE: Final = re.compile(r"\{\{(?!\{)")
_CODE_PAGE: Final = re.compile(rb"\\ansicpg(\d{3,5})")
_FONT: Final = re.compile(rb"\\f(\d+)\b(?:(?!\\f\d)[^;{}])*?\\fcharset(\d+)")  # up to the next font
_BRACE: Final = re.compile(rb"(?<!\\)[{}]")
_DEEPEST: Final = 1_000  # groups of RTF inside each other, many times those of real files; arbitrary
_SYMBOL: Final = re.compile(rb"\\f(\d+)\b(?:[^;{}]|\{[^{}]*\}){0,20}?\bSymbol\b")
_UNICODE: Final = re.compile(rb"\{\\upr\s*\{[^{}]*\}\s*\{\\\*\\ud\s*(\{[^{}]*\})\s*\}\s*\}")  # a text in two forms
_SUBSTITUTED: Final = re.compile(rb"(?<!\\)((?:\\\\)*\\u-?\d+)(?=[!-/:-\[\]-z|~])")  # where pandoc drops a letter
_DELETED: Final = re.compile(rb"(?<!\\)\\deleted(0?)(?![a-z\d])")
_BEYOND_ASCII, _CODE = re.compile(rb"[\x80-\xff]"), re.compile(rb"\\'([0-9a-fA-F]{2})")
_CONTROL: Final = re.compile(rb"\\[a-z]+-?\d* ?|[{}]")
_FIRST_FONT: Final = re.compile(rb"\\deff(\d+)")
_CHARSETS: Final = read_pairs("reading/file_types.txt", "RTF_CHARSETS")
_CODED: Final = re.compile(
    rb"(\\[\\{}]|\\u-?\d+ ?\\'[0-9a-f]{2})|((?:\\'[0-9a-f]{2})+)|([{}])|\\f(\d+)\b|(\\plain)\b"
    rb"|\\[a-z]+-?\d* ?|\\.|([^\\{}\r\n]+)",
    re.IGNORECASE,
)
"""In RTF: signs, and Unicode with a substitute; characters of a code page; edges of groups; changes of font; text."""


def read_source(pandoc_name: str, data: bytes, name: str, limits: Limits) -> Document:
    """Return the document of a text in markup, as plain text, with a warning, where pandoc cannot read it."""
    decoded, notes = decode(data, name)
    text = with_line_feeds(decoded)
    limits.check_text(len(text), name)
    included = 0
    if pandoc_name == "asciidoc":
        opened = ""
        for fence in _FENCE.findall(text):
            opened = fence if not opened else "" if fence == opened else opened
        text += f"\n{opened}\n" if opened else ""  # pandoc reads for ever where the last block of code is not closed
        text, included = _INCLUDE.subn("", text)
    elif pandoc_name == "latex":
        text = _OVERLAY.sub("", text)
    # Some damage takes its parsers hours and gigabytes, where a text of this size takes a tenth of a second.
    bounds = {"seconds": _SECONDS + len(text) / _CHARACTERS, "memory_bytes": _MEMORY + _BYTES * len(text)}
    quick = replace(limits, **{name: min(bound, getattr(limits, name)) for name, bound in bounds.items()})
    try:
        page, left, warnings = _convert(pandoc_name, text.encode("utf-8", "replace"), name, quick)
    except (BrokenFile, TooLarge) as error:
        why = f"pandoc cannot read it, so that it was read as plain text: {error.message}"
        return document_of_text(text, name, limits).add_warnings(*notes, why)
    for _ in range(included):
        left.add("included file", 0)
    if pandoc_name == "mediawiki":
        for _ in _TEMPLATE.finditer(text):
            left.add("template", 0)
    printed = _KEYWORDS.search(text)
    properties = {"keywords": printed[1] or printed[2]} if printed else {}
    return _make_document(page, name, limits, left, properties).add_warnings(*notes, *warnings)


def read_rtf(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in an RTF file, in any code page that Python knows."""
    depths = accumulate(1 if brace == b"{" else -1 for brace in _BRACE.findall(data))
    if max(depths, default=0) > _DEEPEST:  # pandoc's time grows with the square of it
        raise BrokenFile(f"the parts of {name} are nested too deeply", SAVE_AGAIN)
    data = _SUBSTITUTED.sub(rb"\1 ", _UNICODE.sub(rb"\1", data))
    data = _DELETED.sub(rb"\\v\1", data)  # pandoc leaves out hidden text
    if b"\\bin" not in data and len(data.decode("utf-8", "ignore").encode()) < len(data):
        data = _BEYOND_ASCII.sub(lambda match: b"\\'%02x" % ord(match[0]), data)
    page, left, warnings = _convert("rtf", _write_codes(data), name, limits)
    return _make_document(page, name, limits, left, {}).add_warnings(*warnings)


def _write_codes(data: bytes) -> bytes:
    """Return RTF with the characters of code pages other than that of Windows for the West as those of Unicode."""
    stated = _CODE_PAGE.search(data[:1000])
    fonts = {number: _CHARSETS.get(charset.decode(), "") for number, charset in _FONT.findall(data)}
    fonts |= dict.fromkeys(_SYMBOL.findall(data), "symbol")
    usual = f"cp{stated[1].decode()}" if stated else "cp1252"
    if not stated and not any(fonts.values()) and b"\\ansi" in data[:1000]:
        codes = _CODE.sub(lambda match: bytes.fromhex(match[1].decode()), data)
        usual = usual if codes.isascii() else older_encoding(_CONTROL.sub(b"", codes))
    fonts = {number: page or usual for number, page in fonts.items()}
    if {usual, *fonts.values()} != {"cp1252"}:
        first = _FIRST_FONT.search(data)
        pages = [fonts.get(first[1], usual) if first else usual]  # one for each open group
        with suppress(LookupError):
            data = _CODED.sub(partial(_write_as_unicode, usual, fonts, pages), data)
            data = data.replace(stated[0], b"\\ansicpg1252", 1) if stated else data
    return data


def read_tagged(pandoc_name: str, data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a file of DocBook or FB2; entities of its own are refused as in all XML."""
    from lxml import etree  # noqa: PLC0415 - heavy

    root = xml.parse_xml(data, name, limits)
    for part in root.iter("{*}firstname", "{*}givenname", "{*}surname"):
        part.tail = " "  # pandoc joins names that nothing divides
    stated = {"keywords": "; ".join(map(xml.running_text, root.iter("{*}keyword", "{*}keywords")))}
    stated["language"] = root.get(xml.LANG) or root.get("lang") or xml.running_text(xml.find_first(root, "*/*/lang"))
    for listed in list(root.iter("{*}keywordset", "{*}keywords", "{*}binary")):
        xml.remove_element(listed)
    page, left, warnings = _convert(pandoc_name, etree.tostring(root, encoding="utf-8"), name, limits)
    return _make_document(page, name, limits, left, stated).add_warnings(*warnings)


read_docbook: Final = partial(read_tagged, "docbook")
read_fb2: Final = partial(read_tagged, "fb2")
read_latex: Final = partial(read_source, "latex")
read_rst: Final = partial(read_source, "rst")
read_asciidoc: Final = partial(read_source, "asciidoc")
read_org: Final = partial(read_source, "org")
read_mediawiki: Final = partial(read_source, "mediawiki")


def find_pandoc() -> str:
    """Return the path of pandoc: that of the package, else the system's; else ``MissingExtra``."""
    package = importlib.util.find_spec("pypandoc")
    if package is not None and package.origin:
        for path in Path(package.origin).parent.glob("files/pandoc*"):
            if path.stem == "pandoc" and path.suffix in {"", ".exe"}:
                return str(path)
    system = shutil.which("pandoc")
    if system is None:
        raise MissingExtra("this format needs pandoc, which is not installed", describe_install("formats"))
    return system


def _convert(pandoc_name: str, data: bytes, name: str, limits: Limits) -> tuple[Element, LeftOut, list[str]]:
    """Return what pandoc makes of a file: a page of HTML, what it misses, and its warnings for people."""
    from lxml import html  # noqa: PLC0415 - heavy

    program = find_pandoc()
    command = (program, "+RTS", f"-M{limits.memory_bytes}", "-RTS", f"--from={pandoc_name}", *_OPTIONS)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:  # noqa: S603 - none is the file's
        try:
            with suppress(ImportError, AttributeError, OSError):  # on systems that can limit the processor's time
                import resource  # noqa: PLC0415 - Windows has none

                resource.prlimit(process.pid, resource.RLIMIT_CPU, (math.ceil(limits.seconds),) * 2)
            output, messages = process.communicate(data, limits.seconds)
        except subprocess.TimeoutExpired:
            raise _explain_end(_TOO_SLOW, (), name, program, limits) from None
        finally:
            process.kill()
    lines = messages.decode("utf-8", "replace").splitlines()
    if process.returncode:
        raise _explain_end(process.returncode, lines, name, program, limits)
    skipped = _find_skipped(lines, data)
    if skipped and not data.startswith(_DEFINE) and (definitions := _define_commands(skipped, data)):
        with suppress(BrokenFile, TooLarge):
            return _convert(pandoc_name, definitions + data, name, limits)
    parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, huge_tree=True)
    page = html.document_fromstring(output, parser=parser)
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise BrokenFile(f"the parts of {name} are nested too deeply", SAVE_AGAIN)
    left = LeftOut()
    for _ in {line for line in lines if line.startswith(_NOT_FOUND)}:
        left.add("included file", 0)
    for _, _, arguments, _ in skipped:
        left.add("unknown command", len(arguments))
    return page, left, [line.partition("] ")[2] for line in lines if "code page" in line]


def _find_skipped(lines: Iterable[str], data: bytes) -> list[tuple[str, ...]]:
    """Return the commands in the body of LaTeX that pandoc skips and that hold words: name, option, other arguments."""
    skipped = [match.groups("") for match in map(_SKIPPED.match, dict.fromkeys(lines)) if match]
    begin = data.partition(b"\\begin{document}")[0].count(b"\n") if skipped else 0
    return [each for each in skipped if int(each[3]) > begin and len(_WORD.findall(each[2])) >= _FEWEST]


def _define_commands(skipped: Iterable[tuple[str, ...]], data: bytes) -> bytes:
    """Return definitions in LaTeX by which commands write their arguments; those that always begin a line, on one."""
    defined: dict[str, str] = {}
    used, begun = (Counter(re.findall(sign + rb"\\([a-zA-Z]+)", data)) for sign in (b"", b"(?m)^"))
    for command, option, arguments, _ in skipped:
        first, last = 1 + bool(option), len(re.findall(_ARGUMENT, arguments)) + bool(option)
        if command not in _ASIDES and "=" not in arguments and last <= _MOST:  # an equals sign is of settings
            written = "; ".join(f"#{number}" for number in range(first, last + 1))
            end = "\\par " if used[command.encode()] == begun[command.encode()] else " "
            defined[command] = f"{{\\{command}}}[{last}]{'[]' if option else ''}{{{written}{end}}}"
    return b"".join(_DEFINE + each.encode() for each in defined.values())


def _explain_end(status: int, lines: Sequence[str], name: str, program: str, limits: Limits) -> KeywrightError:
    """Return the error of a file at which pandoc ended with a status other than 0, that of a signal negative."""
    if status in {_UNKNOWN_OPTION, _UNKNOWN_FORMAT}:
        return MissingExtra(f"{program} is too old to read {name}", describe_install("formats"))
    if status == _NO_MEMORY:
        message = f"{name} needs more than {limits.memory_bytes / 1e9:.3g} GB of memory"
        return TooLarge(message, f"split it, or if you trust it, {advise_raising('memory_bytes')}")
    if status == _TOO_SLOW:
        message = f"{name} was not read by pandoc within {limits.seconds:g} seconds"
        return TooLarge(message, f"split it, or if you trust it, {advise_raising('seconds')}")
    if status < 0:
        return BrokenFile(f"reading {name} broke pandoc ({signal.strsignal(-status)})", SAVE_AGAIN)
    messages = (line for line in lines if not line.startswith("[INFO]"))
    reason = " ".join(" ".join(messages).split())[:_LONGEST_REASON]
    return BrokenFile(f"{name} cannot be read: {reason}", SAVE_AGAIN)


def _make_document(page: Element, name: str, limits: Limits, left: LeftOut, stated: Mapping[str, str]) -> Document:
    """Return the document on a page of pandoc; ``stated``: title, author, keywords and language beside the text."""
    titles, printed_authors, dates = (
        [xml.running_text(each) for each in page.xpath(f"//header/{tag}[@class='{name}']")]
        for tag, name in (("h1", "title"), ("p", "author"), ("p", "date"))
    )
    for query, what in _COUNTED.items():
        for element in page.xpath(query):
            left.add(what, xml.count_text(element))
            element.clear(keep_tail=True)
    for element in page.xpath(_NO_TEXT):
        element.clear(keep_tail=True)
    for picture in page.xpath("//img[@title and not(ancestor::figure/figcaption)]"):  # the caption in a wiki
        picture.tag, picture.text = "figcaption", picture.get("title")
    apart: dict[str, list[Block]] = {key: [] for key in _APART}
    for key, kind in _APART.items():
        for element in page.xpath(f"//div[@class='{key}']"):
            apart[key] += [Block(kind, block.text) for block in find_blocks(element, left)]
            element.clear(keep_tail=True)
    abstract = {block.text for block in apart["abstract"]}  # pandoc repeats that of DocBook in the text
    parts = [part for part in divide_part(page, left) if part.text not in abstract]
    references = apart.pop("thebibliography")
    printed = {
        "title": "".join(titles[:1]),
        "author": "; ".join(_IN_BRACKETS.sub("", author) for author in printed_authors),
        "keywords": "; ".join(page.xpath("//head/meta[@name='keywords']/@content")),
        "language": page.get("lang", ""),
        "date": "".join(dates),
    }
    stated = {**stated, **{key: value for key, value in printed.items() if value}}
    return make_document([*chain.from_iterable(apart.values()), *parts, *references], "", stated, name, limits, left)


def _write_as_unicode(usual: str, fonts: Mapping[bytes, str], pages: list[str], match: re.Match[bytes]) -> bytes:
    """Return characters in RTF of the code page of their font as those of Unicode, and anything else as it is."""
    if match[3]:
        pages.append(pages[-1]) if match[3] == b"{" else pages.pop() if len(pages) > 1 else None
    elif match[4] or match[5]:
        pages[-1] = fonts.get(match[4] or b"", usual)
    is_symbol = pages[-1] == "symbol"
    if not match[2] and not (is_symbol and match[6]):
        return match[0]
    codes = match[6] or bytes.fromhex(match[2].replace(b"\\'", b"").decode("ascii"))
    signs = "".join(SYMBOL_FONT.get(code, chr(code)) for code in codes) if is_symbol else ""
    units = (signs or codes.decode(pages[-1], "replace")).encode("utf-16-le")
    numbers = (int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2))
    return ("{\\uc0" + "".join(f"\\u{number} " for number in numbers) + "}").encode("ascii")
