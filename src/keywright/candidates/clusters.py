"""Clusters: candidates that share words, taken for one topic."""

from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import TooLarge

MOST: Final = 10_000
"""Candidates that are compared with each other at the most, which takes about 1 GB."""

Linkage: TypeAlias = Literal["average", "single", "complete"]
"""How far two clusters are apart: as their members on average, as the nearest two, as the farthest two."""


def word_clusters(
    document: AnalysedDocument, candidates: Candidates, farthest: float, linkage: Linkage = "average"
) -> Ints:
    """Number of the cluster of each candidate, (candidates,), from 0 in reading order; no candidates give none.

    Hierarchical agglomerative clustering of candidates by the stems they have in common. Many pairs are equally far
    apart; which of them is put together first follows the alphabetical order of the candidates' stems.

    Args:
        document: the document.
        candidates: its candidates.
        farthest: clusters up to this distance are put together: 1 less the share of common stems (Jaccard), 0 to 1.
        linkage: how the distance of clusters follows from that of their members.

    Raises:
        TooLarge: there are more than ``MOST`` candidates.
    """
    if len(candidates) > MOST:
        message = f"{document.source.id} has {len(candidates):,} phrases; at most {MOST:,} can be clustered"
        raise TooLarge(message, "split the document, or take a system without clusters, such as positionrank")
    if len(candidates) < 2:  # noqa: PLR2004 - one is no pair
        return np.zeros(len(candidates), int)
    from scipy.cluster import hierarchy  # noqa: PLC0415 - heavy, only topics need it

    stems = _stems(document, candidates)
    order = sorted(range(len(stems)), key=lambda index: [document.stems[stem] for stem in stems[index]])
    tree = hierarchy.linkage(_distances([stems[index] for index in order]), method=linkage)
    cluster = np.empty(len(order), int)
    cluster[order] = hierarchy.fcluster(tree, farthest, criterion="distance")
    _, first, which = np.unique(cluster, return_index=True, return_inverse=True)
    in_order = np.empty(len(first), int)
    in_order[np.argsort(first)] = np.arange(len(first))
    return np.asarray(in_order[which])


def _stems(document: AnalysedDocument, candidates: Candidates) -> list[list[int]]:
    """Stems of the tokens of each candidate's first occurrence, as indices."""
    stem = document.stem.tolist()
    places = zip(candidates.first.tolist(), candidates.length.tolist(), strict=True)
    return [stem[first : first + length] for first, length in places]


def _distances(stems: list[list[int]]) -> Floats:
    """Jaccard distance of each two lists, (lists · (lists - 1) / 2,), row by row."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - heavy, only topics need it

    pairs = np.array([(row, stem) for row, own in enumerate(stems) for stem in set(own)])
    holds = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])))
    common = (holds @ holds.T).tocoo()  # few pairs have a stem in common; the others keep the distance 1
    above = common.col > common.row
    row, column, shared = common.row[above].astype(np.int64), common.col[above], common.data[above]
    size, words = len(stems), np.array([len(set(own)) for own in stems])
    distances = np.ones(size * (size - 1) // 2)
    distances[row * (2 * size - row - 3) // 2 + column - 1] = 1 - shared / (words[row] + words[column] - shared)
    return distances
