"""Sums over phrases from which all measures of calibration follow, for many samples of documents at once.

Measures that order phrases (AUROC, risk by coverage, bins of equal mass, kernels) need no single phrases, only how
many right and wrong ones there are of each confidence. Confidences are gathered in at most 2,000 blocks of neighbours,
more only for more than 1,000 bins, so that a sample's sums are one product of a sparse matrix with how often each
document was drawn. With no more confidences than that nothing is lost; with more, phrases of one block count as tied,
which moves a value by less than .001 (tested).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np

from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.ece import BINS, equal_bins
from keywright.calibration.measures.proper_scores import log_losses
from keywright.core.arrays import Floats, Ints
from keywright.evaluation.statistics.bootstrap import Resampling, drawn_documents

CLASSES: Final = ("present", "absent")
LENGTHS: Final = ("1 word", "2 words", "3 words", "4+ words")

_BLOCKS: Final = 2000
_AT_ONCE: Final = 1_000_000
"""Drawn answers that are held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Where each phrase is counted.

    Attributes:
        block: confidences that are alike, rising; a block lies in one bin, (phrases,).
        bin: equal bin of each block, (blocks,).
        place: mean confidence of each block, (blocks,).
        segment: class, length and bin as one number, (phrases,).
        bins: number of equal bins.
    """

    block: Ints
    bin: Ints
    place: Floats
    segment: Ints
    bins: int


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """Sums over the phrases of samples of documents. Residuals are confidence less 1 if right, else less 0.

    Attributes:
        right, wrong: phrases, (samples, blocks).
        residual: sum of residuals, (samples, blocks).
        segments: sum of residuals, (samples, classes, lengths, bins).
        sizes: phrases, (samples, classes, lengths).
        squares, losses: sums of squared residuals and of log losses, (samples,).
        documents: number of documents, (samples,).
        count_errors: sum over documents of the distance of expected and true number right, (samples,).
    """

    right: Floats
    wrong: Floats
    residual: Floats
    segments: Floats
    sizes: Floats
    squares: Floats
    losses: Floats
    documents: Floats
    count_errors: Floats

    def __getitem__(self, samples: slice) -> "Tallies":
        """Some of the samples."""
        return Tallies(*(getattr(self, field.name)[samples] for field in fields(self)))


def cells(judged: JudgedPhrases, bins: int = BINS) -> Cells:
    """The cells of phrases whose confidence is a probability, 0 to 1."""
    values, owner, sizes = np.unique(judged.confidence, return_inverse=True, return_counts=True)
    bin_of = equal_bins(values, bins)
    if len(values) > _BLOCKS:
        blocks = max(_BLOCKS - bins, _BLOCKS // 2)  # each bin may add one
        mass = blocks * (2 * sizes.cumsum() - sizes) // (2 * sizes.sum())
        _, of_value = np.unique(bin_of * blocks + mass, return_inverse=True)
    else:
        of_value = np.arange(len(values))
    block = of_value[owner]
    number = int(of_value[-1]) + 1 if len(values) else 0
    place = np.bincount(block, judged.confidence, number) / np.bincount(block, minlength=number)
    length = np.clip(judged.words, 1, len(LENGTHS)) - 1
    segment = ((~judged.present * len(LENGTHS)) + length) * bins + bin_of[owner]
    first = np.searchsorted(of_value, np.arange(number))
    return Cells(block, bin_of[first], place, segment, bins)


def resampled(judged: JudgedPhrases, where: Cells, resampling: Resampling) -> Tallies:
    """Sums over documents that are drawn with replacement."""
    return _joined(_weighed(judged, where, drawn_documents(len(judged.ids), resampling)))


def as_they_are(judged: JudgedPhrases, where: Cells) -> Tallies:
    """Sums over the documents, each once: one sample."""
    return _joined(_weighed(judged, where, iter([np.ones((1, len(judged.ids)))])))


def simulated(judged: JudgedPhrases, where: Cells, resampling: Resampling) -> Tallies:
    """Sums if each phrase were right exactly with the probability of its confidence, whatever the others are."""
    return _joined(_answered(judged, where, resampling))


def _weighed(judged: JudgedPhrases, where: Cells, drawn: Iterator[Floats]) -> Iterator[Tallies]:
    """Sums over documents by how often each comes, (samples, documents) at a time."""
    from scipy.sparse import coo_array  # noqa: PLC0415  (loads only where it is used)

    blocks, documents, segments = len(where.place), len(judged.ids), _segments(where)
    residual = judged.confidence - judged.correct

    def table(row: Ints, values: Floats, rows: int) -> Any:
        return coo_array((values, (row, judged.document)), (rows, documents)).tocsr()

    ones = np.ones(len(judged))
    counted = table(where.block + blocks * ~judged.correct, ones, 2 * blocks)
    missed = table(where.block, residual, blocks)
    by_segment = table(where.segment, residual, segments)
    sizes = table(where.segment // where.bins, ones, segments // where.bins)
    costs = np.stack(
        [
            np.bincount(judged.document, np.square(residual), documents),
            np.bincount(judged.document, log_losses(judged.confidence, judged.correct), documents),
            np.ones(documents),
            np.abs(np.bincount(judged.document, residual, documents)),
        ]
    )
    for weights in drawn:
        times = np.ascontiguousarray(weights.T)
        numbers = counted @ times
        squares, losses, drawn_number, errors = costs @ times
        yield Tallies(
            numbers[:blocks].T,
            numbers[blocks:].T,
            (missed @ times).T,
            (by_segment @ times).T.reshape(-1, len(CLASSES), len(LENGTHS), where.bins),
            (sizes @ times).T.reshape(-1, len(CLASSES), len(LENGTHS)),
            squares,
            losses,
            drawn_number,
            errors,
        )


def _answered(judged: JudgedPhrases, where: Cells, resampling: Resampling) -> Iterator[Tallies]:
    """Sums over all documents with drawn answers, some samples at a time."""
    from scipy.sparse import coo_array  # noqa: PLC0415  (loads only where it is used)

    phrases, chance, p = np.arange(len(judged)), resampling.generator(), judged.confidence

    def table(row: Ints, rows: int) -> Any:
        return coo_array((np.ones(len(row)), (row, phrases)), (rows, len(row))).tocsr()

    blocks, segments = table(where.block, len(where.place)), table(where.segment, _segments(where))
    documents = table(judged.document, len(judged.ids))
    shape = len(CLASSES), len(LENGTHS), where.bins
    rows = (blocks @ np.ones(len(p)))[:, None]
    sizes = (segments @ np.ones(len(p))).reshape(shape).sum(-1)
    losses = np.stack([log_losses(p, np.full(len(p), answer)) for answer in (False, True)])
    step = max(1, _AT_ONCE // max(1, len(p)))
    for start in range(0, resampling.samples, step):
        some = min(step, resampling.samples - start)
        answers = np.ascontiguousarray((chance.random((some, len(p))) < p).T, dtype=float)  # (phrases, samples)
        right, missed = blocks @ answers, (blocks @ p)[:, None] - blocks @ answers
        by_document = (documents @ p)[:, None] - documents @ answers
        yield Tallies(
            right.T,
            (rows - right).T,
            missed.T,
            ((segments @ p)[:, None] - segments @ answers).T.reshape(-1, *shape),
            np.broadcast_to(sizes, (some, *sizes.shape)),
            np.square(p).sum() + (1 - 2 * p) @ answers,
            losses[0].sum() + (losses[1] - losses[0]) @ answers,
            np.full(some, float(len(judged.ids))),
            np.abs(by_document).sum(0),
        )


def _segments(where: Cells) -> int:
    """Number of segments."""
    return len(CLASSES) * len(LENGTHS) * where.bins


def _joined(parts: Iterator[Tallies]) -> Tallies:
    """The samples of all parts."""
    found = list(parts)
    return Tallies(*(np.concatenate([getattr(part, field.name) for part in found]) for field in fields(Tallies)))
