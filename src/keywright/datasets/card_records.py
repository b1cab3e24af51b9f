"""Cards as JSON records: the list of all, and one in full, licence before size."""

from pathlib import Path
from typing import Any

from keywright.datasets import card as cards
from keywright.datasets.card import Card, Split
from keywright.datasets.data_folders import copy_of


def listing(mirror: Path | None = None) -> tuple[dict[str, Any], ...]:
    """Return one row for each collection; ``here`` says whether a copy is on this machine."""
    return tuple(_row(cards.card(name), mirror) for name in cards.card_names())


def _row(card: Card, mirror: Path | None) -> dict[str, Any]:
    return {
        "name": card.name,
        "splits": list(card.splits),
        "documents": card.documents,
        "gold": list(card.gold),
        "language": card.language,
        "licence": card.licence.spdx,
        "here": copy_of(card, mirror) is not None,
    }


def describe(card: Card, mirror: Path | None = None) -> dict[str, Any]:
    """Return everything on a card, in the order of printing: identity, licence, then size and the rest."""
    place = copy_of(card, mirror)
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
        "splits": {name: _split(split) for name, split in card.splits.items()},
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


def _split(split: Split) -> dict[str, Any]:
    return {
        "documents": split.documents,
        "held_out": split.held_out,
        "note": split.note,
        "gold": {kind: {"entries": count.entries, "forms": count.forms} for kind, count in split.gold.items()},
        "fingerprints": dict(split.fingerprints),
    }
