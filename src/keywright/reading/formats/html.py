"""HTML pages: all text that a person sees but menus and the like, which are counted; nothing is downloaded.

The main text is recognised by trafilatura where it is installed, else by a plain rule: it looks in the page's one
article or main element, if it declares one; elsewhere it judges each block by its own words and links and by the words
of its neighbours (Kohlschütter, Fankhauser and Nejdl 2010: Boilerplate detection using shallow text features,
algorithm 2). Sentences that it misses are read as well, and what else it misses is read as notices.
"""

import importlib.util
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from html import escape, unescape
from typing import Any, Final

from keywright.core.citations import Author, Citation, make_citation
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import EmptyInput, describe_install
from keywright.core.word_lists import read_patterns, read_sections
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.encodings import declared_encoding, decode
from keywright.reading.formats.html_blocks import PageBlock, find_blocks, remove_unseen
from keywright.reading.formats.xml import LANG, Element, running_text
from keywright.reading.headings import drop_repeated, split_keywords
from keywright.reading.limits import Limits

_KEYWORD_NAMES: Final = frozenset(
    {"keywords", "citation_keywords", "dc.subject", "dcterms.subject", "article:tag", "news_keywords", "parsely-tags"}
)
_TITLE_NAMES: Final = ("citation_title", "dc.title", "og:title")
_CITED: Final = ("author", "doi", "journal_title", "publication_date", "date", "year")
"""Names of ``citation_...`` elements of pages."""
_MOST: Final = 0.5  # share of a page's text that its main text has; arbitrary
_LITTLE: Final = 300  # characters of a page whose text scripts may write; arbitrary
_DESCRIBED: Final = {name: names.split() for name, names in read_sections("reading/schema_org.txt").items()}
_OPENING: Final = 40  # letters and digits by which a text is recognised whatever became of its spaces; arbitrary
_OPENING_SAMPLE: Final = 3 * _OPENING  # characters in which they are looked for; arbitrary

_TAG: Final = re.compile(r"</?[a-z]\w*[^<>]*>", re.IGNORECASE)
_NESTING: Final = re.compile(read_patterns("reading/patterns.txt")["NESTING_TAGS"], re.IGNORECASE)

# The decision tree of the paper: highest shares of a block's text in links, and words above which a block is content.
_LINKED: Final = 0.333333
_LINKED_BEFORE: Final = 0.555556  # in the block before, where that says nothing against this one
_LONG, _LONG_AFTER_LINKS = 16, 40  # words of the block itself, and after a block of links
_LONG_NEXT, _LONG_NEXT_AFTER_LINKS = 15, 17  # words of the next block, and after a block of links
_SHORT_BEFORE: Final = 4  # words of the block before


def read_html(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in an HTML page.

    Tables of data, code blocks, menus and page furniture are left out, and counted. Keywords come from the page's
    ``meta`` elements, and so do authors, DOI, journal and year (``citation_author`` and the like).
    """
    text, notes = decode(data, name, declared_encoding(data))
    left = LeftOut()
    page, cut = parse_page(text, name)
    cut += _add_described(page) if "ld+json" in text else ()
    has_scripts = not cut and page.find(".//script[@src]") is not None
    remove_unseen(page, left)
    named = (
        ((meta.get("name") or meta.get("property") or "").lower(), meta.get("content")) for meta in page.iter("meta")
    )
    metas = [(key, value) for key, value in named if key and value]
    title = _title(page, metas)
    parts = [Block(SectionKind.TITLE, title), *_parts(page, title, left)]
    keywords = drop_repeated(part for key, value in metas if key in _KEYWORD_NAMES for part in split_keywords(value))
    about = Particulars(page.get("lang") or page.get(LANG), tuple(keywords), _cite(title, metas).as_meta())
    document = from_parts(parts, name, limits, left, about, run_in=True).add_warnings(*cut, *notes)
    if has_scripts and len(document.text) < _LITTLE:
        document = document.add_warnings("scripts were not run: if a browser shows more text, save the page there")
    if left.characters and not has_trafilatura():
        plainly = "menus and the like were left out by a plain rule; the extra html recognises more"
        return document.add_warnings(f"{plainly}: {describe_install('html')}")
    return document


def parse_page(text: str, name: str) -> tuple[Element, tuple[str, ...]]:
    """Return the root of a page, and a warning where it is too deep to be read whole."""
    from lxml import etree, html  # noqa: PLC0415 - heavy, only HTML needs it

    if not text.strip():
        raise EmptyInput(f"{name} is empty", "give a page with text")
    if text.lstrip().startswith("<?xml"):  # passages in which XML has no markup, which HTML does not know
        first, *passages = text.split("<![CDATA[")
        parts = (passage.partition("]]>") for passage in passages)
        text = first + "".join(escape(words, quote=False) + after for words, _, after in parts)
    parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:  # bytes, because lxml refuses a declaration of an encoding in a string
        page = html.document_fromstring(text.encode("utf-8", errors="replace"), parser=parser)
    except (etree.ParserError, ValueError) as error:
        raise EmptyInput(f"{name} holds no text: {error}", "give a page with text") from error
    for root in list(page.itersiblings("html")):  # text behind the end tag of the page
        root.tag = "div"
        page.append(root)
    frames = page.find(".//frameset//noframes")
    if frames is not None and (content := (frames.text or "").strip()):  # elements in it are text to the parser
        return parse_page(content, name)
    if not any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        return page, ()
    flat, number = _NESTING.subn(lambda match: "<hr>" if match[1] else "", text)
    if number:
        return parse_page(flat, name)[0], ("its elements are nested too deeply: read without most of them",)
    return page, ("left out: what is nested too deeply",)


def _add_described(page: Element) -> tuple[str, ...]:
    """Add texts of the page's description for search engines (JSON-LD) that it lacks, if they are longer; tell so.

    Pages that scripts write have their text there, and pages that show its beginning the whole of it.
    """
    from lxml import html  # noqa: PLC0415 - heavy, only HTML needs it

    described: dict[str, str] = {}  # texts, and the same without tags
    for script in page.xpath("//script[@type='application/ld+json']"):
        with suppress(ValueError, RecursionError):  # it is not JSON, or is nested too deeply
            value = json.loads(script.text or "", strict=False)
            described |= {text: _TAG.sub(" ", text) for text in _list_described(value)}
    body = next(page.iter("body"), page)
    shown = "".join(body.xpath("descendant-or-self::*[not(self::script or self::style or self::noscript)]/text()"))
    letters = "".join(filter(str.isalnum, shown))
    lacking = [text for text, plain in described.items() if _opening(plain) not in letters]
    if sum(len(described[text]) for text in lacking) <= len(" ".join(shown.split())):
        return ()
    for text in lacking:
        marked = text if _TAG.search(text) else "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
        body.append(html.fragment_fromstring(marked, create_parent="div"))
    return ("the page shows less text than its description for search engines, which was read",)


def _list_described(value: Any, name: str = "") -> Iterator[str]:
    """Yield the texts in a value of JSON-LD of a name, as HTML, but not those of its publisher and the like."""
    if isinstance(value, str) and name in _DESCRIBED["TEXTS"]:
        yield unescape(value)
    elif isinstance(value, list):
        yield from itertools.chain.from_iterable(_list_described(each, name) for each in value)
    elif isinstance(value, dict) and str(value.get("@type")).strip("'[]") not in _DESCRIBED["OTHERS"]:
        yield from itertools.chain.from_iterable(_list_described(each, key) for key, each in value.items())


def _title(page: Element, metas: list[tuple[str, str]]) -> str:
    headings = [running_text(heading) for heading in page.iter("h1")]
    if len(headings) == 1 and headings[0]:
        return headings[0]
    declared = (" ".join(value.split()) for wanted in _TITLE_NAMES for key, value in metas if key == wanted)
    texts = (text for element in page.iter("title") if (text := running_text(element)))
    return next(itertools.chain(declared, texts), "")


def _cite(title: str, metas: Sequence[tuple[str, str]]) -> Citation:
    """Return the citation in the elements that publishers write for indexes of papers, with the page's title."""
    values = {name: [value for key, value in metas if key == f"citation_{name}"] for name in _CITED}
    years = (value for name in ("publication_date", "date", "year") for value in values[name])
    doi, journal = (next(iter(values[name]), "") for name in ("doi", "journal_title"))
    return make_citation(title, map(Author.of, values["author"]), doi, journal, next(years, ""))


def _parts(page: Element, title: str, left: LeftOut) -> Iterator[Heading | Block]:
    """Yield headings and paragraphs below the title; a heading that the main text misses only above paragraphs."""
    blocks = find_blocks(page, left)
    left_out: Counter[int] = Counter()
    pending: list[Heading] = []
    for block, is_main in zip(blocks, _find_main(page, blocks), strict=True):
        if block.part and not is_main:
            left_out[block.part] += len(block.text)
        elif block.text == title:
            continue
        elif block.level:
            if any(above.level >= block.level for above in pending):
                yield from _without_text(pending, block.level)
                pending = []
            pending.append(Heading(block.text, block.level))
            if is_main:
                yield from pending
                pending = []
        else:
            is_read = is_main or block.kind == SectionKind.CAPTION or (block.is_sentence and block.linked <= _LINKED)
            yield from pending if is_read else _without_text(pending, 0)
            pending = []
            yield Block(block.kind if is_read else SectionKind.NOTICE, block.text)
    yield from _without_text(pending, 0)
    for characters in left_out.values():
        left.add("notice", characters)


def _without_text(headings: list[Heading], level: int) -> Iterator[Heading | Block]:
    """Yield headings above no paragraph as notices, those of outer levels than ``level`` as headings."""
    for heading in headings:
        yield heading if heading.level < level else Block(SectionKind.NOTICE, heading.text)


def _find_main(page: Element, blocks: Sequence[PageBlock]) -> list[bool]:
    """Return whether each block is of the main text; all but furniture where hardly any is, or furniture alone."""
    is_main = _mark_main(page, blocks) if has_trafilatura() else _mark_main_plainly(blocks)
    plain = [block for block in blocks if not block.part and block.linked <= _LINKED]
    size = sum(len(block.text) for block, inside in zip(blocks, is_main, strict=True) if inside)
    if size <= _MOST * sum(len(block.text) for block in plain):
        is_main = [inside or not block.part for block, inside in zip(blocks, is_main, strict=True)]
    return is_main if any(is_main) else [True] * len(blocks)


def _mark_main(page: Element, blocks: Sequence[PageBlock]) -> list[bool]:
    """Return whether each block is in the text that trafilatura extracts."""
    import trafilatura  # noqa: PLC0415 - heavy, an extra, only HTML needs it

    extracted = trafilatura.extract(
        page, output_format="txt", include_tables=False, include_comments=False, favor_recall=True, deduplicate=False
    )
    lines = (extracted or "").split("\n")
    openings = frozenset(map(_opening, lines))
    whole = "\n".join("".join(filter(str.isalnum, line)) for line in lines)
    return [
        (opening := _opening(block.text)) in openings or (len(opening) == _OPENING and opening in whole)
        for block in blocks
    ]


def _opening(text: str) -> str:
    return "".join(filter(str.isalnum, text[:_OPENING_SAMPLE]))[:_OPENING]


@cache
def has_trafilatura() -> bool:
    """Return whether the extra html is installed."""
    return importlib.util.find_spec("trafilatura") is not None


def _mark_main_plainly(blocks: Sequence[PageBlock]) -> list[bool]:
    """Return whether each block is in the declared main text, else whether the decision tree takes it for content."""
    if any(block.is_declared for block in blocks):
        return [block.is_declared and not block.part and block.linked <= _LINKED for block in blocks]
    text = [block for block in blocks if not block.part]
    nothing = PageBlock("")
    content = set()
    for before, block, following in zip([nothing, *text], text, [*text[1:], nothing], strict=False):
        is_content = block.words > _LONG or following.words > _LONG_NEXT or before.words > _SHORT_BEFORE
        if before.linked > _LINKED_BEFORE:
            is_content = block.words > _LONG_AFTER_LINKS or following.words > _LONG_NEXT_AFTER_LINKS
        if is_content and block.linked <= _LINKED:
            content.add(id(block))
    return [id(block) in content for block in blocks]
