"""Candidates: columns, cut by a mask, with occurrences at their places.

By hand: the tokens ``grid market grid market rules grid`` (positions 0 to 5) give the candidates

    grid           at 0, 2, 5
    grid market    at 0, 2
    market rules   at 3
"""

import pickle

import numpy as np
import pytest

from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import Document
from keywright.core.errors import BrokenPromise
from keywright.core.keyphrases import Keyphrase
from keywright.testing.promises import equal


@pytest.fixture
def found() -> Candidates:
    return Candidates(
        key=np.array([11, 12, 13], dtype=np.uint64),
        length=np.array([1, 2, 2]),
        frequency=np.array([3, 2, 1]),
        first=np.array([0, 0, 3]),
        last=np.array([5, 2, 3]),
        offsets=np.array([0, 3, 5, 6]),
        positions=np.array([0, 2, 5, 0, 2, 3]),
        widths=np.array([1, 1, 1, 2, 2, 2]),
    )


def test_length_owner_and_occurrences(found: Candidates) -> None:
    assert len(found) == 3
    assert found.owner.tolist() == [0, 0, 0, 1, 1, 2]
    positions, widths = found.occurrences(1)
    assert (positions.tolist(), widths.tolist()) == ([0, 2], [2, 2])


def test_where_keeps_order_and_moves_the_offsets(found: Candidates) -> None:
    kept = found.where(np.array([True, False, True]))
    assert kept.key.tolist() == [11, 13]
    assert kept.length.tolist() == [1, 2]
    assert kept.frequency.tolist() == [3, 1]
    assert kept.first.tolist() == [0, 3]
    assert kept.last.tolist() == [5, 3]
    assert kept.offsets.tolist() == [0, 3, 4]
    assert kept.positions.tolist() == [0, 2, 5, 3]
    assert kept.widths.tolist() == [1, 1, 1, 2]
    assert kept.occurrences(1)[0].tolist() == [3]


def test_where_everything_is_the_same_value(found: Candidates) -> None:
    assert equal(found.where(np.ones(3, dtype=bool)), found)


def test_where_nothing_leaves_empty_columns(found: Candidates) -> None:
    none = found.where(np.zeros(3, dtype=bool))
    assert len(none) == 0
    assert none.offsets.tolist() == [0]
    assert none.positions.tolist() == []
    assert equal(none.where(np.zeros(0, dtype=bool)), none)


def test_pickles(found: Candidates) -> None:
    assert equal(pickle.loads(pickle.dumps(found)), found)


@pytest.mark.parametrize("score", [np.nan, np.inf, -np.inf])
def test_scores_that_are_not_numbers_are_not_shown(score: float) -> None:
    keyphrases = (Keyphrase("tide", 1.0, spans=((0, 4),)), Keyphrase("gauge", score))
    ranking = Ranking.from_keyphrases(Document("a", "tide"), keyphrases, warnings=())
    assert [keyphrase.text for keyphrase in ranking.keyphrases(1)] == ["tide"]
    with pytest.raises(BrokenPromise, match="a score of a is not a finite number"):
        ranking.keyphrases()
