"""Keys: a phrase as one 64-bit number, so that corpus tables are sorted arrays and a look-up is one ``searchsorted``.

A word is split into parts at hyphens, slashes and other signs; each part's stem has a 64-bit hash, and a phrase's key
is the polynomial of its parts' hashes modulo 2**64. So *peer-to-peer network* and *peer to peer networks* share a key,
and the keys of all n-grams of a document follow from the keys of its words without any string.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.text.normal import PARTS, normal_form
from keywright.text.stems import stemmer

_MULTIPLIER: Final = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio; any large odd number would serve
_MASK: Final = (1 << 64) - 1  # modulo 2**64
_MOST_PARTS: Final = 256  # powers in the table; columns of parts are bytes
_CACHED: Final = 1 << 18  # hashes in memory; arbitrary
_POWERS: Final = np.array([pow(_MULTIPLIER, n, 1 << 64) for n in range(_MOST_PARTS)], dtype=np.uint64)


@lru_cache(maxsize=_CACHED)
def hash_of(stem: str) -> int:
    """Return the 64-bit hash of one part's stem, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(stem.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def key_of(stems: Iterable[str]) -> int:
    """Return the key of a sequence of parts' stems, their rolling hash; 0 for none."""
    key = 0
    for stem in stems:
        key = (key * _MULTIPLIER + hash_of(stem)) & _MASK
    return key


def joined(left: Keys, right: Keys, right_parts: Ints) -> Keys:
    """Return keys of phrases of two pieces each, all (phrases,), with the number of parts of the right piece."""
    keys: Keys = left * _POWERS[np.minimum(right_parts, _MOST_PARTS - 1)] + right
    return keys


def phrase_key(phrase: str, stem: Callable[[str], str] | None = None) -> int:
    """Return the key of a phrase; 0 when it has neither letter nor digit.

    Args:
        phrase: any text.
        stem: stemmer of one part; English when None.
    """
    stem = stem or stemmer("en")
    return key_of(stem(part) for part in PARTS.findall(normal_form(phrase)))
