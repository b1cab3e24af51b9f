"""Sources and keyphrases as sequences of pieces and back: marks, separators, and the limit of positions."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from keywright.core.errors import BadParameter
from keywright.neural.data.examples import MASKED, TITLE_END, UNKNOWN_PIECE, Words, find_phrase
from keywright.neural.decoding.phrases import BARRIER, GeneratedPhrase, PresentOnly, Written, cut_phrases, make_phrase

if TYPE_CHECKING:
    from keywright.neural.data.subwords import Subwords


@dataclass(frozen=True, slots=True)
class Marks:
    """Numbers of the pieces that are not part of words."""

    start: tuple[int, ...]  # before a source
    title: int  # between title and abstract
    end: int  # after a source, and after a target
    prefix: tuple[int, ...]  # read by a decoder before the first piece that it writes, at least one
    separator: int  # between phrases
    masked: int  # in the place of words that were left out of a source for training


@dataclass(frozen=True, slots=True)
class PieceSequences:
    """Sequences of pieces as a network has them; ``positions``: longest source and target, None without a limit."""

    subwords: "Subwords"
    marks: Marks
    positions: int | None = None

    def count_read(self, source: Words) -> int:
        """Return how many words of a source fit, from its beginning."""
        if self.positions is None:
            return len(source)
        room = self.positions - len(self.marks.start) - 1
        for count, word in enumerate(source):
            room -= len(self._pieces(word))
            if room < 0:
                return count
        return len(source)

    def source(self, words: Words) -> list[int]:
        """Return the numbers of a source, as many words as fit."""
        pieces = [piece for word in words[: self.count_read(words)] for piece in self._pieces(word)]
        return [*self.marks.start, *pieces, self.marks.end]

    def target(self, phrases: Iterable[Words]) -> list[int]:
        """Return the numbers of phrases, separators and the end, as many phrases as fit."""
        target: list[int] = []
        for phrase in phrases:
            longer = [*target, *([self.marks.separator] if target else []), *self._phrase(phrase)]
            if not self.fits(len(longer) + 1):
                break
            target = longer
        return [*target, self.marks.end]

    def only_target(self, phrase: Words) -> list[int]:
        """Return the numbers of a phrase and the end; without pieces, or with too many, ``BadParameter``."""
        target = [*self._phrase(phrase), self.marks.end]
        if len(target) == 1:
            raise BadParameter(f"the phrase {' '.join(phrase)!r} has no pieces", "expected a phrase of words")
        if not self.fits(len(target)):
            message = f"the phrase {' '.join(phrase)!r:.60} has {len(target) - 1:,} pieces"
            raise BadParameter(message, f"the network has {self.positions:,} positions")
        return target

    def obstacle(self, phrase: Words) -> str:
        """Return why a phrase cannot be written; empty if it can."""
        pieces = self._phrase(phrase)
        if not pieces or self.subwords.number(UNKNOWN_PIECE) in pieces:
            return "the tokeniser has no pieces for its characters"
        return "" if self.fits(len(pieces) + 1) else f"it has {len(pieces):,} pieces, more than there are positions"

    def fits(self, length: int) -> bool:
        """Return whether a target of ``length`` pieces, the end among them, has no more than the positions."""
        return self.positions is None or len(self.marks.prefix) - 1 + length <= self.positions

    def check_fits(self, longest: int) -> None:
        """Check that sequences of ``longest`` pieces have no more than the positions."""
        if not self.fits(longest):
            raise BadParameter(f"sequences of {longest:,} pieces", f"the network has {self.positions:,} positions")

    def present_only(self, sources: Sequence[Words]) -> PresentOnly:
        """Return the constraint to phrases of sources; words with unknown characters are barriers."""
        excluded = {self.marks.title, self.marks.separator, self.marks.end, self.subwords.number(UNKNOWN_PIECE)}
        rows, starts = [], []
        for source in sources:
            row: list[int] = []
            places: list[int] = []
            for word in source[: self.count_read(source)]:
                pieces = self._pieces(word)
                places.append(len(row))
                row += [BARRIER] if excluded & set(pieces) or not pieces else pieces
            rows.append(row)
            starts.append(places)
        end = self.marks.end
        return PresentOnly(rows, frozenset({self.marks.separator, end}), frozenset({end}), end, starts)

    def phrases(self, written: Written, source: Words | None = None) -> list[GeneratedPhrase]:
        """Return the phrases of a sequence; a last one that was cut, and is not in ``source``, is left out."""
        separator, end = self.subwords.piece(self.marks.separator), self.subwords.piece(self.marks.end)
        tokens = self._tokens(written.words, written.log_probabilities)
        phrases = []
        for phrase in cut_phrases(tokens, frozenset({separator}), end):
            words = self.subwords.words(phrase.generation.tokens)
            is_whole = source is None or phrase.generation.end is not None
            if words and (is_whole or find_phrase(source or (), words) is not None):
                phrases.append(_set_words(phrase, words))
        return phrases

    def score(self, phrase: Words, target: Sequence[int], values: Sequence[float]) -> GeneratedPhrase:
        """Return a phrase with the log-probabilities of its ``only_target``."""
        return _set_words(make_phrase(self._tokens(target[:-1], values), end=values[len(target) - 1]), phrase)

    def _pieces(self, word: str) -> tuple[int, ...]:
        if word == MASKED:
            return (self.marks.masked,)
        return (self.marks.title,) if word == TITLE_END[1] else self.subwords.pieces(word)

    def _phrase(self, phrase: Words) -> list[int]:
        return [piece for word in phrase for piece in self.subwords.pieces(word)]

    def _tokens(self, numbers: Sequence[int], values: Sequence[float]) -> Iterator[tuple[str, float]]:
        return zip(map(self.subwords.piece, numbers), values, strict=False)


def _set_words(phrase: GeneratedPhrase, words: Words) -> GeneratedPhrase:
    return GeneratedPhrase(words, replace(phrase.generation, words=len(words)))
