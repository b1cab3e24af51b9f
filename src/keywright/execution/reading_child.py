"""The process that reads documents of strangers: ``python -m keywright.execution.reading_child BYTES``.

Each line of its input is a JSON list of path, name, format (null to recognise it) and columns of a table (null for
other files). Each answer is a JSON list of the number of documents and of notes for people, and then a line for each
document. The process ends with its input.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from keywright.core.document_records import as_json
from keywright.core.errors import TooLarge
from keywright.core.predictions import Failure
from keywright.execution.extraction import defect
from keywright.reading.formats import BY_NAME
from keywright.reading.set_limits import raising
from keywright.reading.sources import Unread
from keywright.reading.tables.columns import TableColumns


def main() -> None:
    """Answer until the input ends."""
    _limit(int(sys.argv[1]))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of libraries is discarded
    for line in sys.stdin:
        path, name, form, columns = json.loads(line)
        source = Unread(Path(path), name, BY_NAME[form] if form else None, TableColumns(*columns) if columns else None)
        notes: list[str] = []
        read = list(_read(source, notes.append))
        answers.write("".join(f"{part}\n" for part in (json.dumps([len(read), *notes]), *read)))
        answers.flush()


def _read(source: Unread, tell: Callable[[str], None]) -> Iterator[str]:
    """Yield the documents of a file; an error while reading is a failure."""
    try:
        yield from map(as_json, source.documents(tell))
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
