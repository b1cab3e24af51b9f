"""Results cached on disk, so that a long program that was interrupted resumes where it stopped."""

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from keywright.core.atomic_files import whole_file


def cached(folder: Path, identity: Iterable[Any], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return a result of JSON values only, read from the folder or computed and written there.

    Args:
        folder: of the results; created where it does not exist.
        identity: JSON values of everything that decides the result; for the code there is ``source_code.code_digest``.
        make: computes it.
    """
    path = folder / f"{digest_of(identity)[:24]}.json"
    try:
        result: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        result = make()
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            json.dump(result, file)
    return result


def digest_of(value: Any) -> str:
    """Return the SHA-256 of JSON values, or of an iterable of them, 64 hexadecimal digits."""
    plain = value if isinstance(value, dict | list) else list(value)
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()
