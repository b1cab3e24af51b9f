"""The files that the evaluator of Chan et al. writes, byte for byte.

Its log calls the number of predictions ``#target`` and the number of gold phrases ``#predictions``; programs parse it
so, and the labels stay.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Numbers
from keywright.evaluation.measures.counts import harmonic, quotient
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.reference.chan2019 import ClassScores, Options, Scores
from keywright.evaluation.rules import PhraseClass

Columns: TypeAlias = dict[str, Numbers]
"""Scores of one class by name, (documents, cutoffs) each."""
_RULE: Final = "==================================="
_HALF: Final = "==============="
_RANKED: Final = "=================="
_NAMES: Final = MappingProxyType({"MAP": "AP", "avg_NDCG": "NDCG", "AlphaNDCG": "AlphaNDCG"})
"""Ranked measures in the table, with their names in each document."""


def chan_files(scores: Scores, options: Options) -> dict[str, str]:
    """Return file names and their contents."""
    files: dict[str, str] = {}
    if options.export_filtered_pred:
        files["predictions_filtered.txt"] = "".join(";".join(forms) + "\n" for forms in scores.forms)
    if options.tune_f1_v:
        lines = (f"V for {part} {_find_best_cutoff(of_class)}\n" for part, of_class in scores.classes.items())
        return files | {"tune_v_output.txt": "".join(lines)}
    name = results_name(options)
    columns = _tabulate_classes(scores, options)
    table = _make_table(columns, options)
    names, numbers = "\t".join(table), "\t".join(f"{number:.5f}" for number in table.values())
    return {**files, f"{name}.txt": _format_log(scores, columns, options), f"{name}.tsv": f"{names}\n{numbers}\n"}


def table_means(scores: Scores, options: Options) -> dict[str, float]:
    """Return the numbers of the table, unrounded; the best cutoffs if ``tune_f1_v``."""
    if options.tune_f1_v:
        return {f"V_{part}": float(_find_best_cutoff(of_class)) for part, of_class in scores.classes.items()}
    return _make_table(_tabulate_classes(scores, options), options)


def results_name(options: Options) -> str:
    """Return the name of the log, which lists its cutoffs, without file ending."""
    cutoffs = [str(k) for part in PhraseClass for k in options.cutoffs(part)]
    precision = ("meng_rui_precision",) if options.meng_rui_precision else ()
    variations = ("name_variations",) if options.use_name_variations else ()
    return "_".join(("results_log", *cutoffs, *precision, *variations))


def per_document(scores: Scores, options: Options) -> dict[str, list[float]]:
    """Return every score of every document, by ``measure@cutoff_class``, as the evaluator keeps them while it runs."""
    columns: dict[str, list[float]] = {}
    for part, of_class in scores.classes.items():
        tables = _tabulate_class(of_class, options)
        for place, k in enumerate(of_class.counts.cutoffs):
            columns |= {f"{name}@{k}_{part}": table[:, place].tolist() for name, table in tables.items()}
        if not options.use_name_variations:
            columns[f"num_targets_{part}"] = of_class.counts.gold.tolist()
            columns[f"num_predictions_{part}"] = of_class.counts.predicted.tolist()
    return columns


def _tabulate_classes(scores: Scores, options: Options) -> dict[PhraseClass, Columns]:
    return {part: _tabulate_class(of_class, options) for part, of_class in scores.classes.items()}


def _tabulate_class(scores: ClassScores, options: Options) -> Columns:
    """Return the scores of a class by name, (documents, cutoffs) each."""
    precision, recall = scores.precision, scores.recall
    hits, divisors, gold = scores.counts.hits, scores.counts.divisors, scores.counts.gold
    ranked = {"AP": scores.AP, "NDCG": scores.NDCG, "AlphaNDCG": scores.alpha}
    return {
        "precision": precision,
        "recall": recall,
        "f1_score": quotient(2 * precision * recall, precision + recall),
        "num_matches": hits,
        "num_predictions": divisors,
        "num_targets": np.repeat(gold[:, None], hits.shape[1], axis=1),
        **({} if options.use_name_variations else ranked),
    }


def _distinct_cutoffs(options: Options, part: PhraseClass) -> tuple[Cutoff, ...]:
    """Return the cutoffs of a class without repeats, which are those of the columns."""
    return tuple(dict.fromkeys(options.cutoffs(part)))


def _find_best_cutoff(scores: ClassScores) -> Cutoff:
    """Return the cutoff with the best harmonic mean of mean P and R; of equal ones the first."""
    values = list(map(harmonic, mean_columns(scores.precision), mean_columns(scores.recall)))
    return scores.counts.cutoffs[int(np.argmax(values))]


def _format_log(scores: Scores, columns: Mapping[PhraseClass, Columns], options: Options) -> str:
    """Format the log in words."""
    counts = {part: of_class.counts for part, of_class in scores.classes.items()}
    present, absent = counts[PhraseClass.PRESENT], counts[PhraseClass.ABSENT]
    with_present = f"# samples with present keyphrases: {np.count_nonzero(present.gold)}"
    with_absent = f"# samples with absent keyphrases: {np.count_nonzero(absent.gold)}"
    lines = [
        f"Total #samples: {len(scores.unique)}\t {with_present}\t {with_absent}",
        f"Max. unique targets per src: {counts[PhraseClass.ALL].gold.max(initial=0)}",
        f"Total #unique predictions: {scores.unique.sum()}",
    ]
    # The reference's totals of all phrases are those of both classes, not of the class ``all``.
    gold, predicted = ({part: getattr(of, name) for part, of in counts.items()} for name in ("gold", "predicted"))
    gold[PhraseClass.ALL] = present.gold + absent.gold
    predicted[PhraseClass.ALL] = present.predicted + absent.predicted
    for part in PhraseClass:
        lines += _format_block(part, columns[part], (int(predicted[part].sum()), int(gold[part].sum())), options)
    if scores.misplaced is not None:
        lines.append(f"{_RULE}Separation{_RULE}=")
        shares = mean_columns(scores.misplaced)
        for part, share in zip((PhraseClass.PRESENT, PhraseClass.ABSENT), shares, strict=True):
            lines.append(f"Avg error fraction for identifying {part} keyphrases: {share:.5}")
    lines.append(f"{_RULE}MAE stat{_RULE}=")
    for part in PhraseClass:
        # With name variations the reference keeps no numbers of phrases, and prints the mean of nothing.
        error = np.nan if options.use_name_variations else float(np.abs(gold[part] - predicted[part]).mean())
        lines.append(f"MAE on keyphrase numbers ({part}): {error:.5}")
    return "\n".join(lines) + "\n"


def _format_block(part: PhraseClass, columns: Columns, sizes: tuple[int, int], options: Options) -> Iterator[str]:
    """Yield the log of one class: numbers of phrases, then the scores at each cutoff."""
    size = len(columns["precision"])
    cutoffs = _distinct_cutoffs(options, part)
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
        average, ndcg, alpha = (means[name][place] for name in _NAMES.values())
        yield f"Begin{_RANKED}Ranking metrics {part}@{k}{_RANKED}Begin"
        yield f"\tMAP@{k}={average:.5}\tNDCG@{k}={ndcg:.5}\tAlphaNDCG@{k}={alpha:.5}"


def _make_table(tables: Mapping[PhraseClass, Columns], options: Options) -> dict[str, float]:
    """Return the means by name, in the order of the table."""
    table: dict[str, float] = {}
    for part, columns in tables.items():
        cutoffs = _distinct_cutoffs(options, part)
        for k, precision, recall in zip(
            cutoffs, mean_columns(columns["precision"]), mean_columns(columns["recall"]), strict=True
        ):
            table[f"macro_avg_p@{k}_{part}"] = precision
            table[f"macro_avg_r@{k}_{part}"] = recall
            table[f"macro_avg_f1@{k}_{part}"] = harmonic(precision, recall)
        if options.use_name_variations:
            continue
        ranked = {name: mean_columns(columns[column]) for name, column in _NAMES.items()}
        for place, k in enumerate(cutoffs):
            table |= {f"{name}@{k}_{part}": means[place] for name, means in ranked.items()}
    return table


def mean_columns(table: Numbers) -> list[float]:
    """Return the means of columns, added document after document as the evaluator adds them."""
    if not len(table):
        return [0.0] * table.shape[1]
    sums: Floats = np.cumsum(table, axis=0, dtype=np.float64)[-1]  # unlike sum, cumsum does not add pairwise
    means: list[float] = (sums / len(table)).tolist()
    return means
