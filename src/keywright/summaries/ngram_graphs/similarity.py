"""Similarities of n-gram graphs: of summaries with the models of their topics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.evaluation.measures.counts import quotient
from keywright.summaries.ngram_graphs.graphs import EdgeTable, GraphRules, Units, make_edge_table


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """Similarities of graphs G with models H, 0 to 1 (Giannakopoulos et al. 2008); 0 where a graph has no edge."""

    cs: Floats  # containment, common edges / edges of the smaller graph
    vs: Floats  # value, sum over common edges of min(w, w') / max(w, w'), / edges of the larger graph
    ss: Floats  # size, edges of the smaller graph / edges of the larger
    nvs: Floats  # normalised value, VS / SS
    sizes: Floats  # edges of G
    model_sizes: Floats  # edges of H


def compute_similarities(table: EdgeTable, model: Floats) -> Similarities:
    """Return the similarity of each text, (texts,), with the model graph of its group, weights by column or 0."""
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
    value = quotient(np.bincount(texts, values, count), larger)
    size = quotient(smaller, larger)
    containment = quotient(np.bincount(texts, edges, count), smaller)
    return Similarities(containment, value, size, quotient(value, size), table.sizes, model_sizes)


def merge_models(table: EdgeTable, models: Sequence[Sequence[int]], *, as_coded: bool = False) -> Floats:
    """Return the weights of one model graph in each group, (columns,); 0 where the model lacks the edge.

    Text i = 2, 3 .. updates the model with learning factor 1 / i: a weight w of both becomes w + (w' - w) / i, a new
    edge comes with its own weight (Giannakopoulos and Karkaletsis 2011: AutoSummENG and MeMoG in evaluating guided
    summaries). ``as_coded``: the factors of JInsect, where 1 - i / N is an integer division: 1 for all texts but the
    last, 0 for the last. ``models``: numbers of the texts of each group's model, (groups, texts of the model); none for
    no model.
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
        factors = np.full(len(models), 1 / (place + 1))
        if as_coded:
            factors = np.array([float(place < len(texts) - 1) for texts in models])
        both = (weights > 0) & (model > 0)
        model = np.where(both, model + (weights - model) * factors[table.groups], np.maximum(model, weights))
    return model


LevelWeights: TypeAlias = Literal["rank", "cumulative"]


class Comparison(NamedTuple):
    """A text and the models that it is compared with, each of them one text or several to be merged."""

    text: Units
    models: tuple[tuple[Units, ...], ...]


@dataclass(frozen=True, slots=True)
class Comparing:
    """Rules of comparisons over lengths n up to ``max_n``, weighted by n or by the sum of all lengths to n."""

    rules: GraphRules
    max_n: int
    levels: LevelWeights = "rank"
    as_coded: bool = False

    def weighted_rules(self) -> Mapping[GraphRules, float]:
        """Return the rules for each length of n-grams with their share of the mean."""
        lengths = np.arange(self.rules.n, self.max_n + 1)
        weights = lengths if self.levels == "rank" else np.cumsum(lengths)
        shares = (weights / weights.sum()).tolist()
        return {replace(self.rules, n=n): share for n, share in zip(lengths.tolist(), shares, strict=True)}


def average_similarities(topics: Sequence[Sequence[Comparison]], comparing: Comparing) -> Similarities:
    """Return the similarities of each comparison, in order: the mean over its models, then over lengths of n-grams."""
    plans = [_plan_topic(topic) for topic in topics]
    first = np.cumsum([0, *(len(plan.texts) for plan in plans)])
    counts = np.array([len(row) for plan in plans for row in plan.models_of], np.int64)
    texts = np.repeat([at + text for plan, at in zip(plans, first, strict=False) for text in plan.text_of], counts)
    rounds = np.array([model for plan in plans for row in plan.models_of for model in row], np.int64)
    total = np.zeros((len(fields(Similarities)), len(counts)))
    for rules, share in comparing.weighted_rules().items():
        table = make_edge_table([plan.texts for plan in plans], [plan.in_models for plan in plans], rules)
        values = _compare_rounds(table, plans, first, as_coded=comparing.as_coded)[:, rounds, texts]
        total += share * np.add.reduceat(values, np.cumsum(counts) - counts, axis=1) / counts
    return Similarities(*total)


def _compare_rounds(table: EdgeTable, plans: Sequence["_Plan"], first: Ints, *, as_coded: bool) -> Floats:
    """Return similarities of each text with each model of its topic, (measures, models, texts), all topics at once."""
    rounds = []
    for models in zip_longest(*(plan.models for plan in plans), fillvalue=()):
        numbers = [[int(at) + text for text in texts] for texts, at in zip(models, first, strict=False)]
        result = compute_similarities(table, merge_models(table, numbers, as_coded=as_coded))
        rounds.append([getattr(result, field.name) for field in fields(result)])
    return np.array(rounds).swapaxes(0, 1)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The distinct texts of a topic, those of models first, its models, and each comparison's text and models."""

    texts: Sequence[Units]
    in_models: int
    models: Sequence[tuple[int, ...]]
    text_of: Sequence[int]
    models_of: Sequence[Sequence[int]]


def _plan_topic(topic: Sequence[Comparison]) -> _Plan:
    texts: dict[Units, int] = {}
    models: dict[tuple[int, ...], int] = {}
    models_of = []
    for _, compared in topic:
        numbers = [tuple([texts.setdefault(part, len(texts)) for part in model]) for model in compared]
        models_of.append([models.setdefault(model, len(models)) for model in numbers])
    compared_texts = len(texts)
    text_of = [texts.setdefault(text, len(texts)) for text, _ in topic]
    return _Plan(tuple(texts), compared_texts, tuple(models), text_of, models_of)
