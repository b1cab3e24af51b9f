"""Bundled lexicons: what collections of keyphrases, dictionaries and general English know of phrases.

All are keys with counts, made by ``tools/train/build_lexicons.py``; each card names sources and licence.
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
    """A lexicon, mapped into memory on first use.

    ``author-keyphrases``: in how many of ``documents`` author lists a phrase is; none of them is of a paper of
    SemEval-2010. ``author-words``, ``author-heads``: how many keyphrases of these lists hold a word, or end with it, of
    ``documents`` keyphrases. The same names with ``-fr``: of French lists.
    ``wordnet``: senses of nouns. ``foldoc``, ``vera``: headwords and acronyms of computing, 1 each.
    ``general-english``: how often words with this stem stand in Wikipedia, of ``documents`` words.
    ``titles``: in how many titles of papers a phrase of 1 to 4 words is.
    ``co-usage`` and ``reference-english-N`` have functions of their own below.

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
    """Occurrences of n-grams of 1, 2, 3 and 4 words, stop words included, in English that is not about computing."""
    return tuple(lexicon(f"reference-english-{n}") for n in REFERENCE_LENGTHS)


def titles() -> PhraseCounts:
    """Titles of papers with each phrase of 1 to 4 words."""
    return lexicon("titles")


def co_usage() -> PhraseCounts:
    """Author lists that hold both phrases of a pair, looked up by ``pair_keys``; pairs of one list only are left out.

    The lists are those of ``lexicon("author-keyphrases")``, so that the quotient of both counts is a probability.
    """
    return lexicon("co-usage")


def pair_keys(left: Keys, right: Keys) -> Keys:
    """Keys of unordered pairs of phrases, (pairs,) or whatever the shapes broadcast to.

    Keys of phrases are sums over their words, so sums of keys would confuse *a b* + *c d* with *a d* + *c b*: each key
    is scrambled first (the finalizer of SplitMix64, Steele and others 2014).
    """
    return np.asarray(_scrambled(left) + _scrambled(right), np.uint64)


def _scrambled(keys: Keys) -> Keys:
    mixed = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)), np.uint64)
