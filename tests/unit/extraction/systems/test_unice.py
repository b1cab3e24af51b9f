"""UNICE on hand-tagged text. With one topic P(word) is its share of all words, each counted ``beta`` times more."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument, Section, SectionKind
from keywright.core.errors import TooLarge
from keywright.extraction.systems import unice
from keywright.extraction.systems.unice import UNICE

ONE = UNICE(topics=1, best=1, beta=1.0)


def scores(system: UNICE, document: AnalysedDocument) -> dict[str, float]:
    return {keyphrase.text: keyphrase.score for keyphrase in system.extract(document).prediction().keyphrases}


def test_a_phrase_is_worth_its_words_times_its_mentions():
    """Of 4 words *grid* are 2, with one more each 3 of 7; *market* is a part of a better phrase."""
    document = tagged("grid/NN market/NN ./. grid/NN ,/, noise/NN")
    expected = {"grid": 2 * 3 / 7, "grid market": 5 / 7, "noise": 2 / 7}
    found = scores(ONE, document)
    assert list(found) == list(expected)
    assert found == pytest.approx(expected)
    assert scores(replace(ONE, mentions=2.0), document)["grid"] == pytest.approx(2**2 * 3 / 7)
    mean = scores(replace(ONE, combined="mean"), document)
    assert mean == pytest.approx({"grid": 6 / 7, "grid market": 2.5 / 7, "noise": 2 / 7})
    assert set(scores(replace(ONE, longest=1), document)) == {"grid", "market", "noise"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fast/JJ grid/NN", {"fast grid"}),
        ("grid/NN fast/JJ", {"grid"}),
        ("grid/NN of/IN markets/NNS", {"grid", "markets"}),
        ("other/JJ grid/NN", {"grid"}),
        ("trading/VBG grids/NNS", {"grids"}),
    ],
)
def test_noun_phrases(text, expected):
    assert set(scores(ONE, tagged(text))) == expected


def test_abbreviations_are_spelt_out():
    """*domain*, *name*, *system* are there 4 times each, *server* and *grid* once: 5 and 2 of 14 + 5 words.

    *domain name system* has three mentions besides that in *DNS server*, which is worth its four words.
    """
    text = """domain/NN name/NN system/NN (/-LRB- DNS/NNP )/-RRB- ./. DNS/NNP ./. grid/NN ./. DNS/NNP server/NN ./."""
    found = scores(ONE, tagged(text))
    assert found.pop("domain name system") == pytest.approx(15 / 19 * 4)
    assert found == pytest.approx({"DNS server": 17 / 19, "grid": 2 / 19})


def test_an_abbreviation_of_no_noun_stands_for_itself():
    document = tagged("trading/VBG (/-LRB- TR/NN )/-RRB- ./. TR/NN ./. grid/NN")
    assert scores(replace(ONE, combined="mean"), document) == pytest.approx({"TR": 2 * 3 / 5, "grid": 2 / 5})


def test_references_give_nothing():
    assert scores(ONE, tagged("grid/NN market/NN", Section(SectionKind.REFERENCES, 0, 11))) == {}


def test_sentences_with_the_same_words_become_one_text():
    counts = np.array([[2, 1, 0, 0], [0, 0, 1, 1], [1, 2, 0, 0], [0, 0, 2, 1]])
    found = UNICE(clusters=sqrt(2)).themes(counts)  # as many as the square root of 2, times it
    assert sorted(found.tolist()) == [[0, 0, 3, 2], [3, 3, 0, 0]]
    assert UNICE(clusters=0.1).themes(counts).tolist() == [[3, 3, 3, 2]]


def test_main_topics():
    """Two texts of 60 and 30 words with none in common: both topics together give the shares of all words."""
    themes = np.array([[40, 20, 0, 0], [0, 0, 20, 10]])
    both = UNICE(topics=2, best=2, alpha=0.01, rounds=50)
    assert both.main_words(themes) == pytest.approx([40 / 90, 20 / 90, 20 / 90, 10 / 90], abs=0.01)
    assert replace(both, best=1).main_words(themes) == pytest.approx([40 / 90, 20 / 90, 0, 0], abs=0.01)


def test_the_same_every_time():
    document = tagged(" ./. ".join(f"{word}/NN" for word in "Grid Map Rain Grid Map Noise Rain Wind Map".split()))
    assert scores(UNICE(), document) == scores(UNICE(), document)


def test_little_text():
    assert scores(UNICE(), tagged("")) == {}
    assert scores(UNICE(), tagged("run/VB")) == {}
    assert set(scores(UNICE(), tagged("grid/NN"))) == {"grid"}


def test_a_text_too_long_for_its_sentences_to_be_clustered(monkeypatch):
    monkeypatch.setattr(unice, "_MOST_COUNTS", 4)
    assert set(scores(ONE, tagged("Grid/NN ./. Market/NN"))) == {"Grid", "Market"}
    with pytest.raises(TooLarge, match="2 sentences with 3 different words are too many"):
        ONE.extract(tagged("Grid/NN noise/NN ./. Market/NN")).prediction()
