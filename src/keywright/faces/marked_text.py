"""The text of a document as HTML, with the mentions of its keyphrases marked."""

import bisect
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from keywright.core.document_parts import all_sections
from keywright.core.documents import Document, Section, SectionKind
from keywright.core.predictions import Keyphrase, Prediction
from keywright.faces.escaping import escaped
from keywright.faces.phrase_location import one_line

BEST: Final = 3
"""Number of phrases that stand out; arbitrary."""
_GAP: Final = re.compile(r"\n\s*\n")
_SHORT_LINE: Final = 45
"""Mean line length in characters below which line breaks are kept, as in tables and code; arbitrary."""


class MarkedText:
    """The text of a document as HTML, phrases marked with their ranks.

    Overlapping phrases are cut into pieces, each with the ranks of all phrases that cover it.
    """

    def __init__(self, document: Document, prediction: Prediction, place: str) -> None:
        self._document = document
        self._place = place
        self._texts = prediction.texts
        self._first: dict[int, list[int]] = {}
        for rank, keyphrase in enumerate(prediction.keyphrases, start=1):
            for start, _ in keyphrase.spans[:1]:
                self._first.setdefault(start, []).append(rank)
        self._pieces = _pieces(prediction.keyphrases)
        self._starts = [start for start, _, _ in self._pieces]

    def blocks(self) -> Iterator[str]:
        """Yield headings and paragraphs in order."""
        after_heading = False
        for section in all_sections(self._document):
            text = self._document.text[section.start : section.end]
            if not text.strip():
                continue
            if section.kind in {SectionKind.TITLE, SectionKind.HEADING}:
                yield f'<h4 class="{section.kind}" dir="auto">{self.html(section.start, section.end)}</h4>\n'
            else:
                if section.kind != SectionKind.BODY and not after_heading:
                    yield f'<h4 class="kind" lang="en">{section.kind.value.capitalize()}</h4>\n'
                yield from self._paragraphs(section)
            after_heading = section.kind == SectionKind.HEADING

    def _paragraphs(self, section: Section) -> Iterator[str]:
        start = section.start
        text = self._document.text[section.start : section.end]
        gaps = [(0, 0), *(gap.span() for gap in _GAP.finditer(text)), (len(text), len(text))]
        for (_, begin), (end, _) in itertools.pairwise(gaps):
            lines = text[begin:end].strip().split("\n")
            if lines != [""]:
                short = len(lines) > 1 and sum(map(len, lines)) / len(lines) < _SHORT_LINE
                kind = ' class="lines"' if short else ""
                yield f'<p{kind} dir="auto">{self.html(start + begin, start + end).strip()}</p>\n'

    def html(self, start: int, end: int) -> str:
        """Return a stretch of the text, phrases marked."""
        pieces, at = [], start
        place = max(0, bisect.bisect_right(self._starts, start) - 1)
        while place < len(self._pieces) and self._pieces[place][0] < end:
            left, right, ranks = self._pieces[place]
            left, right = max(left, start), min(right, end)
            if left < right:
                pieces.append(escaped(self._document.text[at:left]))
                pieces.append(self._mark(left, right, ranks))
                at = right
            place += 1
        pieces.append(escaped(self._document.text[at:end]))
        return "".join(pieces)

    def _mark(self, start: int, end: int, ranks: tuple[int, ...]) -> str:
        anchors = "".join(f'<a id="{self._place}-{rank}"></a>' for rank in self._first.get(start, ()))
        title = "; ".join(f"{rank}. {one_line(self._texts[rank - 1])}" for rank in ranks)
        best = ' class="best"' if ranks[0] <= BEST else ""
        places = " ".join(map(str, ranks))
        shown = escaped(self._document.text[start:end])
        return f'{anchors}<mark{best} data-ranks="{places}" title="{escaped(title)}">{shown}</mark>'


def _pieces(keyphrases: Sequence[Keyphrase]) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return stretches that the same phrases cover, in order: first character, end, and ranks from 1.

    A sweep over the boundaries of all mentions keeps the number of open mentions of each phrase.
    """
    changes: dict[int, list[int]] = {}
    for rank, keyphrase in enumerate(keyphrases, start=1):
        for start, end in keyphrase.spans:
            changes.setdefault(start, []).append(rank)
            changes.setdefault(end, []).append(-rank)
    pieces: list[tuple[int, int, tuple[int, ...]]] = []
    depth: dict[int, int] = {}
    last = 0
    for at in sorted(changes):
        if depth:
            pieces.append((last, at, tuple(sorted(depth))))
        for change in changes[at]:
            rank = abs(change)
            depth[rank] = depth.get(rank, 0) + (1 if change > 0 else -1)
            if not depth[rank]:
                del depth[rank]
        last = at
    return pieces
