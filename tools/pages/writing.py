"""Pages made from stored results: written, or checked to be what would be written."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

_NAMESPACES: Final = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def write_or_check(made: Mapping[Path, str], stale: Iterable[Path] = (), *, check: bool) -> None:
    """Write files, and take away those that are made no more; or end with 1, naming those that are not so.

    Args:
        made: content of each file.
        stale: files that are there and made no more.
        check: write nothing.
    """
    if check:
        odd = [path for path, content in made.items() if not path.is_file() or path.read_text("utf-8") != content]
        if names := ", ".join(path.name for path in (*odd, *stale)):
            sys.exit(f"not what the results give: {names}")
        return
    for path in stale:
        path.unlink()
    for path, content in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def standalone(svg: str) -> str:
    """Return a drawing of a page as the content of a file of its own."""
    return svg.replace("<svg ", f"<svg {_NAMESPACES} ", 1).rstrip() + "\n"
