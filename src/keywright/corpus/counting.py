"""Counting phrases over a collection of any size, in bounded memory."""

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
    """Document frequencies of phrases.

    Distinct keys of each document are gathered in a buffer; when it is full they are counted and written to a sorted
    temporary file, and the files are merged at the end, one range of keys at a time. Memory stays at a few times
    ``buffer`` numbers whatever the collection's size.

    Args:
        keys_of_documents: for each document the keys of its phrases, repeats allowed.
        least: phrases in fewer documents are left out of the table.
        buffer: keys held in memory before they are written away.
        card: what the table's card shall say.
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
    keys, counts = np.unique(np.concatenate(arrays), return_counts=True)
    return keys, counts.astype(np.uint32)


def _written(run: tuple[Keys, Ints], folder: Path, number: int) -> tuple[Keys, Ints]:
    """Put a sorted run on disk and give it back memory-mapped."""
    mapped = []
    for column, name in zip(run, ("keys", "counts"), strict=True):
        path = folder / f"{number}-{name}.npy"
        np.save(path, column, allow_pickle=False)
        mapped.append(np.load(path, mmap_mode="r", allow_pickle=False))
    return mapped[0], mapped[1]


def _merged(runs: list[tuple[Keys, Ints]], buffer: int, least: int) -> Iterator[tuple[Keys, Ints]]:
    """Sums of counts over sorted runs, one range of keys at a time, ranges small enough to fit the buffer."""
    if not runs:
        return
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
    """How often phrases occur in a collection that fits into memory; phrases without a mention are left out.

    Args:
        mentions_of_documents: for each document the keys of its phrases and how often it has each, both (phrases,).
        card: what the table's card shall say.
    """
    known = list(mentions_of_documents)
    keys, place = np.unique(np.concatenate([np.zeros(0, np.uint64), *(one for one, _ in known)]), return_inverse=True)
    mentions = np.concatenate([np.zeros(0, np.int64), *(times for _, times in known)])
    counts = np.bincount(place, weights=mentions, minlength=len(keys)).astype(np.uint32)
    return PhraseCounts(keys[counts > 0], counts[counts > 0], len(known), card)
