"""Documents that the examples of a training are made from, and what changes when they do.

A file of documents is compared by the SHA-256 of its bytes; a collection by the fingerprint on its card, and by the
names, sizes and times of its files.
"""

import abc
import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from keywright.core.documents import Document, LabelledDocument
from keywright.core.version import VERSION
from keywright.datasets.collection import DataSet
from keywright.neural.data.examples import Example, Limits, Preparation, examples_of
from keywright.neural.data.guarded import GuardedSets

_FORMAT: Final = 1
"""Version of the files and of the making of examples."""


class ExampleSources(abc.ABC):
    """Documents from which the examples of a training are made, without those of some test sets."""

    guarded: GuardedSets

    @abc.abstractmethod
    def examples(self, limits: Limits, report: Preparation) -> Iterator[Example]:
        """Yield the examples to learn from; ``report`` counts what is left out."""

    @abc.abstractmethod
    def held_out(self, limits: Limits) -> Iterator[Example] | None:
        """Return the examples for validation; None takes a part of the others."""

    @abc.abstractmethod
    def expected(self) -> str:
        """Return a hint where no example could be made."""

    @abc.abstractmethod
    def names(self) -> list[str]:
        """Return the identities of the data sets to learn from, or the paths of texts, as cards have them."""

    @abc.abstractmethod
    def made_from(self) -> list[Any]:
        """Return JSON values that change when the documents do; no document is read for it."""

    def state(self, limits: Limits) -> str:
        """Return a hash of everything that examples are made from; no document is read for it."""
        guarded = [*map(state_of, self.guarded.present), self.guarded.missing]
        values = [_FORMAT, VERSION, asdict(limits), *self.made_from(), guarded]
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()


@dataclass(frozen=True)
class TrainingSources(ExampleSources):
    """Data sets to learn from.

    Attributes:
        training: to learn from.
        validation: for validation; a part of the others when None.
        guarded: test sets, whose documents are left out.
    """

    training: tuple[DataSet, ...]
    validation: DataSet | None
    guarded: GuardedSets

    def documents(self) -> Iterator[LabelledDocument[Document]]:
        """Yield the documents to learn from."""
        return itertools.chain.from_iterable(self.training)

    def validation_documents(self, validation: Iterable[Example]) -> list[LabelledDocument[Document]]:
        """Return the documents of the validation's examples, each id once."""
        ids = {example.id for example in validation}
        documents: dict[str, LabelledDocument[Document]] = {}
        for labelled in self.documents() if self.validation is None else self.validation:
            if labelled.id in ids:
                documents.setdefault(labelled.id, labelled)
        return list(documents.values())

    def examples(self, limits: Limits, report: Preparation) -> Iterator[Example]:
        """Yield the examples of the documents to learn from."""
        return examples_of(self.documents(), limits, report)

    def held_out(self, limits: Limits) -> Iterator[Example] | None:
        """Return the examples of the documents for validation."""
        return None if self.validation is None else examples_of(self.validation, limits)

    def expected(self) -> str:
        """Return a hint where no example could be made."""
        return "expected documents with text and keyphrases"

    def names(self) -> list[str]:
        """Return the identities of the data sets to learn from."""
        return [data.signature for data in self.training]

    def made_from(self) -> list[Any]:
        """Return the states of the data sets."""
        return [[*map(state_of, self.training)], None if self.validation is None else state_of(self.validation)]


def state_of(data: DataSet) -> list[Any]:
    """Return what changes when the documents of a data set do."""
    place = data.files.place
    if data.card is None:
        return [data.forms, digest_of(place)]
    return [data.name, data.forms, data.fingerprint, str(place.resolve()), *files_in(place)]


def files_in(place: Path) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the names of a file or of the files in a folder, and their sizes and times."""
    paths = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
    return [*map(str, paths)], [(path.stat().st_size, path.stat().st_mtime_ns) for path in paths]


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
