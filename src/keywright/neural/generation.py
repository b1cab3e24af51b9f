"""Keyphrases of documents by a loaded generator: windows, decoding, repeats joined, places found."""

import math
import multiprocessing
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from keywright.core.candidates import Spans
from keywright.core.documents import Document
from keywright.core.errors import NotFitted
from keywright.core.keyphrases import Keyphrase
from keywright.extraction.ranking.rank import surface_form
from keywright.neural.data.examples import Limits, Words, stem_words
from keywright.neural.data.words import Source, make_windows
from keywright.neural.decoding.phrases import GeneratedPhrase, mean_log_probability
from keywright.neural.model_folder import CARD, CONFIG, is_exported, load_generator, read_generator_card
from keywright.neural.onnx.generators import load_exported
from keywright.neural.phrase_generator import Decoding, PhraseGenerator, generate_phrases
from keywright.neural.training.options import Objective

_NO_WORD: Final = re.compile(r"<[a-z_]+>|[,.;]")
"""Words that no keyphrase has: an unknown word, a number that is not in the text, commas and full stops."""


@dataclass(frozen=True, slots=True)
class WindowOutput:
    """A window of a document, and what was generated for it."""

    source: Source
    phrases: Sequence[GeneratedPhrase]


def join_keyphrases(text: str, outputs: Sequence[WindowOutput], *, by_confidence: bool) -> tuple[Keyphrase, ...]:
    """Return the keyphrases of a document, best first; each phrase once by its stems.

    Args:
        text: of the document.
        outputs: of its windows, in reading order.
        by_confidence: whether to order by confidence; else in the order of generation, which needs one window.
    """
    best: dict[Words, GeneratedPhrase] = {}
    for phrase in (phrase for output in outputs for phrase in output.phrases if is_plain(phrase.words)):
        earlier = best.setdefault(stem_words(phrase.words), phrase)
        if mean_log_probability(phrase) > mean_log_probability(earlier):
            best[stem_words(phrase.words)] = phrase
    phrases = list(best.items())
    if by_confidence or len(outputs) > 1:
        phrases.sort(key=lambda item: -mean_log_probability(item[1]))
        scores = [math.exp(mean_log_probability(phrase)) for _, phrase in phrases]
    else:
        scores = [1 / (place + 1) for place in range(len(phrases))]  # an order only: earlier is better
    places = Places([output.source for output in outputs])
    return tuple(
        _make_keyphrase(text, phrase, places.of(stems), score)
        for (stems, phrase), score in zip(phrases, scores, strict=True)
    )


def is_plain(words: Iterable[str]) -> bool:
    """Return whether all words can be part of a keyphrase."""
    return not any(_NO_WORD.fullmatch(word) for word in words)


def _make_keyphrase(text: str, phrase: GeneratedPhrase, spans: Spans, score: float) -> Keyphrase:
    shown = surface_form(text, spans) if spans else " ".join(phrase.words)
    return Keyphrase(shown, score, spans=spans, generation=phrase.generation)


class Places:
    """Places of phrases in a document, by their stems; windows share their title."""

    def __init__(self, windows: Sequence[Source]) -> None:
        """Note where each stem is."""
        self._windows = [(window.spans, stem_words(window.words)) for window in windows]
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


_WINDOWS: Final = 16
"""Windows that are decoded together; arbitrary."""
_REMEMBERED: Final = 256
"""Documents whose phrases are remembered until they are asked for; arbitrary, several batches."""
Phrases: TypeAlias = tuple[tuple[GeneratedPhrase, ...], ...]
"""Phrases of each window of a document."""


@dataclass(frozen=True, eq=False)
class LoadedGenerator:
    """A generator in memory, the limits of its training documents, and phrases that were generated ahead."""

    model: PhraseGenerator
    limits: Limits
    ahead: dict[tuple[Words, ...], Phrases] = field(default_factory=dict)


def check_writes_keyphrases(folder: Path) -> None:
    """Check that a generator has learned to write keyphrases.

    Raises:
        NotFitted: it has learned to restore texts.
    """
    if read_generator_card(folder).get("objective") == Objective.DENOISING:
        hint = f"`keywright train NAME DATASET -o DIR --start {folder}` teaches it to write them"
        raise NotFitted(f"the generator in {folder} learned to restore texts, not to write keyphrases", hint)


@lru_cache(maxsize=4)
def _load_folder(folder: Path, changed: int) -> LoadedGenerator:  # noqa: ARG001 - a folder that changed is read again
    check_writes_keyphrases(folder)
    if is_exported(folder):
        return LoadedGenerator(*load_exported(folder))
    model, limits, _ = load_generator(folder)
    if multiprocessing.parent_process() is not None:
        import torch  # noqa: PLC0415 - heavy

        torch.set_num_threads(1)  # each worker process has a core; more threads would wait for each other
    return LoadedGenerator(model, limits)


def load_generator_once(folder: Path) -> LoadedGenerator:
    """Return the generator of a folder, read once by this process."""
    changed = (path.stat().st_mtime_ns for path in (folder / CARD, folder / CONFIG) if path.is_file())
    return _load_folder(folder, max(changed, default=0))


@dataclass(frozen=True, eq=False)
class DocumentGeneration:
    """Generation of keyphrases for documents.

    Attributes:
        by_confidence: whether lists are ordered by confidence, else as generated.
    """

    generator: LoadedGenerator
    decoding: Decoding
    by_confidence: bool = False

    def of(self, document: Document) -> tuple[tuple[Keyphrase, ...], tuple[str, ...]]:
        """Return the keyphrases of a document, and warnings."""
        windows = self._windows(document)
        words = tuple(window.words for window in windows)
        key = (self._settings, *words)
        phrases = self.generator.ahead.pop(key, None) or self._generated([words])[0]
        outputs = [WindowOutput(*pair) for pair in zip(windows, phrases, strict=True)]
        keyphrases = join_keyphrases(document.text, outputs, by_confidence=self.by_confidence)
        return keyphrases, (*_warn_of_windows(len(windows), self.generator.limits.source), *self._unread(words))

    def _unread(self, windows: Sequence[Words]) -> tuple[str, ...]:
        """Return a warning of words for which the model has no positions."""
        unread = sum(len(words) - self.generator.model.read(words) for words in windows)
        return (f"{unread:,} words were not read: the generator has too few positions",) if unread else ()

    def prefetch(self, documents: Sequence[Document]) -> None:
        """Generate for several documents together, and remember it."""
        rows = [tuple(window.words for window in self._windows(document)) for document in documents]
        ahead = self.generator.ahead
        for row, phrases in zip(rows, self._generated(rows), strict=True):
            ahead[(self._settings, *row)] = phrases
        while len(ahead) > _REMEMBERED:
            ahead.pop(next(iter(ahead)))

    @property
    def _settings(self) -> Words:
        return (repr(self.decoding),)

    def _windows(self, document: Document) -> list[Source]:
        return make_windows(document, self.generator.limits.source)

    def _generated(self, rows: Sequence[Sequence[Words]]) -> list[Phrases]:
        """Return the phrases of each window of each document, windows of about one length decoded together."""
        sources = [words for row in rows for words in row]
        phrases: list[list[GeneratedPhrase]] = [[] for _ in sources]
        for place, listed in generate_phrases(self.generator.model, sources, self.decoding, _WINDOWS):
            phrases[place] = listed
        each = iter(map(tuple, phrases))
        return [tuple(next(each) for _ in row) for row in rows]


def _warn_of_windows(windows: int, longest: int) -> tuple[str, ...]:
    """Return a warning for a document that was read in several windows."""
    if windows <= 1:
        return ()
    return (f"read in {windows} windows of up to {longest} words; a phrase has its highest probability in any of them",)
