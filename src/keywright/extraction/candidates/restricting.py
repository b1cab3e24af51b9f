"""Candidates of one document restricted by tokens, frequency, paragraphs, stop lists, vocabularies and citations."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.extraction.candidates.grouping import regroup_occurrences
from keywright.extraction.candidates.ngrams import WordRule, ngrams
from keywright.extraction.candidates.words import content_words
from keywright.extraction.vocabularies.label_keys import ANY_CASE, CAPITALS, LabelKeys
from keywright.text.keys import join_keys
from keywright.text.label_stems import PLURAL_CAPITALS, label_key, word_keys
from keywright.text.tokens import read_section


def mentions_among(candidates: Candidates, tokens: Bools) -> Candidates:
    """Return the candidates with only those occurrences whose tokens a mask (tokens,) marks; none without any."""
    # Prefix sums: a span is wholly inside where as many tokens are marked as it has.
    before = np.concatenate(([0], np.cumsum(tokens)))
    inside = before[candidates.positions + candidates.widths] - before[candidates.positions] == candidates.widths
    return regroup_occurrences(
        candidates.key[candidates.owner[inside]], candidates.positions[inside], candidates.widths[inside]
    )


def unite_candidates(left: Candidates, right: Candidates) -> Candidates:
    """Return the union of candidates of one document; an occurrence in both counts once."""
    key = np.concatenate((np.repeat(left.key, left.frequency), np.repeat(right.key, right.frequency)))
    position = np.concatenate((left.positions, right.positions))
    width = np.concatenate((left.widths, right.widths))
    _, once = np.unique(np.stack((position, width)), axis=1, return_index=True)
    return regroup_occurrences(key[once], position[once], width[once])


def maximal_frequent_sequences(
    document: AnalysedDocument, least: int, longest: int, allowed: WordRule = content_words
) -> Candidates:
    """Return sequences with at least ``least`` mentions that no longer such sequence contains.

    Ahonen-Myka, "Finding all maximal frequent sequences in text" (1999), without gaps between the words. Mentions
    inside longer sequences count, so each part of a frequent sequence is frequent, and only maximal ones are returned.
    Tokens that are not ``allowed``, and ends of sentences, end a sequence.
    """
    sequences = ngrams(document, longest, allowed)
    frequent = sequences.where(sequences.frequency >= least)
    start, end = frequent.positions, frequent.positions + frequent.widths
    # Interval containment without comparing pairs: a mention is inside another one that begins at the same token and
    # ends later, or begins earlier and ends no earlier; running maxima of the ends answer both.
    end_from = np.zeros(len(document) + 1, np.int64)  # [token + 1]: latest end of a mention that begins at the token
    np.maximum.at(end_from[1:], start, end)
    end_before = np.maximum.accumulate(end_from)
    inside = (end_from[start + 1] > end) | (end_before[start] >= end)
    return frequent.where(np.bincount(frequent.owner[inside], minlength=len(frequent)) == 0)


def paragraph_openings(document: AnalysedDocument) -> Bools:
    """Return whether each token is in the first sentence of a paragraph, (tokens,): one that begins a line."""
    heads = np.flatnonzero(np.diff(document.sentence, prepend=-1))
    before = np.where(heads > 0, document.end[np.maximum(heads - 1, 0)], 0) if len(document) else heads
    text = document.source.text
    gaps = zip(before.tolist(), document.start[heads].tolist(), strict=True)
    opens = np.array([not end or "\n" in text[end:start] for end, start in gaps], bool)
    return np.repeat(opens, np.diff(np.append(heads, len(document))))


Place: TypeAlias = Literal["start", "middle", "end", "alone"]
"""Position of a word in a phrase; ``alone`` for the word of a one-word phrase."""
_ANYWHERE: Final = "anywhere"
_ENDINGS: Final = ("", "s", "es")  # endings of regular plurals, so that the lists need singulars only


@lru_cache(maxsize=1)
def black_lists() -> Mapping[str, frozenset[str]]:
    """Return forbidden English word forms in lower case, by ``Place``."""
    read = partial(read_section, "black_lists_en.txt", package="keywright.extraction.candidates")
    places = get_args(Place)
    return {at: frozenset(word + end for word in read(at) | read(_ANYWHERE) for end in _ENDINGS) for at in places}


def black_listed(candidates: Candidates, document: AnalysedDocument) -> Bools:
    """Return whether the first mention has a word where a list forbids it, (candidates,)."""
    first, last = candidates.first, candidates.first + candidates.length - 1
    single = candidates.length == 1
    # Prefix sums: forbidden words inside a span are a difference of two cumulative counts, whatever its length.
    before_middle = np.concatenate(([0], np.cumsum(_forbidden(document, "middle"))))
    in_middle = before_middle[last] > before_middle[np.minimum(first + 1, last)]
    at_edge = _forbidden(document, "start")[first] | _forbidden(document, "end")[last]
    return np.where(single, _forbidden(document, "alone")[first], at_edge | in_middle)


def _forbidden(document: AnalysedDocument, place: Place) -> Bools:
    """Return whether each token is on the list of a place, (tokens,)."""
    listed = black_lists()[place]
    return np.fromiter((word in listed for word in document.words), bool, len(document.words))[document.word]


Removal: TypeAlias = Literal["citations", "addresses", "equations"]  # kinds of text that can be removed

_YEAR: Final = r"(?:19|20)\d\d[a-z]?"
_CITATION: Final = re.compile(
    rf"""
    \[\s*\d{{1,3}}(?:\s*[,;–-]\s*\d{{1,3}})*\s*\]                        # [3], [4, 7-9]
  | \[[A-Z][\w+]*\s?\d{{2,4}}[a-z]?(?:\s*[,;]\s*[A-Z][\w+]*\s?\d{{2,4}}[a-z]?)*\]   # [Lam78], [ABC+99, Lam78]
  | \((?:(?:see|e\.g\.|cf\.)[\s,]+)?[A-Z][^()]{{0,200}}?\b{_YEAR}(?:[,;][^()]{{0,200}})?\)  # (Lamport, 1978; ...)
  | \(\s*{_YEAR}(?:\s*[,;]\s*{_YEAR})*\s*\)                              # (1978)
  | \b[A-Z][\w'’-]+\set\sal\b\.?                                         # Lamport et al.
    """,
    re.VERBOSE,
)
_ADDRESS: Final = re.compile(r"(?:https?|ftp)://\S+|\bwww\.\S+|\S+@[\w-]+(?:\.[\w-]+)+")
_RELATIONS: Final = frozenset("= ≠ ≤ ≥ < > ≈ ≡ ∈ ∉ ⊂ ⊆ → ⇒ ∝ := == <= >= != ≪ ≫".split())
_NAME: Final = 2  # maximum characters of a variable's name; arbitrary


def citations(document: AnalysedDocument) -> Bools:
    """Return whether each token is in a citation in the text, (tokens,).

    *[3, 7]*, *[Lam78]*, parentheses with a name first and a year last (*(Gray, 1981)*), and names before *et al.*
    """
    return _inside(document, _CITATION)


def addresses(document: AnalysedDocument) -> Bools:
    """Return whether each token is in an address of the web or of mail, (tokens,)."""
    return _inside(document, _ADDRESS)


def equations(document: AnalysedDocument) -> Bools:
    """Return whether each token is in an equation, a run of signs and short names with a relation, (tokens,)."""
    form = [len(word) <= _NAME for word in document.words]
    short = np.array(form, bool) & (document.word_flags & WordFlag.STOP == 0)
    odd = document.word_flags & (WordFlag.PUNCTUATION | WordFlag.SYMBOLIC | WordFlag.LONE | WordFlag.DIGIT) > 0
    relation = np.fromiter(map(_RELATIONS.__contains__, document.words), bool, len(document.words))
    mathematical = (short | odd)[document.word]
    # Run-length encoding: tokens of one run share a number, and a run is an equation where it holds a relation.
    run = np.cumsum(np.diff(mathematical, prepend=False))
    holds = np.bincount(run, relation[document.word], int(run.max(initial=0)) + 1) > 0
    return np.asarray(mathematical & holds[run], bool)


REMOVALS: Final[Mapping[Removal, WordRule]] = {
    "citations": citations,
    "addresses": addresses,
    "equations": equations,
}


def remaining(document: AnalysedDocument, removed: Iterable[Removal]) -> Bools:
    """Return the tokens outside of what is removed, (tokens,); all where nothing is."""
    stays = np.ones(len(document), bool)
    for kind in removed:
        stays &= ~REMOVALS[kind](document)
    return stays


def _inside(document: AnalysedDocument, pattern: re.Pattern[str]) -> Bools:
    """Return whether each token begins inside a match of a pattern in the text, (tokens,)."""
    spans = np.array([match.span() for match in pattern.finditer(document.source.text)], np.int64).reshape(-1, 2)
    # Spans are sorted and disjoint: a token is inside one where more spans have begun than have ended.
    begun = np.searchsorted(spans[:, 0], document.start, "right")
    return np.asarray(begun > np.searchsorted(spans[:, 1], document.start, "right"), bool)


def mentions_of(document: AnalysedDocument, labels: LabelKeys) -> Candidates:
    """Return the labels of a vocabulary that occur in a document, as candidates with the keys of ``label_key``.

    Whole words are compared by ``label_stems``, including stop words and numbers. A label crosses a sign or the end of
    a sentence only where it has the sign itself, and a label of one word in capitals is found in capitals alone.
    """
    language = document.source.language or "en"
    keys, numbers = word_keys(document.words, language)
    form_key, form_parts = np.array(keys, np.uint64), np.array(numbers, np.int64)
    token_key, token_parts = form_key[document.word], form_parts[document.word]
    form_begins, form_kinds = labels.look_up(form_key)  # each distinct word once
    begins, kinds = form_begins[document.word], form_kinds[document.word]
    plurals = _plurals_of_capitals(document)
    token_key[plurals] = [label_key(_text(document, token), language) for token in plurals.tolist()]
    begins[plurals], kinds[plurals] = labels.look_up(token_key[plurals])
    ends_open = form_parts == 0  # a sign, or an abbreviation such as *D.C.* that may end a sentence
    ends_open |= np.fromiter((word.endswith(".") for word in document.words), bool, len(document.words))
    follows = np.zeros(len(document), bool)  # whether the next token may belong to the same label
    follows[:-1] = (document.sentence[1:] == document.sentence[:-1]) | ends_open[document.word[:-1]]
    # N-grams grow by one token at all positions at once, only where a label begins like them: a vocabulary with one
    # label of thirty words does not cost thirty look-ups at each position. Keys with signs are followed, and those
    # without are returned.
    first = np.flatnonzero(begins & (token_parts > 0))
    key, plain, kinds, begins = token_key[first], token_key[first], kinds[first], np.ones(len(first), bool)
    mentions = [(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64))]
    width = 1
    while len(first):
        whole = np.flatnonzero((kinds == ANY_CASE) | _in_capitals(document, first, width, kinds))
        mentions.append((plain[whole], first[whole], np.full(len(whole), width)))
        grows = np.flatnonzero(begins & follows[first + width - 1])
        first, key, plain = first[grows], key[grows], plain[grows]
        more = first + width
        key = join_keys(key, token_key[more], np.maximum(token_parts[more], 1))
        plain = np.where(token_parts[more] > 0, join_keys(plain, token_key[more], token_parts[more]), plain)
        width += 1
        begins, kinds = labels.look_up(key)
    return regroup_occurrences(*map(np.concatenate, zip(*mentions, strict=True)))


def _plurals_of_capitals(document: AnalysedDocument) -> Ints:
    """Return the tokens that are plurals of acronyms, whose words are those of longer acronyms: *GPs* and *GPS*."""
    mixed = np.flatnonzero(document.case == Case.MIXED).tolist()
    return np.array([token for token in mixed if PLURAL_CAPITALS.search(_text(document, token))], np.int64)


def _in_capitals(document: AnalysedDocument, first: Ints, width: int, kinds: NDArray[np.uint8]) -> Bools:
    """Return whether stretches whose key is of labels in capitals have no small letter but a plural's, (stretches,)."""
    capitals = np.zeros(len(first), bool)
    for row in np.flatnonzero(kinds == CAPITALS).tolist():
        capitals[row] = _text(document, int(first[row]), width).removesuffix("s").isupper()
    return capitals


def _text(document: AnalysedDocument, token: int, width: int = 1) -> str:
    return document.source.text[document.start[token] : document.end[token + width - 1]]
