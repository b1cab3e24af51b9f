"""Trained systems on disk: a card and values as JSON, arrays as ``.npz``, never pickles.

A system is a frozen dataclass whose fields are numbers, texts, arrays, enums, named functions, and tuples, mappings and
dataclasses of these. Files are checked against the card's hash, and may name code of packages that the caller trusts
only: a folder from a stranger can hold wrong numbers but runs nothing.
"""

import dataclasses
import enum
import hashlib
import importlib
import json
import types
import zipfile
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.atomic_files import check_folder
from keywright.core.errors import BadParameter, BrokenFile, MissingData
from keywright.core.old_names import current_fields, current_object
from keywright.core.saved_fields import check_fields
from keywright.core.whole_folders import whole_folder

CARD: Final = "card.json"
VALUES: Final = "system.json"
ARRAYS: Final = "arrays.npz"

_LARGEST: Final = 2_000_000_000
"""Maximum size of a file or array, in bytes; arbitrary, far above any trained system."""
_DAMAGED: Final = (
    OSError, ValueError, TypeError, KeyError, AttributeError, ImportError, RecursionError, NotImplementedError,
    zipfile.BadZipFile,
)  # fmt: skip
"""Errors of files and values that nobody wrote so."""
Arrays = dict[str, np.ndarray[Any, Any]]


def save(system: Any, folder: Path, card: Mapping[str, Any]) -> None:
    """Write a system into a folder, created if needed or replaced as a whole; the card gains ``sha256``.

    Raises:
        BadParameter: a field cannot be saved, such as a function without a name.
    """
    arrays: Arrays = {}
    values = json.dumps(_plain(system, arrays), indent=1, ensure_ascii=False, allow_nan=True)
    full = {**card, "sha256": _hash(values, arrays)}
    with whole_folder(folder) as place:
        (place / VALUES).write_text(values, encoding="utf-8")
        np.savez(place / ARRAYS, allow_pickle=False, **arrays)
        (place / CARD).write_text(json.dumps(full, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def check_place(folder: Path, *, force: bool) -> None:
    """Check that a system can be saved in a folder without losing other files.

    Only a system that was saved there may be replaced, with ``force``; other files never are.
    """
    check_folder(folder)
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not (folder / CARD).is_file() or {path.name for path in folder.iterdir()} - {CARD, VALUES, ARRAYS}:
        raise BadParameter(f"{folder} holds files that are not a trained system", "name a new folder, or an empty one")
    if not force:
        raise BadParameter(f"{folder} holds a trained system", "--force (force=True) replaces it, or name a new folder")


def read_card(folder: Path) -> dict[str, Any]:
    """Return the card of a saved system.

    Raises:
        MissingData: there is no saved system.
        BrokenFile: the card is damaged.
    """
    if not (folder / CARD).is_file():
        raise MissingData(f"no trained system in {folder}", "`keywright train SYSTEM DATASET -o DIR` makes one")
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{folder / CARD} is damaged: {error}", "train the system again") from error
    if not isinstance(card, dict):
        raise BrokenFile(f"{folder / CARD} is not a card", "train the system again")
    return card


def load(folder: Path, trusted: Collection[str] = ("keywright",)) -> Any:
    """Return the system saved in a folder.

    ``folder``: folder that ``save`` wrote; ``trusted``: packages whose dataclasses and functions it may name.

    Raises:
        MissingData: there is no saved system.
        BrokenFile: files are damaged, do not fit their card, or name code of other packages.
    """
    card = read_card(folder)
    hint = "copy the folder again, or train the system again with this version"
    try:
        values = (folder / VALUES).read_text(encoding="utf-8")
        arrays = _read_arrays(folder / ARRAYS)
        if _hash(values, arrays) != card.get("sha256"):
            raise BrokenFile(f"the system in {folder} is not what its card says", hint)
        return _value(json.loads(values), arrays, trusted)
    except _DAMAGED as error:
        if isinstance(error, BrokenFile):
            raise
        raise BrokenFile(f"the system in {folder} cannot be read: {error}", hint) from error


def _plain(value: Any, arrays: Arrays) -> Any:
    """Return a value as JSON; arrays are collected under a name each."""
    match value:
        case enum.Enum():
            return {"enum": _name(type(value)), "member": value.name}
        case None | bool() | int() | float() | str():
            return value
        case np.generic():
            return value.item()
        case np.ndarray():
            name = f"array{len(arrays)}"
            arrays[name] = np.asarray(value)
            return {"array": name}
        case list() | tuple():
            return {"list" if isinstance(value, list) else "tuple": [_plain(item, arrays) for item in value]}
        case set() | frozenset():
            return {"set": [_plain(item, arrays) for item in sorted(value)]}
        case Mapping():
            return {"mapping": [[_plain(key, arrays), _plain(item, arrays)] for key, item in value.items()]}
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = [field.name for field in dataclasses.fields(value) if field.init]
            return {"type": _name(type(value)), "fields": {f: _plain(getattr(value, f), arrays) for f in fields}}
        case types.FunctionType() if "<" not in value.__qualname__:
            return {"function": _name(value)}
        case _:
            raise BadParameter(f"{value!r:.80} cannot be saved", "fields hold numbers, texts, arrays, dataclasses ...")


def _value(plain: Any, arrays: Arrays, trusted: Collection[str]) -> Any:
    """Return the value that ``_plain`` made JSON of."""
    match plain:
        case {"array": name}:
            return arrays[name]
        case {"tuple": list(items)}:
            return tuple(_value(item, arrays, trusted) for item in items)
        case {"list": list(items)}:
            return [_value(item, arrays, trusted) for item in items]
        case {"set": list(items)}:
            return frozenset(_value(item, arrays, trusted) for item in items)
        case {"mapping": list(pairs)}:
            return {_value(key, arrays, trusted): _value(item, arrays, trusted) for key, item in pairs}
        case {"type": str(name), "fields": dict(fields)}:
            kind = _named(name, trusted, lambda thing: isinstance(thing, type) and dataclasses.is_dataclass(thing))
            current = current_fields(_name(kind), fields)
            values = {field: _value(item, arrays, trusted) for field, item in current.items()}
            check_fields(kind, values)
            return kind(**values)
        case {"enum": str(name), "member": str(member)}:
            return _named(name, trusted, lambda thing: isinstance(thing, enum.EnumType))[member]
        case {"function": str(name)}:
            return _named(name, trusted, lambda thing: isinstance(thing, types.FunctionType))
        case None | bool() | int() | float() | str():
            return plain
        case _:
            raise ValueError(f"{plain!r:.80} is not a saved value")


def _name(value: Any) -> str:
    return f"{value.__module__}:{value.__qualname__}"


def _named(name: str, trusted: Collection[str], fits: Callable[[Any], bool]) -> Any:
    """Return a class or function by its name in the module that defines it; imported names are refused."""
    name = current_object(name)
    module, _, path = name.partition(":")
    if module.partition(".")[0] not in trusted:
        raise ValueError(f"{name} belongs to none of {', '.join(sorted(trusted))}")
    named: Any = importlib.import_module(module)
    for part in path.split("."):
        named = getattr(named, part)
    if not fits(named) or _name(named) != name:
        raise ValueError(f"{name} is not the kind of thing that belongs there")
    return named


def _read_arrays(path: Path) -> Arrays:
    """All arrays of a file, within limits; pickled ones are refused."""
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > _LARGEST:
            raise ValueError(f"{path.name} unpacks to more than {_LARGEST} bytes")
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    except Exception as error:  # numpy raises whatever a damaged header causes, such as an error of Python's tokenizer
        raise ValueError(f"{path.name} holds no arrays: {error}") from error


def _hash(values: str, arrays: Arrays) -> str:
    digest = hashlib.sha256(values.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name}{array.dtype.str}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
