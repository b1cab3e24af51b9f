"""The front matter of a bare text: the title, lines above it, authors, an abstract without heading."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from keywright.core.documents import SectionKind
from keywright.reading.bare_text.bare_lines import (
    Lines,
    Mark,
    has_address,
    is_cut_short,
    is_journal_name,
    is_label,
    is_publisher_line,
    is_serial_number,
    lists_people,
    may_be_name,
)
from keywright.reading.headings import is_section_name, kind_of_heading
from keywright.reading.layout.front import is_prose

# Arbitrary, as all numbers of this room.
_LONGEST: Final = 250  # characters of a title's line; a longer one is a paragraph
_MOST_LINES: Final = 4  # lines of a paper's title
_FEWEST_WORDS, _MOST_WORDS = 2, 30  # words of a title; a single word could be anything
_MOST, _ALL = 0.5, 0.9  # share of a line's words above which a title continues, and in a line that looks like names
_SENTENCE_WORDS: Final = 12  # words from which a line with a full stop is a sentence
_VOCABULARY: Final = 10_000  # characters of text that show which words a paper uses as words, not as names
_TALLER: Final = 2  # length of a paragraph right below a title, as a multiple of the title's, at least
_NEAR: Final = 8  # lines below a title among which the next two with text are looked for
_FRONT_LINES: Final = 40  # lines with text among which the title of a paper is looked for
_PUBLISHED_LINES: Final = 6  # first lines with text that show that a text without known headings is a paper
_SHORTEST_PAPER: Final = 3_000  # characters of such a text
_REPEATED: Final = 15  # characters of a line from which its repetition means something

_POINTS: Final = {
    "first line": 1.5,
    "above names": 2.0,
    "above a name": 1.0,
    "printed again": 1.5,
    "words of the text": 1.0,
    "no words of the text": -1.0,
    "above a publisher's line": -1.5,
    "above an ISSN": -2.5,
    "name of a journal": -2.0,
    "address": -1.5,
    "end of a sentence": -0.5,
    "below a label": 1.0,
    "each line before": -0.05,
}
"""Points of a line that may be the title of a paper; chosen by hand on 96 papers and reports of six collections."""
_CERTAIN: Final = 3.5  # points with which a line is the title without a look at the others; chosen on the same texts
_ENOUGH, _ENOUGH_ALONE = 0.5, 2.0  # points that a title needs with headings of a paper, and without; as above

_FOOTNOTES: Final = "∗*†‡§¶"
"""Marks of authors' footnotes; a mark closes a title."""

_AFFILIATION = re.compile(
    r"^\[|@|\d{4}|https?:|www\.|[{}]|[∗†‡§¶]$|^[^\w(\"“]*$|\b(?:Universit\w*|Dept|Department|Institut[eo]?|Laborator\w+|Labs?"
    r"|School|College|Inc|Corp\w*|Ltd|GmbH|Faculty|Center for|Centre for|Microsoft|IBM|Yahoo|Google)\b"
)
_BYLINE = re.compile(r"[Bb]y(?: (?:and|[^\W\d_a-z]\S*)){1,8}$")
_WORD = re.compile(r"[^\W\d_]{3,}")
_LOWER_WORD = re.compile(r"[a-zà-öø-ÿ\u0105-\u017e]{3,}")
_ASCII_WORD = re.compile(r"[a-z]{3,}")  # the same in ASCII text, faster
_CONTINUES = re.compile(
    r"(?:of|for|and|in|on|to|with|from|by|at|into|via|using|under|between|through|as|or|vs|without|within|over)\b"
)


class Title(NamedTuple):
    """Lines of a title.

    Attributes:
        first: its first line.
        end: the line after its last.
        of_paper: whether the names of authors are below it.
    """

    first: int
    end: int
    of_paper: bool


def find_title(lines: Lines, front_end: int | None) -> Title | None:
    """Return the lines of the title; None when there is none.

    ``front_end`` is the line that ends the front matter of a paper; None for a text without the headings of a paper.
    """
    of_paper = None
    if front_end is not None or _begins_as_paper(lines):
        end = len(lines) if front_end is None else front_end
        of_paper = _title_of_paper(lines, end, _ENOUGH_ALONE if front_end is None else _ENOUGH)
    place = of_paper or (_title_of_text(lines) if front_end is None else None)
    return Title(*place, of_paper=of_paper is not None) if place else None


def _begins_as_paper(lines: Lines) -> bool:
    """Return whether a text without the headings of a paper begins as one: with a publisher's line, or with names."""
    if len(lines.text) < _SHORTEST_PAPER:
        return False
    first = list(islice(filter(None, lines.texts), _PUBLISHED_LINES))
    return any(map(is_publisher_line, first)) or any(map(lists_people, first[1:]))


def _title_of_paper(lines: Lines, end: int, enough: float) -> tuple[int, int] | None:
    """Return the lines before line ``end`` that have most points as title; None below ``enough``."""
    front_end = lines.starts[end] if end < len(lines) else 0
    text = lines.text[front_end : front_end + _VOCABULARY]
    used = frozenset((_ASCII_WORD if text.isascii() else _LOWER_WORD).findall(text))
    whole = ""
    best, title, rank, last, above = enough, None, 0, -1, ""
    for at in islice((at for at in range(end) if lines.texts[at]), _FRONT_LINES):
        line = lines.texts[at]
        if at > last and _may_be_title(line, first=not rank):
            last = _last_line(lines, at, end, used)
            points = _count_points(lines, range(at, last + 1), used) + _POINTS["each line before"] * rank
            points += (_POINTS["first line"] if not rank else 0) + _POINTS["below a label"] * is_label(above)
            if points >= _CERTAIN:
                return at, last + 1
            if len(line) >= _REPEATED:
                whole = whole or lines.text.lower()
                points += _POINTS["printed again"] * (whole.count(line.lower()) > 1)
            if points > best or (points == best and title is None):
                best, title = points, (at, last + 1)
            rank += 1
        above = line
    return title


def _may_be_title(line: str, *, first: bool) -> bool:
    words = len(line.split())
    if len(line) > _LONGEST or "@" in line or (words < _FEWEST_WORDS and not first):
        return False
    if not any(map(str.isalpha, line)) or is_prose(line) or (line[-1] == "." and words > _SENTENCE_WORDS):
        return False
    return not (is_publisher_line(line) or is_label(line) or kind_of_heading(line))


def _count_points(lines: Lines, place: range, used: frozenset[str]) -> float:
    """Return the points of lines as title of a paper."""
    line = _strip_marks(" ".join(lines.texts[place.start : place.stop]))
    below = list(islice((text for text in lines.texts[place.stop : place.stop + _NEAR] if text), 2))
    words = _WORD.findall(line)
    share = sum(word.lower() in used for word in words) / max(1, len(words))
    points = _POINTS["words of the text"] if share > _MOST else 0.0 if share else _POINTS["no words of the text"]
    named = bool(below) and lists_people(below[0])
    if below and not lists_people(line):
        points += _POINTS["above names"] if named else _POINTS["above a name"] * _is_name(below[0], used)
    if not named:
        serial = any(map(is_serial_number, lines.texts[place.stop : place.stop + _NEAR]))
        points += (
            _POINTS["above an ISSN"]
            if serial
            else _POINTS["above a publisher's line"] * any(map(is_publisher_line, below))
        )
    points += _POINTS["name of a journal"] * is_journal_name(line) + _POINTS["address"] * has_address(line)
    return points + _POINTS["end of a sentence"] * (line[-1:] in ".,;:")


def _is_name(line: str, used: frozenset[str]) -> bool:
    """Return whether a line may be one name, with words that the text does not use as words."""
    return may_be_name(line) and used.isdisjoint(line.lower().split())


def _last_line(lines: Lines, first: int, end: int, used: frozenset[str]) -> int:
    """Return the last line of a title.

    A title continues in a line when the line above cannot end one, or when the words of the line are words that the
    paper uses, which the names of authors are not. Lines that continue for longer than a title are prose.
    """
    last = first
    while last + 1 < end:
        line, above = lines.texts[last + 1], lines.texts[last]
        if (
            not line
            or above[-1] in _FOOTNOTES
            or _AFFILIATION.search(_strip_marks(line))
            or len(line) > _LONGEST
            or is_prose(line)
        ):
            break
        if above[-1] == "." or not (is_cut_short(above) or _CONTINUES.match(line) or _is_used(line, used, lines.text)):
            break
        last += 1
        if last == first + _MOST_LINES:
            return first
    return last


def _is_used(line: str, used: frozenset[str], text: str) -> bool:
    """Return whether the paper uses the words of a line: most of them in lower case, or the line as a phrase."""
    line = _strip_marks(line)
    words = _WORD.findall(line)
    share = sum(word.lower() in used for word in words) / max(1, len(words))
    if share > (_ALL if lists_people(line) else _MOST):
        return True
    if line.isalpha() and text.find(f" {line.lower()}") >= 0:  # one word, perhaps used only later on
        return True
    acronym = len(words) == 1 and not line[1:].islower()
    return (len(words) > 1 or acronym) and not _is_name(line, used) and text.count(line, 0, _VOCABULARY) > 1


def _strip_marks(line: str) -> str:
    return line.rstrip(f"{_FOOTNOTES} ")


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
    if (
        sentence
        or is_publisher_line(line)
        or len(line) > _LONGEST
        or not _FEWEST_WORDS <= len(line.split()) <= _MOST_WORDS
    ):
        return None
    below = lines.texts[first + 1]
    following = below or lines.after(first)
    if _BYLINE.match(following):
        last = lines.texts.index(following, first)
        below, following = "", lines.after(last)
    if following[:1].islower() or (below and len(below) < _TALLER * len(line)) or len(following) < len(line):
        return None
    return first, first + 1


# Arbitrary, as all numbers of this room, in characters where nothing else is said.
_PARAGRAPH: Final = 200  # a line that is a paragraph of its own
_LONGEST_ABSTRACT: Final = 4_000  # an abstract without heading
_LONGEST_ABOVE: Final = 300  # a line above the title that is not text
_SHORTEST_CAPITALS: Final = 5  # a heading in capitals below keywords; shorter ones may be an acronym
_MARK_LETTERS: Final = 2  # letters of a line that is the mark of a footnote
_MOST_BLOCKS: Final = 30  # blocks of names and addresses in a text without the headings of a paper


def find_above_title(lines: Lines, title: int) -> list[int]:
    """Return the lines above a title that are a journal's name, date, label ...: all short ones that are not prose."""
    above = [at for at in range(title) if lines.texts[at]]
    return [at for at in above if len(lines.texts[at]) <= _LONGEST_ABOVE and not is_prose(lines.texts[at])]


def mark_below_title(lines: Lines, begin: int, end: int, opens: SectionKind | None) -> list[Mark]:
    """Return where the kind of text changes between the title and the heading that ends the front matter.

    Prose is the abstract if that heading does not open one, and all else is about the authors.
    """
    blocks = list(_blocks(lines, begin, end))
    texts = [_text(lines, block) for block in blocks]
    first = next((place for place, text in enumerate(texts) if is_prose(text)), len(blocks))
    is_headed = opens == SectionKind.ABSTRACT
    authors = [
        _is_about_authors(text) or (place < first and (is_headed or text[-1] not in ".!?"))
        for place, text in enumerate(texts)
    ]
    length = sum(len(text) for text, named in zip(texts, authors, strict=True) if not named)
    plain = SectionKind.BODY if is_headed or length > _LONGEST_ABSTRACT else SectionKind.ABSTRACT
    return [
        (lines.starts[block.start], SectionKind.AUTHORS if named else plain)
        for block, named, above in zip(blocks, authors, [None, *authors], strict=False)
        if named is not above
    ]


def mark_authors(lines: Lines, begin: int, limit: int) -> list[Mark]:
    """Return where names and addresses between a title and line ``limit`` begin and end.

    For texts without the headings of a paper.
    """
    end = begin
    for count, block in enumerate(_blocks(lines, begin, limit)):
        text = _text(lines, block)
        if count >= _MOST_BLOCKS or is_prose(text) or not _is_about_authors(text):
            break
        end = block.stop
    return [(lines.starts[begin], SectionKind.AUTHORS), (lines.starts[end], SectionKind.BODY)] if end > begin else []


_NOTE = re.compile(r"\W{0,2}(?:\d |to whom|correspond|e-?mail|edited by|contributed by|communicated by)", re.IGNORECASE)


def _is_about_authors(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    if len(text) > _LONGEST_ABOVE and text.endswith("."):
        return False
    return (
        letters <= _MARK_LETTERS
        or lists_people(text)
        or has_address(text)
        or is_publisher_line(text)
        or bool(_NOTE.match(text))
    )


def ends_list(line: str, following: str) -> bool:
    """Return whether a list of keywords ends with a line: with a full stop, or above a heading."""
    if line[-1:] in {"", ",", ";", "-"} or kind_of_heading(line):
        return False
    capitals = len(following) > _SHORTEST_CAPITALS and following.isupper()
    return line[-1] == "." or capitals or is_section_name(following)


def _blocks(lines: Lines, begin: int, end: int) -> Iterator[range]:
    """Yield runs of lines between blank ones; a line that is a paragraph of its own is a run."""
    first = None
    for at in range(begin, end):
        line = lines.texts[at]
        if first is not None and (not line or len(line) > _PARAGRAPH):
            yield range(first, at)
            first = None
        if len(line) > _PARAGRAPH:
            yield range(at, at + 1)
        elif line and first is None:
            first = at
    if first is not None:
        yield range(first, end)


def _text(lines: Lines, block: range) -> str:
    return " ".join(filter(None, lines.texts[block.start : block.stop]))
