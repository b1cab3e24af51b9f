"""Files under a folder, one directory in memory at a time."""

import os
from collections.abc import Iterator
from pathlib import Path

from keywright.core.errors import UnreadableInput


def files_under(folder: Path) -> Iterator[Path | tuple[Path, UnreadableInput]]:
    """Yield the files under a folder in the order of their paths, and an error for each folder that cannot be listed.

    Hidden files and folders, linked folders, pipes and devices are left out; links to nothing are among the files, so
    that they are reported.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208 - names only, of any number
    except OSError as error:
        message = f"the folder {folder} cannot be opened: {error.strerror or error}"
        yield folder, UnreadableInput(message, "check its permissions; nothing in it was read")
        return
    for name in names:
        path = folder / name
        if path.is_dir():
            if not path.is_symlink():
                yield from files_under(path)
        elif path.is_file() or path.is_symlink():
            yield path
