"""Files of strangers, read in processes of their own with limits of memory and time; and tables, row by row.

Libraries for PDF, Office files, Parquet and markup are large programs, and a small file can ask them for gigabytes, for
hours, or for a crash. Such a file costs its own result only, and the error says which limit was hit.

A table is read by ``python -m keywright.reading.apart BYTES``. The first request is a JSON list of function, path, name
and other arguments, each later one asks for more rows. Answers are JSON: pickles could be anything.
"""

import contextlib
import datetime as dt
import itertools
import json
import os
import signal
import sys
import weakref
from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, TypeVar

from keywright.core import errors
from keywright.core.child import Child, ChildEnded, answer_requests, make_command
from keywright.core.errors import BrokenFile, KeywrightError, TooLarge
from keywright.reading.limits import Limits, advise_raising
from keywright.reading.tables.rows import Row, Rows

_PATIENCE: Final = 5.0  # seconds in which a process that has stopped answering tells its exit status; arbitrary
_BATCH: Final = 500  # rows of an answer; arbitrary
_MOST: Final = 100_000_000  # bytes of an answer; arbitrary, several times the longest text
_LIMITED: Final = set[int]()  # number of this process, where it is such a process itself
Value = TypeVar("Value")


def limit_process(most: int) -> None:
    """Limit the memory of this process, which reads files of strangers, where the system has limits."""
    _LIMITED.add(os.getpid())
    with contextlib.suppress(ImportError):
        import resource  # noqa: PLC0415 - Windows has none

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def ask_child(child: Child, request: object, name: str, limits: Limits, decode: Callable[[bytes], Value]) -> Value:
    """Return the decoded answer of a process that reads a file; one that breaks it is ``BrokenFile``, ``TooLarge``."""
    try:
        return decode(child.ask(json.dumps(request).encode("ascii"), limits.seconds))
    except ChildEnded:
        if child.reason == "time limit":
            message = f"{name} was not read within {limits.seconds:g} seconds"
            raise TooLarge(message, f"split it, or if you trust it, {advise_raising('seconds')}") from None
        status = child.end(_PATIENCE)
        why = signal.strsignal(-status) if status < 0 else f"exit status {status}"
        memory = f"{limits.memory_bytes / 1e9:g} GB of memory"
        hint = f"repair it, save it in another format, or if you trust it, {advise_raising('memory_bytes')}"
        raise BrokenFile(f"reading {name} broke its library ({why}), perhaps for want of {memory}", hint) from None
    except KeywrightError:
        raise
    except (ValueError, TypeError, LookupError, RecursionError, OverflowError, MemoryError) as error:
        hint = "save it in another format, and report it with the file"
        raise BrokenFile(f"{name} made its reader answer nonsense: {error}", hint) from error


def call_apart(function: Callable[..., Any], path: Path, name: str, *others: int, limits: Limits) -> Any:
    """Return what a function of this room returns in a process of its own: a number, rows, or a table.

    ``function``: of path, name, ``others`` and limits. Raises its error, or that of ``ask_child``.
    """
    if os.getpid() in _LIMITED:
        return function(path, name, *others, limits)
    child = Child((*make_command("keywright.reading.apart"), str(limits.memory_bytes)))
    rows = _take_rows(child, name, limits)
    weakref.finalize(rows, child.end)  # where not all are taken, or none
    request = [f"{function.__module__}:{function.__name__}", str(path.absolute()), name, *others]
    value = ask_child(child, request, name, limits, _decode)
    if isinstance(value, int):
        return value
    return Rows(name, tuple(value[0]), rows, tuple(value[1])) if value else rows


def _take_rows(child: Child, name: str, limits: Limits) -> Iterator[Row]:
    place = name
    try:
        while batch := ask_child(child, None, name, limits, _decode):
            for place, cells, problem in batch:
                yield Row(place, cells, problem)
    except KeywrightError as error:
        yield Row(f"{place} and behind it", {}, error.message)


def _decode(answer: bytes) -> Any:
    error, value = json.loads(answer, object_hook=_decode_cell)
    if error:
        kind = vars(errors)[error[0]]  # the process may have been taken over
        raise kind(*error[1:]) if issubclass(kind, KeywrightError) else ValueError(error)
    return value


def _decode_cell(values: dict[str, Any]) -> Any:
    """Return a date or time, which JSON does not have; a mapping unchanged."""
    if values.keys() != {""}:
        return values
    kind: Any = dt.datetime if "T" in values[""] else dt.time if ":" in values[""] else dt.date
    return kind.fromisoformat(values[""])


def _answer_tables() -> Callable[[bytes], bytes]:
    """Return a function that answers first with what another returns, columns and notes of a table; then with rows."""
    rows: list[Iterator[Row]] = []

    def call_function(source: str, path: str, name: str, *others: int) -> Any:
        value = resolve_name(source)(Path(path), name, *others, Limits())
        if isinstance(value, int):
            return value
        rows.append(iter(value.rows if isinstance(value, Rows) else value))
        return [value.columns, value.notes] if isinstance(value, Rows) else None

    def answer(request: bytes) -> bytes:
        error: KeywrightError | None
        try:
            wanted = json.loads(request)
            value = call_function(*wanted) if wanted else list(map(astuple, itertools.islice(rows[0], _BATCH)))
            text = json.dumps(
                (None, value), default=lambda v: {"": v.isoformat()} if hasattr(v, "isoformat") else str(v)
            )
            error = TooLarge(f"{_BATCH} rows have {len(text):,} bytes", "split it") if len(text) > _MOST else None
        except KeywrightError as raised:
            error = raised
        except MemoryError:
            hint = f"split it, or if you trust it, {advise_raising('memory_bytes')}"
            error = TooLarge("the table needs more memory than is allowed", hint)
        if error:
            text = json.dumps(([type(error).__name__, error.message, error.hint], None))
        return text.encode("ascii")

    return answer


if __name__ == "__main__":
    limit_process(int(sys.argv[1]))
    answer_requests(_answer_tables())
