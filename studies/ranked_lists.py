"""Ranked lists as JSON values for caches: texts with probabilities, best first."""

from collections.abc import Iterable
from typing import Any

from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction


def phrases_of(prediction: Prediction) -> list[list[Any]]:
    """Return text and probability, or None, of each phrase of a prediction."""
    return [[phrase.text, phrase.probability] for phrase in prediction.keyphrases]


def prediction_of(
    document_id: str, phrases: Iterable[tuple[str, float | None]], language: str | None = None
) -> Prediction:
    """Return the prediction of such a list; its scores only say the order."""
    ranked = (
        Keyphrase(text, score=-float(place), probability=probability)
        for place, (text, probability) in enumerate(phrases)
    )
    return Prediction(document_id, tuple(ranked), language=language)
