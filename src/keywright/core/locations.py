"""Places of characters in a document, for people: kind of section and page."""

import bisect
from collections.abc import Iterable

from keywright.core.documents import Document, SectionKind
from keywright.core.predictions import Place


def places_of(document: Document, spans: Iterable[tuple[int, int]]) -> tuple[Place, ...]:
    """Return the sections and pages in which spans begin, in the order of first mention."""
    counts: dict[tuple[SectionKind, int | None], int] = {}
    for start, _ in spans:
        place = section_at(document, start), page_at(document, start)
        counts[place] = counts.get(place, 0) + 1
    return tuple(Place(section, page, mentions) for (section, page), mentions in counts.items())


def section_at(document: Document, at: int) -> SectionKind:
    """Return the kind of section of a character."""
    place = bisect.bisect_right(document.sections, at, key=lambda section: section.start) - 1
    inside = place >= 0 and at < document.sections[place].end
    return document.sections[place].kind if inside else SectionKind.BODY


def page_at(document: Document, at: int) -> int | None:
    """Return the page of a character, from 1; None if the document has no pages."""
    pages = document.meta.get("pages")
    if not isinstance(pages, (list, tuple)) or not pages:
        return None
    return max(1, bisect.bisect_right(pages, at))
