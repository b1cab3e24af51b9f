"""Names and descriptions of systems, protocols, tables and data sets, and local copies of the latter."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from keywright import catalogue
from keywright.core.errors import MissingExtra
from keywright.core.json_values import encode
from keywright.datasets.card import card as card_of
from keywright.datasets.card import card_names, find_card
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


def describe_languages() -> tuple[dict[str, Any], ...]:
    """Return one record for each language with resources of its own, of what there is on this machine.

    >>> from keywright import api
    >>> api.describe_languages()[0]["name"]
    'Afrikaans'
    """
    from keywright.extraction.ranking.language_resources import SUPPORTED, describe_support  # noqa: PLC0415 - heavy

    return tuple(encode(describe_support(language)) for language in SUPPORTED)


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
    return tuple(
        {"name": card.name, "splits": list(card.splits), "documents": card.documents, "gold": list(card.gold)}
        | {"language": card.language, "licence": card.licence.spdx, "here": find_copy(card) is not None}
        for card in map(card_of, card_names())
    )


def describe_dataset(name: str) -> dict[str, Any]:
    """Return the data sheet of a collection, in the order of printing: identity, licence, then the rest."""
    card, _ = find_card(name)
    place = find_copy(card)
    splits = {name: encode(split) for name, split in card.splits.items()}
    shown = ("documents", "held_out", "note", "gold", "fingerprints")
    return {
        **{key: getattr(card, key) for key in ("name", "title", "paper", "language", "unit")},
        "licence": encode(card.licence),
        "documents": card.documents,
        "whole": list(card.whole),
        "splits": {name: {key: split[key] for key in shown} for name, split in splits.items()},
        "gold": dict(card.gold),
        "forms": list(card.forms),
        "sources": [
            {key: getattr(source, key) for key in ("what", "repository", "commit", "folder", "url")}
            for source in card.sources
        ],
        "instructions": card.instructions.strip(),
        "files": encode(card.files),
        "problems": list(card.problems),
        "here": str(place) if place else None,
    }


def fetch_dataset(name: str, progress: Callable[[int, int | None], None] | None = None) -> Path:
    """Download and verify a collection, unless a copy is there; return its folder.

    ``progress``: called with the number of bytes received, and of all, None where the server does not say.
    """
    card = card_of(name.partition("/")[0])
    return fetch(card, None if progress is None else lambda _file, done, total: progress(done, total))


def verify_dataset(name: str) -> tuple[Verification, ...]:
    """Compare a local copy with its data sheet, split by split."""
    return verify(name)
