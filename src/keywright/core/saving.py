"""Trained systems and sealed records on disk, each with a card that holds the hash of all the rest.

A system is a card and values as JSON, arrays as ``.npz``, never pickles: a frozen dataclass whose fields are numbers,
texts, arrays, enums, named functions, and tuples, mappings and dataclasses of these. A folder may name code of packages
that the caller trusts only: one from a stranger can hold wrong numbers but runs nothing. A sealed record is one file of
JSON, checked in the same way; an archive is one file of arrays.
"""

import dataclasses
import enum
import functools
import hashlib
import json
import stat
import types
import zipfile
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from keywright.core.atomic_files import check_replaceable, whole_file, whole_folder
from keywright.core.errors import BadParameter, BrokenFile, KeywrightError, MissingData
from keywright.core.json_values import check_object, replace_surrogates

MODELS: Final = Path(__file__).parents[1] / "models"  # folder of the tables and models that ship with the package
CARD: Final = "card.json"
VALUES: Final = "system.json"
ARRAYS: Final = "arrays.npz"

_LARGEST: Final = 2_000_000_000  # maximum size of a file or array, in bytes; arbitrary, far above any trained system
_DAMAGED: Final = (
    OSError, ValueError, TypeError, KeyError, AttributeError, ImportError, RecursionError, NotImplementedError,
    zipfile.BadZipFile,
)  # fmt: skip
"""Errors of files and values that nobody wrote so."""
Arrays: TypeAlias = dict[str, NDArray[Any]]
Value = TypeVar("Value")


def save_system(system: Any, folder: Path, card: Mapping[str, Any]) -> None:
    """Write a system into a folder, made or replaced as a whole; a field that cannot be saved is a ``BadParameter``."""
    arrays: Arrays = {}
    values = replace_surrogates(json.dumps(_to_plain(system, arrays), indent=1, ensure_ascii=False, allow_nan=True))
    full = {**card, "sha256": _hash_system(values, arrays)}
    with whole_folder(folder) as place:
        (place / VALUES).write_text(values, encoding="utf-8")
        np.savez(place / ARRAYS, allow_pickle=False, **arrays)
        described = replace_surrogates(json.dumps(full, indent=1, ensure_ascii=False))
        (place / CARD).write_text(f"{described}\n", encoding="utf-8")


def check_target(folder: Path, *, force: bool) -> None:
    """Check that a system can be saved in a folder without losing files; a system there is replaced with ``force``."""

    def is_system(place: Path) -> bool:
        return (place / CARD).is_file() and {path.name for path in place.iterdir()} <= {CARD, VALUES, ARRAYS}

    check_replaceable(folder, "a trained system", is_system, force=force)


def read_card(folder: Path) -> dict[str, Any]:
    """Return the card of a saved system; raise ``MissingData`` if there is none, ``BrokenFile`` if it is damaged."""
    if not (folder / CARD).is_file():
        raise MissingData(f"no trained system in {folder}", "`keywright train SYSTEM DATASET -o DIR` makes one")
    try:
        check_regular(folder / CARD)
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{folder / CARD} is damaged: {error}", "train the system again") from error
    if not isinstance(card, dict):
        raise BrokenFile(f"{folder / CARD} is not a card", "train the system again")
    return card


def load_system(folder: Path, trusted: Collection[str] = ("keywright",)) -> Any:
    """Return the system saved in a folder, of code of ``trusted`` packages; raise ``MissingData`` or ``BrokenFile``."""
    card = read_card(folder)
    hint = "copy the folder again, or train the system again with this version"
    try:
        for name in (VALUES, ARRAYS):
            check_regular(folder / name)
        values = (folder / VALUES).read_text(encoding="utf-8")
        arrays = _read_arrays(folder / ARRAYS)
        if _hash_system(values, arrays) != card.get("sha256"):
            raise BrokenFile(f"the system in {folder} is not what its card says", hint)
        return _from_plain(json.loads(values), arrays, trusted)
    except _DAMAGED as error:
        if isinstance(error, BrokenFile):
            raise
        raise BrokenFile(f"the system in {folder} cannot be read: {error}", hint) from error


def check_regular(path: Path) -> None:
    """Raise ``ValueError`` for a pipe or device, from which reading may never end, and for a file above the limit."""
    state = path.stat()
    if not stat.S_ISREG(state.st_mode):
        raise ValueError(f"{path.name} is not a regular file")
    if state.st_size > _LARGEST:
        raise ValueError(f"{path.name} has more than {_LARGEST:,} bytes")


def _to_plain(value: Any, arrays: Arrays) -> Any:
    """Return a value as JSON; arrays are collected under a name each."""
    match value:
        case enum.Enum():
            return {"enum": _name_object(type(value)), "member": value.name}
        case None | bool() | int() | float() | str():
            return value
        case np.generic():
            return value.item()
        case np.ndarray():
            name = f"array{len(arrays)}"
            arrays[name] = np.asarray(value)
            return {"array": name}
        case list() | tuple():
            return {"list" if isinstance(value, list) else "tuple": [_to_plain(item, arrays) for item in value]}
        case set() | frozenset():
            return {"set": [_to_plain(item, arrays) for item in sorted(value)]}
        case Mapping():
            return {"mapping": [[_to_plain(key, arrays), _to_plain(item, arrays)] for key, item in value.items()]}
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in dataclasses.fields(value) if field.init]
            fields = {name: _to_plain(getattr(value, name), arrays) for name in names}
            return {"type": _name_object(type(value)), "fields": fields}
        case types.FunctionType() if "<" not in value.__qualname__:
            return {"function": _name_object(value)}
        case _:
            raise BadParameter(f"{value!r:.80} cannot be saved", "fields hold numbers, texts, arrays, dataclasses ...")


def _from_plain(plain: Any, arrays: Arrays, trusted: Collection[str]) -> Any:
    """Return the value that ``_to_plain`` made JSON of."""
    restore = functools.partial(_from_plain, arrays=arrays, trusted=trusted)
    match plain:
        case {"array": name}:
            return arrays[name]
        case {"tuple": list(items)}:
            return tuple(map(restore, items))
        case {"list": list(items)}:
            return list(map(restore, items))
        case {"set": list(items)}:
            return frozenset(map(restore, items))
        case {"mapping": list(pairs)}:
            return {restore(key): restore(item) for key, item in pairs}
        case {"type": str(name), "fields": dict(fields)}:
            kind = _find_object(name, trusted, lambda each: isinstance(each, type) and dataclasses.is_dataclass(each))
            values = {key: restore(item) for key, item in fields.items()}
            check_fields(kind, values)
            return kind(**values)
        case {"enum": str(name), "member": str(member)}:
            return _find_object(name, trusted, lambda thing: isinstance(thing, enum.EnumType))[member]
        case {"function": str(name)}:
            return _find_object(name, trusted, lambda thing: isinstance(thing, types.FunctionType))
        case None | bool() | int() | float() | str():
            return plain
        case _:
            raise ValueError(f"{plain!r:.80} is not a saved value")


def check_fields(kind: type, fields: dict[str, Any]) -> None:
    """Raise ``ValueError`` for a field that is not of its declared type; arrays must have its kind of numbers."""
    import typeguard  # noqa: PLC0415 - needed only to load a trained system

    if _find_array_check not in typeguard.checker_lookup_functions:
        typeguard.checker_lookup_functions.insert(0, _find_array_check)
    hints, policy = get_type_hints(kind), typeguard.ForwardRefPolicy.IGNORE
    every = typeguard.CollectionCheckStrategy.ALL_ITEMS
    for name, value in fields.items():
        try:
            typeguard.check_type(value, hints[name], forward_ref_policy=policy, collection_check_strategy=every)
        except typeguard.TypeCheckError as error:
            raise ValueError(f"field {name} of {kind.__name__}: {error}") from error


def _find_array_check(origin: Any, args: tuple[Any, ...], _extras: tuple[Any, ...]) -> Any:
    """Return the comparison of an array with a declared one; None for other types."""
    import typeguard  # noqa: PLC0415 - needed only to load a trained system

    def check_array(value: Any, _origin: Any, args: tuple[Any, ...], _memo: Any) -> None:
        (number,) = get_args(args[1]) or (np.generic,)
        kind = get_origin(number) or number
        if not isinstance(value, np.ndarray) or (kind is not Any and not np.issubdtype(value.dtype, kind)):
            shown = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
            raise typeguard.TypeCheckError(f"is {shown}, not an array of {kind.__name__}")

    return check_array if origin is np.ndarray and args else None


def _name_object(value: Any) -> str:
    return f"{value.__module__}:{value.__qualname__}"


def _find_object(name: str, trusted: Collection[str], fits: Callable[[Any], bool]) -> Any:
    """Return a class or function by its name in the module that defines it; imported names are refused."""
    if name.partition(":")[0].partition(".")[0] not in trusted:
        raise ValueError(f"{name} belongs to none of {', '.join(sorted(trusted))}")
    named = resolve_name(name)
    if not fits(named) or _name_object(named) != name:
        raise ValueError(f"{name} is not the kind of thing that belongs there")
    return named


def _read_arrays(path: Path) -> Arrays:
    """Return all arrays of a file, within limits; pickled ones are refused."""
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > _LARGEST:
            raise ValueError(f"{path.name} unpacks to more than {_LARGEST} bytes")
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    except Exception as error:  # numpy raises whatever a damaged header causes, such as an error of Python's tokenizer
        raise ValueError(f"{path.name} holds no arrays: {error}") from error


def _hash_system(values: str, arrays: Arrays) -> str:
    digest = hashlib.sha256(values.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name}{array.dtype.str}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def save_columns(path: Path, card: Mapping[str, Any], columns: Mapping[str, Any], *, compressed: bool = False) -> None:
    """Write columns as one file with their card."""
    text = np.frombuffer(json.dumps(card, ensure_ascii=False, sort_keys=True).encode(), np.uint8)
    (np.savez_compressed if compressed else np.savez)(path, allow_pickle=False, card=text, **columns)


def load_columns(path: Path, what: str, sizes: Mapping[str, tuple[int | str, ...]]) -> tuple[Arrays, dict[str, Any]]:
    """Return the columns in a file of ``save_columns``, and its card; raise ``MissingData`` or ``BrokenFile``.

    ``what``: which file is expected, with article, for messages; ``sizes``: shape of each column: numbers, or names of
    entries of the card that are numbers or lists.
    """
    if not path.is_file():
        raise MissingData(f"no {what.partition(' ')[2]} at {path}")
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            columns = {name: file[name] for name in sizes}
            card = json.loads(file["card"].tobytes())
        stated = {name: len(value) if isinstance(value, list) else value for name, value in card.items()}
        expected = {name: tuple(stated.get(size, size) for size in shape) for name, shape in sizes.items()}
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise BrokenFile(f"{path.name} is not {what}: {error}") from error
    if (shapes := {name: column.shape for name, column in columns.items()}) != expected:
        raise BrokenFile(f"{path.name} has columns of shapes {shapes}; its card says {expected}")
    return columns, card


def hash_columns(*columns: tuple[Any, str]) -> str:
    """Return the SHA-256 of columns, each with the type that it is hashed as."""
    digest = hashlib.sha256()
    for column, form in columns:
        digest.update(np.ascontiguousarray(column, form).tobytes())
    return digest.hexdigest()


def seal_record(kind: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record as JSON values, lists in place of tuples, with its kind and, on its card, ``sha256``."""
    plain: dict[str, Any] = json.loads(json.dumps({"keywright": kind, **record}, allow_nan=False))
    plain["card"]["sha256"] = _hash_record(plain)
    return plain


def write_sealed(record: Mapping[str, Any], path: Path) -> None:
    """Write a sealed record to a file, atomically."""
    with whole_file(path) as file:
        file.write(json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read_sealed(
    path: Path, kind: str, parse: Callable[[Mapping[str, Any]], Value], command: str, check: Callable[[int, str], None]
) -> Value:
    """Return what ``parse`` makes of the sealed record in a file of ``command``; its errors mean a broken file."""
    if not path.is_file():
        raise MissingData(f"there is no {kind} {path}", f"`{command}` makes one")
    check(path.stat().st_size, str(path))
    try:
        record = check_object(json.loads(path.read_text(encoding="utf-8")))
        if record.get("keywright") != kind:
            raise ValueError("it is something else")  # noqa: TRY301 - as errors of the parser
        if check_object(record["card"]).get("sha256") != _hash_record(record):
            raise ValueError("it is not what its card says")  # noqa: TRY301 - as above
        return parse(record)
    except (ValueError, TypeError, LookupError, RecursionError, OverflowError) as error:
        hint = f"expected a file that `{command}` wrote; copy it again, or make it again"
        raise BrokenFile(f"the {kind} {path} cannot be read: {_explain(error):.200}", hint) from error


def _explain(error: Exception) -> str:
    """Return what is wrong, without a hint that is for other cases."""
    match error:
        case KeyError():
            return f"{error.args[0]!r} is missing"
        case RecursionError():
            return "it is nested too deeply"
    return error.message if isinstance(error, KeywrightError) else str(error)


def _hash_record(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record without its own hash, keys in order."""
    card = {name: value for name, value in record["card"].items() if name != "sha256"}
    return hashlib.sha256(json.dumps({**record, "card": card}, sort_keys=True).encode()).hexdigest()
