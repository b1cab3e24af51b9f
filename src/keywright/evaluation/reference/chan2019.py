"""The evaluator of Chan et al. (ACL 2019) on parallel line files: its options, and its numbers for each class.

The options become rules of a protocol, under which lists are matched and counted as usual. This module adds what the
evaluator reports beyond P, R and F: average precision, NDCG and alpha-NDCG, and how well lists were separated.

In its alpha-NDCG (after Clarke et al., SIGIR 2008) a prediction is relevant to every gold phrase of which it is a
substring; the empty prediction is relevant to all. Each further prediction for the same gold phrase gains half as much
as the one before. The ideal is not the gold but a greedy reordering of the same predictions; of equal gains the first
prediction comes first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import log2
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BadParameter, BadRecord
from keywright.evaluation import rules
from keywright.evaluation.measures.counts import Counts, depths_at, quotient
from keywright.evaluation.measures.measure import Cutoff, at
from keywright.evaluation.normal_forms import kpg
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG_STRICT
from keywright.evaluation.reference.parallel_files import Parallel
from keywright.evaluation.rules import Form, PhraseClass
from keywright.evaluation.scoring.counting import (
    IndexedGold,
    count_hits,
    forms_of_class,
    index_classes,
    normalise_texts,
    rank_forms,
)

DECAY: Final = 0.5
"""1 - alpha: factor of a gain for each earlier prediction of the same gold phrase; alpha as those evaluators set it."""
VARIANTS: Final = "|"
"""Separator of the variants of a gold phrase."""
_TUNED: Final = tuple(range(1, 20))
"""Cutoffs among which the evaluator looks for the best one."""
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


@dataclass(frozen=True, slots=True, eq=False)
class ClassScores:
    """Scores of one class of phrases at each cutoff, (documents, cutoffs): average precision, NDCG, alpha-NDCG."""

    counts: Counts
    AP: Floats
    NDCG: Floats
    alpha: Floats

    @property
    def precision(self) -> Floats:
        """Precision at each cutoff, (documents, cutoffs); 0 of an empty list."""
        return quotient(self.counts.hits, self.counts.divisors)

    @property
    def recall(self) -> Floats:
        """Recall at each cutoff, (documents, cutoffs); 0 without gold."""
        return quotient(self.counts.hits, self.counts.gold[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """All numbers that the evaluator computes from three files.

    Attributes:
        classes: numbers of all, present and absent phrases.
        unique: distinct predictions before any filter, (documents,); removed ``<peos>`` marks are included.
        forms: predictions that were scored, (documents,).
        misplaced: share of predictions on the wrong side of ``<peos>``, before and after it, (documents, 2); None
            unless predictions are separated.
    """

    classes: Mapping[PhraseClass, ClassScores]
    unique: Ints
    forms: tuple[Sequence[Form], ...]
    misplaced: Floats | None


def chan_scores(lines: Parallel, options: Options) -> Scores:
    """Compute the numbers of three files."""
    protocol, classes = options.protocol(), {}
    matched, unique, ranked, misplaced = _match_files(lines, options)
    for part, (gold, forms) in matched.items():
        counts = count_hits(gold, forms, replace(protocol, measures=at(*options.cutoffs(part))))
        classes[part] = _rank_scores(counts, [forms[name] for name in gold.ids], list(map(list, gold.entries)))
    return Scores(classes, unique, ranked, misplaced)


def chan_forms(
    lines: Parallel, options: Options
) -> dict[PhraseClass, tuple[list[Sequence[Form]], list[Sequence[Form]]]]:
    """Return the predicted and gold forms that are scored, a list for each document, by class."""
    return {
        part: ([forms[name] for name in gold.ids], list(map(tuple, gold.entries)))
        for part, (gold, forms) in _match_files(lines, options)[0].items()
    }


def _match_files(
    lines: Parallel, options: Options
) -> tuple[
    dict[PhraseClass, tuple[IndexedGold, Mapping[str, Sequence[Form]]]], Ints, tuple[Sequence[Form], ...], Floats | None
]:
    """Return gold and ranked forms of each class, and the other fields of ``Scores``."""
    if options.use_name_variations and options.target_separated:
        raise BadParameter("name variations of separated gold", "expected one of the two options, not both")
    if not lines.sources:
        raise BadRecord("no line that all three files have", "expected one line for each document")
    protocol = options.protocol()
    texts = normalise_texts(lines.texts, frozenset(lines.ids), protocol)
    lists = lines.answers.lists
    raw = {name: [*map(protocol.normalise, phrases[: options.num_preds])] for name, phrases in lists.items()}
    unique = {name: len(set(forms)) for name, forms in raw.items()}
    misplaced = None
    if options.prediction_separated:
        misplaced = np.array([_misplaced_shares(raw[name], texts[name], protocol) for name in lines.ids])
        plain = {name: [form for form in forms if not rules.is_mark(form)] for name, forms in raw.items()}
        unique = {name: len(set(forms)) + len(raw[name]) - len(forms) for name, forms in plain.items()}
        raw = plain
    forms = rank_forms(raw, replace(protocol, normalise=rules.as_given))
    gold = lines.gold(VARIANTS if options.use_name_variations else None)
    classes = {
        part: (entries, forms_of_class(forms, texts, part, protocol))
        for part, entries in index_classes(gold, protocol, texts, tuple(PhraseClass)).items()
    }
    return classes, np.array([*unique.values()], dtype=np.int64), tuple(forms.values()), misplaced


def _rank_scores(counts: Counts, lists: Sequence[Sequence[Form]], golds: Sequence[Sequence[Form]]) -> ClassScores:
    """Compute ranked measures. The ideal order of NDCG is that of a document's own hits, cut at the same cutoff."""
    hits = counts.by_rank().astype(np.float64)
    ranks = np.arange(1, hits.shape[1] + 1)
    depths = depths_at(counts.cutoffs, counts.predicted, counts.gold)
    reached = np.minimum(depths, counts.predicted[:, None])
    precisions = np.cumsum(hits * np.cumsum(hits, axis=1) / ranks, axis=1)
    gains = np.cumsum(hits / np.log2(ranks + 1), axis=1)
    ideal = np.cumsum(-np.sort(-hits, axis=1) / np.log2(ranks + 1), axis=1)
    average = quotient(_look_up_ranks(precisions, reached), counts.gold[:, None])
    ndcg = quotient(_look_up_ranks(gains, reached), _look_up_ranks(ideal, reached)) * (counts.gold > 0)[:, None]
    alpha = [
        greedy_alpha_ndcg(forms, gold, depth.tolist()) for forms, gold, depth in zip(lists, golds, reached, strict=True)
    ]
    return ClassScores(counts, average, ndcg, np.array(alpha, dtype=np.float64).reshape(ndcg.shape))


def _look_up_ranks(sums: Floats, reached: Ints) -> Floats:
    """Look up running sums at ranks, (documents, cutoffs); a column of 0 in front serves rank 0."""
    return np.asarray(np.take_along_axis(np.pad(sums, ((0, 0), (1, 0))), reached, axis=1))


def _misplaced_shares(forms: Sequence[Form], text: Form, protocol: Protocol) -> tuple[float, float]:
    """Return the shares of absent phrases before the first ``<peos>`` and of present ones after it; 0 of no phrase."""
    end = next((place for place, form in enumerate(forms) if rules.is_mark(form)), len(forms))
    before = [not protocol.presence(form, text) for form in forms[:end]]
    after = [protocol.presence(form, text) for form in forms[end:] if not rules.is_mark(form)]
    return sum(before) / max(1, len(before)), sum(after) / max(1, len(after))


def greedy_alpha_ndcg(forms: Sequence[Form], gold: Sequence[Form], depths: Sequence[int]) -> list[float]:
    """Compute alpha-NDCG at several depths for one document; 0 where nothing is relevant.

    ``depths`` are how many predictions count, (cutoffs,); none exceeds their number.
    """
    relevant = [[place for place, phrase in enumerate(gold) if form in phrase] for form in forms]
    deepest = max(depths, default=0)
    gained = _sum_gains(relevant[:deepest], len(gold), deepest, greedy=False)
    best = _sum_gains([places for places in relevant if places], len(gold), deepest, greedy=True)
    return [gained[depth] / best[depth] if best[depth] else 0.0 for depth in depths]


def _sum_gains(relevant: Sequence[Sequence[int]], gold: int, depth: int, *, greedy: bool) -> list[float]:
    """Return the sums of discounted gains at each depth from 0; greedily the prediction of the largest gain is next."""
    worth = [1.0] * gold
    left = list(relevant)
    gains: list[float] = []
    while left and len(gains) < depth:
        values = [sum(worth[place] for place in places) for places in (left if greedy else left[:1])]
        gains.append(max(values))
        for place in left.pop(values.index(gains[-1])):
            worth[place] *= DECAY
    gains += [0.0] * (depth - len(gains))
    return list(accumulate((gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1)), initial=0.0))
