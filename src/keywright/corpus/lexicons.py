"""Bundled lexicons: counts of phrases in collections of keyphrases, dictionaries and general English.

All were made by ``tools/train/build_lexicons.py``; each card names sources and licence.
"""

from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Keys
from keywright.core.errors import unknown
from keywright.corpus.counts import PhraseCounts

REFERENCE_LENGTHS: Final = (1, 2, 3, 4)
"""Numbers of words of the n-grams of ``reference_english``."""
LEXICONS: Final = {
    "author-heads": "author_heads.counts",
    "author-heads-fr": "author_heads_fr.counts",
    "author-keyphrases": "author_keyphrases.counts",
    "author-keyphrases-fr": "author_keyphrases_fr.counts",
    "author-words": "author_words.counts",
    "author-words-fr": "author_words_fr.counts",
    "co-usage": "co_usage.counts",
    "foldoc": "foldoc.counts",
    "general-english": "general_english.counts",
    **{f"reference-english-{n}": f"reference_english_{n}.counts" for n in REFERENCE_LENGTHS},
    "titles": "titles.counts",
    "vera": "vera.counts",
    "wordnet": "wordnet.counts",
}
"""File of each lexicon."""


@lru_cache(maxsize=len(LEXICONS))
def lexicon(name: str) -> PhraseCounts:
    """Return a lexicon, mapped into memory on first use.

    ``author-keyphrases``: author lists with a phrase, of ``documents`` lists, none from a paper of SemEval-2010.
    ``author-words``, ``author-heads``: keyphrases of these lists that contain a word, or end with it, of ``documents``
    keyphrases. The same names with ``-fr``: of French lists.
    ``wordnet``: senses of nouns. ``foldoc``, ``vera``: headwords and acronyms of computing, 1 each.
    ``general-english``: occurrences of words with this stem in Wikipedia, of ``documents`` words.
    ``titles``: titles of papers with a phrase of 1 to 4 words.
    ``co-usage`` and ``reference-english-N``: see ``co_usage`` and ``reference_english``.

    Raises:
        UnknownName: there is no such lexicon.
    """
    if name not in LEXICONS:
        raise unknown(
            "lexicon", name, LEXICONS, "python -c 'import keywright.corpus.lexicons as l; print(*l.LEXICONS)'"
        )
    with resources.as_file(resources.files("keywright") / "models" / LEXICONS[name]) as path:
        return PhraseCounts.load(Path(path))


def reference_english() -> tuple[PhraseCounts, ...]:
    """Return occurrences of n-grams of 1, 2, 3 and 4 words, with stop words, in English that is not about computing."""
    return tuple(lexicon(f"reference-english-{n}") for n in REFERENCE_LENGTHS)


def titles() -> PhraseCounts:
    """Return the number of titles of papers with each phrase of 1 to 4 words."""
    return lexicon("titles")


def co_usage() -> PhraseCounts:
    """Return the number of author lists with both phrases of a pair, by ``pair_keys``; pairs of one list are left out.

    The lists are those of ``lexicon("author-keyphrases")``, so the quotient of both counts is a probability.
    """
    return lexicon("co-usage")


def pair_keys(left: Keys, right: Keys) -> Keys:
    """Return the keys of unordered pairs of phrases, in the shape that both broadcast to.

    Keys of phrases are sums over their words, so sums of keys would confuse *a b* + *c d* with *a d* + *c b*: each key
    is scrambled first.
    """
    return np.asarray(_scrambled(left) + _scrambled(right), np.uint64)


def _scrambled(keys: Keys) -> Keys:
    """Return the keys mixed by the finalizer of SplitMix64 (Steele and others 2014), from which all numbers come."""
    mixed = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)), np.uint64)
