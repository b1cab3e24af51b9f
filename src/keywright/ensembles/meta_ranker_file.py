"""A meta-ranker as one file of JSON, which is data only and not trusted."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.calibration.judgements.confidence import Confidence
from keywright.core.json_values import numbers, text, texts, whole
from keywright.core.sealed import read_sealed, sealed, write_sealed
from keywright.ensembles.calibrated_trees import SLOPES, CalibratedTrees
from keywright.ensembles.meta_features import columns
from keywright.ensembles.meta_ranker import NAME, Card, MetaRanker
from keywright.ensembles.voting import MIN_LISTS
from keywright.learners.tree_text import TreeModel, parsed
from keywright.learners.trees import Trees
from keywright.reading.formats import Limits

_COMMAND: Final = "keywright combine RUN RUN... --method meta-ranker --gold DATASET -o RUN --save FILE"
_MOST_RUNS: Final = 1000
"""Most runs of a meta-ranker; arbitrary."""
_WEIGHTS: Final = 4
"""Intercept and slope for present phrases, and for absent ones."""
_MOST_LEAVES: Final = 1_000_000
"""Trees times leaves of the largest, for which scoring allocates memory; a fit has 2,400. Arbitrary."""
_LARGEST: Final = 1e6
"""Largest weight, and sum of leaves, so that products stay finite; a fit stays below 100. Arbitrary."""


def write(ranker: MetaRanker, path: Path) -> None:
    """Write a meta-ranker to a file, atomically."""
    write_sealed(sealed(NAME, {"card": asdict(ranker.card), **ranker.trees.as_json()}), path)


def read(path: Path) -> MetaRanker:
    """Return a meta-ranker from its file.

    Raises:
        MissingData: there is no such file.
        BrokenFile: it is damaged, or something else.
        TooLarge: it has more bytes than any meta-ranker.
    """
    return read_sealed(path, NAME, _ranker, _COMMAND, Limits().check_file)


def _ranker(record: Mapping[str, Any]) -> MetaRanker:
    card = _card(record["card"])
    return MetaRanker(card, _trees(record, len(columns(len(card.systems)))))


def _card(values: Mapping[str, Any]) -> Card:
    checks: dict[Any, Any] = {int: whole, str: text}  # other fields are tuples of texts
    card = Card(**{field.name: checks.get(field.type, texts)(values[field.name], field.name) for field in fields(Card)})
    if not MIN_LISTS <= len(card.systems) <= _MOST_RUNS or len(card.confidences) != len(card.systems):
        raise ValueError(f"{len(card.systems)} systems and {len(card.confidences)} confidences")
    for kind in filter(None, card.confidences):
        Confidence(kind)
    return card


def _trees(record: Mapping[str, Any], width: int) -> CalibratedTrees:
    """Return the trees over rows of so many columns."""
    weights = numbers(record["weights"], "weights")
    if len(weights) != _WEIGHTS or max(map(abs, weights)) > _LARGEST:
        raise ValueError(f"weights {weights!r:.60}")
    if any(weights[place] < 0 for place in SLOPES):
        raise ValueError("a slope is below 0")
    model = text(record["trees"], "trees")
    _check(parsed(model), width)
    return CalibratedTrees(Trees(model), weights)


def _check(forest: TreeModel, width: int) -> None:
    if forest.features != width or forest.averaged:
        raise ValueError(f"trees over {forest.features} columns, where the runs have {width}")
    sizes = [len(tree.leaf) for tree in forest.trees]
    if len(sizes) * max(sizes) > _MOST_LEAVES:
        raise ValueError(f"{len(sizes)} trees of up to {max(sizes)} leaves")
    if sum(float(np.abs(tree.leaf).max()) for tree in forest.trees) > _LARGEST:
        raise ValueError("leaves whose sum is not finite log odds")
