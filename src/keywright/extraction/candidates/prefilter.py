"""The default extractor's candidates, and a cheap filter of them.

Single capitals that belong to a term, as in *vitamin D*, *T cell* and *hepatitis B virus*, may begin or end a phrase,
and stop words that begin a name, as in *New Zealand*, may begin one.
"""

from typing import Final, NamedTuple

import numpy as np

from keywright.core.arrays import Bools, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, count_tokens
from keywright.core.documents import SECTION_KINDS, Case, SectionKind, WordFlag
from keywright.extraction.candidates.ngrams import first_words, ngrams_among
from keywright.extraction.candidates.words import (
    content_words_and_capitals,
    content_words_and_connectors,
)
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.text.keys import join_keys

_LONE = int(WordFlag.LONE | WordFlag.LETTER)


class Letters(NamedTuple):
    """Tokens that are a single capital and part of a term, (tokens,) each.

    Attributes:
        begin: those that form a term with the next word, so that a phrase may begin with them: *T cell*.
        end: those that form a term with the previous word, so that a phrase may end with them: *vitamin D*.
        names: stop words that begin a name, which no phrase tears: *New Zealand*.
    """

    begin: Bools
    end: Bools
    names: Bools


def letters_of_terms(document: Analysed, *tables: PhraseCounts) -> Letters:
    """Return the capitals that form a known phrase with a neighbour, and the first words of names.

    Most single letters of papers are variables (*graph G*, *node B*), which are in no table. A stop word at the
    beginning of a sentence is part of a name if a table has it with the next word.
    """
    letters = Letters(*np.zeros((3, len(document)), bool))
    sure, possible = first_words(document)
    letters.names[sure] = True
    if not tables:
        return letters
    lone = (document.word_flags & _LONE == _LONE)[document.word] & (document.case == Case.CAPITAL)
    if not lone.any() and not len(possible):
        return letters
    first = lone.copy()
    first[possible] = True
    left = np.flatnonzero((first[:-1] | lone[1:]) & (document.sentence[:-1] == document.sentence[1:]))
    pair = join_keys(_key(document, left), _key(document, left + 1), document.word_parts[document.word[left + 1]])
    term = left[np.any([table.of(pair) > 0 for table in tables], axis=0)]
    letters.begin[term] = lone[term]
    letters.end[term + 1] = lone[term + 1]
    letters.names[term] |= first[term] & ~lone[term]
    return letters


def _key(document: Analysed, tokens: Ints) -> Keys:
    return document.word_key[document.word[tokens]]


_LONGEST: Final = 5
"""Maximum words of a candidate; arbitrary, and what the shipped trees were trained on."""
_CHARACTERS_OF_WORD: Final = {"zh": 2, "ja": 2}
"""Tokens of a word in languages whose tokens are characters; a rule of thumb."""
_LONGEST_WORD: Final = 100
"""Maximum characters of a word; arbitrary: longer tokens are data, or text without blanks."""


def usual_candidates(document: Analysed, letters: Letters | None = None) -> Candidates:
    """Return phrases of up to five words with content words at both ends and content words and connectors inside."""
    longest = _LONGEST * _CHARACTERS_OF_WORD.get(document.language or "", 1)
    words, inside = content_words_and_capitals(document), content_words_and_connectors(document)
    endless = document.end - document.start > _LONGEST_WORD
    if endless.any():
        words, inside = words & ~endless, inside & ~endless
    begin, end, names = letters or letters_of_terms(document)
    begin = begin | names
    inside = inside | joining_signs(document)
    initials, stops = initials_of_names(document)
    versions = versions_of_names(document)
    begin, end, inside = begin | initials, end | versions, inside | stops
    either = begin | end
    if not either.any():
        return ngrams_among(document, longest, words, inside)
    candidates = ngrams_among(document, longest, words | either, inside | names)
    first, last = candidates.first, candidates.first + candidates.length - 1
    torn = (either & ~begin)[first] | (either & ~end)[last] | np.append(names, False)[first - 1]
    return candidates.where(~torn & ((candidates.length > 1) | ~either[first]))


def joining_signs(document: Analysed) -> Bools:
    """Return tokens of possession, which are inside phrases: *Alzheimer's disease*, *Bayes' theorem*, (tokens,)."""
    forms = document.words
    of_form = np.fromiter((form == "'s" for form in forms), bool, len(forms))
    apostrophe = np.fromiter((form == "'" for form in forms), bool, len(forms))
    plural = np.fromiter((form.endswith("s") and len(form) > 1 for form in forms), bool, len(forms))
    joins = of_form[document.word]
    at = np.flatnonzero(apostrophe[document.word][1:]) + 1
    joins[at] = plural[document.word[at - 1]] & (document.end[at - 1] == document.start[at])
    return joins


_ABBREVIATED: Final = frozenset("st mt ft dr mr mrs ms jr prof gen".split())
"""Abbreviations before names, in normal form: *St. John's wort*."""
_LEAST_NAME: Final = 3
"""Minimum characters of the name of a species, or a person, after an initial; arbitrary."""


def initials_of_names(document: Analysed) -> tuple[Bools, Bools]:
    """Return initials that begin a name with the small word behind them, *E. coli*, and the full stops, (tokens,) each.

    Full stops of abbreviations before names count as well: *St. John's wort*.
    """
    initials, stops = np.zeros((2, len(document)), bool)
    forms = document.words
    is_stop = np.fromiter((form == "." for form in forms), bool, len(forms))[document.word]
    at = np.flatnonzero(is_stop[1:-1]) + 1
    at = at[(document.end[at - 1] == document.start[at]) & (document.sentence[at - 1] == document.sentence[at + 1])]
    flags = document.word_flags[document.word]
    lone = (flags[at - 1] & _LONE == _LONE) & (document.case[at - 1] == Case.CAPITAL)
    long = document.end[at + 1] - document.start[at + 1] >= _LEAST_NAME
    species = at[lone & long & (document.case[at + 1] == Case.LOWER) & (flags[at + 1] & WordFlag.STOP == 0)]
    shortened = np.fromiter((form in _ABBREVIATED for form in forms), bool, len(forms))[document.word]
    named = at[shortened[at - 1] & (document.case[at - 1] == Case.CAPITAL) & (document.case[at + 1] == Case.CAPITAL)]
    initials[species - 1] = True
    stops[species] = stops[named] = True
    return initials, stops


_PARTS_OF_TEXTS: Final = frozenset(
    "figure fig figures table tables section sections sec chapter equation eq appendix page step item no".split()
)
"""Words before numbers that count parts of a text, in normal form."""


def versions_of_names(document: Analysed) -> Bools:
    """Return numbers with a dot behind a name in capitals, which end it: *SAML 2.0*, *IEEE 802.11*, (tokens,)."""
    forms = document.words
    dotted = np.fromiter((form[:1].isdigit() and "." in form for form in forms), bool, len(forms))[document.word]
    counts = np.fromiter((form in _PARTS_OF_TEXTS for form in forms), bool, len(forms))[document.word]
    named = (document.case != Case.LOWER) & (document.word_flags & WordFlag.LETTER > 0)[document.word] & ~counts
    versions = np.zeros(len(document), bool)
    versions[1:] = dotted[1:] & named[:-1] & (document.sentence[1:] == document.sentence[:-1])
    return versions


def passes_prefilter(
    candidates: Candidates, document: Analysed, zones: tuple[SectionKind, ...], long_text: int
) -> Bools:
    """Return whether each candidate passes, (candidates,): in a long text only if repeated, or mentioned in a zone.

    A text is long from ``long_text`` tokens on.
    """
    short = count_tokens(document) < long_text
    if short.all():
        return np.ones(len(candidates), bool)
    zone = np.zeros(len(SECTION_KINDS), bool)
    zone[[kind.code for kind in zones]] = True
    passes = (candidates.frequency > 1) | short[document.numbers(candidates.first)]
    once = np.flatnonzero(~passes)  # the first mention is the only one
    passes[once] = zone[document.section[candidates.first[once]]]
    return passes
