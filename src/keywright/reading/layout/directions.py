"""Lines that are read from right to left, and gaps between characters that hold no blank.

The order of characters in a file depends on the program that wrote it, and PDFium turns some stretches of it round; so
lines with Hebrew or Arabic letters are ordered by the places of their characters, and then read as the bidirectional
algorithm (Unicode Standard Annex 9) would show them.
"""

import math
import re
import unicodedata
from itertools import pairwise
from typing import Any, Final

import numpy as np

from keywright.reading.layout import characters
from keywright.reading.layout.characters import Codes, Flags, Floats, Frame
from keywright.reading.page_numbers import PRINT

_RIGHT: Final = ((0x591, 0x65F), (0x66E, 0x6EF), (0x6FA, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC))
"""Letters of scripts that are read from right to left; not the digits among them."""
_SHAPED: Final = (*_RIGHT, (0x900, 0x109F), (0x1780, 0x17FF))
"""Letters of scripts in which one glyph may be for several characters, or several for one: those and Indic ones."""
_R: Final = r"\u0591-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_L: Final = rf"[^\W\d_{_R}]"
_MARKS: Final = r"[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]*"
_TOKEN: Final = re.compile(rf"{_L}(?:[^{_R}]*[^\W_{_R}])?|\d+(?:[.,:/٫٬]\d+)*[%٪]?|.{_MARKS}", re.DOTALL)
"""Text that is read from left to right in a line from right to left, or one letter with its marks."""
_FROM_RIGHT: Final = re.compile(rf"[{_R}](?:(?:(?!{_L}).)*[{_R}])?", re.DOTALL)
_FORMS: Final = re.compile(r"[\ufb1d-\ufdff\ufe70-\ufefc]+")
_PAIRS: Final = (("(", ")"), ("[", "]"), ("{", "}"), ("«", "»"))
# All arbitrary, in heights of a line where nothing else is said.
_MOST: Final = 20_000  # marks of a line, and gaps of a page, that are looked at; more are not text
_SAMPLE: Final = 20  # letters that show the size of a page's type
_ABOVE, _BELOW = 0.9, 0.3  # height of a line above and below the feet of its letters, in sizes of type
_ALIKE: Final = 0.8  # least share of the width of a glyph that the same glyph has elsewhere
_SAME: Final = 0.01  # points that the origins of characters of one glyph differ, at most
_LOOK_BACK: Final = 8  # syllables before one in which it is looked for, and characters around a gap
_OVER, _WHOLLY = 0.15, 0.8  # shares of a glyph that is drawn over another
_REACH: Final = 0.5  # reach of such a glyph over the characters beside it, at most
_WIDEST: Final = 1.5  # width of a gap that is looked at, at most
_LEAST: Final = 0.05  # gap that a blank leaves, at least
_REST: Final = 0.2  # part of a gap beside such a glyph, at most
_NEAR: Final = 0.1  # distance of a blank, a glyph without ink, from the gap, at most
_INKED: Final = 0.25  # share of a gap that is printed where it holds no blank


def are_from_right(codes: Codes) -> Flags:
    """Return which codes are letters that are read from right to left, (codes,)."""
    return characters.are_within(codes, _RIGHT)


def are_shaped(codes: Codes) -> Flags:
    """Return which codes are letters whose glyphs depend on their neighbours, (codes,)."""
    return characters.are_within(codes, _SHAPED)


def arrange_characters(page: Any, handle: Any, frame: Frame, codes: Codes, boxes: Floats) -> tuple[Codes, Flags | None]:
    """Return the places of the visible characters in the order of lines, and behind which of them no blank can be.

    The second is None for a page without letters whose glyphs depend on their neighbours. Lines with letters from right
    to left are ordered by what is seen, from left to right, a mark behind its letter; others keep the order of the
    file. Syllables that PDFium repeats are hidden in ``codes``, (characters,), and ``boxes``, (characters, 4), hold all
    glyphs of a syllable.
    """
    shown = np.flatnonzero(characters.are_visible(codes))
    if not are_shaped(codes[shown]).any():
        return shown, None
    origins = characters.read_origins(handle, frame, len(codes))
    _level_boxes(handle, codes, boxes, origins, shown)
    _widen_marks(codes, boxes, shown)
    codes[_find_repeated(codes, boxes, origins, shown)] = characters.SOFT_HYPHEN
    shown = np.flatnonzero(characters.are_visible(codes))
    from_right = are_from_right(codes[shown])
    edges = [0, *(np.flatnonzero(find_line_breaks(codes, boxes, shown)) + 1).tolist(), len(shown)]
    ordered = shown.copy()
    for start, end in pairwise(edges):
        if from_right[start:end].any():
            ordered[start:end] = _order_seen(codes, boxes, origins, shown[start:end])
    drawn = frame.shown(characters.object_bounds(page, "text"))
    from_right = are_from_right(codes[ordered])
    printed = _find_printed_gaps(drawn, boxes, origins, ordered, from_right)
    has_blank = _find_blanks(handle, codes, ordered)
    before, after = boxes[ordered[:-1]], boxes[ordered[1:]]
    is_touching = after[:, 0] - before[:, 2] <= _LEAST * (after[:, 3] - after[:, 1])
    is_touching &= are_shaped(codes[ordered[1:]])
    # From right to left every blank of the file leaves a gap; other letters may reach over one.
    return ordered, (printed & ~has_blank) | (is_touching & (from_right[1:] | ~has_blank))


def _find_blanks(handle: Any, codes: Codes, shown: Codes) -> Flags:
    """Return behind which visible characters the file itself has a blank, which PDFium did not add, (shown - 1,)."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - heavy, only PDFs need it

    is_blank = np.zeros(len(codes) + 2, bool)
    for place in np.flatnonzero(codes == ord(" ")).tolist():
        is_blank[place + 1] = pdfium.FPDFText_IsGenerated(handle, place) == 0
    beside = is_blank[shown] | is_blank[shown + 2]
    has_blank: Flags = beside[:-1] & beside[1:]
    return has_blank


def _level_boxes(handle: Any, codes: Codes, boxes: Floats, origins: Floats, shown: Codes) -> None:
    """Make the boxes of shaped letters as high as a line; some have the height of their ink, others of their font."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - heavy, only PDFs need it

    letters = shown[are_shaped(codes[shown])]
    matrix, sizes = pdfium.FS_MATRIX(), []
    for place in letters[:: len(letters) // _SAMPLE + 1].tolist():
        pdfium.FPDFText_GetMatrix(handle, place, matrix)
        sizes.append(pdfium.FPDFText_GetFontSize(handle, place) * math.hypot(matrix.c, matrix.d))
    size = float(np.median(sizes))
    boxes[letters, 1] = origins[letters, 1] - _ABOVE * size
    boxes[letters, 3] = origins[letters, 1] + _BELOW * size


def _widen_marks(codes: Codes, boxes: Floats, shown: Codes) -> None:
    """Make the boxes of marks end where those of their letters do, in scripts that are read from left to right."""
    is_mark = are_shaped(codes[shown]) & ~are_from_right(codes[shown])
    is_mark[is_mark] = [unicodedata.category(chr(code)) == "Mn" for code in codes[shown][is_mark].tolist()]
    for place in np.flatnonzero(is_mark).tolist():
        letter, mark = shown[place - 1], shown[place]
        if place and boxes[letter, 0] <= boxes[mark, 0] < boxes[letter, 2]:
            boxes[mark, 2] = max(boxes[mark, 2], boxes[letter, 2])


def find_line_breaks(codes: Codes, boxes: Floats, shown: Codes) -> Flags:
    """Return behind which visible characters another line begins, (shown - 1,)."""
    # Breaks so far at each character: two visible ones are on different lines where the running sums differ.
    breaks = np.concatenate(([0], np.cumsum((codes[1:] == ord("\n")) & (codes[:-1] == ord("\r"))), [0]))
    before, after = boxes[shown[:-1]], boxes[shown[1:]]
    shared = np.minimum(before[:, 3], after[:, 3]) - np.maximum(before[:, 1], after[:, 1])
    height = np.minimum(before[:, 3] - before[:, 1], after[:, 3] - after[:, 1])
    is_apart: Flags = breaks[shown[1:]] != breaks[shown[:-1]]
    is_apart |= shared < PRINT.same_line * np.maximum(height, 1.0)
    return is_apart


def _find_repeated(codes: Codes, boxes: Floats, origins: Floats, shown: Codes) -> Codes:
    """Return the places of syllables that PDFium gives again with a glyph that is drawn over their first one."""
    is_start = np.ones(len(shown), bool)
    before, after = boxes[shown[:-1]], boxes[shown[1:]]
    is_divided = np.minimum(np.abs(after[:, 0] - before[:, 2]), np.abs(after[:, 0] - before[:, 0])) > _SAME
    is_apart = np.abs(np.diff(origins[shown], axis=0)).max(axis=1) > _SAME
    is_start[1:] = (np.diff(shown) > 1) | is_divided | is_apart
    starts = [*np.flatnonzero(is_start).tolist(), len(shown)]
    syllables: list[tuple[bytes, Floats]] = []
    from_right = are_from_right(codes[shown])
    repeated: list[int] = []
    for start, end in pairwise(starts):
        places = shown[start:end]
        around = boxes[places]
        box = np.concatenate((around[:, :2].min(axis=0), around[:, 2:].max(axis=0)))
        text = codes[places].tobytes()
        # Letters from right to left reach over each other; a mark of theirs is drawn over what it repeats.
        least = _WHOLLY if from_right[start] else _OVER
        is_syllable = end - start > 1
        if is_syllable and any(text == other and _share_over(box, drawn) > least for other, drawn in syllables):
            repeated += places.tolist()
        syllables = [*syllables[1 - _LOOK_BACK :], (text, box)]
    return np.array(repeated, np.int64)


def _share_over(box: Floats, other: Floats) -> float:
    """Return the share of the narrower of two glyphs that is over the other; 1 for one right beside it."""
    across = min(box[2], other[2]) - max(box[0], other[0])
    apart = max(box[1], other[1]) - min(box[3], other[3])
    narrow, wide = sorted((box[2] - box[0], other[2] - other[0]))
    if apart > other[3] - other[1]:
        return 0.0
    if across > -_SAME * wide and narrow < _ALIKE * wide:  # its second glyph beside the first
        return 1.0
    return float(across / max(narrow, 1.0))


def _order_seen(codes: Codes, boxes: Floats, origins: Floats, places: Codes) -> Codes:
    """Return the places of a line's characters in order from left to right; marks get the boxes of their letters."""
    middles = (boxes[places, 0] + boxes[places, 2]) / 2
    numbers = np.arange(len(places))
    # Letters of one glyph have one box; where PDFium has turned the line round, it has turned them as well.
    goes_left = middles[np.minimum(numbers + 2, len(places) - 1)] < middles[np.maximum(numbers - 2, 0)]
    is_mark = np.fromiter((unicodedata.combining(chr(code)) > 0 for code in codes[places].tolist()), bool, len(places))
    letters = np.flatnonzero(~is_mark)
    for mark in np.flatnonzero(is_mark)[:_MOST].tolist() if len(letters) else ():
        distances = np.abs(middles[letters] - middles[mark])
        distances[letters == mark + (-1 if goes_left[mark] else 1)] /= 2  # the letter beside it in the file
        distances[np.abs(origins[places[letters], 0] - origins[places[mark], 0]) < _SAME] = 0  # they share a glyph
        letter = letters[np.argmin(distances)]
        middles[mark], boxes[places[mark]] = middles[letter], boxes[places[letter]]
    return places[np.lexsort((np.where(goes_left, numbers, -numbers), is_mark, middles))]


def read_from_right(text: str, *, is_main: bool) -> str:
    """Return a piece of a line as it is read, given its characters from left to right; ``is_main``: so is its page."""
    if is_main and _FROM_RIGHT.search(text):
        read = _turn_round(text)
    else:
        read = _FROM_RIGHT.sub(lambda match: _turn_round(match[0]), text)
    return _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]).replace(" ", ""), read)


def _turn_round(text: str) -> str:
    read = "".join(reversed(_TOKEN.findall(text)))
    for opening, closing in _PAIRS:  # some files name signs as they are printed
        if -1 < read.find(closing) < (read.find(opening) if opening in read else -1):
            read = read.translate(str.maketrans(opening + closing, closing + opening))
    return read


def _find_printed_gaps(drawn: Floats, boxes: Floats, origins: Floats, shown: Codes, from_right: Flags) -> Flags:
    """Return which gaps behind visible characters are printed over, (shown - 1,), and widen boxes over them.

    ``drawn``: boxes of objects of text, (objects, 4); ``boxes``, ``origins``: of characters, (characters, 4 or 2);
    ``shown``: their places, line by line; ``from_right``: those read from right to left, (shown,).
    """
    printed: Flags = np.zeros(max(len(shown) - 1, 0), bool)
    drawn = drawn[np.argsort(drawn[:, 0])]
    draws_blanks = (drawn[:, 2] <= drawn[:, 0]).any()
    before, after = boxes[shown[:-1]], boxes[shown[1:]]
    gaps = np.stack((before[:, 2], np.maximum(before[:, 1], after[:, 1]), after[:, 0], before[:, 3]), axis=1)
    height = np.maximum(before[:, 3] - before[:, 1], np.median(boxes[shown, 3] - boxes[shown, 1]))
    width = gaps[:, 2] - gaps[:, 0]
    is_candidate = (width > 0) & (width < _WIDEST * height) & ~from_right[1:]
    for place in np.flatnonzero(is_candidate)[:_MOST].tolist():
        left, top, right, bottom = gaps[place]
        reach = _REACH * height[place]
        near = drawn[slice(*np.searchsorted(drawn[:, 0], (before[place, 0] - reach, right)))]
        near = near[(near[:, 2] < right + reach) & (near[:, 1] < bottom) & (near[:, 3] > top)]
        around = origins[shown[max(0, place - _LOOK_BACK) : place + _LOOK_BACK], 0]
        begins, middles = near[:, 0] - _NEAR * height[place], (near[:, 0] + near[:, 2]) / 2
        has_text = ((begins[:, None] < around) & (around < middles[:, None])).any(axis=1)
        glyphs = near[~has_text]
        if len(glyphs):
            shared = np.minimum(glyphs[:, 2], right) - np.maximum(glyphs[:, 0], left)
            is_blank = (near[:, 2] <= near[:, 0]) & (near[:, 0] > left - _NEAR * height[place])  # no ink
            least = _INKED * width[place] if draws_blanks else width[place] - _REST * height[place]
            printed[place] = np.maximum(shared, 0).sum() > least and not is_blank.any()
            boxes[shown[place], 2] = max(left, min(right, glyphs[:, 2].max()))
    return printed
