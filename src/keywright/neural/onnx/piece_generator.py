"""Exported generators of pieces of words, whose tokeniser needs the library tokenizers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keywright.neural.data.examples import Words
from keywright.neural.data.subwords import Subwords
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.decoding.pieces import Marks, PieceSequences
from keywright.neural.onnx.sessions import EXTENDED, MASK, Sessions, pad_arrays, write_greedily
from keywright.neural.phrase_generator import Decoding, PhraseGenerator, check_greedy


@dataclass(frozen=True, eq=False)
class PieceGenerator(PhraseGenerator):
    """BART or T5: a sequence of pieces."""

    sessions: Sessions
    pieces: PieceSequences

    @classmethod
    def of(cls, settings: Mapping[str, Any], tokenizer: str, sessions: Sessions) -> "PieceGenerator":
        """Return a generator from its marks and positions, and the text of its tokeniser.

        Raises:
            BrokenFile: the tokeniser is damaged.
            KeyError: a setting is missing.
            TypeError: a setting is unknown.
        """
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()
        }
        positions = values.pop("positions")
        return cls(sessions, PieceSequences(Subwords.from_json(tokenizer), Marks(**values), positions))

    def read(self, source: Words) -> int:
        """Return how many of a source's words the model reads: all, or as many as it has positions for."""
        return self.pieces.read(source)

    def generate(self, sources: Sequence[Words], decoding: Decoding) -> list[list[GeneratedPhrase]]:
        """Return the phrases of each source, in the order of generation; repeats are kept.

        Raises:
            BadParameter: ``decoding.longest`` is beyond the positions of the network.
        """
        check_greedy(decoding)
        self.pieces.check_fits(decoding.longest)
        rows, end = [self.pieces.source(source) for source in sources], self.pieces.marks.end
        numbers, mask = pad_arrays(rows, end), pad_arrays([[1] * len(row) for row in rows], 0)
        state = self.sessions.encode({EXTENDED: numbers, MASK: mask})
        *before, begin = self.pieces.marks.prefix
        for number in before:
            _, state = self.sessions.step(state, np.full(len(rows), number))
        constraint = self.pieces.present_only(sources) if decoding.present_only else None
        written = write_greedily(self.sessions, state, np.full(len(rows), begin), end, decoding.longest, constraint)
        return [
            self.pieces.phrases(each, source if decoding.present_only else None)
            for each, source in zip(written, sources, strict=True)
        ]
