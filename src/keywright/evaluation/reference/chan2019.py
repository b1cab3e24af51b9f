"""The evaluators of Chan et al. (ACL 2019) and of KPEval (Wu, Yin and Chang, 2024) on parallel line files.

Chan's options become rules of a protocol; this module adds average precision, NDCG, alpha-NDCG, and how well lists were
separated. In its alpha-NDCG (after Clarke et al., SIGIR 2008) a prediction is relevant to every gold phrase of which it
is a substring, and each further one for the same gold phrase gains half as much. The ideal is a greedy reordering of
the same predictions; of equal gains the first comes first. Exact matching of KPEval adds the cutoff O, and passes its
filter of unknown words to the wrong parameter, which switches the filter of invalid phrases off; so do we. The
evaluator's log calls the number of predictions ``#target`` and that of gold phrases ``#predictions``; programs parse it
so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from math import log2
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Numbers
from keywright.core.errors import BadParameter, BadRecord
from keywright.evaluation import rules
from keywright.evaluation.measures.counts import Counts, depths_at, harmonic, quotient
from keywright.evaluation.measures.list_measures import list_gains
from keywright.evaluation.measures.measure import Cutoff, at
from keywright.evaluation.normal_forms import kpg
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG_STRICT
from keywright.evaluation.reference.parallel_files import Parallel
from keywright.evaluation.rules import Form, PhraseClass
from keywright.evaluation.scoring import counting

DECAY: Final = 0.5
"""1 - alpha: factor of a gain for each earlier prediction of the same gold phrase; alpha as those evaluators set it."""
VARIANTS: Final = "|"  # separator of the variants of a gold phrase
_TUNED: Final = tuple(range(1, 20))  # cutoffs among which the evaluator looks for the best one
_NOT_EMPTY: Final = (rules.not_empty, kpg.valid_not_empty, kpg.valid_known_not_empty)


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
        return _TUNED if self.tune_f1_v else cutoffs[part]

    def protocol(self) -> Protocol:
        """Return ``kpg-strict`` with the rules that the options change."""
        accept = kpg.valid_and_known if self.invalidate_unk else kpg.valid
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
            normalise_gold=kpg.blank_tokens if self.target_already_stemmed else None,
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
    lists = lines.answers.lists
    raw = {name: [*map(protocol.normalise, phrases[: options.num_preds])] for name, phrases in lists.items()}
    unique = {name: len(set(forms)) for name, forms in raw.items()}
    misplaced = None
    if options.prediction_separated:
        misplaced = np.array([_misplaced_shares(raw[name], texts[name], protocol) for name in lines.ids])
        plain = {name: [form for form in forms if not rules.is_mark(form)] for name, forms in raw.items()}
        unique = {name: len(set(forms)) + len(raw[name]) - len(forms) for name, forms in plain.items()}
        raw = plain
    ranked = counting.rank_forms(raw, replace(protocol, normalise=rules.as_given))
    golds = lines.gold(VARIANTS if options.use_name_variations else None)
    classes = {}
    for part, gold in counting.index_classes(golds, protocol, texts, tuple(PhraseClass)).items():
        forms = counting.forms_of_class(ranked, texts, part, protocol)
        counts = counting.count_hits(gold, forms, replace(protocol, measures=at(*options.cutoffs(part))))
        classes[part] = ClassScores(counts, tuple(forms[name] for name in gold.ids), tuple(map(tuple, gold.entries)))
    return Scores(classes, np.array([*unique.values()], dtype=np.int64), tuple(ranked.values()), misplaced)


def _misplaced_shares(forms: Sequence[Form], text: Form, protocol: Protocol) -> tuple[float, float]:
    """Return the shares of absent phrases before the first ``<peos>`` and of present ones after it; 0 of no phrase."""
    end = next((place for place, form in enumerate(forms) if rules.is_mark(form)), len(forms))
    before = [not protocol.presence(form, text) for form in forms[:end]]
    after = [protocol.presence(form, text) for form in forms[end:] if not rules.is_mark(form)]
    return sum(before) / max(1, len(before)), sum(after) / max(1, len(after))


def greedy_alpha_ndcg(forms: Sequence[Form], gold: Sequence[Form], depths: Sequence[int]) -> list[float]:
    """Compute alpha-NDCG of one document at several depths, at most all its forms; 0 where nothing is relevant."""
    relevant = [[place for place, phrase in enumerate(gold) if form in phrase] for form in forms]
    deepest = max(depths, default=0)
    gained, best = (
        list(accumulate((gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1)), initial=0.0))
        for gains in (list_gains(relevant, len(gold), deepest, DECAY, greedy=greedy) for greedy in (False, True))
    )
    return [gained[depth] / best[depth] if best[depth] else 0.0 for depth in depths]


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

    Phrases match when one is a substring of the other; neither is used up. In the class of all, present predictions
    come first.
    """
    names = ("r-precision", "substring_precision", "substring_recall", "substring_f1")
    columns: dict[str, list[float]] = {}
    classes = chan_scores(lines, kpeval_options(CUTOFFS)).classes
    present_first = zip(classes[PhraseClass.PRESENT].forms, classes[PhraseClass.ABSENT].forms, strict=True)
    ranked = {part: scores.forms for part, scores in classes.items()}
    ranked[PhraseClass.ALL] = tuple([*present, *absent] for present, absent in present_first)
    for part, scores in classes.items():
        rows = map(_approximate_values, ranked[part], scores.gold)
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


def mean_columns(table: Numbers) -> list[float]:
    """Return the means of columns, added document after document as the evaluator adds them."""
    if not len(table):
        return [0.0] * table.shape[1]
    sums = np.cumsum(table, axis=0, dtype=np.float64)[-1]  # unlike sum, cumsum does not add pairwise
    return list(map(float, sums / len(table)))
