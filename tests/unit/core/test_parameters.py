"""Parameters by name and type, from Python and from the command line."""

import enum
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from keywright.core.errors import BadParameter
from keywright.core.signatures import change_part, explain_parameters, list_parameters, make_part, parse_parameters


class Shape(enum.StrEnum):
    ROUND = "round"
    FLAT = "flat"


@dataclass(frozen=True)
class Toy:
    """A toy; has parameters of every kind.

    table         counts by phrase
    least, alpha  two numbers
                  of one kind

    Other  text is not read.
    """

    table: dict[str, int]
    least: int = 3
    alpha: float = 2.3
    loud: bool = False
    label: str = "x"
    shape: Shape = Shape.ROUND
    ceiling: float | None = None
    weights: tuple[float, ...] = (1.0,)
    side: Literal["left", "right"] = "left"
    memory: dict[str, Any] = field(default_factory=dict, init=False)


def test_parameters_are_the_fields_with_their_kinds():
    found = {parameter.name: parameter for parameter in list_parameters(Toy)}
    assert list(found) == ["table", "least", "alpha", "loud", "label", "shape", "ceiling", "weights", "side"]
    assert [name for name, parameter in found.items() if parameter.required] == ["table"]
    assert found["least"].kind == "a whole number"
    assert found["ceiling"].kind == "a number or none"
    assert found["shape"].kind == "one of round, flat"
    assert found["side"].kind == "one of left, right"
    assert found["weights"].kind == "a number, several with commas between"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("least", "4", 4),
        ("alpha", " 1e-3 ", 0.001),
        ("alpha", "4", 4.0),
        ("loud", "Yes", True),
        ("loud", "0", False),
        ("label", "4", "4"),
        ("shape", "flat", Shape.FLAT),
        ("ceiling", "None", None),
        ("ceiling", "2", 2.0),
        ("weights", "1, 2.5", (1.0, 2.5)),
        ("weights", "", ()),
        ("side", "right", "right"),
    ],
)
def test_texts_become_values(name, text, value):
    assert parse_parameters(Toy, {name: text}, "toy") == {name: value}
    assert getattr(make_part(Toy, {"table": {}, name: value}, "toy"), name) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("least", "4.5"),
        ("least", ""),
        ("loud", "maybe"),
        ("shape", "square"),
        ("side", "up"),
        ("weights", "1;2"),
        ("table", "{}"),
    ],
)
def test_texts_of_another_kind_are_refused(name, text):
    with pytest.raises(BadParameter, match=f"toy: {name}="):
        parse_parameters(Toy, {name: text}, "toy")


@pytest.mark.parametrize(
    ("name", "value"),
    [("least", 4.5), ("least", True), ("least", "4"), ("alpha", "4"), ("loud", 1), ("weights", ("a",)), ("side", "up")],
)
def test_values_of_another_type_are_refused(name, value):
    with pytest.raises(BadParameter, match=f"toy: {name} = "):
        make_part(Toy, {"table": {}, name: value}, "toy")


def test_unknown_and_missing_parameters_are_named():
    with pytest.raises(BadParameter, match="no parameter of toy called 'leest'; did you mean 'least'"):
        make_part(Toy, {"table": {}, "leest": 4}, "toy")
    with pytest.raises(BadParameter, match="no parameter of toy called 'memory'"):
        parse_parameters(Toy, {"memory": "4"}, "toy")
    with pytest.raises(BadParameter, match="toy needs table"):
        make_part(Toy, {}, "toy")


def test_parameters_of_a_part_can_be_changed():
    toy = make_part(Toy, {"table": {}}, "toy")
    assert change_part(toy, {"least": 5}, "toy").least == 5
    with pytest.raises(BadParameter, match="toy: least = 'many'"):
        change_part(toy, {"least": "many"}, "toy")


def test_meanings_come_from_the_docstring():
    both = "two numbers of one kind"
    assert explain_parameters(Toy) == {"table": "counts by phrase", "least": both, "alpha": both}
