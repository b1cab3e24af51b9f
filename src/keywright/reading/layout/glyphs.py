"""A page of a PDF as pieces of lines with boxes and types, in points, turned upright, mirrored from right to left."""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.reading.layout import characters, directions
from keywright.reading.layout.characters import Codes, Flags, Floats, Frame
from keywright.reading.layout.lines import DEFAULT_SIZE, Box, Line
from keywright.reading.page_numbers import PRINT

_TURNS: Final = 16  # directions of text that are distinguished
_LONGEST_NAME: Final = 128  # bytes of a font's name that are read, enough for its words; arbitrary
_FIELDS: Final = frozenset({4, 5, 6})
"""Fields of forms with a value that is read: FPDF_FORMFIELD_COMBOBOX, _LISTBOX and _TEXTFIELD of PDFium."""
_SPACED: Final = 5  # letters of a word that is set letter by letter; fewer may be signs of a formula. Arbitrary
_SAMPLE: Final = 20  # characters that show how the text of a page is turned; arbitrary
_SAMPLES: Final = 3  # characters of a piece whose type is looked up: all would take longer than reading the page

_BOLD = re.compile(r"bold|black|heavy|demi|medi\b|-medi|cmbx|cmb\d|sfbx|[-,]bd|\bbd\b", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|typewriter|cmtt|sftt|consol|menlo|inconsolata|-tt\b", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|slant|cmti|cmsl|sfti", re.IGNORECASE)
_FIXED_PITCH: Final = 1  # bit of a font's flags, PDF 32000-1:2008, table 123
_ITALIC_FLAG: Final = 64  # the same
_FORCE_BOLD: Final = 1 << 18  # the same


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of one page, whose measures are in points."""

    pieces: tuple[Line, ...]  # lines or pieces of lines, in the order of the file
    width: float
    height: float
    figures: tuple[Box, ...]
    characters: int  # on the page, blanks not counted
    turned: int  # characters that run in another direction than most of the page, which are left out
    outside: int  # characters beyond the edges of the page as it is shown, left out as well
    unmapped: int  # characters whose font does not say which letters they are
    has_pictures: bool = False


NO_PAGE: Final = PageText((), 1.0, 1.0, (), 0, 0, 0, 0)  # a page that cannot be read


def read_page(page: Any, number: int) -> PageText:
    """Return the pieces of lines of a page of pypdfium2; a page without text has none."""
    textpage = page.get_textpage()
    try:
        frame = Frame(page.get_bbox(), page.get_rotation())
        codes, boxes = characters.read_characters(textpage.raw, frame)
        import pypdfium2.raw as pdfium  # noqa: PLC0415 - heavy, only PDFs need it

        matrix, rotations = pdfium.FS_MATRIX(), Counter[int]()
        sample = np.arange(0, len(codes), len(codes) // _SAMPLE + 1)
        for index in sample[characters.are_visible(codes[sample])].tolist():
            if pdfium.FPDFText_GetMatrix(textpage.raw, index, matrix):
                rotations[round(math.degrees(math.atan2(matrix.b, matrix.a))) % 360] += 1
        # Most of the characters of a page are to be upright.
        rotation, count = max(rotations.items(), key=itemgetter(1), default=(0, 0))
        if rotation % 90 == 0 and 2 * count > rotations.total() and rotation != frame.rotation:
            frame = Frame(page.get_bbox(), rotation)
            codes, boxes = characters.read_characters(textpage.raw, frame)
        shown, printed = directions.arrange_characters(page, textpage.raw, frame, codes, boxes)
        spans = _spans(codes, boxes, shown, printed)
        looks = _looks(textpage.raw, [shown[start:end] for start, end in spans])
    finally:
        textpage.close()
    upright = frame.rotation * _TURNS // 360
    text, begins = _text(codes, boxes, shown, printed)
    from_right = int(directions.are_from_right(codes[shown]).sum())
    is_from_right = 2 * from_right > len(shown)
    pieces, turned, outside = [], 0, 0
    for (start, end), box, look in zip(spans, _boxes_around(boxes[shown], spans), looks, strict=True):
        words = characters.compose(_close_up(text[begins[start] : begins[end]].strip(), boxes, shown[start:end]))
        if look.turn != upright:
            turned += end - start
        elif not frame.holds(box):
            outside += end - start
        elif words and box[3] > box[1]:
            if from_right:
                words = directions.read_from_right(words, is_main=is_from_right)
            left, top, right, bottom = frame.mirror(box) if is_from_right else box
            flags = {"bold": look.bold, "mono": look.mono, "italic": look.italic}
            pieces.append(Line(words, number, left, right, top, bottom, look.size, **flags))
    values = list(_read_form(page, number, frame, mirrored=is_from_right))
    unknown = int(characters.are_unmapped(codes).sum())
    pictures = frame.shown(characters.object_bounds(page, "image", "form"))
    figures = tuple(frame.mirror(box) if is_from_right else box for box in _figures(pictures, frame))
    has_pictures = bool(len(pictures))
    numbers = (len(shown) + unknown + sum(value.characters for value in values), turned, outside, unknown)
    return PageText((*pieces, *values), frame.width, frame.height, figures, *numbers, has_pictures)


def _read_form(page: Any, number: int, frame: Frame, *, mirrored: bool) -> Iterator[Line]:
    """Yield the lines of notes typed onto a page, and of the texts and choices in the fields of a form."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - heavy, only PDFs need it

    form = page.formenv
    rectangle = pdfium.FS_RECTF()
    for index in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
        field = pdfium.FPDFPage_GetAnnot(page.raw, index)
        get_value: Any = None
        if pdfium.FPDFAnnot_GetSubtype(field) == pdfium.FPDF_ANNOT_FREETEXT:
            if not pdfium.FPDFAnnot_GetFlags(field) & pdfium.FPDF_ANNOT_FLAG_HIDDEN:
                get_value = partial(pdfium.FPDFAnnot_GetStringValue, field, b"Contents")
        elif form and pdfium.FPDFAnnot_GetFormFieldType(form.raw, field) in _FIELDS:
            get_value = partial(pdfium.FPDFAnnot_GetFormFieldValue, form.raw, field)
        if get_value and pdfium.FPDFAnnot_GetRect(field, rectangle):
            size = get_value(None, 0)
            value = (ctypes.c_uint16 * (size // 2 + 1))()
            get_value(value, size)
            lines = bytes(value).decode("utf-16-le", "replace").rstrip("\0").splitlines()
            edges = np.array([[rectangle.left, rectangle.bottom, rectangle.right, rectangle.top]])
            box = frame.shown(edges)[0].tolist()
            left, top, right, bottom = frame.mirror(box) if mirrored else box
            height = (bottom - top) / max(len(lines), 1)
            for row, line in enumerate(lines):
                if words := characters.compose(" ".join(line.split())):
                    begin = top + row * height
                    yield Line(words, number, left, right, begin, begin + height, min(height, DEFAULT_SIZE))
        pdfium.FPDFPage_CloseAnnot(field)


def _boxes_around(boxes: Floats, spans: list[tuple[int, int]]) -> list[list[float]]:
    """Return left, top, right, bottom of each span of characters; a raised sign hardly moves the mean heights."""
    if not spans:
        return []
    starts = [start for start, _ in spans]
    lengths = np.diff([*starts, spans[-1][1]])
    # reduceat takes the minimum, maximum or sum of all spans in one call
    around = np.stack(
        (
            np.minimum.reduceat(boxes[:, 0], starts),
            np.add.reduceat(boxes[:, 1], starts) / lengths,
            np.maximum.reduceat(boxes[:, 2], starts),
            np.add.reduceat(boxes[:, 3], starts) / lengths,
        ),
        axis=1,
    )
    edges: list[list[float]] = around.tolist()
    return edges


def _gaps(boxes: Floats, shown: Codes) -> tuple[Floats, Floats]:
    """Return the gap before each visible character but the first, and the lower one's height, (shown - 1,) each."""
    before, after = boxes[shown[:-1]], boxes[shown[1:]]
    height = np.minimum(before[:, 3] - before[:, 1], after[:, 3] - after[:, 1])
    return after[:, 0] - before[:, 2], np.maximum(height, 1.0)


def _spans(codes: Codes, boxes: Floats, shown: Codes, printed: Flags | None) -> list[tuple[int, int]]:
    """Return begin and end of pieces of lines among the visible characters: at PDFium's breaks, jumps, wide gaps."""
    if not len(shown):
        return []
    gap, height = _gaps(boxes, shown)
    wide = gap > PRINT.wide_gap * height
    if printed is not None:
        wide &= ~printed
    jump = directions.find_line_breaks(codes, boxes, shown) | wide | (gap < PRINT.backwards * height)
    cuts = (np.flatnonzero(jump) + 1).tolist()
    return list(zip([0, *cuts], [*cuts, len(shown)], strict=True))


def _text(codes: Codes, boxes: Floats, shown: Codes, printed: Flags | None) -> tuple[str, list[int]]:
    """Return visible characters with blanks between words, and the start of each, with the length as last."""
    if not len(shown):
        return "", [0]
    gap, height = _gaps(boxes, shown)
    hidden = np.diff(np.cumsum(codes == characters.SOFT_HYPHEN)[shown]) != 0  # such as an accent merged into its letter
    in_file = np.diff(shown) > 1
    if printed is not None:
        in_file = _are_apart(codes, boxes, shown)
    in_file &= ~hidden | (gap > PRINT.no_blank * height)
    if printed is None:
        blank = in_file | (gap > PRINT.blank * height)
    else:
        least = np.where(directions.are_shaped(codes[shown[1:]]), PRINT.no_blank, PRINT.blank)
        blank = (in_file | (gap > least * height)) & ~printed
    # Code points are decoded as UTF-32 in one call, instead of chr for each.
    spread = np.insert(codes[shown], np.flatnonzero(blank) + 1, ord(" "))
    begins = np.arange(len(shown) + 1) + np.concatenate(([0], np.cumsum(blank), [np.count_nonzero(blank)]))
    return spread.astype("<u4").tobytes().decode("utf-32-le"), begins.tolist()


def _close_up(text: str, boxes: Floats, shown: Codes) -> str:
    """Return the words of a heading that is set letter by letter, parted at its wider gaps; other text as it is."""
    if text[1:2] != " ":  # settles nearly all pieces at once
        return text
    letters = text.split(" ")
    if len(letters) < _SPACED or len(letters) != len(shown) or not text[::2].isalpha() or letters == sorted(letters):
        return text
    gap, _ = _gaps(boxes, shown)
    ends = gap > PRINT.word_gap * np.median(gap)
    return "".join(letter + " " * bool(is_end) for letter, is_end in zip(letters, [*ends, False], strict=True))


def _are_apart(codes: Codes, boxes: Floats, shown: Codes) -> Flags:
    """Return between which visible characters, in any order, the file has a blank, (shown - 1,)."""
    is_shown = np.zeros(len(codes) + 2, bool)
    is_shown[shown + 1] = True
    beside_blank = ~(is_shown[shown] & is_shown[shown + 2])
    of_one_glyph = (boxes[shown[1:]] == boxes[shown[:-1]]).all(axis=1)
    beside_blank[1:] |= beside_blank[:-1] & of_one_glyph
    beside_blank[:-1] |= beside_blank[1:] & of_one_glyph
    is_apart: Flags = (np.abs(np.diff(shown)) > 1) & beside_blank[:-1] & beside_blank[1:]
    return is_apart


class _Look(NamedTuple):
    size: float
    bold: bool
    mono: bool
    italic: bool
    turn: int


def _looks(textpage: Any, pieces: list[Codes]) -> list[_Look]:
    """Return how each piece is set, from its first, middle and last character."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - heavy, only PDFs need it

    # Bare addresses and one buffer for all pieces: two thirds of the time that calls with ctypes' own objects take.
    integer, pointer = ctypes.c_int, ctypes.c_void_p
    size_of = ctypes.CFUNCTYPE(ctypes.c_double, pointer, integer)(characters.address_of(pdfium.FPDFText_GetFontSize))
    weight_of = ctypes.CFUNCTYPE(integer, pointer, integer)(characters.address_of(pdfium.FPDFText_GetFontWeight))
    get_matrix = ctypes.CFUNCTYPE(integer, pointer, integer, pointer)(characters.address_of(pdfium.FPDFText_GetMatrix))
    font = ctypes.CFUNCTYPE(ctypes.c_ulong, pointer, integer, pointer, ctypes.c_ulong, pointer)
    get_font = font(characters.address_of(pdfium.FPDFText_GetFontInfo))
    matrix, flags, name = pdfium.FS_MATRIX(), integer(), ctypes.create_string_buffer(_LONGEST_NAME)
    places = ctypes.addressof(matrix), ctypes.addressof(name), ctypes.addressof(flags)
    handle, looks = characters.address_of(textpage), []
    for indices in pieces:
        matrix.a = matrix.b = matrix.c = matrix.d = flags.value = 0
        name.value = b""
        sizes, styles = [], []
        last = len(indices) - 1
        for index in sorted({int(indices[at * last // (_SAMPLES - 1)]) for at in range(_SAMPLES)}):
            get_matrix(handle, index, places[0])
            scale = math.hypot(matrix.c, matrix.d) or 1.0
            sizes.append(size_of(handle, index) * scale)
            get_font(handle, index, places[1], _LONGEST_NAME, places[2])
            styles.append(find_style(name.value, flags.value, weight_of(handle, index)))
        turn = round(math.atan2(matrix.b, matrix.a) / (2 * math.pi / _TURNS)) % _TURNS
        bold, mono, italic = (all(style[which] for style in styles) for which in range(3))
        looks.append(_Look(sorted(sizes)[len(sizes) // 2], bold, mono, italic, turn))
    return looks


@lru_cache(maxsize=1024)
def find_style(name: bytes, flags: int, weight: int) -> tuple[bool, bool, bool]:
    """Return bold, of one width, italic: by the font's name, as many files set no flags."""
    font = name.decode("utf-8", "replace").split("+")[-1]
    bold = bool(_BOLD.search(font)) or bool(flags & _FORCE_BOLD) or weight >= PRINT.bold_weight
    mono = bool(_MONO.search(font)) or bool(flags & _FIXED_PITCH)
    return bold, mono, bool(_ITALIC.search(font)) or bool(flags & _ITALIC_FLAG)


def _figures(shown: Floats, frame: Frame) -> list[Box]:
    """Return boxes of pictures and of drawings put in as a whole; text inside them is not running text."""
    wide, high = shown[:, 2] - shown[:, 0], shown[:, 3] - shown[:, 1]
    fits = wide * high < PRINT.largest_figure * frame.width * frame.height
    fits &= np.minimum(wide, high) >= PRINT.smallest_figure
    return [(box[0], box[1], box[2], box[3]) for box in shown[fits].tolist()]
