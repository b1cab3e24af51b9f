"""Keys in their places: found where they are, and nowhere else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from keywright.core.arrays import KeyIndex

LAST = 2**64 - 1
KEYS = st.one_of(st.integers(0, 40), st.integers(0, LAST), st.integers(LAST - 40, LAST))


def test_by_hand():
    index = KeyIndex.of(np.array([3, 4, 1 << 63, LAST], np.uint64))
    row, is_there = index.look_up(np.array([4, 0, LAST, 5, 3, 1 << 63, LAST - 1], np.uint64))
    assert is_there.tolist() == [True, False, True, False, True, True, False]
    assert row[is_there].tolist() == [1, 3, 0, 2]


@given(st.sets(KEYS, max_size=60), st.lists(KEYS, max_size=30))
def test_all_keys_are_found_and_no_others(keys, others):
    ordered = sorted(keys)
    index = KeyIndex.of(np.array(ordered, np.uint64))
    row, is_there = index.look_up(np.array([*ordered, *others], np.uint64))
    assert is_there.tolist() == [True] * len(keys) + [key in keys for key in others]
    assert row[: len(keys)].tolist() == list(range(len(keys)))
