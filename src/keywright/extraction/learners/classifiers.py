"""Classifiers of rows: naive Bayes (normal or discretised), logistic regression, linear discriminant analysis."""

from dataclasses import dataclass
from typing import Final, Literal, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter, needs_extra
from keywright.extraction.learners.examples import check_both_classes

_SMOOTHING: Final = 1e-9  # variance added to each feature, as a share of the largest variance: scikit-learn's default


@dataclass(frozen=True, slots=True, eq=False)
class GaussianNaiveBayes:
    """Probability of a class from features that are assumed independent and normal within each class.

    John and Langley (1995). Rows are the classes no and yes: ``prior``, (2,), ``mean`` and ``variance``, (2, features).
    """

    prior: Floats
    mean: Floats
    variance: Floats

    @classmethod
    def fit(cls, rows: Floats, answers: Bools) -> Self:
        """Learn from features (rows, features) and labels (rows,)."""
        check_both_classes(answers, "naive Bayes")
        classes = [rows[~answers], rows[answers]]
        added = _SMOOTHING * max(float(rows.var(axis=0).max()), _SMOOTHING)
        return cls(
            prior=np.array([len(members) / len(rows) for members in classes]),
            mean=np.array([members.mean(axis=0) for members in classes]),
            variance=np.array([members.var(axis=0) + added for members in classes]),
        )

    def log_odds(self, rows: Floats) -> Floats:
        """Return log(P(yes) / P(no)), (rows,)."""
        distance = (rows[:, None, :] - self.mean) ** 2 / self.variance + np.log(self.variance)
        joint = np.log(self.prior) - distance.sum(axis=2) / 2
        return np.asarray(joint[:, 1] - joint[:, 0])


@dataclass(frozen=True, slots=True, eq=False)
class LogisticRegression:
    """Log-odds as a weighted sum of features, less ``mean``, by ``scale``, (features,); ``bias``: of an average row."""

    mean: Floats
    scale: Floats
    weight: Floats
    bias: Floats

    @classmethod
    def fit(cls, rows: Floats, answers: Bools, strength: float = 1.0, penalty: Literal["l1", "l2"] = "l2") -> Self:
        """Learn from features (rows, features) and labels, with a penalty ``l2`` or ``l1`` of 1 / ``strength``."""
        with needs_extra("train", "training a maximum entropy model needs scikit-learn"):
            from sklearn import linear_model  # noqa: PLC0415  (seconds to import, and only training needs it)

        check_both_classes(answers, "maximum entropy")
        mean, scale = rows.mean(axis=0), rows.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        # Liblinear visits features in random order, which the seed fixes; 1000 rounds are ten times the default.
        sparse = {"l1_ratio": 1.0, "solver": "liblinear", "random_state": 0, "max_iter": 1000}
        model = linear_model.LogisticRegression(C=strength, **(sparse if penalty == "l1" else {}))
        fitted = model.fit((rows - mean) / scale, answers)
        return cls(mean, scale, fitted.coef_[0], fitted.intercept_)

    def log_odds(self, rows: Floats) -> Floats:
        """Return log(P(yes) / P(no)), (rows,)."""
        return np.asarray(((rows - self.mean) / self.scale) @ self.weight + self.bias[0])


@dataclass(frozen=True, slots=True, eq=False)
class LinearDiscriminant:
    """Log-odds as a weighted sum of features, under normal distributions with one covariance."""

    weight: Floats
    bias: Floats

    @classmethod
    def fit(cls, rows: Floats, answers: Bools) -> Self:
        """Learn from features (rows, features) and labels (rows,), of both classes, else ``BadParameter``."""
        with needs_extra("train", "training a linear discriminant needs scikit-learn"):
            from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # noqa: PLC0415  (seconds to import)

        check_both_classes(answers, "linear discriminant analysis")
        varies = rows.std(axis=0) > 0
        fitted = LinearDiscriminantAnalysis(solver="lsqr").fit(rows[:, varies], answers)
        weight = np.zeros(rows.shape[1])
        weight[varies] = fitted.coef_[0]
        return cls(weight, fitted.intercept_)

    def log_odds(self, rows: Floats) -> Floats:
        """Return log(P(yes) / P(no)), (rows,)."""
        return np.asarray(rows @ self.weight + self.bias[0])


@dataclass(frozen=True, slots=True, eq=False)
class DiscretisedNaiveBayes:
    """Odds of a class from intervals of features that are assumed independent within each class.

    The learner of KEA (Frank et al. 1999). Intervals include their upper cut. ``cuts``: ascending, feature after
    feature, (cuts,), by ``offsets``, (features + 1,); ``odds``: log of P(interval | yes) / P(interval | no), smoothed
    after Laplace, one more per feature, (cuts + features,); ``prior``: log of P(yes) / P(no), (1,).
    """

    cuts: Floats
    offsets: Ints
    odds: Floats
    prior: Floats

    @classmethod
    def fit(cls, rows: Floats, answers: Bools, intervals: int | None = None) -> Self:
        """Learn from features and labels (rows,), with so many intervals, or by description length."""
        check_both_classes(answers, "naive Bayes")
        if intervals is not None and intervals < 1:
            raise BadParameter(f"{intervals} intervals", "give at least 1, or None")
        cuts, odds = [], []
        for column in rows.T:
            cuts.append(informative_cuts(column, answers) if intervals is None else even_cuts(column, intervals))
            interval = np.searchsorted(cuts[-1], column)
            classes = (interval[answers == label] for label in (0, 1))
            counts = np.array([np.bincount(of_class, minlength=len(cuts[-1]) + 1) for of_class in classes]) + 1.0
            no, yes = np.log(counts / counts.sum(axis=1, keepdims=True))
            odds.append(yes - no)
        return cls(
            cuts=np.concatenate([np.zeros(0), *cuts]),
            offsets=np.cumsum([0, *map(len, cuts)]),
            odds=np.concatenate([np.zeros(0), *odds]),
            prior=np.array([np.log(answers.sum() / (~answers).sum())]),
        )

    def log_odds(self, rows: Floats) -> Floats:
        """Return log(P(yes) / P(no)), (rows,)."""
        total = np.full(len(rows), self.prior[0])
        for feature, column in enumerate(rows.T):
            start, end = self.offsets[feature : feature + 2]
            total += self.odds[start + feature + np.searchsorted(self.cuts[start:end], column)]
        return total


def even_cuts(column: Floats, intervals: int) -> Floats:
    """Return cuts at quantiles, ascending, fewer than ``intervals``; equal values stay in one interval."""
    cuts = np.unique(np.quantile(column, np.arange(1, intervals) / intervals, method="lower"))
    return np.asarray(cuts[cuts < column.max()], float)


def informative_cuts(column: Floats, answers: Bools) -> Floats:
    """Return cuts by the minimum description length principle of Fayyad and Irani (1993), ascending, (cuts,).

    A range of values is cut where the entropy of the labels on both sides is smallest, midway between two values, if
    the information gain exceeds the cost of encoding the cut; then each side in turn.
    """
    values, place = np.unique(column, return_inverse=True)
    # Prefix sums: rows of each class before each distinct value, (values + 1, 2), from which the class counts of any
    # range are a difference of two rows.
    before = np.zeros((len(values) + 1, 2))
    for label in (0, 1):
        before[1:, label] = np.cumsum(np.bincount(place, weights=answers == label, minlength=len(values)))
    cuts, ranges = [], [(0, len(values))]
    while ranges:
        start, end = ranges.pop()
        cut = _best_cut(before[start : end + 1] - before[start])
        if cut:
            cuts.append((values[start + cut - 1] + values[start + cut]) / 2)
            ranges += [(start, start + cut), (start + cut, end)]
    return np.sort(np.array(cuts, float))


def _best_cut(before: Floats) -> int:
    """Return the values left of the best cut, or 0; ``before``: rows of classes before each value, (values + 1, 2)."""
    whole, left = before[-1], before[1:-1]
    if not len(left) or not whole.all():
        return 0
    right = whole - left
    total = whole.sum()
    inside = (_bits(left) + _bits(right)) / total
    best = int(np.argmin(inside))
    gain = _bits(whole) / total - inside[best]
    kinds = np.array([np.count_nonzero(part) for part in (whole, left[best], right[best])])
    entropies = np.array([_bits(part) / part.sum() for part in (whole, left[best], right[best])])
    encoding = np.log2(3.0 ** kinds[0] - 2) - (kinds * entropies * (1, -1, -1)).sum()
    return best + 1 if gain > (np.log2(total - 1) + encoding) / total else 0


def _bits(counts: Floats) -> Floats:
    """Return entropy times number, the bits that encode labels with these class counts, over the last axis."""
    logs = np.log2(counts, where=counts > 0, out=np.zeros_like(counts))
    total = counts.sum(axis=-1)
    return np.asarray(total * np.log2(total) - (counts * logs).sum(axis=-1))
