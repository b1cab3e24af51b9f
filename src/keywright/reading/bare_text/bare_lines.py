"""The lines of a bare text, on which all of this room works."""

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from keywright.core.documents import SectionKind

Mark = tuple[int, SectionKind]
"""The text is of this kind from this character on."""

_LOOSE_END = re.compile(
    r"(?:a|an|the|of|for|and|or|in|on|to|with|from|by|at|into|via|using|vs\.?|under|between)|.*[-:,&(/]", re.IGNORECASE
)
_LOWER_RUN = re.compile(r"[a-zà-öø-ÿ]{4}")
_LOOK_AHEAD: Final = 3  # lines in which the next one with text is looked for; arbitrary
_FEWEST_CAPITALS: Final = 4
"""Letters that a line needs for its capitals to mean something, if some are small; arbitrary."""


@dataclass(frozen=True, slots=True)
class Lines:
    """A text as lines.

    Attributes:
        texts: the lines, each without white space around it.
        starts: offset of the first character of each line, and the text's length as last entry.
        width: length of a full line: four in five are no longer (arbitrary).
    """

    text: str
    texts: tuple[str, ...]
    starts: tuple[int, ...]
    width: int

    @classmethod
    def from_text(cls, text: str) -> "Lines":
        """Return the lines of a text; an empty text has one empty line."""
        raw = text.split("\n")
        starts = [*accumulate([len(line) + 1 for line in raw[:-1]], initial=0), len(text)]
        texts = tuple([line.strip() for line in raw])
        lengths = sorted(map(len, texts))
        return cls(text, texts, tuple(starts), lengths[len(lengths) * 4 // 5])

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.texts)

    def after(self, line: int) -> str:
        """Return the next line with text, if it is near; else an empty string."""
        return next((text for text in self.texts[line + 1 : line + 1 + _LOOK_AHEAD] if text), "")

    def before(self, line: int) -> str:
        """Return the line before; empty at the start."""
        return self.texts[line - 1] if line else ""


def cut_short(line: str) -> bool:
    """Return whether a line ends as no title or heading can: in a hyphen, colon, preposition ..."""
    words = line.rsplit(None, 1)
    return bool(words) and bool(_LOOSE_END.fullmatch(words[-1]))


def in_capitals(line: str) -> bool:
    """Return whether at least three quarters (arbitrary) of a line's letters are capitals."""
    if line.isupper():
        return True
    if _LOWER_RUN.search(line):  # settles nearly all lines at once
        return False
    letters = sum(map(str.isalpha, line))
    return letters >= _FEWEST_CAPITALS and 4 * sum(map(str.isupper, line)) >= 3 * letters
