"""Examples of a training on disk: any number in little memory, used again when the training is resumed.

A store has flat columns (``.npy`` without pickles) and the distinct words:

=============== ====================================================================================================
``words.json``  distinct words, in the order of their first occurrence
``tokens.npy``  numbers of the words of each example: its source, then its keyphrases, present ones first
``phrases.npy`` words of each keyphrase
``names.npy``   ids of the examples as UTF-8
``rows.npy``    for each example where its tokens, phrases and id begin, the words of its source, and its present
                keyphrases; one more row has the ends
=============== ====================================================================================================

The examples are used again if everything that they were made from is the same (``example_sources``). Files of a store
are compared with their SHA-256, and the list of these is written last: what was interrupted or damaged is made anew.
"""

import contextlib
import hashlib
import itertools
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from keywright.core.atomic_files import write_whole
from keywright.core.errors import BadParameter, EmptyInput
from keywright.neural.data.examples import Limits, Preparation
from keywright.neural.data.words import Example
from keywright.neural.training.example_sources import ExampleSources, Guard, hash_file

Rows: TypeAlias = NDArray[np.int64]
"""Numbers of examples in a store."""
_WORDS: Final = "words.json"
_ROW: Final = np.dtype([("token", "<i8"), ("phrase", "<i8"), ("name", "<i8"), ("source", "<i4"), ("present", "<i4")])
_COLUMNS: Final[dict[str, DTypeLike]] = {"tokens": "<i4", "phrases": "<i4", "names": "u1", "rows": _ROW}
_FOLDER: Final = "examples"
_CARD: Final = "store.json"
_VALIDATION_SHARE: Final = 0.05
"""Share of the training data that is used for validation; arbitrary."""
_MOST_VALIDATION: Final = 500
"""Documents of the validation at most; arbitrary."""


class ExampleWriter:
    """Writes a store example by example; ``close`` completes the files."""

    def __init__(self, folder: Path) -> None:
        """Create the files in a folder that exists."""
        self._folder = folder
        self._columns = {name: _Column(folder / f"{name}.npy", kind) for name, kind in _COLUMNS.items()}
        self._numbers: dict[str, int] = {}

    @property
    def examples(self) -> int:
        """Number of examples so far."""
        return self._columns["rows"].length

    def add(self, example: Example) -> None:
        """Add an example."""
        self._add_row(len(example.source), len(example.present))
        phrases, numbers = example.phrases, self._numbers
        words = itertools.chain(example.source, *phrases)
        self._columns["tokens"].add([numbers.setdefault(word, len(numbers)) for word in words])
        self._columns["phrases"].add([len(phrase) for phrase in phrases])
        self._columns["names"].add(list(example.id.encode("utf-8", "surrogatepass")))

    def close(self) -> None:
        """Write the last row, the headers and the words."""
        self._add_row(0, 0)
        for column in self._columns.values():
            column.close()
        # ASCII only: words may hold surrogates, which are not UTF-8.
        (self._folder / _WORDS).write_text(json.dumps(list(self._numbers)), encoding="ascii")

    def _add_row(self, source: int, present: int) -> None:
        starts = (self._columns[name].length for name in ("tokens", "phrases", "names"))
        self._columns["rows"].add([(*starts, source, present)])


class _Column:
    """A growing ``.npy`` file of one axis."""

    def __init__(self, path: Path, kind: DTypeLike) -> None:
        self.length, self._kind, self._file = 0, np.dtype(kind), path.open("wb")
        self._write_header()

    def add(self, values: Sequence[Any]) -> None:
        self._file.write(np.array(values, self._kind).tobytes())
        self.length += len(values)

    def close(self) -> None:
        # numpy leaves room in the header for a longer first axis: the true length has the place of the first, 0.
        self._file.seek(0)
        self._write_header()
        self._file.close()

    def _write_header(self) -> None:
        descr = np.lib.format.dtype_to_descr(self._kind)
        header = {"descr": descr, "fortran_order": False, "shape": (self.length,)}
        np.lib.format.write_array_header_1_0(self._file, header)


class StoredExamples(Sequence[Example]):
    """Examples of a store that ``ExampleWriter`` completed: columns stay on disk, words are in memory."""

    def __init__(self, columns: Mapping[str, NDArray[Any]], words: list[str], rows: Rows) -> None:
        """Take the examples with the numbers ``rows``, in that order."""
        self._columns, self._words, self._rows = columns, words, rows

    @classmethod
    def open(cls, folder: Path) -> "StoredExamples":
        """Return all examples of a folder; its contents are trusted, the folder of a training checks them."""
        columns = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in _COLUMNS}
        columns["rows"] = np.array(columns["rows"])  # 32 bytes an example
        return cls(columns, json.loads((folder / _WORDS).read_bytes()), np.arange(len(columns["rows"]) - 1))

    def take(self, places: Rows | slice) -> "StoredExamples":
        """Return the examples of some places."""
        return StoredExamples(self._columns, self._words, self._rows[places])

    def __len__(self) -> int:
        return len(self._rows)

    def id(self, place: int) -> str:
        """Return the id of an example."""
        row = self._rows[place]
        start, end = self._columns["rows"]["name"][row : row + 2].tolist()
        return bytes(self._columns["names"][start:end]).decode("utf-8", "surrogatepass")

    @overload
    def __getitem__(self, place: int) -> Example: ...
    @overload
    def __getitem__(self, place: slice) -> "StoredExamples": ...
    def __getitem__(self, place: int | slice) -> "Example | StoredExamples":
        if isinstance(place, slice):
            return self.take(place)
        here, after = self._columns["rows"][self._rows[place] :][:2]
        numbers = self._columns["tokens"][here["token"] : after["token"]].tolist()
        words = tuple(map(self._words.__getitem__, numbers))
        lengths = self._columns["phrases"][here["phrase"] : after["phrase"]]
        ends = np.cumsum([here["source"], *lengths]).tolist()
        phrases = tuple(words[start:end] for start, end in itertools.pairwise(ends))
        return Example(self.id(place), words[: ends[0]], phrases[: here["present"]], phrases[here["present"] :])

    @property
    def source_lengths(self) -> Rows:
        """Words of each source, without reading the sources, (examples,)."""
        return self._columns["rows"]["source"][self._rows].astype(np.int64)


def source_lengths(examples: Sequence[Example]) -> Rows:
    """Return the words of each source, (examples,)."""
    if isinstance(examples, StoredExamples):
        return examples.source_lengths
    return np.array([len(example.source) for example in examples], np.int64)


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


def make_training_data(sources: ExampleSources[Any], limits: Limits, folder: Path) -> TrainingData:
    """Return the examples of documents, without those that are in a test set.

    Args:
        sources: the documents; not read if the examples in the folder were made from them.
        limits: of the examples.
        folder: of the training, for the examples.

    Raises:
        BadParameter: the folder cannot be written.
        EmptyInput: no example is left.
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
    writer = ExampleWriter(folder)
    for example in sources.examples(limits, report):
        if (name := guard.match(example.source)) is not None:
            overlaps[example.id] = name
        writer.add(example)
    count = writer.examples
    held_out = sources.held_out(limits)
    for example in held_out or ():
        writer.add(example)
    writer.close()
    report.counts["documents that are in a test set"] = len(overlaps)
    every = StoredExamples.open(folder)
    clean = np.array([place for place in range(count) if every.id(place) not in overlaps], np.int64)
    training, validation = _split_examples(every, clean) if held_out is None else (clean, np.arange(count, len(every)))
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


def _split_examples(every: StoredExamples, clean: Rows) -> tuple[Rows, Rows]:
    """Return examples for training and validation, chosen by the hashes of their ids; a single id is in both.

    Examples with one id are windows of one document, and remain together.
    """
    ids = [every.id(place) for place in clean.tolist()]
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
