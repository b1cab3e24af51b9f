"""What an error means outside: its exit code, its HTTP status and its code word, from one table.

Exit codes: 0 fine; 1 something asked for could not be done, the rest is kept; 2 wrong usage; 3 input unreadable or
invalid; 4 an extra or data is missing.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from keywright.core import errors

if TYPE_CHECKING:
    from keywright.core.runs import Failure

FINE: Final = 0
PARTLY: Final = 1
WRONG_USAGE: Final = 2
UNREADABLE: Final = 3
MISSING: Final = 4


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a class of errors means: exit code of the command line, status of the HTTP service."""

    exit_code: int
    status: int


MEANINGS: Final[dict[type[errors.KeywrightError], Meaning]] = {
    errors.KeywrightError: Meaning(PARTLY, 500),
    errors.UnknownName: Meaning(WRONG_USAGE, 404),
    errors.BadParameter: Meaning(WRONG_USAGE, 422),
    errors.NotFitted: Meaning(WRONG_USAGE, 409),
    errors.NeedsUnmet: Meaning(WRONG_USAGE, 422),
    errors.UnreadableInput: Meaning(UNREADABLE, 422),
    errors.EmptyInput: Meaning(UNREADABLE, 422),
    errors.UnsupportedFormat: Meaning(UNREADABLE, 415),
    errors.BrokenFile: Meaning(UNREADABLE, 422),
    errors.ProtectedFile: Meaning(UNREADABLE, 422),
    errors.TooLarge: Meaning(UNREADABLE, 413),
    errors.BadRecord: Meaning(UNREADABLE, 422),
    errors.WrongFingerprint: Meaning(UNREADABLE, 422),
    errors.MissingData: Meaning(MISSING, 503),
    errors.MissingExtra: Meaning(MISSING, 501),
    errors.PartlyDone: Meaning(PARTLY, 500),
    errors.CannotGuarantee: Meaning(PARTLY, 422),
    errors.BrokenPromise: Meaning(PARTLY, 500),
}

_BY_CODE: Final = {kind("").code: meaning for kind, meaning in MEANINGS.items()}


def meaning(error: errors.KeywrightError) -> Meaning:
    """Meaning of the nearest class in the table: a subclass from elsewhere means what its parent means."""
    return next(MEANINGS[kind] for kind in type(error).__mro__ if kind in MEANINGS)


def exit_code(failures: "Collection[Failure]", done: int) -> int:
    """How a command over many documents ends.

    Args:
        failures: what could not be done.
        done: how many documents were.

    Returns:
        0 without failures; 1 when some were done or the failures mean different things; else what they all mean.
    """
    if not failures:
        return FINE
    codes = {_BY_CODE[failure.code].exit_code if failure.code in _BY_CODE else PARTLY for failure in failures}
    return codes.pop() if not done and len(codes) == 1 else PARTLY
