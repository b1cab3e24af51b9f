"""Writing a file so that it is there whole or not at all."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from keywright.core.errors import BadParameter


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A text file (UTF-8, line ends as written) that takes its name when the block ends well, and else leaves nothing.

    What is no ordinary file, such as a pipe, is written as it goes.

    Raises:
        BadParameter: the path is a folder, or lies in a folder that does not exist or cannot be written.
    """
    target = _target(path, ())
    if path.exists() and not path.is_file():  # of /dev/stdout, what it points to may have no path
        with path.open("w", encoding="utf-8", newline="") as file:
            yield file
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        opened = temporary.open("w", encoding="utf-8", newline="", errors="surrogateescape")
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        with opened as file:
            yield file
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Bytes as a file that is there whole or not at all.

    Raises:
        BadParameter: as for ``whole_file``.
    """
    with whole_file(path) as file:
        plain: Any = file  # the text file's own bytes
        plain.buffer.write(content)


def check_file(path: Path, read: Iterable[object] = ()) -> Path:
    """Where a file would be written: what a link points to, so that the link stays one.

    Args:
        path: of the file.
        read: what is read to make it, which must not be lost; names that are no paths do no harm.

    Raises:
        BadParameter: the path is a folder, lies in a folder that does not exist or cannot be written, or is read.
    """
    target = _target(path, read)
    if not path.exists() or path.is_file():
        _try(target.parent, path)
    return target


def _target(path: Path, read: Iterable[object]) -> Path:
    """What ``check_file`` gives, where the folder is not tried."""
    target = path.resolve()
    if any(isinstance(one, str | Path) and target == Path(one).resolve() for one in read):
        raise BadParameter(f"{path} is read, and would be lost", "name another file to write to")
    if target.is_dir() or not target.parent.is_dir():
        what = "is a folder" if target.is_dir() else "lies in a folder that does not exist"
        raise BadParameter(f"{path} {what}", "name a file in a folder that exists")
    return target


def check_folder(path: Path) -> None:
    """That a folder can be there, made or not yet.

    Raises:
        BadParameter: something else has its name, or there is no folder to make it in, or none that can be written.
    """
    if (path.exists() and not path.is_dir()) or not path.resolve().parent.is_dir():
        raise BadParameter(f"{path} can be no folder", "name a folder, in a folder that exists")
    _try(path if path.is_dir() else path.resolve().parent, path)


def _try(folder: Path, path: Path) -> None:
    """That a file can be made in a folder, which permissions alone do not tell."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> BadParameter:
    return BadParameter(f"{path} cannot be written: {error.strerror}", "name a place in a folder that you may write to")
