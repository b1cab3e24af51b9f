"""Lines of a bare text: kinds by their wording (names, addresses, publishers' lines), marks, and the head of a mail."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final, NamedTuple

from keywright.core.documents import SectionKind
from keywright.core.word_lists import read_patterns
from keywright.reading.page_numbers import TEXT

Mark = tuple[int, SectionKind]  # the text is of this kind from this character on

_WORDS: Final = read_patterns("reading/line_wordings.txt")
_LOOSE_ENDS: Final = frozenset(_WORDS["LOOSE_ENDS"].split("|"))
_LOWER_RUN = re.compile(r"[a-zà-öø-ÿ]{4}")


@dataclass(frozen=True, slots=True)
class Lines:
    """A text as stripped lines with offsets, the text's length last; four in five are no longer than ``width``."""

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
        return cls(text, texts, tuple(starts), lengths[int(TEXT.full_line * len(lengths))])

    def changed(self, changes: Mapping[int, str]) -> "Lines":
        """Return lines with other words at the same places."""
        texts = list(self.texts)
        for line, text in changes.items():
            texts[line] = text
        return replace(self, texts=tuple(texts))

    def __len__(self) -> int:
        return len(self.texts)

    def after(self, line: int) -> str:
        """Return the next line with text, if it is near; else an empty string."""
        return next((text for text in self.texts[line + 1 : line + 1 + TEXT.look_ahead] if text), "")

    def before(self, line: int) -> str:
        """Return the line before; empty at the start."""
        return self.texts[line - 1] if line else ""


def overlay_marks(marks: list[Mark], stretches: list[tuple[int, int, SectionKind]]) -> list[Mark]:
    """Return ordered marks with stretches, first character, end and kind, of other kinds laid over them."""
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


def is_cut_short(line: str) -> bool:
    """Return whether a line ends as no title or heading can: in a hyphen, colon, preposition ..."""
    words = line.rsplit(None, 1)
    return bool(words) and (words[-1][-1] in "-:,&(/" or words[-1].lower() in _LOOSE_ENDS)


def is_in_capitals(line: str) -> bool:
    """Return whether at least three quarters of a line's letters are capitals."""
    if line.isupper():
        return True
    if _LOWER_RUN.search(line):  # settles nearly all lines at once
        return False
    letters = sum(map(str.isalpha, line))
    return letters >= TEXT.fewest_capitals and sum(map(str.isupper, line)) >= TEXT.mostly_capitals * letters


_FIELD: Final = re.compile(r"([^\W\d_](?:[^\W\d_]|-){1,29}):(?:[ \t]+(?:(?:re|fwd?|aw|wg):[ \t]*)*|$)", re.IGNORECASE)
_SENDERS: Final = frozenset("from von de da van från fra od".split())
_SUBJECTS: Final = frozenset("subject betreff objet asunto assunto oggetto onderwerp ämne emne temat".split())
_TITLES: Final = frozenset("title titel titre título titulo titolo headline".split())
"""Names of the fields with the sender and the subject of a mail, and with the title of another text."""
_SIGNATURE: Final = re.compile(r"^-- ?$", re.MULTILINE)


class Mail(NamedTuple):
    """Places, first character and the one after the last, in a text that is an e-mail: subject, message, signature."""

    subject: tuple[int, int]
    begin: int
    end: int

    def marks(self, message: list[Mark]) -> list[Mark]:
        """Return the marks of the whole mail, given those of its message alone, whose title is body."""
        start, stop = self.subject
        kinds = {SectionKind.TITLE: SectionKind.BODY}
        head = [(0, SectionKind.METADATA), (start, SectionKind.TITLE), (stop, SectionKind.METADATA)]
        text = [(self.begin, SectionKind.BODY), *((self.begin + at, kinds.get(kind, kind)) for at, kind in message)]
        return [*head, *text, (self.end, SectionKind.NOTICE)]


def find_mail(text: str) -> Mail | None:
    """Return the places of an e-mail's parts; None for a text that does not begin with fields, sender and subject."""
    places, begin = _find_fields(text)
    subject = next((place for name, place in places.items() if name in _SUBJECTS), None)
    if subject is None or len(places) < TEXT.mail_fields or _SENDERS.isdisjoint(places):
        return None
    signature = _SIGNATURE.search(text, begin)
    return Mail(subject, begin, signature.start() if signature else len(text))


def find_header(text: str) -> Mail | None:
    """Return the places in a text that begins as a mail does, with its title among the fields; None for any other."""
    places, begin = _find_fields(text)
    title = next((place for name, place in places.items() if name in _TITLES and text[slice(*place)].strip()), None)
    return Mail(title, begin, len(text)) if title and len(places) >= TEXT.header_fields else None


def _find_fields(text: str) -> tuple[dict[str, tuple[int, int]], int]:
    """Return the places of the values of the fields that a text begins with, by name, and the end of the last."""
    places: dict[str, tuple[int, int]] = {}
    at = text.startswith("---\n") * len("---\n")  # between such lines, programs make pages of plain text
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        if not text[at:stop].strip() or text.startswith("---\n", at):
            break
        field = _FIELD.match(text, at, stop)
        if field:
            places[field[1].lower()] = field.end(), stop
        elif not (places and text[at].isspace()):  # a field continues in lines that begin with a blank
            return {}, 0
        at = stop + 1
    return places, min(at, len(text))


DATE_LINE: Final = re.compile(_WORDS["DATE_LINE"], re.IGNORECASE)
_PUBLISHER: Final = re.compile(_WORDS["PUBLISHER_LINE"], re.IGNORECASE)
_WITHOUT_NUMBER: Final = _WORDS["WITHOUT_NUMBER"].split("|")
DATED = re.compile(_WORDS["DATED_LINE"], re.IGNORECASE)
SERIAL_NUMBER = re.compile(r"(?:e-?|print |online )?(?:issn)?:?\s*\d{4}-\d{3}[\dX]", re.IGNORECASE)
_LABEL = re.compile(_WORDS["LABEL"], re.IGNORECASE)
ADDRESS = re.compile(_WORDS["ADDRESS"])
_BETWEEN_NAMES = re.compile(r"\s*(?:[,;&·•|]|\s(?:and|und|et|y|e|i)\s)[\s,]*")
NAME = re.compile(_WORDS["PERSON"])
_MARKS = re.compile(r"[\d∗*†‡§¶#´`¨°+\u00ad]+|\((?:\w|,|\s){1,5}\)")
_ONE_NAME = re.compile(r"\b[A-Z]\.|[^\W\d_][\d,]*[\d∗*†‡§¶]+$")
_FIRST_NAMES = re.compile(r"(" + NAME.pattern + r")[\s,*]*(?:,|&|\band\b)\s*" + NAME.pattern)
_LONGEST_NAMES: Final = 600  # characters of a line of names that are looked at: bounds the time of the patterns


def is_publisher_line(line: str) -> bool:
    """Return whether a line is about the publication: volume, pages, DOI, ISSN, address, date, copyright."""
    if len(line) > TEXT.longest_publisher:
        return False
    small = line.lower()
    if not any(map(small.__contains__, _WITHOUT_NUMBER)) and not any(map(str.isdigit, line)):
        return False
    return bool(_PUBLISHER.search(line) or DATED.match(line))


def is_label(line: str) -> bool:
    """Return whether a line only says which kind of article follows: *Original Paper*, *LETTERS*."""
    return bool(_LABEL.fullmatch(line.strip(" .:|")))


def lists_people(line: str) -> bool:
    """Return whether a line begins with two names, is a list of names, or one name with an initial or a mark.

    >>> lists_people("Ana B. Costa1,2 and Li Wei*"), lists_people("Machine learning and data mining")
    (True, False)
    """
    if not line or line[0].islower():
        return False
    bare = _MARKS.sub(" ", line[:_LONGEST_NAMES].removeprefix("By ").removeprefix("by ")).strip()
    if len(line) > _LONGEST_NAMES or _FIRST_NAMES.match(bare):
        return bool(_FIRST_NAMES.match(bare))
    parts = [part.strip(" .") for part in _BETWEEN_NAMES.split(bare)]
    parts = [part for part in parts if len(part) > 1]
    names = sum(bool(NAME.fullmatch(part)) for part in parts)
    if len(parts) == 1:
        return bool(names) and bool(_ONE_NAME.search(line))
    return names >= 1 and names >= TEXT.most_names * len(parts)
