"""Where spans stand: sections and pages."""

import pytest

from keywright.core.documents import Document, Section, SectionKind, find_page, find_section
from keywright.core.keyphrases import Place, locate_spans

TEXT = "Tide gauges\n\nA tide gauge drifts. The tide gauge measures sea level.\n\nSea level rises."
SECTIONS = (Section(SectionKind.TITLE, 0, 11), Section(SectionKind.ABSTRACT, 13, 68))
DOCUMENT = Document("d", TEXT, SECTIONS, meta={"pages": [0, 13, 70]})


def test_mentions_are_counted_by_section_and_page():
    gauge = ((0, 10), (15, 25), (38, 48))
    assert locate_spans(DOCUMENT, gauge) == (Place(SectionKind.TITLE, 1, 1), Place(SectionKind.ABSTRACT, 2, 2))
    assert locate_spans(DOCUMENT, ((58, 67), (70, 79))) == (
        Place(SectionKind.ABSTRACT, 2, 1),
        Place(SectionKind.BODY, 3, 1),
    )
    assert locate_spans(DOCUMENT, ()) == ()


@pytest.mark.parametrize(("at", "kind"), [(0, "title"), (10, "title"), (11, "body"), (13, "abstract"), (68, "body")])
def test_what_lies_between_sections_is_body(at, kind):
    assert find_section(DOCUMENT, at) == kind


@pytest.mark.parametrize("pages", [None, [], "12", 7])
def test_a_document_without_pages_has_none(pages):
    document = Document("d", TEXT, meta={} if pages is None else {"pages": pages})
    assert find_page(document, 20) is None


def test_what_stands_before_the_first_page_is_on_it():
    assert find_page(Document("d", TEXT, meta={"pages": [5, 13]}), 0) == 1
