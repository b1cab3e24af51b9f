"""From generated phrases to keyphrases of a document: repeats joined, places found, texts as people write them."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from keywright.core.candidates import Spans
from keywright.core.predictions import Keyphrase
from keywright.neural.data.examples import Words, stems_of
from keywright.neural.data.words import Source
from keywright.neural.decoding.phrases import GeneratedPhrase, mean_log_probability
from keywright.ranking.rank import surface_form

_NO_WORD: Final = re.compile(r"<[a-z_]+>|[,.;]")
"""Words that no keyphrase has: an unknown word, a number that is not in the text, commas and full stops."""


@dataclass(frozen=True, slots=True)
class WindowOutput:
    """A window of a document, and what was generated for it."""

    source: Source
    phrases: Sequence[GeneratedPhrase]


def keyphrases_of(text: str, outputs: Sequence[WindowOutput], *, by_confidence: bool) -> tuple[Keyphrase, ...]:
    """Return the keyphrases of a document, best first; each phrase once by its stems.

    Args:
        text: of the document.
        outputs: of its windows, in reading order.
        by_confidence: whether to order by confidence; else in the order of generation, which needs one window.
    """
    best: dict[Words, GeneratedPhrase] = {}
    for phrase in (phrase for output in outputs for phrase in output.phrases if is_plain(phrase.words)):
        earlier = best.setdefault(stems_of(phrase.words), phrase)
        if mean_log_probability(phrase) > mean_log_probability(earlier):
            best[stems_of(phrase.words)] = phrase
    phrases = list(best.items())
    if by_confidence or len(outputs) > 1:
        phrases.sort(key=lambda item: -mean_log_probability(item[1]))
        scores = [math.exp(mean_log_probability(phrase)) for _, phrase in phrases]
    else:
        scores = [1 / (place + 1) for place in range(len(phrases))]  # an order only: earlier is better
    places = Places([output.source for output in outputs])
    return tuple(
        _keyphrase(text, phrase, places.of(stems), score)
        for (stems, phrase), score in zip(phrases, scores, strict=True)
    )


def is_plain(words: Iterable[str]) -> bool:
    """Return whether all words can be part of a keyphrase."""
    return not any(_NO_WORD.fullmatch(word) for word in words)


def _keyphrase(text: str, phrase: GeneratedPhrase, spans: Spans, score: float) -> Keyphrase:
    shown = surface_form(text, spans) if spans else " ".join(phrase.words)
    return Keyphrase(shown, score, spans=spans, generation=phrase.generation)


class Places:
    """Places of phrases in a document, by their stems; windows share their title."""

    def __init__(self, windows: Sequence[Source]) -> None:
        """Note where each stem is."""
        self._windows = [(window.spans, stems_of(window.words)) for window in windows]
        self._at: dict[str, list[tuple[int, int]]] = {}
        for number, (_, stems) in enumerate(self._windows):
            for at, stem in enumerate(stems):
                self._at.setdefault(stem, []).append((number, at))

    def of(self, phrase: Words) -> Spans:
        """Return the places of a phrase in the text, in reading order."""
        places: set[tuple[int, int]] = set()
        for number, at in self._at.get(phrase[0], ()):
            spans, stems = self._windows[number]
            last = at + len(phrase) - 1
            if stems[at : last + 1] == phrase:
                places.add((spans[at][0], spans[last][1]))
        return tuple(sorted(places))
