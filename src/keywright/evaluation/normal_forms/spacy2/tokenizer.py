"""The tokens and look-up lemmas of blank English in spaCy 2.0.11, as rules; neither spaCy nor its files are needed.

A text is split at white space; single blanks vanish, longer white space becomes a token. From a chunk that is neither
an exception nor an address, prefixes and suffixes are removed one by one until none is left, or until an exception or
an address remains; the remaining core is split at infixes. The reference data are in ``tables``.
"""

import re
from functools import lru_cache
from typing import Final, TypeAlias

from keywright.evaluation.normal_forms.spacy2.affixes import affixes
from keywright.evaluation.normal_forms.spacy2.characters import is_word_character
from keywright.evaluation.normal_forms.spacy2.tables import exceptions, lemmas
from keywright.evaluation.normal_forms.spacy2.urls import is_address

Token: TypeAlias = tuple[str, str]
"""A token's text and its lemma, in the case of the table."""
_CHUNKS: Final = re.compile(r"\s+|\S+")
_WINDOW: Final = 16
"""Characters at an end of a core that are searched first: more than any affix has, but a run of dots."""


def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, in order; none for an empty text.

    >>> [word for word, _ in tokens("state-of-the-art 3-D nets")]
    ['state', '-', 'of', '-', 'the', '-', 'art', '3-D', 'nets']
    """
    return tuple(token for chunk in chunks(text) for token in tokens_of_chunk(chunk))


@lru_cache(maxsize=1 << 16)
def chunks(text: str) -> tuple[str, ...]:
    """Split into runs of white space and of other characters; white space loses the blank that follows a word."""
    words = text.split(" ")
    if words == text.split():
        return tuple(words)
    first, *rest = _CHUNKS.findall(text) or [""]
    return tuple(filter(None, (first, *(chunk.removeprefix(" ") for chunk in rest))))


@lru_cache(maxsize=1 << 16)
def tokens_of_chunk(chunk: str) -> tuple[Token, ...]:
    """Return the tokens of one chunk."""
    special = exceptions()
    if chunk in special:
        return special[chunk]
    if chunk.isascii() and chunk.isalpha():  # shortcut: no affix consists of ASCII letters
        return (_looked_up(chunk),)
    front, core, back = _peeled(chunk)
    middle = special[core] if core in special else tuple(map(_looked_up, _inner_pieces(core)))
    return (*map(_looked_up, front), *middle, *map(_looked_up, back))


def _peeled(chunk: str) -> tuple[list[str], str, list[str]]:
    """Split a chunk into prefixes, core and suffixes, in the order of the text.

    The core is looked at by its ends, and copied only where all of it matters: a chunk of a million brackets would
    else be copied a million times.
    """
    front: list[str] = []
    back: list[str] = []
    start, end = 0, len(chunk)
    while start < end and not _is_special(chunk, start, end) and not _is_address(chunk, start, end):
        head, tail = _prefix(chunk, start, end), _suffix(chunk, start, end)
        # If removing one affix leaves an exception, that stays whole: the other end is not touched.
        if head and _is_special(chunk, start + head, end):
            tail = 0
        elif tail and _is_special(chunk, start, end - tail):
            head = 0
        elif head and start + head + tail > end:
            tail = 0
        if not head and not tail:
            break
        front += [chunk[start : start + head]] if head else []
        back += [chunk[end - tail : end]] if tail else []
        start, end = start + head, end - tail
    return front, chunk[start:end], back[::-1]


def _prefix(chunk: str, start: int, end: int) -> int:
    """Return the length of the prefix of a core."""
    for window in (min(end, start + _WINDOW), end):
        match = affixes().prefix.match(chunk[start:window])
        length = match.end() if match else 0
        if start + length < window:
            break
    return length


def _suffix(chunk: str, start: int, end: int) -> int:
    """Return the length of the suffix of a core."""
    for window in (max(start, end - _WINDOW), start):
        match = affixes().suffix.search(chunk[window:end])
        length = end - window - match.start() if match else 0
        if not match or match.start():
            break
    return length


def _is_special(chunk: str, start: int, end: int) -> bool:
    """Return whether a core is an exception."""
    return end - start <= _longest_exception() and chunk[start:end] in exceptions()


def _is_address(chunk: str, start: int, end: int) -> bool:
    """Return whether a core is an address."""
    return is_word_character(chunk[start]) and is_address(chunk[start:end])


@lru_cache(maxsize=1)
def _longest_exception() -> int:
    return max(map(len, exceptions()))


def _inner_pieces(core: str) -> list[str]:
    """Split a core at infixes; an infix at its very start is not split off."""
    if not core or is_address(core):
        return [core] if core else []
    pieces, start = [], 0
    for match in affixes().infix.finditer(core):
        if match.start():
            pieces += [core[start : match.start()], match.group()]
            start = match.end()
    return [piece for piece in (*pieces, core[start:]) if piece]


def _looked_up(token: str) -> Token:
    """Return a token with its lemma; the token itself where the table has none."""
    return token, lemmas().get(token, token)
