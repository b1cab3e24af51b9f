"""The evaluators of Chan et al. (ACL 2019) and of KPEval (Wu, Yin and Chang, 2024) on parallel line files.

Chan's options become rules of a protocol; this module adds average precision, NDCG, alpha-NDCG, and how well lists were
separated. In its alpha-NDCG (after Clarke et al., SIGIR 2008) a prediction is relevant to every gold phrase of which it
is a substring, and each further one for the same gold phrase gains half as much. The ideal is a greedy reordering of
the same predictions; of equal gains the first comes first. Exact matching of KPEval adds the cutoff O, and passes its
filter of unknown words to the wrong parameter, which switches the filter of invalid phrases off; so do we. The
evaluator's log calls the number of predictions ``#target`` and that of gold phrases ``#predictions``; programs parse it
so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from math import log2
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Numbers
from keywright.core.errors import BadParameter, BadRecord
from keywright.evaluation import rules
from keywright.evaluation.measures.counts import Counts, Cutoff, at, depths_at, harmonic, quotient
from keywright.evaluation.measures.list_measures import list_gains
from keywright.evaluation.normal_forms import phrases as normal_forms
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG_STRICT
from keywright.evaluation.reference.line_files import Parallel
from keywright.evaluation.rules import Form, PhraseClass
from keywright.evaluation.scoring import counting

DECAY: Final = 0.5  # 1 - alpha: factor of a gain for each earlier prediction of a gold phrase, as they set it
_NOT_EMPTY: Final = (rules.not_empty, normal_forms.valid_not_empty, normal_forms.valid_known_not_empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The evaluator's options, under its names and with its defaults; the last two are ours and fix known bugs."""

    num_preds: int = 200
    disable_extra_one_word_filter: bool = False
    disable_valid_filter: bool = False
    invalidate_unk: bool = False
    match_by_str: bool = False
    target_separated: bool = False
    prediction_separated: bool = False
    target_already_stemmed: bool = False
    meng_rui_precision: bool = False
    use_name_variations: bool = False
    tune_f1_v: bool = False
    export_filtered_pred: bool = False
    all_ks: tuple[Cutoff, ...] = (5, 10, "M")
    present_ks: tuple[Cutoff, ...] = (5, 10, "M")
    absent_ks: tuple[Cutoff, ...] = (5, 10, 50, "M")
    one_word_limit: int = 1
    empty_phrases: bool = True

    def cutoffs(self, part: PhraseClass) -> tuple[Cutoff, ...]:
        """Return the cutoffs of a class; the numbers from 1 to 19 when the best one is looked for."""
        cutoffs = dict(zip(PhraseClass, (self.all_ks, self.present_ks, self.absent_ks), strict=True))
        return tuple(range(1, 20)) if self.tune_f1_v else cutoffs[part]

    def protocol(self) -> Protocol:
        """Return ``kpg-strict`` with the rules that the options change."""
        accept = normal_forms.valid_and_known if self.invalidate_unk else normal_forms.valid
        accept = rules.everything if self.disable_valid_filter else accept
        if not self.empty_phrases:
            accept = next(rule for rule in _NOT_EMPTY if rule.refused == accept.refused)
        return replace(
            KPG_STRICT,
            depth=self.num_preds,
            accept=accept,
            accept_gold=rules.everything if self.empty_phrases else rules.not_empty,
            one_word=None if self.disable_extra_one_word_filter else self.one_word_limit,
            presence=rules.substring if self.match_by_str else rules.token_run,
            gold_class=rules.GoldClass.MARK if self.target_separated else rules.GoldClass.TEXT,
            normalise_gold=normal_forms.blank_tokens if self.target_already_stemmed else None,
            short_list=rules.ShortList.OF_LENGTH if self.meng_rui_precision else rules.ShortList.OF_CUTOFF_IF_ANY,
            gold_repeats=rules.Repeats.KEPT if self.use_name_variations else rules.Repeats.FIRST,
            matching=rules.any_entry if self.use_name_variations else rules.once,
        )


@dataclass(frozen=True, eq=False)
class ClassScores:
    """Scores of one class of phrases at each cutoff, each (documents, cutoffs); computed when they are asked for."""

    counts: Counts
    forms: tuple[Sequence[Form], ...]  # predictions that were scored, best first, (documents,)
    gold: tuple[tuple[Form, ...], ...]  # gold phrases, (documents,)

    @property
    def precision(self) -> Floats:
        """Precision; 0 of an empty list."""
        return quotient(self.counts.hits, self.counts.divisors)

    @property
    def recall(self) -> Floats:
        """Recall; 0 without gold."""
        return quotient(self.counts.hits, self.counts.gold[:, None])

    @cached_property
    def AP(self) -> Floats:  # noqa: N802 - the evaluator's name
        """Average precision."""
        hits = self.counts.by_rank().astype(np.float64)
        precisions = hits * np.cumsum(hits, axis=1) / np.arange(1, hits.shape[1] + 1)
        return quotient(self._sum_ranks(precisions), self.counts.gold[:, None])

    @cached_property
    def NDCG(self) -> Floats:  # noqa: N802 - as above
        """NDCG; its ideal order is that of a document's own hits, cut at the same cutoff."""
        hits = self.counts.by_rank().astype(np.float64)
        discounts = np.log2(np.arange(2, hits.shape[1] + 2))
        ideal = -np.sort(-hits, axis=1) / discounts
        return quotient(self._sum_ranks(hits / discounts), self._sum_ranks(ideal)) * (self.counts.gold > 0)[:, None]

    @cached_property
    def alpha(self) -> Floats:
        """Alpha-NDCG."""
        rows = zip(self.forms, self.gold, self._limit_depths().tolist(), strict=True)
        table = [greedy_alpha_ndcg(forms, gold, depths) for forms, gold, depths in rows]
        return np.array(table, dtype=np.float64).reshape(self.counts.hits.shape)

    def _limit_depths(self) -> Ints:
        """Return how many predictions count, (documents, cutoffs)."""
        depths = depths_at(self.counts.cutoffs, self.counts.predicted, self.counts.gold)
        return np.minimum(depths, self.counts.predicted[:, None])

    def _sum_ranks(self, values: Floats) -> Floats:
        """Sum values of ranks, (documents, ranks), down to each cutoff; a column of 0 in front serves rank 0."""
        sums = np.pad(np.cumsum(values, axis=1), ((0, 0), (1, 0)))
        return np.asarray(np.take_along_axis(sums, self._limit_depths(), axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """All numbers that the evaluator computes from three files."""

    classes: Mapping[PhraseClass, ClassScores]  # numbers of all, present and absent phrases
    unique: Ints  # distinct predictions before any filter, (documents,); removed ``<peos>`` marks are included
    forms: tuple[Sequence[Form], ...]  # predictions that were scored, (documents,)
    # Share of predictions on the wrong side of ``<peos>``, before and after it, (documents, 2); None unless predictions
    # are separated.
    misplaced: Floats | None


def chan_scores(lines: Parallel, options: Options) -> Scores:
    """Compute the numbers of three files."""
    if options.use_name_variations and options.target_separated:
        raise BadParameter("name variations of separated gold", "expected one of the two options, not both")
    if not lines.sources:
        raise BadRecord("no line that all three files have", "expected one line for each document")
    protocol = options.protocol()
    texts = counting.normalise_texts(lines.texts, frozenset(lines.ids), protocol)
    raw = {name: [*map(protocol.normalise, phrases[: protocol.depth])] for name, phrases in lines.answers.lists.items()}
    unique = {name: len(set(forms)) for name, forms in raw.items()}
    misplaced = None
    if options.prediction_separated:
        sides = []  # absent phrases before the first ``<peos>``, present ones after it
        for name in lines.ids:
            marks = [rules.is_mark(form) for form in raw[name]]
            end = marks.index(True) if any(marks) else len(marks)
            present = [protocol.presence(form, texts[name]) for form in raw[name]]
            after = [hit for hit, mark in zip(present[end:], marks[end:], strict=True) if not mark]
            sides.append(((end - sum(present[:end])) / max(1, end), sum(after) / max(1, len(after))))
        misplaced = np.array(sides)
        plain = {name: [form for form in forms if not rules.is_mark(form)] for name, forms in raw.items()}
        unique = {name: len(set(forms)) + len(raw[name]) - len(forms) for name, forms in plain.items()}
        raw = plain
    ranked = counting.rank_forms(raw, replace(protocol, normalise=rules.as_given))
    golds = lines.gold("|" if options.use_name_variations else None)
    classes = {}
    for part, gold in counting.index_classes(golds, protocol, texts, tuple(PhraseClass)).items():
        forms = counting.forms_of_class(ranked, texts, part, protocol)
        counts = counting.count_hits(gold, forms, replace(protocol, measures=at(*options.cutoffs(part))))
        classes[part] = ClassScores(counts, tuple(forms[name] for name in gold.ids), tuple(map(tuple, gold.entries)))
    return Scores(classes, np.array([*unique.values()], dtype=np.int64), tuple(ranked.values()), misplaced)


def greedy_alpha_ndcg(forms: Sequence[Form], gold: Sequence[Form], depths: Sequence[int]) -> list[float]:
    """Compute alpha-NDCG of one document at several depths, at most all its forms; 0 where nothing is relevant."""
    relevant = [[place for place, phrase in enumerate(gold) if form in phrase] for form in forms]
    deepest = max(depths, default=0)
    gained, best = (
        list(accumulate((gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1)), initial=0.0))
        for gains in (list_gains(relevant, len(gold), deepest, DECAY, greedy=greedy) for greedy in (False, True))
    )
    return [gained[depth] / best[depth] if best[depth] else 0.0 for depth in depths]


def exact_summary(lines: Parallel, cutoffs: Sequence[Cutoff] = (5, 10, "M", "O")) -> dict[str, float]:
    """Compute micro and macro P, R and F, MAP, NDCG and alpha-NDCG of each class, by KPEval's names."""
    values: dict[str, float] = {}
    names = ("macro_avg_p", "macro_avg_r", "MAP", "avg_NDCG", "AlphaNDCG")
    for part, scores in chan_scores(lines, kpeval_options(cutoffs)).classes.items():
        counts = scores.counts
        means = list(map(mean_columns, (scores.precision, scores.recall, scores.AP, scores.NDCG, scores.alpha)))
        hits, below, gold = counts.hits.sum(axis=0), counts.divisors.sum(axis=0), int(counts.gold.sum())
        for k in cutoffs:
            place = counts.cutoffs.index(k)
            of_cutoff = {name: column[place] for name, column in zip(names, means, strict=True)}
            of_cutoff["macro_avg_f1"] = harmonic(of_cutoff["macro_avg_p"], of_cutoff["macro_avg_r"])
            precision = float(hits[place] / below[place]) if below[place] else 0.0
            recall = float(hits[place] / gold) if gold else 0.0
            micro = {"micro_avg_p": precision, "micro_avg_r": recall, "micro_avg_f1": harmonic(precision, recall)}
            values |= {f"{name}@{k}_{part}": value for name, value in (of_cutoff | micro).items()}
    return values


def approximate_documents(lines: Parallel) -> dict[str, list[float]]:
    """Compute substring P, R, F and R-precision of every document for each class, by KPEval's names, (documents,) each.

    Phrases match when one is a substring of the other; neither is used up. In the class of all, present ones are first.
    """
    names = ("r-precision", "substring_precision", "substring_recall", "substring_f1")
    columns: dict[str, list[float]] = {}
    classes = chan_scores(lines, kpeval_options((5, 10, "M", "O"))).classes
    present_first = zip(classes[PhraseClass.PRESENT].forms, classes[PhraseClass.ABSENT].forms, strict=True)
    ranked = {part: scores.forms for part, scores in classes.items()}
    ranked[PhraseClass.ALL] = tuple([*present, *absent] for present, absent in present_first)
    for part, scores in classes.items():
        rows = []
        for forms, gold in zip(ranked[part], scores.gold, strict=True):
            related = [[form in phrase or phrase in form for phrase in gold] for form in forms]
            if not forms or not gold:
                rows.append((0.0, 0.0, 0.0, 0.0))
                continue
            right, reached = list(map(any, related)), list(map(any, zip(*related, strict=True)))
            precision, recall = sum(right) / len(right), sum(reached) / len(reached)
            rows.append((sum(right[: len(gold)]) / len(gold), precision, recall, harmonic(precision, recall)))
        columns |= {f"{part}_{name}": list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    return columns


def approximate_summary(lines: Parallel) -> dict[str, float]:
    """Return means over documents of the numbers of ``approximate_documents``."""
    return {name: sum(column) / len(column) for name, column in approximate_documents(lines).items()}


def kpeval_options(cutoffs: Sequence[Cutoff]) -> Options:
    """Return Chan's options as KPEval sets them."""
    ks, filters = tuple(cutoffs), {"disable_extra_one_word_filter": True, "disable_valid_filter": True}
    return Options(all_ks=ks, present_ks=ks, absent_ks=ks, **filters)


def mean_columns(table: Numbers) -> list[float]:
    """Return the means of columns, added document after document as the evaluator adds them."""
    sums = np.cumsum(table, axis=0, dtype=np.float64)[-1:].sum(axis=0)  # unlike sum, cumsum does not add pairwise
    means: list[float] = (sums / max(1, len(table))).tolist()
    return means


_RULE: Final = "=" * 35
_RANKED_NAMES: Final = {"MAP": "AP", "avg_NDCG": "NDCG", "AlphaNDCG": "alpha"}  # with their fields of ``ClassScores``


def chan_files(scores: Scores, options: Options) -> dict[str, str]:
    """Return file names and their contents."""
    files: dict[str, str] = {}
    if options.export_filtered_pred:
        files["predictions_filtered.txt"] = "".join(";".join(forms) + "\n" for forms in scores.forms)
    table = table_means(scores, options)
    if options.tune_f1_v:
        lines = (f"V for {part} {table[f'V_{part}']:.0f}\n" for part in scores.classes)
        return files | {"tune_v_output.txt": "".join(lines)}
    name = ["results_log", *(str(k) for part in PhraseClass for k in options.cutoffs(part))]
    name += ["meng_rui_precision"] if options.meng_rui_precision else []
    name += ["name_variations"] if options.use_name_variations else []
    names, numbers = "\t".join(table), "\t".join(f"{number:.5f}" for number in table.values())
    log = "_".join(name)
    return {**files, f"{log}.txt": _format_log(scores, options), f"{log}.tsv": f"{names}\n{numbers}\n"}


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
            table |= zip((f"macro_avg_{name}@{k}_{part}" for name in ("p", "r", "f1")), values, strict=True)
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
        yield f"Begin{15 * '='}classification metrics {part}@{k}{15 * '='}Begin"
        yield f"#target: {size}, #predictions: {entries}, #corrects: {matches}"
        micro = matches / size if size else 0.0, matches / entries if entries else 0.0
        for name, (precision, recall) in (("Micro", micro), ("Macro", macro[place])):
            score = harmonic(precision, recall)
            yield f"{name}:\tP@{k}={precision:.5}\tR@{k}={recall:.5}\tF1@{k}={score:.5}"
    means = [mean_columns(getattr(scores, field)) for field in _RANKED_NAMES.values()]
    for k in () if options.use_name_variations else options.cutoffs(part):
        average, ndcg, alpha = (column[counts.cutoffs.index(k)] for column in means)
        yield f"Begin{18 * '='}Ranking metrics {part}@{k}{18 * '='}Begin"
        yield f"\tMAP@{k}={average:.5}\tNDCG@{k}={ndcg:.5}\tAlphaNDCG@{k}={alpha:.5}"
