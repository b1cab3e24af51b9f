"""Compact sets and lists of ids beside those of Python."""

from hypothesis import given
from hypothesis import strategies as st

from keywright.core.compact_ids import IdList, IdSet


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


NAMES = st.lists(st.text(max_size=4))


@given(NAMES, NAMES)
def test_it_is_a_list(names, others):
    ids = IdList(names)
    assert tuple(ids) == tuple(names)
    assert [ids[place] for place in range(-len(names), len(names))] == names * 2
    assert ids[1:-1] == tuple(names[1:-1])
    assert ids[::-2] == tuple(names[::-2])
    assert (ids == IdList(others)) == (names == others)


def test_ids_from_file_names_in_another_encoding():
    assert tuple(IdList(["\udce4.txt"])) == ("\udce4.txt",)


def test_it_is_compact():
    ids = IdList(f"document-{number:06}" for number in range(1000))
    assert len(ids._bytes) == 15 * 1000
    assert len(ids._ends) * ids._ends.itemsize == 8 * 1000
