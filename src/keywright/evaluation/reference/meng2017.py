"""The evaluator of Meng et al. (2017, 2019, 2021; OpenNMT-kpg) on parallel line files, compared by stems.

Predictions that are empty, contain ``unk``, a comma or a full stop, or repeat an earlier one are dropped; repeated gold
stays. The summary is a plain mean over all documents, 0 for those without gold of a class.
"""

import enum
import itertools
import re
from collections.abc import Callable, Sequence
from math import log2
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import PartlyDone, needs_extra
from keywright.evaluation.measures.counts import harmonic
from keywright.evaluation.normal_forms.phrases import nltk_stem
from keywright.evaluation.reference.chan2019 import DECAY
from keywright.evaluation.reference.line_files import Parallel
from keywright.evaluation.rules import Form, PhraseClass, token_run

_INVALID: Final = frozenset({"unk", "<unk>", ",", "."})
_CUTOFFS: Final = {
    PhraseClass.ALL: (5, 10, "k", "M", 1, 3),
    PhraseClass.PRESENT: (5, 10, "k", "M", 1, 3),
    PhraseClass.ABSENT: (10, 50, "k", "M"),
}
"""Cutoffs of each class; ``k`` is Meng's name for the number of gold phrases."""
_DEPTHS: Final = (5, 10)  # as the reference prints
_NAMES: Final = ("ap", "mrr", "ndcg", "auc", "sadr", *(f"alpha_ndcg@{depth}" for depth in _DEPTHS))


class Tokenizer(enum.StrEnum):
    """Tokenisation of texts and phrases."""

    SPLIT = "split"  # at white space
    SPLIT_NOPUNC = "split_nopunc"  # at every character that is not a letter, digit or underscore

    def __call__(self, text: str) -> list[str]:
        """Split a text into tokens."""
        return text.split() if self is Tokenizer.SPLIT else list(filter(None, re.split(r"\W", text)))


def meng_scores(lines: Parallel, tokenizer: Tokenizer = Tokenizer.SPLIT) -> dict[str, list[float]]:
    """Compute every number of every document, by Meng's names; raises ``PartlyDone`` where the reference stops."""
    columns: dict[str, list[float]] = {}
    sides = zip(lines.sources, lines.targets, lines.predictions, strict=True)
    for number, (source, targets, predictions) in enumerate(sides, start=1):
        if not any(predictions):
            message = f"line {number} has no prediction, and there the reference stops"
            raise PartlyDone(message, "give every document a prediction, or score under protocol kpg")
        for name, value in _score_document(source, targets, predictions, tokenizer).items():
            columns.setdefault(name, []).append(value)
    return columns


def meng_summary(lines: Parallel, tokenizer: Tokenizer = Tokenizer.SPLIT) -> dict[str, float]:
    """Compute means over all documents by Meng's names."""
    return {name: sum(column) / len(column) for name, column in meng_scores(lines, tokenizer).items()}


def _score_document(
    source: str, targets: Sequence[str], predictions: Sequence[str], tokenizer: Tokenizer
) -> dict[str, float]:
    """Compute the numbers of one document, after invalid and repeated predictions were dropped."""

    def stem(text: str) -> list[str]:
        return [nltk_stem(token.lower()) for token in tokenizer(text)]

    phrases = filter(None, map(stem, filter(None, predictions)))
    valid = list(dict.fromkeys(" ".join(tokens) for tokens in phrases if _INVALID.isdisjoint(tokens)))
    golds = [" ".join(stem(phrase)) for phrase in targets if phrase]
    text = " ".join(stem(source))
    scores: dict[str, float] = {}
    for part in PhraseClass:
        predicted, gold = valid, golds
        if part is not PhraseClass.ALL:
            predicted, gold = (
                [form for form in forms if token_run(form, text) == (part is PhraseClass.PRESENT)]
                for forms in (valid, golds)
            )
            scores |= {f"{part}_tgt_num": len(gold), f"{part}_pred_num": len(predicted)}
        hits = np.array([form in gold for form in predicted], dtype=np.float64)
        exact = _at_cutoffs(hits, np.sum, len(gold), part)
        partial = _at_cutoffs(similarities(predicted, gold), assign_best, len(gold), part)
        advanced = advanced_measures(predicted, gold, hits)
        for kind, values in (("exact", exact), ("partial", partial), ("exact_advanced", advanced)):
            scores |= {f"{part}_{kind}_{name}": value for name, value in values.items()}
    return scores | dict.fromkeys(("unique_pred_num", "dup_pred_num", "beam_num", "beamstep_num"), 0.0)


def _at_cutoffs(rows: Floats, total: Callable[[Floats], float], gold: int, part: PhraseClass) -> dict[str, float]:
    """Return six numbers at each cutoff of a class, from the total credit of the first rows; all 0 without gold."""
    values: dict[str, float] = {}
    for cutoff in _CUTOFFS[part]:
        depth = cutoff if isinstance(cutoff, int) else {"k": gold, "M": len(rows)}[cutoff]
        credit = float(total(rows[:depth])) if gold else 0.0
        soft = credit / min(depth, len(rows)) if credit else 0.0
        hard = credit / depth if credit else 0.0
        recall = credit / gold if gold else 0.0
        values |= {
            f"correct@{cutoff}": int(credit),
            f"precision@{cutoff}": soft,
            f"recall@{cutoff}": recall,
            f"f_score@{cutoff}": harmonic(soft, recall),
            f"precision_hard@{cutoff}": hard,
            f"f_score_hard@{cutoff}": harmonic(hard, recall),
        }
    return values


def similarities(predictions: Sequence[Form], gold: Sequence[Form]) -> Floats:
    """Compute the Jaccard index of words and bigrams of every two phrases, in single precision as the reference."""

    def make_grams(form: Form) -> set[str]:  # never empty, as the empty phrase has one empty word
        words = form.split(" ")
        return {*words, *map(" ".join, itertools.pairwise(words))}

    golds = list(map(make_grams, gold))
    table = [[len(grams & others) / len(grams | others) for others in golds] for grams in map(make_grams, predictions)]
    return np.array(table, dtype=np.float32).reshape(len(predictions), len(gold))


def assign_best(similar: Floats) -> float:
    """Return the largest sum of similarities in which every phrase, on either side, is used once."""
    with needs_extra("eval", "soft matching needs scipy"):
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy, only this convention needs it

    return float(similar[linear_sum_assignment(similar, maximize=True)].sum(dtype=np.float64)) if similar.size else 0.0


def advanced_measures(predictions: Sequence[Form], gold: Sequence[Form], hits: Floats) -> dict[str, float]:
    """Compute the measures by Meng's names, from forms and ``hits``, 1 or 0, (predictions,); else all 0.

    ``mrr`` is the mean of 1 / rank over all hits; ``ndcg`` has one gain for each gold phrase as its ideal; ``auc`` is
    the area under precision by recall from (0, 1) to (last recall, 0); in ``sadr`` hits are discounted below the rank
    that equals the number of gold phrases.
    """
    if not gold or not predictions:
        return dict.fromkeys(_NAMES, 0.0)
    size = len(gold)
    ranks = [rank for rank, hit in enumerate(hits.tolist(), start=1) if hit]
    running = np.cumsum(hits)
    precision = running / np.arange(1, len(hits) + 1)
    recall = np.concatenate([[0.0], running, running[-1:]]) / size
    curve = np.concatenate([[1.0], precision, [0.0]])
    ideal = _discount_gains([1.0] * size)
    gains = _novel_gains(predictions, gold)
    return {
        "ap": float((precision * hits).sum()) / size,
        "mrr": sum(1 / rank for rank in ranks) / len(ranks) if ranks else 0.0,
        "ndcg": sum(1 / log2(rank + 1) for rank in ranks) / ideal,
        "auc": float((np.diff(recall) * (curve[1:] + curve[:-1]) / 2).sum()),  # by the trapezoidal rule
        "sadr": sum(1 / log2(max(rank - size, 0) + 2) for rank in ranks) / size,
        **{f"alpha_ndcg@{depth}": _discount_gains(gains[: min(depth, size)]) / ideal for depth in _DEPTHS},
    }


def _novel_gains(predictions: Sequence[Form], gold: Sequence[Form]) -> list[float]:
    """Return 1 for a prediction in or around a gold phrase, halved for each earlier hit of the one hit most."""
    golds = [set(phrase.split(" ")) for phrase in gold]
    before = [0] * len(gold)
    gains = []
    for form in predictions:
        words = set(form.split(" "))
        related = [place for place, others in enumerate(golds) if words <= others or others <= words]
        gains.append(DECAY ** max(before[place] for place in related) if related else 0.0)
        for place in related:
            before[place] += 1
    return gains


def _discount_gains(gains: Sequence[float]) -> float:
    """Sum gains by rank, each divided by log2(rank + 1)."""
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))
