"""Occurrences to candidates, by equal keys or keys of variants, and candidates that share words to topics."""

from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys, sort_segments
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import TooLarge, needs_extra
from keywright.text.keys import join_keys


def group_occurrences(key: Keys, position: Ints, width: Ints, bounds: Ints | None = None) -> Candidates:
    """Return candidates in the order of their first occurrence.

    Occurrences have a key, a first token, ascending, and a number of tokens, (occurrences,) each. Equal keys of two
    documents are two candidates: ``bounds`` of the documents among the tokens, (documents + 1,), None for one.
    """
    # Run-length encoding of the sorted keys: each run of equal keys of a document is a candidate.
    of_documents = np.array([0, len(key)]) if bounds is None else position.searchsorted(bounds)
    order, begins = sort_segments(key, of_documents)
    sorted_key = key[order]
    heads = np.flatnonzero(begins)
    counts = np.diff(np.append(heads, len(key)))
    # The fast sort leaves equal keys in any order; sorting (run, occurrence), packed into one integer, restores reading
    # order at less than the cost of a stable sort of the keys.
    group = (np.cumsum(begins) - 1) * len(key)
    order = np.sort(group + order) - group
    # Each run now begins with the candidate's first occurrence: sort the runs by it, then gather them (ragged ranges).
    by_first = np.argsort(order[heads], kind="stable")
    frequency = counts[by_first]
    offsets = np.concatenate(([0], np.cumsum(frequency)))
    source = np.repeat(heads[by_first] - offsets[:-1], frequency) + np.arange(len(key))
    positions, widths = position[order[source]], width[order[source]]
    return Candidates(
        key=sorted_key[heads[by_first]],
        length=widths[offsets[:-1]],
        frequency=frequency,
        first=positions[offsets[:-1]],
        last=positions[offsets[1:] - 1],
        offsets=offsets,
        positions=positions,
        widths=widths,
    )


def regroup_occurrences(key: Keys, position: Ints, width: Ints) -> Candidates:
    """Return candidates like ``group_occurrences``, from occurrences in any order, each (occurrences,)."""
    order = np.lexsort((width, position))
    return group_occurrences(key[order], position[order], width[order])


_NOUN_OF_NOUN: Final = 3  # tokens of *recognition of speech*


def turned_round(candidates: Candidates, document: AnalysedDocument) -> Candidates:
    """Return candidates in which *recognition of speech*, of three tokens, counts as *speech recognition*."""
    key = np.repeat(candidates.key, candidates.frequency)
    position, width = candidates.positions, candidates.widths
    of = np.array([word == "of" for word in document.words], bool)
    three = np.flatnonzero(width == _NOUN_OF_NOUN)
    turned = three[of[document.word[position[three] + 1]]]
    first, last = document.word[position[turned]], document.word[position[turned] + 2]
    key[turned] = join_keys(document.word_key[last], document.word_key[first], document.word_parts[first])
    return regroup_occurrences(key, position, width)


MOST: Final = 10_000  # maximum candidates; comparing each two of them takes about 1 GB
Linkage: TypeAlias = Literal["average", "single", "complete"]
"""Distance of two clusters: the mean, the smallest or the largest distance of their members."""


def word_clusters(
    document: AnalysedDocument, candidates: Candidates, farthest: float, linkage: Linkage = "average"
) -> Ints:
    """Return the cluster of each candidate, numbered from 0 in reading order, (candidates,).

    Hierarchical agglomerative clustering by common stems, up to the distance ``farthest`` (1 minus Jaccard). Equally
    distant pairs are merged in the alphabetical order of stems. Raises TooLarge: there are more than ``MOST``
    candidates.
    """
    if len(candidates) > MOST:
        message = f"{document.source.id} has {len(candidates):,} phrases; at most {MOST:,} can be clustered"
        raise TooLarge(message, "split the document, or take a system without clusters, such as positionrank")
    if len(candidates) < 2:  # noqa: PLR2004 - one is no pair
        return np.zeros(len(candidates), int)
    with needs_extra("graphs", "clusters of candidates need scipy"):
        from scipy.cluster import hierarchy  # noqa: PLC0415 - heavy, only topics need it

    stems = _stems(document, candidates)
    order = sorted(range(len(stems)), key=lambda index: [document.stems[stem] for stem in stems[index]])
    tree = hierarchy.linkage(_distances([stems[index] for index in order]), method=linkage)
    cluster = np.empty(len(order), int)
    cluster[order] = hierarchy.fcluster(tree, farthest, criterion="distance")
    # Renumber clusters by their first candidate in reading order.
    _, first, which = np.unique(cluster, return_index=True, return_inverse=True)
    in_order = np.empty(len(first), int)
    in_order[np.argsort(first)] = np.arange(len(first))
    return np.asarray(in_order[which])


def _stems(document: AnalysedDocument, candidates: Candidates) -> list[list[int]]:
    stem = document.stem.tolist()
    places = zip(candidates.first.tolist(), candidates.length.tolist(), strict=True)
    return [stem[first : first + length] for first, length in places]


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
