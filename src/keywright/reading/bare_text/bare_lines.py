"""The lines of a bare text, on which all of this room works; its title, and the head of a mail."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, NamedTuple

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

    def without(self, left_out: Iterable[int]) -> "Lines":
        """Return lines with some of them blank."""
        return self.changed(dict.fromkeys(left_out, ""))

    def changed(self, changes: Mapping[int, str]) -> "Lines":
        """Return lines with other words at the same places."""
        texts = list(self.texts)
        for line, text in changes.items():
            texts[line] = text
        return replace(self, texts=tuple(texts))

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.texts)

    def after(self, line: int) -> str:
        """Return the next line with text, if it is near; else an empty string."""
        return next((text for text in self.texts[line + 1 : line + 1 + _LOOK_AHEAD] if text), "")

    def before(self, line: int) -> str:
        """Return the line before; empty at the start."""
        return self.texts[line - 1] if line else ""


def overlaid(marks: list[Mark], stretches: list[tuple[int, int, SectionKind]]) -> list[Mark]:
    """Return marks with stretches of other kinds laid over them, after which the text is again of the kind that it was.

    Args:
        marks: in order.
        stretches: first character, the one after the last, and the kind; in order, not overlapping.
    """
    merged: list[Mark] = []
    at, kind = 0, SectionKind.BODY
    for start, end, laid in stretches:
        while at < len(marks) and marks[at][0] <= start:
            merged.append(marks[at])
            kind, at = marks[at][1], at + 1
        while at < len(marks) and marks[at][0] < end:
            kind, at = marks[at][1], at + 1
        if merged and merged[-1][0] == start and len(merged) > 1 and merged[-2][1] == laid == SectionKind.NOTICE:
            merged.pop()  # the end of the stretch right above
        else:
            merged.append((start, laid))
        merged.append((end, kind))
    return merged + marks[at:]


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


_FIELD: Final = re.compile(r"([A-Za-z-]{2,30}):(?:[ \t]+(?:(?:re|fwd?|aw|wg):[ \t]*)*|$)", re.IGNORECASE)
_NEEDED: Final = frozenset({"from", "subject"})
_FEWEST_FIELDS: Final = 3
"""Fields of a mail's head, so that other texts that begin with two of them stay as they are; arbitrary."""
_SIGNATURE: Final = re.compile(r"^-- ?$", re.MULTILINE)


class Mail(NamedTuple):
    """Places in a text that is an e-mail, in characters.

    Attributes:
        subject: first character of the subject and the one after its last.
        begin: where the message begins.
        end: where the signature begins, or the text ends.
    """

    subject: tuple[int, int]
    begin: int
    end: int

    def marks(self, message: list[Mark]) -> list[Mark]:
        """Return the marks of the whole mail, given those of its message alone, whose title is body."""
        start, stop = self.subject
        kinds = {SectionKind.TITLE: SectionKind.BODY}
        return [
            (0, SectionKind.METADATA),
            (start, SectionKind.TITLE),
            (stop, SectionKind.METADATA),
            (self.begin, SectionKind.BODY),
            *((self.begin + at, kinds.get(kind, kind)) for at, kind in message),
            (self.end, SectionKind.NOTICE),
        ]


def find_mail(text: str) -> Mail | None:
    """Return the places of an e-mail's parts; None for a text that does not begin with fields, sender and subject."""
    names: set[str] = set()
    subject: tuple[int, int] | None = None
    at = 0
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        if not text[at:stop].strip():
            break
        field = _FIELD.match(text, at, stop)
        if field:
            names.add(field[1].lower())
            if field[1].lower() == "subject":
                subject = field.end(), stop
        elif not (names and text[at].isspace()):  # a field continues in lines that begin with a blank
            return None
        at = stop + 1
    if subject is None or len(names) < _FEWEST_FIELDS or not names >= _NEEDED:
        return None
    begin = min(at, len(text))
    signature = _SIGNATURE.search(text, begin)
    return Mail(subject, begin, signature.start() if signature else len(text))
