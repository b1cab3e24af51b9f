"""The tokens and look-up lemmas of blank English in spaCy 2.0.11, as rules; neither spaCy nor its files are needed.

A text is cut at white space, of which single blanks vanish and all else becomes a token. Of each chunk that is neither
an exception nor an address, prefixes and suffixes come off one after the other until nothing more does, or until an
exception or an address is left; what is left is cut at infixes. The reference data are in ``tables``.
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
    """Tokens of a text, in order; none for an empty text.

    >>> [word for word, _ in tokens("state-of-the-art 3-D nets")]
    ['state', '-', 'of', '-', 'the', '-', 'art', '3-D', 'nets']
    """
    return tuple(token for chunk in chunks(text) for token in tokens_of_chunk(chunk))


@lru_cache(maxsize=1 << 16)
def chunks(text: str) -> tuple[str, ...]:
    """Runs of white space and of other characters; a run of white space loses the blank that follows a word."""
    words = text.split(" ")
    if words == text.split():
        return tuple(words)
    found = _CHUNKS.findall(text)
    inner = [one[1:] if one[0] == " " else one for one in found[1:]]
    return tuple(one for one in (*found[:1], *inner) if one)


@lru_cache(maxsize=1 << 16)
def tokens_of_chunk(chunk: str) -> tuple[Token, ...]:
    """Tokens of one chunk."""
    special = exceptions()
    if chunk in special:
        return special[chunk]
    if chunk.isascii() and chunk.isalpha():  # nothing is cut off letters, and nothing between them: the short way
        return (_looked_up(chunk),)
    front, core, back = _peeled(chunk)
    middle = special[core] if core in special else tuple(map(_looked_up, _inner_pieces(core)))
    return (*map(_looked_up, front), *middle, *map(_looked_up, back))


def _peeled(core: str) -> tuple[list[str], str, list[str]]:
    """Prefixes, what is left, suffixes, all in the order of the text."""
    special = exceptions()
    prefix, suffix = affixes().prefix, affixes().suffix
    front: list[str] = []
    back: list[str] = []
    while core and core not in special and not is_address(core):
        found = prefix.match(core)
        head = found.end() if found else 0
        found = suffix.search(core)
        tail = len(core) - found.start() if found else 0
        # An exception that one cut lays bare stays whole: the other end is not touched then.
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
    """What infixes cut a core into; an infix at its very start cuts nothing."""
    if not core or is_address(core):
        return [core] if core else []
    pieces, start = [], 0
    for found in affixes().infix.finditer(core):
        if found.start():
            pieces += [core[start : found.start()], found.group()]
            start = found.end()
    return [piece for piece in (*pieces, core[start:]) if piece]


def _looked_up(token: str) -> Token:
    """A token with its lemma by the table, in whose words case counts; itself where the table has none."""
    return token, lemmas().get(token, token)
