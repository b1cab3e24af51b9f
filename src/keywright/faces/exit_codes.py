"""Errors for people, programs and assistants: code word, message, hint, exit code and HTTP status, from one table.

Exit codes: 0 fine; 1 part of the task failed, the rest is kept; 2 wrong usage; 3 input unreadable or invalid; 4 an
extra or data is missing.
"""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from keywright.core import errors
from keywright.core.errors import KeywrightError, error_record
from keywright.core.predictions import Failure
from keywright.core.records import Record

FINE, PARTLY, WRONG_USAGE, UNREADABLE, MISSING = range(5)  # as above


class Meaning(NamedTuple):
    """Exit code of the command line and status of the HTTP service, for a class of errors."""

    exit_code: int
    status: int


_STATUSES: Final = {
    PARTLY: "KeywrightError 500 PartlyDone 500 CannotGuarantee 422 BrokenPromise 500 TooSlow 408 Busy "
    "429 Unavailable 503 TookTooLong 504",
    WRONG_USAGE: "UnknownName 404 BadParameter 422 NotFitted 409 NeedsUnmet 422 TokenMissing 401 NotAllowed "
    "403 WrongMethod 405",
    UNREADABLE: "UnreadableInput 422 EmptyInput 422 UnsupportedFormat 415 BrokenFile 422 ProtectedFile 422 "
    "TooLarge 413 BadRecord 422 WrongFingerprint 422 BadRequest 400",
    MISSING: "MissingData 503 MissingExtra 501",
}
"""Classes of errors and their statuses, by exit code."""
MEANINGS: Final[dict[type[KeywrightError], Meaning]] = {
    vars(errors)[name]: Meaning(code, int(status))
    for code, words in _STATUSES.items()
    for name, status in zip(words.split()[::2], words.split()[1::2], strict=True)
}

_BY_CODE: Final = {kind("").code: meaning for kind, meaning in MEANINGS.items()}


def find_meaning(error: KeywrightError) -> Meaning:
    """Return the meaning of the nearest class in the table: unknown subclasses mean what their parent means."""
    return next(MEANINGS[kind] for kind in type(error).__mro__ if kind in MEANINGS)


def find_status(code: str) -> int:
    """Return the HTTP status of an error's code word, 500 for one that is not in the table."""
    return _BY_CODE[code].status if code in _BY_CODE else MEANINGS[KeywrightError].status


def choose_exit_code(failures: Iterable[Failure], done: int) -> int:
    """Return the exit code of many documents: 0, 1 if some were done or codes differ, else the common one."""
    codes = {_BY_CODE[failure.code].exit_code if failure.code in _BY_CODE else PARTLY for failure in failures}
    if not codes:
        return FINE
    return codes.pop() if not done and len(codes) == 1 else PARTLY


@dataclass(frozen=True, slots=True)
class DescribedError:
    """Code word, message and hint of an error, and the exit code of a command that it ends."""

    code: str
    message: str
    hint: str
    exit_code: int

    @classmethod
    def of(cls, error: Exception) -> "DescribedError":
        """Return the description of an error; one that keywright does not raise on purpose is a defect."""
        match error:
            case KeywrightError():
                return cls(error.code, error.message, error.hint, find_meaning(error).exit_code)
            case OSError() if error.strerror:
                message = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
                return cls("system", message, "", UNREADABLE if error.filename else PARTLY)
            case io.UnsupportedOperation():  # ``main`` has put there what cannot be written
                return cls("system", "standard output is closed", "name a file with -o FILE", PARTLY)
            case MemoryError():
                return cls("memory", "not enough memory", "give fewer documents or jobs at a time", PARTLY)
            case _:
                message = f"a defect of keywright: {type(error).__name__}: {error}"
                hint = "please report it with the command; KEYWRIGHT_DEBUG=1 shows where it happened"
                return cls("unexpected", message, hint, PARTLY)

    @property
    def record(self) -> Record:
        """The error as JSON values: an object with the key ``error``."""
        return {"error": error_record(self.code, self.message, self.hint)}
