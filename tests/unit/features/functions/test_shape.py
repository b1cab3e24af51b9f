"""What phrases look like, by hand."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions import shape
from keywright.text.keys import phrase_key

TEXT = "Peer-to-Peer DNS. A peer to peer DNS. The Grid  Market, grid market; IPv6 aaargh, Smart grid."
DOCUMENT = analysed(TEXT)
FOUND = ngrams(
    DOCUMENT, 4, lambda document: ~np.isin(np.array(document.words)[document.word], ["a", "the", ".", ",", ";"])
)
PHRASES = ("peer-to-peer dns", "dns", "grid market", "ipv6", "aaargh", "smart grid")


def values(feature) -> list[float]:
    column = feature(FOUND, DOCUMENT)
    assert (column.shape, column.dtype) == ((len(FOUND),), np.float64)
    return [float(column[FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        (shape.words, [2, 1, 2, 1, 1, 2]),
        (shape.characters, [16, 3, 12, 4, 6, 10]),
        (shape.acronym_share, [0, 1, 0, 1, 0, 0]),
        (shape.capital_share, [1 / 2, 1, 1 / 2, 1, 0, 0]),
        (shape.special_characters, [1, 1, 0, 1, 0, 0]),
        (shape.odd_spelling, [1, 0, 0, 1, 1, 0]),
    ],
)
def test_shapes(feature, expected):
    assert values(feature) == expected
    empty = analysed("")
    assert feature(ngrams(empty, 2), empty).shape == (0,)
