"""Signatures of parts and of documents: what counts, and nothing that changes from one process to the next."""

import enum
import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import pytest

from keywright.core import VERSION
from keywright.core.documents import Document
from keywright.core.errors import unknown_name
from keywright.core.signatures import describe_part, fingerprint_texts, signature


class Average(enum.Enum):
    MICRO = "micro"


@dataclass(frozen=True)
class Table:
    fingerprint: str = "abc123"


@dataclass(frozen=True)
class Inner:
    depth: int = 2


@dataclass(frozen=True, eq=False)
class System:
    least_seen: int = 3
    value: object = None
    cache: dict[str, int] = field(default_factory=dict, metadata={"signed": False})

    name: ClassVar[str] = "sample"


def test_name_signed_fields_and_version_in_order() -> None:
    assert signature(System()) == f"sample|least_seen:3|value:None|v{VERSION}"
    assert signature(System(cache={"seen": 1})) == signature(System())
    assert signature(replace(System(), least_seen=4)) != signature(System())


@pytest.mark.parametrize(
    ("value", "rendered"),
    [
        (Average.MICRO, "micro"),
        ((1, "b"), "1,b"),
        (frozenset({"tags", "stems"}), "stems,tags"),
        ({"b": 2, "a": 1}, "a=1,b=2"),
        (Table(), "abc123"),
        (Inner(), "(Inner|depth:2)"),
        (unknown_name, "unknown_name"),  # ours: by name
        (math.sqrt, "math.sqrt"),  # another's: by module and name
    ],
)
def test_each_kind_of_value_has_one_rendering(value: object, rendered: str) -> None:
    assert describe_part(System(value=value)) == f"sample|least_seen:3|value:{rendered}"


def test_arrays_are_named_by_their_bytes() -> None:
    # sha256 of eight zero bytes begins with af5570f5 (coreutils: printf '\0\0\0\0\0\0\0\0' | sha256sum)
    assert describe_part(System(value=np.zeros(1))).endswith("value:af5570f5")
    assert describe_part(System(value=np.ones((2, 2)).T)) == describe_part(System(value=np.ones((2, 2))))


ONE, TWO = Document("a", "tide"), Document("b", "gauge")


def test_fingerprints_are_of_ids_and_texts_in_any_order():
    other = Document("a", "tide", language="en", meta={"x": 1})
    assert fingerprint_texts([ONE, TWO]) == fingerprint_texts([TWO, other])
    different = ([], [ONE], [TWO], [ONE, TWO], [Document("a", "tides")], [Document("at", "ide")])
    assert len({fingerprint_texts(documents) for documents in different}) == 6
    assert len(fingerprint_texts([])) == 16
