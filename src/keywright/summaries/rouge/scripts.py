"""The letters of a text that decide how it is cut into tokens."""

from typing import Final, NamedTuple

from keywright.summaries.rouge.tokens import DIRECTION_MARKS
from keywright.summaries.texts import SummaryText

_MOST: Final = 0.5
"""Share of letters outside ASCII above which a text is not in the Latin alphabet; arbitrary: the majority."""


class Script(NamedTuple):
    """The letters of a text.

    Attributes:
        outside: letters and digits outside ASCII, which ROUGE's tokeniser drops.
        mostly_outside: True if most letters and digits are.
        marks: invisible marks of the direction of text.
    """

    outside: int
    mostly_outside: bool
    marks: int


ASCII: Final = Script(0, mostly_outside=False, marks=0)
"""A text in ASCII, or one that came in tokens, which is not cut."""


def script_of(text: SummaryText) -> Script:
    """Count the letters of a text."""
    if text.tokens is not None or text.whole.isascii():
        return ASCII
    ascii_part = text.whole.encode("ascii", "ignore").decode("ascii")
    letters = sum(map(str.isalnum, text.whole))
    outside = letters - sum(map(str.isalnum, ascii_part))
    return Script(outside, outside > _MOST * letters, sum(map(text.whole.count, DIRECTION_MARKS)))
