"""The files that the evaluator of Chan et al. (2019) writes: scores, means and a log, line by line."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from keywright.evaluation.measures.counts import harmonic
from keywright.evaluation.reference.chan2019 import ClassScores, Options, Scores, mean_columns
from keywright.evaluation.rules import PhraseClass

_RULE: Final = "==================================="
_HALF: Final = "==============="
_RANKED: Final = "=================="
_RANKED_NAMES: Final = {"MAP": "AP", "avg_NDCG": "NDCG", "AlphaNDCG": "alpha"}
"""Ranked measures in the table, with their fields of ``ClassScores``."""


def chan_files(scores: Scores, options: Options) -> dict[str, str]:
    """Return file names and their contents."""
    files: dict[str, str] = {}
    if options.export_filtered_pred:
        files["predictions_filtered.txt"] = "".join(";".join(forms) + "\n" for forms in scores.forms)
    table = table_means(scores, options)
    if options.tune_f1_v:
        lines = (f"V for {part} {table[f'V_{part}']:.0f}\n" for part in scores.classes)
        return files | {"tune_v_output.txt": "".join(lines)}
    cutoffs = [str(k) for part in PhraseClass for k in options.cutoffs(part)]
    precision = ("meng_rui_precision",) if options.meng_rui_precision else ()
    variations = ("name_variations",) if options.use_name_variations else ()
    name = "_".join(("results_log", *cutoffs, *precision, *variations))
    names, numbers = "\t".join(table), "\t".join(f"{number:.5f}" for number in table.values())
    return {**files, f"{name}.txt": _format_log(scores, options), f"{name}.tsv": f"{names}\n{numbers}\n"}


def table_means(scores: Scores, options: Options) -> dict[str, float]:
    """Return the numbers of the table, unrounded, in its order; the best cutoffs if ``tune_f1_v``."""
    table: dict[str, float] = {}
    for part, of_class in scores.classes.items():
        cutoffs = of_class.counts.cutoffs
        precision, recall = mean_columns(of_class.precision), mean_columns(of_class.recall)
        f1 = list(map(harmonic, precision, recall))
        if options.tune_f1_v:
            table[f"V_{part}"] = float(cutoffs[int(np.argmax(f1))])  # the first of equal ones
            continue
        for k, *values in zip(cutoffs, precision, recall, f1, strict=True):
            table |= {
                f"macro_avg_{name}@{k}_{part}": value for name, value in zip(("p", "r", "f1"), values, strict=True)
            }
        if not options.use_name_variations:
            means = {name: mean_columns(getattr(of_class, field)) for name, field in _RANKED_NAMES.items()}
            for place, k in enumerate(cutoffs):
                table |= {f"{name}@{k}_{part}": column[place] for name, column in means.items()}
    return table


def _format_log(scores: Scores, options: Options) -> str:
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
    for part, of_class in scores.classes.items():
        lines += _format_block(part, of_class, (int(predicted[part].sum()), int(gold[part].sum())), options)
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


def _format_block(part: PhraseClass, scores: ClassScores, sizes: tuple[int, int], options: Options) -> Iterator[str]:
    """Yield the log of one class: numbers of phrases, then the scores at each cutoff."""
    counts = scores.counts
    predicted, gold = sizes
    per_source = predicted / len(counts)
    yield f"{_RULE}{part}{_RULE}="
    yield f"#predictions after filtering: {predicted}\t #predictions after filtering per src:{per_source:.3f}"
    yield f"#unique targets: {gold}\t #unique targets per src:{gold / len(counts):.3f}"
    hits, below, entries = counts.hits.sum(axis=0), counts.divisors.sum(axis=0), int(counts.gold.sum())
    macro = list(zip(mean_columns(scores.precision), mean_columns(scores.recall), strict=True))
    for k in options.cutoffs(part):
        place = counts.cutoffs.index(k)
        matches, size = int(hits[place]), int(below[place])
        yield f"Begin{_HALF}classification metrics {part}@{k}{_HALF}Begin"
        yield f"#target: {size}, #predictions: {entries}, #corrects: {matches}"
        micro = matches / size if size else 0.0, matches / entries if entries else 0.0
        for name, (precision, recall) in (("Micro", micro), ("Macro", macro[place])):
            score = harmonic(precision, recall)
            yield f"{name}:\tP@{k}={precision:.5}\tR@{k}={recall:.5}\tF1@{k}={score:.5}"
    means = [mean_columns(getattr(scores, field)) for field in _RANKED_NAMES.values()]
    for k in () if options.use_name_variations else options.cutoffs(part):
        average, ndcg, alpha = (column[counts.cutoffs.index(k)] for column in means)
        yield f"Begin{_RANKED}Ranking metrics {part}@{k}{_RANKED}Begin"
        yield f"\tMAP@{k}={average:.5}\tNDCG@{k}={ndcg:.5}\tAlphaNDCG@{k}={alpha:.5}"
