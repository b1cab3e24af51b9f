"""Words and turns that readers of messages, help and documents should not meet, each with its plain replacement."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    """A word or turn to replace: a regular expression, in which case does not matter, and what to write."""

    pattern: str
    plain: str


TURNS = (
    Turn(r"\bhonest probabilit", "a calibrated probability"),
    Turn(r"\bpromis(?:e|es|ed|ing)\b", "guarantee"),
    Turn(r"\bsurely\b|\bsurer\b|\bsurest\b", "with what confidence; more confident"),
    Turn(r"\bsoups?\b", "degenerate output"),
    Turn(r"\bstands? (?:in|for|wherever|on|at|there|once|with|alone|under|below|above|beside)\b", "is, means"),
    Turn(r"\b(?:is|are|was|were) told\b|\btold apart\b", "is given; distinguished"),
    Turn(r"\bhears?\b|\btakes? up\b|\bgoes on from\b", "receives; continues from"),
    Turn(r"\blikewise\b|, too\b", "also"),
    Turn(
        r"(?<!there )\b(?:is|are|was|were) no (?!more|less|longer|better|worse|larger|smaller|higher|lower)", "is not a"
    ),
    Turn(r"\bmeet by their stems\b", "are matched by stem"),
    Turn(r"\bends? (?:it )?with (?:status )?[0-9]\b(?! %)", "exits with status"),
    Turn(r"\baccidents?\b", "known bugs"),
    Turn(r"\bwhen it is whole\b|\bwritten whole\b", "written atomically"),
    Turn(r"\b(?:get|fetch|fetches) it again\b", "download it again"),
    Turn(r"\bwants? (?:phrases|an? |the |to be)", "requires"),
    Turn(r"\bwon, (?:equal|tied)\b|\bequal, lost\b|\bwon/equal\b", "wins, ties, losses"),
    Turn(r"\bwhat is right\b|\bright phrases?\b|\bas right is\b", "precision; correct phrases"),
    Turn(r"\blearnt\b", "trained, fitted, learned"),
    Turn(r"\b(?:phrases|keyphrases|words) a (?:document|paper)\b", "phrases per document"),
    Turn(r"\bgold of all kinds\b", "any kind of gold"),
    Turn(r"\bbound to blanks\b", "split at whitespace"),
    Turn(r"\bleaves your machine\b", "runs locally"),
    Turn(r"\bwith less knowledge\b", "with fewer resources"),
    Turn(r"\bin the manner of\b", "in the style of"),
)

OPENING = re.compile(r"(?:^|(?<=[.!?:] )|(?<=\| )|(?<=[*-] ))(?:Of (?!course)|Those |Whatever |That (?!is\b))")
"""A sentence that opens with Of, Those, Whatever or That."""


@dataclass(frozen=True)
class Finding:
    """A turn in a text: its line, its words, and what to write."""

    line: int
    words: str
    plain: str


def findings(text: str, turns: Sequence[Turn] = TURNS) -> Iterator[Finding]:
    """Yield the turns of a text that should be replaced, in the order of the list; line ends count as spaces."""
    flat = re.sub(r"\s", " ", text)
    for turn in turns:
        for match in re.finditer(turn.pattern, flat, re.IGNORECASE):
            yield Finding(text.count("\n", 0, match.start()) + 1, match[0], turn.plain)


def openings(text: str) -> Iterator[Finding]:
    """Yield sentences of a text that open with a word that hides their subject."""
    flat = re.sub(r"(?<!\n)\n(?=\S)", " ", text)
    for match in re.finditer(OPENING.pattern, flat, re.MULTILINE):
        words = flat[match.start() : match.start() + 40]
        yield Finding(text.count("\n", 0, match.start()) + 1, words, "begin with the subject")
