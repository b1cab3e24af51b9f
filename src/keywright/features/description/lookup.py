"""What is known of the few candidates of a view and of their words: everything is looked up and gathered at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.documents import SECTION_KINDS, SectionKind, WordFlag
from keywright.corpus.knowledge import Knowledge
from keywright.features.description.described_candidates import OverWords, View
from keywright.features.description.neighbours import Beside
from keywright.features.description.tag_shares import class_columns
from keywright.features.functions.words import word_mentions
from keywright.text.tag_lexicon import CLASSES

WORDS_OF: Final = (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.HEADING, SectionKind.REFERENCES)
"""Sections whose words are looked for in candidates."""
_CODES: Final = {kind.value: kind.code for kind in WORDS_OF}
_MARKS: Final = {"stop": int(WordFlag.STOP), "digit": int(WordFlag.DIGIT), "hyphen": int(WordFlag.COMPOUND)}


@dataclass(frozen=True, eq=False)
class Known:
    """A view, and what is known of it.

    Attributes:
        view: some candidates of a document.
        knowledge: tables of phrases and words.
    """

    view: View
    knowledge: Knowledge

    @cached_property
    def _counts(self) -> Mapping[str, Floats]:
        """Counts by table of the few and, behind them, of the word forms ``used``, (few + used,)."""
        keys = self.view.few.key, self.view.document.word_key[self.view.used]
        return self.knowledge.counts(np.concatenate(keys))

    def phrases(self, table: str) -> Floats:
        """Counts of the few in a table, (few,)."""
        return self._counts[table][: len(self.view.few)]

    @cached_property
    def beside(self) -> Beside:
        """What stands on both sides of the mentions of the few."""
        return Beside.of(self.view)

    @cached_property
    def shares(self) -> Floats | None:
        """Shares of the classes of words, (words, classes), 0 for those that are neither in the few nor beside them.

        None for languages without a part-of-speech lexicon.
        """
        tags, document = self.knowledge.tags, self.view.document
        if tags is None:
            return None
        wanted = np.zeros(len(document.words), bool)
        for words in (self.view.used, self.beside.before, self.beside.behind):
            wanted[words] = True
        shares = np.zeros((len(document.words), len(CLASSES)))
        shares[wanted] = tags.shares(document, np.flatnonzero(wanted))
        return shares

    @cached_property
    def words(self) -> OverWords:
        """All numbers of words that columns are made of, over the words of each candidate."""
        view, knowledge = self.view, self.knowledge
        counts = {table: column[len(view.few) :] for table, column in self._counts.items()}
        common, chosen = np.log1p(counts["background"]), np.log1p(counts["chosen_words"])
        columns: dict[str, Floats | Bools] = {
            "mentions": word_mentions(view.document)[view.used],
            "rarity": knowledge.background.rarity(counts["background"]),
            "general": np.log1p(counts["general"]),
            "chosen": chosen,
            "heads": np.log1p(counts["chosen_heads"]),
            "leaning": chosen - common,
            **_written(view),
            **_in_sections(view),
        }
        if self.shares is not None:
            columns |= class_columns(_letters_are_nouns(self.shares[view.used], view))
        return view.over_words(columns)


def _letters_are_nouns(shares: Floats, view: View) -> Floats:
    """Shares of the classes with single letters as nouns, (used, classes): only those of terms stand in candidates.

    The article *a* stands in candidates, too, and stays one.
    """
    lone = view.document.word_flags[view.used] & WordFlag.LONE > 0
    lone &= np.fromiter((view.document.words[word] != "a" for word in view.used.tolist()), bool, len(view.used))
    return np.where(lone[:, None], [letter == "N" for letter in CLASSES], shares) if lone.any() else shares


def _written(view: View) -> dict[str, Floats | Bools]:
    """Letters of each word form, and whether it has marks of each kind, (used,)."""
    flags, forms = view.document.word_flags[view.used], map(view.document.words.__getitem__, view.used.tolist())
    return {
        "letters": np.fromiter(map(len, forms), float, len(view.used)),
        **{name: flags & flag > 0 for name, flag in _MARKS.items()},
    }


def _in_sections(view: View) -> dict[str, Bools]:
    """Whether sections of some kinds hold each word form, (used,)."""
    there = np.zeros((len(SECTION_KINDS), len(view.document.words)), bool)
    there[view.document.section, view.document.word] = True
    return {name: there[code, view.used] for name, code in _CODES.items()}
