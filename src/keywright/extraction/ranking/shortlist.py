"""The first ranking of the default: which candidates are worth a description, and the order of those that are not."""

import itertools
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.document_batches import Analysed
from keywright.core.documents import SectionKind
from keywright.extraction.candidates.prefilter import letters_of_terms, passes_prefilter, usual_candidates
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.described_candidates import DescribedCandidates
from keywright.extraction.features.description.weighing import Weighing

ZONES: Final = (
    SectionKind.TITLE,
    SectionKind.ABSTRACT,
    SectionKind.INTRODUCTION,
    SectionKind.RELATED,
    SectionKind.CONCLUSION,
    SectionKind.HEADING,
    SectionKind.REFERENCES,
)
_LONG_TEXT: Final = 1000
"""Tokens from which on a phrase must be repeated or occur in a zone; arbitrary, between abstracts and papers."""
_AUTHOR_CHOICE: Final = 0.3
"""Weight of the logarithm of a phrase's author choices; chosen with the weights of ``counting`` on training papers
(``docs/decisions/0013-trained-default.md``)."""


def select_shortlist(
    document: Analysed, knowledge: Knowledge, weighing: Weighing, size: int
) -> tuple[DescribedCandidates, Floats]:
    """Return the candidates with the ``size`` heaviest of each document, and the weight of all, (candidates,)."""
    letters = letters_of_terms(document, knowledge.chosen, knowledge.nouns)
    candidates = usual_candidates(document, letters)
    passing = passes_prefilter(candidates, document, ZONES, _LONG_TEXT)  # nothing is looked up for the others
    counts = knowledge.counts(candidates.key[passing])
    rarity, choices = np.ones(len(candidates)), np.zeros(len(candidates))
    rarity[passing], choices[passing] = knowledge.background.rarity(counts["background"]), counts["chosen"]
    product = np.prod(list(weighing.factors(candidates, document, rarity).values()), axis=0)
    weight = np.where(passing, product * (1 + _AUTHOR_CHOICE * np.log1p(choices)), 0.0)
    bounds = candidates.first.searchsorted(document.bounds)
    parts = [heaviest(weight[begin:end], size) for begin, end in itertools.pairwise(bounds.tolist())]
    return DescribedCandidates(document, candidates, np.concatenate(parts)), weight


def heaviest(weight: Floats, size: int) -> Bools:
    """Return whether each weight is one of the ``size`` largest, (candidates,); of equal ones the first are."""
    if not 0 < size < len(weight):
        return np.full(len(weight), size > 0)
    # A partial sort finds the bound; only ties at the bound are then taken in order.
    least = np.partition(weight, len(weight) - size)[len(weight) - size]
    largest = weight > least
    largest[np.flatnonzero(weight == least)[: size - np.count_nonzero(largest)]] = True
    return np.asarray(largest)
