"""What calibrators see of phrases: nothing but what every ranked list has.

Scores of most systems are comparable within one document only, so a score comes with its place among the others of its
list: standardised, with its rank and the number of phrases.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple, Self

import numpy as np

from keywright.calibration.judgements.confidence import Confidence, confidences
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.predictions import Keyphrase


class Standing(NamedTuple):
    """Where the phrases of a list stand in their document.

    Attributes:
        present: whether a phrase stands in it at all, (phrases,).
        mentions: how often, (phrases,).
        first: characters before the first mention over those of the document, 0 to 1; 1 if it is absent, (phrases,).
    """

    present: Bools
    mentions: Ints
    first: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """Phrases as calibrators see them, lists one after the other; every column is (phrases,).

    Attributes:
        confidence: what the system gives out as its certainty: of any size, or 0 to 1, as ``Confidence`` says.
        standard: the same less its mean in the list, over its standard deviation there; 0 where all are equal.
        rank: from 1 on.
        count: phrases of the list.
        words: of the phrase, by blanks.
        present, mentions, first: as in ``Standing``.
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
        """Number of phrases."""
        return len(self.rank)

    def where(self, kept: Bools | Ints) -> Self:
        """Some of the phrases, by truth values or places; the others still count in what these are compared with."""
        return type(self)(*(getattr(self, field.name)[kept] for field in fields(self)))

    def with_confidence(self, confidence: Floats) -> Self:
        """The same phrases with another confidence, (phrases,)."""
        return replace(self, confidence=confidence)


def described(
    keyphrases: Sequence[Keyphrase], kind: Confidence | str, standing: Standing, depth: int | None = None
) -> Described:
    """One list as calibrators see it; no phrases give no rows.

    Args:
        keyphrases: best first.
        kind: what their confidence is.
        standing: where they stand.
        depth: mean, deviation and number of phrases are those of so many first phrases, so that a longer list
            describes them alike; None for all.

    Raises:
        BadRecord: a phrase does not have what its confidence is computed from.
    """
    found = confidences(keyphrases, kind)
    pool = found[:depth]
    mean, deviation = (pool.mean(), pool.std()) if len(pool) else (0.0, 0.0)
    # Equal scores may deviate by rounding.
    apart = deviation > 1e-12 * max(1.0, abs(mean))
    return Described(
        confidence=found,
        standard=(found - mean) / deviation if apart else np.zeros(len(found)),
        rank=np.arange(1, len(found) + 1),
        count=np.full(len(found), len(pool)),
        words=np.array([len(one.text.split()) for one in keyphrases], dtype=np.int64),
        present=standing.present,
        mentions=standing.mentions,
        first=standing.first,
    )


def together(lists: Sequence[Described]) -> Described:
    """Lists one after the other; at least one."""
    return Described(*(np.concatenate([getattr(one, field.name) for one in lists]) for field in fields(Described)))


def by_spans(keyphrases: Sequence[Keyphrase], length: int) -> Standing:
    """Where phrases stand as their spans say, in a document of so many characters."""
    mentions = np.array([len(one.spans) for one in keyphrases], dtype=np.int64)
    first = [one.spans[0][0] / max(1, length) if one.spans else 1.0 for one in keyphrases]
    return Standing(mentions > 0, mentions, np.array(first, dtype=np.float64))


def by_text(forms: Sequence[str], present: Bools, text: str) -> Standing:
    """Where phrases without spans stand: normalised forms, looked up in the normalised text.

    Args:
        forms: with one blank between words.
        present: whether each stands in the text, (forms,).
        text: likewise with one blank between words.
    """
    padded = f" {text} "
    places = [padded.find(f" {form} ") for form in forms]
    mentions = [padded.count(f" {form} ") if there else 0 for form, there in zip(forms, present, strict=True)]
    first = [at / len(padded) if at >= 0 and there else 1.0 for at, there in zip(places, present, strict=True)]
    return Standing(np.asarray(present, bool), np.array(mentions, np.int64), np.array(first, np.float64))
