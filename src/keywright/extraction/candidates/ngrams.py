"""N-grams of tokens within a sentence, runs of allowed tokens, and masks of tokens to make them of, (tokens,)."""

from collections.abc import Callable, Container
from typing import Annotated, Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Ints, Keys, sort_segments
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed
from keywright.core.documents import AnalysedDocument, SectionKind, WordFlag
from keywright.core.errors import BadParameter, unknown_name
from keywright.text.keys import join_keys
from keywright.text.tag_lexicon import tag_classes

_LETTER, _SINGLE = int(WordFlag.LETTER), int(WordFlag.SINGLE)
_OTHER = int(WordFlag.STOP | WordFlag.SYMBOLIC | WordFlag.LONE)
_APPARATUS: Final = [kind.code for kind in (
    SectionKind.AUTHORS, SectionKind.METADATA, SectionKind.ACKNOWLEDGEMENTS, SectionKind.REFERENCES, SectionKind.NOTICE,
)]  # fmt: skip
"""Sections that are not the paper's own text."""


def content_words(document: Analysed) -> Bools:
    """Return words with a letter and at least two characters, without stop words, addresses and formulas."""
    return np.asarray((document.word_flags & (_LETTER | _OTHER) == _LETTER)[document.word], bool)


def tokens_among(document: Analysed, forms: Container[str]) -> Bools:
    """Return tokens with one of these forms, in lower case."""
    return np.fromiter(map(forms.__contains__, document.words), bool, len(document.words))[document.word]


def words_and_numbers(document: AnalysedDocument) -> Bools:
    """Return all tokens but signs."""
    return np.asarray(document.flags & WordFlag.PUNCTUATION == 0, bool)


def stop_words(document: AnalysedDocument) -> Bools:
    """Return stop words."""
    return np.asarray(document.flags & WordFlag.STOP > 0, bool)


def running_text(document: AnalysedDocument) -> Bools:
    """Return the paper's own text, without references, authors, metadata, acknowledgements and licence."""
    return np.isin(document.section, _APPARATUS, invert=True)


def group_occurrences(key: Keys, position: Ints, width: Ints, bounds: Ints | None = None) -> Candidates:
    """Return candidates in the order of their first occurrence.

    Occurrences have a key, a first token, ascending, and a number of tokens, (occurrences,) each. Equal keys of two
    documents are two candidates: ``bounds`` of the documents among the tokens, (documents + 1,), None for one.
    """
    # Run-length encoding of the sorted keys: each run of equal keys of a document is a candidate.
    of_documents = np.array([0, len(key)]) if bounds is None else position.searchsorted(bounds)
    order, begins = sort_segments(key, of_documents)
    sorted_key = key[order]
    heads = np.flatnonzero(begins)
    counts = np.diff(np.append(heads, len(key)))
    # The fast sort leaves equal keys in any order; sorting (run, occurrence), packed into one integer, restores reading
    # order at less than the cost of a stable sort of the keys.
    group = (np.cumsum(begins) - 1) * len(key)
    order = np.sort(group + order) - group
    # Each run now begins with the candidate's first occurrence: sort the runs by it, then gather them (ragged ranges).
    by_first = np.argsort(order[heads], kind="stable")
    frequency = counts[by_first]
    offsets = np.concatenate(([0], np.cumsum(frequency)))
    source = np.repeat(heads[by_first] - offsets[:-1], frequency) + np.arange(len(key))
    positions, widths = position[order[source]], width[order[source]]
    return Candidates(
        key=sorted_key[heads[by_first]],
        length=widths[offsets[:-1]],
        frequency=frequency,
        first=positions[offsets[:-1]],
        last=positions[offsets[1:] - 1],
        offsets=offsets,
        positions=positions,
        widths=widths,
    )


def regroup_occurrences(key: Keys, position: Ints, width: Ints) -> Candidates:
    """Return candidates like ``group_occurrences``, from occurrences in any order, each (occurrences,)."""
    order = np.lexsort((width, position))
    return group_occurrences(key[order], position[order], width[order])


WordRule: TypeAlias = Callable[[AnalysedDocument], Bools]
"""Function of a document to a mask of allowed tokens, (tokens,)."""


def ngrams(
    document: AnalysedDocument,
    longest: int,
    edges: WordRule = content_words,
    inside: WordRule | None = None,
    removed: WordRule | None = None,
) -> Candidates:
    """Return all n-grams of 1 to ``longest`` tokens, at least 1, that do not cross a sentence.

    ``edges``: tokens that may be first or last; ``inside``: between, or those of ``edges``; ``removed``: skipped.
    """
    return group_occurrences(*ngram_occurrences(document, longest, edges, inside, removed))


def ngram_occurrences(
    document: AnalysedDocument,
    longest: int,
    edges: WordRule = content_words,
    inside: WordRule | None = None,
    removed: WordRule | None = None,
) -> tuple[Keys, Ints, Ints]:
    """Return key, position and width in tokens of every occurrence, each (occurrences,), in reading order."""
    edge = edges(document)
    within = inside(document) | edge if inside else edge
    if not removed:
        allowed = np.flatnonzero(within)
        return _occurrences(document, longest, edge, allowed, allowed)
    rest = np.flatnonzero(~removed(document))
    allowed = np.flatnonzero(within[rest])
    return _occurrences(document, longest, edge, allowed, rest[allowed])


def ngrams_among(
    document: Analysed, longest: int, edges: Bools, inside: Bools, joints: Bools | None = None
) -> Candidates:
    """Return n-grams like ``ngrams``, from masks, (tokens,): ``edges`` first and last, those or ``inside`` between.

    ``joints`` may be between as well and do not count as words; signs among them are not part of the key.
    """
    allowed = np.flatnonzero(edges | inside | joints if joints is not None else edges | inside)
    return group_occurrences(*_occurrences(document, longest, edges, allowed, allowed, joints), document.bounds)


def _occurrences(
    document: Analysed, longest: int, edge: Bools, allowed: Ints, place: Ints, joints: Bools | None = None
) -> tuple[Keys, Ints, Ints]:
    """Return key, position and width of n-grams; tokens have a ``place``, and one without removed tokens."""
    reaching = reach(allowed, document.sentence[place])
    edge, word = edge[place], document.word[place]
    token_key, token_parts = document.word_key[word], document.word_parts[word]

    # Rolling hash: the key of n tokens comes from that of n - 1, for all positions at once; [n - 1, position].
    if longest < 1:
        raise BadParameter(f"n-grams of at most {longest} tokens", "expected at least 1")
    total, most = len(place), longest
    joined = np.zeros(total, bool) if joints is None else joints[place]
    if joined.any():
        sign = joined & (document.word_flags & WordFlag.PUNCTUATION > 0)[word]
        token_key, token_parts = np.where(sign, np.uint64(0), token_key), np.where(sign, 0, token_parts)
        longest += _MOST_JOINTS
    longest = min(longest, total)
    words = np.cumsum(~joined)
    keys = np.zeros((longest, total), np.uint64)
    single = (document.word_flags & _SINGLE > 0)[word]
    ends = np.zeros((total, longest), bool)
    keys[:1] = token_key
    for n in range(2, longest + 1):
        keys[n - 1, : total - n + 1] = join_keys(keys[n - 2, : total - n + 1], token_key[n - 1 :], token_parts[n - 1 :])
    for n in range(1, longest + 1):
        here = slice(0, total - n + 1)
        ends[here, n - 1] = edge[here] & edge[n - 1 :] & (reaching[here] >= n)
        if n > most:
            ends[here, n - 1] &= words[n - 1 :] - words[here] < most
    ends[:, :1] &= ~single[:, None]
    first, less = np.nonzero(ends)
    position = place[first]
    return keys[less, first], position, place[first + less] - position + 1


_MOST_JOINTS: Final = 3  # joints by which an n-gram may be longer; two have *Peter's* in names like *Dr. Peter's Café*


def reach(allowed: Ints, sentence: Ints) -> Ints:
    """Return the number of adjacent allowed tokens of the sentence from each one on, itself included, (allowed,)."""
    # Run-length encoding: the reach of a token is the end of its run less its own place.
    begins = np.ones(len(allowed), bool)
    begins[1:] = (allowed[1:] > allowed[:-1] + 1) | (sentence[1:] > sentence[:-1])
    ends = np.append(np.flatnonzero(begins)[1:], len(allowed))
    return np.asarray(ends[np.cumsum(begins) - 1] - np.arange(len(allowed)))


StopWords: TypeAlias = Annotated[
    Literal["anywhere", "edges", "nowhere", "ignored", "removed"],
    "where stop words end a phrase: anywhere, edges, nowhere (ignored: nor do signs; removed: both go)",
]
_RULES: Final[dict[StopWords, tuple[WordRule, WordRule | None, WordRule | None]]] = {
    "anywhere": (content_words, None, None),
    "edges": (content_words, words_and_numbers, None),
    "nowhere": (words_and_numbers, None, None),
    "ignored": (words_and_numbers, None, lambda document: ~words_and_numbers(document)),
    "removed": (words_and_numbers, None, lambda document: ~words_and_numbers(document) | stop_words(document)),
}


def plain_ngrams(document: AnalysedDocument, longest: int, stop_words: StopWords = "anywhere") -> Candidates:
    """Return n-grams of up to ``longest`` tokens under one of the usual treatments of stop words, ``StopWords``."""
    if stop_words not in _RULES:
        raise unknown_name("treatment of stop words", stop_words, _RULES, "keywright systems tfidf")
    edges, inside, removed = _RULES[stop_words]
    return ngrams(document, longest, edges, inside, removed)


_NOUN_OR_ADJECTIVE: Final = np.frombuffer(b"NJ", np.uint8)


def runs(document: AnalysedDocument, allowed: Bools) -> Candidates:
    """Return the longest runs of allowed tokens, (tokens,), inside a sentence, of any length."""
    # Run-length encoding: a run begins where the position or the sentence jumps.
    place = np.flatnonzero(allowed)
    begins = np.ones(len(place), bool)
    begins[1:] = (np.diff(place) > 1) | (np.diff(document.sentence[place]) > 0)
    heads = np.flatnonzero(begins)
    width = np.diff(np.append(heads, len(place)))
    phrases = (width > 1) | (document.word_flags & _SINGLE == 0)[document.word[place[heads]]]
    return spans(document, place[heads[phrases]], width[phrases])


def spans(document: AnalysedDocument, position: Ints, width: Ints) -> Candidates:
    """Return spans of tokens as candidates: the first token of each, ascending, and tokens of each, (spans,) both."""
    # Rolling hash: all keys grow by one token per step, as long as their span is longer.
    key = document.word_key[document.word[position]]
    for reached in range(1, int(width.max(initial=0))):
        longer = np.flatnonzero(width > reached)
        word = document.word[position[longer] + reached]
        key[longer] = join_keys(key[longer], document.word_key[word], document.word_parts[word])
    return group_occurrences(key, position, width)


def nouns_and_adjectives(document: AnalysedDocument) -> Bools:
    """Return whether each token is a noun or adjective, (tokens,)."""
    return np.isin(np.frombuffer(tag_classes(document).encode(), np.uint8), _NOUN_OR_ADJECTIVE)
