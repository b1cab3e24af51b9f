"""Texts without keyphrases for denoising: every window of the documents in files, folders and data sets."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keywright.core.documents import Document
from keywright.core.predictions import Failure
from keywright.datasets.collection import DataSet
from keywright.neural.data.examples import Example, Limits, Preparation
from keywright.neural.data.guarded import GuardedSets
from keywright.neural.data.words import windows_of
from keywright.neural.training.example_sources import ExampleSources, digest_of, files_in, state_of
from keywright.reading.sources import documents, sources


@dataclass(frozen=True)
class TextSources(ExampleSources):
    """Files, folders and data sets whose texts are learned from; keyphrases are not read.

    Attributes:
        training: to learn from.
        validation: for validation; a part of the others when None.
        guarded: test sets, whose documents are left out.
        failures: files and documents that could not be read; empty until the examples are made.
    """

    training: tuple[Path | DataSet, ...]
    validation: Path | DataSet | None
    guarded: GuardedSets
    failures: list[Failure] = field(default_factory=list)

    def examples(self, limits: Limits, report: Preparation) -> Iterator[Example]:
        """Yield an example for each window; those of a document have one id, so that they are left out together."""
        for document in self._documents(self.training, report):
            windows = windows_of(document, limits.source)
            report.counts["documents without text"] += not windows
            for window in windows:
                yield Example(document.id, window.words, (), ())

    def held_out(self, limits: Limits) -> Iterator[Example] | None:
        """Return the examples of the documents for validation."""
        if self.validation is None:
            return None
        return TextSources((self.validation,), None, self.guarded, self.failures).examples(limits, Preparation())

    def expected(self) -> str:
        """Return a hint where no example could be made, with the first failure."""
        return f"expected documents with text; {self.failures[0].message}" if self.failures else "expected texts"

    def names(self) -> list[str]:
        """Return the paths of files and folders, and the identities of data sets."""
        return [place.signature if isinstance(place, DataSet) else str(place) for place in self.training]

    def made_from(self) -> list[Any]:
        """Return the states of files, folders and data sets."""
        validation = None if self.validation is None else _state(self.validation)
        return ["texts", [*map(_state, self.training)], validation]

    def _documents(self, places: Iterable[Path | DataSet], report: Preparation) -> Iterator[Document]:
        """Yield the documents that can be read, and note the others."""
        for place in places:
            if isinstance(place, DataSet):
                yield from (labelled.document for labelled in place)
                continue
            for document in documents(sources([place], None, io.BytesIO())):
                if isinstance(document, Failure):
                    self.failures.append(document)
                    report.counts["files or documents that cannot be read"] += 1
                else:
                    yield document


def _state(place: Path | DataSet) -> list[Any]:
    """Return what changes when the documents of a place do."""
    if isinstance(place, DataSet):
        return state_of(place)
    return [str(place), digest_of(place)] if place.is_file() else [str(place), *files_in(place)]
