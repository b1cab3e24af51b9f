"""Documents of the training data that are also in a test set: the same title, or nearly the same words.

The rule is that of the KP20k split of Chen et al. 2019: the same title, or a Jaccard similarity of 0.7 between the sets
of words that are not function words.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from keywright.neural.data.examples import Example, Words
from keywright.neural.data.words import TITLE_END
from keywright.text.stopwords import stopwords

_SIMILAR: Final = 0.7
"""Jaccard similarity from which two documents are the same; Chen et al. 2019, section 4.1."""
_TITLE: Final = 3
"""Fewest words of a title that tells a document apart (*Editorial*, *Book review*); arbitrary."""


class Guard:
    """Documents of test sets, which recognises them among others, one by one.

    Two sets with a Jaccard similarity of at least t share a word among the rarest of each: of n words the first
    n - ceil(t n) + 1 (prefix filtering; Chaudhuri, Ganti and Kaushik 2006). Only documents that share one are compared.
    """

    def __init__(self, guarded: Mapping[str, Words]) -> None:
        """Index the words of each guarded document, by its name."""
        self._names = list(guarded)
        self._titles = {title: name for name, words in guarded.items() if (title := _title(words))}
        self._frequencies = Counter(word for words in guarded.values() for word in _content(words))
        self._numbers = {word: number for number, word in enumerate(self._frequencies)}
        self._contents: list[NDArray[np.int32]] = []
        self._with_rare_word: dict[str, list[int]] = defaultdict(list)
        for place, words in enumerate(guarded.values()):
            content = _content(words)
            # Arrays: sets of so many documents would need a gigabyte.
            self._contents.append(np.array([self._numbers[word] for word in content], np.int32))
            for word in self._rarest(content):
                self._with_rare_word[word].append(place)

    def match(self, source: Words) -> str | None:
        """Return the name of the guarded document that a source is; None if it is none of them."""
        if (title := _title(source)) in self._titles:
            return self._titles[title]
        words = _content(source)
        numbers = {self._numbers[word] for word in words if word in self._numbers}
        places = {place for word in self._rarest(words) for place in self._with_rare_word.get(word, ())}
        return next((self._names[place] for place in sorted(places) if self._similar(numbers, len(words), place)), None)

    def _rarest(self, content: set[str]) -> list[str]:
        """Return as many of the rarest words as similar documents cannot all lack; words of no test set come first."""
        length = len(content) - math.ceil(_SIMILAR * len(content)) + 1
        return sorted(content, key=lambda word: (self._frequencies.get(word, 0), word))[:length]

    def _similar(self, numbers: set[int], words: int, place: int) -> bool:
        common = len(numbers.intersection(self._contents[place].tolist()))
        return common > 0 and common >= _SIMILAR * (words + len(self._contents[place]) - common)


def overlapping(examples: Iterable[Example], guarded: Mapping[str, Words]) -> dict[str, str]:
    """Return which guarded document each overlapping example is, by the example's id.

    Args:
        examples: to learn from.
        guarded: words of each guarded document, by its name.
    """
    guard = Guard(guarded)
    return {example.id: name for example in examples if (name := guard.match(example.source))}


def _title(words: Words) -> Words:
    """Return the words of a title; none if there is no title, or a short one."""
    end = TITLE_END[-1]
    title = words[: words.index(end)] if end in words else ()
    return title if len(title) > _TITLE else ()


def _content(words: Words) -> set[str]:
    """Return the distinct words that are not function words."""
    return set(words) - stopwords("en")
