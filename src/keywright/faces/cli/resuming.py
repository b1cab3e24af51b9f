"""Results that grow in their file, so that an interrupted command goes on with the same command."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from keywright.core.compact_ids import IdSet
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.signatures import short_signature
from keywright.faces.outputs.output_formats import JSONL, OutputFormat


@dataclass(frozen=True, slots=True)
class Earlier:
    """Results of the same command before it was interrupted.

    Attributes:
        ids: of the documents that are done or failed; 17 MB for a million.
        size: bytes of the whole lines; a line that was cut off is behind them.
        signed: whether one of them has the signature of the system.
        failed: number of those that failed.
    """

    ids: IdSet = field(default_factory=IdSet)
    size: int = 0
    signed: bool = False
    failed: int = 0


def check_resumable(form: OutputFormat, output: Path | None, *, force: bool) -> None:
    """Check that results can grow in a file.

    Raises:
        BadParameter: there is no file, its format is not JSON Lines, or it is to be replaced.
    """
    if force:
        raise BadParameter("--resume together with --force", "one keeps earlier results, the other replaces them")
    if output is None or str(output) == "-" or form is not JSONL:
        raise BadParameter("--resume without a file of JSON Lines", "expected -o FILE.jsonl, where results are kept")


def earlier_results(output: Path, signature: str, options: Mapping[str, Any]) -> Earlier:
    """Return the earlier results in a file; none without a file.

    Raises:
        BadRecord: a line is not a result.
        BadParameter: they are of another system, or were made with other options.
    """
    if not output.exists():
        return Earlier()
    ids, size, signed, failed = IdSet(), 0, False, 0
    with output.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                break
            record = _record(line, f"line {number} of {output}")
            if record.get("system", short_signature(signature)) != short_signature(signature):
                message = f"{output} holds results of {record['system']}, and this is {short_signature(signature)}"
                raise BadParameter(message, "name another file, or the same system and options")
            if "signature" in record:
                _check_options(record.get("options", {}), options, output)
            ids.add(record["id"])
            failed += "error" in record
            signed = signed or "signature" in record
            size += len(line)
    return Earlier(ids, size, signed, failed)


def _check_options(earlier: Mapping[str, Any], now: Mapping[str, Any], output: Path) -> None:
    """Raise ``BadParameter`` if an option differs; the message names the first one."""
    name = next((name for name in {**earlier, **now} if earlier.get(name) != now.get(name)), None)
    if name is not None:
        before, after = (repr(each[name]) if name in each else "the default" for each in (earlier, now))
        message = f"{output} holds results with {name} {before}, and this command says {after}"
        raise BadParameter(message, "name another file, or the same options")


@contextmanager
def growing(output: Path, size: int) -> Iterator[IO[str]]:
    """Open a file to write behind its first ``size`` bytes; what is written stays, whatever happens."""
    with output.open("a", encoding="utf-8", newline="", errors="surrogateescape") as file:
        os.truncate(output, size)
        yield file


def _record(line: bytes, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        raise BadRecord(f"{place} is not a result of `keywright extract`", "name another file to write to")
    return record
