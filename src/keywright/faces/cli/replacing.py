"""The check that a run replaces only an earlier run of the same system over the same data."""

import json
from pathlib import Path
from typing import Any

from keywright.core.errors import BadParameter
from keywright.core.signatures import short_signature
from keywright.faces.cli.output_options import is_file_name


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
    header = _first_record(output)
    if (header.get("system"), header.get("data")) != (system, data):
        earlier = header.get("system")
        holds = (
            f"a run of {short_signature(earlier)} over {header.get('data')}"
            if isinstance(earlier, str)
            else "not a run"
        )
        message = f"{output} exists: {holds}, and this is a run of {short_signature(system)} over {data}"
        raise BadParameter(message, "name another file, or replace it with --force")


def _first_record(output: Path) -> dict[str, Any]:
    """Return the object on the first line; empty if there is none."""
    with output.open(encoding="utf-8", errors="replace") as file:
        try:
            record = json.loads(file.readline())
        except ValueError:
            return {}
    return record if isinstance(record, dict) else {}
