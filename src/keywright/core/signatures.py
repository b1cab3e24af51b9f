"""Configurable parts, the fields of a frozen dataclass: parameters, checked and parsed from text, and signatures.

A signature is the identity of a system, analyser, protocol or data set.
"""

import contextlib
import dataclasses
import enum
import hashlib
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import numpy as np

from keywright.core import VERSION
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, unknown_name
from keywright.core.interfaces import Extractor
from keywright.core.word_lists import read_pairs

Part = TypeVar("Part")

_WORDS: Final = {
    bool: "true or false", int: "a whole number", float: "a number", str: "text", types.NoneType: "none",
    Extractor: "a system",
}  # fmt: skip
"""Types of parameters in words."""
_WORDED: Final[Mapping[Any, Mapping[str, Any]]] = {
    bool: {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False},
    types.NoneType: {"none": None},
}
"""Values of types by the words, in lower case, that stand for them."""


def signature(value: Any) -> str:
    """Return the identity of a configuration: name, every field, version.

    The form is ``kpminer|least_seen:3|cutoff:400|...|v0.2.0``. Nested values are in brackets, functions are names (of
    keywright) or module and name (of others), arrays the start of their SHA-256, tables their own hash.
    """
    return f"{describe_part(value)}|v{VERSION}"


def short_signature(text: str) -> str:
    """Return the name in a signature with 8 digits of the signature's SHA-256, such as ``kpminer#3f2a9c1e``."""
    return f"{text.partition('|')[0]}#{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def describe_part(value: Any) -> str:
    """Return a signature without the version."""
    fields = (f"{name}:{text}" for name, text in sign_fields(value).items())
    return "|".join((str(getattr(value, "name", type(value).__name__)), *fields))


def sign_fields(value: Any) -> dict[str, str]:
    """Return the signature's text for each field, in the order of the fields.

    Metadata ``signed`` of a field says whether it is part of signatures: always, never, ``if set`` to a true value, or
    ``if changed`` to another value than the default.
    """
    texts = {}
    for field in dataclasses.fields(value):
        if field.init and field.name != "name":
            item, is_signed = getattr(value, field.name), field.metadata.get("signed", True)
            if item if is_signed == "if set" else item != field.default if is_signed == "if changed" else is_signed:
                texts[field.name] = _render(item)
    return texts


def _render(value: Any) -> str:
    match value:
        case enum.Enum():
            return str(value.value)
        case np.ndarray():
            return hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:8]
        case tuple() | list():
            return ",".join(map(_render, value))
        case set() | frozenset():
            return ",".join(sorted(map(_render, value)))
        case Mapping():
            return ",".join(f"{key}={_render(item)}" for key, item in sorted(value.items()))
        case _ if isinstance(content := getattr(value, "fingerprint", None), str):
            return content
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return f"({describe_part(value)})"
        case _ if callable(value):  # a function of keywright by its name, another with its module
            module = getattr(value, "__module__", None) or type(value).__module__
            name = getattr(value, "__qualname__", type(value).__name__)
            return name if module.startswith("keywright.") else f"{module}.{name}"
        case _:
            return str(value)


def fingerprint_texts(documents: Iterable[Document]) -> str:
    """Return the first 16 hexadecimal digits of a SHA-256 over ids and texts, in any order of documents."""
    return fingerprint_digests(b"".join(sorted(map(hash_document, documents))))


def hash_document(document: Document) -> bytes:
    """Return the SHA-256 of a document's id and text, 32 bytes."""
    return hashlib.sha256(f"{document.id}\0{document.text}".encode("utf-8", "surrogatepass")).digest()


def fingerprint_digests(ordered: bytes | bytearray) -> str:
    """Return what ``fingerprint_texts`` does, from the digests of all documents in ascending order, joined."""
    return hashlib.sha256(ordered).hexdigest()[:16]


@dataclasses.dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; ``default`` is a value, its name, the function that makes it, or ``MISSING`` if it is required."""

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
        return _describe_type(self.type)

    @property
    def takes_systems(self) -> bool:
        """True if it takes a system, or several."""
        return any(Extractor in (kind, *typing.get_args(kind)) for kind in _list_alternatives(self.type))


def list_parameters(part: type) -> tuple[Parameter, ...]:
    """Return all parameters of a part, in the order of its fields; metadata of a field can name its ``default``."""
    hints, parameters = typing.get_type_hints(part), []
    for field in dataclasses.fields(part):
        if field.init:
            value = field.default if field.default_factory is dataclasses.MISSING else field.default_factory
            parameters.append(Parameter(field.name, hints[field.name], field.metadata.get("default", value)))
    return tuple(parameters)


def explain_parameters(part: type) -> dict[str, str]:
    """Return each parameter's meaning: of its annotation, or of the docstring, in lines ``name  meaning``."""
    meanings: dict[str, str] = {}
    fields = {field.name for field in dataclasses.fields(part)}
    for kind in reversed(part.__mro__):
        names: list[str] = []
        for line in inspect.cleandoc(kind.__dict__.get("__doc__") or "").splitlines():
            head, blanks, rest = line.partition("  ")
            if blanks and head and {name.strip() for name in head.split(",")} <= fields:
                names = [name.strip() for name in head.split(",")]
                meanings.update(dict.fromkeys(names, rest.strip()))
            elif names and line.startswith("  "):
                meanings.update({name: f"{meanings[name]} {line.strip()}" for name in names})
            else:
                names = []
    hints = typing.get_type_hints(part, include_extras=True)
    return meanings | {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


ELSEWHERE: Final = read_pairs("core/other_names.txt", "ELSEWHERE")
"""Parameters of systems, and their names in KeyBERT, YAKE, pke and RAKE."""


def make_part(part: type[Part], values: Mapping[str, Any], name: str) -> Part:
    """Make a part with these parameters; unknown, missing and mistyped ones are a ``BadParameter``."""
    existing = _check_values(part, values, name)
    missing = [parameter.name for parameter in existing.values() if parameter.required and parameter.name not in values]
    if missing:
        raise BadParameter(f"{name} needs {' and '.join(missing)}", f"`keywright systems {name}` explains them")
    return part(**values)


def change_part(part: Part, values: Mapping[str, Any], name: str, listing: str | None = None) -> Part:
    """Return a copy of a part with some parameters replaced; ``listing`` and errors as for ``parse_parameters``."""
    _check_values(type(part), values, name, listing)
    return dataclasses.replace(part, **values)  # type: ignore[type-var]  # every part is a dataclass


def _check_values(part: type, values: Mapping[str, Any], name: str, listing: str | None = None) -> dict[str, Parameter]:
    """Check names and types of values; return all parameters by name."""
    existing = _find_parameters(part, values, name, listing)
    for parameter, value in values.items():
        if not _fits(value, existing[parameter].type):
            raise BadParameter(f"{name}: {parameter} = {value!r:.60}", f"{parameter} takes {existing[parameter].kind}")
    return existing


def parse_parameters(
    part: type,
    texts: Mapping[str, str],
    name: str,
    system: Callable[[str], Extractor] | None = None,
    listing: str | None = None,
) -> dict[str, Any]:
    """Parse values from texts, such as ``{"cutoff": "400"}``; the first of several types that fits is taken.

    ``system`` makes a system from its name; ``listing`` is where parameters are listed, for messages. An unknown
    parameter, or a text that is not a value of its type, is a ``BadParameter``.
    """
    existing = _find_parameters(part, texts, name, listing)
    values = {}
    for parameter, text in texts.items():
        try:
            values[parameter] = _parse(text.strip(), existing[parameter].type, system)
        except ValueError:
            hint = f"{parameter} takes {existing[parameter].kind}"
            raise BadParameter(f"{name}: {parameter}={text}", hint) from None
    return values


def _find_parameters(part: type, names: Iterable[str], name: str, listing: str | None = None) -> dict[str, Parameter]:
    """Return all parameters of a part by name; raise ``BadParameter`` for a name that is not among them."""
    existing = {parameter.name: parameter for parameter in list_parameters(part)}
    for parameter in names:
        if parameter not in existing:
            listing = listing or f"keywright systems {name}"
            error = unknown_name(f"parameter of {name}", parameter, existing, listing)
            usual = [own for own, words in ELSEWHERE.items() if parameter in words.split() and own in existing]
            raise BadParameter(error.message, f"use {usual[0]}; `{listing}` explains it" if usual else error.hint)
    return existing


def _list_alternatives(kind: Any) -> tuple[Any, ...]:
    union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    return typing.get_args(kind) if union else (kind,)


def _list_choices(kind: Any) -> dict[str, Any]:
    """Return the values of an enumeration or literal type by their texts; nothing for other types."""
    if typing.get_origin(kind) is typing.Literal:
        return {str(choice): choice for choice in typing.get_args(kind)}
    if isinstance(kind, enum.EnumType):
        return {str(member.value): member for member in typing.cast("type[enum.Enum]", kind)}
    return {}


def _describe_type(kind: Any) -> str:
    texts = []
    for each in _list_alternatives(kind):
        if choices := _list_choices(each):
            texts.append(f"one of {', '.join(choices)}")
        elif typing.get_origin(each) is tuple:
            texts.append(f"{_describe_type(typing.get_args(each)[0])}, several with commas between")
        else:
            texts.append(_WORDS.get(each) or str(getattr(each, "__name__", each)))
    return " or ".join(texts)


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type; integers are numbers, and protocols and other generic types always fit."""
    if len(alternatives := _list_alternatives(kind)) > 1:
        return any(_fits(value, alternative) for alternative in alternatives)
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


def _parse(text: str, kind: Any, system: Callable[[str], Extractor] | None) -> Any:
    """Parse a value of a type, by the first alternative that accepts the text; raise ``ValueError`` if none does."""
    if len(alternatives := _list_alternatives(kind)) > 1:
        for alternative in alternatives:
            with contextlib.suppress(ValueError):
                return _parse(text, alternative, system)
        raise ValueError(text)
    if typing.get_origin(kind) is tuple:
        items = (item.strip() for item in text.split(",") if item.strip())
        return tuple(_parse(item, typing.get_args(kind)[0], system) for item in items)
    if kind is Extractor and system:
        return system(text)
    if kind in (int, float, str):
        return kind(text)
    words, word = (choices, text) if (choices := _list_choices(kind)) else (_WORDED.get(kind, {}), text.lower())
    if word not in words:
        raise ValueError(text)
    return words[word]
