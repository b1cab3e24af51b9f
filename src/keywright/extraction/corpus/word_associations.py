"""Associations of the words of texts with the keyphrases that people gave those texts.

A word points to a keyphrase as often as texts with the word have it, so keyphrases can be found that a text does not
contain. The weight of a word for a keyphrase is the mean of the word's weights (tf-idf, of unit length for each text)
over the texts with the keyphrase, as in Rocchio's classifier (Rocchio 1971), times a power of their number, so that
usual keyphrases are before rare ones.
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

    Attributes:
        words: keys of the words, ascending, (words,).
        rarity: natural logarithm of texts by texts with the word, (words,).
        bounds: where the pairs of each word begin and end, ascending, (words + 1,).
        label: number of the keyphrase of each pair, (pairs,).
        weight: of each pair, above 0, (pairs,).
        labels: the keyphrases as people write them, (labels,).
        keys: keys of the keyphrases, (labels,).
        uses: texts with the keyphrase, at least 1, (labels,).
        parts: keys of the keyphrases' words, (parts,).
        part_bounds: where the words of each keyphrase begin and end, ascending, (labels + 1,).
        card: origin: name, sources, licence, date, method.
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
        """Return the known words of a text and their weights.

        Args:
            keys: distinct words of the text, (keys,).
            mentions: how often each occurs, at least 1, (keys,).

        Returns:
            numbers of the words that have associations, in the order of ``keys``, and their weights, whose squares
            sum to 1, both (known,).
        """
        row, is_known = self._index.look_up(keys)
        row = row[is_known]
        weight = (1 + np.log(mentions[is_known])) * self.rarity[row]
        return row, weight / max(float(np.sqrt(weight @ weight)), np.finfo(float).tiny)

    def scores(self, row: Ints, weight: Floats) -> Floats:
        """Return how much words point to each keyphrase, at least 0, (labels,).

        Args:
            row: numbers of the words, (known,).
            weight: of each word in the text, (known,).
        """
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
        """Read a file of ``save``.

        Raises:
            MissingData: there is no such file.
            BrokenFile: it is damaged, or does not match its card.
        """
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
