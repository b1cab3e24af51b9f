"""Clusters: candidates that share words, taken for one topic."""

from typing import Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument

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
    """
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
    common = (holds @ holds.T).toarray()
    words = common.diagonal()
    rows, columns = np.triu_indices(len(stems), 1)
    shared = common[rows, columns]
    return np.asarray(1 - shared / (words[rows] + words[columns] - shared))
