"""Where a keyphrase stands in its document, for people: section, page, and a sentence that shows it."""

import bisect
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Document, SectionKind
from keywright.core.predictions import Keyphrase, Prediction

_REACH: Final = 140
"""Characters of a sentence shown on each side of the phrase."""

_NO_SENTENCES: Final = {SectionKind.TITLE, SectionKind.HEADING, SectionKind.REFERENCES}
_ENDS = re.compile(r"(?<=[.!?])[\s\"'”’)]*\s+(?=\W*[A-Z0-9À-Þ])|\n\s*\n")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A sentence, or what is near, around a phrase; an ellipsis stands where it was cut."""

    before: str
    phrase: str
    after: str


def sections_of(document: Document, keyphrase: Keyphrase) -> Counter[SectionKind]:
    """How often the phrase stands in each kind of section, in the order of first mention."""
    return Counter(_kind(document, start) for start, _ in keyphrase.spans)


def pages_of(document: Document, keyphrase: Keyphrase) -> tuple[int, ...]:
    """Pages, from 1, that the phrase stands on; empty when the document has none."""
    pages = document.meta.get("pages")
    if not isinstance(pages, Sequence) or not pages:
        return ()
    return tuple(sorted({max(1, bisect.bisect_right(pages, start)) for start, _ in keyphrase.spans}))


def snippet(document: Document, keyphrase: Keyphrase, prediction: Prediction) -> Snippet | None:
    """The sentence with the phrase that holds most of the other keyphrases, and the earliest of these.

    Titles, headings and references count only where there is nothing else. None when the phrase is not in the document.
    """
    spans = [span for span in keyphrase.spans if _kind(document, span[0]) not in _NO_SENTENCES] or keyphrase.spans
    borders = [0, *(found.end() for found in _ENDS.finditer(document.text)), len(document.text)]
    starts = [start for other in prediction.keyphrases if other is not keyphrase for start, _ in other.spans[:200]]
    starts.sort()
    best: tuple[int, int, int, int] | None = None
    for start, end in spans:
        place = bisect.bisect_right(borders, start) - 1
        left, right = borders[place], max(end, borders[min(place + 1, len(borders) - 1)])
        held = bisect.bisect_left(starts, right) - bisect.bisect_left(starts, left)
        if best is None or held > best[0]:
            best = held, start, left, right
    if best is None:
        return None
    _, start, left, right = best
    end = next(end for begin, end in keyphrase.spans if begin == start)
    return Snippet(
        _cut_left(document.text[left:start]), _one_line(document.text[start:end]), _cut_right(document.text[end:right])
    )


def _kind(document: Document, at: int) -> SectionKind:
    """Kind of the section that a character stands in."""
    place = bisect.bisect_right(document.sections, at, key=lambda section: section.start) - 1
    inside = place >= 0 and at < document.sections[place].end
    return document.sections[place].kind if inside else SectionKind.BODY


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _cut_left(text: str) -> str:
    line = _one_line(text).lstrip()
    if len(line) <= _REACH:
        return line
    return "… " + line[-_REACH:].partition(" ")[2]


def _cut_right(text: str) -> str:
    line = _one_line(text).rstrip()
    if len(line) <= _REACH:
        return line
    return line[:_REACH].rpartition(" ")[0] + " …"
