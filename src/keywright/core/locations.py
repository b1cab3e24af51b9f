"""Where in its document something stands, for people: which kind of section, which page."""

import bisect
from collections.abc import Iterable

from keywright.core.documents import Document, SectionKind
from keywright.core.predictions import Place


def places_of(document: Document, spans: Iterable[tuple[int, int]]) -> tuple[Place, ...]:
    """Sections and pages that some spans begin in, in the order of first mention; no spans give none."""
    counts: dict[tuple[SectionKind, int | None], int] = {}
    for start, _ in spans:
        place = section_at(document, start), page_at(document, start)
        counts[place] = counts.get(place, 0) + 1
    return tuple(Place(section, page, mentions) for (section, page), mentions in counts.items())


def section_at(document: Document, at: int) -> SectionKind:
    """Kind of the section that a character stands in."""
    place = bisect.bisect_right(document.sections, at, key=lambda section: section.start) - 1
    inside = place >= 0 and at < document.sections[place].end
    return document.sections[place].kind if inside else SectionKind.BODY


def page_at(document: Document, at: int) -> int | None:
    """Page, from 1, that a character stands on; None when the document has no pages."""
    pages = document.meta.get("pages")
    if not isinstance(pages, (list, tuple)) or not pages:
        return None
    return max(1, bisect.bisect_right(pages, at))
