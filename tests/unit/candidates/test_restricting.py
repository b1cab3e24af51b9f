"""Candidates of some tokens, and of two sources.

0 Grid  1 market  2 .  3 Market  4 agents  5 .  6 Grid  7 markets
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed
from tests.unit.candidates.tagging import phrases

from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.restricting import mentions_among, unite_candidates
from keywright.testing.promises import equal

DOCUMENT = analysed("Grid market. Market agents. Grid markets")
FOUND = ngrams(DOCUMENT, 2)
MASKS = st.lists(st.booleans(), min_size=len(DOCUMENT), max_size=len(DOCUMENT)).map(np.array)


def tokens(*places: int):
    mask = np.zeros(len(DOCUMENT), bool)
    mask[list(places)] = True
    return mask


def occurrences(found):
    rows = zip(found.key[found.owner].tolist(), found.positions.tolist(), found.widths.tolist(), strict=True)
    return sorted(rows)


def test_only_mentions_wholly_inside_remain():
    found = mentions_among(FOUND, tokens(1, 2, 3, 4, 6))
    assert phrases(DOCUMENT, found) == {"market": 2, "market agents": 1, "agents": 1, "grid": 1}
    assert found.first.tolist() == [1, 3, 4, 6]
    assert found.last.tolist() == [3, 3, 4, 6]
    assert found.positions.tolist() == [1, 3, 3, 4, 6]


@pytest.mark.parametrize(("mask", "expected"), [(tokens(), 0), (tokens(2, 5), 0), (tokens(*range(8)), len(FOUND))])
def test_none_and_all(mask, expected):
    assert len(mentions_among(FOUND, mask)) == expected


def test_all_tokens_change_nothing():
    assert equal(mentions_among(FOUND, tokens(*range(8))), FOUND)


def test_an_empty_document():
    empty = analysed("")
    found = ngrams(empty, 2)
    assert len(mentions_among(found, np.zeros(0, bool))) == len(unite_candidates(found, found)) == 0


def test_mentions_of_both_count_once():
    left, right = mentions_among(FOUND, tokens(0, 1, 3)), mentions_among(FOUND, tokens(1, 6, 7))
    assert phrases(DOCUMENT, left) == {"grid": 1, "grid market": 1, "market": 2}
    assert phrases(DOCUMENT, right) == {"market": 2, "grid": 1, "grid markets": 1}
    assert phrases(DOCUMENT, unite_candidates(left, right)) == {"grid": 2, "grid market": 2, "market": 3}
    assert equal(unite_candidates(left, right), unite_candidates(right, left))


@given(MASKS, MASKS)
def test_parts_put_together_are_the_mentions_in_either(one, other):
    parts = mentions_among(FOUND, one), mentions_among(FOUND, other)
    expected = [
        (key, position, width)
        for key, position, width in occurrences(FOUND)
        if any(mask[position : position + width].all() for mask in (one, other))
    ]
    assert occurrences(unite_candidates(*parts)) == expected
