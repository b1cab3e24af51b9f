"""Tables side by side answer what each answers by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.extraction.corpus import knowledge as knowledge_module
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import TABLES, JointCounts, Knowledge

LAST = 2**64 - 1
KEYS = st.one_of(st.integers(0, 40), st.integers(0, LAST), st.integers(LAST - 40, LAST))


def table(*pairs: tuple[int, int]) -> PhraseCounts:
    return PhraseCounts.of_phrases(pairs, 9)


def keys(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.uint64)


def test_by_hand():
    together = JointCounts.of_tables([table((3, 1), (LAST, 8)), table(), table((3, 5), (4, 2), (1 << 63, 7))])
    found = together.of(keys(4, 3, LAST, 5, 1 << 63, 0, 3))
    assert (found.dtype, found.tolist()) == (
        np.float64,
        [[0, 1, 8, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0], [2, 5, 0, 0, 7, 0, 5]],
    )


@pytest.mark.parametrize("tables", [[], [table()], [table(), table()]])
def test_nothing_known(tables):
    together = JointCounts.of_tables(tables)
    assert together.of(keys(0, 7, LAST)).tolist() == [[0, 0, 0]] * len(tables)
    assert together.of(keys()).shape == (len(tables), 0)


@given(st.lists(st.dictionaries(KEYS, st.integers(1, 2**32 - 1), max_size=30), max_size=4), st.lists(KEYS, max_size=30))
def test_the_same_as_one_by_one(counts, asked):
    tables = [table(*one.items()) for one in counts]
    wanted = keys(*asked, *(key for one in counts for key in one))
    found = JointCounts.of_tables(tables).of(wanted)
    assert found.tolist() == [one.of(wanted).tolist() for one in tables]


def test_knowledge_says_the_same_however_often_it_is_asked(monkeypatch):
    monkeypatch.setattr(knowledge_module, "_KEYS_BEFORE_JOINING", 80)
    tables = {name: table((at, at + 1), (99, 7)) for at, name in enumerate(TABLES)}
    knowledge = Knowledge(**tables, tags=None)
    expected = {
        name: [float(at + 1) if key == at else 0.0 for key in range(7)] + [7.0] for at, name in enumerate(TABLES)
    }
    for _ in range(20):
        found = knowledge.counts(keys(*range(7), 99))
        assert {name: column.tolist() for name, column in found.items()} == expected
