"""Documents check their sections once, know sections and pages of places, and say what they provide."""

import numpy as np
import pytest

from keywright.core.documents import (
    SECTION_KINDS,
    AnalysedDocument,
    Document,
    Section,
    SectionKind,
    find_page,
    find_section,
)
from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Place, locate_spans

TEXT = "Title  body"


@pytest.mark.parametrize(
    "places",
    [
        [(0, 5), (4, 7)],  # overlap
        [(6, 8), (0, 5)],  # out of order
        [(0, 12)],  # beyond the text of 11 characters
        [(5, 4)],  # ends before it begins
        [(-1, 3)],
    ],
)
def test_misplaced_sections_are_refused(places: list[tuple[int, int]]) -> None:
    sections = tuple(Section(SectionKind.HEADING, start, end) for start, end in places)
    with pytest.raises(BadParameter, match=r"of 'one' is out of place; sections must lie in the text"):
        Document("one", TEXT, sections)


@pytest.mark.parametrize("places", [[], [(0, 11)], [(0, 5), (5, 5), (5, 11)]])
def test_sections_may_touch_the_borders_and_be_empty(places: list[tuple[int, int]]) -> None:
    sections = tuple(Section(SectionKind.HEADING, start, end) for start, end in places)
    assert Document("one", TEXT, sections).sections == sections


def test_section_gives_the_first_of_a_kind_trimmed() -> None:
    sections = (Section(SectionKind.TITLE, 0, 7), Section(SectionKind.TITLE, 7, 11))
    document = Document("one", TEXT, sections)
    assert document.section(SectionKind.TITLE) == "Title"
    assert document.section(SectionKind.ABSTRACT) is None


def test_codes_number_the_kinds_from_body() -> None:
    assert SectionKind.BODY.code == 0
    assert [kind.code for kind in SECTION_KINDS] == list(range(len(SectionKind)))


def analysed(section: list[int], tag: list[int] | None = None) -> AnalysedDocument:
    """Tokens of one form, ``data``, in sections of the given codes."""
    count = len(section)
    zeros = np.zeros(count, dtype=np.int64)
    return AnalysedDocument(
        source=Document("one", "data " * count),
        analyser="by hand",
        words=("datum",),
        stems=("dat",),
        word_stem=np.array([0]),
        word_flags=np.array([1]),
        word_key=np.array([5], dtype=np.uint64),
        word_parts=np.array([1]),
        word=zeros,
        start=5 * np.arange(count),
        end=5 * np.arange(count) + 4,
        sentence=zeros,
        section=np.array(section, dtype=np.int64),
        case=zeros,
        tag=None if tag is None else np.array(tag, dtype=np.int64),
        tags=("NN",),
    )


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (analysed([]), {"stems", "terms"}),
        (analysed([0, 0]), {"stems", "terms"}),
        (analysed([0, 1]), {"stems", "terms", "sections"}),
        (analysed([0, 1], tag=[0, 0]), {"stems", "terms", "sections", "tags"}),
    ],
)
def test_provides_says_what_systems_may_need(document: AnalysedDocument, expected: set[str]) -> None:
    assert document.provides == expected


def test_token_columns_follow_from_word_columns() -> None:
    document = analysed([0, 0, 0])
    assert len(document) == 3
    assert document.stem.tolist() == [0, 0, 0]
    assert document.flags.tolist() == [1, 1, 1]


TIDES = "Tide gauges\n\nA tide gauge drifts. The tide gauge measures sea level.\n\nSea level rises."
TIDE_SECTIONS = (Section(SectionKind.TITLE, 0, 11), Section(SectionKind.ABSTRACT, 13, 68))
PAGED = Document("d", TIDES, TIDE_SECTIONS, meta={"pages": [0, 13, 70]})


def test_mentions_are_counted_by_section_and_page():
    gauge = ((0, 10), (15, 25), (38, 48))
    assert locate_spans(PAGED, gauge) == (Place(SectionKind.TITLE, 1, 1), Place(SectionKind.ABSTRACT, 2, 2))
    assert locate_spans(PAGED, ((58, 67), (70, 79))) == (
        Place(SectionKind.ABSTRACT, 2, 1),
        Place(SectionKind.BODY, 3, 1),
    )
    assert locate_spans(PAGED, ()) == ()


@pytest.mark.parametrize(("at", "kind"), [(0, "title"), (10, "title"), (11, "body"), (13, "abstract"), (68, "body")])
def test_what_lies_between_sections_is_body(at, kind):
    assert find_section(PAGED, at) == kind


@pytest.mark.parametrize(("pages", "page"), [(None, None), ([], None), ("12", None), (7, None), ([5, 13], 1)])
def test_a_document_without_pages_has_none_and_what_is_before_the_first_is_on_it(pages, page):
    assert find_page(Document("d", TIDES, meta={"pages": pages}), 0) == page


@pytest.mark.parametrize(
    ("text", "sections", "meta", "title"),
    [
        ("A title\n  of two lines\n\nText.", (Section(SectionKind.TITLE, 0, 22),), {}, "A title of two lines"),
        ("A title\n\nText.", (Section(SectionKind.TITLE, 0, 7),), {"title": "As declared"}, "A title"),
        ("Text.", (), {"title": " As  declared "}, "As declared"),
        ("Text.", (), {"title": 1984}, None),  # other data of a record, of any type
        ("Text.", (), {}, None),
        ("", (), {}, None),
    ],
)
def test_title_is_that_of_the_text_or_else_declared(
    text: str, sections: tuple[Section, ...], meta: dict[str, object], title: str | None
) -> None:
    assert Document("one", text, sections, meta=meta).title == title
