"""Dataclasses as JSON values and back, by hand."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from keywright.core.documents import SectionKind
from keywright.core.json_values import decode, encode


@dataclass(frozen=True)
class Part:
    kind: SectionKind
    page: int | None = None


@dataclass(frozen=True)
class Whole:
    name: str
    parts: tuple[Part, ...]
    share: float = field(default=0.5, metadata={"key": "fraction"})
    notes: tuple[str, ...] = field(default=(), metadata={"optional": True})


def test_dataclasses_become_objects_of_their_fields_in_order():
    whole = Whole("a", (Part(SectionKind.TITLE), Part(SectionKind.BODY, 3)), np.float64(0.25))
    record = encode(whole)
    assert list(record) == ["name", "parts", "fraction"]
    assert record["parts"] == [{"kind": "title", "page": None}, {"kind": "body", "page": 3}]
    assert type(record["fraction"]) is float
    assert encode({"n": np.arange(2), "s": np.bool_(1)}) == {"n": [0, 1], "s": True}


def test_what_may_be_none_may_be_missing():
    assert decode(tuple[Part, ...], [{"kind": "title"}], "parts") == (Part(SectionKind.TITLE),)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ([], "expected an object, found"),
        ({"page": 1}, "'kind'"),
        ({"kind": "cover"}, "'cover' is not a valid SectionKind"),
        ({"kind": "body", "page": -1}, "page must be a whole number from 0"),
    ],
)
def test_values_of_another_type_are_named(record, said):
    with pytest.raises((KeyError, TypeError, ValueError)) as caught:
        decode(Part, record, "part")
    assert said in str(caught.value)
