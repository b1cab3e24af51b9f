"""Keys: a phrase as one 64-bit number, so that corpus tables are sorted arrays and a look-up is one ``searchsorted``.

A word in normal form is split into parts at hyphens, slashes and other signs; each part's stem has a 64-bit hash, and a
phrase's key is their polynomial modulo 2**64. So *peer-to-peer network* and *peer to peer networks* share a key, and
the keys of all n-grams of a document follow from the keys of its words without any string.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.documents import GoldKeyphrase
from keywright.text.stems import stemmer
from keywright.text.tokens import WORD_CHARACTER, normal_form
from keywright.text.word_borders import HANGUL, UNSPACED, cache_words

_MULTIPLIER: Final = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio; any large odd number would serve
_MASK: Final = (1 << 64) - 1  # modulo 2**64
_MOST_PARTS: Final = 256  # powers in the table; columns of parts are bytes
_POWERS: Final = np.array([pow(_MULTIPLIER, n, 1 << 64) for n in range(_MOST_PARTS)], dtype=np.uint64)


@cache_words
def hash_of(stem: str) -> int:
    """Return the 64-bit hash of one part's stem, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def key_of(stems: Iterable[str]) -> int:
    """Return the key of a sequence of parts' stems, their rolling hash; 0 for none."""
    return roll_hashes(map(hash_of, stems))


def roll_hashes(hashes: Iterable[int]) -> int:
    """Return the rolling hash of hashes of parts' stems."""
    key = 0
    for part in hashes:
        key = (key * _MULTIPLIER + part) & _MASK
    return key


def join_keys(left: Keys, right: Keys, right_parts: Ints) -> Keys:
    """Return keys of phrases of two pieces each, all (phrases,), with the number of parts of the right piece."""
    keys: Keys = left * _POWERS[np.minimum(right_parts, _MOST_PARTS - 1)] + right
    return keys


def phrase_key(phrase: str, stem: Callable[[str], str] | None = None) -> int:
    """Return the key of a phrase, by the English stemmer when None; 0 when it has neither letter nor digit."""
    stem = stem or stemmer("en")
    return key_of(map(stem, parts_of(normal_form(phrase))))


def parts_of(text: str) -> list[str]:
    """Return the parts of a text in normal form, in order."""
    # Most texts are ASCII, whose letters need none of the tests for scripts and marks: a third of the time.
    return (_ASCII_PARTS if text.isascii() else PARTS).findall(text)


_SINGLE: Final = UNSPACED + HANGUL
PARTS: Final = re.compile(rf"[{_SINGLE}]|[^\W_{_SINGLE}]+(?:(?![{_SINGLE}]){WORD_CHARACTER})*[+#]*")
"""Parts of a word: runs of letters and digits with their marks, with the signs of ``C++`` and ``C#``. In scripts
without blanks, and in Korean, each character is a part: a phrase has the same parts however its words are cut."""

_ASCII_PARTS: Final = re.compile("[A-Za-z0-9]+[+#]*")


def gold_keys(gold: Iterable[GoldKeyphrase], language: str | None = None) -> Keys:
    """Return the keys of all forms of gold, as written and stemmed, ascending, once each, (keys,)."""
    stem = stemmer(language or "en")
    forms = {form for keyphrase in gold for form in keyphrase.forms}
    keys = {phrase_key(form, how) for form in forms for how in (stem, str)}
    return np.array(sorted(keys - {0}), np.uint64)


def gold_word_keys(gold: Iterable[GoldKeyphrase], language: str | None = None) -> Keys:
    """Return the keys of the words in gold keyphrases: ascending, a word as often as distinct phrases have it, (keys,).

    Compounds count as a whole and by their parts: *peer-to-peer network* has *peer-to-peer*, *peer*, *to*, *network*.
    Forms that differ in inflection or case only are one phrase; the language is English when None.
    """
    stem = stemmer(language or "en")
    distinct = {phrase_key(form, stem): form for keyphrase in gold for form in keyphrase.forms}
    keys: list[int] = []
    for form in distinct.values():
        pieces = {piece for word in normal_form(form).split() for piece in (word, *PARTS.findall(word))}
        keys += {phrase_key(piece, how) for piece in pieces for how in (stem, str)} - {0}
    return np.array(sorted(keys), np.uint64)
