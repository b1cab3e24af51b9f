"""What is known of phrases and words, by language: all tables for English, some for French, none for any other."""

from functools import lru_cache
from typing import Final

import numpy as np

from keywright.corpus.background import background
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.knowledge import Knowledge
from keywright.corpus.lexicons import lexicon

ANY: Final = "any"
"""Stands for all languages of which nothing is known."""

KNOWN: Final = ("en", "fr")
"""Languages with tables of their own."""


@lru_cache(maxsize=len(KNOWN) + 1)
def knowledge_of(language: str) -> Knowledge:
    """The tables of a language; those that it lacks are empty, and make no difference between phrases.

    Args:
        language: one of ``KNOWN``; ``ANY`` has no tables at all.
    """
    if language == "en":
        return Knowledge()
    nothing = PhraseCounts(np.zeros(0, np.uint64), np.zeros(0, np.uint32), 1)  # of 1 document: all are equally rare
    if language == "fr":
        return Knowledge(
            background=background("fr"),
            chosen=lexicon("author-keyphrases-fr"),
            chosen_words=lexicon("author-words-fr"),
            chosen_heads=lexicon("author-heads-fr"),
            titles=nothing,
            general=nothing,
            nouns=nothing,
            tags=None,
        )
    return Knowledge(nothing, nothing, nothing, nothing, nothing, nothing, nothing, tags=None)


def lacking(knowledge: Knowledge) -> tuple[str, ...]:
    """What is not known, in words: *lexicon of keyphrases*, *parts of speech* ..."""
    tables = {
        "lexicon of keyphrases": knowledge.chosen,
        "background frequencies": knowledge.background,
        "titles of papers": knowledge.titles,
        "dictionary": knowledge.nouns,
    }
    empty = (name for name, table in tables.items() if not len(table))
    return (*empty, *(("parts of speech",) if knowledge.tags is None else ()))
