"""Tables of phrases and words by language: all for English, some for French, else common words; bundled lexicons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final, Literal, Self

import numpy as np

from keywright.core.arrays import Floats, Ints, KeyIndex, Keys
from keywright.core.errors import unknown_name
from keywright.core.saving import MODELS
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.text.tag_lexicon import TagLexicon, tag_lexicon

REFERENCE_LENGTHS: Final = (1, 2, 3, 4)  # numbers of words of the n-grams of ``reference_english``
_NAMES: Final = (
    "author-heads author-heads-fr author-keyphrases author-keyphrases-fr author-words author-words-fr co-usage foldoc "
    "general-english titles vera wordnet"
).split()
LEXICONS: Final = {
    name: f"{name.replace('-', '_')}.counts"
    for name in sorted((*_NAMES, *(f"reference-english-{n}" for n in REFERENCE_LENGTHS)))
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
    ``co-usage``: lists of ``author-keyphrases`` with both phrases of a pair, by ``pair_keys``; pairs of one list are
    left out. ``reference-english-N``: see ``reference_english``.

    Raises:
        UnknownName: there is no such lexicon.
    """
    if name not in LEXICONS:
        listing = "python -c 'import keywright.extraction.corpus.knowledge as l; print(*l.LEXICONS)'"
        raise unknown_name("lexicon", name, LEXICONS, listing)
    return PhraseCounts.load(MODELS / LEXICONS[name])


def reference_english() -> tuple[PhraseCounts, ...]:
    """Return occurrences of n-grams of 1, 2, 3 and 4 words, with stop words, in English that is not about computing."""
    return tuple(lexicon(f"reference-english-{n}") for n in REFERENCE_LENGTHS)


def titles() -> PhraseCounts:
    """Return the number of titles of papers with each phrase of 1 to 4 words."""
    return lexicon("titles")


def pair_keys(left: Keys, right: Keys) -> Keys:
    """Return the keys of unordered pairs of phrases, in the shape that both broadcast to."""
    # Sums of keys would confuse *a b* + *c d* with *a d* + *c b*: SplitMix64 (Steele et al. 2014) mixes each.
    mixed = []
    for keys in (left, right):
        some = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        some = (some ^ (some >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed.append(some ^ (some >> np.uint64(31)))
    return np.asarray(mixed[0] + mixed[1], np.uint64)


LANGUAGES: Final = ("en", "fr")  # languages with tables of their own


@lru_cache(maxsize=len(LANGUAGES))
def background(language: Literal["en", "fr"] = "en") -> PhraseCounts:
    """Return document frequencies of phrases of 1 to 3 words (French: 4), mapped into memory on first use."""
    return PhraseCounts.load(MODELS / f"background_{language}.counts")


@dataclass(frozen=True, slots=True, eq=False)
class JointCounts:
    """Counts, (phrases, tables), of the phrases in any of several tables; a key is searched once for all."""

    index: KeyIndex
    counts: Ints

    @classmethod
    def of_tables(cls, tables: Sequence[PhraseCounts]) -> Self:
        """Return the joined tables; takes a few hundredths of a second for half a million entries."""
        every_key = np.sort(np.concatenate([np.zeros(0, np.uint64), *(table.keys for table in tables)]))
        distinct = every_key[np.diff(every_key, prepend=every_key[:1] ^ np.uint64(1)) != 0]
        counts = np.zeros((len(distinct), len(tables)), np.uint32)
        for column, table in zip(counts.T, tables, strict=True):
            column[np.searchsorted(distinct, table.keys)] = table.counts
        return cls(KeyIndex.of(distinct), counts)

    def of(self, keys: Keys) -> Floats:
        """Return the counts of phrases in each table, (tables, keys); 0 for phrases that a table lacks."""
        row, is_there = self.index.look_up(keys)
        counts = np.zeros((self.counts.shape[1], len(keys)))
        counts[:, is_there] = self.counts.take(row[is_there], axis=0).T
        return counts


TABLES: Final = ("background", "chosen", "chosen_words", "chosen_heads", "titles", "general", "nouns")
"""Names of the tables of counts, which are searched together."""
_KEYS_BEFORE_JOINING: Final = 30_000
"""Keys that are looked up before the tables are joined, those of about ten papers or a hundred abstracts: joining takes
as long as searching the tables for some 40,000 keys one by one."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Counts of phrases and words, all looked up by key."""

    background: PhraseCounts = field(default_factory=background)  # scholarly texts with each phrase
    chosen: PhraseCounts = field(default_factory=partial(lexicon, "author-keyphrases"))  # author lists with each phrase
    # Keyphrases of author lists with each word.
    chosen_words: PhraseCounts = field(default_factory=partial(lexicon, "author-words"))
    # Keyphrases of author lists that end with each word.
    chosen_heads: PhraseCounts = field(default_factory=partial(lexicon, "author-heads"))
    titles: PhraseCounts = field(default_factory=partial(lexicon, "titles"))  # titles of papers with each phrase
    # Occurrences of words in an encyclopedia; in other languages of the commonest ones anywhere.
    general: PhraseCounts = field(default_factory=partial(lexicon, "general-english"))
    nouns: PhraseCounts = field(default_factory=partial(lexicon, "wordnet"))  # senses of nouns in a dictionary
    # Parts of speech of words; None for languages without a lexicon.
    tags: TagLexicon | None = field(default_factory=partial(tag_lexicon, "en"))
    _memory: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def counts(self, keys: Keys) -> Mapping[str, Floats]:
        """Return the counts in each of ``TABLES`` by name, (keys,) each; 0 for phrases that a table lacks."""
        searched = self._memory["searched"] = self._memory.get("searched", 0) + len(keys)
        if searched <= _KEYS_BEFORE_JOINING:
            return {name: getattr(self, name).of(keys) for name in TABLES}
        if "joint" not in self._memory:
            self._memory["joint"] = JointCounts.of_tables([getattr(self, name) for name in TABLES])
        return dict(zip(TABLES, self._memory["joint"].of(keys), strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*(getattr(self, name) for name in TABLES), self.tags)

    @classmethod
    def without_choices(cls) -> "Knowledge":
        """Return texts, dictionaries and parts of speech, without any counts of keyphrases."""
        empty = PhraseCounts(np.zeros(0, np.uint64), np.zeros(0, np.uint32), 0)
        return cls(chosen=empty, chosen_words=empty, chosen_heads=empty)


ANY: Final = "any"  # name for all languages without tables
COMMON_WORDS: Final = "common_words.npz"
"""File of the commonest words of other languages than English, made by ``tools/train/build_common_words.py``."""


def common_words(language: str) -> PhraseCounts:
    """Return how often the commonest words of a language are written in a million words; empty where not known."""
    with np.load(MODELS / COMMON_WORDS) as columns:
        if f"{language}_keys" not in columns:
            return PhraseCounts(np.zeros(0, np.uint64), np.zeros(0, np.uint32), 1)
        return PhraseCounts(columns[f"{language}_keys"], columns[f"{language}_counts"], 1_000_000)


@lru_cache(maxsize=64)  # more than there are languages in a run
def knowledge_of(language: str) -> Knowledge:
    """Return the tables of a language, or of ``ANY``; missing ones are empty, so that they treat all phrases alike."""
    if language == "en":
        return Knowledge()
    empty = PhraseCounts(np.zeros(0, np.uint64), np.zeros(0, np.uint32), 1)  # 1 document makes every rarity 1
    texts, chosen, words, heads = [empty] * 4
    if language == "fr":
        texts = background("fr")
        chosen, words, heads = (lexicon(f"author-{part}-fr") for part in ("keyphrases", "words", "heads"))
    return Knowledge(texts, chosen, words, heads, empty, common_words(language), empty, tag_lexicon(language))


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
