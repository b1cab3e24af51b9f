"""Features of phrases for calibrators: columns that every ranked list has.

Scores of most systems are comparable within one document only. Features of a score are therefore relative to its list:
the standardised score, the rank and the number of phrases.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple, Self

import numpy as np

from keywright.calibration.judgements.confidence import Confidence, confidences
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.predictions import Keyphrase

_ROUNDING: Final = 1e-12
"""Relative standard deviation up to which scores are equal: equal scores may deviate by rounding."""


class Occurrence(NamedTuple):
    """Where the phrases of a list occur in their document.

    Attributes:
        present: whether the phrase occurs, (phrases,).
        mentions: number of mentions, (phrases,).
        first: characters before the first mention over those of the document, 0 to 1; 1 if absent, (phrases,).
    """

    present: Bools
    mentions: Ints
    first: Floats


@dataclass(frozen=True, slots=True, eq=False)
class PhraseFeatures:
    """Features of phrases, one list after another; every column is (phrases,).

    Attributes:
        confidence: confidence that the system gives, of any size, or 0 to 1, as ``Confidence`` says.
        standard: the confidence standardised within its list; 0 where all are equal.
        rank: from 1 on.
        words: of the phrase, split at whitespace.
        present, mentions, first: as in ``Occurrence``.
    """

    confidence: Floats
    standard: Floats
    rank: Ints
    count: Ints
    words: Ints
    present: Bools
    mentions: Ints
    first: Floats

    def __len__(self) -> int:
        return len(self.rank)

    def where(self, rows: Bools | Ints) -> Self:
        """Return some of the phrases, by truth values or positions; features stay relative to the whole lists."""
        return type(self)(*(getattr(self, field.name)[rows] for field in fields(self)))

    def with_confidence(self, confidence: Floats) -> Self:
        """Return the same phrases with another confidence, (phrases,)."""
        return replace(self, confidence=confidence)


def list_features(
    keyphrases: Sequence[Keyphrase], kind: Confidence | str, occurrence: Occurrence, depth: int | None = None
) -> PhraseFeatures:
    """Return the features of one list, possibly empty.

    Mean, deviation and number of phrases are those of the ``depth`` first phrases, so that a longer list gives them the
    same features; of all when None.
    """
    confidence = confidences(keyphrases, kind)
    pool = confidence[:depth]
    mean, deviation = (pool.mean(), pool.std()) if len(pool) else (0.0, 0.0)
    differ = deviation > _ROUNDING * max(1.0, abs(mean))
    return PhraseFeatures(
        confidence=confidence,
        standard=(confidence - mean) / deviation if differ else np.zeros(len(confidence)),
        rank=np.arange(1, len(confidence) + 1),
        count=np.full(len(confidence), len(pool)),
        words=np.array([len(keyphrase.text.split()) for keyphrase in keyphrases], dtype=np.int64),
        present=occurrence.present,
        mentions=occurrence.mentions,
        first=occurrence.first,
    )


def concatenated(lists: Sequence[PhraseFeatures]) -> PhraseFeatures:
    """Return the features of at least one list, one list after another."""
    names = (field.name for field in fields(PhraseFeatures))
    return PhraseFeatures(*(np.concatenate([getattr(features, name) for features in lists]) for name in names))


def occurrence_from_spans(keyphrases: Sequence[Keyphrase], length: int) -> Occurrence:
    """Return where phrases occur by their spans, in a document of so many characters."""
    mentions = np.array([len(keyphrase.spans) for keyphrase in keyphrases], dtype=np.int64)
    first = [keyphrase.spans[0][0] / max(1, length) if keyphrase.spans else 1.0 for keyphrase in keyphrases]
    return Occurrence(mentions > 0, mentions, np.array(first, dtype=np.float64))


def occurrence_from_forms(forms: Sequence[str], present: Bools, text: str) -> Occurrence:
    """Return where phrases without spans occur, by normalised forms in a normalised text, one blank between words."""
    padded = f" {text} "
    places = [padded.find(f" {form} ") for form in forms]
    mentions = [padded.count(f" {form} ") if there else 0 for form, there in zip(forms, present, strict=True)]
    first = [at / len(padded) if at >= 0 and there else 1.0 for at, there in zip(places, present, strict=True)]
    return Occurrence(np.asarray(present, bool), np.array(mentions, np.int64), np.array(first, np.float64))
