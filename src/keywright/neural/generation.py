"""Keyphrases of documents by a loaded generator: windows, decoding, and the joining of what windows give."""

import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import torch

from keywright.core.documents import Document
from keywright.core.predictions import Keyphrase
from keywright.neural.data.examples import Limits
from keywright.neural.data.words import windows_of
from keywright.neural.decoding.phrases import GeneratedPhrase
from keywright.neural.decoding.settings import Decoding
from keywright.neural.keyphrases import WindowOutput, keyphrases_of
from keywright.neural.model_folder import load_generator
from keywright.neural.models.generator import KeyphraseGenerator
from keywright.neural.training.validation import generated

_BATCH: Final = 16
"""Windows that are decoded together; arbitrary."""


@dataclass(frozen=True, eq=False)
class LoadedGenerator:
    """A generator in memory, and the limits of the documents that it was trained on."""

    model: KeyphraseGenerator
    limits: Limits


@lru_cache(maxsize=4)
def _loaded(folder: Path, changed: int) -> LoadedGenerator:  # noqa: ARG001 - a folder that changed is read again
    model, limits, _ = load_generator(folder)
    if multiprocessing.parent_process() is not None:
        torch.set_num_threads(1)  # each worker process has a core; more threads would wait for each other
    return LoadedGenerator(model, limits)


def loaded_generator(folder: Path) -> LoadedGenerator:
    """Return the generator of a folder, read once by this process."""
    return _loaded(folder, (folder / "card.json").stat().st_mtime_ns)


@dataclass(frozen=True, eq=False)
class DocumentGeneration:
    """Generation of keyphrases for documents.

    Attributes:
        by_confidence: whether lists are ordered by confidence, else as generated.
    """

    generator: LoadedGenerator
    decoding: Decoding
    by_confidence: bool = False

    def of(self, documents: Sequence[Document]) -> list[tuple[tuple[Keyphrase, ...], tuple[str, ...]]]:
        """Return keyphrases and warnings of each document; windows of all documents are decoded together."""
        windows = [windows_of(document, self.generator.limits.source) for document in documents]
        sources = [window.words for row in windows for window in row]
        phrases: list[list[GeneratedPhrase]] = [[] for _ in sources]
        for place, each in generated(self.generator.model, sources, self.decoding, _BATCH):
            phrases[place] = each
        results, at = [], 0
        for document, row in zip(documents, windows, strict=True):
            outputs = [WindowOutput(*pair) for pair in zip(row, phrases[at : at + len(row)], strict=True)]
            at += len(row)
            keyphrases = keyphrases_of(document.text, outputs, by_confidence=self.by_confidence)
            results.append((keyphrases, _warnings(len(row), self.generator.limits.source)))
        return results


def _warnings(windows: int, longest: int) -> tuple[str, ...]:
    if windows <= 1:
        return ()
    return (f"read in {windows} windows of up to {longest} words; a phrase has the probability of its surest window",)
