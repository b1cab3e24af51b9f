"""Small trees for tests, with settings by name."""

from dataclasses import replace

from keywright.core.arrays import Bools, Floats
from keywright.extraction.learners import growing
from keywright.extraction.learners.growing import UNTUNED, Forest
from keywright.extraction.learners.trees import Trees


def bagged_trees(rows: Floats, answers: Bools, **settings: float) -> Trees:
    """Trees that see all features at each split."""
    return growing.forest_trees(rows, answers, Forest(**settings))


def random_forest(rows: Floats, answers: Bools, **settings: float) -> Trees:
    """Trees that see three tenths of the features at each split."""
    return growing.forest_trees(rows, answers, Forest(**{"features": 0.3, **settings}))


def boosted_trees(
    rows: Floats, answers: Bools, weights: Floats | None = None, start: Floats | None = None, **settings: float
) -> Trees:
    """Boosted trees with values that were not tuned."""
    return growing.boosted_trees(rows, answers, replace(UNTUNED, **settings), weights=weights, start=start)
