"""Write pages from stored results, or compare them with the stored pages."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

_NAMESPACES: Final = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def write_or_check(files: Mapping[Path, str], stale: Iterable[Path] = (), *, check: bool) -> None:
    """Write files and remove stale ones; or compare only, and exit with status 1 and the names of those that differ.

    Args:
        files: content of each file.
        stale: files that exist and are no longer written.
        check: compare only.
    """
    if check:
        different = [
            path for path, content in files.items() if not path.is_file() or path.read_text("utf-8") != content
        ]
        if names := ", ".join(path.name for path in (*different, *stale)):
            sys.exit(f"not what the results give: {names}")
        return
    for path in stale:
        path.unlink()
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def standalone(svg: str) -> str:
    """Return a drawing of a page as the content of a file of its own."""
    return svg.replace("<svg ", f"<svg {_NAMESPACES} ", 1).rstrip() + "\n"
