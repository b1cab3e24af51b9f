"""The evaluator of Meng et al. (2017, 2019, 2021; OpenNMT-kpg) on parallel line files.

Phrases are compared by their stems. Predictions that are empty, hold ``unk``, a comma or a full stop, or repeat an
earlier one are dropped; repeated gold stays and enlarges what recall divides by. Every number is one of a document,
and the summary is their plain mean over all documents, those without gold of a class included with 0.
"""

import enum
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import PartlyDone
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.normal_forms.nltk325_porter import nltk_stem
from keywright.evaluation.reference.meng2017_ranked import advanced
from keywright.evaluation.reference.parallel_files import Parallel
from keywright.evaluation.rules import Form, PhraseClass, token_run

_INVALID: Final = frozenset({"unk", "<unk>", ",", "."})
_CUTOFFS: Final = {
    PhraseClass.ALL: (5, 10, "k", "M", 1, 3),
    PhraseClass.PRESENT: (5, 10, "k", "M", 1, 3),
    PhraseClass.ABSENT: (10, 50, "k", "M"),
}


class Tokenizer(enum.StrEnum):
    """How texts and phrases are cut into tokens."""

    SPLIT = "split"  # at white space
    SPLIT_NOPUNC = "split_nopunc"  # at every character that is no letter, digit or underscore

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text."""
        return text.split() if self is Tokenizer.SPLIT else list(filter(None, re.split(r"\W", text)))


@dataclass(frozen=True, slots=True)
class _Document:
    """The forms of one document that take part, with their classes: ``present`` has one for each form."""

    predictions: tuple[Form, ...]
    predictions_present: tuple[bool, ...]
    gold: tuple[Form, ...]
    gold_present: tuple[bool, ...]

    def of_class(self, part: PhraseClass) -> tuple[list[Form], list[Form]]:
        """Predictions and gold of a class."""
        if part is PhraseClass.ALL:
            return list(self.predictions), list(self.gold)
        wanted = part is PhraseClass.PRESENT
        sides = (self.predictions, self.predictions_present), (self.gold, self.gold_present)
        predicted, gold = ([form for form, there in zip(*side, strict=True) if there == wanted] for side in sides)
        return predicted, gold


def meng_scores(lines: Parallel, tokenizer: Tokenizer = Tokenizer.SPLIT) -> dict[str, list[float]]:
    """Every number of every document, by Meng's names, (documents,) each.

    Raises:
        PartlyDone: a document has no prediction at all, where the reference stops.
    """
    found: dict[str, list[float]] = {}
    sides = zip(lines.sources, lines.targets, lines.predictions, strict=True)
    for number, (source, targets, predictions) in enumerate(sides, start=1):
        if not any(predictions):
            message = f"line {number} has no prediction, and there the reference stops"
            raise PartlyDone(message, "give every document a prediction, or score under protocol kpg")
        scores = _document_scores(_prepared(source, targets, predictions, tokenizer))
        for name, value in scores.items():
            found.setdefault(name, []).append(value)
    return found


def meng_summary(lines: Parallel, tokenizer: Tokenizer = Tokenizer.SPLIT) -> dict[str, float]:
    """Means over all documents by Meng's names.

    Raises:
        PartlyDone: a document has no prediction at all, where the reference stops.
    """
    return {name: sum(column) / len(column) for name, column in meng_scores(lines, tokenizer).items()}


def _prepared(source: str, targets: Sequence[str], predictions: Sequence[str], tokenizer: Tokenizer) -> _Document:
    """Stems of one document, and which phrases are present."""

    def stems(text: str) -> list[str]:
        return [nltk_stem(token.lower()) for token in tokenizer(text)]

    text = " ".join(stems(source))
    gold = [" ".join(stems(phrase)) for phrase in targets if phrase]
    kept: dict[Form, None] = {}
    for phrase in filter(None, predictions):
        tokens = stems(phrase)
        if tokens and not _INVALID.intersection(tokens):
            kept.setdefault(" ".join(tokens))
    predicted = tuple(kept)
    return _Document(
        predicted,
        tuple(token_run(form, text) for form in predicted),
        tuple(gold),
        tuple(token_run(form, text) for form in gold),
    )


def _document_scores(document: _Document) -> dict[str, float]:
    """All numbers of one document."""
    found: dict[str, float] = {}
    for part in PhraseClass:
        predictions, gold = document.of_class(part)
        if part is not PhraseClass.ALL:
            found |= {f"{part}_tgt_num": len(gold), f"{part}_pred_num": len(predictions)}
        hits = np.array([form in gold for form in predictions], dtype=np.float64)
        similar = similarities(predictions, gold)
        for kind, credit in (
            ("exact", lambda depth, hits=hits: float(hits[:depth].sum())),
            ("partial", lambda depth, similar=similar: assigned(similar[:depth])),
        ):
            found |= {f"{part}_{kind}_{name}": value for name, value in _at(credit, predictions, gold, part).items()}
        found |= {f"{part}_exact_advanced_{name}": value for name, value in advanced(predictions, gold, hits).items()}
    return found | dict.fromkeys(("unique_pred_num", "dup_pred_num", "beam_num", "beamstep_num"), 0.0)


def _at(
    credit: Callable[[int], float], predictions: Sequence[Form], gold: Sequence[Form], part: PhraseClass
) -> dict[str, float]:
    """Six numbers at each cutoff of a class; all 0 without gold."""
    found: dict[str, float] = {}
    for cutoff in _CUTOFFS[part]:
        depth = _depth(cutoff, len(predictions), len(gold))
        total = credit(depth) if gold else 0.0
        soft = total / min(depth, len(predictions)) if total else 0.0
        hard = total / depth if total else 0.0
        recall = total / len(gold) if gold else 0.0
        found |= {
            f"correct@{cutoff}": int(total),
            f"precision@{cutoff}": soft,
            f"recall@{cutoff}": recall,
            f"f_score@{cutoff}": _harmonic(soft, recall),
            f"precision_hard@{cutoff}": hard,
            f"f_score_hard@{cutoff}": _harmonic(hard, recall),
        }
    return found


def _depth(cutoff: Cutoff, predicted: int, gold: int) -> int:
    """How many predictions a cutoff means: ``k`` as many as there is gold, ``M`` as many as were made."""
    return cutoff if isinstance(cutoff, int) else (gold if cutoff == "k" else predicted)


def _harmonic(precision: float, recall: float) -> float:
    """F of P and R; 0 of two zeros."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def similarities(predictions: Sequence[Form], gold: Sequence[Form]) -> Floats:
    """Shared words and pairs of neighbours of each two phrases, as a share of all theirs, (predictions, gold).

    In single precision, as the reference has them, which shows in the eighth place and where sums are cut to integers.
    """
    one, other = [_grams(form) for form in predictions], [_grams(form) for form in gold]
    table = [[len(a & b) / len(a | b) if a | b else 0.0 for b in other] for a in one]
    return np.array(table, dtype=np.float32).reshape(len(one), len(other))


def assigned(similar: Floats) -> float:
    """The largest sum of similarities in which every phrase, on either side, stands once."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy, only this convention needs it

    return float(similar[linear_sum_assignment(similar, maximize=True)].sum(dtype=np.float64)) if similar.size else 0.0


def _grams(form: Form) -> set[str]:
    """Words of a phrase, and each two that follow each other."""
    words = form.split(" ")
    return {*words, *map(" ".join, itertools.pairwise(words))}
