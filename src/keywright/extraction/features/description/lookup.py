"""Table look-ups of the shortlist and its words, each done once for all columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.documents import SECTION_KINDS, SectionKind, WordFlag
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.described_candidates import DescribedCandidates, WordValues
from keywright.extraction.features.description.word_classes import NeighbourWords, class_columns
from keywright.extraction.features.functions.words import word_mentions
from keywright.text.tag_lexicon import CLASSES

WORDS_OF: Final = (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.HEADING, SectionKind.REFERENCES)
"""Sections whose words are looked for in candidates."""
_FLAGS: Final = {"stop": int(WordFlag.STOP), "digit": int(WordFlag.DIGIT), "hyphen": int(WordFlag.COMPOUND)}


@dataclass(frozen=True, eq=False)
class Lookup:
    """A shortlist with the tables' entries for it."""

    described: DescribedCandidates
    knowledge: Knowledge

    @cached_property
    def _counts(self) -> Mapping[str, Floats]:
        """Counts by table of the shortlist followed by its word forms, (shortlist + word forms,)."""
        described = self.described
        keys = described.shortlist.key, described.document.word_key[described.word_forms]
        return self.knowledge.counts(np.concatenate(keys))

    def phrase_counts(self, table: str) -> Floats:
        """Return the counts of the shortlist in a table, (shortlist,)."""
        return self._counts[table][: len(self.described.shortlist)]

    @cached_property
    def neighbours(self) -> NeighbourWords:
        """Words on both sides of the mentions of the shortlist."""
        return NeighbourWords.from_shortlist(self.described)

    @cached_property
    def tag_shares(self) -> Floats | None:
        """Shares of word classes, (words, classes); 0 for words neither in the shortlist nor beside it.

        None for languages without a part-of-speech lexicon.
        """
        tags, document = self.knowledge.tags, self.described.document
        if tags is None:
            return None
        wanted = np.zeros(len(document.words), bool)
        for words in (self.described.word_forms, self.neighbours.before, self.neighbours.after):
            wanted[words] = True
        shares = np.zeros((len(document.words), len(CLASSES)))
        shares[wanted] = tags.shares(document, np.flatnonzero(wanted))
        return shares

    @cached_property
    def words(self) -> WordValues:
        """All per-word values that columns are made of, by candidate."""
        described, knowledge = self.described, self.knowledge
        counts = {table: column[len(described.shortlist) :] for table, column in self._counts.items()}
        common, chosen = np.log1p(counts["background"]), np.log1p(counts["chosen_words"])
        columns: dict[str, Floats | Bools] = {
            "mentions": word_mentions(described.document)[described.word_forms],
            "rarity": knowledge.background.rarity(counts["background"]),
            "general": np.log1p(counts["general"]),
            "chosen": chosen,
            "heads": np.log1p(counts["chosen_heads"]),
            "leaning": chosen - common,
            **_spelling(described),
            **_in_sections(described),
        }
        if self.tag_shares is not None:
            columns |= class_columns(_letters_as_nouns(self.tag_shares[described.word_forms], described))
        return described.word_values(columns)


def _letters_as_nouns(shares: Floats, described: DescribedCandidates) -> Floats:
    """Return shares of word classes with single letters counted as nouns, (word forms, classes).

    Candidates contain only single letters that belong to a term, and the article *a*, which keeps its shares.
    """
    forms, words = described.word_forms, described.document.words
    single = described.document.word_flags[forms] & WordFlag.LONE > 0
    single &= np.fromiter((words[form] != "a" for form in forms.tolist()), bool, len(forms))
    return np.where(single[:, None], [letter == "N" for letter in CLASSES], shares) if single.any() else shares


def _spelling(described: DescribedCandidates) -> dict[str, Floats | Bools]:
    """Return letters and flags of each word form, (word forms,)."""
    document, forms = described.document, described.word_forms
    flags, texts = document.word_flags[forms], map(document.words.__getitem__, forms.tolist())
    return {
        "letters": np.fromiter(map(len, texts), float, len(forms)),
        **{name: flags & flag > 0 for name, flag in _FLAGS.items()},
    }


def _in_sections(described: DescribedCandidates) -> dict[str, Bools]:
    """Return whether each kind of ``WORDS_OF`` contains each word form, (word forms,)."""
    document = described.document
    present = np.zeros((len(SECTION_KINDS), len(document.words)), bool)
    present[document.section, document.word] = True
    return {kind.value: present[kind.code, described.word_forms] for kind in WORDS_OF}
