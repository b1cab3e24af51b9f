"""Collections: their data sheets, and local copies."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from keywright.datasets import card_records
from keywright.datasets.card import named
from keywright.datasets.fetch import fetch
from keywright.datasets.verification import Verification, verify


def describe_datasets() -> tuple[dict[str, Any], ...]:
    """Return one record for each collection; ``here`` says whether a copy is on this machine."""
    return card_records.listing()


def describe_dataset(name: str) -> dict[str, Any]:
    """Return everything on the data sheet of a collection.

    Raises:
        UnknownName: there is no such collection.
    """
    return card_records.describe(named(name)[0])


def fetch_dataset(name: str, progress: Callable[[int, int | None], None] | None = None) -> Path:
    """Download and verify a collection, unless a copy is there; return its folder.

    Args:
        name: of the collection.
        progress: called with the number of bytes received, and of all, None where the server does not say.

    Raises:
        UnknownName, MissingData, WrongFingerprint, TooLarge: as for ``datasets.fetch``.
    """
    return fetch(name, None if progress is None else lambda _file, done, total: progress(done, total))


def verify_dataset(name: str) -> tuple[Verification, ...]:
    """Compare a local copy with its data sheet, split by split.

    Raises:
        UnknownName: there is no such collection.
        MissingData: it is not on this machine.
    """
    return verify(name)
