"""Associations of the words of texts with the keyphrases that people gave those texts.

The weight of a word for a keyphrase is the mean of the word's weights (tf-idf, of unit length) over the texts with the
keyphrase, as in Rocchio's classifier (Rocchio 1971), times a power of their number.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, KeyIndex, Keys, expand_ranges
from keywright.core.errors import BrokenFile, MissingData

_HINT: Final = "install keywright again"
_STORED: Final[Mapping[str, tuple[str, type]]] = {
    "words": ("<u8", np.uint64),
    "rarity": ("<f4", np.float64),
    "bounds": ("<u4", np.int64),
    "label": ("<u2", np.int64),
    "keys": ("<u8", np.uint64),
    "uses": ("<u4", np.int64),
    "parts": ("<u8", np.uint64),
    "part_bounds": ("<u4", np.int64),
}
"""Types of the columns that are stored as they are, in a file and in memory."""


@dataclass(frozen=True, eq=False)
class WordAssociations:
    """Keyphrases that each word points to.

    ``words``: ascending keys, with ``rarity``, log of texts by texts with the word, (words,); ``bounds``: of the pairs
    of each word, (words + 1,); ``label``, ``weight``: of each pair, (pairs,); ``labels``: as people write them, with
    ``keys``, ``uses`` (texts, at least 1), (labels,); ``parts``: keys of their words, (parts,), by ``part_bounds``,
    (labels + 1,).
    """

    words: Keys
    rarity: Floats
    bounds: Ints
    label: Ints
    weight: Floats
    labels: tuple[str, ...]
    keys: Keys
    uses: Ints
    parts: Keys
    part_bounds: Ints
    card: Mapping[str, Any] = field(default_factory=dict)

    def weights_of(self, keys: Keys, mentions: Ints) -> tuple[Ints, Floats]:
        """Return numbers of the known words of a text, distinct ``keys``, and weights of unit length."""
        row, is_known = self._index.look_up(keys)
        row = row[is_known]
        weight = (1 + np.log(mentions[is_known])) * self.rarity[row]
        return row, weight / max(float(np.sqrt(weight @ weight)), np.finfo(float).tiny)

    def scores(self, row: Ints, weight: Floats) -> Floats:
        """Return how much words, by number and weight, (known,), point to each keyphrase, at least 0, (labels,)."""
        pair, word = self._pairs(row)
        pointing = self.weight[pair] * weight[word]
        return np.asarray(np.bincount(self.label[pair], pointing, minlength=len(self.labels)), np.float64)

    def parts_of_scores(self, row: Ints, weight: Floats, label: int) -> Floats:
        """Return the part of each word in the score of a keyphrase, (known,); they sum to the score."""
        pair, word = self._pairs(row)
        of_label = self.label[pair] == label
        parts = self.weight[pair[of_label]] * weight[word[of_label]]
        return np.asarray(np.bincount(word[of_label], parts, minlength=len(row)), np.float64)

    def among(self, keys: Keys) -> Bools:
        """Return whether each keyphrase is one of some phrases, (labels,); ``keys`` in any order, (phrases,)."""
        order, index = self._ordered
        row, is_known = index.look_up(keys)
        is_among = np.zeros(len(self.labels), bool)
        is_among[order[row[is_known]]] = True
        return is_among

    def _pairs(self, row: Ints) -> tuple[Ints, Ints]:
        """Return the pairs of words, and for each the place of its word in ``row``, both (pairs of the words,)."""
        return expand_ranges(self.bounds[row], self.bounds[row + 1])

    @cached_property
    def _index(self) -> KeyIndex:
        return KeyIndex.of(self.words)

    @cached_property
    def _ordered(self) -> tuple[Ints, KeyIndex]:
        """Return numbers of the keyphrases in the order of their keys, and the index of these, both (labels,)."""
        order = np.argsort(self.keys)
        return order, KeyIndex.of(self.keys[order])

    def save(self, path: Path) -> None:
        """Write as one compressed file of arrays, with ``sha256`` added to the card; weights with 8 bits."""
        scale = float(self.weight.max(initial=1.0)) / np.iinfo(np.uint8).max
        columns: dict[str, Any] = {
            **{name: getattr(self, name).astype(stored) for name, (stored, _) in _STORED.items()},
            "weight": np.ceil(self.weight / scale).clip(1, np.iinfo(np.uint8).max).astype(np.uint8),
            "scale": np.array(scale),
            "labels": np.frombuffer("\n".join(self.labels).encode(), np.uint8),
        }
        card = json.dumps({**self.card, "sha256": _hash(columns)}, ensure_ascii=False, sort_keys=True)
        with path.open("wb") as file:
            np.savez_compressed(file, card=np.frombuffer(card.encode(), np.uint8), **columns)

    @classmethod
    def load(cls, path: Path) -> "WordAssociations":
        """Read a file of ``save``; raises MissingData without it, BrokenFile where it does not match its card."""
        if not path.is_file():
            raise MissingData(f"no associations of words at {path}", _HINT)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as packed:
                columns = {name: packed[name] for name in packed.files}
            card = json.loads(columns.pop("card").tobytes())
            if _hash(columns) != card["sha256"]:
                raise BrokenFile(f"{path.name} does not match its card", _HINT)
            return cls(
                **{name: columns[name].astype(kind) for name, (_, kind) in _STORED.items()},
                weight=columns["weight"] * float(columns["scale"]),
                labels=tuple(columns["labels"].tobytes().decode().split("\n")),
                card=card,
            )
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise BrokenFile(f"{path.name} cannot be read: {error}", _HINT) from error


def _hash(columns: Mapping[str, Any]) -> str:
    digest = hashlib.sha256()
    for name in sorted(columns):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(columns[name]).tobytes())
    return digest.hexdigest()
