"""Parts of speech in and beside phrases, by hand."""

import numpy as np
import pytest
from tests.unit.candidates.tagging import tagged

from keywright.candidates.ngrams import ngrams
from keywright.core.documents import Document
from keywright.core.errors import NeedsUnmet
from keywright.features.functions.tags import (
    BeginsWith,
    ClassCount,
    EndsWith,
    LeftClass,
    RightClass,
    after_opening,
    patterns,
)
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

DOCUMENT = tagged(
    "large/JJ training/NN set/NN of/IN nets/NNS ./. The/DT training/VBG set/NN (/. training/VBG set/NN )/. "
    "nets/NNS learn/VBP ,/, large/JJ nets/NNS"
)
FOUND = ngrams(DOCUMENT, 3)
PHRASES = ("training set", "large training set", "training", "set", "nets", "large nets")


def values(feature) -> list[float]:
    column = feature(FOUND, DOCUMENT)
    assert (column.shape, column.dtype) == ((len(FOUND),), np.float64)
    return [float(column[FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        # "training set" is once NN and twice GN
        (ClassCount("N"), [1, 2, 0, 1, 1, 1]),
        (ClassCount("G"), [1, 0, 1, 0, 0, 0]),
        (ClassCount("JG"), [1, 1, 1, 0, 0, 1]),
        (BeginsWith("J"), [0, 1, 0, 0, 0, 1]),
        (EndsWith("N"), [1, 1, 0, 1, 1, 1]),
        (patterns, [2, 1, 2, 1, 1, 1]),
        (LeftClass("NJG"), [1 / 3, 0, 1 / 3, 1, 1 / 3, 0]),
        (RightClass("N"), [0, 0, 1, 0, 0, 0]),
        (RightClass("I"), [1 / 3, 1, 0, 1 / 3, 0, 0]),
        (LeftClass("D"), [1 / 3, 0, 1 / 3, 0, 0, 0]),
        (after_opening, [1 / 3, 0, 1 / 3, 0, 0, 0]),
    ],
)
def test_features_of_tags(feature, expected):
    assert values(feature) == pytest.approx(expected)
    nothing = tagged("")
    assert feature(ngrams(nothing, 2), nothing).shape == (0,)


def test_of_equally_frequent_patterns_the_first_counts():
    document = tagged("open/JJ net/NN ./. open/VB net/NN ./.")
    found = ngrams(document, 1)
    assert ClassCount("J")(found, document).tolist() == [1, 0]
    assert ClassCount("V")(found, document).tolist() == [0, 0]


def test_documents_without_tags():
    document = TextAnalyser().analyse(Document("a", "grid"))
    found = ngrams(document, 1)
    with pytest.raises(NeedsUnmet):
        ClassCount("N")(found, document)
    assert after_opening(found, document).tolist() == [0]
