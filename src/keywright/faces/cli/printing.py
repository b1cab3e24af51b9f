"""Output to the screen or a file: safe text, JSON, tables."""

import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from keywright.core.atomic_files import check_file, whole_file

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# Control characters, marks that change the direction of text, line separators, and code points without character.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_NO_CHARACTER = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UNBOUNDED = 100_000  # columns, more than any line has


def printable(text: str) -> str:
    """Return text for a terminal: characters that could control it are escaped, tabs and line ends kept."""
    return _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def to_json(value: Any, indent: int | None = None) -> str:
    """Return JSON that is safe for any terminal and any encoding of Unicode."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _NO_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@contextmanager
def opened(output: Path | None, inputs: Iterable[object] = ()) -> Iterator[IO[str]]:
    """Open standard output, or a file that is written atomically and is not one of the inputs."""
    if output is not None and str(output) != "-":
        check_file(output, inputs)
        with whole_file(output) as file:
            yield file
        return
    stdout: Any = sys.stdout
    unicode = (stdout.encoding or "").lower().replace("-", "") == "utf8"
    stdout.reconfigure(errors="surrogateescape" if unicode else "backslashreplace")
    yield sys.stdout


def on_terminal(file: IO[str]) -> bool:
    """Return whether a terminal shows the file."""
    return file is sys.stdout and file.isatty()


def print_json(value: Any) -> None:
    """Print one JSON value, indented."""
    with opened(None) as file:
        file.write(to_json(value, indent=1) + "\n")


def console(file: IO[str]) -> "Console":
    """Return a rich console as wide as the terminal; unbounded elsewhere, so that nothing is cut."""
    from rich.console import Console  # noqa: PLC0415 - only tables need it

    width = None if file.isatty() else _UNBOUNDED
    return Console(file=file, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def table(*columns: str, numbers: tuple[str, ...] = (), title: str | None = None) -> "Table":
    """Return an empty table; the columns of ``numbers`` are right-aligned."""
    from rich import box  # noqa: PLC0415 - only tables need it
    from rich.table import Table  # noqa: PLC0415 - only tables need it

    empty = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for column in columns:
        empty.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return empty


def rendered(rows: "Table", *, terminal: bool) -> str:
    """Return a table as text: in the terminal's colours and width, or plain and as wide as needed."""
    text = io.StringIO()
    screen = console(sys.stdout if terminal else text)
    with screen.capture() as caught:
        screen.print(rows)
    return "\n".join(line.rstrip() for line in caught.get().strip("\n").split("\n")) + "\n\n"


def print_table(rows: "Table") -> None:
    """Print a table on standard output."""
    with opened(None) as file:
        file.write(rendered(rows, terminal=file.isatty()))


def tell_error(message: str, hint: str = "", where: str = "") -> None:
    """Print an error on standard error: what happened, then what to do."""
    sys.stderr.write(printable(f"error: {where}: {message}" if where else f"error: {message}") + "\n")
    if hint:
        sys.stderr.write(printable(f"  {hint}") + "\n")


def say(message: str, *, quiet: bool = False) -> None:
    """Print a message on standard error."""
    if not quiet:
        sys.stderr.write(printable(message) + "\n")
