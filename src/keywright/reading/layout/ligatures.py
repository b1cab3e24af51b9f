"""Ligatures whose font does not say what they are (browsers print such files), known by their width and neighbours."""

from typing import Final

import numpy as np
import numpy.typing as npt

FF: Final = 0xFB00
FI: Final = 0xFB01
FL: Final = 0xFB02
FFI: Final = 0xFB03
FFL: Final = 0xFB04

CLOSE: Final = 0.12
"""Largest difference, as a share, between a ligature's width and that of its letters set one by one."""

_BEFORE_L: Final = frozenset("aiouy")  # inflate, conflict, flow, influence, fly; after fi they hardly occur
_AFTER_FLE: Final = frozenset("cxe")  # reflect, flexible, fleet; but field, classified, modifier

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def restored(codes: Codes, boxes: Floats, unknown: Codes) -> Codes:
    """Codes with those of unknown characters inside of words that are as wide as ff, fi, fl, ffi or ffl.

    English words tell fi from fl: the letters that follow differ. What fits no ligature stays unknown.

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
            if abs(parts[best] - width) < CLOSE * width:
                codes[at] = _with_l(best) if _says_l(best, after) else best
    return codes


def _joined(boxes: Floats, first: int, second: int) -> bool:
    """Whether two characters stand on one line with no blank between them."""
    height = boxes[first, 3] - boxes[first, 1]
    return bool(
        abs(boxes[second, 0] - boxes[first, 2]) < 0.15 * height and abs(boxes[second, 3] - boxes[first, 3]) < height / 2
    )


def _width(codes: Codes, boxes: Floats, heights: Floats, at: int, letter: str) -> float:
    """Usual width of a letter in type like that at a place, else in any, scaled; 0 where it does not occur."""
    found = np.flatnonzero((codes == ord(letter)) & (heights > 0))
    like = found[np.abs(heights[found] - heights[at]) < 0.05 * heights[at]]
    found = like if len(like) else found
    if not len(found):
        return 0.0
    return float(np.median((boxes[found, 2] - boxes[found, 0]) / heights[found]) * heights[at])


def _says_l(ligature: int, after: str) -> bool:
    """Whether an l stands at the ligature's end rather than an i, by the letters that follow."""
    if after[:1] == "e":
        return ligature == FFI or after[1:2] in _AFTER_FLE
    return after[:1] in _BEFORE_L and after != "ab"  # shuffled, reflect; identifiable


def _with_l(ligature: int) -> int:
    return {FI: FL, FFI: FFL}.get(ligature, ligature)
