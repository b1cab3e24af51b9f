"""From the states of an encoder to log-odds: how well each candidate fits what its document says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Floats, Ints

SCALE: Final = 4.0
"""Log-odds of the default that count as 1; arbitrary, some standard deviation of theirs."""
_GELU: Final = (2 / np.pi) ** 0.5
"""Factor of Hendrycks and Gimpel's approximation (2016) of the Gaussian error linear unit."""
_CUBIC: Final = 0.044715
"""Their other one."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadMentions:
    """States of what was read of a document.

    Attributes:
        owner: candidate of each mention, ascending, (mentions,).
        vectors: states of its first and last piece, and the mean of all, (mentions, 3 width).
        document: mean state of all windows, and of the first one, (2 width,).
    """

    owner: Ints
    vectors: Floats
    document: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ContextHead:
    """Weights of two layers, as named in training: ``mention.weight`` and so on, (to, from)."""

    weights: Mapping[str, NDArray[np.float32]]

    def corrections(self, read: ReadMentions, log_odds: Floats, style: int) -> Floats:
        """Return what is added to the log-odds of each candidate, (candidates,); none is where none was read.

        Mentions of a candidate count by their mean and by the highest value in each dimension.

        Args:
            read: states of the mentions that were read.
            log_odds: of the default, (candidates,).
            style: index of the style.
        """
        number = np.bincount(read.owner, minlength=len(log_odds))
        has = number > 0
        if not has.any():
            return np.zeros(len(log_odds))
        width = read.vectors.shape[1] // 3
        of_document = self._linear("document", read.document) + self.weights["style.weight"][style]
        hidden = _gelu(self._linear("mention", read.vectors) + of_document)
        product = self._linear("mention_factor", read.vectors[:, 2 * width :])
        both = np.hstack([hidden, product * self._linear("document_factor", read.document)])
        heads = read.owner.searchsorted(np.flatnonzero(has))
        # Mentions of a candidate are adjacent, so segmented sums and maxima serve all candidates at once.
        mean = np.add.reduceat(both, heads, axis=0) / number[has, None]
        highest = np.maximum.reduceat(both, heads, axis=0)
        features = np.column_stack([log_odds[has] / SCALE, np.log1p(number[has])]).astype(np.float32)
        joint = self._linear("joint", np.hstack([mean, highest, features])) + self.weights["joint_style.weight"][style]
        added = np.zeros(len(log_odds))
        added[has] = self._linear("out", _gelu(joint))[:, 0]
        return added

    def _linear(self, name: str, values: Floats) -> Floats:
        """Return a linear layer of values, (rows, to) or (to,)."""
        bias = self.weights.get(f"{name}.bias")
        result = values @ self.weights[f"{name}.weight"].T
        return np.asarray(result if bias is None else result + bias)


def _gelu(values: Floats) -> Floats:
    cubes = values * values * values  # the operator for powers takes forty times as long
    return np.asarray(0.5 * values * (1 + np.tanh(_GELU * (values + _CUBIC * cubes))))
