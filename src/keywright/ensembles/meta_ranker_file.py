"""A meta-ranker as one file of JSON: nothing in it is run, and nothing in it is trusted."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.calibration.judgements.confidence import Confidence
from keywright.core.errors import BrokenFile, KeywrightError, MissingData
from keywright.core.json_values import numbers, text, texts, whole
from keywright.core.sealed import sealed, text_of, unsealed
from keywright.core.writing import whole_file
from keywright.ensembles.calibrated_trees import SLOPES, CalibratedTrees
from keywright.ensembles.meta_features import columns
from keywright.ensembles.meta_ranker import NAME, Card, MetaRanker
from keywright.learners.tree_text import TreeModel, parsed
from keywright.learners.trees import Trees
from keywright.reading.limits import Limits

_HINT: Final = "expected a file that `keywright combine --save FILE` wrote; copy it again, or fit it again"
_MOST_RUNS: Final = 1000
_WEIGHTS: Final = 4
"""Intercept and slope for present phrases, and for absent ones."""
_MOST_LEAVES: Final = 1_000_000
"""Trees times leaves of the largest, which is what scoring makes room for; a fit has 2,400."""
_LARGEST: Final = 1e6
"""Log odds and weights beyond which their products and sums could be no numbers; a fit stays below 100."""


def write(ranker: MetaRanker, path: Path) -> None:
    """Write it as a file that is there whole or not at all.

    Raises:
        BadParameter: no file can be there.
    """
    record = sealed(NAME, {"card": asdict(ranker.card), **ranker.trees.as_json()})
    with whole_file(path) as file:
        file.write(text_of(record))


def read(path: Path) -> MetaRanker:
    """A meta-ranker from its file.

    Raises:
        MissingData: there is none.
        BrokenFile: it is damaged, or something else.
        TooLarge: no meta-ranker has so many bytes.
    """
    if not path.is_file():
        hint = "`keywright combine RUN RUN... --method meta-ranker --gold DATASET -o RUN --save FILE` makes one"
        raise MissingData(f"there is no meta-ranker {path}", hint)
    Limits().check_file(path.stat().st_size, str(path))
    try:
        record = unsealed(path.read_text(encoding="utf-8"), NAME)
        card = _card(record["card"])
        return MetaRanker(card, _trees(record, len(columns(len(card.systems)))))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        reason = error.message if isinstance(error, KeywrightError) else str(error)
        raise BrokenFile(f"the meta-ranker {path} cannot be read: {reason:.200}", _HINT) from error


def _card(given: Mapping[str, Any]) -> Card:
    how: dict[Any, Any] = {int: whole, str: text}  # the others are tuples of texts
    card = Card(**{one.name: how.get(one.type, texts)(given[one.name], one.name) for one in fields(Card)})
    if not 1 < len(card.systems) <= _MOST_RUNS or len(card.confidences) != len(card.systems):
        raise ValueError(f"{len(card.systems)} systems and {len(card.confidences)} confidences")
    for one in filter(None, card.confidences):
        Confidence(one)
    return card


def _trees(record: Mapping[str, Any], width: int) -> CalibratedTrees:
    """The trees over rows of so many columns.

    Raises:
        ValueError: they are over others, or have numbers that no fit gives.
    """
    weights = numbers(record["weights"], "weights")
    if len(weights) != _WEIGHTS or max(map(abs, weights)) > _LARGEST:
        raise ValueError(f"weights {weights!r:.60}")
    if any(weights[at] < 0 for at in SLOPES):
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
        raise ValueError("leaves whose sum is no log odds")
