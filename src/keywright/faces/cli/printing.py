"""Output to the screen or a file, progress and errors on standard error, and the guard around every verb."""

import functools
import inspect
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ClassVar, Final, TypeVar

import typer

from keywright.core.atomic_files import check_file, whole_file
from keywright.core.errors import BadParameter
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure
from keywright.faces.exit_codes import DescribedError
from keywright.faces.outputs.screen import draw_rows, escape_controls, find_screen


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
    """Write output piece by piece, texts or bytes; raise ``BadParameter`` if bytes are for a terminal."""
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


def print_rows(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()) -> None:
    """Print texts below headings as a table on standard output; columns of ``numbers`` are flush right."""
    with open_output(None) as file:
        file.write(draw_rows(find_screen(file), head, rows, numbers))


def tell_error(message: str, hint: str = "", where: str = "") -> None:
    """Print an error on standard error: where, unless the message says it, what happened, then what to do."""
    sys.stderr.write(escape_controls(f"error: {message}" if where in message else f"error: {where}: {message}") + "\n")
    if hint:
        sys.stderr.write(escape_controls(f"  {hint}") + "\n")


Item = TypeVar("Item")


@dataclass(slots=True)
class Console:
    """How a verb speaks: with ``json`` standard output has one value, with ``quiet`` standard error only errors."""

    json: bool = False
    quiet: bool = False

    names: ClassVar[tuple[str, ...]] = ("json", "quiet")  # options that it consists of, in the order of the help

    @classmethod
    def parameters(cls) -> list[inspect.Parameter]:
        """Return the options as parameters of a verb."""
        fields: Any = inspect.signature(cls, eval_str=True).parameters
        return [fields[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in cls.names]

    def say(self, message: str) -> None:
        """Print a message on standard error."""
        if not self.quiet:
            sys.stderr.write(escape_controls(message) + "\n")

    def note(self, *notes: str) -> None:
        """Print notes on standard error."""
        for note in notes:
            self.say(f"note: {note}")

    @contextmanager
    def progress(self, task_name: str) -> Iterator[Callable[[int, int | None], None]]:
        """Give a function to call with how much is done, and of how much (None if unknown)."""
        if self.quiet or not sys.stderr.isatty():
            yield lambda _done, _total: None
            return
        from rich import console, progress  # noqa: PLC0415 - only a terminal needs them

        columns = (
            progress.TextColumn(task_name), progress.BarColumn(), progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[rate]}"), progress.TimeRemainingColumn(),
        )  # fmt: skip
        # Results have standard output for themselves: rich would send them to where the bar is.
        beside: Any = {"console": console.Console(stderr=True), "redirect_stdout": False, "redirect_stderr": False}
        with progress.Progress(*columns, transient=True, **beside) as bar:
            task = bar.add_task(task_name, total=None, rate="")

            def tell(done: int, total: int | None) -> None:
                speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
                bar.update(task, completed=done, total=total, rate=f"{speed:.1f}/s" if speed else "")

            yield tell


def tell_failures(failures: Iterable[Failure]) -> None:
    """Print documents that failed on standard error."""
    for failure in failures:
        tell_error(failure.message, failure.hint, failure.document_id)


def count_items(items: Iterable[Item], tell: Callable[[int, int | None], None]) -> Iterator[Item]:
    """Yield the items, counting them."""
    for done, item in enumerate(items, start=1):
        yield item
        tell(done, None)


Verb = TypeVar("Verb", bound=Callable[..., Any])

INTERRUPTED: Final = 130  # exit code that shells report after SIGINT: 128 + 2
CLOSED: Final = 141  # exit code that shells report after SIGPIPE, when the output is closed: 128 + 13


def guard_verb(verb: Verb) -> Verb:
    """Wrap a verb: each error is printed as one line. KEYWRIGHT_DEBUG=1 lets tracebacks through."""

    @functools.wraps(verb)
    def call(*arguments: Any, **options: Any) -> None:
        def show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
            if category is UserWarning:  # warnings of libraries are for programmers
                Console(quiet=bool(options.get("quiet"))).note(str(message))

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always", UserWarning)
                warnings.showwarning = show_warning
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
