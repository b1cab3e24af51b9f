"""Names and descriptions of systems, protocols, tables and data sets, and local copies of the latter."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from keywright import catalogue
from keywright.core.errors import MissingExtra
from keywright.datasets.card import Card, Split, card, card_names, find_card
from keywright.datasets.collection import Verification, verify
from keywright.datasets.fetch import fetch
from keywright.datasets.files import find_copy


def list_systems() -> tuple[str, ...]:
    """Return the names of all systems.

    >>> import keywright as kw
    >>> kw.list_systems()[0]
    'default'
    """
    return catalogue.SYSTEMS.names()


def list_protocols() -> tuple[str, ...]:
    """Return the names of all protocols.

    >>> import keywright as kw
    >>> "semeval2010" in kw.list_protocols()
    True
    """
    return catalogue.PROTOCOLS.names()


def list_tables() -> tuple[str, ...]:
    """Return the names of the published tables that ``reproduce`` knows.

    >>> import keywright as kw
    >>> "semeval2010-baselines" in kw.list_tables()
    True
    """
    return catalogue.TABLES.names()


def list_datasets() -> tuple[str, ...]:
    """Return the names of all collections that have a card.

    >>> import keywright as kw
    >>> "inspec" in kw.list_datasets()
    True
    """
    return card_names()


def describe_systems() -> tuple[list[dict[str, Any]], list[MissingExtra]]:
    """Return a description of every system, and an error for each system of another package that does not load."""
    descriptions, errors = [], []
    for name in list_systems():
        try:
            descriptions.append(catalogue.describe_system(name))
        except MissingExtra as error:
            errors.append(error)
    return descriptions, errors


def describe_datasets() -> tuple[dict[str, Any], ...]:
    """Return one record for each collection; ``here`` says whether a copy is on this machine."""
    return list_cards()


def describe_dataset(name: str) -> dict[str, Any]:
    """Return everything on the data sheet of a collection.

    Raises:
        UnknownName: there is no such collection.
    """
    return describe_card(find_card(name)[0])


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


def list_cards(mirror: Path | None = None) -> tuple[dict[str, Any], ...]:
    """Return one row for each collection; ``here`` says whether a copy is on this machine."""
    return tuple(_card_row(card(name), mirror) for name in card_names())


def _card_row(card: Card, mirror: Path | None) -> dict[str, Any]:
    return {
        "name": card.name,
        "splits": list(card.splits),
        "documents": card.documents,
        "gold": list(card.gold),
        "language": card.language,
        "licence": card.licence.spdx,
        "here": find_copy(card, mirror) is not None,
    }


def describe_card(card: Card, mirror: Path | None = None) -> dict[str, Any]:
    """Return everything on a card, in the order of printing: identity, licence, then size and the rest."""
    place = find_copy(card, mirror)
    return {
        "name": card.name,
        "title": card.title,
        "paper": card.paper,
        "language": card.language,
        "unit": card.unit,
        "licence": {
            "spdx": card.licence.spdx,
            "note": card.licence.note,
            "redistributable": card.licence.redistributable,
        },
        "documents": card.documents,
        "whole": list(card.whole),
        "splits": {name: _describe_split(split) for name, split in card.splits.items()},
        "gold": dict(card.gold),
        "forms": list(card.forms),
        "sources": [
            {key: getattr(source, key) for key in ("what", "repository", "commit", "folder", "url")}
            for source in card.sources
        ],
        "instructions": card.instructions.strip(),
        "files": [{"path": file.path, "bytes": file.bytes, "sha256": file.sha256} for file in card.files],
        "problems": list(card.problems),
        "here": str(place) if place else None,
    }


def _describe_split(split: Split) -> dict[str, Any]:
    return {
        "documents": split.documents,
        "held_out": split.held_out,
        "note": split.note,
        "gold": {kind: {"entries": count.entries, "forms": count.forms} for kind, count in split.gold.items()},
        "fingerprints": dict(split.fingerprints),
    }
