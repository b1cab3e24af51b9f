"""Sums over phrases from which all measures of calibration follow, for many samples of documents at once.

Confidences are grouped into at most 2,000 blocks of neighbours (more only for more than 1,000 bins), so that a sample's
sums are one product of a sparse matrix with the number of times that each document was drawn. With more distinct
confidences, phrases of one block count as tied, which moves a value by less than .001 (tested).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.calibration import calibration_error
from keywright.calibration.phrases import JudgedPhrases
from keywright.calibration.proper_scores import compute_aurc, compute_auroc, compute_log_losses, decompose_brier
from keywright.core.arrays import Floats, Ints
from keywright.core.errors import needs_extra
from keywright.evaluation.statistics.bootstrap import Resampling

CLASSES: Final = ("present", "absent")
LENGTHS: Final = ("1 word", "2 words", "3 words", "4+ words")

_BLOCKS: Final = 2000  # most blocks of neighbouring confidences; the error that this causes is tested
_CHUNK: Final = 1_000_000  # drawn outcomes held in memory at a time; arbitrary
_SAMPLES: Final = 100  # samples computed at a time, so that their sums fit into a processor's cache; arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Groups in which phrases are counted: blocks of confidences within a bin, segments by class, length and bin."""

    block: Ints  # block of each phrase, in order of confidence, (phrases,)
    segment: Ints  # segment of each phrase, (phrases,)
    block_bin: Ints  # equal-width bin of each block, (blocks,)
    block_confidence: Floats  # mean confidence of each block, (blocks,)
    bins: int

    @property
    def segment_shape(self) -> tuple[int, int, int]:
        """Classes, lengths and bins."""
        return len(CLASSES), len(LENGTHS), self.bins


class Sums(NamedTuple):
    """Sums over the phrases of samples of documents. A residual is the confidence less 1 if right, else less 0."""

    right: Floats  # numbers of right and of wrong phrases, (samples, blocks)
    wrong: Floats
    residual: Floats  # (samples, blocks)
    segment_residual: Floats  # residuals by segment, (samples, classes, lengths, bins)
    segment_size: Floats  # numbers of phrases, (samples, classes, lengths)
    squared_residual: Floats  # (samples,), as all below
    log_loss: Floats
    documents: Floats  # number of documents
    count_error: Floats  # sum over documents of the distance of expected and true number right


def group_phrases(judged: JudgedPhrases, bins: int = calibration_error.BINS) -> Cells:
    """Return the cells of phrases whose confidence is a probability, 0 to 1."""
    values, value_of, sizes = np.unique(judged.confidence, return_inverse=True, return_counts=True)
    bin_of_value = calibration_error.assign_equal_width(values, bins)
    if len(values) > _BLOCKS:
        blocks = max(_BLOCKS - bins, _BLOCKS // 2)  # cutting blocks at the ends of bins may add one per bin
        mass = blocks * (2 * sizes.cumsum() - sizes) // (2 * sizes.sum())  # quantile of the middle of each value
        _, block_of_value = np.unique(bin_of_value * blocks + mass, return_inverse=True)
    else:
        block_of_value = np.arange(len(values))
    block = block_of_value[value_of]
    number = int(block_of_value[-1]) + 1 if len(values) else 0
    block_confidence = np.bincount(block, judged.confidence, number) / np.bincount(block, minlength=number)
    length = np.clip(judged.words, 1, len(LENGTHS)) - 1
    segment = ((~judged.present * len(LENGTHS)) + length) * bins + bin_of_value[value_of]
    first_value = np.searchsorted(block_of_value, np.arange(number))
    return Cells(block, segment, bin_of_value[first_value], block_confidence, bins)


def sum_weighted(judged: JudgedPhrases, cells: Cells, drawn: Iterable[Floats]) -> Iterator[Sums]:
    """Yield sums over documents, some samples at a time, from how often each was drawn, (samples, documents)."""
    blocks, documents, shape = len(cells.block_confidence), len(judged.ids), cells.segment_shape
    residual, ones = judged.confidence - judged.correct, np.ones(len(judged))

    def by_document(row: Ints, values: Floats, rows: int) -> Any:
        return _make_sparse(row, judged.document, values, (rows, documents))

    # Wrong phrases are counted in a second set of rows below the right ones.
    counts = by_document(cells.block + blocks * ~judged.correct, ones, 2 * blocks)
    residuals = by_document(cells.block, residual, blocks)
    segment_residuals = by_document(cells.segment, residual, int(np.prod(shape)))
    segment_sizes = by_document(cells.segment // cells.bins, ones, int(np.prod(shape[:2])))
    scalars = np.stack(
        [
            np.bincount(judged.document, np.square(residual), documents),
            np.bincount(judged.document, compute_log_losses(judged.confidence, judged.correct), documents),
            np.ones(documents),
            np.abs(np.bincount(judged.document, residual, documents)),
        ]
    )
    for weights in drawn:
        for start in range(0, len(weights), _SAMPLES):
            times = np.ascontiguousarray(weights[start : start + _SAMPLES].T)
            right_wrong = (counts @ times).T
            yield Sums(
                right_wrong[:, :blocks],
                right_wrong[:, blocks:],
                (residuals @ times).T,
                (segment_residuals @ times).T.reshape(-1, *shape),
                (segment_sizes @ times).T.reshape(-1, *shape[:2]),
                *(scalars @ times),
            )


def sum_simulated(judged: JudgedPhrases, cells: Cells, resampling: Resampling) -> Iterator[Sums]:
    """Yield the sums if each phrase were right exactly with its confidence, independently of the others."""
    random, p, shape = resampling.generator(), judged.confidence, cells.segment_shape
    phrases, ones = np.arange(len(p)), np.ones(len(p))

    def membership(row: Ints, rows: int) -> Any:
        return _make_sparse(row, phrases, ones, (rows, len(p)))

    blocks = membership(cells.block, len(cells.block_confidence))
    segments = membership(cells.segment, int(np.prod(shape)))
    documents = membership(judged.document, len(judged.ids))
    block_sizes = (blocks @ ones)[:, None]
    segment_sizes = (segments @ ones).reshape(shape).sum(-1)
    loss_if_wrong, loss_if_right = (compute_log_losses(p, np.full(len(p), outcome)) for outcome in (False, True))
    chunk = min(_SAMPLES, max(1, _CHUNK // max(1, len(p))))
    for start in range(0, resampling.samples, chunk):
        samples = min(chunk, resampling.samples - start)
        outcomes = np.ascontiguousarray((random.random((samples, len(p))) < p).T, dtype=float)  # (phrases, samples)
        right = blocks @ outcomes
        yield Sums(
            right=right.T,
            wrong=(block_sizes - right).T,
            residual=((blocks @ p)[:, None] - right).T,
            segment_residual=((segments @ p)[:, None] - segments @ outcomes).T.reshape(-1, *shape),
            segment_size=np.broadcast_to(segment_sizes, (samples, *segment_sizes.shape)),
            # (p - y)^2 = p^2 + (1 - 2p) y for an outcome y of 0 or 1: a product in place of all single residuals.
            squared_residual=np.square(p).sum() + (1 - 2 * p) @ outcomes,
            log_loss=loss_if_wrong.sum() + (loss_if_right - loss_if_wrong) @ outcomes,
            documents=np.full(samples, float(len(judged.ids))),
            count_error=np.abs((documents @ p)[:, None] - documents @ outcomes).sum(0),
        )


def _make_sparse(row: Ints, column: Ints, values: Floats, shape: tuple[int, int]) -> Any:
    """Return a sparse matrix; values of equal row and column are added up."""
    with needs_extra("eval", "intervals of calibration measures need scipy"):
        from scipy.sparse import coo_array  # noqa: PLC0415  (loads only where it is used)

    return coo_array((values, (row, column)), shape).tocsr()


def compute_measures(cells: Cells, parts: Iterable[Sums]) -> dict[str, Floats]:
    """Return the values of all measures by name, (samples,), from the sums of some samples at a time."""
    chunks = [_compute_part(cells, sums) for sums in parts]
    return {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}


def _compute_part(cells: Cells, sums: Sums) -> dict[str, Floats]:
    right, wrong, residual = sums.right, sums.wrong, sums.residual
    sizes, correct, expected = right + wrong, right.sum(1), residual.sum(1) + right.sum(1)
    rows = sizes.sum(1)
    membership = np.eye(cells.bins)[cells.block_bin]  # (blocks, bins): sums over bins as one product
    totals = np.stack([sizes @ membership, (residual + right) @ membership, right @ membership], axis=1)
    reliability, resolution, uncertainty = decompose_brier(totals)
    # Bins of equal mass of all samples are numbered through, so that one bincount sums them all.
    bin_of = calibration_error.assign_equal_mass(sizes, cells.bins) + cells.bins * np.arange(len(sizes))[:, None]
    adaptive = np.bincount(bin_of.ravel(), residual.ravel(), len(sizes) * cells.bins).reshape(len(sizes), cells.bins)
    area, excess = compute_aurc(right, wrong)
    errors = {}
    with np.errstate(invalid="ignore", divide="ignore"):
        # Calibration errors of each class and each length, and their means weighted by size, (samples,).
        for mean_name, names, other_axis in (("classwise_ece", CLASSES, 2), ("lengthwise_ece", LENGTHS, 1)):
            distances = np.abs(sums.segment_residual.sum(other_axis)).sum(-1)  # (samples, classes or lengths)
            of_segment = sums.segment_size.sum(other_axis)
            errors[mean_name] = distances.sum(1) / of_segment.sum(1)
            errors |= {f"ece: {name}": each for name, each in zip(names, (distances / of_segment).T, strict=True)}
        score = sums.squared_residual / rows
        return {
            "confidence": expected / rows,
            "accuracy": correct / rows,
            "ece": calibration_error.compute_error(totals),
            "adaptive_ece": np.abs(adaptive).sum(1) / rows,
            "smooth_ece": calibration_error.measure_smooth_errors(cells.block_confidence, residual, rows),
            **errors,
            "brier": score,
            "reliability": reliability,
            "resolution": resolution,
            "uncertainty": uncertainty,
            "within": score - reliability + resolution - uncertainty,
            "log_loss": sums.log_loss / rows,
            "auroc": compute_auroc(right, wrong),
            "aurc": area,
            "excess_aurc": excess,
            "expected_per_document": expected / sums.documents,
            "correct_per_document": correct / sums.documents,
            "count_error": sums.count_error / sums.documents,
        }
