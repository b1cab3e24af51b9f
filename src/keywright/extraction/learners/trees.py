"""Trained decision trees: scores and explanations need only numpy, training (``growing``) LightGBM."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter
from keywright.extraction.learners.tree_shapley import leaf_paths
from keywright.extraction.learners.tree_text import slim
from keywright.extraction.learners.tree_walk import tree_walker


@dataclass(frozen=True, eq=False)
class Trees:
    """Trained trees, kept as text in LightGBM's format, reduced to what is needed (``tree_text``)."""

    text: str

    def scores(self, rows: Floats) -> Floats:
        """Return the mean vote, 0 to 1, of bags and forests, or the log-odds of boosted trees, (rows,)."""
        walker = tree_walker(self.text)
        _check_width(rows, walker.features)
        return walker.scores(rows)

    def contributions(self, rows: Floats) -> Floats:
        """Return Shapley values of features and the base value, whose rows sum to scores, (rows, features + 1)."""
        paths = leaf_paths(self.text)
        _check_width(rows, paths.features)
        return paths.contributions(rows)

    @cached_property
    def fingerprint(self) -> str:
        """Start of the SHA-256 of the text: the trees' part in a signature."""
        return sha256(self.text.encode()).hexdigest()[:8]


def add_trees(first: Trees, second: Trees) -> Trees:
    """Return boosted trees whose scores are the sums of both."""
    return Trees(
        slim(first.text.partition("end of trees")[0] + second.text[second.text.index("Tree=0") :], counted=True)
    )


def first_trees(trees: Trees, number: int) -> Trees:
    """Return at most the first ``number`` of boosted trees: the model after that many rounds."""
    return Trees(slim(trees.text.partition(f"\nTree={number}\n")[0], counted=True))


def _check_width(rows: Floats, features: int) -> None:
    """Raise ``BadParameter`` for rows with another number of features than the training rows."""
    if rows.shape[1] != features:
        raise BadParameter(f"rows of {rows.shape[1]} features", f"the trees know {features}")
