"""PDF files to documents: opening, limits, errors; ``layout`` reads the pages."""

import threading
from collections.abc import Sequence
from typing import Any, Final

from keywright.core.documents import Coverage, Document, SectionKind
from keywright.core.errors import BrokenFile, EmptyInput, ProtectedFile, TooLarge, UnreadableInput
from keywright.reading.blocks import GAP, assemble
from keywright.reading.formats import Limits
from keywright.reading.headings import split_keywords
from keywright.reading.layout.flow import Placed, placed
from keywright.reading.layout.glyphs import PageText, page_text
from keywright.reading.layout.pipeline import read_layout
from keywright.reading.pdf_metadata import declared_by, pdf_citation
from keywright.reading.set_limits import raising

_MOST_UNMAPPED: Final = 0.5  # share of characters without known letters; with more, text is unreadable. Arbitrary
_WORTH_A_WARNING: Final = 0.02  # share of them above which there is a warning; arbitrary

_ONE_AT_A_TIME = threading.Lock()  # PDFium is not made for threads
_PASSWORD: Final = 4  # FPDF_ERR_PASSWORD of PDFium
_LEFT_OUT: Final = {
    "running": "running heads, footers and page numbers",
    "numbers": "numbers of lines",
    "table": "cells of tables",
    "formula": "formulas",
    "figure": "labels in figures",
    "code": "code",
}


def read_pdf(data: bytes, id: str, limits: Limits) -> Document:  # noqa: A002 - the field's name in Document
    """Return the document of a PDF: its running text in reading order, with sections.

    Title, authors, abstract, author keywords, headings, captions and references become sections. Running heads, page
    numbers, text that runs up or down a margin, cells of tables, labels in figures, formulas and code are left out;
    ``warnings`` counts them. ``coverage`` counts characters without blanks. ``meta`` has ``pages`` (offset of the first
    character of each page), ``title`` and ``author_keywords`` (as printed, else as declared by the file), ``authors``,
    ``doi``, ``journal`` and ``year`` (as declared) and ``declared`` (the file's own title, author, subject and
    keywords) where there are any.

    Raises:
        BrokenFile: not a PDF, or neither the file nor any of its pages can be opened.
        ProtectedFile: a password is needed.
        EmptyInput: no bytes, no pages, pages without text (pictures of text), or with tables and formulas only.
        TooLarge: more bytes, pages or characters than the limits allow.
        UnreadableInput: fonts that do not name the letters of half of the characters.
    """
    if not data:
        raise EmptyInput(f"{id!r} is empty: 0 bytes", "give a PDF file")
    limits.check_file(len(data), repr(id))
    with _ONE_AT_A_TIME:
        pages, declared, warnings = _pages(data, id, limits)
    _check_text(pages, id, warnings)
    paragraphs, left_out = read_layout(pages, declared.get("title", ""))
    blocks = placed(paragraphs)
    text, sections = assemble(entry.block for entry in blocks)
    read = sum(line.characters for paragraph in paragraphs for line in paragraph.lines)
    warnings += _unseen(pages)
    lines = [(_LEFT_OUT[kind], count) for kind, count in sorted(left_out.items()) if count]
    warnings += [f"left out: {what} ({count:,} line{'s' * (count > 1)})" for what, count in lines]
    if not text:
        raise EmptyInput(f"{id!r} has no running text; {'; '.join(warnings)}", "give the text itself, without tables")
    total = sum(page.characters for page in pages)
    title = next((entry.block.text for entry in blocks if entry.block.kind == SectionKind.TITLE), "")
    cited = pdf_citation(title, declared, data, limits).as_meta()
    meta = {"pages": _page_offsets(blocks, len(pages), len(text)), **cited, **_meta(blocks, declared)}
    return Document(id, text, sections, meta=meta, coverage=Coverage(min(read, total), total), warnings=tuple(warnings))


def _pages(data: bytes, id: str, limits: Limits) -> tuple[list[PageText], dict[str, str], list[str]]:  # noqa: A002
    """Return the text of every page, the file's own metadata, and warnings of pages that could not be read."""
    import pypdfium2  # noqa: PLC0415 - heavy, only PDFs need it

    try:
        file = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            raise ProtectedFile(f"{id!r} is protected by a password", "save a copy without password") from error
        raise BrokenFile(f"{id!r} cannot be opened as a PDF", "download it again, if it is a PDF") from error
    try:
        if len(file) > limits.pages:
            raise TooLarge(f"{id!r} has {len(file):,} pages, more than {limits.pages:,}", raising("pages"))
        pages, broken = _read_pages(file, id, limits, pypdfium2.PdfiumError)
        warnings = [f"pages that could not be read: {', '.join(map(str, broken))}"] if broken else []
        declared = declared_by(file)
    finally:
        file.close()
    if broken and len(broken) == len(pages):
        raise BrokenFile(f"no page of {id!r} can be read", "the file is damaged: download it again")
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
        characters += pages[-1].characters
        if characters > limits.text_characters:
            message = f"{id!r} has more than {limits.text_characters:,} characters by page {number + 1:,}"
            raise TooLarge(message, raising("text_characters"))
    return pages, broken


def _check_text(pages: Sequence[PageText], id: str, warnings: list[str]) -> None:  # noqa: A002
    total, unmapped = sum(page.characters for page in pages), sum(page.unmapped for page in pages)
    if not total:
        hint = "its pages may be pictures: recognise the text first (OCR), for example with ocrmypdf"
        where = "its only page" if len(pages) == 1 else f"any of its {len(pages):,} pages"
        raise EmptyInput(f"{id!r} has no text on {where}", hint)
    if unmapped > _MOST_UNMAPPED * total or not any(page.pieces for page in pages):
        message = f"{unmapped:,} of {total:,} characters of {id!r} have no known letters"
        raise UnreadableInput(message, "its fonts do not name their letters: recognise the text (OCR)")
    if unmapped > _WORTH_A_WARNING * total:
        warnings.append(f"left out: characters whose font does not say which letters they are ({unmapped:,})")
    blank = [str(number + 1) for number, page in enumerate(pages) if page.figures and not page.characters]
    if blank:
        warnings.append(f"pages of pictures without text: {', '.join(blank)}")


def _unseen(pages: Sequence[PageText]) -> list[str]:
    """Return warnings of text that is on the pages but not in their lines."""
    counts = {
        "turned sideways": sum(page.turned for page in pages),
        "off the page": sum(page.outside for page in pages),
    }
    return [f"left out: text {where} ({count:,} characters)" for where, count in counts.items() if count]


def _page_offsets(blocks: Sequence[Placed], pages: int, length: int) -> list[int]:
    """Return the offset of each page's first character; a page without text has that of the next one."""
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
    """Return author keywords and what the file declares of itself, where there is any."""
    meta: dict[str, Any] = {}
    printed = " ".join(entry.block.text for entry in blocks if entry.block.kind == SectionKind.KEYWORDS)
    keywords = split_keywords(printed) or split_keywords(declared.get("keywords", ""))
    if keywords:
        meta["author_keywords"] = keywords
    declared = {key: declared[key] for key in ("title", "author", "subject", "keywords") if declared.get(key)}
    if declared:
        meta["declared"] = declared
    return meta
