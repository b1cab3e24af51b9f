"""Output to the screen or a file, progress and errors on standard error, and the guard around every verb."""

import functools
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

import typer

from keywright.core.atomic_files import check_file, whole_file
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.faces.exit_codes import DescribedError
from keywright.faces.outputs.screen import escape_controls, find_screen, make_table, render_table

if TYPE_CHECKING:
    from rich.table import Table


@contextmanager
def open_output(output: Path | None, inputs: Iterable[object] = ()) -> Iterator[IO[str]]:
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
    with open_output(None) as file:
        file.write(to_json(value, indent=1) + "\n")


def print_table(rows: "Table") -> None:
    """Print a table on standard output."""
    with open_output(None) as file:
        file.write(render_table(rows, find_screen(file)))


def tell_error(message: str, hint: str = "", where: str = "") -> None:
    """Print an error on standard error: where, unless the message says it, what happened, then what to do."""
    sys.stderr.write(escape_controls(f"error: {message}" if where in message else f"error: {where}: {message}") + "\n")
    if hint:
        sys.stderr.write(escape_controls(f"  {hint}") + "\n")


def say(message: str, *, quiet: bool = False) -> None:
    """Print a message on standard error."""
    if not quiet:
        sys.stderr.write(escape_controls(message) + "\n")


def print_gain(record: Mapping[str, Any]) -> None:
    """Print measures before and after, with intervals of the differences, in percent."""
    print_table(make_gain_table(record))


def make_gain_table(record: Mapping[str, Any]) -> "Table":
    """Return a table of measures before and after, with intervals of the differences, in percent."""
    columns = ("before", "after", "difference", "95 % interval")
    title = f"{record['documents']} documents, each held out from training"
    rows = make_table("measure", *columns, numbers=columns, title=title)
    for change in record["changes"]:
        low, high = change["interval"]
        numbers = (
            f"{100 * change['before']:.1f}",
            f"{100 * change['after']:.1f}",
            f"{100 * change['difference']:+.1f}",
        )
        rows.add_row(escape_controls(change["measure"]), *numbers, f"{100 * low:+.1f} to {100 * high:+.1f}")
    return rows


Item = TypeVar("Item")


@contextmanager
def show_progress(task_name: str, *, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
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


def count_items(items: Iterable[Item], tell: Callable[[int, int | None], None]) -> Iterator[Item]:
    """Yield the items, counting them."""
    for done, item in enumerate(items, start=1):
        yield item
        tell(done, None)


Verb = TypeVar("Verb", bound=Callable[..., Any])

INTERRUPTED: Final = 130
"""Exit code that shells report after SIGINT: 128 + 2."""
CLOSED: Final = 141
"""Exit code that shells report after SIGPIPE, when the output is closed: 128 + 13."""


def guard_verb(verb: Verb) -> Verb:
    """Wrap a verb: each error is printed as one line. KEYWRIGHT_DEBUG=1 lets tracebacks through."""

    @functools.wraps(verb)
    def call(*arguments: Any, **options: Any) -> None:
        try:
            verb(*arguments, **options)
            sys.stdout.flush()
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # pressed again, it would end the program in another way
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _discard_output()  # the reader has closed, as `| head` does
            raise typer.Exit(CLOSED) from None
        except Exception as error:
            if os.environ.get("KEYWRIGHT_DEBUG") == "1":
                raise
            raise typer.Exit(report_error(error, machine=bool(options.get("json")))) from None

    return call  # type: ignore[return-value] # functools.wraps keeps the signature


def _discard_output() -> None:
    """Discard the output that Python buffers, which it would try to write at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def report_error(error: Exception, *, machine: bool) -> int:
    """Print an error on standard error, for machines on standard output as well; return its exit code."""
    described = DescribedError.of(error)
    try:
        if machine:
            sys.stdout.write(to_json(described.record) + "\n")
        sys.stdout.flush()
    except OSError:  # it is the output that failed
        _discard_output()
    tell_error(described.message, described.hint)
    return described.exit_code
