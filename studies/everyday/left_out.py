"""Documents with the verdicts of models that saw nothing of their domain, and probabilities that learn from them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.extraction.corpus.knowledge import ANY
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import mix_log_odds, share_of_prose
from keywright.extraction.learners.trees import Trees
from studies.everyday.tastes import (
    JUDGED,
    Described,
    fit_gate,
    grow_other_trees,
    grow_tag_trees,
    number_of_tags,
    take_evenly,
)
from studies.training_data.examples import EXPECTED


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """A document with what models say that saw nothing of its domain.

    Attributes:
        others: log-odds by trees for authors and readers, for their usual number of keyphrases, (shortlist,).
        tags: by trees for tags, for theirs.
        share: of the taste for tags.
        number: of keyphrases that this taste expects.
        share_of_prose: of what corrects both for prose.
        correction: by trees for prose, (shortlist,).
        number_in_prose: of keyphrases that these expect.
    """

    described: Described
    others: Floats
    tags: Floats
    share: float
    number: float
    share_of_prose: float = 0.0
    correction: Floats | float = 0.0
    number_in_prose: float = EXPECTED

    @property
    def of_both(self) -> Floats:
        """Log-odds of both tastes, (shortlist,)."""
        return mix_log_odds(self.others, self.tags, np.full(len(self.tags), self.share))

    @property
    def mixed(self) -> Floats:
        """Log-odds of both as prose corrects them, (shortlist,)."""
        return np.asarray(self.of_both + self.share_of_prose * self.correction)

    @property
    def expected(self) -> float:
        """Number of keyphrases that the probabilities assume."""
        of_both = (1 - self.share) * EXPECTED + self.share * self.number
        return (1 - self.share_of_prose) * of_both + self.share_of_prose * self.number_in_prose


def leave_domains_out(
    documents: Sequence[Described],
    language: str,
    shipped: Trees,
    learnable: Callable[[Described], bool] = lambda _: True,
    done: Callable[[str], None] = lambda _: None,
    *,
    seed: int = 1,
) -> Iterator[HeldOut]:
    """Yield every document with the verdicts of models that saw nothing of its domain, domain by domain.

    Args:
        documents: tagged ones, others, and prose.
        language: English, or ``ANY`` other one.
        shipped: trees for authors and readers, which saw no tagged text.
        learnable: which documents may be learnt from.
        done: called with each domain.
        seed: of the trees.
    """
    by_weight = language == ANY
    trees_of_all = grow_tag_trees([each for each in documents if each.tagged and learnable(each)], language, seed)
    for domain in dict.fromkeys(each.domain for each in documents):
        left_out = [each for each in documents if each.domain == domain]
        keys = {each.key for each in left_out}
        rest = [d for d in documents if d.domain != domain and d.key not in keys and learnable(d)]
        gates = [fit_gate(rest, language)]
        if any(each.collection == JUDGED for each in rest):
            gates.append(fit_gate(rest, language, of_prose=True))
        number = number_of_tags(rest)
        some = left_out[0].tagged
        trees = grow_tag_trees([each for each in rest if each.tagged], language, seed) if some else trees_of_all
        others = shipped
        if language == "en" and not left_out[0].tagged and not left_out[0].is_prose:
            others = grow_other_trees([d for d in rest if not d.tagged and not d.is_prose], seed)
        for each in left_out:
            start, of_tags = each.start(EXPECTED, by_weight=by_weight), each.start(number, by_weight=by_weight)
            shares = [float(gate.shares(each.profile[None])[0]) for gate in gates]
            if len(shares) > 1:
                shares[1:] = share_of_prose(np.array(shares[1:]), np.array(shares[:1]), language).tolist()
            yield HeldOut(each, start + each.by(others), of_tags + each.by(trees), shares[0], number, *shares[1:])
        done(domain)


OF_EACH: Final = 150
"""Documents of each collection that probabilities are fitted on; arbitrary, most collections have as many."""


def fit_probability(held_out: Sequence[HeldOut], log_odds: Callable[[HeldOut], Floats]) -> ProbabilityMap:
    """Return the map to probabilities of log-odds such as ``HeldOut.of_both``, fitted on as many of each collection."""
    by_collection: dict[str, list[HeldOut]] = {}
    for each in held_out:
        if each.described.gold:
            by_collection.setdefault(each.described.collection, []).append(each)
    chosen = [each for documents in by_collection.values() for each in take_evenly(documents, OF_EACH)]
    answers = np.concatenate([each.described.answers for each in chosen])
    return ProbabilityMap.fit(np.concatenate(list(map(log_odds, chosen))), answers)


def fit_maps(held_out: Sequence[HeldOut]) -> tuple[ProbabilityMap, ProbabilityMap]:
    """Return the maps of both tastes together, and of what prose corrects in them."""
    judged = [each for each in held_out if each.described.collection == JUDGED]
    others = [each for each in held_out if not each.described.is_prose]
    return fit_probability(others, lambda each: each.of_both), fit_probability(judged, lambda each: each.mixed)
