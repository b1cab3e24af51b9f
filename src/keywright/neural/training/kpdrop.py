"""KPDrop: present keyphrases that are removed from the source, so that they become absent ones.

Ray Chowdhury, Park, Kundu and Caragea, "KPDrop: Improving Absent Keyphrase Generation", Findings of EMNLP 2022. Each
present keyphrase is drawn with the same probability. All its occurrences, by stems, are replaced by a mark; so is what
they contain, and a keyphrase that does not occur any more becomes absent though it was not drawn.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from keywright.neural.data.examples import Example, Words, divided, stems_of
from keywright.neural.data.words import MASKED
from keywright.neural.training.options import DropVariant


@dataclass(frozen=True, slots=True)
class KeyphraseDropout:
    """Removal of present keyphrases from the examples of a step.

    Attributes:
        rate: probability that a present keyphrase is removed; 0 to 1.
    """

    rate: float
    variant: DropVariant
    seed: int

    def apply(self, examples: Sequence[Example], step: int) -> Sequence[Example]:
        """Return the examples of a step without the keyphrases that are drawn; the same for the same seed and step."""
        random = np.random.default_rng((self.seed, step, 0))
        changed = []
        for example in examples:
            drawn = random.random(len(example.present)) < self.rate
            changed.append(without(example, {example.present[place] for place in np.flatnonzero(drawn)}))
        return changed if self.variant is DropVariant.REPLACE else [*examples, *changed]


def without(example: Example, phrases: Collection[Words]) -> Example:
    """Return an example whose source lacks some phrases; one mark is left for each stretch of removed words."""
    if not phrases:
        return example
    words, stems = example.source, stems_of(example.source)
    for phrase in sorted(phrases, key=len, reverse=True):  # a long one first, before its parts break it up
        words, stems = _masked(words, stems, stems_of(phrase))
    present, absent = divided(stems, example.phrases)
    joined = tuple(word for word, before in zip(words, ("", *words), strict=False) if not word == before == MASKED)
    return Example(example.id, joined, tuple(present), tuple(absent))


def _masked(words: Words, stems: Words, phrase: Words) -> tuple[Words, Words]:
    """Return words and stems with the mark in the place of every occurrence of a phrase."""
    pairs: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        if stems[at] == phrase[0] and stems[at : at + len(phrase)] == phrase:
            pairs.append((MASKED, MASKED))
            at += len(phrase)
        else:
            pairs.append((words[at], stems[at]))
            at += 1
    return tuple(word for word, _ in pairs), tuple(stem for _, stem in pairs)
