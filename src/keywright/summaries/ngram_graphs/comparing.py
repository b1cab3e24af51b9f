"""Comparisons of many texts with model graphs at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.summaries.ngram_graphs.edges import EdgeTable, edge_table
from keywright.summaries.ngram_graphs.merging import model_weights
from keywright.summaries.ngram_graphs.rules import GraphRules
from keywright.summaries.ngram_graphs.similarity import Similarities, similarities
from keywright.summaries.ngram_graphs.units import Units

LevelWeights: TypeAlias = Literal["rank", "cumulative"]


class Comparison(NamedTuple):
    """A text and the models that it is compared with, each of them one text or several to be merged."""

    text: Units
    models: tuple[tuple[Units, ...], ...]


@dataclass(frozen=True, slots=True)
class Comparing:
    """Rules of comparisons over several lengths of n-grams.

    Attributes:
        rules: of the graphs; ``n`` is the least length of n-grams.
        max_n: greatest length of n-grams.
        levels: weight of length n in the mean over lengths: n (``rank``) or the sum of all lengths up to n
            (``cumulative``).
        as_coded: merging as in ``model_weights``.
    """

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


def mean_similarities(topics: Sequence[Sequence[Comparison]], comparing: Comparing) -> Similarities:
    """Return the similarities of each comparison: the mean over its models, then over lengths of n-grams.

    Args:
        topics: comparisons, each with at least one model; the graph of a text is made once in a topic.
        comparing: rules.

    Returns:
        Columns over all comparisons in order.
    """
    plans = [_plan(topic) for topic in topics]
    first = np.cumsum([0, *(len(plan.texts) for plan in plans)])
    counts = np.array([len(row) for plan in plans for row in plan.models_of], np.int64)
    texts = np.repeat([at + text for plan, at in zip(plans, first, strict=False) for text in plan.text_of], counts)
    rounds = np.array([model for plan in plans for row in plan.models_of for model in row], np.int64)
    total = np.zeros((len(fields(Similarities)), len(counts)))
    for rules, share in comparing.weighted_rules().items():
        table = edge_table([plan.texts for plan in plans], [plan.in_models for plan in plans], rules)
        values = _all_rounds(table, plans, first, as_coded=comparing.as_coded)[:, rounds, texts]
        total += share * np.add.reduceat(values, np.cumsum(counts) - counts, axis=1) / counts
    return Similarities(*total)


def _all_rounds(table: EdgeTable, plans: Sequence["_Plan"], first: Ints, *, as_coded: bool) -> Floats:
    """Return similarities of each text with each model of its topic, (measures, models, texts).

    The first models of all topics are compared in one set of array steps, then the second ones, and so on, so that
    small topics do not cost more.
    """
    rounds = []
    for number in range(max(len(plan.models) for plan in plans)):
        chosen = [plan.models[number] if number < len(plan.models) else () for plan in plans]
        models = [[int(at) + text for text in texts] for texts, at in zip(chosen, first, strict=False)]
        result = similarities(table, model_weights(table, models, as_coded=as_coded))
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


def _plan(topic: Sequence[Comparison]) -> _Plan:
    texts: dict[Units, int] = {}
    models: dict[tuple[int, ...], int] = {}
    models_of = []
    for _, compared in topic:
        numbers = [tuple([texts.setdefault(part, len(texts)) for part in model]) for model in compared]
        models_of.append([models.setdefault(model, len(models)) for model in numbers])
    compared_texts = len(texts)
    text_of = [texts.setdefault(text, len(texts)) for text, _ in topic]
    return _Plan(tuple(texts), compared_texts, tuple(models), text_of, models_of)
