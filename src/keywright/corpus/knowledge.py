"""What is known of phrases and words beyond one document: the tables that the default extractor ships with."""

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
"""Names of the tables of counts, which are looked up together."""

_ASKED_OFTEN: Final = 16
"""Look-ups after which it is worth while to put the tables side by side: that costs the time of a few documents."""


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
    _memory: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def counts(self, keys: Keys) -> Mapping[str, Floats]:
        """Counts in each of ``TABLES`` by its name, (keys,) each; 0 for what a table does not know.

        The first few times each table is asked by itself; who asks more often gets all of them side by side.
        """
        asked = self._memory["asked"] = self._memory.get("asked", 0) + 1
        if asked <= _ASKED_OFTEN:
            return {name: getattr(self, name).of(keys) for name in TABLES}
        if "together" not in self._memory:
            self._memory["together"] = JointCounts.of_tables([getattr(self, name) for name in TABLES])
        return dict(zip(TABLES, self._memory["together"].of(keys), strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel without the memory."""
        return type(self), (*(getattr(self, name) for name in TABLES), self.tags)

    @classmethod
    def without_choices(cls) -> "Knowledge":
        """Texts, dictionaries and parts of speech alone: nothing that people chose as keyphrases."""
        nothing = PhraseCounts(np.zeros(0, np.uint64), np.zeros(0, np.uint32), 0)
        return cls(chosen=nothing, chosen_words=nothing, chosen_heads=nothing)
