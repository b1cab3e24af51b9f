"""Categorical features of the words of a phrase: the tag of its first word, the ending of its last word.

Each word of a mention has a position in it: B first, I inside, E last, S single. Together with the word's tag or ending
it gives a category, such as ``B:NN`` or ``E:ion`` (Berend and Farkas 2010). Training documents decide which categories
become columns.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import NeedsUnmet
from keywright.core.extras import installing
from keywright.core.segments import rows_between

_POSITIONS: Final = np.array(["S", "B", "I", "E"])
_SINGLE, _BEGIN, _INSIDE, _END = range(4)
"""Indices of the positions."""
_TAG_LETTERS: Final = 2
"""Letters that tell word classes apart in the Penn tag set, where the rest marks number, tense and degree."""


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """Categories of one document's candidates, in sparse form.

    Attributes:
        names: distinct categories of the document, axis (categories,).
        category: index into ``names``, (entries,).
        candidate: index of the candidate, (entries,).
        weight: words of the category per mention of the candidate, above 0, (entries,).
    """

    names: tuple[str, ...]
    category: Ints
    candidate: Ints
    weight: Floats
    candidates: int

    def columns(self, names: Sequence[str]) -> Floats:
        """Return the weights of some categories, 0 where a candidate has none, (candidates, names)."""
        place = {name: column for column, name in enumerate(names)}
        column = np.array([place.get(name, -1) for name in self.names], np.int64)[self.category]
        rows = np.zeros((self.candidates, len(names)))
        wanted = column >= 0
        rows[self.candidate[wanted], column[wanted]] = self.weight[wanted]
        return rows


def tag_categories(candidates: Candidates, document: AnalysedDocument) -> Categories:
    """Return positions with the first two letters of part-of-speech tags, such as ``B:NN``."""
    if document.tag is None:
        message = f"document {document.source.id!r} was analysed without part-of-speech tags"
        raise NeedsUnmet(message, f"analyse with a TaggedAnalyser, of the extra tags: {installing('tags')}")
    return _categories(candidates, document.tag, [tag[:_TAG_LETTERS] for tag in document.tags])


def ending_categories(candidates: Candidates, document: AnalysedDocument, letters: int) -> Categories:
    """Return positions with the last letters of words, such as ``E:ion``; a shorter word is its own ending."""
    return _categories(candidates, document.word, [word[-letters:] for word in document.words])


def common_categories(documents: Iterable[Categories], least: int) -> tuple[str, ...]:
    """Return the categories that at least ``least`` documents have, in alphabetical order."""
    counts = Counter(name for categories in documents for name in categories.names)
    return tuple(sorted(name for name, count in counts.items() if count >= least))


def _categories(candidates: Candidates, label: Ints, labels: Sequence[str]) -> Categories:
    """Return the categories from a label of each token, an index (tokens,) into ``labels``."""
    if not len(candidates):
        return Categories((), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), 0)
    distinct, distinct_of = np.unique(np.array(labels, dtype=object).astype(str), return_inverse=True)
    widths = candidates.widths
    token, mention = rows_between(candidates.positions, candidates.positions + widths)
    within = token - candidates.positions[mention]
    position = np.full(len(mention), _INSIDE)
    position[within == widths[mention] - 1] = _END
    position[within == 0] = _BEGIN
    position[widths[mention] == 1] = _SINGLE
    token_label = distinct_of.reshape(-1)[label[token]]
    # Pairs packed into one integer (position and label, then candidate and category) are counted by one sort.
    codes, category = np.unique(position * len(distinct) + token_label, return_inverse=True)
    pairs, count = np.unique(candidates.owner[mention] * len(codes) + category, return_counts=True)
    names = (f"{_POSITIONS[code // len(distinct)]}:{distinct[code % len(distinct)]}" for code in codes.tolist())
    owner = pairs // len(codes)
    return Categories(tuple(names), pairs % len(codes), owner, count / candidates.frequency[owner], len(candidates))
