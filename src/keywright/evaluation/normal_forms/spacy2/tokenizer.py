"""The tokens and look-up lemmas of blank English in spaCy 2.0.11, as rules; neither spaCy nor its files are needed.

A text is split at white space; single blanks vanish, longer white space becomes a token. From a chunk that is neither
an exception nor an address, prefixes and suffixes are removed one by one until none is left, or until an exception or
an address remains; the remaining core is split at infixes. The reference data are in ``tables``.
"""

import re
from functools import lru_cache
from typing import Final, TypeAlias

from keywright.evaluation.normal_forms.spacy2.affixes import affixes
from keywright.evaluation.normal_forms.spacy2.tables import exceptions, lemmas
from keywright.evaluation.normal_forms.spacy2.urls import is_address

Token: TypeAlias = tuple[str, str]
"""A token's text and its lemma, in the case of the table."""
_CHUNKS: Final = re.compile(r"\s+|\S+")


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


def _peeled(core: str) -> tuple[list[str], str, list[str]]:
    """Split a chunk into prefixes, core and suffixes, in the order of the text."""
    special = exceptions()
    prefix, suffix = affixes().prefix, affixes().suffix
    front: list[str] = []
    back: list[str] = []
    while core and core not in special and not is_address(core):
        match = prefix.match(core)
        head = match.end() if match else 0
        match = suffix.search(core)
        tail = len(core) - match.start() if match else 0
        # If removing one affix leaves an exception, that stays whole: the other end is not touched.
        if head and core[head:] in special:
            tail = 0
        elif tail and core[: len(core) - tail] in special:
            head = 0
        elif head and head + tail > len(core):
            tail = 0
        if not head and not tail:
            break
        end = len(core) - tail
        front += [core[:head]] if head else []
        back += [core[end:]] if tail else []
        core = core[head:end]
    return front, core, back[::-1]


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
