"""How candidates are written: length, case, digits, distinct surface forms, acronyms."""

import re
from collections.abc import Iterable
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys, count_rows, locate_rows
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.text.abbreviations import Span, find_abbreviations
from keywright.text.keys import join_keys

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
    # Prefix sums: a span contains a marked token where the cumulative counts at its ends differ.
    before = np.concatenate(([0], np.cumsum(tokens)))
    return np.asarray(before[candidates.positions + candidates.widths] > before[candidates.positions])


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
    order = np.lexsort((np.arange(len(scores)), -scores, candidates.owner))
    return np.asarray(order[candidates.offsets[:-1]])


def surface_forms(candidates: Candidates, document: AnalysedDocument, occurrences: Ints) -> list[str]:
    """Return the tokens of some occurrences in lower case, joined by blanks."""
    starts, words = candidates.positions[occurrences], document.words
    ends = starts + candidates.widths[occurrences]
    tokens = document.word.tolist()
    return [
        " ".join([words[word] for word in tokens[start:end]])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


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
    first, size = bounds[number], count_rows(bounds)[number]
    span, place = locate_rows(np.concatenate(([0], np.cumsum(size))))
    compared = first[span] + place
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
