"""The files that the evaluator of Chan et al. writes, byte for byte.

Its log calls the number of predictions ``#target`` and the number of gold phrases ``#predictions``; programs read it
so, and so it stays.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Numbers
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.reference.chan2019 import ClassScores, Options, Scores
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.scoring.aggregation import quotient

Columns: TypeAlias = dict[str, Numbers]
"""Scores of one class by name, (documents, cutoffs) each."""

_RULE: Final = "==================================="
_HALF: Final = "==============="
_RANKED: Final = "=================="
_NAMES: Final = MappingProxyType({"MAP": "AP", "avg_NDCG": "NDCG", "AlphaNDCG": "AlphaNDCG"})
"""Ranked measures in the table, by what they are called in each document."""


def chan_files(scores: Scores, options: Options) -> dict[str, str]:
    """File names and their contents."""
    files: dict[str, str] = {}
    if options.export_filtered_pred:
        files["predictions_filtered.txt"] = "".join(";".join(forms) + "\n" for forms in scores.forms)
    if options.tune_f1_v:
        lines = (f"V for {part} {_best(one)}\n" for part, one in scores.classes.items())
        return files | {"tune_v_output.txt": "".join(lines)}
    name = results_name(options)
    columns = _tables(scores, options)
    table = _table(columns, options)
    names, numbers = "\t".join(table), "\t".join(f"{number:.5f}" for number in table.values())
    return {**files, f"{name}.txt": _log(scores, columns, options), f"{name}.tsv": f"{names}\n{numbers}\n"}


def means(scores: Scores, options: Options) -> dict[str, float]:
    """The numbers of the table, unrounded; the best cutoffs where those were asked for."""
    if options.tune_f1_v:
        return {f"V_{part}": float(_best(one)) for part, one in scores.classes.items()}
    return _table(_tables(scores, options), options)


def results_name(options: Options) -> str:
    """Name of the log, which tells its cutoffs, without ending."""
    cutoffs = [str(k) for part in PhraseClass for k in options.cutoffs(part)]
    precision = ("meng_rui_precision",) if options.meng_rui_precision else ()
    variations = ("name_variations",) if options.use_name_variations else ()
    return "_".join(("results_log", *cutoffs, *precision, *variations))


def per_document(scores: Scores, options: Options) -> dict[str, list[float]]:
    """Every score of every document, by ``measure@cutoff_class``, as the evaluator keeps them while it runs."""
    found: dict[str, list[float]] = {}
    for part, one in scores.classes.items():
        columns = _columns(one, options)
        for place, k in enumerate(one.counts.cutoffs):
            found |= {f"{name}@{k}_{part}": table[:, place].tolist() for name, table in columns.items()}
        found[f"num_targets_{part}"] = one.counts.gold.tolist()
        found[f"num_predictions_{part}"] = one.counts.predicted.tolist()
    return found


def _tables(scores: Scores, options: Options) -> dict[PhraseClass, Columns]:
    """Scores of each class by name."""
    return {part: _columns(one, options) for part, one in scores.classes.items()}


def _columns(one: ClassScores, options: Options) -> Columns:
    """Scores by name, (documents, cutoffs) each."""
    precision, recall = one.precision, one.recall
    hits, divisors, gold = one.counts.hits, one.counts.divisors, one.counts.gold
    score = quotient(2 * precision * recall, precision + recall)
    ranked = {} if options.use_name_variations else {"AP": one.AP, "NDCG": one.NDCG, "AlphaNDCG": one.alpha}
    return {
        "precision": precision,
        "recall": recall,
        "f1_score": score,
        "num_matches": hits,
        "num_predictions": divisors,
        "num_targets": np.repeat(gold[:, None], hits.shape[1], axis=1),
        **ranked,
    }


def _distinct(options: Options, part: PhraseClass) -> tuple[Cutoff, ...]:
    """The cutoffs of a class without repeats: those of the columns."""
    return tuple(dict.fromkeys(options.cutoffs(part)))


def _best(one: ClassScores) -> Cutoff:
    """The cutoff with the best harmonic mean of mean P and R; of equal ones the first."""
    pairs = zip(mean_columns(one.precision), mean_columns(one.recall), strict=True)
    values = [harmonic(*pair) for pair in pairs]
    return one.counts.cutoffs[int(np.argmax(values))]


def _log(scores: Scores, columns: Mapping[PhraseClass, Columns], options: Options) -> str:
    """The log in words."""
    every = scores.classes
    present, absent = every[PhraseClass.PRESENT].counts, every[PhraseClass.ABSENT].counts
    with_present = f"# samples with present keyphrases: {np.count_nonzero(present.gold)}"
    with_absent = f"# samples with absent keyphrases: {np.count_nonzero(absent.gold)}"
    lines = [
        f"Total #samples: {len(scores.unique)}\t {with_present}\t {with_absent}",
        f"Max. unique targets per src: {every[PhraseClass.ALL].counts.gold.max(initial=0)}",
        f"Total #unique predictions: {scores.unique.sum()}",
    ]
    for part in PhraseClass:
        counted = [present, absent] if part is PhraseClass.ALL else [every[part].counts]
        sizes = (sum(int(one.predicted.sum()) for one in counted), sum(int(one.gold.sum()) for one in counted))
        lines += _block(part, columns[part], sizes, options)
    if scores.misplaced is not None:
        lines.append(f"{_RULE}Separation{_RULE}=")
        shares = mean_columns(scores.misplaced)
        for kind, share in zip((PhraseClass.PRESENT, PhraseClass.ABSENT), shares, strict=True):
            lines.append(f"Avg error fraction for identifying {kind} keyphrases: {share:.5}")
    lines.append(f"{_RULE}MAE stat{_RULE}=")
    gold, predicted = present.gold + absent.gold, present.predicted + absent.predicted
    for kind, one, other in (
        (PhraseClass.ALL, gold, predicted),
        (PhraseClass.PRESENT, present.gold, present.predicted),
        (PhraseClass.ABSENT, absent.gold, absent.predicted),
    ):
        lines.append(f"MAE on keyphrase numbers ({kind}): {float(np.abs(one - other).mean()):.5}")
    return "\n".join(lines) + "\n"


def _block(part: PhraseClass, columns: Columns, sizes: tuple[int, int], options: Options) -> Iterator[str]:
    """The log of one class: how many phrases, then the scores at each cutoff."""
    size = len(columns["precision"])
    cutoffs = _distinct(options, part)
    predicted, gold = sizes
    yield f"{_RULE}{part}{_RULE}="
    yield f"#predictions after filtering: {predicted}\t #predictions after filtering per src:{predicted / size:.3f}"
    yield f"#unique targets: {gold}\t #unique targets per src:{gold / size:.3f}"
    means = {name: mean_columns(table) for name, table in columns.items()}
    sums = {name: columns[name].sum(axis=0).tolist() for name in ("num_matches", "num_predictions", "num_targets")}
    for k in options.cutoffs(part):
        place = cutoffs.index(k)
        hits, below, entries = (int(sums[name][place]) for name in ("num_matches", "num_predictions", "num_targets"))
        yield f"Begin{_HALF}classification metrics {part}@{k}{_HALF}Begin"
        yield f"#target: {below}, #predictions: {entries}, #corrects: {hits}"
        micro = hits / below if below else 0.0, hits / entries if entries else 0.0
        macro = means["precision"][place], means["recall"][place]
        for name, (precision, recall) in (("Micro", micro), ("Macro", macro)):
            score = harmonic(precision, recall)
            yield f"{name}:\tP@{k}={precision:.5}\tR@{k}={recall:.5}\tF1@{k}={score:.5}"
    for k in () if options.use_name_variations else options.cutoffs(part):
        place = cutoffs.index(k)
        average, ndcg, alpha = (means[name][place] for name in ("AP", "NDCG", "AlphaNDCG"))
        yield f"Begin{_RANKED}Ranking metrics {part}@{k}{_RANKED}Begin"
        yield f"\tMAP@{k}={average:.5}\tNDCG@{k}={ndcg:.5}\tAlphaNDCG@{k}={alpha:.5}"


def _table(tables: Mapping[PhraseClass, Columns], options: Options) -> dict[str, float]:
    """The means by name, in the order of the table."""
    found: dict[str, float] = {}
    for part, columns in tables.items():
        places = [(k, place) for place, k in enumerate(_distinct(options, part))]
        precision, recall = mean_columns(columns["precision"]), mean_columns(columns["recall"])
        for k, at in places:
            found[f"macro_avg_p@{k}_{part}"] = precision[at]
            found[f"macro_avg_r@{k}_{part}"] = recall[at]
            found[f"macro_avg_f1@{k}_{part}"] = harmonic(precision[at], recall[at])
        if options.use_name_variations:
            continue
        ranked = {name: mean_columns(columns[column]) for name, column in _NAMES.items()}
        for k, at in places:
            found |= {f"{name}@{k}_{part}": means[at] for name, means in ranked.items()}
    return found


def harmonic(precision: float, recall: float) -> float:
    """F of P and R; 0 of two zeros."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def mean_columns(table: Numbers) -> list[float]:
    """Means of columns, added document after document as the evaluator adds them."""
    if not len(table):
        return [0.0] * table.shape[1]
    sums: Floats = np.cumsum(table, axis=0, dtype=np.float64)[-1]
    means: list[float] = (sums / len(table)).tolist()
    return means
