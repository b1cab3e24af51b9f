"""Examples of a training on disk: any number in little memory, used again when the training is resumed.

Lines of JSON, with the first byte of each, are used again if all that they were made from is the same and their SHA-256
fits; the list of hashes is written last, so that what was interrupted is made anew.
"""

import contextlib
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from keywright.core.atomic_files import hash_file, write_whole
from keywright.core.errors import BadParameter, EmptyInput
from keywright.neural.data.examples import Limits, Preparation
from keywright.neural.data.words import Example
from keywright.neural.training.example_sources import ExampleSources, Guard

Rows: TypeAlias = NDArray[np.int64]
_LINES: Final = "examples.jsonl"
_ROWS: Final = "rows.npy"
_FOLDER: Final = "examples"
_CARD: Final = "store.json"
_VALIDATION_SHARE: Final = 0.05  # share of the training data that is used for validation; arbitrary
_MOST_VALIDATION: Final = 500  # documents of the validation at most; arbitrary


class StoredExamples(Sequence[Example]):
    """Examples that ``write`` stored, read one by one; ``rows``: first byte and words of the source, (examples, 2)."""

    def __init__(self, folder: Path, rows: Rows) -> None:
        self._folder, self._rows = folder, rows

    @classmethod
    def write(cls, folder: Path, examples: Iterable[Example]) -> None:
        """Write examples into a folder that exists."""
        rows: list[tuple[int, int]] = []
        with (folder / _LINES).open("wb") as file:
            for example in examples:
                rows.append((file.tell(), len(example.source)))
                line = json.dumps([example.id, example.source, example.present, example.absent])
                file.write(line.encode("ascii") + b"\n")  # words may hold surrogates, which are not UTF-8
        np.save(folder / _ROWS, np.array(rows, np.int64).reshape(-1, 2), allow_pickle=False)

    @classmethod
    def open(cls, folder: Path) -> "StoredExamples":
        """Return all examples of a folder; its contents are trusted, the folder of a training checks them."""
        return cls(folder, np.load(folder / _ROWS, allow_pickle=False))

    def take(self, places: Rows | slice) -> "StoredExamples":
        """Return the examples of some places."""
        return StoredExamples(self._folder, self._rows[places])

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Example]:
        with (self._folder / _LINES).open("rb") as file:
            for start, _ in self._rows.tolist():
                file.seek(start)
                name, source, *parts = json.loads(file.readline())
                present, absent = (tuple(map(tuple, phrases)) for phrases in parts)
                yield Example(name, tuple(source), present, absent)

    @overload
    def __getitem__(self, place: int) -> Example: ...
    @overload
    def __getitem__(self, place: slice) -> "StoredExamples": ...
    def __getitem__(self, place: int | slice) -> "Example | StoredExamples":
        if isinstance(place, slice):
            return self.take(place)
        return next(iter(self.take(np.array([place]))))

    @property
    def source_lengths(self) -> Rows:
        """Words of each source, without reading the sources, (examples,)."""
        return self._rows[:, 1]


def source_lengths(examples: Sequence[Example]) -> Rows:
    """Return the words of each source, (examples,)."""
    if isinstance(examples, StoredExamples):
        return examples.source_lengths
    return np.array([len(example.source) for example in examples], np.int64)


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Examples for training and validation, with a SHA-256 over all of them.

    ``report``: what was left out or shortened, and how often; ``overlaps``: guarded document of each that was left out,
    by id; ``missing``: test sets that the documents were not compared with.
    """

    examples: Sequence[Example]
    validation: Sequence[Example]
    report: Preparation
    overlaps: Mapping[str, str]
    missing: tuple[str, ...]
    fingerprint: str


def make_training_data(sources: ExampleSources[Any], limits: Limits, folder: Path) -> TrainingData:
    """Return the examples of documents, without those in a test set, or those that the folder has of them.

    Raises BadParameter: the folder cannot be written; EmptyInput: no example is left.
    """
    place, state = folder / _FOLDER, sources.state(limits)
    stored = _read_stored(place, state)
    if stored is not None:
        return stored
    try:
        with _replace_folder(place) as new:
            _write_examples(new, state, sources, limits)
    except OSError as error:
        message = f"examples cannot be written into {folder}: {error.strerror}"
        raise BadParameter(message, "name a folder that you may write to, with room for the documents") from error
    written = _read_stored(place, state)
    if written is None:
        message = f"the examples in {place} changed while they were written"
        raise BadParameter(message, "train one generator at a time in a folder")
    return written


def remove_examples(folder: Path) -> None:
    """Remove the examples of a training that is finished."""
    shutil.rmtree(folder / _FOLDER, ignore_errors=True)


@contextlib.contextmanager
def _replace_folder(place: Path) -> Iterator[Path]:
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


def _write_examples(folder: Path, state: str, sources: ExampleSources[Any], limits: Limits) -> None:
    """Write examples, their division, and last the card."""
    report = Preparation()
    guarded, missing = sources.guarded.documents(limits.source)
    guard = Guard(guarded)
    overlaps: dict[str, str] = {}
    ids: list[str] = []

    def list_examples() -> Iterator[Example]:
        for example in sources.make(sources.training, limits, report):
            if (name := guard.match(example.source)) is not None:
                overlaps[example.id] = name
            ids.append(example.id)
            yield example
        if sources.validation is not None:
            yield from sources.make((sources.validation,), limits, Preparation())

    StoredExamples.write(folder, list_examples())
    report.counts["documents that are in a test set"] = len(overlaps)
    every = StoredExamples.open(folder)
    clean = np.array([place for place, name in enumerate(ids) if name not in overlaps], np.int64)
    training, validation = clean, np.arange(len(ids), len(every))
    if sources.validation is None:
        training, validation = _split_examples(ids, clean)
    if not len(training) or not len(validation):
        message = f"nothing to learn from: {report}" if str(report) else "there are no documents"
        raise EmptyInput(message, sources.expected())
    np.save(folder / "training.npy", training, allow_pickle=False)
    np.save(folder / "validation.npy", validation, allow_pickle=False)
    card = {
        "state": state,
        "fingerprint": _hash_examples(every.take(training), every.take(validation)),
        "report": report.counts,
        "overlaps": overlaps,
        "missing": missing,
        "sha256": {path.name: hash_file(path) for path in sorted(folder.iterdir())},
    }
    write_whole(folder / _CARD, json.dumps(card).encode("ascii"))


def _read_stored(folder: Path, state: str) -> TrainingData | None:
    """Return the examples of a folder; None if they are damaged, unfinished, or made from something else."""
    try:
        card = json.loads((folder / _CARD).read_bytes())
        if card["state"] != state or any(hash_file(folder / name) != digest for name, digest in card["sha256"].items()):
            return None
        every = StoredExamples.open(folder)
        training, validation = (
            every.take(np.load(folder / f"{part}.npy", allow_pickle=False)) for part in ("training", "validation")
        )
        report, missing = Preparation(Counter(card["report"])), tuple(card["missing"])
        return TrainingData(training, validation, report, card["overlaps"], missing, card["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _split_examples(names: Sequence[str], clean: Rows) -> tuple[Rows, Rows]:
    """Return examples for training and validation, by the hashes of their ids; a single id, or document, is in both."""
    ids = [names[place] for place in clean.tolist()]
    digests = [hashlib.sha256(name.encode("utf-8", "replace")).digest() for name in ids]
    count = min(_MOST_VALIDATION, max(1, round(_VALIDATION_SHARE * len(ids))))
    ordered = sorted(range(len(ids)), key=digests.__getitem__)
    held_out = {ids[place] for place in ordered[:count]}
    chosen = [place for place in ordered if ids[place] in held_out]
    rest = clean[[name not in held_out for name in ids]]
    return rest if len(rest) else clean, clean[chosen]


def _hash_examples(training: Sequence[Example], validation: Sequence[Example]) -> str:
    """Return the SHA-256 of ``repr((training, validation))``, as lists, without making that text."""
    digest = hashlib.sha256()
    for start, examples, end in (("([", training, "], ["), ("", validation, "])")):
        digest.update(start.encode())
        for place, example in enumerate(examples):
            digest.update(f"{', ' if place else ''}{example!r}".encode("utf-8", "surrogatepass"))
        digest.update(end.encode())
    return digest.hexdigest()
