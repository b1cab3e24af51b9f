"""Examples of a training on disk: made once from documents that stream by, used again when the training is resumed.

The examples are used again if everything that they were made from is the same (``example_sources``). Files of a store
are compared with their SHA-256, and the list of these is written last: what was interrupted or damaged is made anew.
"""

import contextlib
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.atomic_files import write_whole
from keywright.core.errors import BadParameter, EmptyInput
from keywright.neural.data.decontamination import Guard
from keywright.neural.data.example_store import ExampleStore, ExampleWriter, Rows, StoredExamples
from keywright.neural.data.examples import Example, Limits, Preparation
from keywright.neural.data.guarded import GuardedSets
from keywright.neural.training.example_sources import ExampleSources, digest_of

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


def training_data(sources: ExampleSources, limits: Limits, folder: Path) -> TrainingData:
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


def _write(folder: Path, state: str, sources: ExampleSources, limits: Limits) -> None:
    """Write examples, their division, and last the card."""
    report = Preparation()
    guard, missing = _guard(sources.guarded, limits)
    overlaps: dict[str, str] = {}
    writer = ExampleWriter(folder)
    for example in sources.examples(limits, report):
        if (guarded := guard.match(example.source)) is not None:
            overlaps[example.id] = guarded
        writer.add(example)
    count = writer.examples
    held_out = sources.held_out(limits)
    for example in held_out or ():
        writer.add(example)
    writer.close()
    report.counts["documents that are in a test set"] = len(overlaps)
    store = ExampleStore(folder)
    clean = np.array([row for row in range(count) if store.id(row) not in overlaps], np.int64)
    training, validation = clean, np.arange(count, len(store))
    if held_out is None:
        training, validation = _split(store, clean)
    if not len(training) or not len(validation):
        nothing = not str(report)
        raise EmptyInput(
            "there are no documents" if nothing else f"nothing to learn from: {report}", sources.expected()
        )
    np.save(folder / "training.npy", training, allow_pickle=False)
    np.save(folder / "validation.npy", validation, allow_pickle=False)
    card = {
        "state": state,
        "fingerprint": _fingerprint(StoredExamples(store, training), StoredExamples(store, validation)),
        "report": report.counts,
        "overlaps": overlaps,
        "missing": missing,
        "sha256": {path.name: digest_of(path) for path in sorted(folder.iterdir())},
    }
    write_whole(folder / _CARD, json.dumps(card).encode("ascii"))


def _guard(guarded: GuardedSets, limits: Limits) -> tuple[Guard, tuple[str, ...]]:
    words, missing = guarded.documents(limits.source)
    return Guard(words), missing


def _stored(folder: Path, state: str) -> TrainingData | None:
    """Return the examples of a folder; None if they are damaged, unfinished, or made from something else."""
    try:
        card = json.loads((folder / _CARD).read_bytes())
        if card["state"] != state or any(digest_of(folder / name) != digest for name, digest in card["sha256"].items()):
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
    """Return examples for training and validation, chosen by the hashes of their ids; a single id is in both.

    Examples with one id are windows of one document, and remain together.
    """
    ids = [store.id(row) for row in clean.tolist()]
    digests = [hashlib.sha256(name.encode("utf-8", "replace")).digest() for name in ids]
    count = min(_MOST_VALIDATION, max(1, round(_VALIDATION_SHARE * len(ids))))
    ordered = sorted(range(len(ids)), key=digests.__getitem__)
    held_out = {ids[place] for place in ordered[:count]}
    chosen = [place for place in ordered if ids[place] in held_out]
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
