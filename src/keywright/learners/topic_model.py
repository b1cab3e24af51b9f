"""Topic models: topics of a collection, asked about another document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.learners.topics import topics

_ROUNDS: Final = 200
_SETTLED: Final = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class TopicModel:
    """What latent Dirichlet allocation learnt of a collection (Blei, Ng and Jordan 2003).

    Attributes:
        keys: words that it knows, ascending, (words,).
        words: P(word | topic), (topics, words).
        overall: P(topic) in the collection, (topics,).
    """

    keys: Keys
    words: Floats
    overall: Floats

    @classmethod
    def fit(cls, bags: Sequence[tuple[Keys, Ints]], number: int, seed: int) -> Self:
        """Topics of a collection.

        Args:
            bags: of each text, its distinct words and how often it has each, both (words of the text,).
            number: of topics, at least 1.
            seed: of the first guess.

        Raises:
            BadParameter: there are fewer than one topic.
        """
        from scipy.sparse import csr_array  # noqa: PLC0415  (heavy, only training needs it)

        keys = np.unique(np.concatenate([np.zeros(0, np.uint64), *(own for own, _ in bags)]))
        column = np.concatenate([np.zeros(0, int), *(np.searchsorted(keys, own) for own, _ in bags)])
        counts = np.concatenate([np.zeros(0), *(often for _, often in bags)])
        ends = np.cumsum([0, *(len(own) for own, _ in bags)])
        found = topics(csr_array((counts, column, ends), shape=(len(bags), len(keys))), number, seed=seed)
        shares = found.shares if len(bags) else np.full((1, number), 1 / number)
        return cls(keys, found.words, shares.mean(axis=0))

    def of(self, keys: Keys) -> Floats:
        """P(word | topic) of some words, (topics, keys); 0 for words that it does not know."""
        if not len(self.keys):
            return np.zeros((len(self.words), len(keys)))
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.asarray(self.words[:, place] * (self.keys[place] == keys))

    def shares(self, keys: Keys, counts: Ints) -> Floats:
        """P(topic | document), (topics,), that makes the document's words likeliest; ``overall`` where it knows none.

        Expectation and maximisation with the topics as they are, from their shares in the collection on.

        Args:
            keys: the document's words, (keys,).
            counts: how often it has each, (keys,).
        """
        likelihood = self.of(keys)
        known = likelihood.any(axis=0)
        likelihood, counts = likelihood[:, known], counts[known]
        shares = self.overall
        for _ in range(_ROUNDS if known.any() else 0):
            before = shares
            of_word = likelihood * before[:, None]
            shares = (of_word / of_word.sum(axis=0)) @ counts / counts.sum()
            if np.abs(shares - before).sum() < _SETTLED:
                break
        return np.asarray(shares)
