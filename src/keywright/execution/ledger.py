"""Finished parts of a run on disk, so that an interrupted run can be resumed."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from keywright.core.predictions import Prediction
from keywright.core.records import outcome_record, read_outcome
from keywright.core.runs import Failure


@dataclass(frozen=True, slots=True)
class Ledger:
    """A folder with one file for each finished shard.

    A shard's file is written under a temporary name and renamed, so that a file that is there is whole.
    """

    folder: Path

    @classmethod
    def beside(cls, file: Path, identity: Iterable[str]) -> "Ledger":
        """Return the ledger of a run into ``file``; each ``identity`` (system, analyser, data) has its own folder."""
        digest = hashlib.sha256(json.dumps(list(identity)).encode()).hexdigest()[:20]
        return cls(file.with_name(f"{file.name}.{digest}.ledger"))

    def finished(self, shard: int, ids: Iterable[str]) -> tuple[Prediction | Failure, ...] | None:
        """Return the outcomes of a shard; None if it is unfinished, or its documents are not ``ids`` in this order."""
        try:
            lines = self._file(shard).read_text(encoding="utf-8").splitlines()
            outcomes = tuple(read_outcome(json.loads(line)) for line in lines)
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return outcomes if [outcome.document_id for outcome in outcomes] == list(ids) else None

    def finish(self, shard: int, outcomes: Iterable[Prediction | Failure]) -> None:
        """Write a finished shard."""
        self.folder.mkdir(parents=True, exist_ok=True)
        target = self._file(shard)
        temporary = target.with_suffix(f".{os.getpid()}.part")
        with temporary.open("w", encoding="utf-8") as file:
            # ASCII only: ids may hold surrogates, from file names in another encoding.
            file.writelines(json.dumps(outcome_record(outcome, "")) + "\n" for outcome in outcomes)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)

    def remove(self) -> None:
        """Remove the folder, once the run is written."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _file(self, shard: int) -> Path:
        return self.folder / f"shard-{shard:04}.jsonl"
