"""Fitted decision trees in numbers: scores and explanations need only numpy (``tree_walk``, ``tree_shapley``).

LightGBM grows them (``growing``).
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter
from keywright.learners.tree_shapley import ways
from keywright.learners.tree_text import slim
from keywright.learners.tree_walk import walker


@dataclass(frozen=True, eq=False)
class Trees:
    """Fitted trees, kept as text.

    Attributes:
        text: the model as LightGBM writes it, without what prediction and explanation do not need (see ``tree_text``).
    """

    text: str

    def scores(self, rows: Floats) -> Floats:
        """Mean vote for yes, 0 to 1, of bags and forests; log odds of boosted trees; (rows,).

        Args:
            rows: features, (rows, features).

        Raises:
            BrokenFile: the text is damaged.
            BadParameter: rows have another number of features than the trees were fitted on.
        """
        found = walker(self.text)
        _see_width(rows, found.features)
        return found.scores(rows)

    def contributions(self, rows: Floats) -> Floats:
        """What each feature adds to each score, (rows, features + 1); last, what all rows start from.

        Rows sum to the scores: Shapley values over the paths of the trees (Lundberg and others 2018). All start from
        the mean over the training rows; where the text does not tell how many fell into each leaf, from the mean over
        leaves.

        Raises:
            BrokenFile: the text is damaged.
            BadParameter: rows have another number of features than the trees were fitted on.
        """
        found = ways(self.text)
        _see_width(rows, found.features)
        return found.contributions(rows)

    @cached_property
    def fingerprint(self) -> str:
        """Start of the SHA-256 of the text: the trees' part in a signature."""
        return sha256(self.text.encode()).hexdigest()[:8]


def joined(first: Trees, second: Trees) -> Trees:
    """Boosted trees whose scores are the sums of both.

    Raises:
        BrokenFile: a text is damaged.
    """
    return Trees(
        slim(first.text.partition("end of trees")[0] + second.text[second.text.index("Tree=0") :], counted=True)
    )


def first(trees: Trees, number: int) -> Trees:
    """The first so many of boosted trees, all where there are not so many: boosting as it stood then."""
    return Trees(slim(trees.text.partition(f"\nTree={number}\n")[0], counted=True))


def _see_width(rows: Floats, features: int) -> None:
    if rows.shape[1] != features:
        raise BadParameter(f"rows of {rows.shape[1]} features", f"the trees know {features}")
