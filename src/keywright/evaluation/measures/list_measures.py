"""Measures of one ranked list: how early its hits come, how much it repeats itself, how much of the gold it covers.

Ranked measures take columns over documents: ``hits``, credit by rank from 0 to 1, padded with 0 behind the end of a
list, (documents, ranks); ``gold``, number of gold entries, (documents,); ``depths``, how many ranks count,
(documents,). They return one number from 0 to 1 for each document, (documents,); it is 0 for a document without
predictions, and for one without gold, which the caller leaves out of the mean. A gold entry gives one credit at most.

Measures of diversity take forms of stems with blanks between words (``normalise=neutral``), best first, repeats kept:
dropping repeats first would hide what is measured. A value that is not defined for a list is None, not 0.
"""

import enum
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.errors import BadParameter
from keywright.evaluation.measures.counts import Listed, Measure, depths_at, quotient
from keywright.evaluation.rules import Form

Hits: TypeAlias = Numbers
Relevance: TypeAlias = Bools  # True where a phrase is relevant to a gold entry, (phrases, entries)
ALPHA: Final = 0.5  # usual penalty of alpha-nDCG for a further prediction of the same gold entry (Clarke et al., 2008)


class Ideal(enum.StrEnum):
    """The list that nDCG compares with."""

    GOLD = "gold"  # a list with a hit at every rank until the gold or the depth ends
    OWN = "own"  # the same predictions, sorted by their hits: one hit at rank 1 is perfect


class Reach(enum.StrEnum):
    """The divisor of average precision."""

    GOLD = "gold"  # all gold entries
    DEPTH = "depth"  # at most as many of them as ranks count: a list of hits alone is perfect at every depth


def r_precision(hits: Hits, gold: Ints) -> Floats:
    """Return the share of hits among the first predictions, as many as gold entries (Buckley and Voorhees, 2000)."""
    return quotient(_limit_hits(hits, gold).sum(axis=1), gold)


def average_precision(hits: Hits, gold: Ints, depths: Ints, reach: Reach = Reach.GOLD) -> Floats:
    """Sum precision at the rank of each hit and divide by the number of possible hits; its mean is MAP."""
    counted = _limit_hits(hits, depths)
    precisions = np.cumsum(counted, axis=1) / np.arange(1, counted.shape[1] + 1)
    most = np.minimum(gold, depths) if reach is Reach.DEPTH else gold
    return quotient((counted * precisions).sum(axis=1), most)


def reciprocal_rank(hits: Hits, depths: Ints) -> Floats:
    """Return 1 / rank of the first prediction with any credit; 0 without one. Its mean is MRR (Voorhees, 1999)."""
    hit = np.pad(_limit_hits(hits, depths) > 0, ((0, 0), (0, 1)), constant_values=True)  # sentinel: every row has a hit
    first = np.argmax(hit, axis=1)
    return np.where(first < hits.shape[1], 1 / (1 + first), 0.0)


def ndcg(hits: Hits, gold: Ints, depths: Ints, ideal: Ideal = Ideal.GOLD) -> Floats:
    """Discount hits by log2(rank + 1) and divide by the best such sum (Järvelin and Kekäläinen, 2002)."""
    counted = _limit_hits(hits, depths)
    if ideal is Ideal.OWN:
        best = discount_gains(-np.sort(-counted, axis=1))
    else:
        reached = np.minimum(gold, depths)
        ranks = np.arange(int(reached.max(initial=0)))
        best = discount_gains((ranks < reached[:, None]).astype(np.float64))
    return quotient(discount_gains(counted), best)


def discount_gains(gains: Floats) -> Floats:
    """Sum gains by rank, (documents, ranks), each divided by log2(rank + 1)."""
    return np.asarray(gains @ (1 / np.log2(np.arange(2, gains.shape[1] + 2))))


@dataclass(frozen=True, slots=True)
class RankedValues:
    """The ranked measures for protocols; without a cutoff they are of the whole list."""

    reach: Reach = Reach.GOLD
    ideal: Ideal = Ideal.GOLD

    name: ClassVar[str] = "ranked_values"

    def __call__(self, listed: Listed, measures: tuple[Measure, ...]) -> Floats:
        """Compute values, (documents, measures)."""
        hits, gold = listed.counts.by_rank(), listed.counts.gold
        columns = []
        for measure, depths in zip(measures, _find_depths(listed, measures).T, strict=True):
            match measure.name:
                case "RP":
                    columns.append(r_precision(hits, gold))
                case "MAP":
                    columns.append(average_precision(hits, gold, depths, self.reach))
                case "MRR":
                    columns.append(reciprocal_rank(hits, depths))
                case "nDCG":
                    columns.append(ndcg(hits, gold, depths, self.ideal))
                case _:
                    raise BadParameter(f"{measure} is not a ranked measure", "expected RP, MAP, MRR or nDCG")
        return np.stack(columns, axis=1)


def _limit_hits(hits: Hits, depths: Ints) -> Floats:
    """Return hits of the ranks that count, 0 elsewhere."""
    return np.where(np.arange(hits.shape[1]) < depths[:, None], hits, 0).astype(np.float64)


class Relevant(enum.StrEnum):
    """When a prediction is relevant to an accepted form of a gold entry."""

    EQUAL = "equal"  # they are the same form
    WITHIN = "within"  # the gold phrase contains the prediction's characters, blanks left out (Chan et al., 2019)
    WORDS_EITHER_WAY = "words_either_way"  # all words of one are words of the other (Meng et al., 2021)

    def __call__(self, form: Form, gold: Form) -> bool:
        """Check whether a prediction is relevant to a form."""
        if self is Relevant.EQUAL:
            return form == gold
        if self is Relevant.WITHIN:
            return form.replace(" ", "") in gold.replace(" ", "")
        words, others = set(form.split()), set(gold.split())
        return words <= others or others <= words


def duplicate_share(forms: Sequence[Form]) -> float | None:
    """Return the share of predictions that repeat a better ranked one, from 0; None for an empty list."""
    return 1 - len(set(forms)) / len(forms) if forms else None


def duplicate_word_share(forms: Sequence[Form]) -> float | None:
    """Return the share of words that occurred before, KPEval's ``dup_token_ratio``; None for a list without words."""
    return duplicate_share([word for form in forms for word in form.split()])


def redundancy(forms: Sequence[Form]) -> float | None:
    """Return the mean Jaccard index of words over pairs of predictions, 0 to 1; None for fewer than two."""
    pairs = list(itertools.combinations([frozenset(form.split()) for form in forms], 2))
    overlaps = [len(words & others) / max(1, len(words | others)) for words, others in pairs]
    return sum(overlaps) / len(overlaps) if overlaps else None


def stem_coverage(forms: Sequence[Form], gold: Sequence[Form]) -> float | None:
    """Return the share of the gold's distinct words in any prediction, 0 to 1; None for gold without words."""
    wanted = {word for form in gold for word in form.split()}
    return len(wanted & {word for form in forms for word in form.split()}) / len(wanted) if wanted else None


_OF_LIST: Final[Mapping[str, Callable[[Sequence[Form]], float | None]]] = {
    "Duplicates": duplicate_share,
    "DuplicateWords": duplicate_word_share,
    "Redundancy": redundancy,
}


def relevance(
    forms: Sequence[Form], entries: Sequence[Sequence[Form]], relevant: Relevant = Relevant.EQUAL
) -> Relevance:
    """Test whether each phrase is relevant to any form of each gold entry, (phrases, entries)."""
    if relevant is Relevant.EQUAL:  # the default, at a fifth of the time
        table = [[form in accepted for accepted in entries] for form in forms]
    else:
        table = [[any(relevant(form, gold) for gold in accepted) for accepted in entries] for form in forms]
    return np.array(table, dtype=bool).reshape(len(forms), len(entries))


def alpha_ndcgs(
    listed: Relevance, gold: Relevance, depths: Sequence[int], ideal: Ideal = Ideal.GOLD, alpha: float = ALPHA
) -> list[float | None]:
    """Compute gains that shrink with every further prediction for the same gold entry (Clarke et al., 2008).

    A prediction gains ``(1 - alpha) ** earlier`` for each gold entry it is relevant to, ``earlier`` being the number of
    better ranked predictions relevant to that entry; gains are discounted by log2(rank + 1) and divided by those of the
    ideal list, which greedily takes the phrase of the largest gain, of equal ones the first. 1 is the ideal list; more
    is possible with ``Ideal.GOLD`` where a list gains by further predictions for entries it had before. None without
    gold. ``listed``: relevance of the predictions, best first, (predictions, entries); ``gold``: that of the gold
    phrases to each other, (entries, entries); ``depths``: how many ranks count, (values,); ``ideal``: whether the ideal
    list is made of gold phrases, or of the same predictions; ``alpha``: from 0, where repetition costs nothing, to 1.
    """
    if not 0 <= alpha <= 1:
        raise BadParameter(f"alpha {alpha}", "expected a number from 0 to 1")
    if not gold.shape[1]:
        return [None] * len(depths)

    def gain(table: Relevance, *, greedy: bool) -> list[float]:
        places = [[at for at, hit in enumerate(row) if hit] for row in table.tolist()]
        return list_gains(places, gold.shape[1], max(depths), 1 - alpha, greedy=greedy)

    gains = gain(listed[: max(depths)], greedy=False)
    best = gain(gold if ideal is Ideal.GOLD else listed, greedy=True)
    # The ideal list of a depth begins that of a larger one.
    sums = ((discount_gains(np.array([side[:depth] for side in (gains, best)]))).tolist() for depth in depths)
    return [found / most if most else 0.0 for found, most in sums]


@dataclass(frozen=True, slots=True)
class AlphaValues:
    """Alpha-nDCG for protocols."""

    relevant: Relevant = Relevant.EQUAL  # when a prediction is relevant to a form of a gold entry
    ideal: Ideal = Ideal.GOLD  # the phrases that the ideal list may have
    alpha: float = ALPHA  # penalty of a further prediction for the same entry, 0 to 1

    name: ClassVar[str] = "alpha_values"

    def __call__(self, listed: Listed, measures: tuple[Measure, ...]) -> Floats:
        """Compute values at the cutoff of each measure, (documents, measures); nan without gold."""
        rows = []
        documents = zip(listed.forms, listed.accepted(), _find_depths(listed, measures).tolist(), strict=True)
        for forms, entries, depths in documents:
            table = relevance(forms, entries, self.relevant)
            among = [relevance(accepted, entries, self.relevant).any(axis=0) for accepted in entries]
            gold = np.array(among, dtype=bool).reshape(len(entries), len(entries))
            rows.append(alpha_ndcgs(table, gold, depths, self.ideal, self.alpha))
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(measures))


def diversity_values(listed: Listed, measures: tuple[Measure, ...]) -> Floats:
    """Compute the measures of diversity for protocols, (documents, measures); nan for None."""
    if odd := [measure for measure in measures if measure.name not in (*_OF_LIST, "StemCoverage")]:
        hint = f"expected {', '.join(_OF_LIST)} or StemCoverage"
        raise BadParameter(f"{odd[0]} is not a measure of diversity", hint)
    depths, table = _find_depths(listed, measures), np.empty((len(listed.forms), len(measures)))
    for row, (forms, entries) in enumerate(zip(listed.forms, listed.accepted(), strict=True)):
        gold = list(itertools.chain.from_iterable(entries))
        for column, measure in enumerate(measures):
            top, of_list = forms[: depths[row, column]], _OF_LIST.get(measure.name)
            value = stem_coverage(top, gold) if of_list is None else of_list(top)
            table[row, column] = np.nan if value is None else value
    return table


def _find_depths(listed: Listed, measures: tuple[Measure, ...]) -> Ints:
    """Return how many ranks count for each measure, (documents, measures)."""
    return depths_at([measure.k or "M" for measure in measures], listed.counts.predicted, listed.counts.gold)


def list_gains(
    relevant: Sequence[Sequence[int]], entries: int, depth: int, decay: float, *, greedy: bool
) -> list[float]:
    """Return the gains of phrases down to a depth, less by a factor for each earlier phrase of the same entry.

    ``relevant``: the gold entries of each phrase, by number; ``greedy``: whether the phrase of the largest gain is
    next, of equal ones the first, instead of the next in order.
    """
    worth, gains = [1.0] * entries, list[float]()
    # In greedy order phrases without an entry are last, and they gain nothing.
    left = [places for places in relevant if places or not greedy]
    while left and len(gains) < depth:
        values = [sum(worth[place] for place in places) for places in (left if greedy else left[:1])]
        gains.append(max(values))
        for place in left.pop(values.index(gains[-1])):
            worth[place] *= decay
    return gains + [0.0] * (depth - len(gains))
