"""Markdown: CommonMark with tables and front matter; and notebooks of Jupyter, whose text is Markdown between code."""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from keywright.core.citations import make_citation, split_authors
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BrokenFile
from keywright.core.word_lists import read_patterns
from keywright.reading.bare_text.cleaning import join_unspaced, with_line_feeds, write_symbols
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.encodings import decode
from keywright.reading.formats.html_blocks import holds_sentence
from keywright.reading.formats.markup import divide_part, parse_part
from keywright.reading.headings import split_keywords
from keywright.reading.limits import Limits

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(read_patterns("reading/patterns.txt")["FRONT_MATTER"], re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"[\"']?(\w+)[\"']?[ \t]*[:=][ \t]*(.*)")
_MARK: Final = re.compile(read_patterns("reading/patterns.txt")["MARKS_OF_MARKDOWN"], re.MULTILINE)
_FOLDED: Final = re.compile(r"[>|][+-]?\Z")


def read_markdown(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a Markdown file.

    Code blocks, formulas and tables without sentences are left out. A first heading of the first level is the title,
    unless front matter names one. Keywords come from the front matter, and from the text where it prints them; authors,
    DOI, journal and year from the front matter.
    """
    decoded, notes = decode(data, name)
    return document_of_markdown(with_line_feeds(decoded), name, limits, LeftOut()).add_warnings(*notes)


def document_of_markdown(text: str, name: str, limits: Limits, left: LeftOut) -> Document:
    """Return the document of a text in Markdown, as ``read_markdown`` does; ``left``: what is left out already."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - heavy, only Markdown needs it

    limits.check_text(len(text), name)
    entries, end = _read_front_matter(text)
    body = _MARK.sub(partial(_keep_words, left), write_symbols(text[end:]))
    parts = list(_parts(MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(body), left))
    title = entries.get("title", "")
    if title:
        parts = [part for part in parts if not (isinstance(part, Heading) and part.text == title)]
        parts.insert(0, Block(SectionKind.TITLE, title))
    elif parts and isinstance(parts[0], Heading) and parts[0].level == 1:
        title = parts[0].text
        parts[0] = Block(SectionKind.TITLE, title)
    keywords = [phrase for key in ("keywords", "tags") for phrase in split_keywords(entries.get(key, ""))]
    authors = split_authors(entries.get("authors") or entries.get("author", ""))
    year = entries.get("year") or entries.get("date")
    cited = make_citation(title, authors, entries.get("doi"), entries.get("journal", ""), year)
    about = Particulars(entries.get("lang") or entries.get("language"), tuple(keywords), cited.as_meta())
    return from_parts(parts, name, limits, left, about, run_in=True)


def _keep_words(left: LeftOut, mark: re.Match[str]) -> str:
    if mark["note"]:  # its title and text stand apart
        return f"{mark['title'] or ''}\n\n{_MARK.sub(partial(_keep_words, left), textwrap.dedent(mark['note']))}\n"
    if mark["formula"]:
        left.add("formula", len(mark[0]))
        return ""
    words = mark[mark.lastindex] or "" if mark.lastindex else ""
    return f"\n{words}\n" if mark[0].lstrip().startswith(":::") else words


def _read_front_matter(text: str) -> tuple[dict[str, str], int]:
    """Return the entries above a text in YAML, TOML or JSON, and their end; none where the lines around divide text."""
    if matter := _FRONT_MATTER.match(text):
        entries = _entries(matter[1] or matter[2] or "")
        return entries, matter.end() if entries or not (matter[1] or matter[2]).strip() else 0
    begin = len(text) - len(text.lstrip())
    with suppress(ValueError, RecursionError):
        value, end = json.JSONDecoder().raw_decode(text, begin) if text[begin : begin + 1] == "{" else (None, 0)
        if isinstance(value, dict):
            lists = {key.lower(): each if isinstance(each, list) else [each] for key, each in value.items()}
            return {key: "; ".join(map(str, each)) for key, each in lists.items()}, end
    return {}, 0


def _entries(matter: str) -> dict[str, str]:
    """Return entries of front matter, keys in lower case, lists joined by semicolons, nested entries skipped."""
    entries: dict[str, str] = {}
    key = ""
    for line in matter.split("\n"):
        if entry := _ENTRY.fullmatch(line):
            key = entry[1].lower()
            value = _FOLDED.sub("", entry[2].strip())
            listed = value.startswith("[") and value.endswith("]")
            entries[key] = "; ".join(map(_unquoted, value[1:-1].split(","))) if listed else _unquoted(value)
        elif key and line.strip().startswith("- "):
            entries[key] = "; ".join(filter(None, [entries[key], _unquoted(line.strip()[2:])]))
        elif key and line[:1].isspace() and ":" not in line:  # text in lines of its own
            entries[key] = f"{entries[key]} {line.strip()}".strip()
    return entries


def _unquoted(value: str) -> str:
    return value.strip().strip("\"'")


def _parts(tokens: Sequence["Token"], left: LeftOut) -> Iterator[Heading | Block]:
    level = 0  # open heading's, 0 for none
    cells: list[str] | None = None  # the texts in the open table
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            level = int(token.tag[1:]) if token.nesting == 1 else 0
        elif token.type == "table_open":
            cells = []
        elif token.type == "table_close" and cells is not None:
            if any(map(holds_sentence, cells)):
                yield from (Block(SectionKind.BODY, cell) for cell in cells)
            else:
                left.add("table", sum(map(len, cells)))
            cells = None
        elif token.type in {"fence", "code_block"}:
            left.add("code block", len(token.content))
        elif token.type == "html_block":
            yield from divide_part(parse_part(token.content, left), left)
        elif token.type == "inline":
            text = _inline(token.children or ())
            if cells is not None:
                cells.append(text)
            else:
                yield Heading(text, level) if level else Block(SectionKind.BODY, text)


def _inline(tokens: Sequence["Token"]) -> str:
    pieces = []
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            pieces.append(token.content)
        elif token.type in {"softbreak", "hardbreak", "image"} or token.content.startswith("<br"):
            pieces.append(_inline(token.children or ()) if token.type == "image" else "\n")
    return " ".join(join_unspaced("".join(pieces)).split())


_PICTURE: Final = re.compile(r"\bdata:[a-z]+/[\w.+-]+;base64,[A-Za-z0-9+/=]*")
_LEVEL: Final = 6  # deepest heading of Markdown
_HINT: Final = "open it in Jupyter and save it again"


def read_notebook(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a notebook: its cells of Markdown; code, output and pictures are left out."""
    text, notes = decode(data, name)
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{name} is not a readable notebook: {error}", _HINT) from error
    left = LeftOut()
    sheets = [notebook, *_get_list(notebook, "worksheets")]  # the third version of the format has worksheets
    cells = [cell for sheet in sheets for cell in _get_list(sheet, "cells") if isinstance(cell, Mapping)]
    texts = [_read_cell(cell, left, is_first=number == 0) for number, cell in enumerate(cells)]
    with suppress(LookupError, TypeError, AttributeError):
        texts.insert(0, f"---\ntitle: {' '.join(notebook['metadata']['title'].split())}\n---")
    return document_of_markdown("\n\n".join(filter(None, texts)), name, limits, left).add_warnings(*notes)


def _get_list(value: Any, key: str) -> list[Any]:
    entries = value.get(key) if isinstance(value, Mapping) else None
    return entries if isinstance(entries, list) else []


def _read_cell(cell: Mapping[str, Any], left: LeftOut, *, is_first: bool) -> str:
    """Return the text of a cell in Markdown; empty for code, which is counted with its output, and raw text."""
    source, form, level = cell.get("source", cell.get("input", "")), cell.get("cell_type"), cell.get("level")
    lines = [source] if isinstance(source, str) else _get_list(cell, "source")
    text = "".join(line for line in lines if isinstance(line, str))
    if form == "heading":  # in the third version
        return f"{'#' * (level if isinstance(level, int) and 0 < level <= _LEVEL else 1)} {text}"
    if form == "markdown" or (is_first and _FRONT_MATTER.match(text)):
        return _PICTURE.sub("", text)
    left.add("code cell" if form == "code" else "raw cell", len(text))
    for _ in _get_list(cell, "outputs") if form == "code" else ():
        left.add("output", 0)
    return ""
