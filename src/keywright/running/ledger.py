"""The ledger of a folder of parts: which results these are, and which parts are done."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from keywright.core.atomic_files import check_folder, check_same_work, grow_file, hold_output, read_whole_lines
from keywright.core.errors import BadParameter
from keywright.core.json_values import check_object, decode, encode, to_json
from keywright.core.predictions import Failure
from keywright.running.file_extraction import Shard
from keywright.running.part_inputs import Part

FOLDER: Final = "_ledger"
"""Folder of the ledger; programs that read folders of files leave out names that begin with an underscore."""
_PART: Final = re.compile(r"\.?part-(\d{6,})\.\w+(?:\.\w+\.part)?")
"""Names of files of results, and of temporary files that a killed process left."""


@dataclass(frozen=True, slots=True)
class PartEntry:
    """Result of a finished part.

    Attributes:
        inputs: identity of its inputs; ``label`` names them for people.
        documents: number of documents, failed ones included.
        failures: number of failures by code; ``examples``: the first ones.
        size: bytes of the file of results.
    """

    number: int
    inputs: str
    label: str
    documents: int
    failures: Mapping[str, int]
    examples: tuple[Failure, ...]
    size: int


@dataclass(slots=True)
class PartLedger:
    """A folder of results and its ledger: a file for each machine, with the job on its first line, then the parts done.

    ``share``: parts that this machine does.
    """

    folder: Path
    share: Shard
    _entries: dict[int, PartEntry] = field(default_factory=dict)
    _file: IO[str] | None = None

    @contextmanager
    def open(self, job: Mapping[str, Any], *, force: bool) -> Iterator[None]:
        """Make the folder, or check that it holds results of the same work; parts can be added while the block runs.

        Other results, unless they are removed with ``force``, other files, and another command that writes to it are a
        ``BadParameter``.
        """
        check_folder(self.folder)
        ledgers = self.folder / FOLDER
        others = [path for path in self.folder.iterdir() if path != ledgers] if self.folder.is_dir() else []
        if others and not any(ledgers.glob("*.jsonl")):
            raise BadParameter(f"{self.folder} holds other files", "name a folder that is new or empty")
        ledgers.mkdir(parents=True, exist_ok=True)
        ledger = ledgers / f"parts-{self.share.number}-of-{self.share.of}.jsonl"
        with hold_output(self.folder, ledger.with_suffix(".lock")):
            if force:
                for path in (*ledgers.glob("*.jsonl"), *(path for path, _ in self._list_files())):
                    path.unlink(missing_ok=True)
            sizes = {path: self._read(path, job) for path in sorted(ledgers.glob("*.jsonl"))}
            with grow_file(ledger, sizes.get(ledger, 0)) as self._file:
                if not sizes.get(ledger):
                    self._write_line(job)
                self._remove_files(lambda path, _part: path.name.startswith("."))
                yield

    def _read(self, path: Path, job: Mapping[str, Any]) -> int:
        """Take the entries of a file, after a check of its job; return the bytes of its whole lines."""
        size = 0
        for line in read_whole_lines(path):
            try:
                record = check_object(json.loads(line))
                if size:
                    entry: PartEntry = decode(PartEntry, record, "entry")
                    self._entries[entry.number] = entry
            except (ValueError, TypeError, LookupError) as error:
                if not size:
                    message = f"the ledger in {self.folder} is damaged: {error}"
                    raise BadParameter(message, "name another folder, or replace the results with --force") from None
            if not size:
                hint = "name another folder, or the same system and options, or use --force"
                check_same_work(self.folder, record, job, hint)
            size += len(line)
        return size

    def find(self, part: Part, results: Path) -> PartEntry | None:
        """Return the entry of a part; None if it is not done, its inputs have changed, or its results are not there."""
        entry = self._entries.get(part.number)
        if entry is None or entry.inputs != part.digest:
            return None
        return entry if results.is_file() and results.stat().st_size == entry.size else None

    def add(self, entry: PartEntry) -> None:
        """Write the entry of a part whose results are written."""
        self._write_line(encode(entry))

    def remove_from(self, first: int) -> None:
        """Remove the results of parts from a number on, which inputs no longer have."""
        self._remove_files(lambda _path, part: part >= first)

    def _write_line(self, record: Mapping[str, Any]) -> None:
        if self._file:
            self._file.write(to_json(dict(record)) + "\n")
            self._file.flush()

    def _remove_files(self, is_old: Callable[[Path, int], bool]) -> None:
        """Remove files of this machine's parts."""
        for path, part in self._list_files():
            if part % self.share.of == self.share.number - 1 and is_old(path, part):
                path.unlink(missing_ok=True)

    def _list_files(self) -> list[tuple[Path, int]]:
        """Return the files of parts, with their numbers."""
        names = [(path, _PART.fullmatch(path.name)) for path in self.folder.iterdir()]
        return [(path, int(match[1])) for path, match in names if match]
