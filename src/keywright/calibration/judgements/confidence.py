"""How sure a generator was of a phrase, from the probabilities of its tokens.

Keyphrase perplexity (KPP; Kundu, Ray Chowdhury and Caragea 2023: Neural Keyphrase Generation: Analysis and Evaluation)
is the inverse of the geometric mean of the token probabilities; KPP-s takes the root by the number of words instead, so
that models of words and of pieces of words can be compared. Confidence is the inverse of perplexity, above 0 and at
most 1. A geometric mean is not the probability of the phrase, which is the product.
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
    """What a phrase's confidence is."""

    KPP_S = "kpp-s"  # product of the token probabilities, its root by the number of words
    KPP = "kpp"  # the same, by the number of tokens
    PRODUCT = "product"  # of the token probabilities: the probability of the phrase
    MINIMUM = "minimum"  # the least of them
    FIRST = "first"  # that of the first token
    MEAN = "mean"  # their arithmetic mean
    PROBABILITY = "probability"  # what a calibrator gave
    SCORE = "score"  # what the system ranks by: comparable within a document only, and of any size


def confidences(keyphrases: Sequence[Keyphrase], kind: Confidence | str = Confidence.KPP_S) -> Floats:
    """The confidence of each phrase, (keyphrases,).

    Above 0 and at most 1 where it comes from tokens, each of which is taken to have 1e-12 at least; a probability may
    be 0, and a score anything.

    Raises:
        BadRecord: a phrase does not have what its confidence is computed from, or its perplexity is below 1.
        UnknownName: there is no such kind.
    """
    if kind not in list(Confidence):
        raise unknown("confidence", kind, [one.value for one in Confidence], "keywright analyse --help")
    kind = Confidence(kind)
    if kind is Confidence.SCORE:
        return np.array([one.score for one in keyphrases], dtype=np.float64)
    if kind is Confidence.PROBABILITY:
        return np.array([_probability(one) for one in keyphrases], dtype=np.float64)
    if kind is Confidence.KPP and any(KPP in one.evidence for one in keyphrases):
        return np.array([_inverse_perplexity(one) for one in keyphrases], dtype=np.float64)
    return of_generations([_generation(one) for one in keyphrases], kind)


def of_generations(generations: Sequence[Generation], kind: Confidence = Confidence.KPP_S) -> Floats:
    """The confidence of each generation, (generations,), of a kind that comes from token probabilities.

    Raises:
        ValueError: the kind does not.
    """
    if not generations:
        return np.zeros(0)
    lengths = np.array([len(one.tokens) for one in generations])
    words = np.array([one.words for one in generations])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    logs = np.maximum(np.concatenate([one.log_probabilities for one in generations]), _LEAST_LOG)  # (tokens,)
    match kind:
        case Confidence.KPP_S:
            found = np.exp(np.add.reduceat(logs, starts) / words)
        case Confidence.KPP:
            found = np.exp(np.add.reduceat(logs, starts) / lengths)
        case Confidence.PRODUCT:
            found = np.exp(np.add.reduceat(logs, starts))
        case Confidence.MINIMUM:
            found = np.exp(np.minimum.reduceat(logs, starts))
        case Confidence.FIRST:
            found = np.exp(logs[starts])
        case Confidence.MEAN:
            found = np.add.reduceat(np.exp(logs), starts) / lengths
        case _:
            raise ValueError(f"{kind} does not come from token probabilities")
    result: Floats = found
    return result


def usual_confidence(keyphrases: Sequence[Keyphrase]) -> Confidence:
    """The kind that phrases without a named one are judged by: the best that all of them have.

    ``probability`` if every phrase has one, then ``kpp-s``, then ``kpp``, else ``score``; of no phrases, ``score``.
    """
    if keyphrases and all(one.probability is not None for one in keyphrases):
        return Confidence.PROBABILITY
    if keyphrases and all(one.generation for one in keyphrases):
        return Confidence.KPP_S
    if keyphrases and all(one.generation or KPP in one.evidence for one in keyphrases):
        return Confidence.KPP
    return Confidence.SCORE


def _probability(one: Keyphrase) -> float:
    if one.probability is None:
        raise BadRecord(f"phrase {one.text!r:.60} has no probability", "calibrate the run: keywright calibrate")
    return one.probability


def _generation(one: Keyphrase) -> Generation:
    if one.generation is None:
        message = f"phrase {one.text!r:.60} has no token probabilities"
        raise BadRecord(message, "name another confidence: kpp where its perplexity is known, else score")
    return one.generation


def _inverse_perplexity(one: Keyphrase) -> float:
    """From the tokens, or from a perplexity that stands alone."""
    if one.generation is None and KPP in one.evidence:
        perplexity = one.evidence[KPP]
        if perplexity < 1:
            raise BadRecord(f"perplexity {perplexity:g} of phrase {one.text!r:.60} is below 1", "expected 1 or more")
        return 1 / perplexity
    return float(of_generations([_generation(one)], Confidence.KPP)[0])
