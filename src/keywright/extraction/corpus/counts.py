"""Counts of phrases by key: document frequencies and lexicons in one compact form; counting of any collection."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.errors import BrokenFile, MissingData
from keywright.core.saving import hash_columns

_MAGIC: Final = b"keywright phrase counts 1\n"
_ALIGNMENT: Final = 64  # bytes to whose multiple the arrays are aligned: a cache line
_KEY_BYTES, _COUNT_BYTES = 8, 4  # bytes of a 64-bit key and of a 32-bit count
_LENGTH_DIGITS: Final = 20  # maximum characters read of the line with the card's length: as many as a 64-bit number has


@dataclass(frozen=True, eq=False)
class PhraseCounts:
    """Number of documents of a collection, at least 1, that contain each phrase, by ascending keys, (phrases,)."""

    keys: Keys
    counts: Ints
    documents: int
    card: Mapping[str, Any] = field(default_factory=dict)  # origin of the counts: name, sources, licence, date, method

    def of(self, keys: Keys) -> Floats:
        """Return the documents with each phrase, (keys,); 0 for phrases that are not in the table."""
        if not len(self.keys):
            return np.zeros(len(keys))
        place = np.minimum(self.keys.searchsorted(keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.counts[place], 0).astype(np.float64)

    def rarity(self, counts: Floats) -> Floats:
        """Return the inverse document frequency ``log2((N + 1) / (df + 1))`` of counts, in their shape."""
        return np.asarray(np.log2((self.documents + 1) / (counts + 1)))

    @cached_property
    def fingerprint(self) -> str:
        """Start of the SHA-256 of keys and counts: the table's part in a signature."""
        digest = self.card.get("sha256")
        return str(digest)[:8] if digest else hash_columns((self.keys, "<u8"), (self.counts, "<u4"))[:8]

    def __len__(self) -> int:
        return len(self.keys)

    def save(self, path: Path) -> None:
        """Write as one file, with ``documents``, ``phrases`` and ``sha256`` added to the card."""
        keys, counts = self.keys.astype("<u8"), self.counts.astype("<u4")
        numbers = {
            "documents": self.documents,
            "phrases": len(keys),
            "sha256": hash_columns((keys, "<u8"), (counts, "<u4")),
        }
        card = json.dumps({**self.card, **numbers}, ensure_ascii=False, sort_keys=True).encode()
        head = _MAGIC + f"{len(card)}\n".encode() + card
        head += b" " * (-len(head) % _ALIGNMENT)
        path.write_bytes(head + keys.tobytes() + counts.tobytes())

    @classmethod
    def load(cls, path: Path) -> "PhraseCounts":
        """Map a saved table into memory, but read its card; raises ``MissingData``, or ``BrokenFile`` if damaged."""
        if not path.is_file():
            raise MissingData(f"no table of phrase counts at {path}")
        with path.open("rb") as file:
            if file.readline(len(_MAGIC)) != _MAGIC:
                raise BrokenFile(f"{path.name} is not a table of phrase counts")
            try:
                card = json.loads(file.read(int(file.readline(_LENGTH_DIGITS))))
                phrases, documents = int(card["phrases"]), int(card["documents"])
            except (ValueError, KeyError, TypeError) as error:
                raise BrokenFile(f"the card of {path.name} cannot be read: {error}") from error
            start = file.tell() + (-file.tell() % _ALIGNMENT)
        expected = start + max(0, phrases) * (_KEY_BYTES + _COUNT_BYTES)
        if path.stat().st_size != expected:
            raise BrokenFile(f"{path.name} has {path.stat().st_size} bytes where its card says {expected}")
        if not phrases:
            return cls(np.zeros(0, np.uint64), np.zeros(0, np.uint32), documents, card)
        keys = np.memmap(path, "<u8", "r", start, (phrases,))
        counts = np.memmap(path, "<u4", "r", start + phrases * _KEY_BYTES, (phrases,))
        return cls(keys.view(np.ndarray), counts.view(np.ndarray), documents, card)  # maps themselves are slow to index

    @classmethod
    def of_phrases(cls, counted: Iterable[tuple[int, int]], documents: int, **card: Any) -> "PhraseCounts":
        """Return a lexicon from (key, count) pairs; counts of equal keys are added."""
        pairs = np.array(list(counted), dtype=object).reshape(-1, 2)
        keys, place = np.unique(pairs[:, 0].astype(np.uint64), return_inverse=True)
        counts = np.bincount(place, weights=pairs[:, 1].astype(np.float64), minlength=len(keys)).astype(np.uint32)
        return cls(keys, counts, documents, card)


def add_counts(first: PhraseCounts, second: PhraseCounts) -> PhraseCounts:
    """Return the sums of counts and documents, all of one weight (docs/decisions/0016-adapting.md)."""
    keys = np.union1d(first.keys, second.keys)
    counts = (first.of(keys) + second.of(keys)).astype(np.uint32)
    return PhraseCounts(keys, counts, first.documents + second.documents)


def count_documents(
    keys_of_documents: Iterable[Keys], *, least: int = 1, buffer: int = 8_000_000, **card: Any
) -> PhraseCounts:
    """Return document frequencies of phrases, ``least`` at least, by external merge sort of full buffers."""
    with tempfile.TemporaryDirectory(prefix="keywright-") as folder:
        runs: list[tuple[Keys, Ints]] = []
        waiting: list[Keys] = []
        held = documents = 0

        def count_waiting() -> tuple[Keys, Ints]:
            keys, counts = np.unique(np.concatenate(waiting), return_counts=True)
            return keys, counts.astype(np.uint32)

        for keys in keys_of_documents:
            documents += 1
            waiting.append(np.unique(keys))
            held += len(waiting[-1])
            if held >= buffer:
                paths = [Path(folder, f"{len(runs)}-{name}.npy") for name in ("keys", "counts")]
                for path, column in zip(paths, count_waiting(), strict=True):
                    np.save(path, column, allow_pickle=False)
                runs.append((np.load(paths[0], mmap_mode="r"), np.load(paths[1], mmap_mode="r")))
                waiting, held = [], 0
        if waiting:
            runs.append(count_waiting())
        merged = list(_merge_runs(runs, buffer, least))
    keys = np.concatenate([np.zeros(0, np.uint64), *(keys for keys, _ in merged)])
    counts = np.concatenate([np.zeros(0, np.uint32), *(counts for _, counts in merged)])
    return PhraseCounts(keys, counts, documents, card)


def _merge_runs(runs: list[tuple[Keys, Ints]], buffer: int, least: int) -> Iterator[tuple[Keys, Ints]]:
    """Yield sums of counts over sorted runs, one range of keys at a time, which on average fits the buffer."""
    if not runs:
        return
    # Keys are hashes, so equal ranges of numbers hold about equally many keys: no run has to be read to find them.
    ranges = max(1, -(-sum(len(keys) for keys, _ in runs) // buffer))
    borders = [round(step * 2**64 / ranges) for step in range(1, ranges)]
    cuts = [np.concatenate(([0], np.searchsorted(keys, np.array(borders, np.uint64)), [len(keys)])) for keys, _ in runs]
    for step in range(ranges):
        pieces = [slice(int(cut[step]), int(cut[step + 1])) for cut in cuts]
        keys = np.concatenate([run[0][piece] for run, piece in zip(runs, pieces, strict=True)])
        counts = np.concatenate([run[1][piece] for run, piece in zip(runs, pieces, strict=True)])
        distinct, place = np.unique(keys, return_inverse=True)
        summed = np.bincount(place, weights=counts, minlength=len(distinct)).astype(np.uint32)
        yield distinct[summed >= least], summed[summed >= least]


def count_mentions(mentions_of_documents: Iterable[tuple[Keys, Ints]], **card: Any) -> PhraseCounts:
    """Return how often phrases occur in a collection that fits into memory; phrases without a mention are left out."""
    documents = list(mentions_of_documents)
    every_key = np.concatenate([np.zeros(0, np.uint64), *(keys for keys, _ in documents)])
    keys, place = np.unique(every_key, return_inverse=True)
    mentions = np.concatenate([np.zeros(0, np.int64), *(mentions for _, mentions in documents)])
    counts = np.bincount(place, weights=mentions, minlength=len(keys)).astype(np.uint32)
    return PhraseCounts(keys[counts > 0], counts[counts > 0], len(documents), card)
