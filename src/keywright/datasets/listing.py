"""Cards for people and machines: the list of all, and one in full, licence before size."""

from pathlib import Path
from typing import Any

from keywright.datasets.card import Card, Split, card, card_names
from keywright.datasets.data_folders import copy_of


def listing(mirror: Path | None = None) -> tuple[dict[str, Any], ...]:
    """One row for each collection, JSON values only; ``here`` is whether a copy lies on this machine."""
    return tuple(_row(card(name), mirror) for name in card_names())


def _row(found: Card, mirror: Path | None) -> dict[str, Any]:
    return {
        "name": found.name,
        "splits": list(found.splits),
        "documents": found.documents,
        "gold": list(found.gold),
        "language": found.language,
        "licence": found.licence.spdx,
        "here": copy_of(found, mirror) is not None,
    }


def describe(found: Card, mirror: Path | None = None) -> dict[str, Any]:
    """Everything on a card, JSON values only, in the order to print it: what it is, licence, then size and the rest."""
    place = copy_of(found, mirror)
    return {
        "name": found.name,
        "title": found.title,
        "paper": found.paper,
        "language": found.language,
        "unit": found.unit,
        "licence": {
            "spdx": found.licence.spdx,
            "note": found.licence.note,
            "redistributable": found.licence.redistributable,
        },
        "documents": found.documents,
        "whole": list(found.whole),
        "splits": {name: _split(split) for name, split in found.splits.items()},
        "gold": dict(found.gold),
        "forms": list(found.forms),
        "sources": [
            {"what": one.what, "repository": one.repository, "commit": one.commit, "folder": one.folder, "url": one.url}
            for one in found.sources
        ],
        "instructions": found.instructions.strip(),
        "files": [{"path": one.path, "bytes": one.bytes, "sha256": one.sha256} for one in found.files],
        "problems": list(found.problems),
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
