"""Lines of bare text, and the headings among them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from keywright.core.documents import SectionKind
from keywright.reading.bare_text.headings import LONGEST_HEADING, kind_of_heading, run_in_heading

_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(\S.*)")
_ROMAN = re.compile(r"([IVX]{1,5})\.\s+([^a-z]{4,})")
_APPENDIX = re.compile(
    r"(?:APPENDI(?:X|CES)|Appendi(?:x|ces))\b[^a-z]{0,4}(?:\s?[A-Z].{0,60})?|[A-Z]\.?\s[A-Z]{2}[A-Z0-9 ,:&'’/-]{3,}"
)
_LOOSE_END = re.compile(
    r"(?:a|an|the|of|for|and|or|in|on|to|with|from|by|at|into|via|using|vs\.?|under|between)|.*[-:,&(/]", re.IGNORECASE
)
_FIRST_LETTERS = re.compile(r"[^\W\d_]{3}|[^a-z]{5}|(?:An?|On|In|To) \w")
_LOWER_RUN = re.compile(r"[a-zà-öø-ÿ]{4}")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS: Final = 12
_SHORT: Final = LONGEST_HEADING // 2
_JUMP: Final = 3  # numbers that may be missing between two headings, because the conversion lost a line

# First words of headings without number that are no heading in capitals. A set look-up is all most lines cost.
_FIRST_WORDS: Final = frozenset(
    """abstract zusammenfassung kurzfassung résumé resumen resumo riassunto summary synopsis keywords keyword key
    index schlüsselwörter mots palabras palavras parole categories general ccs additional jel introduction einleitung
    einführung introducción introdução related previous prior background literature conclusion conclusions concluding
    final future discussion fazit ausblick acknowledgements acknowledgments acknowledgement acknowledgment danksagung
    remerciements agradecimientos funding references bibliography literatur literaturverzeichnis références referencias
    referências bibliografía works author data conflict conflicts competing supplementary supporting acm""".split()
)


@dataclass(frozen=True, slots=True)
class Lines:
    """A text as lines: each without white space around, and where it starts in the text.

    Attributes:
        texts: the lines.
        starts: offset of the first character of each; last of all the text's length.
        width: length of a full line: four in five are no longer.
    """

    texts: tuple[str, ...]
    starts: tuple[int, ...]
    width: int

    @classmethod
    def of(cls, text: str) -> "Lines":
        """Lines of a text; an empty text has one empty line."""
        raw = text.split("\n")
        starts = [*accumulate([len(line) + 1 for line in raw[:-1]], initial=0), len(text)]
        texts = tuple([line.strip() for line in raw])
        lengths = sorted(map(len, texts))
        return cls(texts, tuple(starts), lengths[len(lengths) * 4 // 5])

    def __len__(self) -> int:
        """Number of lines."""
        return len(self.texts)

    def after(self, line: int) -> str:
        """Next line that is not blank, of the three that follow; else empty."""
        return next((text for text in self.texts[line + 1 : line + 4] if text), "")

    def before(self, line: int) -> str:
        """The line before; empty at the start or when it is blank."""
        return self.texts[line - 1] if line else ""


@dataclass(frozen=True, slots=True)
class LineHeading:
    """A heading in lines ``first`` to ``last``.

    Attributes:
        opens: kind of section that it opens; None for an ordinary heading.
        level: 1 for the outermost.
        number: its number, such as (3, 1); empty when it has none.
        run_in: length of the heading when its text follows on the same line, else 0.
        appendix: whether it may open an appendix.
    """

    first: int
    last: int
    opens: SectionKind | None
    number: tuple[int, ...] = ()
    run_in: int = 0
    appendix: bool = False

    @property
    def level(self) -> int:
        """Depth of its number; 1 without."""
        return max(1, len(self.number))


def find_headings(lines: Lines) -> list[LineHeading]:
    """Headings in reading order: numbered ones that keep their sequence, known ones, and lines in capitals."""
    candidates = list(_candidates(lines))
    latest = {heading.number: heading.first for heading in candidates if heading.number}
    found: list[LineHeading] = []
    last: tuple[int, ...] = ()
    capitals = False  # whether outermost numbered headings of this text are in capitals
    for heading in candidates:
        if found and heading.first <= found[-1].last:
            continue
        if heading.number:
            outermost = heading.level == 1
            upper = in_capitals(lines.texts[heading.first])
            known = outermost and heading.opens is not None
            between = range(last[0] + 1 if last else 1, heading.number[0])
            early = any(latest.get((number,), -1) > heading.first for number in between)
            unfit = early or not _follows(last, heading.number) or (outermost and capitals and not upper)
            if unfit and not known:
                continue
            capitals = capitals or (outermost and upper)
            last = heading.number
        found.append(heading)
    if sum(1 for heading in found if heading.number) >= 3:  # noqa: PLR2004 - a numbered text numbers all its headings
        found = [heading for heading in found if heading.number or heading.opens or heading.appendix]
    return found


def cut_short(line: str) -> bool:
    """Whether a line ends as no title or heading can: in a hyphen, colon, preposition ..."""
    words = line.rsplit(None, 1)
    return bool(words) and bool(_LOOSE_END.fullmatch(words[-1]))


def in_capitals(line: str) -> bool:
    """Whether at least three quarters of a line's letters are capitals."""
    if line.isupper():
        return True
    if _LOWER_RUN.search(line):  # settles nearly all lines at once
        return False
    letters = sum(map(str.isalpha, line))
    return letters > 3 and 4 * sum(map(str.isupper, line)) >= 3 * letters  # noqa: PLR2004 - as said above


def _candidates(lines: Lines) -> Iterator[LineHeading]:
    for at, line in enumerate(lines.texts):
        if not line or line[0].islower():
            continue
        heading = None
        if line[0].isdigit():
            heading = _numbered(lines, at)
        elif len(line) <= LONGEST_HEADING and in_capitals(line):
            heading = _capitals(lines, at)
        elif (word := _FIRST_WORD.match(line)) and word[0].lower() in _FIRST_WORDS:
            heading = _known(lines, at)
        elif line.startswith("Appendi") and _APPENDIX.fullmatch(line):
            heading = LineHeading(at, at, None, appendix=True)
        if heading:
            yield heading


def _numbered(lines: Lines, at: int) -> LineHeading | None:
    line = lines.texts[at]
    match = _NUMBERED.fullmatch(line) if len(line) <= LONGEST_HEADING else None
    if not match:
        return None
    number, words = tuple(map(int, match[1].split("."))), match[2]
    if not words[0].isalpha() or words[0].islower() or words[-1] in ",;:=" or len(words.split()) > _MOST_WORDS:
        return None
    if not _FIRST_LETTERS.match(words):  # labels of figures and cells of tables
        return None
    if words[-1] == "." and len(number) == 1 and not kind_of_heading(words):
        return None
    if not in_capitals(words) and lines.after(at)[:1].islower() and words[-1] != "-":
        return None  # the item of a list, running on
    last = _last_line(lines, at)
    opens = kind_of_heading(words)
    if opens is None and last > at:
        opens = kind_of_heading(" ".join(lines.texts[at : last + 1]))
    return LineHeading(at, last, opens, number)


def _capitals(lines: Lines, at: int) -> LineHeading | None:
    line = lines.texts[at]
    last = _last_line(lines, at)
    opens = kind_of_heading(line) or (kind_of_heading(" ".join(lines.texts[at : last + 1])) if last > at else None)
    if opens or _ROMAN.fullmatch(line):
        return LineHeading(at, last, opens)
    if _APPENDIX.fullmatch(line):
        return LineHeading(at, last, None, appendix=True)
    before, after = lines.before(at), lines.after(last)
    prose = len(after) > _SHORT and after[0].isupper() and not in_capitals(after)
    lonely = not before or before[-1] in ".?!:"
    words = len(line) > 5 and not any(map(str.isdigit, line))  # noqa: PLR2004 - shorter ones are labels of figures
    return LineHeading(at, last, None) if prose and lonely and words and at else None


def _known(lines: Lines, at: int) -> LineHeading | None:
    line = lines.texts[at]
    if run_in := run_in_heading(line):
        kind, length = run_in
        return LineHeading(at, at, kind, run_in=length if length < len(line) else 0)
    opens = kind_of_heading(line)
    if opens is None or line[-1] in ".,;" or len(line) > _SHORT:
        return None
    if lines.after(at)[:1].islower() and opens not in {SectionKind.KEYWORDS, SectionKind.METADATA}:
        return None
    before = lines.before(at)
    in_prose = len(before) > _SHORT and before[-1] not in ".?!:)]"
    always = opens in {SectionKind.METADATA, SectionKind.ABSTRACT, SectionKind.REFERENCES}
    return None if in_prose and not always else LineHeading(at, at, opens)


def _last_line(lines: Lines, at: int) -> int:
    """Last line of a heading that begins in a line: one in capitals goes on in capitals, any after a loose end."""
    capitals = in_capitals(lines.texts[at])
    for last in range(at, min(at + 2, len(lines) - 1)):
        line, following = lines.texts[last], lines.texts[last + 1]
        if not following[:1].isalpha() or len(following) > _SHORT or following[-1] in ".,;" or following[1:2] == ".":
            return last
        if capitals:
            goes_on = in_capitals(following) and not kind_of_heading(following)
        else:
            goes_on = following[0].isupper() and cut_short(line)
        if not goes_on:
            return last
    return min(at + 2, len(lines) - 1)


def _follows(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether a heading's number can come next: 3 or 2.2 or 2.1.1 after 2.1, with a few lost on the way."""
    if not last:
        return number[0] <= 2  # noqa: PLR2004 - the first may be lost
    same = 0
    while same < min(len(last), len(number)) and last[same] == number[same]:
        same += 1
    if same == len(number):
        return False
    step = number[same] - (last[same] if same < len(last) else 0)
    return 0 < step <= _JUMP and all(part <= _JUMP for part in number[same + 1 :])
