"""Folders of data sets: the folder named by KEYWRIGHT_MIRROR first, then the user's cache.

In both, a collection has a folder of its own name (or one archive of that name, such as ``inspec.zip``), unless its
card names a folder shared with others; then at least one of its files must be there.
"""

import os
from pathlib import Path
from typing import Final

from keywright.core.errors import MissingData
from keywright.datasets.card import Card
from keywright.datasets.files import ARCHIVES, Files
from keywright.datasets.labelled_file import packed

MIRROR: Final = "KEYWRIGHT_MIRROR"
CACHE: Final = "KEYWRIGHT_CACHE"


def cache_folder(kind: str = "datasets") -> Path:
    """Return the folder of fetched data, or of another kind of reproducible files.

    Its parent is the folder named by KEYWRIGHT_CACHE, else the platform's folder for caches.
    """
    import platformdirs  # noqa: PLC0415 - needed only to look for data

    return Path(os.environ.get(CACHE) or platformdirs.user_cache_dir("keywright")) / kind


def mirror_folder() -> Path | None:
    """Return the folder named by KEYWRIGHT_MIRROR; None if it is not set."""
    named = os.environ.get(MIRROR)
    return _existing(Path(named), MIRROR) if named else None


def copy_of(card: Card, mirror: Path | None = None) -> Path | None:
    """Return the place of a local copy of a collection; None if there is none.

    Looks into the mirror, or the folder named by KEYWRIGHT_MIRROR, before the cache.
    """
    first = _existing(mirror, "mirror") if mirror else mirror_folder()
    for folder in filter(None, (first, cache_folder())):
        if card.records:
            place = folder / (card.folder or card.name)
            if any(packed(place / name) for name in card.records.files.values()):
                return place
            continue
        for place in (folder / card.name, *(folder / f"{card.name}{ending}" for ending in ARCHIVES)):
            if place.is_dir() or (place.is_file() and place.name != card.name):
                return place
    return None


def files_of(card: Card, mirror: Path | None = None) -> Files:
    """Return the files of a local copy."""
    place = copy_of(card, mirror)
    if place is None:
        verb = "fetch" if card.downloadable else "show"
        purpose = "downloads it" if card.downloadable else "tells how to get it"
        raise MissingData(
            f"data set {card.name} is not on this machine",
            f"`keywright datasets {verb} {card.name}` {purpose}; "
            f"a folder that holds one named {card.folder or card.name} can be named in {MIRROR}",
        )
    return files_at(card, place)


def files_at(card: Card, place: Path) -> Files:
    """Return the files of a copy at a place."""
    return Files(place, folders={source.saved_as: source.folder for source in card.sources if source.saved_as})


def _existing(folder: Path, name: str) -> Path:
    if not folder.is_dir():
        raise MissingData(f"{name} is not a folder: {folder}", "expected a folder that holds data sets by name")
    return folder
