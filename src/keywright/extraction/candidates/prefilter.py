"""The default extractor's candidates, and a cheap filter of them.

Single capitals that belong to a term, as in *vitamin D*, *T cell* and *hepatitis B virus*, and stop words of known
terms, as in *back pain* and *land use*, may begin or end a phrase; those that begin a name (*New Zealand*) begin one.
"""

import enum
import itertools
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from keywright.core.arrays import Bools, Ints, count_inside
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed, count_marked, count_tokens
from keywright.core.documents import SECTION_KINDS, Case, SectionKind, WordFlag
from keywright.core.word_lists import read_words
from keywright.extraction.candidates.ngrams import content_words, ngrams_among, tokens_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.text.keys import join_keys
from keywright.text.word_borders import NO_BORDERS, find_word_borders

_LETTER, _STOP, _DIGIT = int(WordFlag.LETTER), int(WordFlag.STOP), int(WordFlag.DIGIT)
_STOP_WORD, _LONE = _LETTER | _STOP, _LETTER | int(WordFlag.LONE)
_NO_CONTENT: Final = int(WordFlag.STOP | WordFlag.SYMBOLIC | WordFlag.LONE)


def content_words_and_capitals(document: Analysed) -> Bools:
    """Return content words, and stop words in capitals (*WHO*, *He–He*) outside of sentences mostly in capitals."""
    content = content_words(document)
    upper = document.case >= Case.UPPER
    stop = upper & (document.word_flags & _STOP_WORD == _STOP_WORD)[document.word]
    if not stop.any():
        return content
    letters = (document.word_flags & _LETTER > 0)[document.word]
    words, capitals = (np.bincount(document.sentence[mask]) for mask in (letters, letters & upper))
    quiet = words > 2 * np.append(capitals, np.zeros(len(words) - len(capitals), np.int64))
    return np.asarray(content | (stop & quiet[document.sentence.clip(max=len(quiet) - 1)]), bool)


def content_words_and_connectors(document: Analysed) -> Bools:
    """Return content words, and function words inside keyphrases of the document's language."""
    connectors = read_words("text/connectors.txt", document.language or "en")
    return content_words(document) | tokens_among(document, connectors)


def first_words(document: Analysed) -> tuple[Ints, Ints]:
    """Return tokens that may be stop words at the beginning of a name, ascending: surely, and possibly, (some,) each.

    They have a capital, and a capitalised content word of the same sentence behind them, or a connector and a content
    word (*Estado de derecho*). After a word without capital they begin a name (*of New Zealand*). At the beginning of
    a sentence most do not (*The Internet*), and elsewhere, as in titles, capitals say nothing.
    """
    at = np.flatnonzero(document.case[:-1] == Case.CAPITAL)  # few tokens, so that the rest is looked up for these only
    at = at[document.word_flags[document.word[at]] & _STOP_WORD == _STOP_WORD]
    connects = (content_words_and_connectors(document) & ~content_words(document))[at + 1] & (at + 2 < len(document))
    behind = at + 1 + connects
    name = document.word_flags[document.word[behind]] & (_LETTER | _NO_CONTENT) == _LETTER
    name &= (connects | (document.case[behind] != Case.LOWER)) & (document.sentence[at] == document.sentence[behind])
    at, connects = at[name], connects[name]
    begins = (at == 0) | (document.sentence[at - 1] != document.sentence[at])
    small_before = (document.case[at - 1] == Case.LOWER) & (document.word_flags[document.word[at - 1]] & _LETTER > 0)
    return at[small_before & ~begins], at[begins & ~connects]


class Letters(NamedTuple):
    """Tokens that are a single capital or a stop word, and part of a term, (tokens,) each."""

    begin: Bools  # forms a term with the next word, so that a phrase may begin with it: *T cell*, *back pain*
    end: Bools  # forms a term with the previous word, so that a phrase may end with it: *vitamin D*, *land use*
    names: Bools  # stop words that begin a name, which no phrase tears: *New Zealand*


class Joints(NamedTuple):
    """Tokens that names have beside their words, (tokens,) each."""

    begin: Bools  # initials before a small word: *E. coli*
    end: Bools  # numbers of names, with a dot, written again or in words: *SAML 2.0*, *Windows 10*, *Formula One*
    # Signs of possession (*Alzheimer's disease*, *Bayes' theorem*), ampersands, full stops after these initials and
    # after abbreviations (*St. John's wort*, *Symphony No. 5*, *Roe v. Wade*), letters for words, numbers of classes.
    inside: Bools
    classes: Bools  # numbers of classes at the end of a noun: *diabetes type 2*


def letters_of_terms(document: Analysed, *tables: PhraseCounts) -> Letters:
    """Return the capitals and stop words that form a known phrase with a neighbour, and the first words of names."""
    # Most single letters of papers are variables (*graph G*, *node B*), which are in no table.
    letters = Letters(*np.zeros((3, len(document)), bool))
    sure, possible = first_words(document)
    letters.names[sure] = True
    if not tables:
        return letters
    lone = (document.word_flags & _LONE == _LONE)[document.word] & (document.case == Case.CAPITAL)
    language = document.language or "en"
    listed = (read_words("text/edges_of_terms.txt", f"{language}{edge}") for edge in ("_first", "_last", ""))
    begin, end, nouns = (tokens_among(document, words) for words in listed)
    first = begin | lone
    first[possible] = True
    left = np.flatnonzero((first[:-1] | (end | lone)[1:]) & (document.sentence[:-1] == document.sentence[1:]))
    word, behind = document.word[left], document.word[left + 1]
    pair = join_keys(document.word_key[word], document.word_key[behind], document.word_parts[behind])
    is_term = np.any([table.of(pair) > 0 for table in tables], axis=0)
    if language != "en":  # it has no table, or a small one
        is_term |= begin[left] & _is_repeated(document, left, left + 1, np.ones(len(left), bool))
    term = left[is_term]
    letters.begin[term], letters.end[term + 1] = (begin | lone)[term], (end | lone)[term + 1]
    letters.begin[nouns] = letters.end[nouns] = True
    letters.names[np.intersect1d(term, possible[~lone[possible]])] = True
    return letters


_LONGEST: Final = 5  # maximum words of a candidate; arbitrary, and what the shipped trees were trained on
_TOKENS_OF_WORD: Final = 2  # where tokens are characters or, in Vietnamese, syllables; a rule of thumb
_LONGEST_WORD: Final = 100  # maximum characters of a word; arbitrary: longer tokens are data, or text without blanks
_LONGEST_CLAUSE: Final = 25
"""Maximum characters of a token of a language whose words cannot be told apart; arbitrary: longer ones are clauses."""


def usual_candidates(document: Analysed, letters: Letters | None = None, joints: "Joints | None" = None) -> Candidates:
    """Return phrases of up to five words, content words at both ends and content words and connectors inside."""
    has_borders = find_word_borders(document.language or "en") != NO_BORDERS
    longest = _LONGEST if has_borders and document.language != "vi" else _LONGEST * _TOKENS_OF_WORD
    words, inside = content_words_and_capitals(document), content_words_and_connectors(document)
    endless = document.end - document.start > (_LONGEST_WORD if has_borders else _LONGEST_CLAUSE)
    if endless.any():
        words, inside = words & ~endless, inside & ~endless
    begin, end, names = letters or letters_of_terms(document)
    joints = joints or find_joints(document)
    begin, end = begin | names | joints.begin, end | joints.end
    either = begin | end
    candidates = ngrams_among(document, longest, words | either, inside | names, joints.inside)
    if either.any():
        first, last = candidates.first, candidates.first + candidates.length - 1
        torn = (either & ~begin)[first] | (either & ~end)[last] | np.append(names, False)[first - 1]
        torn |= np.append(joints.begin, [False, False])[first - 2]  # coli cells of E. coli cells
        torn |= (candidates.length < np.where(joints.classes[last], _SHORTEST_OF_CLASS, 2)) & either[last]
        candidates = candidates.where(~torn)
    return _ending_in_nouns(candidates, document)


_CAPITALISING: Final = frozenset({"de", "lb"})  # languages that write nouns with a capital
_FEWEST_CAPITALS: Final = 0.05
"""Share of capitals among tokens under which a text does not follow that rule; arbitrary, prose has four times that."""


def _ending_in_nouns(candidates: Candidates, document: Analysed) -> Candidates:
    """Return the candidates of which a mention ends with a capital, in languages whose nouns have one: no verbs."""
    # Measured on German parliamentary questions, F@5 13.2 becomes 14.1, on abstracts 20.9 becomes 21.3.
    if document.language not in _CAPITALISING:
        return candidates
    capital = document.case > Case.LOWER
    signed = np.fromiter(("." in word[1:-1] or "_" in word for word in document.words), bool, len(document.words))
    nominal = capital | (signed | (document.word_flags & _LETTER == 0))[document.word]  # scipy.stats, Industrie 4.0
    careless = count_marked(capital, document) < _FEWEST_CAPITALS * count_tokens(document)
    ends = np.bincount(candidates.owner, nominal[candidates.positions + candidates.widths - 1], len(candidates)) > 0
    return candidates.where(ends | careless[document.numbers(candidates.first)])


_Form = enum.IntEnum(
    "_Form",
    "POSSESSIVE AMPERSAND APOSTROPHE FULL_STOP ABBREVIATION PART_OF_TEXT PART_OF_LAW LETTER NUMERO VERSUS NAME CLASS",
)
"""Word forms that matter inside names, as the sections of the list of words say; 0 is for all others."""


@cache
def _list_forms(language: str) -> dict[str, _Form]:
    """Return the forms that matter, with a language's words between whose classes a number tells: *type 2 diabetes*."""
    classes = dict.fromkeys(read_words("text/classes.txt", language), _Form.CLASS)
    return classes | {word: form for form in _Form for word in read_words("text/words_en.txt", form.name.lower())}


_LENGTH_OF_YEAR: Final = 4  # digits of a year; shorter numbers may be of a product
_LEAST_NAME: Final = 3  # minimum characters of the name of a species, or a person, after an initial; arbitrary
_SHORTEST_OF_CLASS: Final = 3  # tokens of a candidate that ends with a class: not *type 2*, but *diabetes type 2*


def find_joints(document: Analysed) -> Joints:
    """Return the tokens by which words and names are joined to terms; none of texts that are cut as papers do."""
    if not document.has_terms:
        return Joints(*np.zeros((4, len(document)), bool))
    kinds = list(map(_list_forms(document.language or "en").get, document.words, itertools.repeat(0)))
    present, forms = set(kinds), np.array(kinds, np.uint8)  # most texts lack most kinds, and skip what these need
    form, case, flags = forms[document.word], document.case, document.word_flags[document.word]
    begin, end, classes = np.zeros((3, len(document)), bool)
    inside = (form == _Form.POSSESSIVE) | (form == _Form.AMPERSAND)
    same = document.sentence[:-1] == document.sentence[1:]
    capital = case != Case.LOWER
    is_number = flags & (_LETTER | _DIGIT) == _DIGIT
    content = flags & (_LETTER | _NO_CONTENT) == _LETTER
    goes_on = np.append(content[1:] & same, False)  # whether a content word follows

    if _Form.APOSTROPHE in present:
        inside[_find_apostrophes(document, form)] = True
    stop = np.flatnonzero((form[1:-1] == _Form.FULL_STOP) & same[:-1] & same[1:]) + 1
    stop = stop[document.end[stop - 1] == document.start[stop]]
    if len(stop):
        before, behind = form[stop - 1], stop + 1
        lone = (flags[stop - 1] & _LONE == _LONE) & (case[stop - 1] == Case.CAPITAL) & (flags[behind] & _STOP == 0)
        species = stop[lone & ~capital[behind] & (document.end[behind] - document.start[behind] >= _LEAST_NAME)]
        begin[species - 1] = inside[species] = True
        inside[stop[(before == _Form.ABBREVIATION) & (case[stop - 1] == Case.CAPITAL) & capital[behind]]] = True
        numbered = stop[(before == _Form.NUMERO) & is_number[behind]]
        versus = stop[(before == _Form.VERSUS) & capital[stop - 2] & capital[behind]]
        inside[numbered] = inside[numbered - 1] = end[numbered + 1] = inside[versus] = inside[versus - 1] = True

    number = np.flatnonzero(is_number[1:] & same) + 1
    if len(number):
        texts = [document.words[word] for word in document.word[number].tolist()]
        short = np.array([len(text) < _LENGTH_OF_YEAR and text.isdigit() for text in texts], bool)
        # A name that people write with the same number again, inside sentences: Windows 10.
        in_sentence = document.sentence[number - np.minimum(number, 2)] == document.sentence[number]
        again = _is_repeated(document, number - 1, number, in_sentence)
        parts = np.isin(form[number - 1], (_Form.PART_OF_TEXT, _Form.PART_OF_LAW, _Form.NUMERO))
        named = capital[number - 1] & (flags[number - 1] & _LETTER > 0) & ~parts
        end[number[named & (np.array(["." in text for text in texts], bool) | (short & again))]] = True
        # A part of a law that qualifies a noun, where one of a text has a verb: Section 8 housing, Section 8 presents.
        law = number[(form[number - 1] == _Form.PART_OF_LAW) & capital[number - 1] & goes_on[number]].tolist()
        inside[[at for at in law if not document.words[document.word[at + 1]].endswith(("s", "ed", "ly"))]] = True
        # A number beside the word for a class: type 2 diabetes, diabetes tipo 2, диабет 2 типа.
        follows = short & (form[number - 1] == _Form.CLASS)
        inside[number[follows | (short & (np.append(form, 0)[number + 1] == _Form.CLASS))]] = True
        last = number[follows & ~end[number] & ~(goes_on[number] & (document.language in {None, "en"}))]
        end[last] = classes[last] = True

    if _Form.NAME in present:
        # Words that are stop words elsewhere: Attorney General, Formula One, Toys 'R' Us, attorney general's office.
        word = np.flatnonzero((form[1:] == _Form.NAME) & same & (content | inside)[:-1]) + 1
        last = capital[word] & (capital | inside)[word - 1] & (form[word - 1] < _Form.PART_OF_TEXT)
        end[word[last & ~(goes_on & np.append(capital[1:], False))[word]]] = True  # not Alcatel One Touch
        inside[word[np.append(form, 0)[word + 1] == _Form.POSSESSIVE]] = True

    if _Form.POSSESSIVE in present:
        # A name that ends with its possessive: St. John's, Ben & Jerry's; others only where a text has them again.
        owner = np.flatnonzero((form[1:] == _Form.POSSESSIVE) & content[:-1] & capital[:-1] & same) + 1
        alone = ~goes_on[owner]
        end[owner[(inside[owner - 2] & (owner > 1)) | (alone & _is_repeated(document, owner - 1, owner, alone))]] = True
    return Joints(begin, end, inside, classes)


def _find_apostrophes(document: Analysed, form: Ints) -> list[int]:
    """Return apostrophes behind a plural, and those beside a letter for a word with the letter: *rock 'n' roll*."""
    apostrophe = np.flatnonzero((form[1:] == _Form.APOSTROPHE) & (document.end[:-1] == document.start[1:])) + 1
    tokens = [at for at in apostrophe.tolist() if document.words[document.word[at - 1]].endswith("s")]
    letter = np.flatnonzero(form[1:-1] == _Form.LETTER) + 1
    for sign in (-1, 1):
        gap = document.start[np.maximum(letter, letter + sign)] - document.end[np.minimum(letter, letter + sign)]
        quoted = letter[(form[letter + sign] == _Form.APOSTROPHE) & (gap == 0)]
        tokens += [*quoted.tolist(), *(quoted + sign).tolist()]
    return tokens


def _is_repeated(document: Analysed, left: Ints, right: Ints, counted: Bools) -> Bools:
    """Return whether two words are on the ``left`` and ``right`` of two ``counted`` places, (places,)."""
    # Words have numbers of their own in each document; both numbers as one sort many times as fast as pairs.
    pairs = document.word[left] * np.int64(len(document.words)) + document.word[right]
    _, which = np.unique(pairs, return_inverse=True)
    return np.asarray(np.bincount(which, counted)[which] > 1)


def find_torn(candidates: Candidates, document: Analysed, joints: Joints) -> Bools:
    """Return whether each candidate tears a longer term wherever it is mentioned, (candidates,): *wort*, *Symphony*.

    A term holds together at joints with a full stop (*Symphony No. 5*), at others where the document has the words on
    both sides again (*Alzheimer's disease*, not *the company's revenue*), and never at an ampersand.
    """
    joint = np.flatnonzero(joints.inside & ~tokens_among(document, "&"))
    joint = joint[(joint > 0) & (joint < len(document) - 1)]
    begins = np.diff(joint, prepend=-2) > 1  # runs of joints, as the full stop and the possessive of St. John's wort
    left, right = joint[begins] - 1, joint[np.diff(joint, append=len(document) + 1) > 1] + 1
    named = (document.case[right] != Case.LOWER) | (document.flags[right] & (WordFlag.STOP | WordFlag.PUNCTUATION) == 0)
    named &= document.sentence[left] == document.sentence[right]
    holds = _is_repeated(document, left, right, named) | (count_inside(tokens_among(document, "."), left, right) > 0)
    held = np.zeros(len(document) + 1, bool)
    held[joint] = (named & holds)[np.cumsum(begins) - 1]
    behind = candidates.positions + candidates.widths
    torn = held[candidates.positions - 1] | held[behind - 1] | held[behind]
    return np.asarray(np.bincount(candidates.owner, torn, len(candidates)) == candidates.frequency)


def passes_prefilter(
    candidates: Candidates, document: Analysed, zones: tuple[SectionKind, ...], long_text: int
) -> Bools:
    """Return whether each candidate passes: from ``long_text`` tokens on only if repeated, or mentioned in a zone."""
    short = count_tokens(document) < long_text
    zone = np.zeros(len(SECTION_KINDS), bool)
    zone[[kind.code for kind in zones]] = True
    passes = (candidates.frequency > 1) | short[document.numbers(candidates.first)]
    once = np.flatnonzero(~passes)  # the first mention is the only one
    passes[once] = zone[document.section[candidates.first[once]]]
    return passes
