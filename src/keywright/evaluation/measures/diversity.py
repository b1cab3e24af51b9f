"""Diversity: how much a list repeats itself, and how much of the gold's vocabulary it reaches.

Phrases are forms of stems with blanks between words (``normalise=neutral``), best first, repeats kept: dropping repeats
first would hide what is measured. A number that a list cannot have is None, not 0.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter
from keywright.evaluation.measures.document_means import Listed
from keywright.evaluation.measures.measure import Cutoff, Measure
from keywright.evaluation.measures.ranked import Ideal, discounted
from keywright.evaluation.rules import Form

Relevance: TypeAlias = Bools
"""Whether a phrase is relevant to a gold entry, (phrases, entries)."""
Relevant: TypeAlias = Callable[[Form, Form], bool]
"""Whether a prediction is relevant to an accepted form of a gold entry."""

ALPHA: Final = 0.5
_PAIR: Final = 2


def duplicate_share(forms: Sequence[Form]) -> float | None:
    """Share of predictions that repeat a better ranked one, from 0; None for an empty list."""
    return _repeated(forms)


def duplicate_word_share(forms: Sequence[Form]) -> float | None:
    """Share of words, over all predictions, that came before; None for a list without words.

    KPEval's ``dup_token_ratio`` (Wu et al., 2024).
    """
    return _repeated([word for form in forms for word in form.split()])


def redundancy(forms: Sequence[Form]) -> float | None:
    """Mean over pairs of predictions of words in common / words in either, 0 to 1; None for fewer than two."""
    words = [frozenset(form.split()) for form in forms]
    if len(words) < _PAIR:
        return None
    overlaps = [len(one & other) / max(1, len(one | other)) for one, other in itertools.combinations(words, 2)]
    return sum(overlaps) / len(overlaps)


def stem_coverage(forms: Sequence[Form], gold: Sequence[Form]) -> float | None:
    """Share of the gold's distinct words that occur in any prediction, 0 to 1; None for gold without words."""
    wanted = {word for form in gold for word in form.split()}
    found = {word for form in forms for word in form.split()}
    return len(wanted & found) / len(wanted) if wanted else None


def equal(form: Form, gold: Form) -> bool:
    """The same form."""
    return form == gold


def within(form: Form, gold: Form) -> bool:
    """The prediction's characters stand in the gold phrase in one piece, blanks left out (Chan et al., 2019)."""
    return form.replace(" ", "") in gold.replace(" ", "")


def words_either_way(form: Form, gold: Form) -> bool:
    """All words of one are words of the other (Meng et al., 2021)."""
    words, others = set(form.split()), set(gold.split())
    return words <= others or others <= words


def relevance(forms: Sequence[Form], entries: Sequence[Sequence[Form]], relevant: Relevant = equal) -> Relevance:
    """Whether each phrase is relevant to any form of each gold entry, (phrases, entries)."""
    if relevant is equal:  # the usual case, at a fifth of the time
        table = [[form in accepted for accepted in entries] for form in forms]
    else:
        table = [[any(relevant(form, gold) for gold in accepted) for accepted in entries] for form in forms]
    return np.array(table, dtype=bool).reshape(len(forms), len(entries))


def alpha_ndcg(
    listed: Relevance, gold: Relevance, depth: int, ideal: Ideal = Ideal.GOLD, alpha: float = ALPHA
) -> float | None:
    """Gains that shrink with every further prediction for the same gold entry (Clarke et al., 2008).

    A prediction gains ``(1 - alpha) ** earlier`` for each gold entry it is relevant to, ``earlier`` being the number of
    better ranked predictions relevant to that entry; gains are discounted by log2(rank + 1) and divided by those of the
    ideal list, which greedily takes what gains most, first come first served.

    Args:
        listed: relevance of the predictions, best first, (predictions, entries).
        gold: relevance of the gold phrases to each other, (entries, entries).
        depth: how many ranks count.
        ideal: whether the ideal list is made of gold phrases, or of the same predictions.
        alpha: from 0, where repetition costs nothing, to 1, where it gains nothing.

    Returns:
        From 0; 1 for the ideal list. More than 1 is possible with ``Ideal.GOLD`` where a list goes on gaining by
        further predictions for entries it had. None without gold.

    Raises:
        BadParameter: alpha outside 0 to 1.
    """
    return _alpha_ndcgs(listed, gold, (depth,), ideal, alpha)[0]


def _alpha_ndcgs(
    listed: Relevance, gold: Relevance, depths: Sequence[int], ideal: Ideal, alpha: float
) -> list[float | None]:
    """``alpha_ndcg`` at several depths: the ideal list of a lesser depth is the beginning of a deeper one."""
    if not 0 <= alpha <= 1:
        raise BadParameter(f"alpha {alpha}", "expected a number from 0 to 1")
    if not gold.shape[1]:
        return [None] * len(depths)
    gains = _gains(listed[: max(depths)], alpha)
    best = _greedy(gold if ideal is Ideal.GOLD else listed, max(depths), alpha)
    return [_share(gains[:depth], best[:depth]) for depth in depths]


def _share(gains: Floats, best: Floats) -> float:
    """Discounted gains over the best; 0 where nothing can be gained."""
    most = float(discounted(best[None])[0])
    return float(discounted(gains[None])[0]) / most if most else 0.0


@dataclass(frozen=True, slots=True)
class AlphaValues:
    """Alpha-nDCG as a protocol takes it.

    Attributes:
        relevant: when a prediction is relevant to a form of a gold entry.
        ideal: what the ideal list is made of.
        alpha: how little a further prediction for the same entry gains, 0 to 1.
    """

    relevant: Relevant = equal
    ideal: Ideal = Ideal.GOLD
    alpha: float = ALPHA

    name: ClassVar[str] = "alpha_values"

    def __call__(self, listed: Listed, measures: tuple[Measure, ...]) -> Floats:
        """Values at the cutoff of each measure, (documents, measures); nan without gold."""
        rows = []
        for forms, entries in zip(listed.forms, listed.accepted(), strict=True):
            table = relevance(forms, entries, self.relevant)
            among = np.zeros((len(entries), len(entries)), dtype=bool)
            for place, accepted in enumerate(entries):
                among[place] = relevance(accepted, entries, self.relevant).any(axis=0)
            depths = [_reached(measure.k, len(forms), len(entries)) for measure in measures]
            rows.append(_alpha_ndcgs(table, among, depths, self.ideal, self.alpha))
        return _table(rows, measures)


def diversity_values(listed: Listed, measures: tuple[Measure, ...]) -> Floats:
    """The other measures of this module as a protocol takes them, (documents, measures); nan for None.

    Raises:
        BadParameter: a measure that is none of these.
    """
    if odd := [measure for measure in measures if measure.name not in (*_OF_LIST, "StemCoverage")]:
        raise BadParameter(f"{odd[0]} is no measure of diversity", f"they are {', '.join(_OF_LIST)} and StemCoverage")
    rows = []
    for forms, entries in zip(listed.forms, listed.accepted(), strict=True):
        gold = list(itertools.chain.from_iterable(entries))
        cut = [forms[: _reached(measure.k, len(forms), len(entries))] for measure in measures]
        rows.append(
            [
                _OF_LIST[measure.name](top) if measure.name in _OF_LIST else stem_coverage(top, gold)
                for measure, top in zip(measures, cut, strict=True)
            ]
        )
    return _table(rows, measures)


_OF_LIST: Final[Mapping[str, Callable[[Sequence[Form]], float | None]]] = {
    "Duplicates": duplicate_share,
    "DuplicateWords": duplicate_word_share,
    "Redundancy": redundancy,
}


def _reached(k: Cutoff | None, predicted: int, gold: int) -> int:
    """How many predictions a cutoff takes; all without one."""
    return k if isinstance(k, int) else {"O": gold, "G": max(predicted, gold)}.get(k or "M", predicted)


def _table(rows: Sequence[Sequence[float | None]], measures: tuple[Measure, ...]) -> Floats:
    """Numbers by document and measure; nan for None."""
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(measures))


def _gains(listed: Relevance, alpha: float) -> Floats:
    """Gain of each rank, (ranks,)."""
    earlier: Ints = np.cumsum(listed, axis=0) - listed
    gains: Floats = (listed * (1 - alpha) ** earlier).sum(axis=1)
    return gains


def _greedy(pool: Relevance, depth: int, alpha: float) -> Floats:
    """Gains of the phrases of a pool in the order in which they gain most."""
    worth_of = pool.astype(np.float64)
    left = np.ones(len(pool), dtype=bool)
    seen = np.zeros(pool.shape[1])
    gains: list[float] = []
    for _ in range(min(depth, len(pool))):
        worth = np.where(left, worth_of @ (1 - alpha) ** seen, -1.0)
        best = int(np.argmax(worth))
        left[best] = False
        gains.append(float(worth[best]))
        seen += worth_of[best]
    return np.array(gains, dtype=np.float64)


def _repeated(things: Sequence[str]) -> float | None:
    """Share that came before."""
    return 1 - len(set(things)) / len(things) if things else None
