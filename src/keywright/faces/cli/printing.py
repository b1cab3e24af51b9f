"""Output to the screen or a file: safe text, JSON, tables; and progress on standard error."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from keywright.core.atomic_files import check_file, whole_file
from keywright.core.errors import BadParameter
from keywright.core.json_text import to_json
from keywright.faces.outputs.screen import screen_of
from keywright.faces.outputs.terminal_text import printable, rendered, table

if TYPE_CHECKING:
    from rich.table import Table


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
    sys.stdout.flush()  # before what follows on standard error, also where both are one file


def write_pieces(file: IO[str], pieces: Iterable[str | bytes]) -> None:
    """Write output piece by piece, texts or bytes.

    Raises:
        BadParameter: bytes are for a terminal.
    """
    for piece in pieces:
        if isinstance(piece, str):
            file.write(piece)
        elif file.isatty():
            raise BadParameter("this format is not for a terminal", "name a file with -o FILE")
        else:
            binary: Any = file
            binary.buffer.write(piece)
        file.flush()


def print_json(value: Any) -> None:
    """Print one JSON value, indented."""
    with opened(None) as file:
        file.write(to_json(value, indent=1) + "\n")


def print_table(rows: "Table") -> None:
    """Print a table on standard output."""
    with opened(None) as file:
        file.write(rendered(rows, screen_of(file)))


def tell_error(message: str, hint: str = "", where: str = "") -> None:
    """Print an error on standard error: where, unless the message says it, what happened, then what to do."""
    sys.stderr.write(printable(f"error: {message}" if where in message else f"error: {where}: {message}") + "\n")
    if hint:
        sys.stderr.write(printable(f"  {hint}") + "\n")


def say(message: str, *, quiet: bool = False) -> None:
    """Print a message on standard error."""
    if not quiet:
        sys.stderr.write(printable(message) + "\n")


def print_gain(record: Mapping[str, Any]) -> None:
    """Print measures before and after, with intervals of the differences, in percent."""
    print_table(gain_table(record))


def gain_table(record: Mapping[str, Any]) -> "Table":
    """Return a table of measures before and after, with intervals of the differences, in percent."""
    columns = ("before", "after", "difference", "95 % interval")
    title = f"{record['documents']} documents, each held out from training"
    rows = table("measure", *columns, numbers=columns, title=title)
    for change in record["changes"]:
        low, high = change["interval"]
        numbers = (
            f"{100 * change['before']:.1f}",
            f"{100 * change['after']:.1f}",
            f"{100 * change['difference']:+.1f}",
        )
        rows.add_row(printable(change["measure"]), *numbers, f"{100 * low:+.1f} to {100 * high:+.1f}")
    return rows


Item = TypeVar("Item")


@contextmanager
def progress(task_name: str, *, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
    """Give a function to call with how much is done, and of how much (None if unknown)."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn(task_name), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    # Results have standard output for themselves: rich would send them to where the bar is.
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(task_name, total=None, rate="")

        def tell(done: int, total: int | None) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{speed:.1f}/s" if speed else "")

        yield tell


def counted(items: Iterable[Item], tell: Callable[[int, int | None], None]) -> Iterator[Item]:
    """Yield the items, counting them."""
    for done, item in enumerate(items, start=1):
        yield item
        tell(done, None)
