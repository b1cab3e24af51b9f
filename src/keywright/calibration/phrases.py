"""Phrases as columns: confidences from token probabilities, judged phrases, and features for calibrators.

Keyphrase perplexity (KPP; Kundu, Ray Chowdhury and Caragea 2023: Neural Keyphrase Generation: Analysis and Evaluation)
is the inverse of the geometric mean of the token probabilities, with the root by the number of words in KPP-s; its
inverse is the confidence, which is not the probability of the phrase, their product. Scores are comparable within one
document only, so that features of a score are relative to its list.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.choices import Confidence
from keywright.core.errors import BadParameter, BadRecord, unknown_name
from keywright.core.keyphrases import Generation, Keyphrase
from keywright.evaluation.run_formats.generations import KPP, LEAST

_LEAST_LOG: Final = math.log(LEAST)
_ROUNDING: Final = 1e-12  # relative standard deviation up to which scores are equal but for rounding


def compute_confidences(keyphrases: Sequence[Keyphrase], kind: Confidence | str = Confidence.KPP_S) -> Floats:
    """Return the confidence of each phrase, (keyphrases,): above 0 and at most 1 where it comes from tokens."""
    if kind not in list(Confidence):
        raise unknown_name("confidence", kind, [known.value for known in Confidence], "keywright analyse --help")
    kind = Confidence(kind)
    if kind is Confidence.SCORE:
        return np.array([keyphrase.score for keyphrase in keyphrases], dtype=np.float64)
    if kind is Confidence.PROBABILITY:
        for keyphrase in keyphrases:
            if keyphrase.probability is None:
                message = f"phrase {keyphrase.text!r:.60} has no probability"
                raise BadRecord(message, "calibrate the run: keywright calibrate")
        return np.array([keyphrase.probability for keyphrase in keyphrases], dtype=np.float64)
    confidences = np.zeros(len(keyphrases))
    generated = np.ones(len(keyphrases), dtype=bool)
    for at, keyphrase in enumerate(keyphrases):
        # A perplexity without tokens serves as well.
        if kind is Confidence.KPP and keyphrase.generation is None and KPP in keyphrase.evidence:
            perplexity = keyphrase.evidence[KPP]
            if perplexity < 1:
                message = f"perplexity {perplexity:g} of phrase {keyphrase.text!r:.60} is below 1"
                raise BadRecord(message, "expected 1 or more")
            confidences[at], generated[at] = 1 / perplexity, False
        elif keyphrase.generation is None:
            message = f"phrase {keyphrase.text!r:.60} has no token probabilities"
            raise BadRecord(message, "name another confidence: kpp where its perplexity is known, else score")
    confidences[generated] = _reduce_tokens([each.generation for each in keyphrases if each.generation], kind)
    return confidences


def _reduce_tokens(generations: Sequence[Generation], kind: Confidence) -> Floats:
    """Return the confidence of each generation, (generations,)."""
    if not generations:
        return np.zeros(0)
    lengths = np.array([len(generation.tokens) for generation in generations])
    # The tokens of all phrases lie in one row, and reduceat reduces each phrase from its start on.
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    logs = np.maximum(np.concatenate([generation.log_probabilities for generation in generations]), _LEAST_LOG)
    if kind is Confidence.MEAN:
        return np.asarray(np.add.reduceat(np.exp(logs), starts) / lengths)
    if kind is Confidence.MINIMUM:
        return np.asarray(np.exp(np.minimum.reduceat(logs, starts)))
    if kind is Confidence.FIRST:
        return np.asarray(np.exp(logs[starts]))
    divisors = {Confidence.KPP: lengths, Confidence.KPP_S: np.array([each.words for each in generations])}
    return np.asarray(np.exp(np.add.reduceat(logs, starts) / divisors.get(kind, 1)))


def choose_confidence(keyphrases: Sequence[Keyphrase]) -> Confidence:
    """Return the best kind of confidence that all phrases have; ``score`` also for no phrases."""
    if keyphrases and all(keyphrase.probability is not None for keyphrase in keyphrases):
        return Confidence.PROBABILITY
    if keyphrases and all(keyphrase.generation for keyphrase in keyphrases):
        return Confidence.KPP_S
    if keyphrases and all(keyphrase.generation or KPP in keyphrase.evidence for keyphrase in keyphrases):
        return Confidence.KPP
    return Confidence.SCORE


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPhrases:
    """Judged phrases, document by document, without duplicates and phrases that the protocol rejects."""

    ids: tuple[str, ...]  # ids of the documents, including those without a phrase, (documents,)
    document: Ints  # index of each phrase's document, never falling, (phrases,), as all below
    rank: Ints  # in its document's list, from 1 on
    confidence: Floats  # higher is more certain; a probability, or a score that is comparable within a document
    correct: Bools  # whether it is a keyphrase
    present: Bools  # whether it occurs in the document
    words: Ints  # number of words
    gold: Ints  # numbers of present and of absent keyphrases of each document, (documents, 2)

    def __post_init__(self) -> None:
        columns = (self.rank, self.confidence, self.correct, self.present, self.words)
        if any(len(column) != len(self.document) for column in columns) or self.gold.shape != (len(self.ids), 2):
            raise BadParameter("columns of judged phrases differ in length", "expected one entry per phrase in each")
        if len(self.document) and (
            self.document.min() < 0 or self.document.max() >= len(self.ids) or np.any(np.diff(self.document) < 0)
        ):
            raise BadParameter("phrases are not grouped by document", "expected indices of documents in rising order")

    def __len__(self) -> int:
        return len(self.document)

    def where(self, rows: Bools) -> "JudgedPhrases":
        """Return some of the phrases, by truth values (phrases,); all documents stay, and ranks are as before."""
        names = ("document", "rank", "confidence", "correct", "present", "words")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    @property
    def offsets(self) -> Ints:
        """Start of the phrases of each document, and the end of the last, (documents + 1,)."""
        return np.searchsorted(self.document, np.arange(len(self.ids) + 1))


class Occurrence(NamedTuple):
    """Where the phrases of a list occur in their document."""

    present: Bools  # whether the phrase occurs, (phrases,)
    mentions: Ints  # number of mentions, (phrases,)
    first: Floats  # characters before the first mention over those of the document, 0 to 1; 1 if absent, (phrases,)


@dataclass(frozen=True, slots=True, eq=False)
class PhraseFeatures:
    """Features of phrases, one list after another; every column is (phrases,)."""

    confidence: Floats  # as the system gives it, of any size, or 0 to 1, as ``Confidence`` says
    standard: Floats  # the confidence standardised within its list; 0 where all are equal
    rank: Ints  # from 1 on
    count: Ints  # phrases of its list
    words: Ints  # number of words, split at whitespace
    present: Bools  # this and the next two: as in ``Occurrence``
    mentions: Ints
    first: Floats

    def __len__(self) -> int:
        return len(self.rank)

    def where(self, rows: Bools | Ints) -> Self:
        """Return some of the phrases, by truth values or positions; features stay relative to the whole lists."""
        return type(self)(*(getattr(self, field.name)[rows] for field in fields(self)))


def compute_list_features(
    keyphrases: Sequence[Keyphrase], kind: Confidence | str, occurrence: Occurrence, depth: int | None = None
) -> PhraseFeatures:
    """Return the features of one list, by mean, deviation and number of its ``depth`` first phrases, or of all."""
    confidence = compute_confidences(keyphrases, kind)
    pool = confidence[:depth]
    mean, deviation = (pool.mean(), pool.std()) if len(pool) else (0.0, 0.0)
    differ = deviation > _ROUNDING * max(1.0, abs(mean))
    return PhraseFeatures(
        confidence,
        (confidence - mean) / deviation if differ else np.zeros(len(confidence)),
        np.arange(1, len(confidence) + 1),
        np.full(len(confidence), len(pool)),
        np.array([len(keyphrase.text.split()) for keyphrase in keyphrases], dtype=np.int64),
        *occurrence,
    )


def concatenate_features(lists: Sequence[PhraseFeatures]) -> PhraseFeatures:
    """Return the features of at least one list, one list after another."""
    names = (field.name for field in fields(PhraseFeatures))
    return PhraseFeatures(*(np.concatenate([getattr(features, name) for features in lists]) for name in names))


def locate_spans(keyphrases: Sequence[Keyphrase], length: int) -> Occurrence:
    """Return where phrases occur by their spans, in a document of so many characters."""
    mentions = np.array([len(keyphrase.spans) for keyphrase in keyphrases], dtype=np.int64)
    first = [keyphrase.spans[0][0] / max(1, length) if keyphrase.spans else 1.0 for keyphrase in keyphrases]
    return Occurrence(mentions > 0, mentions, np.array(first, dtype=np.float64))


def locate_forms(forms: Sequence[str], present: Bools, text: str) -> Occurrence:
    """Return where phrases without spans occur, by normalised forms in a normalised text, one blank between words."""
    padded = f" {text} "
    places = [padded.find(f" {form} ") for form in forms]
    mentions = [padded.count(f" {form} ") if there else 0 for form, there in zip(forms, present, strict=True)]
    first = [at / len(padded) if at >= 0 and there else 1.0 for at, there in zip(places, present, strict=True)]
    return Occurrence(np.asarray(present, bool), np.array(mentions, np.int64), np.array(first, np.float64))
