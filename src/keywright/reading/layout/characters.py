"""Characters of a PDF's page: code points and boxes, in points from the top left; ligatures are set out as letters."""

import ctypes
import unicodedata
from collections import deque
from collections.abc import Sequence
from itertools import repeat
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from keywright.reading.layout.lines import Box
from keywright.reading.page_numbers import PRINT

FF, FI, FL, FFI, FFL = range(0xFB00, 0xFB05)  # code points
LETTERS: Final = {FF: "ff", FI: "fi", FL: "fl", FFI: "ffi", FFL: "ffl", 0xFB05: "ft", 0xFB06: "st"}
_BEFORE_L: Final = frozenset("aiouy")  # inflate, conflict, flow, influence, fly; after fi they hardly occur
_AFTER_FLE: Final = frozenset("cxe")  # reflect, flexible, fleet; but field, classified, modifier

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def restore_ligatures(codes: Codes, boxes: Floats, unknown: Codes) -> Codes:
    """Return codes with ``unknown`` places as wide as ff, fi, fl, ffi or ffl named; English tells fi from fl."""
    codes = codes.copy()
    heights = boxes[:, 3] - boxes[:, 1]
    for at in unknown.tolist():
        before = chr(codes[at - 1]) if at and _are_joined(boxes, at - 1, at) else ""
        after = "".join(chr(code) for code in codes[at + 1 : at + 3])
        after = after if at + 1 < len(codes) and _are_joined(boxes, at, at + 1) else ""
        if not (before.isalpha() or after[:1].isalpha()):
            continue
        wide_f, wide_i = (_width_of_letter(codes, boxes, heights, at, letter) for letter in "fi")
        width = boxes[at, 2] - boxes[at, 0]
        if wide_f and wide_i:
            parts = {FF: 2 * wide_f, FI: wide_f + wide_i, FFI: 2 * wide_f + wide_i}
            best = min(parts, key=lambda code: abs(parts[code] - width))
            if abs(parts[best] - width) < PRINT.ligature_width * width:
                codes[at] = {FI: FL, FFI: FFL}.get(best, best) if _ends_with_l(best, after) else best
    return codes


def _are_joined(boxes: Floats, first: int, second: int) -> bool:
    height = boxes[first, 3] - boxes[first, 1]
    gap, step = boxes[second, 0] - boxes[first, 2], boxes[second, 3] - boxes[first, 3]
    return bool(abs(gap) < PRINT.joined_gap * height and abs(step) < PRINT.joined_step * height)


def _width_of_letter(codes: Codes, boxes: Floats, heights: Floats, at: int, letter: str) -> float:
    """Return the median width of a letter in type like that at a place, else in any, scaled; 0 if it does not occur."""
    places = np.flatnonzero((codes == ord(letter)) & (heights > 0))
    alike = places[np.abs(heights[places] - heights[at]) < PRINT.letter_height * heights[at]]
    places = alike if len(alike) else places
    if not len(places):
        return 0.0
    return float(np.median((boxes[places, 2] - boxes[places, 0]) / heights[places]) * heights[at])


def _ends_with_l(ligature: int, after: str) -> bool:
    """Return whether the ligature ends with an l rather than an i, by the letters that follow."""
    if after[:1] == "e":
        return ligature == FFI or after[1:2] in _AFTER_FLE
    return after[:1] in _BEFORE_L and after != "ab"  # shuffled, reflect; identifiable


SOFT_HYPHEN: Final = 0xAD  # a hyphen that is not printed; it replaces every character that is not to be shown

_MOST_REPAIRS: Final = 2000  # accents or unknown letters of a page to repair one by one; a page with more is not text

# Accents set alone, as by TeX's older fonts before or after their letter, and the combining accents instead.
_ACCENTS: Final = {
    0x60: 0x300, 0xB4: 0x301, 0x2C6: 0x302, 0x2DC: 0x303, 0xAF: 0x304, 0x2D8: 0x306, 0x2D9: 0x307, 0xA8: 0x308,
    0x2DA: 0x30A, 0x2DD: 0x30B, 0x2C7: 0x30C, 0xB8: 0x327, 0x2DB: 0x328,
}  # fmt: skip
_DOTLESS: Final = {0x131: 0x69, 0x237: 0x6A}  # ı and ȷ
_HYPHEN: Final = ord("-")
_HYPHENS: Final = (0x2, 0x2010, 0x2011)  # PDFium's code for one at a line's end; Unicode's
_NOT_TEXT: Final = 0xFFFE  # code of PDFium for a hyphen at a line's end, or an unknown letter

_BLANK: Final = (  # blanks, controls, marks without width, and ornaments such as the corners of boxes
    (0x09, 0x0A), (0x0D, 0x0D), (0x20, 0x20), (0x7F, 0xA0), (0xAD, 0xAD), (0x2000, 0x200F), (0x2028, 0x202F),
    (0x2600, 0x27BF), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_UNMAPPED: Final = (  # controls, surrogates, private use, and what is not a character in Unicode
    (0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0xD800, 0xF8FF), (0xFFFD, 0xFFFF), (0xF0000, 1 << 32),
)  # fmt: skip

Flags = npt.NDArray[np.bool_]


class Frame:
    """Box and rotation of a page: turn coordinates of the file (upwards) into those of the page shown (downwards)."""

    def __init__(self, box: Box, rotation: int) -> None:
        self.left, self.bottom, self.right, self.top = box
        self.rotation = rotation % 360
        width, height = self.right - self.left, self.top - self.bottom
        self.width, self.height = (height, width) if self.rotation in {90, 270} else (width, height)

    def holds(self, box: Sequence[float]) -> bool:
        """Return whether the middle of a box is on the page; that of a damaged box (not a number) is not."""
        return 0 <= box[0] + box[2] <= 2 * self.width and 0 <= box[1] + box[3] <= 2 * self.height

    def mirror(self, box: Sequence[float]) -> Box:
        """Return a box with its left and right on the other side of the page."""
        return self.width - box[2], box[1], self.width - box[0], box[3]

    def shown(self, boxes: Floats) -> Floats:
        """Return boxes of the file as left, top, right, bottom of the page as shown, (boxes, 4)."""
        x, y = boxes[:, [0, 2]] - self.left, boxes[:, [1, 3]] - self.bottom
        wide, high = self.right - self.left, self.top - self.bottom
        turned = {90: (y, x), 180: (wide - x, y), 270: (high - y, wide - x)}
        across, down = turned.get(self.rotation, (x, high - y))
        edges = (across.min(axis=1), down.min(axis=1), across.max(axis=1), down.max(axis=1))
        return np.asarray(np.stack(edges, axis=1))


def read_characters(handle: Any, frame: Frame) -> tuple[Codes, Floats]:
    """Return code points (characters,) and boxes (characters, 4) in the file's order, blanks included."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - heavy, only PDFs need it

    count = max(pdfium.FPDFText_CountChars(handle), 0)
    units = (ctypes.c_uint16 * (count + 1))()
    if pdfium.FPDFText_GetText(handle, 0, count, units) == count + 1:
        codes = np.frombuffer(units, np.uint16)[:count].astype(np.int64)
        for place in np.flatnonzero(codes == _NOT_TEXT).tolist():
            codes[place] = pdfium.FPDFText_GetUnicode(handle, place)
    else:  # some character takes two units, or none: ask for each
        each = map(pdfium.FPDFText_GetUnicode, repeat(handle), range(count))
        codes = np.fromiter(each, np.int64, count)
    raw = np.zeros((count, 4), np.float32)
    size, start = raw.itemsize * 4, raw.ctypes.data
    # Calls with bare addresses into one array: a third of the time that calls with ctypes' own objects take.
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    loose = call(address_of(pdfium.FPDFText_GetLooseCharBox))
    places = range(start, start + size * count, size)
    deque(map(loose, repeat(address_of(handle)), range(count), places), maxlen=0)
    boxes = raw.astype(np.float64)
    # PDFium says 2 for a hyphen at a line's end; a soft hyphen that has a width is one that is printed.
    soft = (codes == SOFT_HYPHEN) & (boxes[:, 2] > boxes[:, 0])
    codes[soft | np.isin(codes, _HYPHENS)] = _HYPHEN
    shown = frame.shown(boxes)
    unknown = np.flatnonzero(are_unmapped(codes))
    if len(unknown) <= _MOST_REPAIRS:
        codes = restore_ligatures(codes, shown, unknown)
    return _merge_accents(codes, shown), shown


def read_origins(handle: Any, frame: Frame, count: int) -> Floats:
    """Return from where characters are drawn, in points from the top left corner, (characters, 2)."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - heavy, only PDFs need it

    raw = np.zeros((count, 2))
    pointer = ctypes.c_void_p
    origin = ctypes.CFUNCTYPE(ctypes.c_int, pointer, ctypes.c_int, pointer, pointer)
    across = range(raw.ctypes.data, raw.ctypes.data + raw.nbytes, raw.strides[0])
    down = (address + raw.itemsize for address in across)
    call = origin(address_of(pdfium.FPDFText_GetCharOrigin))
    deque(map(call, repeat(address_of(handle)), range(count), across, down), maxlen=0)
    return frame.shown(raw[:, [0, 1, 0, 1]])[:, :2]


def address_of(pointer: Any) -> int:
    """Return the address of an object or function of PDFium, for calls without ctypes' own objects."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def are_visible(codes: Codes) -> Flags:
    """Return which codes are a letter or sign that is printed, (codes,)."""
    return ~(are_within(codes, _BLANK) | are_unmapped(codes))


def are_unmapped(codes: Codes) -> Flags:
    """Return which codes are not a known letter, because the font does not name it, (codes,)."""
    return are_within(codes, _UNMAPPED)


def are_within(codes: Codes, ranges: tuple[tuple[int, int], ...]) -> Flags:
    """Return which codes are in one of the ranges, both ends of which are included."""
    within: Flags = np.zeros(len(codes), bool)
    for first, last in ranges:
        within |= (codes >= first) & (codes <= last)
    return within


def object_bounds(page: Any, *kinds: str) -> Floats:
    """Return bounds in the file, left, bottom, right, top, (objects, 4), of ``text``, ``image`` or ``form``."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - heavy, only PDFs need it

    numbers = {"text": pdfium.FPDF_PAGEOBJ_TEXT, "image": pdfium.FPDF_PAGEOBJ_IMAGE, "form": pdfium.FPDF_PAGEOBJ_FORM}
    # Most of the thousands of objects are letters: bare addresses tell their kinds in a third of the time.
    part_at = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(address_of(pdfium.FPDFPage_GetObject))
    kind_of = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(address_of(pdfium.FPDFPageObj_GetType))
    count = max(pdfium.FPDFPage_CountObjects(page.raw), 0)
    types = np.fromiter(map(kind_of, map(part_at, repeat(address_of(page.raw)), range(count))), np.int64, count)
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    bounds = [
        (left.value, bottom.value, right.value, top.value)
        for index in np.flatnonzero(np.isin(types, [numbers[kind] for kind in kinds])).tolist()
        if pdfium.FPDFPageObj_GetBounds(pdfium.FPDFPage_GetObject(page.raw, index), left, bottom, right, top)
    ]
    return np.array(bounds, np.float64).reshape(-1, 4)


def _merge_accents(codes: Codes, boxes: Floats) -> Codes:
    """Return codes with each separate accent that is printed over a letter merged into that letter."""
    accents = np.flatnonzero(np.isin(codes, list(_ACCENTS)))
    for at in accents.tolist() if len(accents) <= _MOST_REPAIRS else ():
        accent = boxes[at]
        shared = np.minimum(boxes[:, 2], accent[2]) - np.maximum(boxes[:, 0], accent[0])
        level = (boxes[:, 3] > accent[1]) & (boxes[:, 1] < accent[3])
        shared[~level] = 0
        shared[at] = 0
        letter = int(np.argmax(shared))
        base = chr(_DOTLESS.get(int(codes[letter]), int(codes[letter])))
        whole = unicodedata.normalize("NFC", base + chr(_ACCENTS[int(codes[at])]))
        if shared[letter] > PRINT.accent_share * (accent[2] - accent[0]) and base.isalpha() and len(whole) == 1:
            codes[letter], codes[at] = ord(whole), SOFT_HYPHEN
    return codes


def compose(text: str) -> str:
    """Return ligatures as letters, letters with their accents as one character."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(LETTERS))
