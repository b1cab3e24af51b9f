"""Where a keyphrase stands, in words for people: sections, pages, and a sentence that shows it."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Document
from keywright.core.locations import places_of
from keywright.core.predictions import Keyphrase, Place

_REACH: Final = 140
"""Characters of a sentence shown on each side of the phrase."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A sentence around a phrase; an ellipsis stands where it was cut."""

    before: str
    phrase: str
    after: str


def where(document: Document, keyphrase: Keyphrase) -> str:
    """``title, abstract 2, body 11; pages 1, 2, 5``: mentions by sections, then all pages."""
    if not keyphrase.present:
        return "not in the document"
    places = places_of(document, keyphrase.spans)
    counts: Counter[str] = Counter()
    for place in places:
        counts[place.section.value] += place.mentions
    sections = ", ".join(f"{kind} {count}" if count > 1 else kind for kind, count in counts.items())
    pages = sorted({place.page for place in places if place.page})
    return sections + (f"; page{'s' * (len(pages) > 1)} {', '.join(map(str, pages))}" if pages else "")


def places_words(places: Iterable[Place]) -> str:
    """``title p. 1; body p. 2 ×7, 4``: of each section its pages, each with its mentions where they are several."""
    sections: dict[str, list[str]] = {}
    for place in places:
        page = str(place.page) if place.page else ""
        several = f"×{place.mentions}" if place.mentions > 1 else ""
        sections.setdefault(place.section.value, []).append(f"{page} {several}".strip())
    paged = any(text[:1].isdigit() for pages in sections.values() for text in pages)
    return "; ".join(f"{kind} {'p. ' * paged}{', '.join(pages)}".strip() for kind, pages in sections.items())


def reason_rows(keyphrase: Keyphrase) -> list[tuple[str, str]]:
    """Each group of reasons, and its numbers: ``mentions 3.2, rarity 2``.

    Groups that are one number of their own name each are what they add to the score: those that add most come first.
    """
    groups, evidence = keyphrase.grounds.reasons if keyphrase.grounds else {}, keyphrase.evidence
    if all(names == (reason,) for reason, names in groups.items()):
        return [(reason, f"{evidence[reason]:+.2f}") for reason in sorted(groups, key=lambda one: -evidence[one])]
    return [
        (reason, ", ".join(f"{'' if name == reason else f'{name} '}{evidence[name]:.4g}" for name in names))
        for reason, names in groups.items()
    ]


def reason_words(keyphrase: Keyphrase) -> str:
    """``how often (mentions 3.2), where (zones 2, nearness 0.9)``; a group that is one number has no brackets."""
    return ", ".join(
        f"{reason} {numbers}" if numbers[:1] in "+-0123456789" else f"{reason} ({numbers})"
        for reason, numbers in reason_rows(keyphrase)
    )


def snippet(document: Document, keyphrase: Keyphrase) -> Snippet | None:
    """The sentence that shows a phrase, cut to what is near; None when there is none."""
    sentence = keyphrase.grounds.sentence if keyphrase.grounds else None
    if sentence is None:
        return None
    start, end = next(span for span in keyphrase.spans if sentence.start <= span[0] < sentence.end)
    before, after = document.text[sentence.start : start], document.text[end : max(end, sentence.end)]
    return Snippet(_cut_left(before), one_line(document.text[start:end]), _cut_right(after))


def one_line(text: str) -> str:
    """A text with single blanks for all its white space."""
    return re.sub(r"\s+", " ", text)


def _cut_left(text: str) -> str:
    line = one_line(text).lstrip()
    if len(line) <= _REACH:
        return line
    return "… " + line[-_REACH:].partition(" ")[2]


def _cut_right(text: str) -> str:
    line = one_line(text).rstrip()
    if len(line) <= _REACH:
        return line
    return line[:_REACH].rpartition(" ")[0] + " …"
