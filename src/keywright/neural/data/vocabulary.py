"""Vocabulary of words; words outside of it are copied from the source by numbers behind the vocabulary's.

The words of a batch that are not in the vocabulary get the numbers ``len(vocabulary)``, ``len(vocabulary) + 1``, ... in
the order of their occurrence in their document (See, Liu and Manning 2017, pointer-generator networks).
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from keywright.core.errors import BrokenFile
from keywright.neural.data.examples import Example, Words
from keywright.neural.data.words import MASKED

SPECIAL: Final = ("<pad>", "<unk>", "<bos>", "<eos>", ";", "<peos>", "<null>", "<p_start>", "<a_start>")
"""Marks with the first numbers: padding, unknown word, begin, end, separator of phrases, end of the present ones, empty
slot, and the starts of a present and an absent phrase."""
PAD, UNKNOWN, BEGIN, END, SEPARATOR, PRESENT_END, NULL, PRESENT, ABSENT = range(len(SPECIAL))


@dataclass(frozen=True)
class Vocabulary:
    """Words with numbers from 0; ``SPECIAL`` come first."""

    words: Words

    @classmethod
    def of(cls, examples: Iterable[Example], size: int) -> "Vocabulary":
        """Return the most frequent words of sources and keyphrases; ties in alphabetical order.

        Args:
            examples: to learn from.
            size: number of words at most, the marks among them.
        """
        counts = Counter(
            word
            for example in examples
            for word in itertools.chain(example.source, itertools.chain.from_iterable(example.phrases))
        )
        for mark in SPECIAL:
            counts.pop(mark, None)
        ordered = sorted(counts, key=lambda word: (-counts[word], word))
        return cls((*SPECIAL, *ordered[: max(0, size - len(SPECIAL))]))

    def __len__(self) -> int:
        """Number of words, marks included."""
        return len(self.words)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of each word; the mark of words that were left out of a source has that of a mark no one writes."""
        return {MASKED: PRESENT_END} | {word: number for number, word in enumerate(self.words)}

    def encoded(self, words: Iterable[str], unknown: Sequence[str] = ()) -> list[int]:
        """Return the numbers of words; those of ``unknown`` are behind the vocabulary, others ``UNKNOWN``."""
        behind = {word: len(self) + place for place, word in enumerate(unknown)}
        return [self.numbers.get(word, behind.get(word, UNKNOWN)) for word in words]

    def obstacle(self, source: Words, phrase: Words, longest: int | None = None) -> str:
        """Return why a phrase, of at most ``longest`` words, cannot be written for a source; empty if it can."""
        if longest is not None and len(phrase) > longest:
            return f"it has {len(phrase)} words, and at most {longest} are written"
        missing = next((word for word in phrase if word not in self.numbers and word not in source), None)
        return "" if missing is None else f"{missing!r} is neither in the vocabulary nor in the text"

    def word(self, number: int, unknown: Sequence[str] = ()) -> str:
        """Return the word of a number."""
        return self.words[number] if number < len(self) else unknown[number - len(self)]

    def numbered(self, sources: Iterable[Words]) -> tuple[list[list[int]], tuple[Words, ...]]:
        """Return the numbers of each source's words, and the words that are behind the vocabulary for each source."""
        rows, missing = [], []
        for source in sources:
            unknown = tuple(dict.fromkeys(word for word in source if word not in self.numbers))
            rows.append(self.encoded(source, unknown))
            missing.append(unknown)
        return rows, tuple(missing)

    def as_json(self) -> str:
        """Return the words as JSON."""
        return json.dumps({"words": self.words}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Vocabulary":
        """Return the vocabulary that ``as_json`` wrote.

        Raises:
            BrokenFile: the text is not JSON, or not the words of a vocabulary.
        """
        try:
            words = json.loads(text)["words"]
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenFile(f"the vocabulary cannot be read: {error}", "copy the folder again") from error
        is_list = isinstance(words, list) and all(isinstance(word, str) for word in words)
        if not is_list or tuple(words[: len(SPECIAL)]) != SPECIAL or len(set(words)) < len(words):
            raise BrokenFile("the vocabulary is not a list of different words", "copy the folder again")
        return cls(tuple(words))
