"""Parameters of configurable parts: the fields of a frozen dataclass, checked when given and read from text."""

import dataclasses
import enum
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from keywright.core.errors import BadParameter, UnknownName, unknown
from keywright.core.interfaces import Extractor

Part = TypeVar("Part")

_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a part.

    Attributes:
        name: of the field.
        type: what it takes.
        default: value when not given, or the function that makes it; ``dataclasses.MISSING`` where it must be given.
    """

    name: str
    type: Any
    default: Any

    @property
    def required(self) -> bool:
        """Whether the part cannot be made without it."""
        return self.default is dataclasses.MISSING

    @property
    def kind(self) -> str:
        """The type in words people type: ``int``, ``float or none``, ``one of a, b``."""
        return _described(self.type)


def parameters(part: type) -> tuple[Parameter, ...]:
    """All parameters of a part, in the order of its fields."""
    hints = typing.get_type_hints(part)
    return tuple(
        Parameter(field.name, hints[field.name], _default(field)) for field in dataclasses.fields(part) if field.init
    )


def make(part: type[Part], given: Mapping[str, Any], name: str) -> Part:
    """A part with these parameters.

    Args:
        part: a frozen dataclass.
        given: values by parameter; those left out have their defaults.
        name: of the part, for messages.

    Raises:
        BadParameter: a parameter is unknown, has a value of another type, or is required and missing.
    """
    known = _checked(part, given, name)
    missing = [parameter.name for parameter in known.values() if parameter.required and parameter.name not in given]
    if missing:
        raise BadParameter(f"{name} needs {' and '.join(missing)}", f"`keywright systems {name}` explains them")
    return part(**given)


def changed(value: Part, given: Mapping[str, Any], name: str) -> Part:
    """The part with some parameters replaced.

    Raises:
        BadParameter: a parameter is unknown or has a value of another type.
    """
    _checked(type(value), given, name)
    return dataclasses.replace(value, **given)  # type: ignore[type-var]  # every part is a dataclass


def explained(part: type) -> dict[str, str]:
    """What a part's docstring says of each parameter: its lines ``name  meaning``, with what is indented below."""
    meanings: dict[str, str] = {}
    known = {field.name for field in dataclasses.fields(part)}
    names: list[str] = []
    for kind in reversed(part.__mro__):
        for line in inspect.cleandoc(kind.__dict__.get("__doc__") or "").splitlines():
            head, blanks, rest = line.partition("  ")
            if blanks and head and {name.strip() for name in head.split(",")} <= known:
                names = [name.strip() for name in head.split(",")]
                meanings.update(dict.fromkeys(names, rest.strip()))
            elif names and line.startswith("  "):
                meanings.update({name: f"{meanings[name]} {line.strip()}" for name in names})
            else:
                names = []
    return meanings


def _checked(part: type, given: Mapping[str, Any], name: str) -> dict[str, Parameter]:
    """All parameters by name, once what is given is known to fit them."""
    known = {parameter.name: parameter for parameter in parameters(part)}
    for parameter, value in given.items():
        _known(known, parameter, name)
        if not _fits(value, known[parameter].type):
            raise BadParameter(f"{name}: {parameter} = {value!r:.60}", f"{parameter} takes {known[parameter].kind}")
    return known


def parsed(
    part: type, texts: Mapping[str, str], name: str, system: Callable[[str], Extractor] | None = None
) -> dict[str, Any]:
    """Values from texts, such as ``{"cutoff": "400"}``; a type of several alternatives takes the first that fits.

    Args:
        part: a frozen dataclass.
        texts: by parameter.
        name: of the part, for messages.
        system: makes a system from its name, where a parameter takes systems; without it these take no text.

    Raises:
        BadParameter: a parameter is unknown, or its text is no value of its type.
    """
    known = {parameter.name: parameter for parameter in parameters(part)}
    values = {}
    for parameter, text in texts.items():
        _known(known, parameter, name)
        try:
            values[parameter] = _value(text.strip(), known[parameter].type, system)
        except ValueError:
            hint = f"{parameter} takes {known[parameter].kind}"
            raise BadParameter(f"{name}: {parameter}={text}", hint) from None
    return values


def _known(known: Mapping[str, Parameter], parameter: str, name: str) -> None:
    if parameter not in known:
        found: UnknownName = unknown(f"parameter of {name}", parameter, known, f"keywright systems {name}")
        raise BadParameter(found.message, found.hint)


def _default(field: "dataclasses.Field[Any]") -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory


def _alternatives(kind: Any) -> tuple[Any, ...]:
    union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    return typing.get_args(kind) if union else (kind,)


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type; a whole number is a number, and types that only protocols tell fit."""
    for one in _alternatives(kind):
        origin = typing.get_origin(one)
        if origin is typing.Literal and value in typing.get_args(one):
            return True
        if origin is tuple and isinstance(value, tuple):
            item = typing.get_args(one)[0]
            if all(_fits(each, item) for each in value):
                return True
        if origin is None and isinstance(one, type):
            if getattr(one, "_is_protocol", False):
                return True
            if isinstance(value, bool) != (one is bool):
                continue
            if isinstance(value, one) or (one is float and isinstance(value, int)):
                return True
        if one is Any or (origin is not None and origin not in (typing.Literal, tuple)):
            return True
    return False


def takes_systems(parameter: Parameter) -> bool:
    """Whether it takes a system, or several."""
    inner = (inner for one in _alternatives(parameter.type) for inner in typing.get_args(one))
    return Extractor in {*_alternatives(parameter.type), *inner}


def _value(text: str, kind: Any, system: Callable[[str], Extractor] | None) -> Any:
    """A value of a type from text, by the first alternative that takes it.

    Raises:
        ValueError: none does.
    """
    for one in _alternatives(kind):
        try:
            return _single(text, one, system)
        except (ValueError, KeyError):
            continue
    raise ValueError(text)


def _single(text: str, kind: Any, system: Callable[[str], Extractor] | None) -> Any:
    origin = typing.get_origin(kind)
    if origin is tuple:
        return tuple(_value(item.strip(), typing.get_args(kind)[0], system) for item in text.split(",") if item.strip())
    if origin is typing.Literal:
        return {str(choice): choice for choice in typing.get_args(kind)}[text]
    if kind is Extractor and system:
        return system(text)
    if kind is types.NoneType:
        return {"none": None}[text.lower()]
    if kind is bool:
        return _TRUTH[text.lower()]
    if kind in (int, float, str):
        return kind(text)
    if isinstance(kind, enum.EnumType):
        return {str(member.value): member for member in typing.cast("type[enum.Enum]", kind)}[text]
    raise ValueError(text)


def _described(kind: Any) -> str:
    words = []
    for one in _alternatives(kind):
        origin = typing.get_origin(one)
        if origin is typing.Literal:
            words.append(f"one of {', '.join(map(str, typing.get_args(one)))}")
        elif origin is tuple:
            words.append(f"{_described(typing.get_args(one)[0])}, several with commas between")
        elif isinstance(one, enum.EnumType):
            words.append(f"one of {', '.join(str(each.value) for each in typing.cast('type[enum.Enum]', one))}")
        elif one is types.NoneType:
            words.append("none")
        else:
            words.append(
                {
                    bool: "true or false",
                    int: "a whole number",
                    float: "a number",
                    str: "text",
                    Extractor: "a system",
                }.get(one)
                or _name(one)
            )
    return " or ".join(words)


def _name(kind: Any) -> str:
    return getattr(kind, "__name__", str(kind))
