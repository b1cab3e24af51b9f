"""scikit-learn estimators: texts to lists of keyphrases, and texts to a sparse matrix of keyphrases."""

import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from keywright.api import phrase_key
from keywright.api.inputs import Named, is_document, named_items
from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Outcome, Prediction
from keywright.integrations.texts import TextExtractor, needs_package, warn_of_failures

with needs_package("scikit-learn"):
    from joblib import effective_n_jobs
    from scipy.sparse import csr_matrix
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils import gen_even_slices
    from sklearn.utils.parallel import Parallel, delayed
    from sklearn.utils.validation import check_is_fitted

VALUES: Final = ("mentions", "presence", "probability")  # kinds of values in a matrix of keyphrases


@dataclass(kw_only=True, eq=False, repr=False)  # scikit-learn reads the parameters from its __init__
class KeyphraseTransformer(TransformerMixin, BaseEstimator):
    """Texts to lists of keyphrases, best first. A text that fails gets an empty list, with a warning.

    There is nothing to fit: ``transform`` works at once.

    >>> from keywright.integrations.sklearn import KeyphraseTransformer
    >>> KeyphraseTransformer(top=1).transform(["A grid scheduler assigns jobs. The grid scheduler is fair."])
    [['grid scheduler']]

    Args:
        system, top, language, style, expect, min_probability: as for ``kw.extract``.
        options: further keywords of ``kw.extract``, such as ``{"diversity": 0.5}``.
        n_jobs: number of processes; None for this process alone, -1 for all cores.
    """

    system: Any = "default"
    top: int | None = None
    language: str | None = None
    style: str | None = None
    expect: float | None = None
    min_probability: float | None = None
    options: Mapping[str, Any] | None = None
    n_jobs: int | None = None

    def __sklearn_tags__(self) -> Any:
        """Say that the input is one text per sample, not a table of numbers, and that nothing is fitted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        return tags

    def fit(self, X: Iterable[object], y: object = None) -> Self:  # noqa: ARG002, N803 - scikit-learn's names
        """Check the parameters; texts are not looked at."""
        self._extractor()
        return self

    def transform(self, X: Iterable[object]) -> list[list[str]]:  # noqa: N803 - scikit-learn's name
        """Return the keyphrases of each text; raise ``BadParameter`` if ``X`` is not a collection of texts."""
        return [[] if isinstance(outcome, Failure) else list(outcome.texts) for outcome in self._outcomes(X)]

    def _extractor(self) -> TextExtractor:
        chosen: dict[str, Any] = {
            "style": self.style,
            "expect": self.expect,
            "min_probability": self.min_probability,
            **(self.options or {}),
        }
        return TextExtractor(self.system, self.top, self.language, **chosen)

    def _outcomes(self, texts: Iterable[object]) -> list[Outcome]:
        """Return an outcome for each text, with one warning for all failures."""
        if is_document(texts):
            message = f"a value of type {type(texts).__name__} is not a list of texts"
            raise BadParameter(message, "pass a list, also for one text")
        items, extractor = list(named_items(texts)[0]), self._extractor()
        parts = gen_even_slices(len(items), effective_n_jobs(self.n_jobs)) if items else ()
        work = (delayed(_extract_items)(extractor, items[part]) for part in parts)
        outcomes = [outcome for part in Parallel(self.n_jobs)(work) for outcome in part]
        warn_of_failures(outcomes)
        return outcomes


@dataclass(kw_only=True, eq=False, repr=False)
class KeyphraseVectorizer(KeyphraseTransformer):
    """Texts to a sparse matrix, (texts, keyphrases). A text that fails gets an empty row, with a warning.

    Keyphrases that are equal by stem share a column, named after their most frequent form in the texts of ``fit``.

    >>> from keywright.integrations.sklearn import KeyphraseVectorizer
    >>> vectorizer = KeyphraseVectorizer(top=1)
    >>> vectorizer.fit_transform(["A grid scheduler assigns jobs. The grid scheduler is fair."]).toarray()
    array([[2.]])
    >>> vectorizer.get_feature_names_out()
    array(['grid scheduler'], dtype=object)

    Args:
        values: ``mentions`` in the text (1 for a keyphrase that is not in it), ``presence``, which is 1, or the
            calibrated ``probability``; keyphrases without probability are then left out, with a warning.
        min_df: least number of texts of ``fit`` with a keyphrase that gets a column.
        system, top, language, style, expect, min_probability: as for ``kw.extract``.
        options: further keywords of ``kw.extract``, such as ``{"diversity": 0.5}``.
        n_jobs: number of processes; None for this process alone, -1 for all cores.

    Attributes:
        columns_: column of each ``keywright.api.phrase_key``.
        names_: name of each column, in alphabetical order.
    """

    values: str = "mentions"
    min_df: int = 1

    def __sklearn_tags__(self) -> Any:
        """Say that columns are fitted."""
        tags = super().__sklearn_tags__()
        tags.requires_fit = True
        return tags

    def fit(self, X: Iterable[object], y: object = None) -> Self:  # noqa: ARG002, N803 - scikit-learn's names
        """Extract the keyphrases of texts and give each a column.

        Raises:
            BadParameter: ``X`` is not a collection of texts, or no keyphrase is in ``min_df`` of them.
        """
        self._check_parameters()
        self._fit_columns(self._outcomes(X))
        return self

    def fit_transform(self, X: Iterable[object], y: object = None) -> Any:  # noqa: ARG002, N803 - scikit-learn's names
        """Return the matrix of the texts that the columns come from, extracted once."""
        self._check_parameters()
        outcomes = self._outcomes(X)
        self._fit_columns(outcomes)
        return self._matrix(outcomes)

    def transform(self, X: Iterable[object]) -> Any:  # noqa: N803 - scikit-learn's name
        """Return the matrix of texts, (texts, keyphrases), as ``scipy.sparse.csr_matrix``; new keyphrases are left out.

        Raises:
            NotFittedError: ``fit`` comes first.
            BadParameter: ``X`` is not a collection of texts.
        """
        check_is_fitted(self)
        return self._matrix(self._outcomes(X))

    def get_feature_names_out(self, input_features: object = None) -> Any:  # noqa: ARG002 - scikit-learn's name
        """Return the keyphrase of each column, (keyphrases,), as an array of strings."""
        check_is_fitted(self)
        return self.names_

    def _check_parameters(self) -> None:
        if self.values not in VALUES:
            raise BadParameter(f"values {self.values!r}", f"expected one of {', '.join(VALUES)}")
        if self.min_df < 1:
            raise BadParameter(f"min_df {self.min_df}", "expected a number of texts from 1")

    def _fit_columns(self, outcomes: Sequence[Outcome]) -> None:
        forms: dict[int, Counter[str]] = defaultdict(Counter)
        for outcome in outcomes:
            for key, keyphrase in _group_by_key(outcome).items():
                forms[key][keyphrase.text] += 1
        names = {key: counts.most_common(1)[0][0] for key, counts in forms.items() if counts.total() >= self.min_df}
        if not names:
            message = f"no keyphrase is in {self.min_df} of the {len(outcomes)} texts"
            raise BadParameter(message, "pass more texts, or a smaller min_df")
        # Stems of two languages can give one name two keys: these share the column.
        self.names_ = np.array(sorted(set(names.values())), dtype=object)
        column = {name: index for index, name in enumerate(self.names_)}
        self.columns_ = {key: column[name] for key, name in names.items()}

    def _matrix(self, outcomes: Sequence[Outcome]) -> Any:
        cells = [
            (row, self.columns_[key], _measure_keyphrase(keyphrase, self.values))
            for row, outcome in enumerate(outcomes)
            for key, keyphrase in _group_by_key(outcome).items()
            if key in self.columns_
        ]
        measured = [cell for cell in cells if cell[2] is not None]
        if len(measured) < len(cells):
            warnings.warn(f"{len(cells) - len(measured)} keyphrases without probability are left out", stacklevel=3)
        rows, columns, values = zip(*measured, strict=True) if measured else ((), (), ())
        return csr_matrix((values, (rows, columns)), shape=(len(outcomes), len(self.names_)), dtype=np.float64)


def _extract_items(extractor: TextExtractor, items: Sequence[Named]) -> list[Outcome]:
    """Return the outcomes of some of the texts; a function by itself, so that another process can run it."""
    return list(extractor.each(items))


def _group_by_key(outcome: Outcome) -> dict[int, Keyphrase]:
    """Return the keyphrases of an outcome by key; the better of two that share one."""
    by_key: dict[int, Keyphrase] = {}
    if isinstance(outcome, Prediction):
        for keyphrase in outcome.keyphrases:
            by_key.setdefault(phrase_key(keyphrase.text, outcome.language), keyphrase)
    return by_key


def _measure_keyphrase(keyphrase: Keyphrase, kind: str) -> float | None:
    if kind == "probability":
        return keyphrase.probability
    return max(len(keyphrase.spans), 1) if kind == "mentions" else 1
