"""Finished parts of a run on disk, so that an interrupted command continues where it stopped."""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from keywright.core.atomic_files import synced_file
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import outcome_line, read_outcome


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
