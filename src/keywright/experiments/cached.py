"""Results that are kept on disk, so that a long program that was cut off goes on where it stopped.

A result is known by what it is of and by our code and trained parameters: whatever changes there, it is computed again.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from keywright.core.writing import whole_file


def kept(folder: Path, identity: Iterable[str], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """A result, JSON values only: read where it is there, else made and written.

    Args:
        folder: of the results; made where it is not there.
        identity: everything that decides the result besides our code.
        make: computes it.
    """
    digest = hashlib.sha256(json.dumps([_code(), *identity]).encode()).hexdigest()[:24]
    path = folder / f"{digest}.json"
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        found = make()
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            json.dump(found, file)
    return found


@cache
def _code() -> str:
    """Hash over the files of the package."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(str(path.relative_to(package)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
