"""Results of an earlier command in a file: those that this one continues, or a run that it may replace."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from keywright.core.atomic_files import check_same_work, read_whole_lines
from keywright.core.compact_ids import IdSet
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.signatures import short_signature
from keywright.faces.cli.output_options import is_file_name
from keywright.faces.outputs.output_formats import JSONL, OutputFormat


@dataclass(slots=True)
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


def read_earlier(output: Path, signature: str, options: Mapping[str, Any]) -> Earlier:
    """Return the earlier results in a file; none without a file.

    Raises:
        BadRecord: a line is not a result.
        BadParameter: they are of another system, or were made with other options.
    """
    earlier, system = Earlier(), short_signature(signature)
    for number, line in enumerate(read_whole_lines(output), start=1):
        record = _read_object(line)
        if not isinstance(record.get("id"), str):
            message = f"line {number} of {output} is not a result of `keywright extract`"
            raise BadRecord(message, "name another file to write to")
        if record.get("system", system) != system:
            message = f"{output} holds results of {record['system']}, and this is {system}"
            raise BadParameter(message, "name another file, or the same system and options")
        if "signature" in record:
            hint = "name another file, or the same options"
            check_same_work(output, record.get("options", {}), options, hint)
            earlier.signed = True
        earlier.ids.add(record["id"])
        earlier.failed += "error" in record
        earlier.size += len(line)
    return earlier


def check_same_run(output: Path, system: str, data: str, *, force: bool) -> None:
    """Check that a file can be replaced by a run: it is empty or new, or has the same run.

    Args:
        output: the file.
        system: full signature of the system.
        data: name of the data set.
        force: whether anything may be replaced.

    Raises:
        BadParameter: the file holds something else.
    """
    if force or not is_file_name(output) or not output.is_file() or not output.stat().st_size:
        return
    with output.open("rb") as file:
        header = _read_object(file.readline())
    if (header.get("system"), header.get("data")) != (system, data):
        earlier = header.get("system")
        holds = (
            f"a run of {short_signature(earlier)} over {header.get('data')}"
            if isinstance(earlier, str)
            else "not a run"
        )
        message = f"{output} exists: {holds}, and this is a run of {short_signature(system)} over {data}"
        raise BadParameter(message, "name another file, or replace it with --force")


def _read_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object on a line; an empty one if there is none."""
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
