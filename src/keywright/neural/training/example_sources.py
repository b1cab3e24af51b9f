"""Documents that the examples of a training are made from, without those that are in a test set.

Two documents are the same by the rule of the KP20k split of Chen et al. 2019: the same title, or a Jaccard similarity
of 0.7 between the sets of words that are not function words.

Changes of the documents are noticed: a file is compared by the SHA-256 of its bytes; a collection by the fingerprint on
its card, and by the names, sizes and times of its files.
"""

import abc
import hashlib
import io
import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from sys import intern
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from keywright.core import VERSION
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import MissingData
from keywright.core.predictions import Failure
from keywright.datasets.card import card, card_names
from keywright.datasets.collection import DataSet, load
from keywright.neural.data.examples import Example, Limits, Preparation, Words, make_examples
from keywright.neural.data.words import TITLE_END, first_window, make_windows
from keywright.reading.sources import find_sources, read_documents
from keywright.text.stems import stopwords

_SIMILAR: Final = 0.7
"""Jaccard similarity from which two documents are the same; Chen et al. 2019, section 4.1."""
_TITLE: Final = 3
"""Fewest words of a title that tells a document apart (*Editorial*, *Book review*); arbitrary."""


class Guard:
    """Documents of test sets, which recognises them among others, one by one.

    Two sets with a Jaccard similarity of at least t share a word among the rarest of each: of n words the first
    n - ceil(t n) + 1 (prefix filtering; Chaudhuri, Ganti and Kaushik 2006). Only documents that share one are compared.
    """

    def __init__(self, guarded: Mapping[str, Words]) -> None:
        """Index the words of each guarded document, by its name."""
        self._names = list(guarded)
        self._titles = {title: name for name, words in guarded.items() if (title := _find_title(words))}
        self._frequencies = Counter(word for words in guarded.values() for word in _content_words(words))
        self._numbers = {word: number for number, word in enumerate(self._frequencies)}
        self._contents: list[NDArray[np.int32]] = []
        self._with_rare_word: dict[str, list[int]] = defaultdict(list)
        for place, words in enumerate(guarded.values()):
            content = _content_words(words)
            # Arrays: sets of so many documents would need a gigabyte.
            self._contents.append(np.array([self._numbers[word] for word in content], np.int32))
            for word in self._rarest(content):
                self._with_rare_word[word].append(place)

    def match(self, source: Words) -> str | None:
        """Return the name of the guarded document that a source is; None if it is none of them."""
        if (title := _find_title(source)) in self._titles:
            return self._titles[title]
        words = _content_words(source)
        numbers = {self._numbers[word] for word in words if word in self._numbers}
        places = {place for word in self._rarest(words) for place in self._with_rare_word.get(word, ())}
        return next((self._names[place] for place in sorted(places) if self._similar(numbers, len(words), place)), None)

    def _rarest(self, content: set[str]) -> list[str]:
        """Return as many of the rarest words as similar documents cannot all lack; words of no test set come first."""
        length = len(content) - math.ceil(_SIMILAR * len(content)) + 1
        return sorted(content, key=lambda word: (self._frequencies.get(word, 0), word))[:length]

    def _similar(self, numbers: set[int], words: int, place: int) -> bool:
        common = len(numbers.intersection(self._contents[place].tolist()))
        return common > 0 and common >= _SIMILAR * (words + len(self._contents[place]) - common)


def find_overlaps(examples: Iterable[Example], guarded: Mapping[str, Words]) -> dict[str, str]:
    """Return which guarded document each overlapping example is, by the example's id.

    Args:
        examples: to learn from.
        guarded: words of each guarded document, by its name.
    """
    guard = Guard(guarded)
    return {example.id: name for example in examples if (name := guard.match(example.source))}


def _find_title(words: Words) -> Words:
    """Return the words of a title; none if there is no title, or a short one."""
    end = TITLE_END[-1]
    title = words[: words.index(end)] if end in words else ()
    return title if len(title) > _TITLE else ()


def _content_words(words: Words) -> set[str]:
    """Return the distinct words that are not function words."""
    return set(words) - stopwords("en")


@dataclass(frozen=True, slots=True)
class GuardedSets:
    """Collections whose gold is for reporting only.

    Attributes:
        present: those on this machine.
        missing: names of the others.
    """

    present: tuple[DataSet, ...]
    missing: tuple[str, ...]

    @classmethod
    def here(cls) -> "GuardedSets":
        """Return the test sets of this machine; their documents are not read yet."""
        present, missing = [], []
        for name in _name_held_out_sets():
            try:
                present.append(load(name))
            except MissingData:
                missing.append(name)
        return cls(tuple(present), tuple(missing))

    def documents(self, longest: int) -> tuple[dict[str, Words], tuple[str, ...]]:
        """Return the words of all documents by name, and the names of the test sets that could not be read.

        Args:
            longest: words of a document that are read, as many as of the training documents.
        """
        words: dict[str, Words] = {}
        missing = list(self.missing)
        for data in self.present:
            try:
                documents = [labelled.document for labelled in data]
            except MissingData:
                missing.append(data.name)
                continue
            read = {f"{data.name} {document.id}": _read_words(document, longest) for document in documents}
            words |= {name: source for name, source in read.items() if source}
        return words, tuple(missing)


def _name_held_out_sets() -> Iterator[str]:
    for name in card_names():
        yield from (f"{name}/{split.name}" for split in card(name).splits.values() if split.held_out)


def _read_words(document: Document, longest: int) -> Words:
    """Return the words that are read of a document; equal words share their memory."""
    window, _ = first_window(document, longest)
    return () if window is None else tuple(map(intern, window.words))


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
        guarded = [*map(describe_collection, self.guarded.present), self.guarded.missing]
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
        return make_examples(self.documents(), limits, report)

    def held_out(self, limits: Limits) -> Iterator[Example] | None:
        """Return the examples of the documents for validation."""
        return None if self.validation is None else make_examples(self.validation, limits)

    def expected(self) -> str:
        """Return a hint where no example could be made."""
        return "expected documents with text and keyphrases"

    def names(self) -> list[str]:
        """Return the identities of the data sets to learn from."""
        return [data.signature for data in self.training]

    def made_from(self) -> list[Any]:
        """Return the states of the data sets."""
        return [
            [*map(describe_collection, self.training)],
            None if self.validation is None else describe_collection(self.validation),
        ]


def describe_collection(data: DataSet) -> list[Any]:
    """Return what changes when the documents of a data set do."""
    place = data.files.place
    if data.card is None:
        return [data.forms, hash_file(place)]
    return [data.name, data.forms, data.fingerprint, str(place.resolve()), *list_files(place)]


def list_files(place: Path) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the names of a file or of the files in a folder, and their sizes and times."""
    paths = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
    return [*map(str, paths)], [(path.stat().st_size, path.stat().st_mtime_ns) for path in paths]


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
            windows = make_windows(document, limits.source)
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
        validation = None if self.validation is None else _describe_place(self.validation)
        return ["texts", [*map(_describe_place, self.training)], validation]

    def _documents(self, places: Iterable[Path | DataSet], report: Preparation) -> Iterator[Document]:
        """Yield the documents that can be read, and note the others."""
        for place in places:
            if isinstance(place, DataSet):
                yield from (labelled.document for labelled in place)
                continue
            for document in read_documents(find_sources([place], None, io.BytesIO())):
                if isinstance(document, Failure):
                    self.failures.append(document)
                    report.counts["files or documents that cannot be read"] += 1
                else:
                    yield document


def _describe_place(place: Path | DataSet) -> list[Any]:
    """Return what changes when the documents of a place do."""
    if isinstance(place, DataSet):
        return describe_collection(place)
    return [str(place), hash_file(place)] if place.is_file() else [str(place), *list_files(place)]
