"""The front matter of a bare text: the title, lines above it, authors, an abstract without heading."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise, takewhile
from typing import Final, NamedTuple

from keywright.core.documents import SectionKind
from keywright.core.word_lists import read_patterns
from keywright.reading.bare_text.bare_lines import (
    ADDRESS,
    DATE_LINE,
    NAME,
    SERIAL_NUMBER,
    Lines,
    Mark,
    is_cut_short,
    is_label,
    is_publisher_line,
    lists_people,
)
from keywright.reading.headings import is_prose, is_section_name, kind_of_heading
from keywright.reading.page_numbers import TEXT

_FOOTNOTES: Final = "∗*†‡§¶"  # marks of authors' footnotes; a mark closes a title

_WORDS: Final = read_patterns("reading/line_wordings.txt")
_AFFILIATION = re.compile(_WORDS["AFFILIATION"])
_NO_TITLE = re.compile(_WORDS["NO_TITLE"], re.IGNORECASE)
_SPEECH = re.compile(r"[^\W\d_][\w .'’-]{0,30}:\s")
_FIELD = re.compile(r"[^:.]{2,30}:\s+\S.{0,60}$")
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|[。！？]")
_BYLINE = re.compile(r"[Bb]y(?: (?:and|[^\W\d_a-z]\S*)){1,8}$")
_MARKUP_LINE = re.compile(_WORDS["MARKUP_LINE"])
_WORD = re.compile(r"[^\W\d_]{3,}")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LOWER_WORD = re.compile(r"[a-zà-öø-ÿ\u0105-\u017e]{3,}")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_SMALL_WORD = re.compile(r"(?<![\w'’-])(?!(?:from|with|into|over|that|your|their)\b)[a-zà-öø-ÿ\u0105-\u017e]{4,}")
_FEWEST_CAPITALS: Final = 4  # long words of a line that all begin with a capital, as sentences rarely do
_ASCII_WORD = re.compile(r"[a-z]{3,}")  # the same in ASCII text, faster
_CONTINUES = re.compile(_WORDS["CONTINUES"])


class Title(NamedTuple):
    """Lines of a title, up to the one after its last; ``of_paper``: names of authors are below it."""

    first: int
    end: int
    of_paper: bool


def find_title(lines: Lines, front_end: int | None, *, is_body: bool = False) -> Title | None:
    """Return the lines of the title above a paper's ``front_end``; of a body (``is_body``) only a very clear one."""
    of_paper = None
    if front_end is not None or _begins_as_paper(lines, is_body=is_body):
        end = len(lines) if front_end is None else front_end
        of_paper = _title_of_paper(lines, end, TEXT.enough_alone if front_end is None else TEXT.enough_points)
    place = of_paper
    if place is None and not (is_body and front_end is not None):
        place = _title_of_text(lines, len(lines) if front_end is None else front_end, is_body=is_body)
    return Title(*place, of_paper=of_paper is not None) if place else None


def _begins_as_paper(lines: Lines, *, is_body: bool) -> bool:
    """Return whether a text without the headings of a paper begins as one: with a publisher's line, or with names."""
    if len(lines.text) < TEXT.shortest_paper:
        return False
    first = list(islice(filter(None, lines.texts), TEXT.published_lines))
    published = any(is_publisher_line(line) and (is_body or not DATE_LINE.fullmatch(line)) for line in first)
    return published or any(map(lists_people, first[1:]))


def names_are_above(lines: Lines, end: int) -> bool:
    """Return whether lines above a first section name people, addresses or a publisher, as those of a paper do."""
    return any(lists_people(line) or ADDRESS.search(line) or is_publisher_line(line) for line in lines.texts[:end])


def _title_of_paper(lines: Lines, end: int, enough: float) -> tuple[int, int] | None:
    """Return the lines before line ``end`` that have most points as title; None below ``enough``."""
    front_end = lines.starts[end] if end < len(lines) else 0
    text = lines.text[front_end : front_end + TEXT.vocabulary]
    used = frozenset((_ASCII_WORD if text.isascii() else _LOWER_WORD).findall(text))
    whole = ""
    best, title, rank, last, above = enough, None, 0, -1, ""
    for at in islice((at for at in range(end) if lines.texts[at]), TEXT.title_front_lines):
        line = lines.texts[at]
        if at > last and _may_be_title(line, first=not rank):
            last = _last_line(lines, at, end, used)
            points = _count_points(lines, range(at, last + 1), used) + TEXT.each_line_before * rank
            points += (TEXT.first_line if not rank else 0) + TEXT.below_a_label * is_label(above)
            if points >= TEXT.certain_title:
                return at, last + 1
            if len(line) >= TEXT.repeated_title:
                whole = whole or lines.text.lower()
                points += TEXT.printed_again * (whole.count(line.lower()) > 1)
            if points > best or (points == best and title is None):
                best, title = points, (at, last + 1)
            rank += 1
        above = line
    return title


def _may_be_title(line: str, *, first: bool) -> bool:
    words = len(line.split())
    if len(line) > TEXT.longest_title or "@" in line or (words < TEXT.fewest_title_words and not first):
        return False
    if not any(map(str.isalpha, line)) or is_prose(line) or (line[-1] == "." and words > TEXT.sentence_words):
        return False
    return not (is_publisher_line(line) or is_label(line) or kind_of_heading(line) or DATE_LINE.fullmatch(line))


def _count_points(lines: Lines, place: range, used: frozenset[str]) -> float:
    line = _strip_marks(" ".join(lines.texts[place.start : place.stop]))
    below = list(islice((text for text in lines.texts[place.stop : place.stop + TEXT.title_near] if text), 2))
    words = _WORD.findall(line)
    share = sum(word.lower() in used for word in words) / max(1, len(words))
    points = TEXT.words_of_the_text if share > TEXT.used_words else 0.0 if share else TEXT.no_words_of_the_text
    named = bool(below) and lists_people(below[0])
    if below and not lists_people(line):
        points += TEXT.above_names if named else TEXT.above_a_name * _is_name(below[0], used)
    if not named:
        serial = any(map(SERIAL_NUMBER.fullmatch, lines.texts[place.stop : place.stop + TEXT.title_near]))
        points += TEXT.above_an_issn if serial else TEXT.above_a_publishers_line * any(map(is_publisher_line, below))
    points += TEXT.an_address * bool(ADDRESS.search(line))
    return points + TEXT.end_of_a_sentence * (line[-1:] in ".,;:")


def _is_name(line: str, used: frozenset[str]) -> bool:
    """Return whether a line may be one name, with words that the text does not use as words."""
    return bool(NAME.fullmatch(line)) and used.isdisjoint(line.lower().split())


def _last_line(lines: Lines, first: int, end: int, used: frozenset[str]) -> int:
    """Return the last line of a title, which goes on in the paper's words or after a loose end, unless too long."""
    last = first
    while last + 1 < end:
        line, above = lines.texts[last + 1], lines.texts[last]
        if not line or above[-1] in _FOOTNOTES or _AFFILIATION.search(_strip_marks(line)):
            break
        if len(line) > TEXT.longest_title or is_prose(line):
            break
        if len(line) > TEXT.taller * len(above) and _SENTENCE_END.search(line):
            break
        if above[-1] == "." or not (is_cut_short(above) or _CONTINUES.match(line) or _is_used(line, used, lines.text)):
            break
        last += 1
        if last == first + TEXT.title_lines:
            return first
    return last


def _is_used(line: str, used: frozenset[str], text: str) -> bool:
    """Return whether the paper uses the words of a line: most of them in lower case, or the line as a phrase."""
    line = _strip_marks(line)
    words = _WORD.findall(line)
    share = sum(word.lower() in used for word in words) / max(1, len(words))
    if share > (TEXT.used_words_of_names if lists_people(line) else TEXT.used_words):
        return True
    if line.isalpha() and text.find(f" {line.lower()}") >= 0:  # one word, perhaps used only later on
        return True
    acronym = len(words) == 1 and not line[1:].islower()
    return (len(words) > 1 or acronym) and not _is_name(line, used) and text.count(line, 0, TEXT.vocabulary) > 1


def _strip_marks(line: str) -> str:
    return line.rstrip(f"{_FOOTNOTES} ")


def _title_of_text(lines: Lines, end: int, *, is_body: bool) -> tuple[int, int] | None:
    """Return the first line above ``end``, below lines with a date, when it clearly is a title above text."""
    filled = (at for at, line in enumerate(lines.texts) if line)
    first = next((at for at in islice(filled, TEXT.lines_above) if not _is_about_text(lines.texts[at])), end)
    if first >= end or not _can_be_title(lines.texts[first]):
        return None
    below = islice((at for at in range(first + 1, len(lines)) if lines.texts[at]), TEXT.title_near)
    last = next((at for at in below if not _is_about_text(lines.texts[at])), None)
    if last is None:
        return None
    title, following = lines.texts[first], lines.texts[last]
    least = len(title) * (TEXT.taller if last == first + 1 else 1)
    if _SPEECH.match(title) and _SPEECH.match(following):
        return None
    if is_body and (" " not in title or title[0].islower() or following[0].islower() or len(following) < least):
        return None
    paragraph = list(takewhile(bool, lines.texts[last : last + TEXT.title_near]))
    is_heading = is_section_name(following) or kind_of_heading(following) is not None or paragraph == following.split()
    is_above_text = is_heading or any(map(_SENTENCE_END.search, paragraph))
    if not all(any(map(str.isalnum, line)) for line in lines.texts[first + 1 : last]):  # an empty line, or signs
        is_title = is_above_text or len(lines.text) - lines.starts[last] >= TEXT.taller * len(title)
    elif is_cut_short(title):
        is_title = False
    else:
        near = lines.texts[first : first + TEXT.title_front_lines]
        is_title = _is_line_of_its_own(title, paragraph, near if is_above_text else ())
        if (
            not (is_title or is_body) and len(paragraph) == 1
        ):  # the line below may be a title as well: longer ones are near
            is_title = _can_be_title(following) and not following[0].islower()
            is_title = is_title and max(map(len, near)) > max(len(title), len(following))
    return (first, first + 1) if is_title else None


def _is_line_of_its_own(title: str, paragraph: list[str], near: tuple[str, ...]) -> bool:
    """Return whether a line is none of the paragraph right below it, by scripts and lengths.

    A line of a wrapped paragraph has no room for the word that begins the next, and none is longer than the paragraph
    is wide; ``near`` are the lines around, empty where the paragraph has no sentence.
    """
    following = paragraph[0]
    is_in_capitals = len(_LONG_WORD.findall(title)) >= _FEWEST_CAPITALS and not _SMALL_WORD.search(title)
    if is_in_capitals and following[0].isupper() and _SMALL_WORD.search(following):
        return True
    if not _IDEOGRAPH.search(title) and _IDEOGRAPH.search(following):
        return True
    if len(paragraph) > 1 and all(map(_FIELD.match, paragraph)) and ":" not in title:
        return True
    if following[0].islower():
        is_short = title[-1] in "?!)" or title.count(" ") < TEXT.taller
        return is_short and len(following) >= TEXT.taller**2 * len(title)
    if len(following) >= max(TEXT.taller * len(title), TEXT.short_heading):
        return True
    room = max(map(len, near), default=0) - len(title)
    is_early = room > min(_length_of_first_word(following), TEXT.longest_first_word)
    is_wider = any(len(line) + 1 + _length_of_first_word(below) <= len(title) for line, below in pairwise(paragraph))
    return bool(near) and (is_early or (is_wider and len(paragraph) > TEXT.taller))


def _length_of_first_word(line: str) -> int:
    return len(line.split(None, 1)[0]) if " " in line else 1  # there may be no blanks between words


def _can_be_title(line: str) -> bool:
    words = len(line.split())
    if line[-1] in ".,;:。，；：…" or len(line) > TEXT.longest_title or words > TEXT.most_title_words:
        return False
    is_other = is_section_name(line) or kind_of_heading(line) or _NO_TITLE.match(line) or is_publisher_line(line)
    return not is_other and any(map(str.isalpha, line))


def _is_about_text(line: str) -> bool:
    """Return whether a line above or below a title is a date, number or name, or signs that underline it."""
    is_known = DATE_LINE.fullmatch(line) or _BYLINE.match(line) or _MARKUP_LINE.fullmatch(line)
    return bool(is_known) or not any(map(str.isalnum, line))


def find_above_title(lines: Lines, title: int) -> list[int]:
    """Return the lines above a title that are a journal's name, date, label ...: all short ones that are not prose."""
    above = enumerate(lines.texts[:title])
    return [at for at, line in above if line and len(line) <= TEXT.longest_above and not is_prose(line)]


def mark_below_title(lines: Lines, begin: int, end: int, opens: SectionKind | None) -> list[Mark]:
    """Return where prose (an abstract unless the next heading opens one) and names change below the title."""
    blocks = list(_blocks(lines, begin, end))
    texts = [_text(lines, block) for block in blocks]
    first = next((place for place, text in enumerate(texts) if is_prose(text)), len(blocks))
    is_headed = opens == SectionKind.ABSTRACT
    authors = [
        _is_about_authors(text) or (place < first and (is_headed or text[-1] not in ".!?"))
        for place, text in enumerate(texts)
    ]
    length = sum(len(text) for text, named in zip(texts, authors, strict=True) if not named)
    plain = SectionKind.BODY if is_headed or length > TEXT.plain_abstract else SectionKind.ABSTRACT
    return [
        (lines.starts[block.start], SectionKind.AUTHORS if named else plain)
        for block, named, above in zip(blocks, authors, [None, *authors], strict=False)
        if named is not above
    ]


def mark_authors(lines: Lines, begin: int, limit: int) -> list[Mark]:
    """Return where names and addresses between a title and line ``limit`` of a text that is not a paper are."""
    end = begin
    for block in _blocks(lines, begin, limit):
        text = _text(lines, block)
        if is_prose(text) or not _is_about_authors(text):
            break
        end = block.stop
    return [(lines.starts[begin], SectionKind.AUTHORS), (lines.starts[end], SectionKind.BODY)] if end > begin else []


_NOTE = re.compile(r"\W{0,2}(?:\d |to whom|correspond|e-?mail|edited by|contributed by|communicated by)", re.IGNORECASE)


def _is_about_authors(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    if len(text) > TEXT.longest_above and text.endswith("."):
        return False
    if letters <= TEXT.mark_letters or lists_people(text) or ADDRESS.search(text):
        return True
    return is_publisher_line(text) or bool(_NOTE.match(text))


def _blocks(lines: Lines, begin: int, end: int) -> Iterator[range]:
    """Yield runs of lines between blank ones; a line that is a paragraph of its own is a run."""
    first = None
    for at in range(begin, end):
        line = lines.texts[at]
        if first is not None and (not line or len(line) > TEXT.paragraph):
            yield range(first, at)
            first = None
        if len(line) > TEXT.paragraph:
            yield range(at, at + 1)
        elif line and first is None:
            first = at
    if first is not None:
        yield range(first, end)


def _text(lines: Lines, block: range) -> str:
    return " ".join(filter(None, lines.texts[block.start : block.stop]))
