"""Examples of a training on disk: made once from documents that stream by, used again when the training is resumed.

The examples are used again if everything that they were made from is the same. A file of documents is compared by the
SHA-256 of its bytes; a collection by the fingerprint on its card, and by the names, sizes and times of its files.
Files of a store are compared with their SHA-256, and the list of these is written last: what was interrupted or
damaged is made anew.
"""

import contextlib
import hashlib
import itertools
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.atomic_files import write_whole
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, EmptyInput
from keywright.core.version import VERSION
from keywright.datasets.collection import DataSet
from keywright.neural.data.decontamination import Guard
from keywright.neural.data.example_store import ExampleStore, ExampleWriter, Rows, StoredExamples
from keywright.neural.data.examples import Example, Limits, Preparation, examples_of
from keywright.neural.data.guarded import GuardedSets

_FORMAT: Final = 1
"""Version of the files and of the making of examples."""
_FOLDER: Final = "examples"
_CARD: Final = "store.json"
_VALIDATION_SHARE: Final = 0.05
"""Share of the training data that is used for validation; arbitrary."""
_MOST_VALIDATION: Final = 500
"""Documents of the validation at most; arbitrary."""


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Examples for training and validation.

    Attributes:
        report: what was left out or shortened, and how often.
        overlaps: guarded document of each document that was left out, by id.
        missing: test sets that the documents were not compared with.
        fingerprint: SHA-256 over all examples.
    """

    examples: Sequence[Example]
    validation: Sequence[Example]
    report: Preparation
    overlaps: Mapping[str, str]
    missing: tuple[str, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class TrainingSources:
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

    def validation_documents(self, data: TrainingData) -> list[LabelledDocument[Document]]:
        """Return the documents of the validation, each id once."""
        ids = {example.id for example in data.validation}
        documents: dict[str, LabelledDocument[Document]] = {}
        for labelled in self.documents() if self.validation is None else self.validation:
            if labelled.id in ids:
                documents.setdefault(labelled.id, labelled)
        return list(documents.values())

    def state(self, limits: Limits) -> str:
        """Return a hash of everything that examples are made from; no document is read for it."""
        validation = None if self.validation is None else _state_of(self.validation)
        guarded = [*map(_state_of, self.guarded.present), self.guarded.missing]
        values = [_FORMAT, VERSION, asdict(limits), [*map(_state_of, self.training)], validation, guarded]
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def _state_of(data: DataSet) -> list[Any]:
    """Return what changes when the documents of a data set do."""
    place = data.files.place
    if data.card is None:
        return [data.forms, _digest(place)]
    paths = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
    states = [(path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
    return [data.name, data.forms, data.fingerprint, str(place.resolve()), [*map(str, paths)], states]


def training_data(sources: TrainingSources, limits: Limits, folder: Path) -> TrainingData:
    """Return the examples of labelled documents, without those that are in a test set.

    Args:
        sources: the documents; not read if the examples in the folder were made from them.
        limits: of the examples.
        folder: of the training, for the examples.

    Raises:
        BadParameter: the folder cannot be written.
        EmptyInput: no example is left.
    """
    place, state = folder / _FOLDER, sources.state(limits)
    stored = _stored(place, state)
    if stored is not None:
        return stored
    try:
        with _new_folder(place) as new:
            _write(new, state, sources, limits)
    except OSError as error:
        message = f"examples cannot be written into {folder}: {error.strerror}"
        raise BadParameter(message, "name a folder that you may write to, with room for the documents") from error
    written = _stored(place, state)
    if written is None:
        message = f"the examples in {place} changed while they were written"
        raise BadParameter(message, "train one generator at a time in a folder")
    return written


def remove_examples(folder: Path) -> None:
    """Remove the examples of a training that is finished."""
    shutil.rmtree(folder / _FOLDER, ignore_errors=True)


@contextlib.contextmanager
def _new_folder(place: Path) -> Iterator[Path]:
    """Yield an empty folder that replaces ``place`` when the block ends without error, and else is removed."""
    new = place.with_name(f"{place.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    added = [folder for folder in (place.parent, place.parent.parent) if not folder.exists()]
    new.mkdir(parents=True)
    try:
        yield new
        shutil.rmtree(place, ignore_errors=True)
        new.rename(place)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        for empty in added:
            empty.rmdir()
        raise


def _write(folder: Path, state: str, sources: TrainingSources, limits: Limits) -> None:
    """Write examples, their division, and last the card."""
    report = Preparation()
    guard, missing = _guard(sources.guarded, limits)
    overlaps: dict[str, str] = {}
    writer = ExampleWriter(folder)
    for example in examples_of(sources.documents(), limits, report):
        if (guarded := guard.match(example.source)) is not None:
            overlaps[example.id] = guarded
        writer.add(example)
    count = writer.examples
    for example in () if sources.validation is None else examples_of(sources.validation, limits):
        writer.add(example)
    writer.close()
    report.counts["documents that are in a test set"] = len(overlaps)
    store = ExampleStore(folder)
    clean = np.array([row for row in range(count) if store.id(row) not in overlaps], np.int64)
    training, validation = clean, np.arange(count, len(store))
    if sources.validation is None:
        training, validation = _split(store, clean)
    if not len(training) or not len(validation):
        nothing = not any(map(len, sources.training))
        hint = "expected documents with text and keyphrases"
        raise EmptyInput("there are no documents" if nothing else f"nothing to learn from: {report}", hint)
    np.save(folder / "training.npy", training, allow_pickle=False)
    np.save(folder / "validation.npy", validation, allow_pickle=False)
    card = {
        "state": state,
        "fingerprint": _fingerprint(StoredExamples(store, training), StoredExamples(store, validation)),
        "report": report.counts,
        "overlaps": overlaps,
        "missing": missing,
        "sha256": {path.name: _digest(path) for path in sorted(folder.iterdir())},
    }
    write_whole(folder / _CARD, json.dumps(card).encode("ascii"))


def _guard(guarded: GuardedSets, limits: Limits) -> tuple[Guard, tuple[str, ...]]:
    words, missing = guarded.documents(limits.source)
    return Guard(words), missing


def _stored(folder: Path, state: str) -> TrainingData | None:
    """Return the examples of a folder; None if they are damaged, unfinished, or made from something else."""
    try:
        card = json.loads((folder / _CARD).read_bytes())
        if card["state"] != state or any(_digest(folder / name) != digest for name, digest in card["sha256"].items()):
            return None
        store = ExampleStore(folder)
        training, validation = (
            StoredExamples(store, np.load(folder / f"{part}.npy", allow_pickle=False))
            for part in ("training", "validation")
        )
        report = Preparation()
        report.counts.update(card["report"])
        missing = tuple(card["missing"])
        return TrainingData(training, validation, report, card["overlaps"], missing, card["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _split(store: ExampleStore, clean: Rows) -> tuple[Rows, Rows]:
    """Return examples for training and validation, chosen by the hashes of their ids; one has all if it is alone."""
    ids = [store.id(row) for row in clean.tolist()]
    digests = [hashlib.sha256(name.encode("utf-8", "replace")).digest() for name in ids]
    count = min(_MOST_VALIDATION, max(1, round(_VALIDATION_SHARE * len(ids))))
    chosen = sorted(range(len(ids)), key=digests.__getitem__)[:count]
    held_out = {ids[place] for place in chosen}
    rest = clean[[name not in held_out for name in ids]]
    return rest if len(rest) else clean, clean[chosen]


def _fingerprint(training: Sequence[Example], validation: Sequence[Example]) -> str:
    """Return the SHA-256 of ``repr((training, validation))``, as lists, without making that text."""
    digest = hashlib.sha256()
    for start, examples, end in (("([", training, "], ["), ("", validation, "])")):
        digest.update(start.encode())
        for place, example in enumerate(examples):
            digest.update(f"{', ' if place else ''}{example!r}".encode("utf-8", "surrogatepass"))
        digest.update(end.encode())
    return digest.hexdigest()


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
