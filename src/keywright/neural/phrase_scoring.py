"""Probabilities that a generator gives to phrases that are named, by teacher forcing, in the best window of a document.

Each phrase is scored by itself, as the first that the generator would write: the true words come in, and the
probability of each next one comes out. In a generated list the words before are those of the other phrases, so that the
same phrase has other probabilities there.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch

from keywright.core.documents import Document
from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure
from keywright.neural.data.examples import Words, split_phrase, stem_words
from keywright.neural.data.words import make_windows
from keywright.neural.decoding.phrases import GeneratedPhrase, mean_log_probability
from keywright.neural.generation import Places
from keywright.neural.models.generator import KeyphraseGenerator

_BATCH: Final = 16
"""Phrases that are scored together; arbitrary."""


@dataclass(frozen=True, eq=False)
class PhraseScoring:
    """Scoring of phrases of documents.

    Attributes:
        longest: words of a window.
    """

    model: KeyphraseGenerator
    longest: int

    def of(self, document: Document, phrases: Sequence[str]) -> list[Keyphrase | Failure]:
        """Return each phrase with its probabilities in the window that gives it the highest; or why it has none."""
        windows = make_windows(document, self.longest)
        words = [split_phrase(phrase) for phrase in phrases]
        sources = [window.words for window in windows]
        best: list[GeneratedPhrase | None] = [None] * len(phrases)
        for source in sources:
            for row, scored in self._scored(source, words):
                earlier = best[row]
                if earlier is None or mean_log_probability(scored) > mean_log_probability(earlier):
                    best[row] = scored
        places = Places(windows)
        return [
            self._failure(document.id, text, phrase, sources)
            if scored is None
            else Keyphrase(
                text,
                math.exp(mean_log_probability(scored)),
                spans=places.of(stem_words(phrase)),
                generation=scored.generation,
            )
            for text, phrase, scored in zip(phrases, words, best, strict=True)
        ]

    def _scored(self, source: Words, phrases: Sequence[Words]) -> Iterator[tuple[int, GeneratedPhrase]]:
        """Yield the number and the probabilities of each phrase that can be written for a source."""
        rows = iter([row for row, phrase in enumerate(phrases) if phrase and not self.model.obstacle(source, phrase)])
        while batch := list(itertools.islice(rows, _BATCH)):
            with torch.inference_mode():
                (scored,) = self.model.score([source], [[phrases[row] for row in batch]])
            yield from zip(batch, scored, strict=True)

    def _failure(self, name: str, text: str, phrase: Words, sources: Sequence[Words]) -> Failure:
        """Return why a phrase cannot be written for any window."""
        if not phrase:
            error = BadParameter(f"the phrase {text!r:.60} has no words", "expected a phrase of words")
        elif not sources:
            error = BadParameter("the document has no words that a generator reads", "expected a title or a text")
        else:
            message = f"the generator cannot write {text!r:.60}: {self.model.obstacle(sources[0], phrase)}"
            error = BadParameter(message, "its probability is not known; leave the phrase out")
        return Failure.from_error(name, error)
