"""Finished parts of interrupted work on disk, so that the same command continues where it stopped."""

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from keywright.core.atomic_files import check_folder, synced_file
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import outcome_line, read_outcome
from keywright.running.part_inputs import Part


@dataclass(frozen=True, slots=True)
class Ledger:
    """A folder with one file for each finished part, which has the lines of the run file.

    A part's file is written under a temporary name and renamed, so that a file that is there is whole.
    """

    folder: Path

    @classmethod
    def beside(cls, file: Path, identity: Iterable[str]) -> "Ledger":
        """Return the ledger of a run into ``file``; each ``identity`` (system, analyser, data) has its own folder."""
        digest = hashlib.sha256(json.dumps(list(identity)).encode()).hexdigest()[:20]
        return cls(file.with_name(f"{file.name}.{digest}.ledger"))

    def finished(self, part: int, ids: Sequence[str]) -> tuple[Prediction | Failure, ...] | None:
        """Return the outcomes of a part; None if it is unfinished, or its documents are not ``ids`` in this order."""
        try:
            outcomes = tuple(read_outcome(json.loads(line)) for line in self.lines(part))
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return outcomes if [outcome.document_id for outcome in outcomes] == list(ids) else None

    def finish(self, part: int, outcomes: Iterable[Prediction | Failure], system: str) -> None:
        """Write a finished part; ``system`` is the short signature of the system."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with synced_file(self._file(part)) as file:
            file.writelines(outcome_line(outcome, system) for outcome in outcomes)

    def lines(self, part: int) -> Iterator[str]:
        """Yield the lines of a finished part, with line ends."""
        with self._file(part).open(encoding="utf-8", newline="\n") as file:
            yield from file

    def remove(self) -> None:
        """Remove the folder, once the run is written."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, part: int) -> Path:
        return self.folder / f"part-{part:06}.jsonl"


FOLDER: Final = "_ledger"
"""Folder of the ledger; programs that read folders of files leave out names that begin with an underscore."""
_JOB: Final = "job.json"
_PART: Final = re.compile(r"\.?(part-(\d{6,}))\.\w+(?:\.\w+\.part)?")
"""Names of files of parts: results, ledger entries, and temporary files that a killed process left."""
_EXAMPLES: Final = 3
"""Failures of a part that its entry names; arbitrary. The results have all."""
_SHOWN: Final = 60
"""Characters of an option that a message shows; arbitrary."""


@dataclass(frozen=True, slots=True)
class PartEntry:
    """Result of a finished part.

    Attributes:
        inputs: identity of its inputs; ``label`` names them for people.
        documents: number of documents, failed ones included.
        failures: number of failures by code.
        examples: the first failures.
        size: bytes of the file of results.
    """

    number: int
    inputs: str
    label: str
    documents: int
    failures: Mapping[str, int]
    examples: tuple[Failure, ...]
    size: int

    def as_json(self) -> dict[str, Any]:
        """Return the entry for its file."""
        examples = [{**failure.to_dict(), "meta": {}} for failure in self.examples]
        return {
            "part": self.number,
            "inputs": {"digest": self.inputs, "label": self.label},
            "documents": self.documents,
            "failures": dict(self.failures),
            "examples": examples,
            "size": self.size,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "PartEntry":
        """Return the entry in a file."""
        examples = tuple(
            Failure(each["id"], each["error"]["code"], each["error"]["message"], each["error"]["hint"])
            for each in record["examples"]
        )
        inputs = record["inputs"]
        return cls(
            int(record["part"]),
            str(inputs["digest"]),
            str(inputs["label"]),
            int(record["documents"]),
            {str(code): int(count) for code, count in record["failures"].items()},
            examples,
            int(record["size"]),
        )


class Tally:
    """Counts of the outcomes of a part."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.documents = 0
        self.failures = Counter[str]()
        self.examples = list[Failure]()

    def add(self, outcome: Any) -> None:
        """Count an outcome."""
        self.documents += 1
        if isinstance(outcome, Failure):
            self.failures[outcome.code] += 1
            if len(self.examples) < _EXAMPLES:
                self.examples.append(outcome)

    def entry(self, part: Part, size: int) -> PartEntry:
        """Return the entry of the part."""
        return PartEntry(
            part.number, part.digest, part.label, self.documents, self.failures, tuple(self.examples), size
        )


@dataclass(frozen=True, slots=True)
class PartLedger:
    """A folder of results and its ledger.

    Attributes:
        ending: ending of the files of results, such as ``.jsonl``.
    """

    folder: Path
    ending: str

    def results(self, part: Part) -> Path:
        """Return the file of a part's results."""
        return self.folder / f"{part.name}{self.ending}"

    def open(self, job: Mapping[str, Any]) -> None:
        """Make the folder, or check that it holds results of the same work.

        Raises:
            BadParameter: it holds other results, or other files, or cannot be written.
        """
        check_folder(self.folder)
        target = self.folder / FOLDER / _JOB
        try:
            earlier = json.loads(target.read_text("utf-8"))
        except FileNotFoundError:
            self._check_empty()
        except (OSError, ValueError) as error:
            message = f"the ledger in {self.folder} is damaged: {error}"
            raise BadParameter(message, "name another folder, or replace the results with --force") from None
        else:
            self._check_same(earlier, job)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with synced_file(target) as file:
            file.write(to_json(dict(job), indent=1) + "\n")

    def _check_empty(self) -> None:
        if self.folder.is_dir() and any(path.name != FOLDER for path in self.folder.iterdir()):
            raise BadParameter(f"{self.folder} holds other files", "name a folder that is new or empty")

    def _check_same(self, earlier: Mapping[str, Any], job: Mapping[str, Any]) -> None:
        """Raise ``BadParameter`` if the work differs; the message names the first difference."""
        name = next((name for name in {**earlier, **job} if earlier.get(name) != job.get(name)), None)
        if name is not None:
            before, now = (_shorten(each[name]) if name in each else "the default" for each in (earlier, job))
            message = f"{self.folder} holds results with {name.replace('_', ' ')} {before}, and this is {now}"
            raise BadParameter(message, "name another folder, or the same system and options, or use --force")

    def entry(self, part: Part) -> PartEntry | None:
        """Return the entry of a part; None if it is not done, its inputs have changed, or its results are not there."""
        try:
            entry = PartEntry.from_json(json.loads(self._entry_file(part).read_text("utf-8")))
            size = self.results(part).stat().st_size
        except (OSError, ValueError, TypeError, LookupError, AttributeError):
            return None
        return entry if entry.inputs == part.digest and entry.size == size else None

    def finish(self, part: Part, tally: Tally) -> PartEntry:
        """Write the entry of a part, after its results."""
        entry = tally.entry(part, self.results(part).stat().st_size)
        with synced_file(self._entry_file(part)) as file:
            file.write(to_json(entry.as_json()) + "\n")
        return entry

    def clear_temporary(self, number: int, of: int) -> None:
        """Remove temporary files that a killed process left, of the parts of one of several machines."""
        for path, part in self._files():
            if path.name.startswith(".") and part % of == number - 1:
                path.unlink(missing_ok=True)

    def remove_from(self, first: int, number: int, of: int) -> None:
        """Remove parts from a number on, which inputs no longer have, of one of several machines."""
        for path, part in self._files():
            if part >= first and part % of == number - 1:
                path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove all results and the ledger, and nothing else; a folder without a ledger stays as it is."""
        if not (self.folder / FOLDER / _JOB).is_file():
            return
        for path, _ in self._files():
            path.unlink(missing_ok=True)
        (self.folder / FOLDER / _JOB).unlink(missing_ok=True)

    def _files(self) -> "list[tuple[Path, int]]":
        """Return the files of parts, with their numbers."""
        folders = [folder for folder in (self.folder, self.folder / FOLDER) if folder.is_dir()]
        names = [(path, _PART.fullmatch(path.name)) for folder in folders for path in folder.iterdir()]
        return [(path, int(match[2])) for path, match in names if match]

    def _entry_file(self, part: Part) -> Path:
        return self.folder / FOLDER / f"{part.name}.json"


def _shorten(value: Any) -> str:
    text = value if isinstance(value, str) else to_json(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
