"""The confidence of a generator in a phrase, from the probabilities of its tokens.

Keyphrase perplexity (KPP; Kundu, Ray Chowdhury and Caragea 2023: Neural Keyphrase Generation: Analysis and Evaluation)
is the inverse of the geometric mean of the token probabilities; KPP-s takes the root by the number of words instead, so
that models of words and of subwords can be compared. Confidence is the inverse of perplexity, above 0 and at most 1. A
geometric mean is not the probability of the phrase, which is the product.
"""

import enum
import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadRecord, unknown
from keywright.core.predictions import Generation, Keyphrase
from keywright.evaluation.run_formats.token_probabilities import KPP, LEAST

_LEAST_LOG: Final = math.log(LEAST)


class Confidence(enum.StrEnum):
    """Kinds of confidence."""

    KPP_S = "kpp-s"  # product of the token probabilities, its root by the number of words
    KPP = "kpp"  # product of the token probabilities, its root by the number of tokens
    PRODUCT = "product"  # product of the token probabilities: the probability of the phrase
    MINIMUM = "minimum"  # least token probability
    FIRST = "first"  # probability of the first token
    MEAN = "mean"  # arithmetic mean of the token probabilities
    PROBABILITY = "probability"  # given by a calibrator
    SCORE = "score"  # ranking score: comparable within a document only, and of any size


def confidences(keyphrases: Sequence[Keyphrase], kind: Confidence | str = Confidence.KPP_S) -> Floats:
    """Return the confidence of each phrase, (keyphrases,).

    Above 0 and at most 1 where it comes from tokens, whose probabilities are at least 1e-12; a probability may be 0,
    and a score anything.
    """
    if kind not in list(Confidence):
        raise unknown("confidence", kind, [known.value for known in Confidence], "keywright analyse --help")
    kind = Confidence(kind)
    if kind is Confidence.SCORE:
        return np.array([keyphrase.score for keyphrase in keyphrases], dtype=np.float64)
    if kind is Confidence.PROBABILITY:
        return np.array(list(map(_probability, keyphrases)), dtype=np.float64)
    if kind is Confidence.KPP and any(KPP in keyphrase.evidence for keyphrase in keyphrases):
        return np.array(list(map(_inverse_perplexity, keyphrases)), dtype=np.float64)
    return generation_confidences(list(map(_generation, keyphrases)), kind)


def generation_confidences(generations: Sequence[Generation], kind: Confidence = Confidence.KPP_S) -> Floats:
    """Return the confidence of each generation, (generations,), of a kind that comes from token probabilities."""
    if not generations:
        return np.zeros(0)
    lengths = np.array([len(generation.tokens) for generation in generations])
    words = np.array([generation.words for generation in generations])
    # The tokens of all phrases lie in one row, and reduceat reduces each phrase from its start on.
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    logs = np.maximum(np.concatenate([generation.log_probabilities for generation in generations]), _LEAST_LOG)
    confidence: Floats
    match kind:
        case Confidence.KPP_S:
            confidence = np.exp(np.add.reduceat(logs, starts) / words)
        case Confidence.KPP:
            confidence = np.exp(np.add.reduceat(logs, starts) / lengths)
        case Confidence.PRODUCT:
            confidence = np.exp(np.add.reduceat(logs, starts))
        case Confidence.MINIMUM:
            confidence = np.exp(np.minimum.reduceat(logs, starts))
        case Confidence.FIRST:
            confidence = np.exp(logs[starts])
        case Confidence.MEAN:
            confidence = np.add.reduceat(np.exp(logs), starts) / lengths
        case _:
            raise ValueError(f"{kind} does not come from token probabilities")
    return confidence


def usual_confidence(keyphrases: Sequence[Keyphrase]) -> Confidence:
    """Return the default kind of confidence: the best that all phrases have.

    ``probability`` if every phrase has one, then ``kpp-s``, then ``kpp``, else ``score``, also for no phrases.
    """
    if keyphrases and all(keyphrase.probability is not None for keyphrase in keyphrases):
        return Confidence.PROBABILITY
    if keyphrases and all(keyphrase.generation for keyphrase in keyphrases):
        return Confidence.KPP_S
    if keyphrases and all(keyphrase.generation or KPP in keyphrase.evidence for keyphrase in keyphrases):
        return Confidence.KPP
    return Confidence.SCORE


def _probability(keyphrase: Keyphrase) -> float:
    if keyphrase.probability is None:
        raise BadRecord(f"phrase {keyphrase.text!r:.60} has no probability", "calibrate the run: keywright calibrate")
    return keyphrase.probability


def _generation(keyphrase: Keyphrase) -> Generation:
    if keyphrase.generation is None:
        message = f"phrase {keyphrase.text!r:.60} has no token probabilities"
        raise BadRecord(message, "name another confidence: kpp where its perplexity is known, else score")
    return keyphrase.generation


def _inverse_perplexity(keyphrase: Keyphrase) -> float:
    """Return the confidence by tokens, or from a perplexity without tokens."""
    if keyphrase.generation is None and KPP in keyphrase.evidence:
        perplexity = keyphrase.evidence[KPP]
        if perplexity < 1:
            message = f"perplexity {perplexity:g} of phrase {keyphrase.text!r:.60} is below 1"
            raise BadRecord(message, "expected 1 or more")
        return 1 / perplexity
    return float(generation_confidences([_generation(keyphrase)], Confidence.KPP)[0])
