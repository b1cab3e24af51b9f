"""WINGNUS: where candidates come from, its features and its training, on hand-tagged text."""

import pytest
from tests.unit.extraction.candidates.tagging import phrases, tagged
from tests.unit.extraction.systems.papers import TAGGED_TOPICS, tagged_paper

from keywright.core.documents import Section, SectionKind
from keywright.core.errors import BadParameter
from keywright.extraction.systems.wingnus import Wingnus

PAPERS = tuple(map(tagged_paper, range(12)))
FITTED = Wingnus(columns=(1, 4, 6), intervals=3).fit(PAPERS)


def found(text: str, *sections: Section, **options: bool) -> dict[str, int]:
    document = tagged(text, *sections)
    return phrases(document, Wingnus(**options).candidates(document))


def test_noun_phrases():
    """Nouns with up to two nouns or adjectives before them, and two such joined by *of*, not by *in*."""
    assert found("fast/JJ grid/NN markets/NNS") == {
        "fast grid markets": 1, "fast grid": 1, "grid": 1, "grid markets": 1, "markets": 1,
    }  # fmt: skip
    assert "quality of service" in found("quality/NN of/IN service/NN")
    assert found("quality/NN in/IN service/NN") == {"quality": 1, "service": 1}
    assert found("other/JJ grid/NN") == {"grid": 1}  # a stop word


def test_only_telling_parts():
    """The body's second sentence tells of no new phrase, yet its mention of *grid* counts."""
    text = "grid/NN ./. | market/NN ./. Grid/NN agent/NN ./."
    title = Section(SectionKind.TITLE, 0, 6)
    assert found(text, title) == {"grid": 2, "market": 1}
    assert found(text, title, everywhere=False) == {"grid": 1, "market": 1}
    assert found(text, title, openings=False) == {"grid": 2}


@pytest.mark.parametrize(
    ("kind", "tells"),
    [(SectionKind.ABSTRACT, True), (SectionKind.HEADING, True), (SectionKind.REFERENCES, False),
     (SectionKind.RELATED, True), (SectionKind.CAPTION, False)],
)  # fmt: skip
def test_which_parts_tell(kind, tells):
    assert bool(found("grid/NN", Section(kind, 0, 4))) == tells


def test_features_by_the_papers_numbers():
    """Twice *grid market*, once more *market*; 7 tokens; the title is the first two."""
    document = tagged("grid/NN market/NN ./. grid/NN market/NN ,/, market/NN", Section(SectionKind.TITLE, 0, 11))
    numbers = (2, 3, 4, 5, 6, 8, 10, 11, 15, 16)
    system = Wingnus(columns=numbers, scaled=False, collection=FITTED.collection)
    candidates = system.candidates(document)
    rows = system.features(candidates, document)
    by_name = dict(zip(phrases(document, candidates), rows.tolist(), strict=True))
    assert by_name["grid market"] == pytest.approx([2, 1, 0, 3 / 7, 2, 1, 0, 0, 0, 0])
    assert by_name["market"] == pytest.approx([3, 0, 1 / 7, 6 / 7, 1, 1, 0, 0, 0, 0])
    scaled = Wingnus(columns=numbers, collection=FITTED.collection).features(candidates, document)
    by_name = dict(zip(phrases(document, candidates), scaled.tolist(), strict=True))
    assert by_name["grid market"] == pytest.approx([0, 1, 0, 0, 1, 0, 0, 0, 0, 0])


def test_all_nineteen_but_typeface():
    system = Wingnus(columns=(*range(1, 7), *range(8, 20)), collection=FITTED.collection)
    document = PAPERS[0].document
    assert system.features(system.candidates(document), document).shape == (len(system.candidates(document)), 18)
    with pytest.raises(BadParameter, match="no feature 7"):
        Wingnus(columns=(1, 7)).fit(PAPERS)


def test_it_finds_topics():
    for number in range(20, 24):
        topic = TAGGED_TOPICS[number % 4].replace("/NN", "")
        assert FITTED.extract(tagged_paper(number).document).prediction().keyphrases[0].text == topic
