"""Short descriptions of predictions and runs, for people who print them."""

from collections.abc import Sequence
from typing import Final

_SHOWN: Final = 3
"""Keyphrases in a description; arbitrary."""


def described_prediction(document_id: str, pairs: Sequence[tuple[str, float | None]]) -> str:
    """Return the id, the number of keyphrases and the first of them with their probabilities."""
    first = [repr(text) + ("" if probability is None else f" {probability:.2f}") for text, probability in pairs]
    more = ["…"] if len(pairs) > _SHOWN else []
    phrases = "1 keyphrase" if len(pairs) == 1 else f"{len(pairs)} keyphrases"
    return f"<Prediction for {document_id!r}: {phrases}{': ' * bool(pairs)}{', '.join(first[:_SHOWN] + more)}>"


def described_run(system: str, data: str, predictions: int, failures: int) -> str:
    """Return the system, the data and how many documents were done."""
    over = f" over {data}" if data else ""
    failed = f", {failures} failed" if failures else ""
    return f"<Run of {system.partition('|')[0] or 'an unknown system'}{over}: {predictions} documents{failed}>"
