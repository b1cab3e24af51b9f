"""Tables of phrases and words that ship with the default extractor."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Keys
from keywright.corpus.background import background
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.joint_counts import JointCounts
from keywright.corpus.lexicons import lexicon
from keywright.text.tag_lexicon import TagLexicon, tag_lexicon

TABLES: Final = ("background", "chosen", "chosen_words", "chosen_heads", "titles", "general", "nouns")
"""Names of the tables of counts, which are searched together."""

_LOOKUPS_BEFORE_JOINING: Final = 16
"""Look-ups before the tables are joined, which costs the time of a few documents; arbitrary within that order."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Counts of phrases and words, all looked up by key.

    Attributes:
        background: scholarly texts with each phrase.
        chosen: author lists with each phrase.
        chosen_words: keyphrases of author lists with each word.
        chosen_heads: keyphrases of author lists that end with each word.
        titles: titles of papers with each phrase.
        general: occurrences of words in an encyclopedia.
        nouns: senses of nouns in a dictionary.
        tags: parts of speech of words; None for languages without a lexicon.
    """

    background: PhraseCounts = field(default_factory=background)
    chosen: PhraseCounts = field(default_factory=partial(lexicon, "author-keyphrases"))
    chosen_words: PhraseCounts = field(default_factory=partial(lexicon, "author-words"))
    chosen_heads: PhraseCounts = field(default_factory=partial(lexicon, "author-heads"))
    titles: PhraseCounts = field(default_factory=partial(lexicon, "titles"))
    general: PhraseCounts = field(default_factory=partial(lexicon, "general-english"))
    nouns: PhraseCounts = field(default_factory=partial(lexicon, "wordnet"))
    tags: TagLexicon | None = field(default_factory=partial(tag_lexicon, "en"))
    _memory: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def counts(self, keys: Keys) -> Mapping[str, Floats]:
        """Return the counts in each of ``TABLES`` by name, (keys,) each; 0 for phrases that a table lacks.

        The first look-ups search each table; later ones search all of them joined.
        """
        lookups = self._memory["lookups"] = self._memory.get("lookups", 0) + 1
        if lookups <= _LOOKUPS_BEFORE_JOINING:
            return {name: getattr(self, name).of(keys) for name in TABLES}
        if "joint" not in self._memory:
            self._memory["joint"] = JointCounts.of_tables([getattr(self, name) for name in TABLES])
        return dict(zip(TABLES, self._memory["joint"].of(keys), strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the cache."""
        return type(self), (*(getattr(self, name) for name in TABLES), self.tags)

    @classmethod
    def without_choices(cls) -> "Knowledge":
        """Return texts, dictionaries and parts of speech, without any counts of keyphrases."""
        empty = PhraseCounts(np.zeros(0, np.uint64), np.zeros(0, np.uint32), 0)
        return cls(chosen=empty, chosen_words=empty, chosen_heads=empty)
