"""Every error that keywright raises on purpose, and the line that installs an optional part.

A message says what happened with the offending value, what was expected, and what to do (the ``hint``).
``faces/exit_codes.py`` maps each class to an exit code, an HTTP status and a code word.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from keywright.core import VERSION


class KeywrightError(Exception):
    """Root of all errors of this library.

    ``message`` says what happened, with the value, and what was expected; ``hint`` what to do about it, if anything.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def code(self) -> str:
        """Code word for machines, such as ``broken_file``: the class's name in snake case."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

    def __reduce__(self) -> tuple[type["KeywrightError"], tuple[str, str]]:
        """Pickle with the hint, which ``Exception`` alone would lose on the way back from a worker."""
        return type(self), (self.message, self.hint)

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class UnknownName(KeywrightError, LookupError):
    """A system, protocol, data set or other named thing that does not exist."""


class BadParameter(KeywrightError, ValueError):
    """A parameter that does not exist, or a value outside its range."""


class NotFitted(KeywrightError, ValueError):
    """A trainable system used before it was trained."""


class NeedsUnmet(KeywrightError, ValueError):
    """A system needs something (tags, sections) that the analysis does not hold."""


class UnreadableInput(KeywrightError, ValueError):
    """Input that cannot be read or is invalid."""


class EmptyInput(UnreadableInput):
    """A file or text without any content."""


class UnsupportedFormat(UnreadableInput):
    """A file of unknown format, or whose content does not match its name."""


class BrokenFile(UnreadableInput):
    """A file of a known format that is damaged."""


class ProtectedFile(UnreadableInput):
    """A file that needs a password."""


class TooLarge(UnreadableInput):
    """Input above a limit (bytes, pages, expansion of an archive)."""


class BadRecord(UnreadableInput):
    """A record of a structured file (a line of JSON Lines, an answer line) that breaks its format."""


class WrongFingerprint(UnreadableInput):
    """Data whose content differs from its card."""


class MissingData(KeywrightError, FileNotFoundError):
    """A data set, file or folder that is not where it should be."""


class MissingExtra(KeywrightError, ImportError):
    """An optional part that is not installed; the hint is the line that installs it."""


class PartlyDone(KeywrightError, RuntimeError):
    """Part of a task failed; the rest is kept."""


class CannotGuarantee(KeywrightError, ValueError):
    """A guarantee that the labelled documents do not allow."""

    @property
    def code(self) -> str:
        """Code word of earlier versions, kept for programs that read it."""
        return "cannot_promise"


class BrokenPromise(KeywrightError, AssertionError):
    """A part that breaks the contract which ``keywright.testing`` checks."""


def unknown_name(kind: str, name: str, existing: Iterable[str], listing: str) -> UnknownName:
    """Return an ``UnknownName`` with the nearest existing name as suggestion."""
    names = sorted(existing)
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    suggestion = f"did you mean {near[0]!r}? " if near else ""
    return UnknownName(f"no {kind} called {name!r}", f"{suggestion}`{listing}` lists all {len(names)}")


def error_record(code: str, message: str, hint: str) -> dict[str, str]:
    """Return the JSON record of an error: the same three keys everywhere."""
    return {"code": code, "message": message, "hint": hint}


def list_names(names: Sequence[str], most: int = 5) -> str:
    """Return the first names for a message, and the number of the others."""
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + rest


class BadRequest(KeywrightError, ValueError):
    """A request that cannot be understood, such as a body that is not valid JSON."""


class TokenMissing(KeywrightError, PermissionError):
    """A request without a valid token; the message is the same whatever was asked for."""


class NotAllowed(KeywrightError, PermissionError):
    """Something that the service never does."""


class WrongMethod(KeywrightError, ValueError):
    """A method that an address does not have."""


class TooSlow(KeywrightError, TimeoutError):
    """A request whose body does not arrive in time."""


class Busy(KeywrightError, RuntimeError):
    """A service whose queue is full; ``seconds``: until another attempt is worth it, an estimate."""

    seconds: int = 1


class Unavailable(KeywrightError, RuntimeError):
    """A service that stops, or whose worker process died twice over the same document."""


class TookTooLong(KeywrightError, TimeoutError):
    """A document on which the work was ended at the time limit."""


def describe_install(extra: str) -> str:
    """Return how to install an extra: keywright comes as a checkout or as a wheel, and not from an index."""
    return (
        f'`pip install ".[{extra}]"` in a checkout of keywright, or '
        f'`pip install "keywright-{VERSION}-py3-none-any.whl[{extra}]"` beside its wheel'
    )


@contextmanager
def needs_extra(extra: str, need: str) -> Iterator[None]:
    """Raise ``MissingExtra`` if an import inside fails; ``need``: such as ``plots need matplotlib``."""
    try:
        yield
    except ImportError as error:
        reason = "is not installed" if isinstance(error, ModuleNotFoundError) else f"cannot be imported ({error})"
        raise MissingExtra(f"{need}, which {reason}", describe_install(extra)) from error
