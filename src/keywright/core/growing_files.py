"""Files that grow line by line while work is done, so that the same command continues after an interruption.

A writer holds the lock of its output, so that a second command at the same time is refused.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from keywright.core.atomic_files import PREFIX, unwritable_path
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json

_SHOWN: Final = 60
"""Characters of an option that a message shows; arbitrary."""


@contextmanager
def hold_output(output: Path, lock: Path | None = None) -> Iterator[None]:
    """Hold the lock of an output; the system frees it when the process ends, however it does.

    ``lock``: file of the lock, which is removed at the end; None for a hidden one beside the output.

    Raises:
        BadParameter: another process holds the lock, or the file of the lock cannot be made.
    """
    target = output.resolve()
    lock = lock or target.with_name(f".{target.name[:PREFIX]}.lock")
    file = _open_locked(lock, output)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
        file.close()


def _open_locked(lock: Path, output: Path) -> IO[bytes]:
    """Return the open file of a lock that is held by this process."""
    while True:
        try:
            file = lock.open("ab")
        except OSError as error:
            raise unwritable_path(output, error) from None
        if not _is_locked(file):
            file.close()
            hint = "wait until it has ended, or name another place"
            raise BadParameter(f"another command writes to {output} at this moment", hint)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), lock.stat()):
                return file
        file.close()  # whoever held it has removed it in the same moment


def _is_locked(file: IO[bytes]) -> bool:
    """Lock a file; return whether no other process has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - Windows only

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - not on Windows

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # file systems of networks may have no locks
        return True
    return True


def read_whole_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, none without a file; the last one is left out if it was cut off."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line


@contextmanager
def grow_file(path: Path, size: int) -> Iterator[IO[str]]:
    """Open a file to write behind its first ``size`` bytes; what is written stays, whatever happens."""
    with path.open("a", encoding="utf-8", newline="", errors="surrogateescape") as file:
        os.truncate(path, size)
        yield file


def check_same_work(place: Path, earlier: Mapping[str, Any], now: Mapping[str, Any], hint: str) -> None:
    """Check that an output holds results of the same work; ``hint``: what to do otherwise.

    Settings that are the default may be missing.

    Raises:
        BadParameter: a setting differs; the message names the first one.
    """
    for name in {**earlier, **now}:
        if earlier.get(name) != now.get(name):
            texts = [_shorten(each[name]) if name in each else "the default" for each in (earlier, now)]
            message = f"{place} holds results with {name.replace('_', ' ')} {texts[0]}, and this is {texts[1]}"
            raise BadParameter(message, hint)


def _shorten(value: Any) -> str:
    text = value if isinstance(value, str) else to_json(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
