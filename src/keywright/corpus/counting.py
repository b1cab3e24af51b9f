"""Counts of phrases over a collection of any size, in bounded memory."""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.corpus.counts import PhraseCounts


def count_documents(
    keys_of_documents: Iterable[Keys], *, least: int = 1, buffer: int = 8_000_000, **card: Any
) -> PhraseCounts:
    """Return document frequencies of phrases, by external merge sort.

    Distinct keys of each document are gathered in a buffer; a full buffer is counted and written to a sorted temporary
    file, and the files are merged at the end, one range of keys at a time. Memory is bounded by a few times ``buffer``
    numbers, whatever the size of the collection. Phrases in fewer than ``least`` documents are left out.
    """
    with tempfile.TemporaryDirectory(prefix="keywright-") as folder:
        runs: list[tuple[Keys, Ints]] = []
        waiting: list[Keys] = []
        held = documents = 0
        for keys in keys_of_documents:
            documents += 1
            distinct = np.unique(keys)
            waiting.append(distinct)
            held += len(distinct)
            if held >= buffer:
                runs.append(_written(_counted(waiting), Path(folder), len(runs)))
                waiting, held = [], 0
        if waiting:
            runs.append(_counted(waiting))
        merged = list(_merged(runs, buffer, least))
    keys = np.concatenate([keys for keys, _ in merged]) if merged else np.zeros(0, np.uint64)
    counts = np.concatenate([counts for _, counts in merged]) if merged else np.zeros(0, np.uint32)
    return PhraseCounts(keys, counts, documents, card)


def _counted(arrays: list[Keys]) -> tuple[Keys, Ints]:
    """Return distinct keys, ascending, with their numbers of arrays."""
    keys, counts = np.unique(np.concatenate(arrays), return_counts=True)
    return keys, counts.astype(np.uint32)


def _written(run: tuple[Keys, Ints], folder: Path, number: int) -> tuple[Keys, Ints]:
    """Write a sorted run to disk and return it memory-mapped."""
    mapped = []
    for column, name in zip(run, ("keys", "counts"), strict=True):
        path = folder / f"{number}-{name}.npy"
        np.save(path, column, allow_pickle=False)
        mapped.append(np.load(path, mmap_mode="r", allow_pickle=False))
    return mapped[0], mapped[1]


def _merged(runs: list[tuple[Keys, Ints]], buffer: int, least: int) -> Iterator[tuple[Keys, Ints]]:
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
    keys, place = np.unique(
        np.concatenate([np.zeros(0, np.uint64), *(keys for keys, _ in documents)]), return_inverse=True
    )
    mentions = np.concatenate([np.zeros(0, np.int64), *(mentions for _, mentions in documents)])
    counts = np.bincount(place, weights=mentions, minlength=len(keys)).astype(np.uint32)
    return PhraseCounts(keys[counts > 0], counts[counts > 0], len(documents), card)
