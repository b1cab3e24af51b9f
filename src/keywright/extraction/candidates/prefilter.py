"""The default extractor's candidates, and a cheap filter of them.

Single capitals that belong to a term, as in *vitamin D*, *T cell* and *hepatitis B virus*, may begin or end a phrase,
and stop words that begin a name, as in *New Zealand*, may begin one.
"""

import enum
import itertools
from typing import Final, NamedTuple

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, count_marked, count_tokens
from keywright.core.documents import SECTION_KINDS, Case, SectionKind, WordFlag
from keywright.extraction.candidates.ngrams import content_forms, content_words, ngrams_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.text.keys import join_keys
from keywright.text.tokens import read_section
from keywright.text.word_borders import NO_BORDERS, find_word_borders

CONNECTORS: Final = frozenset("of for and in on to with by from the a an de du des la le les et von und der".split())
"""Function words inside keyphrases: *quality of service*, *peer to peer*; collected by hand."""
_LETTER, _STOP_WORD = int(WordFlag.LETTER), int(WordFlag.LETTER | WordFlag.STOP)


def content_words_and_capitals(document: Analysed) -> Bools:
    """Return content words, and stop words in capitals (*WHO*, *IT*, *US*) outside of sentences mostly in capitals."""
    content = content_words(document)
    upper = document.case == Case.UPPER
    stop = upper & (document.word_flags & _STOP_WORD == _STOP_WORD)[document.word]
    if not stop.any():
        return content
    letters = (document.word_flags & _LETTER > 0)[document.word]
    words, capitals = (np.bincount(document.sentence[mask]) for mask in (letters, letters & upper))
    quiet = words > 2 * np.append(capitals, np.zeros(len(words) - len(capitals), np.int64))
    return np.asarray(content | (stop & quiet[document.sentence.clip(max=len(quiet) - 1)]), bool)


def content_words_and_connectors(document: Analysed) -> Bools:
    """Return content words, and function words inside keyphrases of the document's language."""
    language = document.language or "en"
    connectors = CONNECTORS if language == "en" else read_section("connectors.txt", language)
    connects = np.fromiter(map(connectors.__contains__, document.words), bool, len(document.words))
    return np.asarray((content_forms(document) | connects)[document.word])


_STOP: Final = int(WordFlag.STOP)
_NO_CONTENT: Final = int(WordFlag.STOP | WordFlag.SYMBOLIC | WordFlag.LONE)


def first_words(document: Analysed) -> tuple[Ints, Ints]:
    """Return tokens that may be stop words at the beginning of a name, ascending: surely, and possibly, (some,) each.

    They have a capital, and a capitalised content word of the same sentence behind them. After a word without capital
    they begin a name (*of New Zealand*). At the beginning of a sentence most do not (*The Internet*), as their case
    follows from their place; anywhere else, as in titles, capitals say nothing.
    """
    at = np.flatnonzero(document.case[:-1] == Case.CAPITAL)  # few tokens, so that the rest is looked up for these only
    flags, behind = document.word_flags[document.word[at]], document.word_flags[document.word[at + 1]]
    name = (flags & (_LETTER | _STOP) == _LETTER | _STOP) & (behind & (_LETTER | _NO_CONTENT) == _LETTER)
    name &= (document.case[at + 1] != Case.LOWER) & (document.sentence[at] == document.sentence[at + 1])
    at = at[name]
    begins = (at == 0) | (document.sentence[at - 1] != document.sentence[at])
    small_before = (document.case[at - 1] == Case.LOWER) & (document.word_flags[document.word[at - 1]] & _LETTER > 0)
    return at[small_before & ~begins], at[begins]


_LONE = int(WordFlag.LONE | WordFlag.LETTER)


class Letters(NamedTuple):
    """Tokens that are a single capital and part of a term, (tokens,) each."""

    begin: Bools  # forms a term with the next word, so that a phrase may begin with it: *T cell*
    end: Bools  # forms a term with the previous word, so that a phrase may end with it: *vitamin D*
    names: Bools  # stop words that begin a name, which no phrase tears: *New Zealand*


def letters_of_terms(document: Analysed, *tables: PhraseCounts) -> Letters:
    """Return the capitals that form a known phrase with a neighbour, and the first words of names."""
    # Most single letters of papers are variables (*graph G*, *node B*), which are in no table.
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
    word, behind = document.word[left], document.word[left + 1]
    pair = join_keys(document.word_key[word], document.word_key[behind], document.word_parts[behind])
    term = left[np.any([table.of(pair) > 0 for table in tables], axis=0)]
    letters.begin[term] = lone[term]
    letters.end[term + 1] = lone[term + 1]
    letters.names[term] |= first[term] & ~lone[term]
    return letters


_LONGEST: Final = 5  # maximum words of a candidate; arbitrary, and what the shipped trees were trained on
_CHARACTERS_OF_WORD: Final = 2  # tokens of a word in languages whose tokens are characters; a rule of thumb
_LONGEST_WORD: Final = 100  # maximum characters of a word; arbitrary: longer tokens are data, or text without blanks
_LONGEST_CLAUSE: Final = 25
"""Maximum characters of a token of a language whose words cannot be told apart; arbitrary: longer ones are clauses."""


def usual_candidates(document: Analysed, letters: Letters | None = None) -> Candidates:
    """Return phrases of up to five words, content words at both ends and content words and connectors inside."""
    has_borders = find_word_borders(document.language or "en") != NO_BORDERS
    longest = _LONGEST if has_borders else _LONGEST * _CHARACTERS_OF_WORD
    words, inside = content_words_and_capitals(document), content_words_and_connectors(document)
    endless = document.end - document.start > (_LONGEST_WORD if has_borders else _LONGEST_CLAUSE)
    if endless.any():
        words, inside = words & ~endless, inside & ~endless
    begin, end, names = letters or letters_of_terms(document)
    begin, species = begin | names, np.zeros(len(document), bool)
    if document.has_terms:
        joints = find_joints(document)
        begin, end, inside, species = begin | joints.begin, end | joints.end, inside | joints.inside, joints.begin
    either = begin | end
    if not either.any():
        return _ending_in_nouns(ngrams_among(document, longest, words, inside), document)
    candidates = ngrams_among(document, longest, words | either, inside | names)
    first, last = candidates.first, candidates.first + candidates.length - 1
    torn = (either & ~begin)[first] | (either & ~end)[last] | np.append(names, False)[first - 1]
    torn |= np.append(species, [False, False])[first - 2]  # coli cells of E. coli cells
    return _ending_in_nouns(candidates.where(~torn & ((candidates.length > 1) | ~either[first])), document)


_CAPITALISING: Final = frozenset({"de", "lb"})  # languages that write nouns with a capital
_FEWEST_CAPITALS: Final = 0.05
"""Share of capitals among tokens under which a text does not follow that rule; arbitrary, prose has four times that."""


def _ending_in_nouns(candidates: Candidates, document: Analysed) -> Candidates:
    """Return the candidates of which a mention ends with a capital, in languages whose nouns have one: no verbs."""
    # Measured on German parliamentary questions, F@5 13.2 becomes 14.1, on abstracts 20.9 becomes 21.3.
    if document.language not in _CAPITALISING:
        return candidates
    capital = document.case > Case.LOWER
    careless = count_marked(capital, document) < _FEWEST_CAPITALS * count_tokens(document)
    ends = np.bincount(candidates.owner, capital[candidates.positions + candidates.widths - 1], len(candidates)) > 0
    return candidates.where(ends | careless[document.numbers(candidates.first)])


_Form = enum.IntEnum("_Form", "POSSESSIVE APOSTROPHE FULL_STOP ABBREVIATION PART_OF_TEXT")
"""Word forms that matter inside names; 0 is for all others."""
_FORMS: Final = {
    "'s": _Form.POSSESSIVE,
    "'": _Form.APOSTROPHE,
    ".": _Form.FULL_STOP,
    **dict.fromkeys(read_section("words_en.txt", "abbreviations"), _Form.ABBREVIATION),
    **dict.fromkeys(read_section("words_en.txt", "numbered"), _Form.PART_OF_TEXT),
}
"""Normal forms by kind: abbreviations before names, and words before numbers of parts of a text, or of days."""
_LENGTH_OF_YEAR: Final = 4  # digits of a year; shorter numbers may be of a product
_LEAST_NAME: Final = 3  # minimum characters of the name of a species, or a person, after an initial; arbitrary


class Joints(NamedTuple):
    """Tokens that names have beside their words, (tokens,) each."""

    begin: Bools  # initials before a small word: *E. coli*
    end: Bools  # numbers behind a name in capitals, with a dot or written again: *SAML 2.0*, *Windows 10*
    # Signs of possession (*Alzheimer's disease*, *Bayes' theorem*), and full stops after these initials and after
    # abbreviations before a name (*St. John's wort*).
    inside: Bools


def find_joints(document: Analysed) -> Joints:
    """Return the tokens by which words and names are joined to terms."""
    forms = np.fromiter(map(_FORMS.get, document.words, itertools.repeat(0)), np.uint8, len(document.words))
    form, case, flags = forms[document.word], document.case, document.word_flags[document.word]
    joints = Joints(np.zeros(len(document), bool), np.zeros(len(document), bool), form == _Form.POSSESSIVE)
    adjacent = document.end[:-1] == document.start[1:]
    same = document.sentence[:-1] == document.sentence[1:]

    apostrophe = np.flatnonzero((form[1:] == _Form.APOSTROPHE) & adjacent) + 1
    plural = [document.words[word].endswith("s") for word in document.word[apostrophe - 1].tolist()]
    joints.inside[apostrophe[np.array(plural, bool)]] = True

    stop = np.flatnonzero((form[1:-1] == _Form.FULL_STOP) & adjacent[:-1] & same[:-1] & same[1:]) + 1
    lone = (flags[stop - 1] & _LONE == _LONE) & (case[stop - 1] == Case.CAPITAL)
    long = document.end[stop + 1] - document.start[stop + 1] >= _LEAST_NAME
    species = stop[lone & long & (case[stop + 1] == Case.LOWER) & (flags[stop + 1] & WordFlag.STOP == 0)]
    joints.begin[species - 1] = joints.inside[species] = True
    shortened = (form[stop - 1] == _Form.ABBREVIATION) & (case[stop - 1] == Case.CAPITAL)
    joints.inside[stop[shortened & (case[stop + 1] == Case.CAPITAL)]] = True

    named = (case[:-1] != Case.LOWER) & (flags[:-1] & WordFlag.LETTER > 0) & (form[:-1] != _Form.PART_OF_TEXT)
    is_number = flags[1:] & (WordFlag.LETTER | WordFlag.DIGIT) == WordFlag.DIGIT
    number = np.flatnonzero(named & is_number & same) + 1
    texts = [document.words[word] for word in document.word[number].tolist()]
    # A name that people write with the same number again, inside sentences: Windows 10.
    pairs = np.stack([document.numbers(number), document.word[number - 1], document.word[number]])
    _, which = np.unique(pairs, axis=1, return_inverse=True)
    inside = document.sentence[number - np.minimum(number, 2)] == document.sentence[number]
    again = np.bincount(which.ravel(), inside)[which.ravel()] > 1
    may_be = [("." in text, len(text) < _LENGTH_OF_YEAR and text.isdigit()) for text in texts]
    joints.end[number] = [dotted or (short and more) for (dotted, short), more in zip(may_be, again, strict=True)]
    return joints


def passes_prefilter(
    candidates: Candidates, document: Analysed, zones: tuple[SectionKind, ...], long_text: int
) -> Bools:
    """Return whether each candidate passes: from ``long_text`` tokens on only if repeated, or mentioned in a zone."""
    short = count_tokens(document) < long_text
    if short.all():
        return np.ones(len(candidates), bool)
    zone = np.zeros(len(SECTION_KINDS), bool)
    zone[[kind.code for kind in zones]] = True
    passes = (candidates.frequency > 1) | short[document.numbers(candidates.first)]
    once = np.flatnonzero(~passes)  # the first mention is the only one
    passes[once] = zone[document.section[candidates.first[once]]]
    return passes
