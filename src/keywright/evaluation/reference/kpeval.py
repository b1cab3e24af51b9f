"""Exact and approximate matching of KPEval (Wu, Yin and Chang, 2024) on parallel line files.

Exact matching is Chan's evaluator with the cutoff O added. KPEval passes its filter of unknown words to the wrong
parameter, so that its usual options switch the filter of invalid phrases off; so do we.
"""

from collections.abc import Sequence
from typing import Final

from keywright.evaluation.measures.counts import harmonic
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.reference.chan2019 import ClassScores, Options, chan_forms, chan_scores
from keywright.evaluation.reference.chan2019_files import mean_columns
from keywright.evaluation.reference.parallel_files import Parallel
from keywright.evaluation.rules import Form, PhraseClass

CUTOFFS: Final[tuple[Cutoff, ...]] = (5, 10, "M", "O")


def exact_summary(lines: Parallel, cutoffs: Sequence[Cutoff] = CUTOFFS) -> dict[str, float]:
    """Compute micro and macro P, R and F, MAP, NDCG and alpha-NDCG of each class, by KPEval's names."""
    classes = chan_scores(lines, kpeval_options(cutoffs)).classes
    return {
        f"{name}_{part}": value
        for part, scores in classes.items()
        for name, value in _exact_values(scores, cutoffs).items()
    }


def approximate_documents(lines: Parallel) -> dict[str, list[float]]:
    """Compute substring P, R, F and R-precision of every document for each class, by KPEval's names, (documents,) each.

    A prediction and a gold phrase match when one is a substring of the other; neither is used up by that. In the class
    of all phrases, present predictions rank before absent ones.
    """
    names = ("r-precision", "substring_precision", "substring_recall", "substring_f1")
    columns: dict[str, list[float]] = {}
    classes = chan_forms(lines, kpeval_options(CUTOFFS))
    present_first = zip(classes[PhraseClass.PRESENT][0], classes[PhraseClass.ABSENT][0], strict=True)
    for part, (forms, golds) in classes.items():
        ranked = [[*present, *absent] for present, absent in present_first] if part is PhraseClass.ALL else forms
        rows = map(_approximate_values, ranked, golds)
        columns |= {f"{part}_{name}": list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    return columns


def approximate_summary(lines: Parallel) -> dict[str, float]:
    """Return means over documents of the numbers of ``approximate_documents``."""
    return {name: sum(column) / len(column) for name, column in approximate_documents(lines).items()}


def kpeval_options(cutoffs: Sequence[Cutoff]) -> Options:
    """Return Chan's options as KPEval sets them."""
    ks = tuple(cutoffs)
    filters = {"disable_extra_one_word_filter": True, "disable_valid_filter": True}
    return Options(all_ks=ks, present_ks=ks, absent_ks=ks, **filters)


def _exact_values(scores: ClassScores, cutoffs: Sequence[Cutoff]) -> dict[str, float]:
    """Return the numbers of one class, by name and cutoff."""
    counts = scores.counts
    values: dict[str, float] = {}
    names = ("macro_avg_p", "macro_avg_r", "MAP", "avg_NDCG", "AlphaNDCG")
    means = list(map(mean_columns, (scores.precision, scores.recall, scores.AP, scores.NDCG, scores.alpha)))
    hits, below, gold = counts.hits.sum(axis=0), counts.divisors.sum(axis=0), int(counts.gold.sum())
    for k in cutoffs:
        place = counts.cutoffs.index(k)
        values |= {f"{name}@{k}": column[place] for name, column in zip(names, means, strict=True)}
        values[f"macro_avg_f1@{k}"] = harmonic(values[f"macro_avg_p@{k}"], values[f"macro_avg_r@{k}"])
        values[f"micro_avg_p@{k}"] = float(hits[place] / below[place]) if below[place] else 0.0
        values[f"micro_avg_r@{k}"] = float(hits[place] / gold) if gold else 0.0
        values[f"micro_avg_f1@{k}"] = harmonic(values[f"micro_avg_p@{k}"], values[f"micro_avg_r@{k}"])
    return values


def _approximate_values(forms: Sequence[Form], gold: Sequence[Form]) -> tuple[float, float, float, float]:
    """Return R-precision, P, R and F of one document; 0 where a side is empty."""
    if not forms or not gold:
        return 0.0, 0.0, 0.0, 0.0
    related = [[form in phrase or phrase in form for phrase in gold] for form in forms]
    right, reached = list(map(any, related)), list(map(any, zip(*related, strict=True)))
    precision, recall = sum(right) / len(right), sum(reached) / len(reached)
    return sum(right[: len(gold)]) / len(gold), precision, recall, harmonic(precision, recall)
