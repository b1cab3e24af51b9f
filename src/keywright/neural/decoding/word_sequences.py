"""Sequences of words and marks as phrases, and the constraint to phrases of their sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from keywright.neural.data.examples import Words
from keywright.neural.data.vocabulary import ABSENT, END, PRESENT, SEPARATOR, SPECIAL, Vocabulary
from keywright.neural.decoding.constraints import PresentOnly
from keywright.neural.decoding.phrases import GeneratedPhrase, Written, phrases_of, tokens_of

_STARTS: Final = frozenset({PRESENT, ABSENT})


@dataclass(frozen=True, slots=True)
class WordSequences:
    """Sequences of words as a network writes them.

    Attributes:
        marked: whether a mark starts each phrase and the end comes in its place, as ExHiRD has it; else phrases are
            separated, and the end follows a word.
    """

    vocabulary: Vocabulary
    marked: bool = False

    def present_only(self, sources: Sequence[Sequence[int]]) -> PresentOnly:
        """Return the constraint to phrases of sources, whose words have the numbers of ``Vocabulary.numbered``."""
        if self.marked:
            return PresentOnly(sources, frozenset({SEPARATOR}), _STARTS | {END}, END)
        return PresentOnly(sources, frozenset({SEPARATOR, END}), frozenset({END}), END)

    def phrases(self, written: Written, unknown: Words) -> list[GeneratedPhrase]:
        """Return the phrases of a sequence; ``unknown`` are the words behind the vocabulary."""
        words = (self.vocabulary.word(number, unknown) for number in written.words)
        starts = frozenset(SPECIAL[mark] for mark in _STARTS) if self.marked else frozenset()
        tokens = tokens_of(words, written.log_probabilities)
        return phrases_of(tokens, frozenset({SPECIAL[SEPARATOR]}), SPECIAL[END], starts)
