"""The title of a bare text: its first lines, up to the authors or the text itself."""

import re
from typing import Final

from keywright.reading.bare_text.bare_lines import Lines, cut_short
from keywright.reading.bare_text.headings import kind_of_heading

LONGEST_TITLE: Final = 250
_MOST_LINES: Final = 4
_MOST_WORDS: Final = 30
_VOCABULARY: Final = 10_000  # characters of text that show which words a paper uses as words, not as names

_MARKS: Final = "∗*†‡§¶"
"""What authors' footnotes are marked with; a mark closes a title."""

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
_GOES_ON = re.compile(
    r"(?:of|for|and|in|on|to|with|from|by|at|into|via|using|under|between|through|as|or|vs|without|within|over)\b"
)


def title_of_paper(lines: Lines, end: int, text: str) -> tuple[int, int] | None:
    """First line of a paper's title and the line after its last; None when there is none.

    A line goes on with the title when the line above cannot end one, or when its words are words that the paper uses,
    which the names of authors are not.

    Args:
        lines: the text's lines.
        end: the line before which the title must end: that of the abstract or introduction.
        text: the text after it.
    """
    first = next((at for at in range(end) if lines.texts[at] and not _RUNNING_HEAD.match(lines.texts[at])), end)
    if first == end or len(lines.texts[first]) > LONGEST_TITLE or _AFFILIATION.search(_unmarked(lines.texts[first])):
        return None
    known = frozenset(_LOWER_WORD.findall(text, 0, _VOCABULARY))
    last = first
    while last + 1 < min(end, first + _MOST_LINES):
        line, above = lines.texts[last + 1], lines.texts[last]
        if not line or above[-1] in _MARKS or _AFFILIATION.search(_unmarked(line)):
            break
        if not (cut_short(above) or _GOES_ON.match(line) or _is_familiar(_unmarked(line), known, text)):
            break
        last += 1
    return first, last + 1


def _is_familiar(line: str, known: frozenset[str], text: str) -> bool:
    """Whether a line is made of words that the paper uses: most of them in lower case, or all of it as a phrase."""
    words = _WORD.findall(line)
    if 2 * sum(1 for word in words if word.lower() in known) > len(words):
        return True
    if line.isalpha() and text.find(f" {line.lower()}") >= 0:  # one word, perhaps used only later on
        return True
    acronym = len(words) == 1 and not line[1:].islower()
    return (len(words) > 1 or acronym) and text.find(line, 0, _VOCABULARY) >= 0


def _unmarked(line: str) -> str:
    return line.rstrip(f"{_MARKS} ")


def title_of_text(lines: Lines) -> tuple[int, int] | None:
    """The same for a text that is no paper: its first line when it clearly is a title, else None.

    It must be short, not end like a sentence, and stand above a blank line or a much longer paragraph; a line that
    names the author of a news story may stand between.
    """
    first = next((at for at, line in enumerate(lines.texts) if line), None)
    if first is None or first + 1 >= len(lines):
        return None
    line = lines.texts[first]
    words = line.split()
    sentence = line[-1] in ".,;:。．…" or line[0].islower() or kind_of_heading(line) is not None
    if sentence or len(line) > LONGEST_TITLE or not 2 <= len(words) <= _MOST_WORDS:  # noqa: PLR2004 - one word is too unclear
        return None
    below = lines.texts[first + 1]
    following = below or lines.after(first)
    if _BYLINE.match(following):
        last = lines.texts.index(following, first)
        below, following = "", lines.after(last)
    if following[:1].islower() or (below and len(below) < 2 * len(line)) or len(following) < len(line):
        return None
    return first, first + 1
