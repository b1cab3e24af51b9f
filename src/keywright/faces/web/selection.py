"""Phrases of a shown document that are kept when results are saved, and thresholds that the page offers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from keywright.core.errors import BadParameter
from keywright.core.predictions import Keyphrase, Prediction
from keywright.faces.web.review import Review
from keywright.faces.web.shown_documents import PrecisionStep

_UNKNOWN_SCORE: Final = 0.0
"""Score of a phrase that a person added: no system gave it one."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Positions of the sliders of the page.

    Attributes:
        least: least probability, in percent.
        step: place of the precision that is guaranteed, from 1; 0 for none.
        steps: precisions that can be guaranteed.
    """

    least: int = 0
    step: int = 0
    steps: Sequence[PrecisionStep] = ()

    @property
    def probability(self) -> float:
        """Least probability that both allow."""
        return max(self.least / 100, self.steps[self.step - 1].threshold if self.step else 0.0)

    def allows(self, keyphrase: Keyphrase) -> bool:
        """Return whether a phrase is shown; one without a probability always is."""
        return keyphrase.probability is None or keyphrase.probability >= self.probability


def thresholds_of(fields: Mapping[str, str], steps: Sequence[PrecisionStep]) -> Thresholds:
    """Return the positions in the fields of the page.

    Raises:
        BadParameter: a position is not on its slider.
    """
    least, step = (_position(fields, name, most) for name, most in (("least", 100), ("precision", len(steps))))
    return Thresholds(least, step, steps)


def kept(prediction: Prediction, review: Review, thresholds: Thresholds) -> Prediction:
    """Return what is saved: accepted and added phrases if there are any, else those shown that were not rejected."""
    if review.accepted:
        return replace(prediction, keyphrases=tuple(_accepted(prediction.keyphrases, review.accepted)), chosen=None)
    phrases = (each for each in prediction.keyphrases if thresholds.allows(each) and each.text not in review.rejected)
    return replace(prediction, keyphrases=tuple(phrases), chosen=None)


def _accepted(keyphrases: Iterable[Keyphrase], accepted: Iterable[str]) -> Iterable[Keyphrase]:
    by_text = {each.text: each for each in keyphrases}
    return (by_text.get(text) or Keyphrase(text, _UNKNOWN_SCORE) for text in accepted)


def _position(fields: Mapping[str, str], name: str, most: int) -> int:
    text = fields.get(name, "0")
    if not text.isdecimal() or int(text) > most:
        raise BadParameter(f"{name} is {text!r:.20}", f"expected a whole number from 0 to {most}")
    return int(text)
