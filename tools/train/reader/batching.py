"""Batches of documents that the reader learns from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import torch
from tools.train.reader.readings import Readings

from keywright.core.arrays import Ints

_NOISE: Final = 16
"""Pieces by which lengths are disturbed before documents of similar length are put together; arbitrary."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some documents. A pair is a candidate in one style; columns are arrays, or tensors of the network.

    Attributes:
        rows: windows as rows of pieces, (windows, longest).
        mask: whether there is a piece, (windows, longest).
        document: of each window, (windows,).
        opening: first window of each document, (documents,).
        window: of each mention, (mentions,).
        first: its first piece in the row, (mentions,).
        last: its last piece in the row, (mentions,).
        pair: of each mention of a pair, not decreasing, (mentions of pairs,).
        mention: of each mention of a pair, (mentions of pairs,).
        pair_document: of each pair, (pairs,).
        style: of each pair, (pairs,).
        log_odds: of the default, (pairs,).
        answers: 1 for keyphrases, (pairs,).
        weight: (pairs,).
    """

    rows: Any
    mask: Any
    document: Any
    opening: Any
    window: Any
    first: Any
    last: Any
    pair: Any
    mention: Any
    pair_document: Any
    style: Any
    log_odds: Any
    answers: Any
    weight: Any

    def tensors(self) -> "Batch":
        """Return the columns as tensors."""
        return Batch(*(torch.as_tensor(getattr(self, field.name)) for field in fields(self)))


def batch_of(readings: Readings, documents: Sequence[int]) -> Batch:
    """Return some documents as a batch."""
    columns: dict[str, list[Any]] = {field.name: [] for field in fields(Batch)}
    windows: list[Ints] = []
    mentions = pairs = 0
    for place, number in enumerate(documents):
        columns["opening"].append([len(windows)])
        of_mentions = readings.within(readings.mention_bounds, number)
        columns["window"].append(readings.window[of_mentions] + len(windows))
        columns["first"].append(readings.first[of_mentions])
        columns["last"].append(readings.last[of_mentions])
        for window in readings.range(readings.window_bounds, number):
            windows.append(readings.pieces[readings.within(readings.windows, window)])
            columns["document"].append([place])
        candidate = readings.candidate[of_mentions]
        for example in readings.range(readings.example_bounds, number):
            its = readings.within(readings.answer_bounds, example)
            size = its.stop - its.start
            columns["pair"].append(candidate + pairs)
            columns["mention"].append(np.arange(len(candidate)) + mentions)
            columns["pair_document"].append(np.full(size, place))
            columns["style"].append(np.full(size, readings.style[example]))
            columns["log_odds"].append(readings.log_odds[its])
            columns["answers"].append(readings.answers[its].astype(np.float32))
            columns["weight"].append(np.full(size, readings.weight[example], np.float32))
            pairs += size
        mentions += len(candidate)
    rows, mask = _padded(windows)
    joined = {name: np.concatenate(parts) for name, parts in columns.items() if parts}
    return Batch(**{**joined, "rows": rows, "mask": mask})


def _padded(windows: Sequence[Ints]) -> tuple[Ints, Any]:
    """Return windows as rows, and where there is a piece, (windows, longest) both."""
    longest = max(map(len, windows))
    rows, mask = np.zeros((len(windows), longest), np.int64), np.zeros((len(windows), longest), bool)
    for row, pieces in enumerate(windows):
        rows[row, : len(pieces)], mask[row, : len(pieces)] = pieces, True
    return rows, mask


def shuffled(readings: Readings, documents: Ints, pieces: int, seed: int) -> list[list[int]]:
    """Return batches of documents of similar length in random order, of at most so many pieces with padding."""
    draw = np.random.default_rng(seed)
    longest, windows = readings.longest[documents], np.diff(readings.window_bounds)[documents]
    batches: list[list[int]] = [[]]
    rows = 0
    for place in np.argsort(longest + draw.uniform(0, _NOISE, len(longest))).tolist():
        if batches[-1] and (rows + windows[place]) * longest[place] > pieces:
            batches.append([])
            rows = 0
        batches[-1].append(int(documents[place]))
        rows += int(windows[place])
    return [batches[number] for number in draw.permutation(len(batches)).tolist()]


def windows_in(readings: Readings, documents: Sequence[int]) -> Iterator[int]:
    """Yield the windows of documents, as the rows of a batch."""
    for document in documents:
        yield from readings.range(readings.window_bounds, document)
