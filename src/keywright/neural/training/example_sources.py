"""Examples of a training, from documents that are in no test set, and in a file: any number in little memory.

Two documents are the same by the rule of the KP20k split of Chen et al. 2019: the same title, or a Jaccard similarity
of 0.7 between the sets of words that are not function words.
"""

import contextlib
import hashlib
import io
import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keywright.core.atomic_files import unwritable_path
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import EmptyInput, MissingData
from keywright.core.predictions import Failure
from keywright.datasets.card import card, card_names
from keywright.datasets.collection import DataSet, load
from keywright.neural.data.examples import (
    TITLE_END,
    Example,
    Limits,
    Preparation,
    Words,
    divide_phrases,
    first_window,
    make_examples,
    make_windows,
    split_title,
    stem_words,
)
from keywright.neural.training.recipe import LongDocuments, Objective
from keywright.reading.sources import find_sources, read_documents
from keywright.text.stems import stopwords

_SIMILAR: Final = 0.7  # Jaccard similarity from which two documents are the same; Chen et al. 2019, section 4.1
_TITLE: Final = 3  # fewest words of a title that tells a document apart (*Editorial*, *Book review*); arbitrary
_VALIDATION_SHARE: Final = 0.05  # share of the training data that is used for validation; arbitrary
_MOST_VALIDATION: Final = 500  # documents of the validation at most; arbitrary
EXAMPLES: Final = "examples.jsonl"
Rows: TypeAlias = NDArray[np.int64]


class Guard:
    """Documents of test sets, which recognises them among others, one by one.

    Two sets with a Jaccard similarity of at least t share a word among the rarest of each: of n words the first
    n - ceil(t n) + 1 (prefix filtering; Chaudhuri, Ganti and Kaushik 2006). Only documents that share one are compared.
    """

    def __init__(self, guarded: Mapping[str, Words]) -> None:
        """Index the words of each guarded document, by its name."""
        self._names = list(guarded)
        self._titles = {title: name for name, words in guarded.items() if (title := _find_title(words))}
        self._frequencies = Counter(word for words in guarded.values() for word in set(words) - stopwords("en"))
        self._numbers = {word: number for number, word in enumerate(self._frequencies)}
        self._contents: list[NDArray[np.int32]] = []
        self._with_rare_word: dict[str, list[int]] = defaultdict(list)
        for place, words in enumerate(guarded.values()):
            content = set(words) - stopwords("en")
            # Arrays: sets of so many documents would need a gigabyte.
            self._contents.append(np.array([self._numbers[word] for word in content], np.int32))
            for word in self._rarest(content):
                self._with_rare_word[word].append(place)

    def match(self, source: Words) -> str | None:
        """Return the name of the guarded document that a source is; None if it is none of them."""
        if (title := _find_title(source)) in self._titles:
            return self._titles[title]
        words = set(source) - stopwords("en")
        numbers = {self._numbers[word] for word in words if word in self._numbers}
        places = {place for word in self._rarest(words) for place in self._with_rare_word.get(word, ())}
        for place in sorted(places):
            content = self._contents[place]
            common = len(numbers.intersection(content.tolist()))
            if common > 0 and common >= _SIMILAR * (len(words) + len(content) - common):
                return self._names[place]
        return None

    def _rarest(self, content: set[str]) -> list[str]:
        """Return as many of the rarest words as similar documents cannot all lack; words of no test set come first."""
        length = len(content) - math.ceil(_SIMILAR * len(content)) + 1
        return sorted(content, key=lambda word: (self._frequencies.get(word, 0), word))[:length]


def _find_title(words: Words) -> Words:
    """Return the words of a title; none if there is no title, or a short one."""
    end = TITLE_END[-1]
    title = words[: words.index(end)] if end in words else ()
    return title if len(title) > _TITLE else ()


@dataclass(frozen=True, slots=True)
class GuardedSets:
    """Collections whose gold is for reporting only: those on this machine, and names of the missing ones."""

    present: tuple[DataSet, ...]
    missing: tuple[str, ...]

    @classmethod
    def here(cls) -> "GuardedSets":
        """Return the test sets of this machine; their documents are not read yet."""
        present, missing = [], []
        splits = ((name, split) for name in card_names() for split in card(name).splits.values())
        for name in (f"{name}/{split.name}" for name, split in splits if split.held_out):
            try:
                present.append(load(name))
            except MissingData:
                missing.append(name)
        return cls(tuple(present), tuple(missing))

    def documents(self, longest: int) -> tuple[dict[str, Words], tuple[str, ...]]:
        """Return the first ``longest`` words of each document by its name, and names of the unread test sets."""
        words: dict[str, Words] = {}
        missing = list(self.missing)
        for data in self.present:
            try:
                windows = [(labelled.id, first_window(labelled.document, longest)[0]) for labelled in data]
            except MissingData:
                missing.append(data.name)
                continue
            # Equal words share their memory.
            words |= {f"{data.name} {name}": tuple(map(intern, window.words)) for name, window in windows if window}
        return words, tuple(missing)


@dataclass(frozen=True)
class ExampleSources:
    """Documents to make examples from, without ``guarded`` ones; ``failures``: what could not be read.

    Labelled documents of data sets or, for another ``objective`` than keyphrases, texts of files, folders and data
    sets, whose keyphrases are not read.
    """

    training: tuple[Path | DataSet, ...]
    validation: Path | DataSet | None
    guarded: GuardedSets
    objective: Objective = "keyphrases"
    long_documents: LongDocuments = "leave_out"
    failures: list[Failure] = field(default_factory=list)

    def make(self, places: Sequence[Path | DataSet], limits: Limits, report: Preparation) -> Iterator[Example]:
        """Yield the examples of some places, each with its document's id; ``report`` counts what is left out."""
        if self.objective == "keyphrases":
            labelled = itertools.chain.from_iterable(place for place in places if isinstance(place, DataSet))
            yield from make_examples(labelled, limits, report, long_documents=self.long_documents)
            return
        for document in itertools.chain.from_iterable(map(_read_texts, places)):
            if isinstance(document, Failure):
                self.failures.append(document)
                report.counts["files or documents that cannot be read"] += 1
            elif self.objective == "titles":
                title, text = split_title(document)
                phrases = list(dict.fromkeys(find_title_phrases(title, limits.phrase)))[: limits.phrases]
                report.counts["documents without a title or a text behind it"] += not text or not phrases
                if source := text[: limits.source] if phrases else ():
                    present, absent = divide_phrases(stem_words(source), phrases)
                    yield Example(document.id, source, tuple(present), tuple(absent))
            else:
                windows = make_windows(document, limits.source)
                report.counts["documents without text"] += not windows
                yield from (Example(document.id, window.words, (), ()) for window in windows)

    def expected(self) -> str:
        """Return a hint where no example could be made, with the first failure."""
        if self.objective == "keyphrases":
            return "expected documents with text and keyphrases"
        return f"expected documents with text; {self.failures[0].message}" if self.failures else "expected texts"

    def names(self) -> list[str]:
        """Return the identities of the data sets to learn from, or the paths of texts, as cards have them."""
        return [place.signature if isinstance(place, DataSet) else str(place) for place in self.training]

    def validation_documents(self, validation: Iterable[Example]) -> list[LabelledDocument[Document]]:
        """Return the labelled documents of the validation's examples, each id once."""
        ids = {example.id for example in validation}
        places = self.training if self.validation is None else (self.validation,)
        documents: dict[str, LabelledDocument[Document]] = {}
        for labelled in itertools.chain.from_iterable(place for place in places if isinstance(place, DataSet)):
            if labelled.id in ids:
                documents.setdefault(labelled.id, labelled)
        return list(documents.values())


def _read_texts(place: Path | DataSet) -> Iterable[Document | Failure]:
    if isinstance(place, DataSet):
        return (labelled.document for labelled in place)
    return read_documents(find_sources([place], None, io.BytesIO()))


def find_title_phrases(title: Words, longest: int) -> Iterator[Words]:
    """Yield the runs of words of a title between function words and signs, of at most ``longest`` words."""
    ignored = stopwords("en")
    for is_phrase, words in itertools.groupby(title, lambda word: word not in ignored and word[0].isalnum()):
        phrase = tuple(words)
        if is_phrase and len(phrase) <= longest:
            yield phrase


class StoredExamples(Sequence[Example]):
    """Examples in a file, a line of JSON each, read one by one; ``rows``: first byte and words of the source."""

    def __init__(self, file: Path, rows: Rows) -> None:
        self._file, self.rows = file, rows

    @classmethod
    def write(cls, file: Path, examples: Iterable[Example]) -> "StoredExamples":
        """Write examples into a file, and return them."""
        rows: list[tuple[int, int]] = []
        with file.open("wb") as lines:
            for example in examples:
                rows.append((lines.tell(), len(example.source)))
                line = json.dumps([example.id, example.source, example.present, example.absent, example.behind])
                lines.write(line.encode("ascii") + b"\n")  # words may hold surrogates, which are not UTF-8
        return cls(file, np.array(rows, np.int64).reshape(-1, 2))

    def take(self, places: Rows | slice) -> "StoredExamples":
        """Return the examples of some places."""
        return StoredExamples(self._file, self.rows[places])

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Example]:
        with self._file.open("rb") as lines:
            for start, _ in self.rows.tolist():
                lines.seek(start)
                name, source, *parts = json.loads(lines.readline())
                yield Example(name, tuple(source), *(tuple(map(tuple, phrases)) for phrases in parts))

    def __getitem__(self, place: Any) -> Any:
        return self.take(place) if isinstance(place, slice) else next(iter(self.take(np.array([place]))))


def source_lengths(examples: Sequence[Example]) -> Rows:
    """Return the words of each source, (examples,), without reading those that are stored."""
    if isinstance(examples, StoredExamples):
        return examples.rows[:, 1]
    return np.array([len(example.source) for example in examples], np.int64)


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Examples for training and validation, with a SHA-256 over all of them.

    ``report``: what was left out or shortened, and how often; ``missing``: test sets not compared with.
    """

    examples: Sequence[Example]
    validation: Sequence[Example]
    report: Preparation
    missing: tuple[str, ...]
    fingerprint: str


def make_training_data(sources: ExampleSources, limits: Limits, folder: Path) -> TrainingData:
    """Return the examples of documents, without those in a test set, from a file that they are written to.

    Raises BadParameter: the folder cannot be written; EmptyInput: no example is left.
    """
    is_new, file = not folder.parent.exists(), folder / EXAMPLES
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _divide_examples(sources, limits, file)
    except BaseException as error:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
            folder.rmdir()  # unless it has the checkpoint of a training
            if is_new:
                folder.parent.rmdir()
        if isinstance(error, OSError):
            raise unwritable_path(file, error) from error
        raise


def _divide_examples(sources: ExampleSources, limits: Limits, file: Path) -> TrainingData:
    report = Preparation()
    guarded, missing = sources.guarded.documents(limits.source)
    guard, ids, overlapping = Guard(guarded), list[str](), set[str]()

    def list_examples() -> Iterator[Example]:
        for example in sources.make(sources.training, limits, report):
            if guard.match(example.source) is not None:
                overlapping.add(example.id)
            ids.append(example.id)
            yield example
        if sources.validation is not None:
            yield from sources.make((sources.validation,), limits, Preparation())

    every = StoredExamples.write(file, list_examples())
    report.counts["documents that are in a test set"] = len(overlapping)
    clean = [place for place, name in enumerate(ids) if name not in overlapping]
    if sources.validation is None:
        places = _split_places([ids[place] for place in clean])
        training, validation = (every.take(np.array(clean, np.int64)[part]) for part in places)
    else:
        training, validation = every.take(np.array(clean, np.int64)), every.take(slice(len(ids), None))
    if not training or not validation:
        message = f"nothing to learn from: {report}" if str(report) else "there are no documents"
        raise EmptyInput(message, sources.expected())
    return TrainingData(training, validation, report, missing, _hash_examples(training, validation))


def _split_places(ids: Sequence[str]) -> tuple[Rows, Rows]:
    """Return places for training and validation, by the hashes of their ids; a single id, or document, is in both."""
    digests = [hashlib.sha256(name.encode("utf-8", "replace")).digest() for name in ids]
    count = min(_MOST_VALIDATION, max(1, round(_VALIDATION_SHARE * len(ids))))
    ordered = sorted(range(len(ids)), key=digests.__getitem__)
    held_out = {ids[place] for place in ordered[:count]}
    rest = [place for place, name in enumerate(ids) if name not in held_out]
    chosen = [place for place in ordered if ids[place] in held_out]
    return np.array(rest or range(len(ids)), np.int64), np.array(chosen, np.int64)


def _hash_examples(training: Sequence[Example], validation: Sequence[Example]) -> str:
    """Return the SHA-256 of ``repr((training, validation))``, as lists, without making that text."""
    digest = hashlib.sha256()
    for start, examples, end in (("([", training, "], ["), ("", validation, "])")):
        digest.update(start.encode())
        for place, example in enumerate(examples):
            digest.update(f"{', ' if place else ''}{example!r}".encode("utf-8", "surrogatepass"))
        digest.update(end.encode())
    return digest.hexdigest()
