"""Trees that rank, with a probability for each of their scores; trained once and kept as one small file."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from keywright.core.arrays import Floats
from keywright.core.errors import BrokenFile, MissingData
from keywright.learners.probability import ProbabilityMap
from keywright.learners.trees import Trees

_LARGEST = 50_000_000
"""Bytes of an unpacked file above which nothing is read."""
_HINT = "copy the trained ranking again, or train it again"


@dataclass(frozen=True, eq=False)
class TrainedRanker:
    """Boosted trees, and what their log odds have turned out to be worth.

    Attributes:
        trees: over the columns.
        columns: names of the columns, in their order.
        probability: by style, from the log odds of a phrase to the share of such phrases that people chose, as found on
            documents that the trees had not seen.
        card: how it was made: data, date, licence, what it was checked against.
    """

    trees: Trees
    columns: tuple[str, ...]
    probability: Mapping[str, ProbabilityMap]
    card: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def fingerprint(self) -> str:
        """Start of the SHA-256 of all that decides: the judge's part in a signature."""
        return _hash(self._text())[:8]

    def save(self, path: Path) -> None:
        """Write as one packed file, with ``sha256`` added to the card."""
        text = self._text()
        card = {**self.card, "sha256": _hash(text)}
        packed = json.dumps({"card": card, "judge": text}, ensure_ascii=False)
        path.write_bytes(zstandard.ZstdCompressor(level=19).compress(packed.encode()))

    @classmethod
    def load(cls, path: Path) -> "TrainedRanker":
        """What ``save`` wrote.

        Raises:
            MissingData: there is no such file.
            BrokenFile: it is damaged, or not what its card says.
        """
        card, text = _read(path)
        if _hash(text) != card.get("sha256"):
            raise BrokenFile(f"{path.name} is not what its card says", _HINT)
        try:
            parts = json.loads(text)
            maps = {style: ProbabilityMap(*map(np.array, one)) for style, one in dict(parts["probability"]).items()}
            return cls(Trees(str(parts["trees"])), tuple(parts["columns"]), maps, card)
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenFile(f"{path.name} cannot be read: {error}", _HINT) from error

    def _text(self) -> str:
        maps = {
            style: [np.asarray(one.scores).tolist(), np.asarray(one.probabilities).tolist()]
            for style, one in self.probability.items()
        }
        parts = {"trees": self.trees.text, "columns": list(self.columns), "probability": maps}
        return json.dumps(parts, ensure_ascii=False, sort_keys=True)

    def scores(self, rows: Floats) -> Floats:
        """Log odds of each row, (rows,)."""
        return self.trees.scores(rows)

    def probabilities(self, scores: Floats, style: str) -> Floats | None:
        """Share of phrases with such scores that people chose, (rows,); None where none was fitted for the style."""
        found = self.probability.get(style)
        return None if found is None else found.of(scores)


def _read(path: Path) -> tuple[dict[str, Any], str]:
    """The card of a file, and what it is the card of.

    Raises:
        MissingData: there is no such file.
        BrokenFile: it is damaged.
    """
    if not path.is_file():
        raise MissingData(f"no trained ranking at {path}")
    packed = path.read_bytes()
    try:
        whole = json.loads(_unpacked(packed))
        return dict(whole["card"]), str(whole["judge"])
    except (zstandard.ZstdError, ValueError, KeyError, TypeError) as error:
        raise BrokenFile(f"{path.name} cannot be read: {error}", _HINT) from error


def _unpacked(packed: bytes) -> bytes:
    """The content of a frame; one that tells its size would be unpacked whatever the limit."""
    if zstandard.frame_content_size(packed) > _LARGEST:
        raise zstandard.ZstdError(f"it unpacks to more than {_LARGEST} bytes")
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=_LARGEST)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
