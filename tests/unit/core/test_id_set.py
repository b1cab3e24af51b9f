"""The compact set of ids beside Python's own."""

from hypothesis import given
from hypothesis import strategies as st

from keywright.core.compact_ids import IdSet


@given(st.lists(st.text(max_size=3)))
def test_it_is_a_set(names):
    ids, known = IdSet(), set()
    for name in names:
        assert (name in ids) == (name in known)
        assert ids.add(name) == (name not in known)
        known.add(name)
    assert len(ids) == len(known)


@given(st.sets(st.text(max_size=3)))
def test_a_copy_is_of_its_own(names):
    ids = IdSet(names)
    copied = ids.copy()
    assert len(copied) == len(names)
    assert all(name in copied for name in names)
    assert copied.add("longer")
    assert "longer" not in ids
    assert len(ids) == len(names)


def test_it_grows_and_is_compact():
    ids = IdSet(f"d{number}" for number in range(50_000))
    assert len(ids) == 50_000
    assert all(f"d{number}" in ids for number in range(50_000))
    assert not any(f"e{number}" in ids for number in range(50_000))
    assert not ids.add("d49999")
    assert ids._table.nbytes <= 8 * 50_000 / 0.3
