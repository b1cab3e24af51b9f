"""Examples of a training on disk: any number in little memory, used again when the training is resumed.

Lines of JSON, with the first byte of each, are used again if all that they were made from is the same and their SHA-256
fits.
"""

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from keywright.core.atomic_files import hash_file, whole_folder
from keywright.core.errors import BadParameter, EmptyInput
from keywright.neural.data.examples import Limits, Preparation
from keywright.neural.data.words import Example
from keywright.neural.training.example_sources import ExampleSources, Guard

Rows: TypeAlias = NDArray[np.int64]
_LINES: Final = "examples.jsonl"
_ROWS: Final = "rows.npz"
_FOLDER: Final = "examples"
_CARD: Final = "store.json"
_VALIDATION_SHARE: Final = 0.05  # share of the training data that is used for validation; arbitrary
_MOST_VALIDATION: Final = 500  # documents of the validation at most; arbitrary


class StoredExamples(Sequence[Example]):
    """Examples in a file, read one by one; ``rows``: first byte and words of the source, (examples, 2)."""

    def __init__(self, file: Path, rows: Rows) -> None:
        self._file, self.rows = file, rows

    @classmethod
    def write(cls, file: Path, examples: Iterable[Example]) -> "StoredExamples":
        """Write examples into a file, and return them."""
        rows: list[tuple[int, int]] = []
        with file.open("wb") as lines:
            for example in examples:
                rows.append((lines.tell(), len(example.source)))
                line = json.dumps([example.id, example.source, example.present, example.absent])
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
                present, absent = (tuple(map(tuple, phrases)) for phrases in parts)
                yield Example(name, tuple(source), present, absent)

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

    ``report``: what was left out or shortened, and how often; ``overlaps``: guarded document of each that was left out,
    by id; ``missing``: test sets that the documents were not compared with.
    """

    examples: Sequence[Example]
    validation: Sequence[Example]
    report: Preparation
    overlaps: Mapping[str, str]
    missing: tuple[str, ...]
    fingerprint: str


def make_training_data(sources: ExampleSources, limits: Limits, folder: Path) -> TrainingData:
    """Return the examples of documents, without those in a test set, or those that the folder has of them.

    Raises BadParameter: the folder cannot be written; EmptyInput: no example is left.
    """
    place, state = folder / _FOLDER, sources.state(limits)
    stored = _read_stored(place, state)
    if stored is not None:
        return stored
    added = [parent for parent in (folder, folder.parent) if not parent.exists()]
    try:
        with whole_folder(place) as new:
            _write_examples(new, state, sources, limits)
    except BaseException:
        for empty in added:
            if empty.is_dir():
                empty.rmdir()
        raise
    written = _read_stored(place, state)
    if written is None:
        message = f"the examples in {place} changed while they were written"
        raise BadParameter(message, "train one generator at a time in a folder")
    return written


def remove_examples(folder: Path) -> None:
    """Remove the examples of a training that is finished, and what a killed one left of them."""
    for path in (folder / _FOLDER, *folder.glob(f".{_FOLDER}.*")):
        shutil.rmtree(path, ignore_errors=True)


def _write_examples(folder: Path, state: str, sources: ExampleSources, limits: Limits) -> None:
    """Write examples, their division and the card."""
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

    every = StoredExamples.write(folder / _LINES, list_examples())
    report.counts["documents that are in a test set"] = len(overlaps)
    clean = np.array([place for place, name in enumerate(ids) if name not in overlaps], np.int64)
    training, validation = clean, np.arange(len(ids), len(every))
    if sources.validation is None:
        training, validation = _split_examples(ids, clean)
    if not len(training) or not len(validation):
        message = f"nothing to learn from: {report}" if str(report) else "there are no documents"
        raise EmptyInput(message, sources.expected())
    np.savez(folder / _ROWS, rows=every.rows, training=training, validation=validation)
    card = {
        "state": state,
        "fingerprint": _hash_examples(every.take(training), every.take(validation)),
        "report": report.counts,
        "overlaps": overlaps,
        "missing": missing,
        "sha256": {name: hash_file(folder / name) for name in (_LINES, _ROWS)},
    }
    (folder / _CARD).write_text(json.dumps(card), "ascii")


def _read_stored(folder: Path, state: str) -> TrainingData | None:
    """Return the examples of a folder; None if they are damaged, unfinished, or made from something else."""
    try:
        card = json.loads((folder / _CARD).read_bytes())
        if card["state"] != state or any(hash_file(folder / name) != digest for name, digest in card["sha256"].items()):
            return None
        arrays = np.load(folder / _ROWS, allow_pickle=False)
        every = StoredExamples(folder / _LINES, arrays["rows"])
        training, validation = (every.take(arrays[part]) for part in ("training", "validation"))
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
