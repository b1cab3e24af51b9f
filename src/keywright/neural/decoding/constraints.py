"""Constraint that only phrases of the source are written."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from keywright.neural.decoding.phrases import LEAST

BARRIER: Final = -1
"""Number of a place of the source that no phrase contains."""


class PresentOnly:
    """Places of the sources where the phrase that each row is writing could go on.

    A phrase begins with any word of the source but a delimiter, goes on with the tokens behind its places there, and
    may end after any word. Where a model excludes all of these, the sequence ends.
    """

    def __init__(
        self,
        sources: Sequence[Sequence[int]],
        after: frozenset[int],
        instead: frozenset[int],
        end: int,
        starts: Iterable[Iterable[int]] | None = None,
    ) -> None:
        """Start at the first word of a phrase.

        Args:
            sources: numbers of the source's tokens, for each row; ``BARRIER`` where no phrase can be.
            after: delimiters that are allowed after a word.
            instead: delimiters, and marks before a phrase, that are allowed where a phrase would begin.
            end: delimiter that ends the sequence where a model excludes all that is allowed.
            starts: places where words begin, for each row; by default each token is a word.
        """
        self._sources = [tuple(source) for source in sources]
        every = [range(len(source)) for source in self._sources]
        self._starts = [frozenset(places) for places in (every if starts is None else starts)]
        self._after, self._instead, self._end = after, instead, end
        self._places: list[list[int] | None] = [None] * len(self._sources)

    def apply(self, log_probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return log-probabilities (rows, words) with minus infinity for words that would leave the source."""
        allowed = np.full_like(log_probabilities, -np.inf)
        for row, words in enumerate(map(self._allowed, range(len(self._sources)))):
            columns = sorted(words)
            allowed[row, columns] = log_probabilities[row, columns]
        stuck = allowed.max(-1) == -np.inf
        allowed[stuck, self._end] = LEAST
        return allowed

    def step(self, words: Sequence[int]) -> None:
        """Take the word that each row has written, (rows,)."""
        for row, word in enumerate(words):
            if word in self._after | self._instead:
                self._places[row] = None
                continue
            source, places = self._sources[row], self._places[row]
            candidates = self._starts[row] if places is None else places
            self._places[row] = [at + 1 for at in candidates if at < len(source) and source[at] == word]

    def rows(self, rows: Sequence[int]) -> None:
        """Continue with these rows, which may repeat."""
        self._sources = [self._sources[row] for row in rows]
        self._starts = [self._starts[row] for row in rows]
        self._places = [self._places[row] for row in rows]

    def _allowed(self, row: int) -> set[int]:
        source, starts, places = self._sources[row], self._starts[row], self._places[row]
        if places is None:
            return ({source[at] for at in starts} - self._after - {BARRIER}) | self._instead
        following = {source[at] for at in places if at < len(source)} - self._after - self._instead - {BARRIER}
        is_word = any(at == len(source) or at in starts for at in places)
        return following | self._after if is_word else following
