"""The compact list of ids beside Python's own tuple."""

from hypothesis import given
from hypothesis import strategies as st

from keywright.core.compact_ids import IdList

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
