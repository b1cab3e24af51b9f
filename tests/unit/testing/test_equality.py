"""``equal``: equality for values that hold arrays."""

import numpy as np
import pytest

from keywright.core.candidates import Candidates
from keywright.core.documents import Section, SectionKind
from keywright.testing.promises import equal


def candidates(first: int) -> Candidates:
    one = np.array([1])
    return Candidates(
        key=np.array([7], dtype=np.uint64),
        length=one,
        frequency=one,
        first=np.array([first]),
        last=np.array([first]),
        offsets=np.array([0, 1]),
        positions=np.array([first]),
        widths=one,
    )


def test_dataclasses_with_arrays_compare_by_content() -> None:
    assert equal(candidates(3), candidates(3))
    assert not equal(candidates(3), candidates(4))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1, 2]), np.array([1.0, 2.0]), False),  # another type of number is another value
        (np.array([1, 2]), np.array([1, 2, 3]), False),
        (np.array(["a"]), np.array(["a"]), True),
        ((1, np.array([1])), (1, np.array([1])), True),
        ((1, 2), [1, 2], False),
        ({"a": np.array([1])}, {"a": np.array([1])}, True),
        ({"a": 1}, {"b": 1}, False),
        (Section(SectionKind.TITLE, 0, 4), Section(SectionKind.TITLE, 0, 4), True),
        (Section(SectionKind.TITLE, 0, 4), Section(SectionKind.HEADING, 0, 4), False),
        (None, None, True),
    ],
)
def test_same(a: object, b: object, expected: bool) -> None:  # noqa: FBT001  (a parametrised value)
    assert equal(a, b) is expected
