"""Parameters of configurable parts: the fields of a frozen dataclass, checked, and parsed from text."""

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

_WORDS: Final = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    types.NoneType: "none",
    Extractor: "a system",
}
_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a part.

    Attributes:
        default: default value, or the function that makes it; ``dataclasses.MISSING`` if it is required.
    """

    name: str
    type: Any
    default: Any

    @property
    def required(self) -> bool:
        """True if there is no default."""
        return self.default is dataclasses.MISSING

    @property
    def kind(self) -> str:
        """The type in words: ``a whole number``, ``a number or none``, ``one of a, b``."""
        return _described(self.type)


def parameters(part: type) -> tuple[Parameter, ...]:
    """Return all parameters of a part, in the order of its fields."""
    hints = typing.get_type_hints(part)
    return tuple(
        Parameter(field.name, hints[field.name], _default(field)) for field in dataclasses.fields(part) if field.init
    )


def make(part: type[Part], values: Mapping[str, Any], name: str) -> Part:
    """Make a part with these parameters.

    Raises:
        BadParameter: a parameter is unknown, has a value of another type, or is required and missing.
    """
    existing = _checked(part, values, name)
    missing = [parameter.name for parameter in existing.values() if parameter.required and parameter.name not in values]
    if missing:
        raise BadParameter(f"{name} needs {' and '.join(missing)}", f"`keywright systems {name}` explains them")
    return part(**values)


def changed(part: Part, values: Mapping[str, Any], name: str, listing: str | None = None) -> Part:
    """Return a copy of a part with some parameters replaced."""
    _checked(type(part), values, name, listing)
    return dataclasses.replace(part, **values)  # type: ignore[type-var]  # every part is a dataclass


def explained(part: type) -> dict[str, str]:
    """Return each parameter's meaning in the docstring, lines ``name  meaning``, continued by indented lines."""
    meanings: dict[str, str] = {}
    fields = {field.name for field in dataclasses.fields(part)}
    names: list[str] = []
    for kind in reversed(part.__mro__):
        for line in inspect.cleandoc(kind.__dict__.get("__doc__") or "").splitlines():
            head, blanks, rest = line.partition("  ")
            if blanks and head and {name.strip() for name in head.split(",")} <= fields:
                names = [name.strip() for name in head.split(",")]
                meanings.update(dict.fromkeys(names, rest.strip()))
            elif names and line.startswith("  "):
                meanings.update({name: f"{meanings[name]} {line.strip()}" for name in names})
            else:
                names = []
    return meanings


def _checked(part: type, values: Mapping[str, Any], name: str, listing: str | None = None) -> dict[str, Parameter]:
    """Check names and types of values; return all parameters by name."""
    existing = {parameter.name: parameter for parameter in parameters(part)}
    for parameter, value in values.items():
        _check_name(existing, parameter, name, listing)
        if not _fits(value, existing[parameter].type):
            raise BadParameter(f"{name}: {parameter} = {value!r:.60}", f"{parameter} takes {existing[parameter].kind}")
    return existing


def parsed(
    part: type,
    texts: Mapping[str, str],
    name: str,
    system: Callable[[str], Extractor] | None = None,
    listing: str | None = None,
) -> dict[str, Any]:
    """Parse values from texts, such as ``{"cutoff": "400"}``; the first of several types that fits is taken.

    ``system`` makes a system from its name, for parameters that take systems.

    Raises:
        BadParameter: a parameter is unknown, or its text is not a value of its type.
    """
    existing = {parameter.name: parameter for parameter in parameters(part)}
    values = {}
    for parameter, text in texts.items():
        _check_name(existing, parameter, name, listing)
        try:
            values[parameter] = _value(text.strip(), existing[parameter].type, system)
        except ValueError:
            hint = f"{parameter} takes {existing[parameter].kind}"
            raise BadParameter(f"{name}: {parameter}={text}", hint) from None
    return values


def _check_name(existing: Mapping[str, Parameter], parameter: str, name: str, listing: str | None = None) -> None:
    if parameter not in existing:
        listing = listing or f"keywright systems {name}"
        error: UnknownName = unknown(f"parameter of {name}", parameter, existing, listing)
        raise BadParameter(error.message, error.hint)


def _default(field: "dataclasses.Field[Any]") -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory


def _alternatives(kind: Any) -> tuple[Any, ...]:
    union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    return typing.get_args(kind) if union else (kind,)


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type; integers are numbers, and protocols and other generic types always fit."""
    return any(_fits_one(value, alternative) for alternative in _alternatives(kind))


def _fits_one(value: Any, kind: Any) -> bool:
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return value in typing.get_args(kind)
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(item, typing.get_args(kind)[0]) for item in value)
    if origin is not None or kind is Any or getattr(kind, "_is_protocol", False):
        return True
    if not isinstance(kind, type) or isinstance(value, bool) != (kind is bool):
        return False
    return isinstance(value, kind) or (kind is float and isinstance(value, int))


def takes_systems(parameter: Parameter) -> bool:
    """Return whether a parameter takes a system, or several."""
    alternatives = _alternatives(parameter.type)
    return any(Extractor in (alternative, *typing.get_args(alternative)) for alternative in alternatives)


def _value(text: str, kind: Any, system: Callable[[str], Extractor] | None) -> Any:
    """Parse a value of a type, by the first alternative that accepts the text."""
    for alternative in _alternatives(kind):
        try:
            return _single(text, alternative, system)
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
    return " or ".join(map(_described_one, _alternatives(kind)))


def _described_one(kind: Any) -> str:
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return f"one of {', '.join(map(str, typing.get_args(kind)))}"
    if origin is tuple:
        return f"{_described(typing.get_args(kind)[0])}, several with commas between"
    if isinstance(kind, enum.EnumType):
        return f"one of {', '.join(str(member.value) for member in typing.cast('type[enum.Enum]', kind))}"
    return _WORDS.get(kind) or str(getattr(kind, "__name__", kind))
