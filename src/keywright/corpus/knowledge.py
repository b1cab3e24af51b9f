"""What is known of phrases and words beyond one document: the tables that the default extractor ships with."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from keywright.corpus.background import background
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.lexicons import lexicon
from keywright.text.tag_lexicon import TagLexicon, tag_lexicon


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Counts of phrases and words, all looked up by key.

    Attributes:
        background: scholarly texts with each phrase.
        chosen: author lists with each phrase.
        chosen_words: keyphrases of author lists with each word.
        chosen_heads: keyphrases of author lists that end with each word.
        titles: titles of papers with each phrase.
        general: how often words stand in an encyclopedia.
        nouns: senses of nouns of a dictionary.
        tags: parts of speech of words; None for languages without.
    """

    background: PhraseCounts = field(default_factory=background)
    chosen: PhraseCounts = field(default_factory=partial(lexicon, "author-keyphrases"))
    chosen_words: PhraseCounts = field(default_factory=partial(lexicon, "author-words"))
    chosen_heads: PhraseCounts = field(default_factory=partial(lexicon, "author-heads"))
    titles: PhraseCounts = field(default_factory=partial(lexicon, "titles"))
    general: PhraseCounts = field(default_factory=partial(lexicon, "general-english"))
    nouns: PhraseCounts = field(default_factory=partial(lexicon, "wordnet"))
    tags: TagLexicon | None = field(default_factory=partial(tag_lexicon, "en"))

    @classmethod
    def without_choices(cls) -> "Knowledge":
        """Texts, dictionaries and parts of speech alone: nothing that people chose as keyphrases."""
        nothing = PhraseCounts(np.zeros(0, np.uint64), np.zeros(0, np.uint32), 0)
        return cls(chosen=nothing, chosen_words=nothing, chosen_heads=nothing)
