"""PDF files to documents: opening, limits, errors, declared metadata; ``layout`` reads the pages."""

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any, Final

from keywright.core.citations import Author, Citation, make_citation, parse_doi, split_authors
from keywright.core.documents import Coverage, Document, SectionKind
from keywright.core.errors import BrokenFile, EmptyInput, KeywrightError, ProtectedFile, TooLarge, UnreadableInput
from keywright.reading.blocks import GAP, assemble
from keywright.reading.formats.xml import Element, local_name, parse_xml, running_text
from keywright.reading.headings import split_keywords
from keywright.reading.layout.flow import Placed, place_blocks
from keywright.reading.layout.glyphs import NO_PAGE, PageText, read_page
from keywright.reading.layout.pipeline import read_layout
from keywright.reading.limits import Limits, advise_raising

_MOST_UNMAPPED: Final = 0.5  # share of characters without known letters; with more, text is unreadable. Arbitrary
_WORTH_A_WARNING: Final = 0.02  # share of them above which there is a warning; arbitrary
ONE_AT_A_TIME = threading.Lock()  # PDFium is not made for threads
_PASSWORD: Final = 4  # FPDF_ERR_PASSWORD of PDFium
_LEFT_OUT: Final = {
    "running": "running heads, footers and page numbers", "numbers": "numbers of lines", "table": "cells of tables",
    "formula": "formulas", "figure": "labels in figures", "code": "code",
}  # fmt: skip
_DOI_KEYS: Final = ("doi", "DOI", "WPS-ARTICLEDOI", "crossmark:DOI")
"""Entries of the information dictionary in which publishers state the DOI."""
_DOI_IN_TEXT = re.compile(r"(?:doi[:\s]\s?|doi\.org/)(10\.\d{4,9}/\S+(?<![.,;)]))", re.IGNORECASE)
_PACKET: Final = (b"<x:xmpmeta", b"</x:xmpmeta>")
_MOST_PACKETS: Final = 100  # packets of XMP that are read, those of pictures among them; arbitrary
_LONGEST_PACKET: Final = 1_000_000  # bytes; arbitrary
_CORE: Final = "{http://purl.org/dc/elements/1.1/}"
_DATES: Final = ("coverDate", "publicationDate")


def read_pdf(data: bytes, id: str, limits: Limits) -> Document:  # noqa: A002 - the field's name in Document
    """Return the document of a PDF: its running text in reading order, with sections.

    Running heads, page numbers, text that runs up or down a margin, cells of tables, labels in figures, formulas and
    code are left out; ``warnings`` counts them. ``coverage`` counts characters without blanks. ``meta`` has ``pages``
    (offset of the first character of each page), ``title`` and ``author_keywords`` (as printed, else as declared by the
    file), ``authors``, ``doi``, ``journal`` and ``year`` (as declared) and ``declared`` (the file's own title, author,
    subject and keywords) where there are any.

    Raises BrokenFile: it, or all of its pages, cannot be opened; ProtectedFile: a password is needed; EmptyInput: no
    running text; TooLarge; UnreadableInput: fonts that do not name the letters of half of the characters.
    """
    if not data:
        raise EmptyInput(f"{id!r} is empty: 0 bytes", "give a PDF file")
    limits.check_file(len(data), repr(id))
    with ONE_AT_A_TIME:
        pages, declared, warnings = _read_file(data, id, limits)
    warnings += _check_text(pages, id)
    paragraphs, left_out = read_layout(pages, declared.get("title", ""))
    blocks = place_blocks(paragraphs)
    text, sections = assemble(entry.block for entry in blocks)
    read = sum(line.characters for paragraph in paragraphs for line in paragraph.lines)
    sides = {"turned sideways": sum(page.turned for page in pages), "off the page": sum(page.outside for page in pages)}
    warnings += [f"left out: text {where} ({count:,} characters)" for where, count in sides.items() if count]
    lines = [(_LEFT_OUT[kind], count) for kind, count in sorted(left_out.items()) if count]
    warnings += [f"left out: {what} ({count:,} line{'s' * (count > 1)})" for what, count in lines]
    if not text:
        raise EmptyInput(f"{id!r} has no running text; {'; '.join(warnings)}", "give the text itself, without tables")
    total = sum(page.characters for page in pages)
    title = next((entry.block.text for entry in blocks if entry.block.kind == SectionKind.TITLE), "")
    cited = _cite(title, declared, data, limits).as_meta()
    printed = " ".join(entry.block.text for entry in blocks if entry.block.kind == SectionKind.KEYWORDS)
    keywords = split_keywords(printed) or split_keywords(declared.get("keywords", ""))
    stated = {key: declared[key] for key in ("title", "author", "subject", "keywords") if declared.get(key)}
    statements = {"author_keywords": keywords, "declared": stated}
    offsets = {"pages": _page_offsets(blocks, len(pages), len(text))}
    meta = offsets | cited | {key: value for key, value in statements.items() if value}
    return Document(id, text, sections, meta=meta, coverage=Coverage(min(read, total), total), warnings=tuple(warnings))


def _read_file(data: bytes, id: str, limits: Limits) -> tuple[list[PageText], dict[str, str], list[str]]:  # noqa: A002
    """Return the text of every page, the file's own metadata, and warnings of pages that could not be read."""
    import pypdfium2  # noqa: PLC0415 - heavy, only PDFs need it

    try:
        file = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD:
            raise ProtectedFile(f"{id!r} is protected by a password", "save a copy without password") from error
        raise BrokenFile(f"{id!r} cannot be opened as a PDF", "download it again, if it is a PDF") from error
    pages: list[PageText] = []
    broken: list[str] = []
    characters = 0
    try:
        if len(file) > limits.pages:
            raise TooLarge(f"{id!r} has {len(file):,} pages, more than {limits.pages:,}", advise_raising("pages"))
        with suppress(pypdfium2.PdfiumError):  # a form that is damaged; the pages are read without its values
            file.init_forms()
        for number in range(len(file)):
            try:
                page = file[number]
                try:
                    pages.append(read_page(page, number))
                finally:
                    page.close()
            except pypdfium2.PdfiumError:
                broken.append(str(number + 1))
                pages.append(NO_PAGE)
            characters += pages[-1].characters
            if characters > limits.text_characters:
                message = f"{id!r} has more than {limits.text_characters:,} characters by page {number + 1:,}"
                raise TooLarge(message, advise_raising("text_characters"))
        entries = {key.lower(): value.strip() for key, value in file.get_metadata_dict(skip_empty=True).items()}
        stated = [*map(file.get_metadata_value, _DOI_KEYS), *_DOI_IN_TEXT.findall(entries.get("subject", ""))]
        doi = next(filter(None, map(parse_doi, stated)), "")
        declared = entries | ({"doi": doi} if doi else {})
    finally:
        file.close()
    if broken and len(broken) == len(pages):
        raise BrokenFile(f"no page of {id!r} can be read", "the file is damaged: download it again")
    return pages, declared, [f"pages that could not be read: {', '.join(broken)}"] if broken else []


def _check_text(pages: Sequence[PageText], id: str) -> list[str]:  # noqa: A002
    """Raise for pages without text, or whose letters are not known; return warnings of less."""
    total, unmapped = sum(page.characters for page in pages), sum(page.unmapped for page in pages)
    if not total:
        hint = "its pages may be pictures: recognise the text first (OCR), for example with ocrmypdf"
        where = "its only page" if len(pages) == 1 else f"any of its {len(pages):,} pages"
        raise EmptyInput(f"{id!r} has no text on {where}", hint)
    if unmapped > _MOST_UNMAPPED * total or not any(page.pieces for page in pages):
        message = f"{unmapped:,} of {total:,} characters of {id!r} have no known letters"
        raise UnreadableInput(message, "its fonts do not name their letters: recognise the text (OCR)")
    warnings = []
    if unmapped > _WORTH_A_WARNING * total:
        warnings.append(f"left out: characters whose font does not say which letters they are ({unmapped:,})")
    blank = [str(number + 1) for number, page in enumerate(pages) if page.has_pictures and not page.characters]
    if blank:
        which = f"{len(blank):,} of {len(pages):,} pages have no text, only pictures: {', '.join(blank)}"
        warnings.append(f"{which}; recognise their text first (OCR), for example with ocrmypdf")
    return warnings


def _page_offsets(blocks: Sequence[Placed], pages: int, length: int) -> list[int]:
    """Return the offset of each page's first character; a page without text has that of the next one."""
    first: dict[int, int] = {}
    at = 0
    for entry in blocks:
        if entry.block.text.strip():
            for page, begin in entry.pages:
                first[page] = min(first.get(page, length), at + begin)
            at += len(entry.block.text) + len(GAP)
    return list(accumulate((first.get(page, length) for page in reversed(range(pages))), min))[::-1]


def _cite(printed_title: str, declared: Mapping[str, str], data: bytes, limits: Limits) -> Citation:
    """Return the citation of a PDF: the printed title, else what file and XMP declare; the year is the XMP's."""
    # A value counts on which all packets that have it agree: pictures in a file may have packets of their own.
    citations = [_cite_packet(packet) for packet in _packets(data, limits)]
    values: dict[str, Any] = {}
    for name in Citation.__dataclass_fields__:
        stated = {value for each in citations if (value := getattr(each, name))}
        if len(stated) == 1:
            values[name] = stated.pop()
    xmp = Citation(**values)
    authors = xmp.authors or split_authors(declared.get("author", ""))
    title, doi = printed_title or declared.get("title", "") or xmp.title, declared.get("doi", "") or xmp.doi
    return make_citation(title, authors, doi, xmp.journal, xmp.year)


def _packets(data: bytes, limits: Limits) -> Iterator[Element]:
    """Yield the readable packets of XMP; they are found by their tags, as they may be nowhere else in a PDF."""
    start = 0
    for _ in range(_MOST_PACKETS):
        start = data.find(_PACKET[0], start)
        end = data.find(_PACKET[1], start) + len(_PACKET[1])
        if start < 0 or end < start:
            return
        if end - start <= _LONGEST_PACKET:
            with suppress(KeywrightError):  # a damaged packet declares nothing; the pages are read without it
                yield parse_xml(data[start:end], "XMP", limits)
        start = end


def _cite_packet(packet: Element) -> Citation:
    creators = (entry for creator in packet.iter(f"{_CORE}creator") for entry in creator.iter("{*}li"))
    authors: Iterator[Author] = (author for entry in creators for author in split_authors(running_text(entry)))
    titles = (running_text(title) for title in packet.iter(f"{_CORE}title"))
    dois = [*_values(packet, "doi"), *map(running_text, packet.iter(f"{_CORE}identifier"))]
    doi = next(filter(None, map(parse_doi, dois)), "")
    date = next((date for name in _DATES for date in _values(packet, name)), "")
    return make_citation(next(titles, ""), authors, doi, next(_values(packet, "publicationName"), ""), date)


def _values(packet: Element, name: str) -> Iterator[str]:
    """Yield the values of a property, which XMP writes as elements or as attributes, in any namespace."""
    for element in packet.iter():
        yield from (str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name)
        if local_name(element) == name and (text := running_text(element)):
            yield text
