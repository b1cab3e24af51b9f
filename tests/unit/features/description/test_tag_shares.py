"""Features of what words usually are, by hand."""

import numpy as np
import pytest

from keywright.candidates.ngrams import ngrams
from keywright.candidates.words import content_words, content_words_and_connectors
from keywright.core.documents import Document
from keywright.core.errors import UnknownName
from keywright.features.description.tag_shares import SHARES, TagShare, TagShares
from keywright.features.matrix import matrix
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key
from keywright.text.tag_lexicon import CLASSES, TagLexicon


def row(**shares: float) -> list[float]:
    """Shares by letter, (classes,)."""
    return [shares.get(letter, 0) for letter in CLASSES]


LEXICON = TagLexicon.of(
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
DOCUMENT = TextAnalyser().analyse(Document("a", "good training set of the net. learned net. training sets"))
FOUND = ngrams(DOCUMENT, 5, content_words, content_words_and_connectors)
PHRASES = ("good training set", "training set", "training", "learned", "learned net", "set of the net")


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
    assert values(TagShare(LEXICON, name)(FOUND, DOCUMENT)) == pytest.approx(expected)


def test_a_preposition_needs_a_noun_on_either_side():
    of = TagLexicon.of({"set": row(N=1), "net": row(N=1, I=1), "bet": row(D=1), "*": row(X=1)}, np.ones(len(CLASSES)))
    document = TextAnalyser().analyse(Document("a", "set net. net set. set net bet. set net bet set. net bet set"))
    found = ngrams(document, 4)
    column = TagShare(of, "noun_phrase_with_prepositions")(found, document)
    probability = {key: float(value) for key, value in zip(found.key.tolist(), column, strict=True)}
    expected = {"set net": 0.5, "net set": 0.5, "set net bet": 0, "set net bet set": 0.5, "net bet set": 0}
    assert {phrase: probability[phrase_key(phrase)] for phrase in expected} == pytest.approx(expected, abs=0.01)


def test_all_at_once_are_the_same_as_one_by_one():
    together = TagShares(LEXICON)(FOUND, DOCUMENT)
    assert TagShares.names == tuple(SHARES)
    one_by_one = matrix([TagShare(LEXICON, name) for name in SHARES], FOUND, DOCUMENT)
    assert together.tolist() == one_by_one.tolist()


def test_of_no_candidates():
    nothing = TextAnalyser().analyse(Document("a", ""))
    assert TagShares(LEXICON)(ngrams(nothing, 3), nothing).shape == (0, len(SHARES))
    none = FOUND.where(np.zeros(len(FOUND), bool))
    assert TagShares(LEXICON)(none, DOCUMENT).shape == (0, len(SHARES))


def test_a_feature_that_does_not_exist():
    with pytest.raises(UnknownName, match="did you mean 'noun_last'"):
        TagShare(LEXICON, "noun_lost")
