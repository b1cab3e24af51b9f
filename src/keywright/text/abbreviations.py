"""Abbreviations with the long forms they stand for, where a text gives both: *domain name system (DNS)*.

Schwartz and Hearst, "A Simple Algorithm for Identifying Abbreviation Definitions in Biomedical Text", PSB 2003. Read
from the end, each letter and digit of a short form must occur in the long form, the first one at the beginning of a
word. Deviation: a short form needs a capital letter, or words before brackets pass for short forms.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.document_batches import Analysed
from keywright.core.documents import AnalysedDocument, Case, WordFlag

Span: TypeAlias = tuple[int, int]  # tokens from the first to before the second

# All from the paper.
_SHORTEST: Final = 2  # characters of a short form
_LONGEST: Final = 10  # the same
_MOST_WORDS: Final = 2  # words of a short form
_MORE_WORDS: Final = 5  # words of a long form beyond the characters of its short form
_CUTS: Final = {",", ";", ":"}


class Abbreviation(NamedTuple):
    """Places of a short form and its long form, in tokens."""

    short: Span
    long: Span


def find_abbreviations(document: Analysed) -> tuple[Abbreviation, ...]:
    """Return all definitions of abbreviations in one or several documents, in reading order, repeated ones included."""
    defined = (_define(document, first, inside) for first, inside in _find_brackets(document))
    return tuple(abbreviation for abbreviation in defined if abbreviation)


def find_long_forms(document: AnalysedDocument) -> tuple[Ints, Ints]:
    """Return first token and number of tokens of each token's long form, both (tokens,); of others the token itself."""
    start, width = np.arange(len(document)), np.ones(len(document), np.int64)
    for short, long in reversed(find_abbreviations(document)):
        if short[1] - short[0] == 1:
            again = (document.word == document.word[short[0]]) & (document.case == document.case[short[0]])
            start[again], width[again] = long[0], long[1] - long[0]
    return start, width


def _find_brackets(document: Analysed) -> Iterator[tuple[int, Span]]:
    """Yield the first token of a sentence and the span of brackets with a possible short form, to the first cut."""
    signs = np.flatnonzero(document.word_flags & WordFlag.PUNCTUATION > 0).tolist()
    closes, opens = np.zeros((2, len(document.words)), bool)
    opens[[sign for sign in signs if document.words[sign] == "("]] = True
    if not opens.any():
        return
    closes[[sign for sign in signs if document.words[sign][0] == ")" or document.words[sign] in _CUTS]] = True
    closers = np.append(np.flatnonzero(closes[document.word]), len(document))
    opening = np.flatnonzero(opens[document.word])
    ends = closers[np.searchsorted(closers, opening)]  # the last entry is a sentinel after all tokens
    sentence = np.append(document.sentence, -1)
    short = _may_be_short(document, opening + 1, ends) | _may_be_short(document, np.maximum(opening - 1, 0), opening)
    possible = np.flatnonzero(short & (sentence[ends] == document.sentence[opening]))
    opening, ends = opening[possible], ends[possible]
    firsts = np.searchsorted(document.sentence, document.sentence[opening])
    for first, begin, end in zip(firsts.tolist(), (opening + 1).tolist(), ends.tolist(), strict=True):
        yield first, (begin, end)


def _may_be_short(document: Analysed, begins: Ints, ends: Ints) -> Bools:
    """Return whether spans have a short form's number of words and of characters and a capital, (spans,)."""
    lasts = np.minimum(np.maximum(ends - 1, begins), len(document) - 1)
    begins = np.minimum(begins, len(document) - 1)
    characters = document.end[lasts] - document.start[begins]
    capitals = (document.case[begins] > Case.LOWER) | (document.case[lasts] > Case.LOWER)
    size = ends - begins
    fits = (size <= _MOST_WORDS) & (characters >= _SHORTEST) & (characters <= _LONGEST)
    return np.asarray(capitals & fits, bool)


def _define(document: Analysed, first: int, inside: Span) -> Abbreviation | None:
    """Return the definition by the text in brackets, in a sentence that begins with token ``first``."""
    opening, size = inside[0] - 1, inside[1] - inside[0]
    if size == 0:
        return None
    if size <= _MOST_WORDS and _is_short(written := _text(document, inside)):
        long = _long_form(document, inside, (max(first, opening - _most_words(written)), opening))
        return Abbreviation(inside, long) if long else None
    short = (opening - 1, opening)
    if opening > first and _is_short(written := _text(document, short)) and size <= _most_words(written):
        long = _long_form(document, short, inside)
        return Abbreviation(short, long) if long else None
    return None


def _is_short(text: str) -> bool:
    """Return whether a text can be a short form: its size, a letter or digit in front, a capital letter."""
    return _SHORTEST <= len(text) <= _LONGEST and text[0].isalnum() and any(map(str.isupper, text))


def _most_words(short: str) -> int:
    return min(len(short) + _MORE_WORDS, len(short) * 2)


def _long_form(document: Analysed, short: Span, around: Span) -> Span | None:
    """Return the shortest end of some tokens that can be the long form; None when there is none."""
    if around[0] == around[1]:
        return None
    short_text, text = _text(document, short), _text(document, around)
    begin = _match(short_text.lower(), text.lower())
    if begin is None:
        return None
    place = int(document.start[around[0]]) + begin
    start = int(np.searchsorted(document.start[around[0] : around[1]], place, "right")) - 1 + around[0]
    long = (start, around[1])
    repeats = document.word[short[0]] in document.word[long[0] : long[1]]
    return None if repeats or len(_text(document, long)) <= len(short_text) else long


def _match(short: str, text: str) -> int | None:
    """Return the place of the short form's first character in a text read from its end; None if one is missing."""
    at = len(text)
    for index, letter in reversed([pair for pair in enumerate(short) if pair[1].isalnum()]):
        at = text.rfind(letter, 0, at)
        while index == 0 and at > 0 and text[at - 1].isalnum():
            at = text.rfind(letter, 0, at)
        if at < 0:
            return None
    return at


def _text(document: Analysed, span: Span) -> str:
    source = document.documents[int(document.numbers(np.array(span[:1]))[0])].source
    return source.text[int(document.start[span[0]]) : int(document.end[span[1] - 1])]


_BRACKETS: Final = re.compile(r"\(([^()\n]{2,30})\)")
_ENDS_BEFORE: Final = re.compile(r"[()\[\].;:!?,\n]")
_LONG: Final = 200  # characters before brackets that are looked at; arbitrary


def find_definitions(text: str) -> Iterator[tuple[str, str]]:
    """Yield short and long form of definitions in a text that is not analysed, such as *domain names (DNs)*."""
    for match in _BRACKETS.finditer(text):
        short = re.split("[,;:]", match[1], maxsplit=1)[0].strip()
        if len(short.split()) > _MOST_WORDS or not _is_short(short):
            continue
        around = text[max(0, match.start() - _LONG) : match.start()]
        before = " ".join(_ENDS_BEFORE.split(around)[-1].split()[-_most_words(short) :])
        singular = re.sub(r"(?<=[A-Z])s$", "", short)
        begin = _match(short.lower(), before.lower())
        begin = _match(singular.lower(), before.lower()) if begin is None else begin
        if begin is not None and len(long := before[begin:]) > len(short) and short not in long.split():
            yield short, re.sub("['’]s?$", "", long)
