"""Keyphrases of documents by a loaded generator: windows, decoding, and the joining of what windows give."""

import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from keywright.core.documents import Document
from keywright.core.errors import NotFitted
from keywright.core.predictions import Keyphrase
from keywright.neural.data.examples import Limits, Words
from keywright.neural.data.words import Source, windows_of
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.decoding.settings import Decoding
from keywright.neural.exported.folder import load_exported
from keywright.neural.keyphrases import WindowOutput, keyphrases_of
from keywright.neural.model_folder import CARD, CONFIG, is_exported, load_generator, read_generator_card
from keywright.neural.phrase_generator import PhraseGenerator, generated
from keywright.neural.training.options import Objective

_BATCH: Final = 16
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
def _loaded(folder: Path, changed: int) -> LoadedGenerator:  # noqa: ARG001 - a folder that changed is read again
    check_writes_keyphrases(folder)
    if is_exported(folder):
        return LoadedGenerator(*load_exported(folder))
    model, limits, _ = load_generator(folder)
    if multiprocessing.parent_process() is not None:
        import torch  # noqa: PLC0415 - heavy

        torch.set_num_threads(1)  # each worker process has a core; more threads would wait for each other
    return LoadedGenerator(model, limits)


def loaded_generator(folder: Path) -> LoadedGenerator:
    """Return the generator of a folder, read once by this process."""
    changed = (path.stat().st_mtime_ns for path in (folder / CARD, folder / CONFIG) if path.is_file())
    return _loaded(folder, max(changed, default=0))


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
        keyphrases = keyphrases_of(document.text, outputs, by_confidence=self.by_confidence)
        return keyphrases, (*_warnings(len(windows), self.generator.limits.source), *self._unread(words))

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
        return windows_of(document, self.generator.limits.source)

    def _generated(self, rows: Sequence[Sequence[Words]]) -> list[Phrases]:
        """Return the phrases of each window of each document, windows of about one length decoded together."""
        sources = [words for row in rows for words in row]
        phrases: list[list[GeneratedPhrase]] = [[] for _ in sources]
        for place, listed in generated(self.generator.model, sources, self.decoding, _BATCH):
            phrases[place] = listed
        each = iter(map(tuple, phrases))
        return [tuple(next(each) for _ in row) for row in rows]


def _warnings(windows: int, longest: int) -> tuple[str, ...]:
    """Return a warning for a document that was read in several windows."""
    if windows <= 1:
        return ()
    return (f"read in {windows} windows of up to {longest} words; a phrase has its highest probability in any of them",)
