"""Results cached on disk, so that a long program that was interrupted resumes where it stopped.

The key of a result is its identity, our code and our trained parameters: a change of any of them computes it again.
Results that take long and depend on little may name the modules that decide them.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache as memoised
from pathlib import Path
from types import ModuleType
from typing import Any

import keywright
from keywright.core.atomic_files import whole_file


def cached(
    folder: Path, identity: Iterable[str], make: Callable[[], dict[str, Any]], modules: Iterable[ModuleType] = ()
) -> dict[str, Any]:
    """Return a result of JSON values only, read from the folder or computed and written there.

    Args:
        folder: of the results; created where it does not exist.
        identity: everything that decides the result besides our code.
        make: computes it.
        modules: those whose code decides it; all of the package and of the studies where none is named.
    """
    code = "".join(Path(str(module.__file__)).read_text("utf-8") for module in modules) or _code()
    digest = hashlib.sha256(json.dumps([code, *identity]).encode()).hexdigest()[:24]
    path = folder / f"{digest}.json"
    try:
        result: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        result = make()
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            json.dump(result, file)
    return result


@memoised
def _code() -> str:
    """Return a hash over the files of the package and of the studies."""
    digest = hashlib.sha256()
    for folder in (Path(keywright.__file__).parent, Path(__file__).parent):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(str(path.relative_to(folder)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
