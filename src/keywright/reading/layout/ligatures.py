"""Ligatures: their letters, and those whose font does not name them (browsers print such files)."""

from typing import Final

import numpy as np
import numpy.typing as npt

FF, FI, FL, FFI, FFL = range(0xFB00, 0xFB05)  # code points
LETTERS: Final = {FF: "ff", FI: "fi", FL: "fl", FFI: "ffi", FFL: "ffl", 0xFB05: "ft", 0xFB06: "st"}

# Arbitrary, as all numbers of this room.
_SAME_WIDTH: Final = 0.12  # share by which the widths of a ligature and of its letters set one by one differ, at most
_NO_BLANK, _SAME_LINE = 0.15, 0.5  # gap between two characters of a word, and step of their feet, in heights, at most
_SAME_HEIGHT: Final = 0.05  # share by which the heights of letters of one size differ, at most

_BEFORE_L: Final = frozenset("aiouy")  # inflate, conflict, flow, influence, fly; after fi they hardly occur
_AFTER_FLE: Final = frozenset("cxe")  # reflect, flexible, fleet; but field, classified, modifier

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def restored(codes: Codes, boxes: Floats, unknown: Codes) -> Codes:
    """Return codes with unknown characters inside words named that are as wide as ff, fi, fl, ffi or ffl.

    English words tell fi from fl: the letters that follow differ. Other unknown characters stay.

    Args:
        codes: code points, (characters,).
        boxes: left, top, right, bottom, (characters, 4).
        unknown: places of the characters whose letters are not known.
    """
    codes = codes.copy()
    heights = boxes[:, 3] - boxes[:, 1]
    for at in unknown.tolist():
        before = chr(codes[at - 1]) if at and _joined(boxes, at - 1, at) else ""
        after = "".join(chr(code) for code in codes[at + 1 : at + 3])
        after = after if at + 1 < len(codes) and _joined(boxes, at, at + 1) else ""
        if not (before.isalpha() or after[:1].isalpha()):
            continue
        wide_f, wide_i = (_width(codes, boxes, heights, at, letter) for letter in "fi")
        width = boxes[at, 2] - boxes[at, 0]
        if wide_f and wide_i:
            parts = {FF: 2 * wide_f, FI: wide_f + wide_i, FFI: 2 * wide_f + wide_i}
            best = min(parts, key=lambda code: abs(parts[code] - width))
            if abs(parts[best] - width) < _SAME_WIDTH * width:
                codes[at] = {FI: FL, FFI: FFL}.get(best, best) if _ends_with_l(best, after) else best
    return codes


def _joined(boxes: Floats, first: int, second: int) -> bool:
    """Return whether two characters are on one line with no blank between them."""
    height = boxes[first, 3] - boxes[first, 1]
    gap, step = boxes[second, 0] - boxes[first, 2], boxes[second, 3] - boxes[first, 3]
    return bool(abs(gap) < _NO_BLANK * height and abs(step) < _SAME_LINE * height)


def _width(codes: Codes, boxes: Floats, heights: Floats, at: int, letter: str) -> float:
    """Return the median width of a letter in type like that at a place, else in any, scaled; 0 if it does not occur."""
    places = np.flatnonzero((codes == ord(letter)) & (heights > 0))
    alike = places[np.abs(heights[places] - heights[at]) < _SAME_HEIGHT * heights[at]]
    places = alike if len(alike) else places
    if not len(places):
        return 0.0
    return float(np.median((boxes[places, 2] - boxes[places, 0]) / heights[places]) * heights[at])


def _ends_with_l(ligature: int, after: str) -> bool:
    """Return whether the ligature ends with an l rather than an i, by the letters that follow."""
    if after[:1] == "e":
        return ligature == FFI or after[1:2] in _AFTER_FLE
    return after[:1] in _BEFORE_L and after != "ab"  # shuffled, reflect; identifiable
