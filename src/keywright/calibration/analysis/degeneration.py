"""Degenerate output of generators, which distorts measures: long lists of single words, each sure, and repeats."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from keywright.calibration.phrases import choose_confidence, compute_confidences
from keywright.core.choices import Confidence
from keywright.core.json_values import encode
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Run
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

_LONG: Final = 12  # a degenerate list has more distinct phrases than this; arbitrary, as the next two
_ONE_WORD: Final = 0.8  # a larger share of them than this has one word; arbitrary
_SURE: Final = 0.9  # their mean confidence is above this; arbitrary


@dataclass(frozen=True, slots=True)
class Degeneration:
    """Degenerate lists and repeats of a run."""

    documents: int
    degenerate: tuple[str, ...] = field(metadata={"key": "soup"})  # ids of documents with a degenerate list
    long: int  # number of documents with a long list
    phrases: int  # number of phrases, repeats included
    repeats: int  # number of phrases with the stems of an earlier one of their document

    @property
    def degenerate_share(self) -> float | None:
        """Share of documents with a degenerate list, 0 to 1; None without documents."""
        return len(self.degenerate) / self.documents if self.documents else None

    @property
    def repeat_share(self) -> float | None:
        """Share of repeats among the phrases, 0 to 1; None without phrases."""
        return self.repeats / self.phrases if self.phrases else None

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {**encode(self), "soup_share": self.degenerate_share, "duplicates": self.repeat_share}


def find_degeneration(run: Run) -> Degeneration:
    """Return the degenerate lists and repeats of a run, by ``choose_confidence``; scores are no confidence."""
    keyphrases = [keyphrase for prediction in run.predictions for keyphrase in prediction.keyphrases]
    kind = choose_confidence(keyphrases)
    distinct: dict[str, list[Keyphrase]] = {}
    for prediction in run.predictions:
        stem, first = stemmer(prediction.language or "en"), dict[int | str, Keyphrase]()
        for keyphrase in prediction.keyphrases:  # one without letter or digit counts by its text
            first.setdefault(phrase_key(keyphrase.text, stem) or keyphrase.text, keyphrase)
        distinct[prediction.document_id] = list(first.values())
    return Degeneration(
        len(run.predictions),
        tuple(name for name, phrases in distinct.items() if is_degenerate(phrases, kind)),
        sum(len(phrases) > _LONG for phrases in distinct.values()),
        len(keyphrases),
        len(keyphrases) - sum(map(len, distinct.values())),
    )


def is_degenerate(distinct: Sequence[Keyphrase], confidence: Confidence = Confidence.KPP_S) -> bool:
    """Return whether the distinct phrases of one document are a degenerate list; ``score`` leaves confidence out."""
    # Words are counted as the generator counts them, else split at whitespace.
    lengths = [each.generation.words if each.generation else len(each.text.split()) for each in distinct]
    if len(distinct) <= _LONG or lengths.count(1) <= _ONE_WORD * len(distinct):
        return False
    return confidence is Confidence.SCORE or float(compute_confidences(distinct, confidence).mean()) > _SURE
