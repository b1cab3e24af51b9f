"""Centrality: co-occurrence graphs of words, PageRank, and nearness of groups of candidates."""

import math
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter, needs_extra
from keywright.extraction.features.functions.words import over_words

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Adjacency: TypeAlias = Floats | csr_array
    """Weight of the edge from each node to each, (nodes, nodes), dense or sparse; 0 where there is none."""

_DIGITS: Final = 12  # decimals of a rank, as accurate as the ranks are
_TOLERANCE: Final = 1e-12  # maximum sum of the errors of all ranks, which sum to 1: too small to change an order
_BLOCK: Final = 1 << 22  # distances between mentions in memory at a time; arbitrary, 32 MB


def word_graph(
    document: AnalysedDocument, allowed: Bools, window: int, *, weighted: bool = True, inside_sentences: bool = False
) -> "csr_array":
    """Return how often two stems occur within a window, (stems, stems), symmetric, 0 on the diagonal.

    Row and column ``i`` are ``document.stems[i]``; ``allowed``: tokens that are nodes, (tokens,); ``window``: tokens
    with both ends, 2 connects neighbours; ``weighted``: by number, else 1; ``inside_sentences``: none crosses an end.
    """
    with needs_extra("graphs", "word graphs need scipy"):
        from scipy.sparse import csr_array  # noqa: PLC0415 - heavy, only graphs need it

    node = np.where(allowed, document.stem, -1)
    # One shifted comparison per distance inside the window, instead of a loop over tokens.
    pairs = [np.zeros((2, 0), np.int64)]
    for distance in range(1, min(window, len(node))):
        left, right = node[:-distance], node[distance:]
        edge = (left >= 0) & (right >= 0) & (left != right)
        if inside_sentences:
            edge &= document.sentence[:-distance] == document.sentence[distance:]
        pairs.append(np.stack((left[edge], right[edge])))
    ends = np.concatenate(pairs, axis=1)
    size = len(document.stems)
    one_way = csr_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(size, size))
    adjacency = csr_array(one_way + one_way.T)
    if not weighted:
        adjacency.data[:] = 1.0
    return adjacency


def pagerank(adjacency: "Adjacency", damping: float = 0.85, bias: Floats | Bools | None = None) -> Floats:
    """Return the share of time that a random walk spends at each node, (nodes,), with sum 1.

    Page and others (1999) with the weighted edges of Mihalcea and Tarau (2004). From a node without edges the walk
    jumps. ``adjacency``: weight from row to column, (nodes, nodes); ``damping``: share of steps that follow an edge, 0
    to below 1; ``bias``: weight as the target of a jump, not negative, (nodes,), equal when None; without weight all is
    zero.
    """
    if not 0 <= damping < 1:
        raise BadParameter(f"damping {damping}", "expected a share of steps, from 0 to below 1")
    jump = np.ones(adjacency.shape[0]) if bias is None else np.asarray(bias, float)
    if jump.shape != (adjacency.shape[0],) or not np.all(jump >= 0):
        message = f"bias {jump} for a graph with {adjacency.shape[0]} nodes"  # numpy abbreviates long columns
        raise BadParameter(message, "expected one weight for each node, none negative")
    total = jump.sum()
    if not total:
        return jump
    jump = jump / total
    out = np.asarray(adjacency.sum(axis=1), float).reshape(-1)
    dangling = out == 0
    share = np.divide(1.0, out, out=np.zeros_like(out), where=~dangling)
    into: Any = adjacency.T
    ranks: Any = jump
    # Power iteration: each step shrinks the error by the damping, which bounds the number of steps.
    steps = math.ceil(math.log(_TOLERANCE / 2) / math.log(damping)) if damping else 1
    for _ in range(steps):
        before = ranks
        ranks = damping * (into @ (before * share) + before[dangling].sum() * jump) + (1 - damping) * jump
        if np.abs(ranks - before).sum() * damping <= _TOLERANCE * (1 - damping):
            break
    # Rounded to the known digits, so that symmetric nodes are equal in whatever order a machine adds.
    return np.round(np.asarray(ranks), _DIGITS)


def stems_among(document: AnalysedDocument, allowed: Bools) -> Bools:
    """Return whether any allowed token has each stem, (stems,): the nodes of a word graph, and their uniform bias."""
    return np.bincount(document.stem[allowed], minlength=len(document.stems)) > 0


def sum_over_words(candidates: Candidates, document: AnalysedDocument, of_stem: Floats) -> Floats:
    """Return the sum of a value of stems, (stems,), over the words of each candidate's first mention, (candidates,)."""
    return over_words(of_stem[document.word_stem], candidates, document, "sum")


def nearness(candidates: Candidates, group: Ints, *, from_ends: bool = False) -> Floats:
    """Return the sum of 1 / distance over all mentions of two groups, (groups, groups), symmetric, 0 within a group.

    Bougouin, Boudin and Daille (2013): topics that are often mentioned near each other are related. Distances are in
    tokens. Distances begin at the last token of the earlier mention if ``from_ends``, else at its first; ``group``
    counts from 0 without gaps, (candidates,).
    """
    groups = int(group.max(initial=-1)) + 1
    owner = np.repeat(group, candidates.frequency)
    order = np.argsort(owner, kind="stable")
    owner, start, width = owner[order], candidates.positions[order], candidates.widths[order]
    end = start + width - 1 if from_ends else start
    heads = np.searchsorted(owner, np.arange(groups))
    related = np.zeros((groups, groups))
    # Blocks of the matrix of distances, reduced by group at once, bound the memory for long documents.
    rows = max(1, _BLOCK // max(1, len(start)))
    for begin in range(0, len(start), rows):
        here = slice(begin, begin + rows)
        apart = np.maximum(start - end[here, None], start[here, None] - end).astype(float)
        near = np.divide(1.0, apart, out=np.zeros_like(apart), where=apart > 0)
        np.add.at(related, owner[here], np.add.reduceat(near, heads, axis=1))
    np.fill_diagonal(related, 0.0)
    return related
