"""Errors as answers: ``application/problem+json`` (RFC 9457) with code and hint, from the table of exit codes."""

import difflib
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response

from keywright.core.errors import KeywrightError, UnknownName
from keywright.core.json_text import to_json
from keywright.core.predictions import Failure
from keywright.core.request_errors import Busy, TokenMissing
from keywright.faces.exit_codes import meaning, status_of

MEDIA_TYPE: Final = "application/problem+json"
CLOSING: Final = {408, 413, 503}
"""Statuses after which the connection is closed: its body may still be on the way, or the service stops."""


class Problem(Response):
    """An answer that says what went wrong, and what to do."""

    media_type = MEDIA_TYPE


def problem(error: KeywrightError) -> Problem:
    """Return the answer for an error."""
    headers: dict[str, str] = {}
    if isinstance(error, Busy):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, TokenMissing):
        # Basic first: browsers look no further, and then ask for the token as a password.
        headers["WWW-Authenticate"] = 'Basic realm="keywright", charset="UTF-8", Bearer realm="keywright"'
    return _problem(meaning(error).status, error.code, error.message, error.hint, headers)


def problem_of_failure(failure: Failure) -> Problem:
    """Return the answer for a document that failed."""
    return _problem(status_of(failure.code), failure.code, failure.message, failure.hint, {})


def problem_values(status: int, code: str, message: str, hint: str) -> dict[str, Any]:
    """Return the JSON values of a problem; ``type`` is a name, not an address to visit."""
    return {
        "type": f"urn:keywright:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": message,
        "code": code,
        "hint": hint,
    }


def no_such_address(path: str, addresses: Iterable[str]) -> UnknownName:
    """Return the error for an address that does not exist, with the nearest one."""
    near = difflib.get_close_matches(path, list(addresses), n=1, cutoff=0.5)
    suggestion = f"did you mean {near[0]}? " if near else ""
    return UnknownName("there is nothing at this address", f"{suggestion}GET /openapi.json describes all addresses")


def _problem(status: int, code: str, message: str, hint: str, headers: dict[str, str]) -> Problem:
    if status in CLOSING:
        headers["Connection"] = "close"
    return Problem(to_json(problem_values(status, code, message, hint)).encode("utf-8"), status, headers)
