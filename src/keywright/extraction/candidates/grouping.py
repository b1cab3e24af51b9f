"""Candidates in groups by their words."""

from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import TooLarge, needs_extra

MOST: Final = 10_000  # maximum candidates; comparing each two of them takes about 1 GB
Linkage: TypeAlias = Literal["average", "single", "complete"]
"""Distance of two clusters: the mean, the smallest or the largest distance of their members."""


def word_clusters(
    document: AnalysedDocument, candidates: Candidates, farthest: float, linkage: Linkage = "average"
) -> Ints:
    """Return the cluster of each candidate, numbered from 0 in reading order, (candidates,).

    Hierarchical agglomerative clustering by common stems, up to the distance ``farthest`` (1 minus Jaccard). Equally
    distant pairs are merged in the alphabetical order of stems. Raises TooLarge: more than ``MOST`` candidates.
    """
    if len(candidates) > MOST:
        message = f"{document.source.id} has {len(candidates):,} phrases; at most {MOST:,} can be clustered"
        raise TooLarge(message, "split the document, or take a system without clusters, such as positionrank")
    if len(candidates) < 2:  # noqa: PLR2004 - one is no pair
        return np.zeros(len(candidates), int)
    with needs_extra("graphs", "clusters of candidates need scipy"):
        from scipy.cluster import hierarchy  # noqa: PLC0415 - heavy, only topics need it

    stem, places = document.stem.tolist(), zip(candidates.first.tolist(), candidates.length.tolist(), strict=True)
    stems = [stem[first : first + length] for first, length in places]
    order = sorted(range(len(stems)), key=lambda index: [document.stems[stem] for stem in stems[index]])
    tree = hierarchy.linkage(_distances([stems[index] for index in order]), method=linkage)
    cluster = np.empty(len(order), int)
    cluster[order] = hierarchy.fcluster(tree, farthest, criterion="distance")
    # Renumber clusters by their first candidate in reading order.
    _, first, which = np.unique(cluster, return_index=True, return_inverse=True)
    in_order = np.empty(len(first), int)
    in_order[np.argsort(first)] = np.arange(len(first))
    return np.asarray(in_order[which])


def _distances(stems: list[list[int]]) -> Floats:
    """Return the Jaccard distance of each two lists, (lists · (lists - 1) / 2,), row by row."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - heavy, only topics need it

    # Sparse product: counts common stems of the few pairs that have any; all others keep the distance 1.
    pairs = np.array([(row, stem) for row, row_stems in enumerate(stems) for stem in set(row_stems)])
    holds = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])))
    common = (holds @ holds.T).tocoo()
    above = common.col > common.row
    row, column, shared = common.row[above].astype(np.int64), common.col[above], common.data[above]
    size, words = len(stems), np.array([len(set(row_stems)) for row_stems in stems])
    distances = np.ones(size * (size - 1) // 2)  # scipy's condensed form: the upper triangle, row by row
    distances[row * (2 * size - row - 3) // 2 + column - 1] = 1 - shared / (words[row] + words[column] - shared)
    return distances
