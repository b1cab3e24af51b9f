"""PDF files to documents: opening, limits, errors; the layout itself is read by the modules beside this one."""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from keywright.core.documents import Coverage, Document, SectionKind
from keywright.core.errors import BrokenFile, EmptyInput, ProtectedFile, TooLarge, UnreadableInput
from keywright.reading.blocks import GAP, assemble
from keywright.reading.headings import kind_of_heading, run_in_heading
from keywright.reading.keywords import split_keywords
from keywright.reading.layout.columns import Region, common_gutters, gutters, numbers_of_lines, parts, regions, touching
from keywright.reading.layout.debris import debris
from keywright.reading.layout.flow import Placed, flowing, placed
from keywright.reading.layout.front import front_matter, title_lines
from keywright.reading.layout.glyphs import PageText, page_text
from keywright.reading.layout.lines import Line, text_size
from keywright.reading.layout.margins import running
from keywright.reading.layout.paragraphs import Paragraph, levels, paragraphs, setting
from keywright.reading.limits import Limits

MOST_UNMAPPED: Final = 0.5
"""Share of characters without known letters above which a file's text is unreadable."""

WORTH_A_WARNING: Final = 0.02
"""Share of such characters above which people are told."""

_ONE_AT_A_TIME = threading.Lock()  # PDFium is not made for threads
_PASSWORD: Final = 4  # FPDF_ERR_PASSWORD
_LEFT_OUT: Final = {
    "running": "running heads, footers and page numbers",
    "numbers": "numbers of lines",
    "table": "cells of tables",
    "formula": "formulas",
    "figure": "labels in figures",
    "code": "code",
}


def read_pdf(data: bytes, id: str, limits: Limits) -> Document:  # noqa: A002 - the field's name in Document
    """Document of a PDF: its running text in reading order, with sections.

    Title, authors, abstract, author keywords, headings, captions and references become sections. Running heads, page
    numbers, text that runs up or down a margin, cells of tables, labels in figures, formulas and code are left out;
    ``warnings`` counts them. ``coverage`` counts characters without blanks. ``meta`` has ``pages`` (offset of the first
    character of each page), ``title``, ``author_keywords`` (as printed, else as declared by the file) and ``declared``
    (the file's own title, author, subject and keywords) as far as there are any.

    Raises:
        BrokenFile: no PDF, or one that cannot be opened, or none of whose pages can.
        ProtectedFile: a password is needed.
        EmptyInput: no bytes, no pages, pages without text (pictures of text), or with tables and formulas only.
        TooLarge: more bytes, pages or characters than the limits allow.
        UnreadableInput: fonts that do not say which letters half of the characters are.
    """
    if not data:
        raise EmptyInput(f"{id!r} is empty: 0 bytes", "give a PDF file")
    if len(data) > limits.file_bytes:
        raise TooLarge(f"{id!r} has {len(data):,} bytes, more than {limits.file_bytes:,}", "raise Limits.file_bytes")
    with _ONE_AT_A_TIME:
        pages, declared, warnings = _pages(data, id, limits)
    _check_text(pages, id, warnings)
    dropped: Counter[str] = Counter()
    found = _paragraphs(pages, declared.get("title", ""), dropped)
    blocks = placed(found)
    text, sections = assemble(entry.block for entry in blocks)
    read = sum(line.characters for paragraph in found for line in paragraph.lines)
    warnings += _unseen(pages)
    warnings += [f"left out: {_LEFT_OUT[kind]} ({count:,} lines)" for kind, count in sorted(dropped.items()) if count]
    if not text:
        raise EmptyInput(f"{id!r} has no running text; {'; '.join(warnings)}", "give the text itself, without tables")
    given = sum(page.given for page in pages)
    meta = {"pages": _page_offsets(blocks, len(pages), len(text)), **_meta(blocks, declared)}
    return Document(id, text, sections, meta=meta, coverage=Coverage(min(read, given), given), warnings=tuple(warnings))


def _pages(data: bytes, id: str, limits: Limits) -> tuple[list[PageText], dict[str, str], list[str]]:  # noqa: A002
    """Text of every page, the file's own metadata, and warnings of pages that could not be read."""
    import pypdfium2  # noqa: PLC0415 - heavy, only PDFs need it

    try:
        file = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            raise ProtectedFile(f"{id!r} is protected by a password", "save a copy without password") from error
        raise BrokenFile(f"{id!r} cannot be opened as a PDF", "the file is damaged or no PDF; get it again") from error
    try:
        if len(file) > limits.pages:
            raise TooLarge(f"{id!r} has {len(file):,} pages, more than {limits.pages:,}", "raise Limits.pages")
        pages, broken = _read_pages(file, id, limits, pypdfium2.PdfiumError)
        warnings = [f"pages that could not be read: {', '.join(map(str, broken))}"] if broken else []
        declared = {key.lower(): value.strip() for key, value in file.get_metadata_dict(skip_empty=True).items()}
    finally:
        file.close()
    if broken and len(broken) == len(pages):
        raise BrokenFile(f"no page of {id!r} can be read", "the file is damaged; get it again")
    return pages, declared, warnings


def _read_pages(file: Any, id: str, limits: Limits, failure: type[Exception]) -> tuple[list[PageText], list[int]]:  # noqa: A002
    pages, broken, characters = [], [], 0
    for number in range(len(file)):
        try:
            page = file[number]
            try:
                pages.append(page_text(page, number))
            finally:
                page.close()
        except failure:
            broken.append(number + 1)
            pages.append(PageText((), 1.0, 1.0, (), 0, 0, 0, 0))
        characters += pages[-1].given
        if characters > limits.text_characters:
            message = f"{id!r} has more than {limits.text_characters:,} characters by page {number + 1:,}"
            raise TooLarge(message, "raise Limits.text_characters")
    return pages, broken


def _check_text(pages: Sequence[PageText], id: str, warnings: list[str]) -> None:  # noqa: A002
    given, unmapped = sum(page.given for page in pages), sum(page.unmapped for page in pages)
    if not given:
        hint = "its pages may be pictures: recognise the text first (OCR), for example with ocrmypdf"
        raise EmptyInput(f"{id!r} has no text on its {len(pages):,} pages", hint)
    if unmapped > MOST_UNMAPPED * given or not any(page.pieces for page in pages):
        message = f"{unmapped:,} of {given:,} characters of {id!r} have no known letters"
        raise UnreadableInput(message, "its fonts hide the text: recognise it anew (OCR)")
    if unmapped > WORTH_A_WARNING * given:
        warnings.append(f"left out: characters whose font does not say which letters they are ({unmapped:,})")
    blank = [str(number + 1) for number, page in enumerate(pages) if page.figures and not page.given]
    if blank:
        warnings.append(f"pages of pictures without text: {', '.join(blank)}")


def _unseen(pages: Sequence[PageText]) -> list[str]:
    """Warnings of text that stands on the pages, but not in their lines."""
    counts = {
        "turned sideways": sum(page.turned for page in pages),
        "off the page": sum(page.outside for page in pages),
    }
    return [f"left out: text {what} ({count:,} characters)" for what, count in counts.items() if count]


def _paragraphs(pages: Sequence[PageText], declared: str, dropped: Counter[str]) -> list[Paragraph]:
    """Paragraphs of the document in reading order; counts in ``dropped`` the lines of each kind left out."""
    kept = []
    pieces = [touching(page.pieces) for page in pages]
    edges = running(pieces, [page.height for page in pages])
    for page, edge in zip(pieces, edges, strict=True):
        numbers = numbers_of_lines(page) - edge
        kept.append([piece for place, piece in enumerate(page) if place not in edge | numbers])
        dropped["running"] += len(edge)
        dropped["numbers"] += len(numbers)
    size = text_size(piece for page in kept for piece in page)
    ordered = _ordered(kept)
    first = next((number for number, page in enumerate(ordered) if page), 0)
    title = title_lines(
        [line for region in ordered[first] for line in region.lines], size, pages[first].height, declared
    )
    clean = []
    for number, columns in enumerate(ordered):
        spared = _front_lines(columns, title) if number == first else set()
        clean += [_without_debris(region, size, pages[number], spared, dropped) for region in columns]
    style = setting(clean, size)
    groups, references = [], False
    for region in clean:
        groups.append(paragraphs(region, style, references=references))
        for paragraph in groups[-1]:
            if paragraph.kind == "heading":
                references = kind_of_heading(paragraph.text) == SectionKind.REFERENCES
    found = front_matter(levels([paragraph for group in groups for paragraph in group]), title)
    return flowing(_grouped(found, clean))


def _grouped(found: Sequence[Paragraph], clean: Sequence[Region]) -> list[list[Paragraph]]:
    """Paragraphs by the region of their first line."""
    home = {id(line): number for number, region in enumerate(clean) for line in region.lines}
    groups: list[list[Paragraph]] = [[] for _ in clean]
    for paragraph in found:
        groups[home[id(paragraph.lines[0])]].append(paragraph)
    return groups


def _ordered(kept: Sequence[Sequence[Line]]) -> list[tuple[Region, ...]]:
    """Regions of each page in reading order; a sparse page has the columns of the others when they fit it."""
    own = [gutters(page) for page in kept]
    usual = common_gutters(own)
    ordered = []
    for page, found in zip(kept, own, strict=True):
        columns = found
        if usual and len(found) != len(usual) and all(parts(page, gutter) for gutter in usual):
            columns = usual
        ordered.append(regions(page, columns))
    return ordered


def _front_lines(page: Sequence[Region], title: Sequence[Line]) -> set[Line]:
    """Lines from the title to the first known heading: names in columns there are no table."""
    spared: set[Line] = set(title)
    started = not title
    for line in (line for region in page for line in region.lines):
        started = started or line in spared
        known = kind_of_heading(line.text) not in {None, SectionKind.AUTHORS}
        if started and (known or run_in_heading(line.text)):
            return spared
        if started:
            spared.add(line)
    return set(title)


def _without_debris(region: Region, size: float, page: PageText, spared: set[Line], dropped: Counter[str]) -> Region:
    kinds = debris(region, size, page.figures)
    kept = []
    for line, kind in zip(region.lines, kinds, strict=True):
        if kind is None or line in spared:
            kept.append(line)
        else:
            dropped[kind] += 1
    return replace(region, lines=tuple(kept))


def _page_offsets(blocks: Sequence[Placed], pages: int, length: int) -> list[int]:
    """Offset of each page's first character; a page without text has that of the next one."""
    first: dict[int, int] = {}
    at = 0
    for entry in blocks:
        if entry.block.text.strip():
            for page, begin in entry.pages:
                first[page] = min(first.get(page, length), at + begin)
            at += len(entry.block.text) + len(GAP)
    offsets, following = [], length
    for page in reversed(range(pages)):
        following = min(first.get(page, following), following)
        offsets.append(following)
    return offsets[::-1]


def _meta(blocks: Sequence[Placed], declared: dict[str, str]) -> dict[str, Any]:
    """Title, author keywords and what the file declares of itself, as far as there is any."""
    meta: dict[str, Any] = {}
    title = next((entry.block.text for entry in blocks if entry.block.kind == SectionKind.TITLE), "")
    if title:
        meta["title"] = title
    printed = " ".join(entry.block.text for entry in blocks if entry.block.kind == SectionKind.KEYWORDS)
    keywords = split_keywords(printed) or split_keywords(declared.get("keywords", ""))
    if keywords:
        meta["author_keywords"] = keywords
    known = {key: declared[key] for key in ("title", "author", "subject", "keywords") if declared.get(key)}
    if known:
        meta["declared"] = known
    return meta
