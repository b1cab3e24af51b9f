"""Values of word forms over the words of each candidate, their cohesion, and categories of first and last words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from keywright.core.arrays import Floats, Ints, Numbers, expand_ranges, sort_segments
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import NeedsUnmet, describe_install

_GATHERED: Final = {"sum": np.add, "mean": np.add, "least": np.minimum, "most": np.maximum}


def over_words(
    values: Numbers, candidates: Candidates, document: AnalysedDocument, over: Literal["sum", "mean", "least", "most"]
) -> Floats:
    """Return values of word forms aggregated over the tokens of each candidate's first mention, (candidates,)."""
    of_tokens = np.asarray(values, float)[document.word]
    if not len(candidates):
        return np.zeros(0)
    # The tokens of all first mentions in one column, reduced by candidate with one ``reduceat``.
    tokens, _ = expand_ranges(candidates.first, candidates.first + candidates.length)
    gathered = _GATHERED[over].reduceat(of_tokens[tokens], np.cumsum(candidates.length) - candidates.length)
    return np.asarray(gathered / candidates.length if over == "mean" else gathered)


def word_mentions(document: Analysed) -> Floats:
    """Return the tokens of the document with the stem of each word form, at least 1, (words,)."""
    # Group by sorting: word forms of one stem are a run of equal keys.
    order, begins = sort_segments(document.word_key, document.word_bounds)
    group = np.cumsum(begins) - 1
    of_forms = np.bincount(document.word, minlength=len(order))
    mentions = np.zeros(len(order))
    mentions[order] = np.bincount(group, weights=of_forms[order])[group]
    return mentions


SINGLE_WORD_WEIGHT: Final = 0.1
"""Weight of single words against phrases of several; arbitrary, and part of what the shipped trees were trained on."""


def generalised_dice(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return Park, Byrd and Boguraev's (2002) words times log10(mentions) times mentions over those of words."""
    mentions = candidates.frequency
    of_words = over_words(word_mentions(document), candidates, document, "sum")
    several = candidates.length * np.log10(mentions) * mentions / np.maximum(of_words, 1)
    return np.where(candidates.length > 1, several, SINGLE_WORD_WEIGHT * np.log10(1 + mentions))


def pointwise_mutual_information(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return ``log2(p(phrase) / product of p(word))``, (candidates,) (Church and Hanks 1990)."""
    size = max(1, len(document))
    information = np.log2(word_mentions(document) / size)
    of_words = over_words(information, candidates, document, "sum")
    return np.asarray(np.log2(candidates.frequency / size) - of_words)


_POSITIONS: Final = "SBIE"
_SINGLE, _BEGIN, _INSIDE, _END = range(4)  # indices of the positions
_TAG_LETTERS: Final = 2
"""Letters that tell word classes apart in the Penn tag set, where the rest marks number, tense and degree."""


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """Categories of one document's candidates, in sparse form: ``names``, (categories,), and entries.

    ``category``, ``candidate``: indices, (entries,); ``weight``: words per mention of the candidate, above 0,
    (entries,).
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
        raise NeedsUnmet(message, f"analyse with a TaggedAnalyser, of the extra tags: {describe_install('tags')}")
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
    token, mention = expand_ranges(candidates.positions, candidates.positions + widths)
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
