"""Headings among the lines of a bare text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import SectionKind
from keywright.core.word_lists import read_patterns
from keywright.reading.bare_text.bare_lines import Lines, is_cut_short, is_in_capitals
from keywright.reading.headings import FIRST_WORDS, is_section_name, kind_of_heading, run_in_heading
from keywright.reading.page_numbers import TEXT

_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(\S.*)")
_ROMAN = re.compile(r"([IVX]{1,5})\.\s+([^a-z]{4,})")
_APPENDIX = re.compile(read_patterns("reading/patterns.txt")["APPENDIX"])
_FIRST_LETTERS = re.compile(r"[^\W\d_]{3}|[^a-z]{5}|(?:An?|On|In|To) \w")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


# First words of headings without number that are not in capitals. A set look-up is all that most lines cost.
_BEGINNINGS: Final = frozenset(word[:3] for word in FIRST_WORDS)
"""Their first three letters, which settle most lines without a look at the whole word."""
_IN_FRONT: Final = {SectionKind.ABSTRACT, SectionKind.KEYWORDS}
_WITHOUT_TEXT_CASE: Final = {SectionKind.KEYWORDS, SectionKind.METADATA}
"""Sections whose text may begin with a small letter."""
_IN_PROSE: Final = {SectionKind.METADATA, SectionKind.ABSTRACT, SectionKind.REFERENCES}
"""Sections whose headings mean nothing else, even right under an unfinished sentence."""


@dataclass(frozen=True, slots=True)
class LineHeading:
    """A heading in lines ``first`` to ``last`` that ``opens`` a kind of section, None for an ordinary one.

    ``number``: such as (3, 1), or empty; ``run_in``: its length when text follows on the same line, else 0;
    ``appendix``: it may open one.
    """

    first: int
    last: int
    opens: SectionKind | None
    number: tuple[int, ...] = ()
    run_in: int = 0
    appendix: bool = False
    capitals: bool = False

    @property
    def level(self) -> int:
        """Return the depth of the number, 1 without."""
        return max(1, len(self.number))


def find_headings(lines: Lines) -> list[LineHeading]:
    """Return headings in reading order: numbered ones in sequence, known ones where they can be, lines in capitals."""
    return _keep_placed(lines, _keep_sequence(list(_candidates(lines))))


def _candidates(lines: Lines) -> Iterator[LineHeading]:
    longest = TEXT.longest_heading
    for at, line in enumerate(lines.texts):
        first = line[:1]
        if not first or first.islower():
            continue
        heading = None
        begin = line[1:5]
        if first.isdigit():
            heading = _numbered_heading(lines, at)
        elif len(line) <= longest and not (begin.islower() and begin.isalpha()) and is_in_capitals(line):
            heading = _capital_heading(lines, at)
        elif line[:3].lower() in _BEGINNINGS and (word := _FIRST_WORD.match(line)) and word[0].lower() in FIRST_WORDS:
            heading = _known_heading(lines, at)
        elif line.startswith("Appendi") and _APPENDIX.fullmatch(line):
            heading = LineHeading(at, at, None, appendix=True)
        if heading:
            yield heading


def _numbered_heading(lines: Lines, at: int) -> LineHeading | None:
    line = lines.texts[at]
    match = _NUMBERED.fullmatch(line) if len(line) <= TEXT.longest_heading else None
    if not match:
        return None
    number, words = tuple(map(int, match[1].split("."))), match[2]
    if not words[0].isalpha() or words[0].islower() or words[-1] in ",;:=" or len(words.split()) > TEXT.heading_words:
        return None
    if not _FIRST_LETTERS.match(words):  # labels of figures and cells of tables
        return None
    if words[-1] == "." and len(number) == 1 and not kind_of_heading(words):
        return None
    capitals = is_in_capitals(words)
    if not capitals and lines.after(at)[:1].islower() and words[-1] != "-":
        return None  # the item of a list that continues
    last = _last_line(lines, at, capitals=capitals)
    return LineHeading(at, last, _opens(lines, words, at, last), number, capitals=capitals)


def _capital_heading(lines: Lines, at: int) -> LineHeading | None:
    line = lines.texts[at]
    last = _last_line(lines, at, capitals=True)
    opens = _opens(lines, line, at, last)
    if opens or _ROMAN.fullmatch(line):
        return LineHeading(at, last, opens)
    if _APPENDIX.fullmatch(line):
        return LineHeading(at, last, None, appendix=True)
    before, after = lines.before(at), lines.after(last)
    above_prose = len(after) > TEXT.short_heading and after[0].isupper() and not is_in_capitals(after)
    alone = not before or before[-1] in ".?!:"
    words = len(line) >= TEXT.shortest_capitals and not any(map(str.isdigit, line))
    return LineHeading(at, last, None) if above_prose and alone and words and at else None


def _known_heading(lines: Lines, at: int) -> LineHeading | None:
    line = lines.texts[at]
    if run_in := run_in_heading(line):
        kind, length = run_in
        return LineHeading(at, at, kind, run_in=length if length < len(line) else 0)
    opens = kind_of_heading(line)
    if (opens is None and not is_section_name(line)) or line[-1] in ".,;" or len(line) > TEXT.short_heading:
        return None
    if lines.after(at)[:1].islower() and opens not in _WITHOUT_TEXT_CASE:
        return None
    before = lines.before(at)
    in_sentence = len(before) > TEXT.short_heading and before[-1] not in ".?!:)]"
    return None if in_sentence and opens not in _IN_PROSE else LineHeading(at, at, opens)


def _opens(lines: Lines, words: str, first: int, last: int) -> SectionKind | None:
    """Return the kind of section that the words of the first line open, else all lines together."""
    kind = kind_of_heading(words)
    return kind_of_heading(" ".join(lines.texts[first : last + 1])) if kind is None and last > first else kind


def _last_line(lines: Lines, first: int, *, capitals: bool) -> int:
    """Return the last line of a heading: one in capitals continues in capitals, others only after a loose end."""
    end = min(first + TEXT.heading_lines, len(lines)) - 1
    for last in range(first, end):
        line, following = lines.texts[last], lines.texts[last + 1]
        if not following[:1].isalpha() or len(following) > TEXT.short_heading or following[-1] in ".,;":
            return last
        continues = is_in_capitals(following) and not kind_of_heading(following)
        if not capitals:
            continues = following[0].isupper() and is_cut_short(line)
        if following[1:2] == "." or not continues:
            return last
    return end


def _keep_sequence(candidates: list[LineHeading]) -> list[LineHeading]:
    """Drop numbered headings out of sequence, and ordinary ones without number where the text numbers its headings."""
    latest = {heading.number: heading.first for heading in candidates if heading.number}
    headings: list[LineHeading] = []
    last: tuple[int, ...] = ()
    capitals = False  # whether outermost numbered headings of this text are in capitals
    for heading in candidates:
        if headings and heading.first <= headings[-1].last:
            continue
        if heading.number:
            outermost = heading.level == 1
            between = range(last[0] + 1 if last else 1, heading.number[0])
            early = any(latest.get((number,), -1) > heading.first for number in between)
            misfit = early or not _follows(last, heading.number) or (outermost and capitals and not heading.capitals)
            if misfit and not (outermost and heading.opens):
                continue
            capitals = capitals or (outermost and heading.capitals)
            last = heading.number
        headings.append(heading)
    if sum(bool(heading.number) for heading in headings) >= TEXT.numbered_text:
        return [heading for heading in headings if heading.number or heading.opens or heading.appendix]
    return headings


def _follows(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Return whether a heading's number can come next: 3 or 2.2 or 2.1.1 after 2.1, with some lost between."""
    if not last:
        return number[0] <= TEXT.last_first_number
    same = 0
    while same < min(len(last), len(number)) and last[same] == number[same]:
        same += 1
    if same == len(number):
        return False
    step = number[same] - (last[same] if same < len(last) else 0)
    return 0 < step <= TEXT.largest_step and all(part <= TEXT.largest_step for part in number[same + 1 :])


def _keep_placed(lines: Lines, headings: list[LineHeading]) -> list[LineHeading]:
    """Drop headings that cannot be where they are: within references only appendix, thanks or a number follow."""
    references = None
    for heading in headings:
        if heading.opens == SectionKind.REFERENCES:
            late = 2 * lines.starts[heading.first] > lines.starts[-1]
            listed = lines.after(heading.last)[:1] in {"[", "1"}
            if late or (listed and references is None):
                references = heading
    placed: list[LineHeading] = []
    within_references = False
    for heading in headings:
        closes = heading.appendix or heading.opens == SectionKind.ACKNOWLEDGEMENTS
        if references and references.number and heading.number:
            closes = closes or heading.number[0] == references.number[0] + 1
        stray = heading.opens == SectionKind.REFERENCES and heading is not references
        stray = stray or (heading.opens in _IN_FRONT and lines.starts[heading.first] > TEXT.front)
        if stray or (within_references and not closes):
            continue
        within_references = heading is references
        placed.append(heading)
    return placed
