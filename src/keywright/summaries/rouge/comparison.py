"""Comparisons of summaries with their references; texts that several pairs share are prepared once."""

from typing import Any, Literal, NamedTuple, TypeAlias

from keywright.summaries.pairs import Pair
from keywright.summaries.rouge.measures import Measure, Overlap
from keywright.summaries.rouge.notes import length_notes, script_notes
from keywright.summaries.rouge.scripts import Script, script_of
from keywright.summaries.rouge.token_ids import TokenIds
from keywright.summaries.rouge.tokens import Tokeniser
from keywright.summaries.texts import SummaryText

Choice: TypeAlias = Literal["auto", "rouge155", "unicode"]


class _Prepared(NamedTuple):
    """A text under one tokeniser: its number of tokens, and what the measure needs."""

    words: int
    content: Any


class _Text:
    """A text of one or more pairs, prepared under each tokeniser that a pair asks for."""

    __slots__ = ("prepared", "script")

    def __init__(self, script: Script) -> None:
        self.script = script
        self.prepared: dict[Tokeniser, _Prepared] = {}


class Comparison:
    """Compares summaries with references under one measure."""

    def __init__(self, measure: Measure[Any], ids: TokenIds, choice: Choice) -> None:
        """Begin without texts.

        Args:
            measure: the measure.
            ids: makes tokens of texts.
            choice: the tokeniser; ``auto`` takes ``unicode`` for all texts of a pair if one of them is written mostly
                in letters outside ASCII.
        """
        self._measure = measure
        self._ids = ids
        self._choice = choice
        self._texts: dict[SummaryText, _Text] = {}

    def overlaps(self, pair: Pair) -> tuple[list[Overlap], tuple[str, ...]]:
        """Return what a summary shares with each of its references, in their order, and notes for people."""
        texts = [self._text(text) for text in (pair.summary, *pair.references)]
        scripts = [text.script for text in texts]
        tokeniser: Tokeniser = "rouge155" if self._choice == "auto" else self._choice
        if self._choice == "auto" and any(script.mostly_outside for script in scripts):
            tokeniser = "unicode"
        summary, *references = (
            self._prepared(text, written, tokeniser)
            for text, written in zip(texts, (pair.summary, *pair.references), strict=True)
        )
        overlaps = [self._measure.compare(summary.content, reference.content) for reference in references]
        words = [summary.words, *(reference.words for reference in references)]
        return overlaps, (*script_notes(scripts, tokeniser), *length_notes(words, overlaps))

    def _text(self, text: SummaryText) -> _Text:
        entry = self._texts.get(text)
        if entry is None:
            entry = self._texts[text] = _Text(script_of(text))
        return entry

    def _prepared(self, text: _Text, written: SummaryText, tokeniser: Tokeniser) -> _Prepared:
        if tokeniser not in text.prepared:
            sentences = self._ids.sentences(written, tokeniser, divided=self._measure.by_sentence)
            text.prepared[tokeniser] = _Prepared(sum(map(len, sentences)), self._measure.prepare(sentences))
        return text.prepared[tokeniser]
