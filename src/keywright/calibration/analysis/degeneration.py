"""Degenerate output of generators, which distorts measures: long lists of single words, each sure, and repeats."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from keywright.calibration.phrases import choose_confidence, compute_confidences
from keywright.core.choices import Confidence
from keywright.core.errors import BadParameter
from keywright.core.json_values import encode
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Run
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


@dataclass(frozen=True, slots=True)
class DegenerateRule:
    """The conditions of a degenerate list, which must all hold; the numbers are arbitrary."""

    phrases: int = 12  # more distinct phrases than this
    one_word: float = 0.8  # a larger share of them than this has one word; 0 to 1
    confidence: float | None = 0.9  # their mean confidence is above this, 0 to 1; None to ignore confidence

    def __post_init__(self) -> None:
        if self.phrases < 0:
            raise BadParameter(f"phrases {self.phrases}", "expected a number from 0, such as 12")
        for name, share in (("one_word", self.one_word), ("confidence", self.confidence)):
            if share is not None and not 0 <= share <= 1:
                raise BadParameter(f"{name} {share}", "expected a share, from 0 to 1")


@dataclass(frozen=True, slots=True)
class Degeneration:
    """Degenerate lists and repeats of a run."""

    documents: int
    degenerate: tuple[str, ...] = field(metadata={"key": "soup"})  # ids of documents with a degenerate list
    long: int  # number of documents with more distinct phrases than the rule allows
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


def find_degeneration(run: Run, rule: DegenerateRule | None = None) -> Degeneration:
    """Return the degenerate lists and repeats of a run, by the confidence of ``choose_confidence``."""
    rule = rule or DegenerateRule()
    keyphrases = [keyphrase for prediction in run.predictions for keyphrase in prediction.keyphrases]
    kind = choose_confidence(keyphrases)
    if rule.confidence is not None and kind is Confidence.SCORE and keyphrases:
        message = "the run has scores, which are not confidences"
        raise BadParameter(message, "calibrate it, or leave confidence out of the rule: confidence=None")
    distinct = {each.document_id: _keep_distinct(each.keyphrases, each.language) for each in run.predictions}
    return Degeneration(
        len(run.predictions),
        tuple(name for name, phrases in distinct.items() if is_degenerate(phrases, rule, kind)),
        sum(len(phrases) > rule.phrases for phrases in distinct.values()),
        len(keyphrases),
        len(keyphrases) - sum(map(len, distinct.values())),
    )


def is_degenerate(
    distinct: Sequence[Keyphrase], rule: DegenerateRule | None = None, confidence: Confidence = Confidence.KPP_S
) -> bool:
    """Return whether the distinct phrases of one document are a degenerate list."""
    rule = rule or DegenerateRule()
    if len(distinct) <= rule.phrases or not distinct:
        return False
    # Words are counted as the generator counts them, else split at whitespace.
    lengths = (each.generation.words if each.generation else len(each.text.split()) for each in distinct)
    if sum(words == 1 for words in lengths) <= rule.one_word * len(distinct):
        return False
    return rule.confidence is None or float(compute_confidences(distinct, confidence).mean()) > rule.confidence


def _keep_distinct(keyphrases: Iterable[Keyphrase], language: str | None) -> tuple[Keyphrase, ...]:
    """Return the first keyphrase of each sequence of stems; those without letter or digit by their text."""
    stem = stemmer(language or "en")
    first: dict[int | str, Keyphrase] = {}
    for keyphrase in keyphrases:
        first.setdefault(phrase_key(keyphrase.text, stem) or keyphrase.text, keyphrase)
    return tuple(first.values())
