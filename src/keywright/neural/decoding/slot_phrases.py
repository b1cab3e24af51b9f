"""Words of slots as phrases, and the constraint to phrases of their sources."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from keywright.neural.data.examples import Words
from keywright.neural.data.vocabulary import END, NULL, PAD, Vocabulary
from keywright.neural.decoding.constraints import PresentOnly
from keywright.neural.decoding.phrases import GeneratedPhrase, Written, phrase_of, tokens_of


@dataclass(frozen=True, slots=True)
class SlotPhrases:
    """Slots that write a phrase each, or the empty mark.

    Attributes:
        count: number of slots.
    """

    vocabulary: Vocabulary
    count: int

    def present_only(self, sources: Sequence[Sequence[int]]) -> PresentOnly:
        """Return the constraint to phrases of sources, with a row for each slot of each source."""
        rows = [source for source in sources for _ in range(self.count)]
        return PresentOnly(rows, frozenset({END}), frozenset({NULL}), END)

    def phrases(self, slots: Sequence[Written], unknown: Words) -> list[GeneratedPhrase]:
        """Return the phrases of the slots that are not empty, those with the highest mean probability first."""
        phrases = [self._phrase(slot, written, unknown) for slot, written in enumerate(slots)]
        return sorted((phrase for phrase in phrases if phrase), key=_mean_probability, reverse=True)

    def _phrase(self, slot: int, written: Written, unknown: Words) -> GeneratedPhrase | None:
        """Return the phrase of a slot; None if it is empty."""
        numbers, values = written.words, written.log_probabilities
        length = numbers.index(END) if END in numbers else len(numbers)
        if not length or numbers[0] in {NULL, PAD}:
            return None
        words = [self.vocabulary.word(number, unknown) for number in numbers[:length]]
        tokens = tokens_of(words, values[:length])
        return phrase_of(tokens, values[length] if length < len(numbers) else None, slot=slot)


def _mean_probability(phrase: GeneratedPhrase) -> float:
    """Return the mean probability of a phrase's words, by which Ye et al. 2021 rank them."""
    values = phrase.generation.log_probabilities
    return sum(map(math.exp, values)) / len(values)
