"""Features of what words usually are, by hand."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.words import content_words, content_words_and_connectors
from keywright.extraction.features.description.described_candidates import DescribedCandidates
from keywright.extraction.features.description.word_classes import SHARES, class_columns
from keywright.text.keys import phrase_key
from keywright.text.tag_lexicon import CLASSES, TagLexicon


def row(**shares: float) -> list[float]:
    """Shares by letter, (classes,)."""
    return [shares.get(letter, 0) for letter in CLASSES]


LEXICON = TagLexicon.from_shares(
    {
        "good": row(J=1),
        "training": row(N=51, G=204),  # .2, .8
        "set": row(N=153, V=102),  # .6, .4
        "of": row(I=1),
        "the": row(D=1),
        "net": row(N=1),
        "learned": row(G=51, V=204),  # .2, .8
        "*": row(X=1),
    },
    np.ones(len(CLASSES)),
)
DOCUMENT = analysed("good training set of the net. learned net. training sets")
FOUND = ngrams(DOCUMENT, 5, content_words, content_words_and_connectors)
PHRASES = ("good training set", "training set", "training", "learned", "learned net", "set of the net")


def column(lexicon: TagLexicon, name: str, candidates: Candidates, document: AnalysedDocument) -> np.ndarray:
    """One column of all candidates of a document."""
    described = DescribedCandidates(document, candidates, np.ones(len(candidates), bool))
    return SHARES[name](described.word_values(class_columns(lexicon.shares(document, described.word_forms))))


def values(column: np.ndarray, phrases=PHRASES) -> list[float]:
    assert (column.shape, column.dtype) == ((len(FOUND),), np.float64)
    return [float(column[FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in phrases]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("noun_last", [0.6, 0.6, 0.2, 0, 1, 1]),
        ("nominal_first", [1, 0.2, 0.2, 0, 0, 0.6]),
        ("gerund_last", [0, 0, 0.8, 0.2, 0, 0]),
        ("least_nominal", [0.6, 0.6, 1, 0.2, 0.2, 0]),
        ("mean_nominal", [2.6 / 3, 0.8, 1, 0.2, 0.6, 0.4]),
        ("most_verbal", [0.4, 0.4, 0, 0.8, 0.8, 0.4]),
        ("function_words_inside", [0, 0, 0, 0, 0, 2]),
        ("noun_phrase", [0.6, 0.6, 0.2, 0, 0.2, 0]),
        ("noun_phrase_with_prepositions", [0.6, 0.6, 0.2, 0, 0.2, 0.6]),
    ],
)
def test_features_of_shares(name, expected):
    assert values(column(LEXICON, name, FOUND, DOCUMENT)) == pytest.approx(expected)


def test_a_preposition_needs_a_noun_on_either_side():
    of = TagLexicon.from_shares(
        {"set": row(N=1), "net": row(N=1, I=1), "bet": row(D=1), "*": row(X=1)}, np.ones(len(CLASSES))
    )
    document = analysed("set net. net set. set net bet. set net bet set. net bet set")
    found = ngrams(document, 4)
    shares = column(of, "noun_phrase_with_prepositions", found, document)
    probability = {key: float(value) for key, value in zip(found.key.tolist(), shares, strict=True)}
    expected = {"set net": 0.5, "net set": 0.5, "set net bet": 0, "set net bet set": 0.5, "net bet set": 0}
    assert {phrase: probability[phrase_key(phrase)] for phrase in expected} == pytest.approx(expected, abs=0.01)


def test_of_no_candidates():
    nothing = analysed("")
    none = FOUND.where(np.zeros(len(FOUND), bool))
    for name in SHARES:
        assert column(LEXICON, name, ngrams(nothing, 3), nothing).shape == (0,)
        assert column(LEXICON, name, none, DOCUMENT).shape == (0,)
