"""POLYU's expansion on a small hand-tagged document.

Mentions: *grid* 6, *market* 4, *agent* 3, *fast* 2; *grid market* 3, *market agents* 2, *fast grid* 2, *grid market
agents* 2, *fast grid market* 1.
"""

from dataclasses import replace

import pytest
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument, Section, SectionKind
from keywright.core.errors import NeedsUnmet
from keywright.extraction.systems.polyu import POLYU

TEXT = """grid/NN market/NN agents/NNS ./. grid/NN market/NN agents/NNS ./. fast/JJ grid/NN market/NN ,/,
    fast/JJ grid/NN ,/, grid/NN ,/, grid/NN ,/, market/NN ,/, agent/NN"""
PLAIN = POLYU(title=1, abstract=1, core_words=1, phrases=1, share=0.0)


def scores(system: POLYU, document: AnalysedDocument | None = None) -> dict[str, float]:
    found = system.extract(tagged(TEXT) if document is None else document).prediction().keyphrases
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in found}


def test_a_core_word_grows_to_the_most_frequent_longer_phrase_and_on():
    """*grid* with 6 mentions, to *grid market* (3), to *grid market agents* (2 mentions: a third of the word's)."""
    assert scores(PLAIN) == pytest.approx({"grid market agents": 6 * 2 / 6})


def test_growing_stops_where_the_phrase_is_rare():
    assert scores(replace(PLAIN, least_seen=3)) == pytest.approx({"grid market": 3})
    assert scores(replace(PLAIN, share=2 / 6)) == pytest.approx({"grid market agents": 2})
    assert scores(replace(PLAIN, share=0.34)) == pytest.approx({"grid market": 3})
    assert scores(replace(PLAIN, share=0.5)) == pytest.approx({"grid market": 3})
    assert scores(replace(PLAIN, share=0.51)) == pytest.approx({"grid": 6})


def test_phrases_have_few_words():
    assert scores(replace(PLAIN, longest=2)) == pytest.approx({"grid market": 3})
    assert scores(replace(PLAIN, longest=1)) == pytest.approx({"grid": 6})


def test_several_phrases_of_one_core_word():
    """The second neighbour of *grid* is *fast*: *fast grid market* has one mention, too few."""
    assert scores(replace(PLAIN, phrases=2)) == pytest.approx({"grid market agents": 2, "fast grid": 2})
    assert scores(replace(PLAIN, phrases=3)) == scores(replace(PLAIN, phrases=2))


def test_several_core_words():
    """*market* has 4 mentions; from *grid market* it too grows to *grid market agents*, 4 * 2 / 4."""
    found = scores(replace(PLAIN, core_words=2, share=0.5))
    assert found == pytest.approx({"grid market": 3, "grid market agents": 2})


def test_a_phrase_counts_for_its_best_core_word():
    """In the title *market* weighs 3: it scores 6 as *grid* does, and the phrase 6 * 2 / 4 beside 6 * 2 / 6."""
    document = tagged(*with_last_word_in(SectionKind.TITLE))
    assert scores(replace(PLAIN, title=3.0), document) == pytest.approx({"grid market agents": 2})
    assert scores(replace(PLAIN, title=3.0, core_words=2), document) == pytest.approx({"grid market agents": 3})


def test_title_and_abstract_weigh():
    """4 mentions of *market*, one of them for ten: 13, a quarter of it for each mention of a phrase."""
    for kind, weights in ((SectionKind.TITLE, {"title": 10.0}), (SectionKind.ABSTRACT, {"abstract": 10.0})):
        document = tagged(*with_last_word_in(kind))
        assert scores(replace(PLAIN, **weights), document) == pytest.approx({"grid market agents": 13 * 2 / 4})
    document = tagged(*with_last_word_in(SectionKind.CONCLUSION))
    assert scores(replace(PLAIN, title=10.0, abstract=10.0), document) == pytest.approx({"grid market agents": 2})


def with_last_word_in(kind: SectionKind) -> tuple[str, Section]:
    """The text with *market* last, in a section of its own."""
    text = TEXT.replace("market/NN ,/, agent/NN", "agent/NN | market/NN")
    words = [item.rpartition("/")[0] or "\n\n" for item in text.split()]
    return text, Section(kind, len(" ".join(words[:-1])), len(" ".join(words)))


def test_verbs_and_adjectives_are_core_words_and_grow_only_to_noun_phrases():
    document = tagged(
        "fast/JJ grid/NN computes/VBZ ,/, fast/JJ markets/NNS ,/, fast/JJ ,/, computes/VBZ computes/VBZ computes/VBZ"
    )
    assert scores(replace(PLAIN, least_seen=1), document) == {}
    assert scores(replace(PLAIN, least_seen=1, core_words=2), document) == pytest.approx({"fast grid": 1})


def test_stop_words_and_references_give_nothing():
    document = tagged("other/JJ grid/NN ,/, other/JJ grid/NN")
    assert scores(replace(PLAIN, core_words=9), document) == pytest.approx({"other grid": 2})
    assert scores(PLAIN, tagged("grid/NN market/NN", Section(SectionKind.REFERENCES, 0, 11))) == {}


def test_an_empty_document_gives_nothing():
    assert POLYU().extract(tagged("")).prediction().keyphrases == ()


def test_tags_are_needed():
    with pytest.raises(NeedsUnmet):
        POLYU().extract(analysed("grid market")).prediction()
