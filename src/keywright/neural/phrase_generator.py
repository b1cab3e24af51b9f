"""The interface of generators that are in memory, whichever library runs them, and generation in batches."""

import abc
from collections.abc import Iterator, Sequence

from keywright.neural.data.batches import by_length
from keywright.neural.data.examples import Words
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.decoding.settings import Decoding


class PhraseGenerator(abc.ABC):
    """A generator of keyphrases with its vocabulary: words go in, phrases with probabilities come out."""

    def read(self, source: Words) -> int:
        """Return how many of a source's words the model reads: all, or as many as it has positions for."""
        return len(source)

    @abc.abstractmethod
    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source, in the order of generation; repeats are kept."""


def generated(
    model: PhraseGenerator, sources: Sequence[Words], decoding: Decoding, batch: int
) -> Iterator[tuple[int, list[GeneratedPhrase]]]:
    """Yield the number of each source and its phrases; sources of about one length are decoded together."""
    for rows in by_length([len(source) for source in sources], batch):
        yield from zip(rows, model.generate([sources[row] for row in rows], decoding), strict=True)
