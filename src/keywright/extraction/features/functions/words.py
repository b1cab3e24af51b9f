"""Words of candidates and how they are written: values, cohesion, categories, case, surface forms, acronyms."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys, Numbers, count_inside, expand_ranges, sort_segments
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.core.errors import NeedsUnmet, describe_install
from keywright.text.abbreviations import Span, find_abbreviations
from keywright.text.keys import join_keys

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
    of_words = over_words(np.log2(word_mentions(document) / size), candidates, document, "sum")
    return np.asarray(np.log2(candidates.frequency / size) - of_words)


_POSITIONS: Final = "SBIE"
_SINGLE, _BEGIN, _INSIDE, _END = range(4)  # indices of the positions
_TAG_LETTERS: Final = 2
"""Letters that tell word classes apart in the Penn tag set, where the rest marks number, tense and degree."""


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """Categories of one document's candidates, in sparse form: ``names``, (categories,), and entries."""

    names: tuple[str, ...]
    category: Ints  # index, (entries,)
    candidate: Ints  # index, (entries,)
    weight: Floats  # words per mention of the candidate, above 0, (entries,)
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


_THRICE: Final = re.compile(r"([^\W\d_])\1\1")


def acronym_share(candidates: Candidates, document: Analysed) -> Floats:
    """Return the share of mentions that are one token with inner capitals (*DNS*, *HyARM*), 0 to 1, (candidates,)."""
    odd = (document.case[candidates.positions] >= Case.UPPER) & (candidates.widths == 1)
    return _share_of_mentions(candidates, odd)


def capital_share(candidates: Candidates, document: AnalysedDocument) -> Floats:
    """Return the share of mentions without an all-lower-case word, as in names and titles, 0 to 1, (candidates,)."""
    return _share_of_mentions(candidates, ~mentions_with(candidates, document.case == Case.LOWER))


def has_special_characters(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether a mention has a hyphen, slash, digit, or inner capital (Eichler and Neumann 2010)."""
    marks = document.flags & (WordFlag.COMPOUND | WordFlag.DIGIT) > 0
    return _share_of_mentions(candidates, mentions_with(candidates, marks | (document.case >= Case.UPPER))) > 0


def is_oddly_spelt(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether a mention has mixed case or a letter three times in a row (Berend and Farkas 2010)."""
    repeated = np.fromiter((bool(_THRICE.search(word)) for word in document.words), bool, len(document.words))
    odd = (document.case == Case.MIXED) | repeated[document.word]
    return _share_of_mentions(candidates, mentions_with(candidates, odd)) > 0


def holds_stop_word(candidates: Candidates, document: Analysed) -> Bools:
    """Return whether the first mention contains a stop word, (candidates,)."""
    return mentions_with(candidates, document.flags & WordFlag.STOP > 0)[candidates.offsets[:-1]]


def mentions_with(candidates: Candidates, tokens: Bools) -> Bools:
    """Return whether each mention contains a token of a mask (tokens,), (occurrences,)."""
    return count_inside(tokens, candidates.positions, candidates.positions + candidates.widths) > 0


def _share_of_mentions(candidates: Candidates, mentions: Bools) -> Floats:
    marked = np.bincount(candidates.owner, weights=mentions, minlength=len(candidates))
    return np.asarray(marked / np.maximum(candidates.frequency, 1))


def surface_form_counts(candidates: Candidates, document: AnalysedDocument) -> Ints:
    """Return how often the surface form of each occurrence, regardless of case, occurs, (occurrences,)."""
    positions, widths = candidates.positions, candidates.widths
    number = np.zeros(len(positions), np.int64)
    # Prefix numbering: the number of the words so far and the next word, packed into one integer and renumbered, give
    # the number of the longer prefix. Renumbering keeps the integers small, whatever the length.
    for step in range(int(widths.max(initial=0))):
        longer = widths > step
        word = np.zeros(len(positions), np.int64)
        word[longer] = document.word[positions[longer] + step] + 1
        number = np.unique(number * (len(document.words) + 1) + word, return_inverse=True)[1].reshape(-1)
    return np.bincount(number, minlength=1)[number]


def best_occurrences(candidates: Candidates, scores: Floats) -> Ints:
    """Return the index of each candidate's occurrence with the highest score, the earliest of equals, (candidates,)."""
    return np.asarray(np.lexsort((np.arange(len(scores)), -scores, candidates.owner))[candidates.offsets[:-1]])


def surface_forms(candidates: Candidates, document: AnalysedDocument, occurrences: Ints) -> list[str]:
    """Return the tokens of some occurrences in lower case, joined by blanks."""
    starts, words = candidates.positions[occurrences], document.words
    ends = starts + candidates.widths[occurrences]
    tokens = document.word.tolist()
    bounds = zip(starts.tolist(), ends.tolist(), strict=True)
    return [" ".join([words[word] for word in tokens[start:end]]) for start, end in bounds]


def abbreviated_phrases(candidates: Candidates, document: Analysed) -> tuple[Floats, Floats]:
    """Return 1 for abbreviations that the document defines, and for their long forms, else 0, (candidates,) each."""
    pairs = find_abbreviations(document)
    short = among_spans(candidates, document, (pair.short for pair in pairs))
    return short, among_spans(candidates, document, (pair.long for pair in pairs))


def among_spans(candidates: Candidates, document: Analysed, spans: Iterable[Span]) -> Floats:
    """Return 1 for candidates with the key of one of the spans of their document, else 0, (candidates,)."""
    begins_and_ends = np.array(list(spans), np.int64).reshape(-1, 2)
    if not len(begins_and_ends):
        return np.zeros(len(candidates))
    bounds, number = candidates.first.searchsorted(document.bounds), document.numbers(begins_and_ends[:, 0])
    # Ragged ranges: each of the few spans is compared with all candidates of its document.
    compared, span = expand_ranges(bounds[number], bounds[number + 1])
    among = np.zeros(len(candidates))
    among[compared[candidates.key[compared] == _keys(document, *begins_and_ends.T)[span]]] = 1
    return among


def _keys(document: Analysed, begins: Ints, ends: Ints) -> Keys:
    """Return the keys of spans of at least one token, signs left out, (spans,)."""
    # Rolling hash: all keys grow by one token per step, as long as their span is longer.
    keys = np.zeros(len(begins), np.uint64)
    for ahead in range(int((ends - begins).max(initial=0))):
        word = document.word[np.minimum(begins + ahead, ends - 1)]
        counts = (begins + ahead < ends) & (document.word_flags[word] & WordFlag.PUNCTUATION == 0)
        keys = np.where(counts, join_keys(keys, document.word_key[word], document.word_parts[word]), keys)
    return keys
