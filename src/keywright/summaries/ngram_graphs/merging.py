"""MeMoG's model graph: the graphs of several references merged into one."""

from collections.abc import Sequence

import numpy as np

from keywright.core.arrays import Floats
from keywright.summaries.ngram_graphs.edges import EdgeTable


def model_weights(table: EdgeTable, models: Sequence[Sequence[int]], *, as_coded: bool = False) -> Floats:
    """Return the weights of one model graph in each group, (columns,); 0 where the model lacks the edge.

    The first text is the model. Text i = 2, 3 .. then updates it with learning factor 1 / i: a weight w of both becomes
    w + (w' - w) / i, an edge that is new comes with its own weight, and edges that the text lacks stay (Giannakopoulos
    and Karkaletsis 2011: AutoSummENG and MeMoG in evaluating guided summaries).

    Args:
        table: graphs.
        models: numbers of the texts of each group's model, in order, (groups, texts of the model); none for no model.
        as_coded: the factors of the program JInsect, where 1 - i / N is an integer division: 1 for all texts but the
            last, 0 for the last.
    """
    most = max(map(len, models), default=0)
    model = np.zeros(len(table.groups))
    for place in range(most):
        chosen = np.zeros(len(table.group_of_text), np.bool_)
        chosen[[texts[place] for texts in models if place < len(texts)]] = True
        # A text has an edge once, so that its entries are spread over columns by plain assignment.
        entries = np.flatnonzero(chosen.take(table.texts))
        weights = np.zeros_like(model)
        weights[table.columns.take(entries)] = table.weights.take(entries)
        if place == 0:
            model = weights
            continue
        factors = np.array([_factor(place, len(texts), as_coded=as_coded) for texts in models])[table.groups]
        both = (weights > 0) & (model > 0)
        model = np.where(both, model + (weights - model) * factors, np.maximum(model, weights))
    return model


def _factor(place: int, count: int, *, as_coded: bool) -> float:
    """Return the learning factor of the text at ``place``, from 0, among ``count``."""
    if as_coded:
        return 1.0 if place < count - 1 else 0.0
    return 1 / (place + 1)
