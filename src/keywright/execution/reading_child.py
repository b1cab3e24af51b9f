"""The process that reads documents of strangers: ``python -m keywright.execution.reading_child BYTES``.

Each line of its input is a JSON list of path, name and format (null to recognise it); each answer is the number of
documents and then a line for each. The process ends with its input.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from keywright.core.document_records import as_json
from keywright.core.errors import TooLarge
from keywright.core.predictions import Failure
from keywright.execution.extraction import defect
from keywright.reading.formats import BY_NAME
from keywright.reading.set_limits import raising
from keywright.reading.sources import Unread


def main() -> None:
    """Answer until the input ends."""
    _limit(int(sys.argv[1]))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of libraries is discarded
    for line in sys.stdin:
        path, name, form = json.loads(line)
        read = list(_read(Unread(Path(path), name, BY_NAME[form] if form else None)))
        answers.write("".join(f"{part}\n" for part in (len(read), *read)))
        answers.flush()


def _read(source: Unread) -> Iterator[str]:
    """Yield the documents of a file; an error while reading is a failure."""
    try:
        yield from map(as_json, source.documents())
    except MemoryError:
        hint = f"split it, or if you trust it, {raising('memory_bytes')}"
        error = TooLarge(f"{source.name} needs more memory than is allowed", hint)
        yield as_json(Failure.from_error(source.name, error))
    except Exception as error:  # noqa: BLE001 - of any kind, for one file only
        yield as_json(defect(source.name, error))


def _limit(most: int) -> None:
    """Limit the memory of this process, where the system can."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
