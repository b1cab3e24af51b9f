"""Comparisons of summaries with their references; texts that several pairs share are prepared once."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, Literal, TypeAlias

from keywright.summaries.pairs import Pair
from keywright.summaries.rouge.measures import Measure, Overlap
from keywright.summaries.rouge.notes import length_notes, script_notes
from keywright.summaries.rouge.scripts import Script, script_of
from keywright.summaries.rouge.token_ids import TokenIds
from keywright.summaries.rouge.tokens import Tokeniser
from keywright.summaries.texts import SummaryText

Choice: TypeAlias = Literal["auto", "rouge155", "unicode"]


class _Text:
    """A text of one or more pairs.

    Attributes:
        original: the text.
        script: its letters.
        prepared: number of tokens, and what the measure needs, by tokeniser.
    """

    __slots__ = ("original", "prepared", "script")

    def __init__(self, original: SummaryText) -> None:
        self.original = original
        self.script = script_of(original)
        self.prepared: dict[Tokeniser, tuple[int, Any]] = {}


class Comparison:
    """Compares summaries with references under one measure."""

    def __init__(self, measure: Measure[Any], ids: TokenIds, choice: Choice, pairs: Iterable[Pair]) -> None:
        """Count the texts that occur more than once.

        Args:
            measure: the measure.
            ids: makes tokens of texts.
            choice: the tokeniser; ``auto`` takes ``unicode`` for all texts of a pair if one of them is written mostly
                in letters outside ASCII.
            pairs: all pairs that will be compared.
        """
        self._measure = measure
        self._ids = ids
        self._choice = choice
        texts = Counter(map(self._key, chain.from_iterable((pair.summary, *pair.references) for pair in pairs)))
        # Texts that come once, most summaries, are not kept: memory that is used again at once is fast.
        self._texts: dict[SummaryText | str, _Text | None] = {key: None for key, number in texts.items() if number > 1}

    def overlaps(self, pair: Pair) -> tuple[list[Overlap], tuple[str, ...]]:
        """Return what a summary shares with each of its references, in their order, and notes for people."""
        texts = [self._text(pair.summary), *map(self._text, pair.references)]
        scripts = [text.script for text in texts]
        tokeniser = self._tokeniser(scripts)
        (words, summary), *references = [
            text.prepared.get(tokeniser) or self._prepare(text, tokeniser) for text in texts
        ]
        compare = self._measure.compare
        overlaps = [compare(summary, reference) for _, reference in references]
        notes = (*script_notes(scripts, tokeniser), *length_notes((words, *map(itemgetter(0), references)), overlaps))
        return overlaps, notes

    def _tokeniser(self, scripts: Sequence[Script]) -> Tokeniser:
        if self._choice != "auto":
            return self._choice
        return "unicode" if any(script.mostly_outside for script in scripts) else "rouge155"

    def _key(self, text: SummaryText) -> SummaryText | str:
        # A string keeps its hash, a SummaryText computes its own again for each look-up.
        return text if self._measure.by_sentence or text.tokens is not None else text.whole

    def _text(self, text: SummaryText) -> _Text:
        key = self._key(text)
        if key not in self._texts:
            return _Text(text)
        entry = self._texts[key]
        if entry is None:
            entry = self._texts[key] = _Text(text)
        return entry

    def _prepare(self, text: _Text, tokeniser: Tokeniser) -> tuple[int, Any]:
        sentences = self._ids.sentences(text.original, tokeniser, divided=self._measure.by_sentence)
        prepared = text.prepared[tokeniser] = (sum(map(len, sentences)), self._measure.prepare(sentences))
        return prepared
