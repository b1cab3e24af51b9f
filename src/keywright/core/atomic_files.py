"""Files and folders written atomically, and files that grow line by line so that the same command continues them.

The new one takes the place of the old, or nothing changes. A writer that may be interrupted holds the lock of its
output, so that a second command at the same time is refused.
"""

import errno
import hashlib
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json

CACHE: Final = "KEYWRIGHT_CACHE"
PREFIX: Final = 100  # characters of a file's name in that of its temporary file, which may not be too long
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, None)
"""Numbers of errors of a disk that takes no more; numpy gives none."""
_SHOWN: Final = 60  # characters of an option that a message shows; arbitrary


def cache_folder(kind: str = "datasets") -> Path:
    """Return the folder of reproducible files, in that of KEYWRIGHT_CACHE, else in the platform's for caches."""
    import platformdirs  # noqa: PLC0415 - needed only to look for data

    return Path(os.environ.get(CACHE) or platformdirs.user_cache_dir("keywright")) / kind


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Open a text file (UTF-8, line ends as written) that replaces ``path`` when the block ends without error.

    Pipes and other special files are written directly. A path that is a folder, or in a folder that does not exist or
    cannot be written, is a ``BadParameter``, as for all functions here.
    """
    target = _resolve_target(path, ())
    if path.exists() and not path.is_file():  # the target of /dev/stdout may have no path
        with path.open("w", encoding="utf-8", newline="") as file:
            yield file
        return
    # A random name, made anew ("x"): a link that lies there already is never followed.
    temporary = target.with_name(f".{target.name[:PREFIX]}.{secrets.token_hex(8)}.part")
    try:
        opened = temporary.open("x", encoding="utf-8", newline="", errors="surrogateescape")
    except OSError as error:
        raise unwritable_path(path, error) from None
    try:
        with opened as file:
            yield file
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def synced_file(path: Path) -> Iterator[IO[str]]:
    """Open a file as ``whole_file`` does, which is on the disk before ``path`` has it: a power cut cannot empty it."""
    with whole_file(path) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_whole(path: Path, content: bytes) -> None:
    """Write bytes as a file, atomically."""
    with whole_file(path) as file:
        binary: Any = file
        binary.buffer.write(content)


def check_file(path: Path, inputs: Iterable[object] = ()) -> Path:
    """Check that a file can be written, and is none of ``inputs``; return the path to write: the target of a link."""
    target = _resolve_target(path, inputs)
    if not path.exists() or path.is_file():
        _check_writable(target.parent, path)
    return target


def _resolve_target(path: Path, inputs: Iterable[object]) -> Path:
    """Return the path to write, without trying its folder."""
    target = path.resolve()
    if any(isinstance(each, str | Path) and target == Path(each).resolve() for each in inputs):
        raise BadParameter(f"{path} is read, and would be lost", "name another file to write to")
    if target.is_dir() or not target.parent.is_dir():
        problem = "is a folder" if target.is_dir() else "lies in a folder that does not exist"
        raise BadParameter(f"{path} {problem}", "name a file in a folder that exists")
    return target


def check_folder(path: Path) -> None:
    """Check that a folder exists or can be made, and can be written."""
    if (path.exists() and not path.is_dir()) or not path.resolve().parent.is_dir():
        raise BadParameter(f"{path} cannot be a folder", "name a folder, in a folder that exists")
    _check_writable(path if path.is_dir() else path.resolve().parent, path)


def check_replaceable(folder: Path, thing: str, is_one: Callable[[Path], bool], *, force: bool) -> None:
    """Check that a folder is new or empty, or holds a thing, named with its article, which ``force`` replaces."""
    check_folder(folder)
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not is_one(folder):
        raise BadParameter(f"{folder} holds files that are not {thing}", "name a new folder, or an empty one")
    if not force:
        raise BadParameter(f"{folder} holds {thing}", "--force (force=True) replaces it, or name a new folder")


def _check_writable(folder: Path, path: Path) -> None:
    """Check that a file can be made in a folder, by making one: permissions alone do not tell."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise unwritable_path(path, error) from None


def unwritable_path(path: Path, error: OSError) -> BadParameter:
    """Return the error of a path that cannot be written."""
    reason = error.strerror or f"the disk takes no more, {error}"
    return BadParameter(f"{path} cannot be written: {reason}", "name a place in a folder that you may write to")


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Make a new folder that takes the place of ``path`` when the block ends without error, else nothing changes."""
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name[:PREFIX]}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise unwritable_path(path, error) from None
    try:
        new, old = scratch / "new", scratch / "old"
        new.mkdir()
        try:
            yield new
        except OSError as error:
            if error.errno in _FULL:
                raise unwritable_path(path, error) from error
            raise
        if target.is_dir():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.is_dir():
                old.rename(target)
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def hold_output(output: Path, lock: Path | None = None) -> Iterator[None]:
    """Hold a lock of an output, a hidden one beside it when None; ``BadParameter`` if another process holds it."""
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
        try:
            if sys.platform == "win32":
                import msvcrt  # noqa: PLC0415 - Windows only

                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl  # noqa: PLC0415 - not on Windows

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            file.close()
            hint = "wait until it has ended, or name another place"
            raise BadParameter(f"another command writes to {output} at this moment", hint) from None
        except OSError:
            pass  # file systems of networks may have no locks
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), lock.stat()):
                return file
        file.close()  # whoever held it has removed it in the same moment


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
    """Raise ``BadParameter`` with the first setting by which an output is of other work; defaults may be left out."""
    for name in {**earlier, **now}:
        if earlier.get(name) != now.get(name):
            values = (each.get(name, "the default") for each in (earlier, now))
            texts = (value if isinstance(value, str) else to_json(value) for value in values)
            before, after = (text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…" for text in texts)
            message = f"{place} holds results with {name.replace('_', ' ')} {before}, and this is {after}"
            raise BadParameter(message, hint)
