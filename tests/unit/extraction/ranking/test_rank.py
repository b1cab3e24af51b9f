"""Scores to predictions: order and ties, surface forms, places in the text."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed

from keywright.core.documents import Coverage, Document
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.ranking.rank import lower_heading, order_of, rank, spans_of, surface_form
from keywright.extraction.ranking.redundancy import containing
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key


def places(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text whose parts between bars are the mentions of one phrase, without the bars, and their places."""
    spans, start = [], 0
    for part in text.split("|"):
        spans.append((start, start + len(part)))
        start += len(part)
    return text.replace("|", ""), tuple(spans)


def test_best_first():
    document = analysed("alpha, beta, gamma")
    found = ngrams(document, 1)
    prediction = rank(document, found, np.array([1.0, 3.0, 2.0]), evidence={"mentions": found.frequency}).prediction(
        explain=True
    )
    assert prediction.texts == ("beta", "gamma", "alpha")
    assert [keyphrase.score for keyphrase in prediction.keyphrases] == [3, 2, 1]
    assert prediction.keyphrases[0].spans == ((7, 11),)
    assert prediction.keyphrases[0].evidence == {"mentions": 1.0}
    assert all(keyphrase.probability is None for keyphrase in prediction.keyphrases)
    assert (prediction.document_id, prediction.chosen) == ("a", None)


def test_probabilities_go_with_their_candidates_and_change_no_order():
    document = analysed("alpha, beta, gamma")
    found = ngrams(document, 1)
    scores, probabilities = np.array([1.0, 3.0, 2.0]), np.array([0.25, 0.5, 0.75])
    prediction = rank(document, found, scores, probabilities=probabilities, chosen=2).prediction()
    assert [(one.text, one.score, one.probability) for one in prediction.keyphrases] == [
        ("beta", 3, 0.5),
        ("gamma", 2, 0.75),
        ("alpha", 1, 0.25),
    ]
    assert prediction.chosen == 2


def test_how_many_are_chosen_does_not_hang_on_the_cut():
    document = analysed("alpha, beta, gamma")
    found = ngrams(document, 1)
    assert rank(document, found, np.ones(3), chosen=3).prediction(1).chosen == 3
    assert len(rank(document, found, np.ones(3), chosen=0)) == 3
    assert rank(document, found.where(np.zeros(3, bool)), np.zeros(0), probabilities=np.zeros(0), chosen=0).chosen == 0
    for wrong in (-1, 4):
        with pytest.raises(BadParameter, match=f"chosen {wrong}.*from 0 to 3"):
            rank(document, found, np.ones(3), chosen=wrong)


def test_ties_keep_reading_order_then_the_order_of_keys():
    document = analysed("gamma beta, alpha")
    found = ngrams(document, 2)
    at_the_start = sorted(["gamma", "gamma beta"], key=phrase_key)
    assert rank(document, found, np.ones(len(found))).prediction().texts == (*at_the_start, "beta", "alpha")
    last_best = np.array([0.0] * (len(found) - 1) + [1.0])
    assert rank(document, found, last_best).prediction().texts == ("alpha", *at_the_start, "beta")


def test_another_column_parts_ties_but_overrules_no_score():
    document = analysed("gamma, beta, alpha")
    found = ngrams(document, 1)
    prediction = rank(document, found, np.array([1.0, 1.0, 2.0]), ties=np.array([3.0, 4.0, 0.0])).prediction()
    assert prediction.texts == ("alpha", "beta", "gamma")
    assert [keyphrase.score for keyphrase in prediction.keyphrases] == [2, 1, 1]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=12), st.integers(0, 14))
def test_a_cut_list_is_a_prefix(scores, top):
    document = analysed(", ".join(f"word{at}s" for at in range(len(scores))))
    found = ngrams(document, 1)
    ranking = rank(document, found, np.array(scores, float))
    everything = ranking.keyphrases()
    assert ranking.keyphrases(top) == everything[:top]
    assert [-keyphrase.score for keyphrase in everything] == sorted(-score for score in scores)
    assert sorted(order_of(found, np.array(scores, float)).tolist()) == list(range(len(scores)))


def test_nothing_to_rank():
    document = analysed("")
    assert (
        rank(document, ngrams(document, 3), np.zeros(0), evidence={"mentions": np.zeros(0)}).keyphrases(explain=True)
        == ()
    )


def test_coverage_and_warnings_come_from_the_document():
    source = Document("b", "grid", coverage=Coverage(4, 9), warnings=("page 2 is a picture",))
    document = TextAnalyser().analyse(source)
    prediction = rank(document, ngrams(document, 1), np.ones(1)).prediction()
    assert (prediction.document_id, prediction.coverage) == ("b", Coverage(4, 9))
    assert prediction.warnings == ("page 2 is a picture",)


def test_spans_are_all_places_in_reading_order():
    text = "Peer-to-peer grids. The peer to peer\ngrid, peers"
    document = analysed(text)
    found = ngrams(document, 4, lambda _: np.ones(len(document), bool))
    index = found.key.tolist().index(phrase_key("peer to peer grid"))
    [spans] = spans_of(document, found, np.array([index]))
    assert [text[start:end] for start, end in spans] == ["Peer-to-peer grids", "peer to peer\ngrid"]


SURFACES = {
    # the most frequent form; of equally frequent ones the earliest
    "networks|network|network": "network",
    "networks|network": "networks",
    "network|networks": "network",
    # case does not make a form
    "Network|networks|NETWORK": "Network",
    "networks|Network|network": "network",
    # small letters, where a fifth of the mentions have them
    "Grid|Grid|Grid|Grid|grid": "grid",
    "Grid|Grid|Grid|Grid|Grid|grid": "Grid",
    # a name keeps its capitals; of several writings the most frequent, then the earliest
    "HyARM": "HyARM",
    "HYARM|HyARM|HyARM": "HyARM",
    "HYARM|HyARM": "HYARM",
    # white space is made single blanks
    "sensor \n\t networks": "sensor networks",
    "grid\nmaps|grid map|grid  map": "grid map",
    "Grid\nMap": "Grid Map",
}


@pytest.mark.parametrize("mentions", SURFACES)
def test_surface_form(mentions):
    assert surface_form(*places(mentions)) == SURFACES[mentions]


def test_phrases_inside_phrases():
    document = analysed("deep neural network, neural network, network, deep net, neural deep")
    found = ngrams(document, 3)
    names = ("network", "neural network", "deep neural network", "deep net", "deep neural", "neural deep")
    chosen = np.array([found.key.tolist().index(phrase_key(name)) for name in names])
    inside = {
        name: {names[at] for at in places}
        for name, places in zip(names, containing(document, found, chosen), strict=True)
    }
    assert inside == {
        "network": {"neural network", "deep neural network"},
        "neural network": {"deep neural network"},
        "deep neural network": set(),
        "deep net": set(),
        "deep neural": {"deep neural network"},
        "neural deep": set(),
    }
    assert containing(document, found, chosen[:0]) == []


@pytest.mark.parametrize(
    ("form", "text", "language", "expected"),
    [
        ("ČLANAK", "ČLANAK 1\nLjudi\n\nČLANAK 2\n", "hr", "Članak"),
        ("UNESCO", "Die UNESCO tagt.\nUNESCO HEUTE\n", "de", "UNESCO"),  # also in a sentence
        ("NATO", "NATO HEUTE\n", "de", "NATO"),  # an acronym, by its length
        ("ALLGEMEINE ERKLÄRUNG", "Die ALLGEMEINE ERKLÄRUNG gilt.", "de", "Allgemeine Erklärung"),
        ("Članak", "Članak 1", "hr", "Članak"),
    ],
)
def test_headings_in_capitals_are_shown_in_small_letters(form, text, language, expected):
    spans = tuple(match.span() for match in re.finditer(re.escape(form), text))
    assert lower_heading(form, text, spans, language) == expected
