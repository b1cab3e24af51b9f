"""Exact and approximate matching of KPEval (Wu, Yin and Chang, 2024) on parallel line files.

Exact matching is Chan's evaluator with the cutoff O added. KPEval hands its filter of unknown words the wrong way
round, so that asking for it, as everybody does, turns the filter of invalid phrases off; that is what is done here.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.reference.chan2019 import ClassScores, Options, chan_forms, chan_scores
from keywright.evaluation.reference.chan2019_files import harmonic, mean_columns, per_document
from keywright.evaluation.reference.parallel_files import Parallel
from keywright.evaluation.rules import Form, PhraseClass

CUTOFFS: Final[tuple[Cutoff, ...]] = (5, 10, "M", "O")


def exact_summary(lines: Parallel, cutoffs: Sequence[Cutoff] = CUTOFFS) -> dict[str, float]:
    """Micro and macro P, R and F, MAP, NDCG and alpha-NDCG of each class, by KPEval's names."""
    found: dict[str, float] = {}
    for part, one in chan_scores(lines, _options(cutoffs)).classes.items():
        found |= {f"{name}_{part}": number for name, number in _exact(one, cutoffs).items()}
    return found


def exact_documents(lines: Parallel, cutoffs: Sequence[Cutoff] = CUTOFFS) -> dict[str, list[float]]:
    """Every number of every document in exact matching, by KPEval's names, (documents,) each."""
    options = _options(cutoffs)
    return per_document(chan_scores(lines, options), options)


def approximate_documents(lines: Parallel) -> dict[str, list[float]]:
    """Substring P, R, F and R-precision of every document for each class, by KPEval's names, (documents,) each.

    A prediction and a gold phrase match when one is part of the other, letter by letter; neither is used up by that.
    Where all are scored, present predictions rank before absent ones.
    """
    names = ("r-precision", "substring_precision", "substring_recall", "substring_f1")
    found: dict[str, list[float]] = {}
    classes = chan_forms(lines, _options(CUTOFFS))
    present_first = zip(classes[PhraseClass.PRESENT][0], classes[PhraseClass.ABSENT][0], strict=True)
    for part, (forms, golds) in classes.items():
        ranked = [[*one, *other] for one, other in present_first] if part is PhraseClass.ALL else forms
        rows = [_approximate(*each) for each in zip(ranked, golds, strict=True)]
        found |= {f"{part}_{name}": list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    return found


def approximate_summary(lines: Parallel) -> dict[str, float]:
    """Means over documents of what ``approximate_documents`` gives."""
    return {name: sum(column) / len(column) for name, column in approximate_documents(lines).items()}


def _options(cutoffs: Sequence[Cutoff]) -> Options:
    """Chan's options as KPEval sets them."""
    ks = tuple(cutoffs)
    return Options(
        disable_extra_one_word_filter=True, disable_valid_filter=True, all_ks=ks, present_ks=ks, absent_ks=ks
    )


def _exact(one: ClassScores, cutoffs: Sequence[Cutoff]) -> dict[str, float]:
    """The numbers of one class, by name and cutoff."""
    counts = one.counts
    found: dict[str, float] = {}
    precision, recall = one.precision, one.recall
    means: Mapping[str, list[float]] = {
        "macro_avg_p": mean_columns(precision),
        "macro_avg_r": mean_columns(recall),
        "MAP": mean_columns(one.AP),
        "avg_NDCG": mean_columns(one.NDCG),
        "AlphaNDCG": mean_columns(one.alpha),
    }
    hits, below, gold = counts.hits.sum(axis=0), counts.divisors.sum(axis=0), int(counts.gold.sum())
    for k in cutoffs:
        at = counts.cutoffs.index(k)
        found |= {f"{name}@{k}": values[at] for name, values in means.items()}
        found[f"macro_avg_f1@{k}"] = harmonic(found[f"macro_avg_p@{k}"], found[f"macro_avg_r@{k}"])
        found[f"micro_avg_p@{k}"] = float(hits[at] / below[at]) if below[at] else 0.0
        found[f"micro_avg_r@{k}"] = float(hits[at] / gold) if gold else 0.0
        found[f"micro_avg_f1@{k}"] = harmonic(found[f"micro_avg_p@{k}"], found[f"micro_avg_r@{k}"])
    return found


def _approximate(forms: Sequence[Form], gold: Sequence[Form]) -> tuple[float, float, float, float]:
    """R-precision, P, R and F of one document; 0 where a side is empty."""
    if not forms or not gold:
        return 0.0, 0.0, 0.0, 0.0
    related = [[form in phrase or phrase in form for phrase in gold] for form in forms]
    right, found = list(map(any, related)), list(map(any, zip(*related, strict=True)))
    precision, recall = sum(right) / len(right), sum(found) / len(found)
    return sum(right[: len(gold)]) / len(gold), precision, recall, harmonic(precision, recall)
