"""The lines of a bare text, on which all of this room works; its title, and the head of a mail."""

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from keywright.core.documents import SectionKind
from keywright.reading.headings import kind_of_heading

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


# Arbitrary, as all numbers of this room.
_LONGEST: Final = 250  # characters of a title's line; a longer one is a paragraph
_MOST_LINES: Final = 4  # lines of a paper's title
_FEWEST_WORDS, _MOST_WORDS = 2, 30  # words of another text's title; a single word could be anything
_VOCABULARY: Final = 10_000  # characters of text that show which words a paper uses as words, not as names
_TALLER: Final = 2  # length of a paragraph right below a title, as a multiple of the title's, at least

_MARKS: Final = "∗*†‡§¶"
"""Marks of authors' footnotes; a mark closes a title."""

_AFFILIATION = re.compile(
    r"^\[|@|\d{4}|https?:|www\.|[{}]|[∗†‡§¶]$|^[^\w(\"“]*$|\b(?:Universit\w*|Dept|Department|Institut[eo]?|Laborator\w+|Labs?"
    r"|School|College|Inc|Corp\w*|Ltd|GmbH|Faculty|Center for|Centre for|Microsoft|IBM|Yahoo|Google)\b"
)
_RUNNING_HEAD = re.compile(
    r"arxiv:|doi:?\s*10\.|https?:|proceedings of|journal of .*\d|.*\bvol(?:ume)?\.? ?\d|.*\bissn\b|©|copyright"
    r"|(?:page )?\d+(?: of \d+)?$|(?:original |research )?(?:article|paper)$|preprint"
    r"|published (?:in|online)|to appear",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"[Bb]y(?: (?:and|[^\W\d_a-z]\S*)){1,8}$")
_WORD = re.compile(r"[^\W\d_]{3,}")
_LOWER_WORD = re.compile(r"[a-zà-öø-ÿ]{3,}")
_CONTINUES = re.compile(
    r"(?:of|for|and|in|on|to|with|from|by|at|into|via|using|under|between|through|as|or|vs|without|within|over)\b"
)


def find_title(lines: Lines, front_end: int | None) -> tuple[int, int] | None:
    """Return the first line of the title and the line after its last; None when there is none.

    ``front_end`` is the line that ends the front matter of a paper; None for a text that is not a paper.
    """
    return _title_of_text(lines) if front_end is None else _title_of_paper(lines, front_end)


def _title_of_paper(lines: Lines, end: int) -> tuple[int, int] | None:
    """Return the title before line ``end``.

    A title continues in a line when the line above cannot end one, or when the words of the line are words that the
    paper uses, which the names of authors are not.
    """
    first = next((at for at in range(end) if lines.texts[at] and not _RUNNING_HEAD.match(lines.texts[at])), end)
    if first == end or len(lines.texts[first]) > _LONGEST or _AFFILIATION.search(_unmarked(lines.texts[first])):
        return None
    text = lines.text[lines.starts[end] :]
    used = frozenset(_LOWER_WORD.findall(text, 0, _VOCABULARY))
    last = first
    while last + 1 < min(end, first + _MOST_LINES):
        line, above = lines.texts[last + 1], lines.texts[last]
        if not line or above[-1] in _MARKS or _AFFILIATION.search(_unmarked(line)):
            break
        if not (cut_short(above) or _CONTINUES.match(line) or _is_used(_unmarked(line), used, text)):
            break
        last += 1
    return first, last + 1


def _is_used(line: str, used: frozenset[str], text: str) -> bool:
    """Return whether the paper uses the words of a line: most of them in lower case, or the line as a phrase."""
    words = _WORD.findall(line)
    if 2 * sum(word.lower() in used for word in words) > len(words):
        return True
    if line.isalpha() and text.find(f" {line.lower()}") >= 0:  # one word, perhaps used only later on
        return True
    acronym = len(words) == 1 and not line[1:].islower()
    return (len(words) > 1 or acronym) and text.find(line, 0, _VOCABULARY) >= 0


def _unmarked(line: str) -> str:
    return line.rstrip(f"{_MARKS} ")


def _title_of_text(lines: Lines) -> tuple[int, int] | None:
    """Return the first line when it clearly is a title.

    It must be short, not end like a sentence, and be above a blank line or a much longer paragraph; a line that names
    the author of a news story may be between.
    """
    first = next((at for at, line in enumerate(lines.texts) if line), None)
    if first is None or first + 1 >= len(lines):
        return None
    line = lines.texts[first]
    sentence = line[-1] in ".,;:。．…" or line[0].islower() or kind_of_heading(line) is not None
    if sentence or len(line) > _LONGEST or not _FEWEST_WORDS <= len(line.split()) <= _MOST_WORDS:
        return None
    below = lines.texts[first + 1]
    following = below or lines.after(first)
    if _BYLINE.match(following):
        last = lines.texts.index(following, first)
        below, following = "", lines.after(last)
    if following[:1].islower() or (below and len(below) < _TALLER * len(line)) or len(following) < len(line):
        return None
    return first, first + 1


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
