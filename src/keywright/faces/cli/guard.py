"""The guard around every verb: errors become one line and an exit code, never a traceback."""

import functools
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar

import typer

from keywright.core.json_text import to_json
from keywright.faces.cli.printing import tell_error
from keywright.faces.described_errors import DescribedError

Verb = TypeVar("Verb", bound=Callable[..., Any])

INTERRUPTED: Final = 130
"""Exit code that shells report after SIGINT: 128 + 2."""
CLOSED: Final = 141
"""Exit code that shells report after SIGPIPE, when the output is closed: 128 + 13."""


def guarded(verb: Verb) -> Verb:
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
            raise typer.Exit(report(error, machine=bool(options.get("json")))) from None

    return call  # type: ignore[return-value] # functools.wraps keeps the signature


def _discard_output() -> None:
    """Discard the output that Python buffers, which it would try to write at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def report(error: Exception, *, machine: bool) -> int:
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
