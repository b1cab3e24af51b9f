"""Places of a keyphrase in words: sections, pages, and a sentence that shows it."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Document, SectionKind
from keywright.core.predictions import Keyphrase, Place, page_at, places_of, section_at

_REACH: Final = 140
"""Characters of a sentence shown on each side of the phrase; arbitrary."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A sentence around a phrase, with an ellipsis for each part that was cut."""

    before: str
    phrase: str
    after: str


def where(document: Document, keyphrase: Keyphrase) -> str:
    """Return mentions by section, then all pages: ``title, abstract 2, body 11; pages 1, 2, 5``."""
    if not keyphrase.present:
        return "not in the document"
    places = places_of(document, keyphrase.spans)
    counts: Counter[str] = Counter()
    for place in places:
        counts[place.section.value] += place.mentions
    sections = ", ".join(f"{kind} {count}" if count > 1 else kind for kind, count in counts.items())
    pages = sorted({place.page for place in places if place.page})
    return sections + (f"; page{'s' * (len(pages) > 1)} {', '.join(map(str, pages))}" if pages else "")


def first_place(document: Document, keyphrase: Keyphrase) -> str:
    """Return the section of the first mention, ``title``; its page, ``p. 2``, if it is in the body of pages."""
    if not keyphrase.present:
        return "not in text"
    start = keyphrase.spans[0][0]
    section, page = section_at(document, start), page_at(document, start)
    return f"p. {page}" if page and section == SectionKind.BODY else section.value


def places_words(places: Iterable[Place]) -> str:
    """Return the pages of each section, with the number of mentions above one: ``title p. 1; body p. 2 ×7, 4``."""
    sections: dict[str, list[str]] = {}
    for place in places:
        page = str(place.page) if place.page else ""
        several = f"×{place.mentions}" if place.mentions > 1 else ""
        sections.setdefault(place.section.value, []).append(f"{page} {several}".strip())
    paged = any(text[:1].isdigit() for pages in sections.values() for text in pages)
    return "; ".join(f"{kind} {'p. ' * paged}{', '.join(pages)}".strip() for kind, pages in sections.items())


def snippet(document: Document, keyphrase: Keyphrase) -> Snippet | None:
    """Return the sentence that shows a phrase, cut to its neighbourhood; None if there is none."""
    sentence = keyphrase.grounds.sentence if keyphrase.grounds else None
    if sentence is None:
        return None
    start, end = next(span for span in keyphrase.spans if sentence.start <= span[0] < sentence.end)
    before, after = document.text[sentence.start : start], document.text[end : max(end, sentence.end)]
    return Snippet(_cut_left(before), one_line(document.text[start:end]), _cut_right(after))


def one_line(text: str) -> str:
    """Return a text with single blanks for all white space."""
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
