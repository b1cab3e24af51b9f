"""NPowER: AutoSummENG and MeMoG combined by a linear model of the scores that people gave.

Giannakopoulos and Karkaletsis 2013: Summary evaluation: together we stand NPowER-ed. No published coefficients are
known, so that a fit to labelled summaries is needed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.errors import BadParameter, TooLarge
from keywright.core.json_values import check_object, decode
from keywright.core.saving import read_sealed, seal_record, write_sealed

_KIND: Final = "npower fit"
FITTED_BY: Final = "keywright.summaries.ngram_graphs.evaluator.fit_npower(PAIRS, HUMAN).save(FILE)"
_LARGEST_FILE: Final = 1_000_000
"""Bytes; arbitrary, a thousand times the size of a fit."""


@dataclass(frozen=True)
class NPowerFit:
    """Coefficients of NPowER, fitted by least squares.

    Attributes:
        settings: options of the graphs that were compared, as text by name. They are part of the fit.
        human: name of the human scores.
        pairs: number of summaries that were fitted.
        r2: share of the variance of the human scores that the fit explains on these summaries, 0 to 1.
    """

    intercept: float
    autosummeng: float
    memog: float
    settings: Mapping[str, str]
    human: str
    pairs: int
    r2: float

    def predict(self, autosummeng: float, memog: float) -> float:
        """Return NPowER of a summary, on the scale of the human scores."""
        return self.intercept + self.autosummeng * autosummeng + self.memog * memog

    def check_settings(self, settings: Mapping[str, str]) -> None:
        """Check that graphs are compared as they were for the fit.

        Raises:
            BadParameter: an option differs.
        """
        for name, value in settings.items():
            if value != self.settings.get(name):
                problem = f"the NPowER fit was made with {name}={self.settings.get(name)}, not {name}={value}"
                raise BadParameter(problem, "use the options of the fit, or fit again with yours")

    @cached_property
    def fingerprint(self) -> str:
        """Start of the hash of the fit, in signatures."""
        digest: str = self._sealed()["card"]["sha256"]
        return digest[:8]  # as many digits as other fingerprints in signatures have

    def _sealed(self) -> dict[str, Any]:
        card = {"human": self.human, "pairs": self.pairs, "r2": self.r2, "settings": dict(self.settings)}
        coefficients = {"intercept": self.intercept, "autosummeng": self.autosummeng, "memog": self.memog}
        return seal_record(_KIND, {**coefficients, "card": card})

    def save(self, path: Path) -> None:
        """Write the fit as a JSON file.

        Raises:
            BadParameter: the file cannot be written.
        """
        write_sealed(self._sealed(), path)


def read_fit(path: Path) -> NPowerFit:
    """Return the fit of a file that ``NPowerFit.save`` wrote.

    Raises:
        MissingData: there is no such file.
        BrokenFile: it is damaged, or not a fit.
    """
    return read_sealed(path, _KIND, _parse_fit, FITTED_BY, _check_size)


def _parse_fit(record: Mapping[str, Any]) -> NPowerFit:
    fit: NPowerFit = decode(NPowerFit, {**record, **check_object(record["card"])}, "fit")
    return fit


def _check_size(size: int, name: str) -> None:
    if size > _LARGEST_FILE:
        raise TooLarge(f"{name} has {size:,} bytes; a fit has at most {_LARGEST_FILE:,}", "name another file")


def fit_least_squares(
    measures: Sequence[tuple[float, ...]], scores: Sequence[float], human: str, settings: Mapping[str, str]
) -> NPowerFit:
    """Return the fit to human scores of the AutoSummENG and MeMoG of each summary.

    Raises:
        BadParameter: the summaries do not determine the coefficients.
    """
    target = np.array(scores, dtype=np.float64)
    columns = np.column_stack([np.ones(len(target)), np.array(measures, dtype=np.float64).reshape(len(target), 2)])
    coefficients, _, rank, _ = np.linalg.lstsq(columns, target)
    if rank < columns.shape[1]:
        problem = f"{len(target)} summaries with scores {human!r} do not determine the three coefficients of NPowER"
        raise BadParameter(problem, "give more summaries, whose AutoSummENG and MeMoG differ")
    residuals = target - columns @ coefficients
    variance = float(target.var())
    r2 = max(0.0, 1 - float(np.mean(residuals**2)) / variance) if variance else 0.0
    intercept, autosummeng, memog = coefficients.tolist()
    return NPowerFit(intercept, autosummeng, memog, dict(settings), human, len(target), r2)
