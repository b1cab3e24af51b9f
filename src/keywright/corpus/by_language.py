"""Tables of phrases and words by language: all for English, some for French, none for any other."""

from functools import lru_cache
from typing import Final

import numpy as np

from keywright.corpus.background import background
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.knowledge import Knowledge
from keywright.corpus.lexicons import lexicon

ANY: Final = "any"
"""Name for all languages without tables."""

KNOWN: Final = ("en", "fr")
"""Languages with tables of their own."""


@lru_cache(maxsize=len(KNOWN) + 1)
def knowledge_of(language: str) -> Knowledge:
    """Return the tables of a language; missing ones are empty, so that they treat all phrases alike.

    Args:
        language: one of ``KNOWN``, or ``ANY``, which has no tables.
    """
    if language == "en":
        return Knowledge()
    empty = PhraseCounts(np.zeros(0, np.uint64), np.zeros(0, np.uint32), 1)  # 1 document makes every rarity 1
    if language == "fr":
        return Knowledge(
            background=background("fr"),
            chosen=lexicon("author-keyphrases-fr"),
            chosen_words=lexicon("author-words-fr"),
            chosen_heads=lexicon("author-heads-fr"),
            titles=empty,
            general=empty,
            nouns=empty,
            tags=None,
        )
    return Knowledge(empty, empty, empty, empty, empty, empty, empty, tags=None)


def lacking(knowledge: Knowledge) -> tuple[str, ...]:
    """Return names of the missing tables, for messages: *lexicon of keyphrases*, *parts of speech* ..."""
    tables = {
        "lexicon of keyphrases": knowledge.chosen,
        "background frequencies": knowledge.background,
        "titles of papers": knowledge.titles,
        "dictionary": knowledge.nouns,
    }
    missing = (name for name, table in tables.items() if not len(table))
    return (*missing, *(("parts of speech",) if knowledge.tags is None else ()))
