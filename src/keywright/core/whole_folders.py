"""Folders written as a whole: the new one takes the place of the old, or nothing changes."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from keywright.core.atomic_files import PREFIX, unwritable


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Make a new folder that takes the place of ``path`` when the block ends without error, else nothing changes.

    Raises:
        BadParameter: it cannot be made there.
    """
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name[:PREFIX]}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        new, old = scratch / "new", scratch / "old"
        new.mkdir()
        yield new
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
