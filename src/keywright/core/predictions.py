"""Predictions: what a system answers for one document."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.core.documents import Coverage


@dataclass(frozen=True, slots=True)
class Keyphrase:
    """One keyphrase of a prediction.

    Attributes:
        text: surface form: the most frequent in the document, then the earliest.
        score: what the system ranks by; comparable within one document only, higher is better.
        probability: that a person would choose it, 0 to 1; from a fitted probability map and nothing else, else None.
        spans: places in the document's text, half-open, in characters; empty when the phrase is not in the document.
        evidence: what the score was made of, by the name of each part.
    """

    text: str
    score: float
    probability: float | None = None
    spans: tuple[tuple[int, int], ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)

    @property
    def present(self) -> bool:
        """Whether the phrase occurs in the document."""
        return bool(self.spans)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A ranked list of keyphrases for one document, best first.

    Attributes:
        document_id: the document's ``id``.
        keyphrases: best first, no two with the same stems.
        chosen: how many of them the system itself stands by; None when it has no count rule.
        coverage: characters read of characters given.
        warnings: what the person should know, reading included.
        language: ISO 639-1 code that the analysis went by; None when not known.
    """

    document_id: str
    keyphrases: tuple[Keyphrase, ...]
    chosen: int | None = None
    coverage: Coverage | None = None
    warnings: tuple[str, ...] = ()
    language: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The surface forms, best first."""
        return tuple(keyphrase.text for keyphrase in self.keyphrases)
