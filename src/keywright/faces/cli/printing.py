"""How things get to the screen or into a file: text made safe, JSON, tables."""

import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from keywright.core.writing import check_file, whole_file

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# Control characters of both sets, marks that turn the direction of text, line separators, and what is no character.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_NO_CHARACTER = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_WIDE = 100_000


def printable(text: str) -> str:
    """Text for a terminal: characters that could steer it stand as escapes; tabs and line ends stay."""
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def to_json(value: Any, indent: int | None = None) -> str:
    """JSON that any terminal and any encoding of Unicode takes."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _NO_CHARACTER.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


@contextmanager
def opened(output: Path | None, read: Iterable[object] = ()) -> Iterator[IO[str]]:
    """Where results go: standard output, or a file that is there whole or not at all, and is none that is read."""
    if output is not None and str(output) != "-":
        check_file(output, read)
        with whole_file(output) as file:
            yield file
        return
    stdout: Any = sys.stdout
    unicode = (stdout.encoding or "").lower().replace("-", "") == "utf8"
    stdout.reconfigure(errors="surrogateescape" if unicode else "backslashreplace")
    yield sys.stdout


def print_json(value: Any) -> None:
    """One JSON value on standard output, indented."""
    with opened(None) as file:
        file.write(to_json(value, indent=1) + "\n")


def console(file: IO[str]) -> "Console":
    """A rich console: as wide as the terminal, and without bounds where no terminal is, so that nothing is cut."""
    from rich.console import Console  # noqa: PLC0415 - only tables need it

    width = None if file.isatty() else _WIDE
    return Console(file=file, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def table(*columns: str, numbers: tuple[str, ...] = (), title: str | None = None) -> "Table":
    """An empty table; the columns of ``numbers`` are flush right."""
    from rich import box  # noqa: PLC0415 - only tables need it
    from rich.table import Table  # noqa: PLC0415 - only tables need it

    made = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return made


def rendered(made: "Table", *, terminal: bool) -> str:
    """A table as text: with colours and in the terminal's width where one shows it, else as wide as it is."""
    text = io.StringIO()
    screen = console(sys.stdout if terminal else text)
    with screen.capture() as caught:
        screen.print(made)
    return "\n".join(line.rstrip() for line in caught.get().strip("\n").split("\n")) + "\n\n"


def print_table(made: "Table") -> None:
    """A table on standard output."""
    with opened(None) as file:
        file.write(rendered(made, terminal=file.isatty()))


def tell_error(message: str, hint: str = "", where: str = "") -> None:
    """What could not be done, on standard error: what happened, then what to do."""
    sys.stderr.write(printable(f"error: {where}: {message}" if where else f"error: {message}") + "\n")
    if hint:
        sys.stderr.write(printable(f"  {hint}") + "\n")


def say(message: str, *, quiet: bool = False) -> None:
    """A message for people, on standard error."""
    if not quiet:
        sys.stderr.write(printable(message) + "\n")
