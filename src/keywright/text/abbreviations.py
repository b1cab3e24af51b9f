"""Abbreviations with the long forms they stand for, where a text gives both: *domain name system (DNS)*.

Schwartz and Hearst, "A Simple Algorithm for Identifying Abbreviation Definitions in Biomedical Text", PSB 2003. A short
form stands in brackets behind its long form, or before brackets with the long form. Read from the end, each of its
letters and digits must be found in the long form, the first one at the beginning of a word.

Deviation: a short form needs a capital letter; without one, words before brackets pass for short forms.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.documents import AnalysedDocument, Case, WordFlag

Span: TypeAlias = tuple[int, int]
"""Tokens from the first to before the second."""

_SHORTEST: Final = 2
_LONGEST: Final = 10
_MOST_WORDS: Final = 2
_MORE_WORDS: Final = 5
_CUTS: Final = {",", ";", ":"}


class Abbreviation(NamedTuple):
    """Where a short form and its long form stand, in tokens."""

    short: Span
    long: Span


def abbreviations(document: AnalysedDocument) -> tuple[Abbreviation, ...]:
    """All definitions of abbreviations, in reading order; each place that defines one counts."""
    return tuple(found for first, inside in _bracketed(document) if (found := _defined(document, first, inside)))


def long_forms(document: AnalysedDocument) -> tuple[Ints, Ints]:
    """Where what each token stands for is spelt out: its first token and its number of tokens, both (tokens,).

    Abbreviations, written as where they are first explained, stand for their long form there; all others for
    themselves. Of abbreviations only those of one token are known again.
    """
    start, width = np.arange(len(document)), np.ones(len(document), np.int64)
    for short, long in reversed(abbreviations(document)):
        if short[1] - short[0] == 1:
            again = (document.word == document.word[short[0]]) & (document.case == document.case[short[0]])
            start[again], width[again] = long[0], long[1] - long[0]
    return start, width


def _bracketed(document: AnalysedDocument) -> Iterator[tuple[int, Span]]:
    """What stands between round brackets in one sentence, up to the first comma, semicolon or colon.

    With the sentence's first token. Left out is what can be no definition, as neither the first two tokens inside nor
    the one before are as long as short forms are and have a capital.
    """
    if "(" not in document.words:
        return
    signs = np.flatnonzero(document.word_flags & WordFlag.PUNCTUATION > 0).tolist()
    closing = np.zeros(len(document.words), bool)
    closing[[sign for sign in signs if document.words[sign][0] == ")" or document.words[sign] in _CUTS]] = True
    closers = np.append(np.flatnonzero(closing[document.word]), len(document))
    opening = np.flatnonzero(document.word == document.words.index("("))
    ends = closers[np.searchsorted(closers, opening)]
    sentence = np.append(document.sentence, -1)
    told = _may_be_short(document, opening + 1, ends) | _may_be_short(document, np.maximum(opening - 1, 0), opening)
    kept = np.flatnonzero(told & (sentence[ends] == document.sentence[opening]))
    firsts = np.searchsorted(document.sentence, document.sentence[opening[kept]])
    for first, begin, end in zip(firsts.tolist(), (opening[kept] + 1).tolist(), ends[kept].tolist(), strict=True):
        yield first, (begin, end)


def _may_be_short(document: AnalysedDocument, begins: Ints, ends: Ints) -> Bools:
    """Whether spans have a short form's number of words and of characters and a capital, (spans,)."""
    lasts = np.minimum(np.maximum(ends - 1, begins), len(document) - 1)
    begins = np.minimum(begins, len(document) - 1)
    characters = document.end[lasts] - document.start[begins]
    capitals = (document.case[begins] > Case.LOWER) | (document.case[lasts] > Case.LOWER)
    size = ends - begins
    fits = (size <= _MOST_WORDS) & (characters >= _SHORTEST) & (characters <= _LONGEST)
    return np.asarray(capitals & fits, bool)


def _defined(document: AnalysedDocument, first: int, inside: Span) -> Abbreviation | None:
    """The definition that brackets are part of, in a sentence that begins with token ``first``."""
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
    """Whether a text can be a short form: its size, a letter or digit in front, a capital letter."""
    return _SHORTEST <= len(text) <= _LONGEST and text[0].isalnum() and any(map(str.isupper, text))


def _most_words(short: str) -> int:
    """Most words of the long form of a short form."""
    return min(len(short) + _MORE_WORDS, len(short) * 2)


def _long_form(document: AnalysedDocument, short: Span, around: Span) -> Span | None:
    """The shortest end of some tokens that a short form can stand for; None when there is none."""
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
    """Where in a text, read from its end, the short form's first character is found; None when one is not."""
    at = len(text)
    for index in range(len(short) - 1, -1, -1):
        letter = short[index]
        if not letter.isalnum():
            continue
        at = text.rfind(letter, 0, at)
        while index == 0 and at > 0 and text[at - 1].isalnum():
            at = text.rfind(letter, 0, at)
        if at < 0:
            return None
    return at


def _text(document: AnalysedDocument, span: Span) -> str:
    """The text of some tokens, at least one."""
    return document.source.text[int(document.start[span[0]]) : int(document.end[span[1] - 1])]
