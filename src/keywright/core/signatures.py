"""Signatures: identities of systems, analysers, protocols and data sets."""

import dataclasses
import enum
import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from keywright.core.documents import Document
from keywright.core.version import VERSION


def signature(value: Any) -> str:
    """Return the identity of a configuration: name, every field, version.

    The form is ``kpminer|least_seen:3|cutoff:400|...|v0.1.0``. Nested values are in brackets, functions are names (of
    keywright) or module and name (of others), arrays the start of their SHA-256, tables their own hash.
    """
    return f"{described(value)}|v{VERSION}"


def short_signature(text: str) -> str:
    """Return the name in a signature with 8 digits of the signature's SHA-256, such as ``kpminer#3f2a9c1e``."""
    return f"{text.partition('|')[0]}#{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def described(value: Any) -> str:
    """Return a signature without the version."""
    fields = (f"{name}:{text}" for name, text in parts(value).items())
    return "|".join((str(getattr(value, "name", type(value).__name__)), *fields))


def parts(value: Any) -> dict[str, str]:
    """Return the signature's text for each field, in the order of the fields."""
    return {
        field.name: _rendered(getattr(value, field.name))
        for field in dataclasses.fields(value)
        if field.init and field.name != "name" and _is_signed(field, value)
    }


def _is_signed(field: "dataclasses.Field[Any]", value: Any) -> bool:
    """Return whether a field is part of signatures: always, never, or with ``if set`` when its value is true."""
    when = field.metadata.get("signed", True)
    return bool(getattr(value, field.name)) if when == "if set" else bool(when)


def _rendered(value: Any) -> str:
    """Return one field of a signature."""
    match value:
        case enum.Enum():
            return str(value.value)
        case np.ndarray():
            return hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:8]
        case tuple() | list():
            return ",".join(map(_rendered, value))
        case set() | frozenset():
            return ",".join(sorted(map(_rendered, value)))
        case Mapping():
            return ",".join(f"{key}={_rendered(item)}" for key, item in sorted(value.items()))
        case _ if isinstance(content := getattr(value, "fingerprint", None), str):
            return content
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return f"({described(value)})"
        case _ if callable(value):
            return _named(value)
        case _:
            return str(value)


def _named(function: Callable[..., Any]) -> str:
    """Return a function's name; with its module outside of keywright."""
    module = getattr(function, "__module__", None) or type(function).__module__
    name = getattr(function, "__qualname__", type(function).__name__)
    return name if module.startswith("keywright.") else f"{module}.{name}"


def of_texts(documents: Iterable[Document]) -> str:
    """Return the first 16 hexadecimal digits of a SHA-256 over ids and texts, in any order of documents."""
    return of_digests(b"".join(sorted(map(digest_of, documents))))


def digest_of(document: Document) -> bytes:
    """Return the SHA-256 of a document's id and text, 32 bytes."""
    return hashlib.sha256(f"{document.id}\0{document.text}".encode("utf-8", "surrogatepass")).digest()


def of_digests(ordered: bytes | bytearray) -> str:
    """Return what ``of_texts`` does, from the digests of all documents in ascending order, one behind the other."""
    return hashlib.sha256(ordered).hexdigest()[:16]
