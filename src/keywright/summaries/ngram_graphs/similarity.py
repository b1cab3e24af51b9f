"""Similarity of graphs by edges: containment, size, value and normalised value."""

from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Floats, Numbers
from keywright.summaries.ngram_graphs.edges import EdgeTable


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """Similarities of graphs G with model graphs H, a column each, values from 0 to 1; 0 where a graph has no edge.

    Giannakopoulos, Karkaletsis, Vouros and Stamatopoulos 2008: Summarization system evaluation revisited: n-gram
    graphs.

    Attributes:
        cs: containment, common edges / edges of the smaller graph.
        vs: value, sum over common edges of min(w, w') / max(w, w'), / edges of the larger graph.
        ss: size, edges of the smaller graph / edges of the larger.
        nvs: normalised value, VS / SS.
        sizes: edges of G.
        model_sizes: edges of H.
    """

    cs: Floats
    vs: Floats
    ss: Floats
    nvs: Floats
    sizes: Floats
    model_sizes: Floats


def similarities(table: EdgeTable, model: Floats) -> Similarities:
    """Return the similarity of each text with the model graph of its group, (texts,).

    Args:
        table: graphs.
        model: weights of the model graphs, (columns,); 0 where an edge is missing.
    """
    count = len(table.sizes)
    opposite = model.take(table.columns)
    common = np.flatnonzero(opposite)
    texts, opposite, weights = table.texts.take(common), opposite.take(common), table.weights.take(common)
    edges = table.column_sizes.take(table.columns.take(common))
    values = np.minimum(weights, opposite) / np.maximum(weights, opposite) * edges
    groups = int(table.group_of_text.max(initial=-1)) + 1
    in_model = table.column_sizes * (model > 0)
    model_sizes: Floats = np.bincount(table.groups, in_model, groups).astype(np.float64)[table.group_of_text]
    smaller, larger = np.minimum(table.sizes, model_sizes), np.maximum(table.sizes, model_sizes)
    value = _ratio(np.bincount(texts, values, count), larger)
    size = _ratio(smaller, larger)
    containment = _ratio(np.bincount(texts, edges, count), smaller)
    return Similarities(containment, value, size, _ratio(value, size), table.sizes, model_sizes)


def _ratio(above: Numbers, below: Numbers) -> Floats:
    """Return quotients, 0 where the divisor is 0."""
    return np.divide(above, below, out=np.zeros(len(below)), where=below > 0)
