"""Features with names instead of numbers: the tag that a phrase begins with, the ending of its last word.

Each word of each mention has a place in it: B first, I inside, E last, S alone. Together with what the word is like
it makes a trait, such as ``B:NN`` or ``E:ion``; Berend and Farkas (2010) use them so. Which traits become columns is
learnt from training documents.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import NeedsUnmet

_PLACES: Final = np.array(["S", "B", "I", "E"])
_SINGLE, _BEGIN, _INSIDE, _END = range(4)
_TAG_LETTERS: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """Traits of one document's candidates.

    Attributes:
        names: distinct traits of the document, axis (traits,).
        trait: index into ``names``, (entries,).
        candidate: whose it is, (entries,).
        weight: words with the trait for each mention of the candidate, above 0, (entries,).
        candidates: number of candidates.
    """

    names: tuple[str, ...]
    trait: Ints
    candidate: Ints
    weight: Floats
    candidates: int

    def table(self, known: Sequence[str]) -> Floats:
        """Weights of some traits as columns, 0 where a candidate lacks one, (candidates, known)."""
        place = {name: at for at, name in enumerate(known)}
        column = np.array([place.get(name, -1) for name in self.names], np.int64)[self.trait]
        rows = np.zeros((self.candidates, len(known)))
        there = column >= 0
        rows[self.candidate[there], column[there]] = self.weight[there]
        return rows


def tag_traits(candidates: Candidates, document: AnalysedDocument) -> Traits:
    """Places and the first two letters of part-of-speech tags, such as ``B:NN``.

    Raises:
        NeedsUnmet: the document has no tags.
    """
    if document.tag is None:
        message = f"document {document.source.id!r} was analysed without part-of-speech tags"
        raise NeedsUnmet(message, "pip install 'keywright[tags]', and analyse with a TaggedAnalyser")
    return _traits(candidates, document.tag, [tag[:_TAG_LETTERS] for tag in document.tags])


def ending_traits(candidates: Candidates, document: AnalysedDocument, letters: int) -> Traits:
    """Places and the last letters of words, such as ``E:ion``; a shorter word is its own ending."""
    return _traits(candidates, document.word, [word[-letters:] for word in document.words])


def common_traits(documents: Iterable[Traits], least: int) -> tuple[str, ...]:
    """Traits that at least so many documents have, in alphabetical order."""
    counts: dict[str, int] = {}
    for traits in documents:
        for name in traits.names:
            counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(name for name, count in counts.items() if count >= least))


def _traits(candidates: Candidates, kind: Ints, kinds: Sequence[str]) -> Traits:
    """Traits from a kind of each token, an index (tokens,) into the names of kinds."""
    if not len(candidates):
        return Traits((), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), 0)
    labels, label_of = np.unique(np.array(kinds, dtype=object).astype(str), return_inverse=True)
    widths = candidates.widths
    mention = np.repeat(np.arange(len(widths)), widths)
    within = np.arange(len(mention)) - np.repeat(np.cumsum(widths) - widths, widths)
    place = np.full(len(mention), _INSIDE)
    place[within == widths[mention] - 1] = _END
    place[within == 0] = _BEGIN
    place[widths[mention] == 1] = _SINGLE
    label = label_of.reshape(-1)[kind[candidates.positions[mention] + within]]
    codes, trait = np.unique(place * len(labels) + label, return_inverse=True)
    pairs, count = np.unique(candidates.owner[mention] * len(codes) + trait, return_counts=True)
    names = (f"{_PLACES[code // len(labels)]}:{labels[code % len(labels)]}" for code in codes.tolist())
    owner = pairs // len(codes)
    return Traits(tuple(names), pairs % len(codes), owner, count / candidates.frequency[owner], len(candidates))
