"""Places of mentions, by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed

from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.features.functions import position
from keywright.text.keys import phrase_key

DOCUMENT = analysed("grid of markets. Grid and grid. Of time. Of it")
FOUND = ngrams(DOCUMENT, 1)  # tokens: grid 0, of 1, markets 2, . 3, Grid 4, and 5, grid 6, . 7, Of 8, time 9 ... 13


def value(feature, phrase: str) -> float:
    column = feature(FOUND, DOCUMENT)
    assert (column.shape, column.dtype) == ((3,), np.float64)
    return float(column[FOUND.key.tolist().index(phrase_key(phrase))])


def test_first_and_last():
    assert len(DOCUMENT) == 13
    assert [value(position.first_mention, phrase) for phrase in ("grid", "market", "time")] == [0, 2 / 13, 9 / 13]
    assert [value(position.last_mention, phrase) for phrase in ("grid", "market", "time")] == [6 / 13, 2 / 13, 9 / 13]
    assert [value(position.spread, phrase) for phrase in ("grid", "market", "time")] == [6 / 13, 0, 0]


def test_deviation_of_places():
    # 0, 4 and 6: mean 10 / 3, squares (100 + 4 + 64) / 9
    assert value(position.deviation, "grid") == pytest.approx(math.sqrt(168 / 27) / 13)
    assert value(position.deviation, "time") == 0


@pytest.mark.parametrize(
    "feature",
    [
        position.first_mention,
        position.last_mention,
        position.spread,
        position.deviation,
    ],
)
def test_no_candidates_give_no_numbers(feature):
    document = analysed("")
    assert feature(ngrams(document, 3), document).shape == (0,)
