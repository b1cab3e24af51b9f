"""A copy of a PDF with its keyphrases: highlights at their mentions, and pages with the list before the first page.

Mentions are found again on their pages, letter by letter, because the text of a document has no places on paper. Only
letters that PDFium's Helvetica has are printed; the note on the list has all keyphrases in letters of any script.
"""

import ctypes
import io
import re
import sys
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from keywright.core.documents import Document
from keywright.core.errors import BrokenFile
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.reading.formats.pdf import ONE_AT_A_TIME

_YELLOW: Final = (255, 213, 79, 128)  # red, green, blue, opacity; as on the page of keyphrases
_MARGIN, _LINE, _HEAD, _TYPE = 56, 20, 18, 11  # points: of the list's page, between its lines, and its letters
_HYPHENATED: Final = re.compile("[-\u00ad\u2010\u2011]\\s*[\r\n]\\s*|[\x02\ufffe]\\s*")  # the last two are PDFium's
_NO_WORD: Final = re.compile(r"[\W_]+")
_UNSPACED: Final = 0x2E80  # first code point of the scripts without spaces between words
_MOST_PAGES: Final = 12  # pages that a line of the list names; more would not fit
_PRINTED: Final = "cp1252"  # the letters of PDFium's standard fonts


def mark_pdf(data: bytes, document: Document, prediction: Prediction) -> tuple[bytes, tuple[str, ...]]:
    """Return the PDF of a document with keyphrases marked and listed, and warnings; or raise ``BrokenFile``."""
    import pypdfium2  # noqa: PLC0415 - heavy, only PDFs need it

    with ONE_AT_A_TIME:
        try:
            file = pypdfium2.PdfDocument(data)
            warnings = list(_mark(file, document, prediction))
            copy = io.BytesIO()
            file.save(copy)
            file.close()
        except pypdfium2.PdfiumError as error:
            raise BrokenFile(f"{document.id!r} cannot be marked: {error}", "print it to a new PDF first") from error
    return copy.getvalue(), tuple(warnings)


def _mark(file: Any, document: Document, prediction: Prediction) -> Iterator[str]:
    """Mark all pages and put the list before them; yield warnings."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - as above

    starts = [start for start in document.meta.get("pages", ()) if isinstance(start, int)] or [0]
    by_page: dict[int, list[tuple[str, Keyphrase, int]]] = {}
    for rank, keyphrase in enumerate(prediction.keyphrases, 1):
        for start, end in keyphrase.spans:
            page = max(bisect_right(starts, start) - 1, 0)
            by_page.setdefault(page, []).append((document.text[start:end], keyphrase, rank))
    pages: dict[int, set[int]] = {}
    wanted, missed = sum(map(len, by_page.values())), 0
    for number, mentions in by_page.items():
        if number >= len(file):
            missed += len(mentions)
            continue
        missed += _mark_page(file[number], mentions)
        for _, _, rank in mentions:
            pages.setdefault(rank, set()).add(number + 1)
    if missed:
        yield f"{missed} of {wanted} mentions were not found again on their page and have no mark"
    if pdfium.FPDF_GetSignatureCount(file) > 0:
        yield "the file is signed; the signature does not hold for the marked copy"
    yield from _list_keyphrases(file, document, prediction, pages)


def _mark_page(page: Any, mentions: Sequence[tuple[str, Keyphrase, int]]) -> int:
    """Highlight mentions on a page; return how many were not found."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - as above

    text = page.get_textpage()
    codes = [pdfium.FPDFText_GetUnicode(text, index) for index in range(pdfium.FPDFText_CountChars(text))]
    letters = "".join(chr(code) if 0 < code <= sys.maxunicode else " " for code in codes)
    squeezed, places = squeeze_letters(letters)
    missed = 0
    marked: set[tuple[int, int]] = set()
    numbers = Counter((surface, f"{rank}. {each.text}{_format_probability(each)}") for surface, each, rank in mentions)
    # Long phrases first: what a longer mark covers needs none of its own.
    for (surface, note), number in sorted(numbers.items(), key=lambda item: -len(item[0][0])):
        spans = list(find_mentions(surface, letters, squeezed, places))
        # All are marked: a paper's keywords are on the page and not among the mentions. But *it* is not *IT*.
        if surface[1:] != surface[1:].lower():
            wanted = _letters_of(surface)
            spans = [(start, end) for start, end in spans if _letters_of(letters[start:end]) == wanted] or spans
        missed += max(0, number - len(spans))
        for start, end in spans:
            if not any(first <= start and end <= last for first, last in marked):
                marked.add((start, end))
                _highlight(page, text, (start, end), note)
    return missed


def _letters_of(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def squeeze_letters(text: str) -> tuple[str, list[int]]:
    """Return letters and digits of a text in one case, ligatures set out, and the place of each in the text."""
    pairs = [
        (letter, index)
        for index, character in enumerate(text)
        for letter in unicodedata.normalize("NFKC", character).casefold()
        if letter.isalnum()
    ]
    return "".join(letter for letter, _ in pairs), [index for _, index in pairs]


def find_mentions(surface: str, text: str, squeezed: str, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the mentions of a phrase in a text that lines, hyphens and ligatures interrupt."""
    wanted, _ = squeeze_letters(surface)
    at = squeezed.find(wanted) if wanted else -1
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        # A hyphen at the end of a line may be part of the word or not.
        forms = (surface, *(_HYPHENATED.sub(hyphen, text[start:end]) for hyphen in ("", "-")))
        words = [_NO_WORD.sub(" ", unicodedata.normalize("NFKC", form).casefold()).strip() for form in forms]
        if not _joins(text, start) and not _joins(text, end) and words[0] in words[1:]:
            yield start, end
        at = squeezed.find(wanted, at + 1)


def _joins(text: str, border: int) -> bool:
    """Return whether letters on both sides of a border belong to one word."""
    around = text[max(border - 1, 0) : border + 1]
    return len(around) > 1 and around.isalnum() and border > 0 and max(map(ord, around)) < _UNSPACED


def _highlight(page: Any, text: Any, span: tuple[int, int], note: str) -> None:
    """Add one highlight over the lines of a mention, with a note."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - as above

    mark = pdfium.FPDFPage_CreateAnnot(page, pdfium.FPDF_ANNOT_HIGHLIGHT)
    edges: list[list[float]] = []
    for index in range(pdfium.FPDFText_CountRects(text, span[0], span[1] - span[0])):
        sides = [ctypes.c_double() for _ in range(4)]  # left, top, right, bottom
        pdfium.FPDFText_GetRect(text, index, *map(ctypes.byref, sides))
        left, top, right, bottom = (side.value for side in sides)
        quad = pdfium.FS_QUADPOINTSF(left, top, right, top, left, bottom, right, bottom)
        pdfium.FPDFAnnot_AppendAttachmentPoints(mark, quad)
        edges.append([left, top, right, bottom])
    if edges:
        lefts, tops, rights, bottoms = zip(*edges, strict=True)
        pdfium.FPDFAnnot_SetRect(mark, pdfium.FS_RECTF(min(lefts), max(tops), max(rights), min(bottoms)))
    pdfium.FPDFAnnot_SetColor(mark, pdfium.FPDFANNOT_COLORTYPE_Color, *_YELLOW)
    _set_note(mark, note)
    pdfium.FPDFPage_CloseAnnot(mark)


def _set_note(mark: Any, note: str) -> None:
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - as above

    pdfium.FPDFAnnot_SetStringValue(mark, b"Contents", _encode(note))
    pdfium.FPDFAnnot_SetStringValue(mark, b"T", _encode("keywright"))
    pdfium.FPDFAnnot_SetFlags(mark, pdfium.FPDF_ANNOT_FLAG_PRINT)


def _encode(text: str) -> Any:
    units = (text + "\0").encode("utf-16-le")
    return (ctypes.c_ushort * (len(units) // 2)).from_buffer_copy(units)


def _list_keyphrases(
    file: Any, document: Document, prediction: Prediction, pages: dict[int, set[int]]
) -> Iterator[str]:
    """Put pages with the list before the first page, with a note that has it as text; yield warnings."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - as above

    width, height = file[0].get_size()
    rows = []
    for rank, keyphrase in enumerate(prediction.keyphrases, 1):
        on = sorted(pages.get(rank, ()))
        where = ", ".join(map(str, on[:_MOST_PAGES])) + (", …" if len(on) > _MOST_PAGES else "")
        places = f"    page{'s' * (len(on) > 1)} {where}" if on else "    not in the text"
        rows.append((f"{rank}.  {keyphrase.text}{_format_probability(keyphrase)}", places))
    lines = [f"Keyphrases of {document.id}", "", *("".join(row) for row in rows)]
    printed = [line.encode(_PRINTED, "replace").decode(_PRINTED) for line in lines]
    unprinted = sum(line != shown for line, shown in zip(lines, printed, strict=True))
    font = pdfium.FPDFText_LoadStandardFont(file, b"Helvetica")
    most = max(int((height - 2 * _MARGIN) // _LINE), 1)
    for number, start in enumerate(range(0, len(lines), most)):
        page = file.new_page(width, height, number)
        for row, shown in enumerate(printed[start : start + most]):
            size = _HEAD if number == row == 0 else _TYPE
            # Lines that are too long for the paper are set smaller: half of the size is the mean width of letters.
            size = min(size, 2 * (width - 2 * _MARGIN) / max(len(shown), 1))
            letters = pdfium.FPDFPageObj_CreateTextObj(file, font, size)
            pdfium.FPDFText_SetText(letters, _encode(shown))
            pdfium.FPDFPageObj_Transform(letters, 1, 0, 0, 1, _MARGIN, height - _MARGIN - row * _LINE)
            pdfium.FPDFPage_InsertObject(page, letters)
        if number == 0:
            note = pdfium.FPDFPage_CreateAnnot(page, pdfium.FPDF_ANNOT_TEXT)
            top = height - _MARGIN / 2
            pdfium.FPDFAnnot_SetRect(note, pdfium.FS_RECTF(_MARGIN / 2, top, _MARGIN, top - _MARGIN / 2))
            _set_note(note, "\n".join(lines))
            pdfium.FPDFPage_CloseAnnot(note)
        page.gen_content()
    pdfium.FPDFFont_Close(font)
    if unprinted:
        yield f"{unprinted} lines of the list have letters that its page cannot print; the note on it has them"


def _format_probability(keyphrase: Keyphrase) -> str:
    return "" if keyphrase.probability is None else f"  ({keyphrase.probability:.0%})"
