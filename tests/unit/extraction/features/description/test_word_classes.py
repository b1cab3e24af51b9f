"""What stands around mentions, against numbers worked out by hand.

Features of what words usually are, by hand.
"""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.prefilter import content_words_and_connectors
from keywright.extraction.features.description.described_candidates import (
    NAMES,
    SHARES,
    DescribedCandidates,
    class_columns,
    find_neighbours,
    neighbours,
)
from keywright.text.keys import phrase_key
from keywright.text.tag_lexicon import CLASSES, TagLexicon

NEIGHBOURS_SHARES = {  # N J G V I D P X
    "support": [0.5, 0, 0, 0.5, 0, 0, 0, 0],
    "vector": [1, 0, 0, 0, 0, 0, 0, 0],
    "machine": [1, 0, 0, 0, 0, 0, 0, 0],
    "a": [0, 0, 0, 0, 0, 1, 0, 0],
    "learns": [0, 0, 0, 1, 0, 0, 0, 0],
    "of": [0, 0, 0, 0, 1, 0, 0, 0],
}


def columns(text: str, wanted: str) -> dict[str, float]:
    """The columns of one candidate of a text, all n-grams of which are candidates."""
    document = analysed(text)
    found = ngrams(document, 3)
    view = DescribedCandidates(document, found, np.ones(len(found), bool))
    told = neighbours(
        view, *find_neighbours(view), TagLexicon.from_shares(NEIGHBOURS_SHARES, np.full(8, 0.5)).shares(document)
    )
    texts = [
        text[document.start[first] : document.end[first + size - 1]].lower()
        for first, size in zip(found.first, found.length, strict=True)
    ]
    at = texts.index(wanted)
    return {name: float(column[at]) for name, column in told.items()}


def test_a_piece_of_a_phrase_is_not_whole() -> None:
    """*vector machine* follows a word that is a noun half of the time, and a verb stands behind."""
    told = columns("A support vector machine learns.", "vector machine")
    assert told["noun before"] == pytest.approx(0.5, abs=0.01)
    assert told["verb before"] == pytest.approx(0.5, abs=0.01)
    assert told["verb behind"] == pytest.approx(1, abs=0.01)
    assert told["whole"] == pytest.approx(0.5, abs=0.01)
    assert told["nothing before"] == told["nothing behind"] == 0


def test_a_whole_phrase_has_a_determiner_before_it() -> None:
    """Stop words do not extend a phrase."""
    told = columns("A support vector machine learns.", "support vector machine")
    assert told["determiner before"] == pytest.approx(1, abs=0.01)
    assert told["whole"] == told["first whole"] == told["ever whole"] == pytest.approx(1, abs=0.01)


def test_shares_are_means_over_mentions() -> None:
    """The first mention of *machine* is a piece, the second stands alone between signs."""
    told = columns("Vector machine. Machine.", "machine")
    assert told["noun before"] == pytest.approx(0.5, abs=0.01)
    assert told["nothing before"] == 0.5
    assert told["nothing behind"] == 1
    assert told["first whole"] == pytest.approx(0, abs=0.01)
    assert told["ever whole"] == 1
    assert told["whole"] == pytest.approx(0.5, abs=0.01)


def test_signs_and_ends_of_sentences_are_nothing() -> None:
    """What stands in another sentence or behind a sign is no neighbour."""
    told = columns("The vector, machine", "machine")
    assert told["nothing before"] == told["nothing behind"] == 1
    assert told["noun before"] == 0


def test_no_candidates_have_empty_columns() -> None:
    """All columns are there."""
    document = analysed("of the")
    found = ngrams(document, 3)
    view = DescribedCandidates(document, found, np.zeros(len(found), bool))
    told = neighbours(view, *find_neighbours(view), np.zeros((len(document.words), 8)))
    assert tuple(told) == NAMES
    assert all(len(column) == 0 for column in told.values())


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
