"""Answers of the service: JSON values, problems, and routes that say what there is and how the service does.

Errors are ``application/problem+json`` (RFC 9457) with code and hint, from the table of exit codes.
"""

import difflib
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from keywright.core.errors import Busy, KeywrightError, TokenMissing, Unavailable, UnknownName
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure
from keywright.faces.exit_codes import find_meaning, find_status
from keywright.faces.service.state import Service

PROBLEM_TYPE: Final = "application/problem+json"
CLOSING: Final = {408, 413, 503}
"""Statuses after which the connection is closed: its body may still be on the way, or the service stops."""


class Problem(Response):
    """An answer that says what went wrong, and what to do."""

    media_type = PROBLEM_TYPE


def answer_error(error: KeywrightError) -> Problem:
    """Return the answer for an error."""
    headers: dict[str, str] = {}
    if isinstance(error, Busy):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, TokenMissing):
        # Basic first: browsers look no further, and then ask for the token as a password.
        headers["WWW-Authenticate"] = 'Basic realm="keywright", charset="UTF-8", Bearer realm="keywright"'
    return _make_problem(find_meaning(error).status, error.code, error.message, error.hint, headers)


def answer_failure(failure: Failure) -> Problem:
    """Return the answer for a document that failed."""
    return _make_problem(find_status(failure.code), failure.code, failure.message, failure.hint, {})


def make_problem_record(status: int, code: str, message: str, hint: str) -> dict[str, Any]:
    """Return the JSON values of a problem; ``type`` is a name, not an address to visit."""
    return {
        "type": f"urn:keywright:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": message,
        "code": code,
        "hint": hint,
    }


def make_unknown_address(path: str, addresses: Iterable[str]) -> UnknownName:
    """Return the error for an address that does not exist, with the nearest one."""
    near = difflib.get_close_matches(path, list(addresses), n=1, cutoff=0.5)
    suggestion = f"did you mean {near[0]}? " if near else ""
    return UnknownName("there is nothing at this address", f"{suggestion}GET /openapi.json describes all addresses")


def _make_problem(status: int, code: str, message: str, hint: str, headers: dict[str, str]) -> Problem:
    if status in CLOSING:
        headers["Connection"] = "close"
    return Problem(to_json(make_problem_record(status, code, message, hint)).encode("utf-8"), status, headers)


def answer_json(value: object) -> Response:
    """Return JSON values as an answer."""
    return Response(to_json(value).encode("utf-8"), media_type="application/json")


def list_systems(_request: Request) -> Response:
    """List all systems, as `keywright systems --json`."""
    from keywright import api  # noqa: PLC0415 - loaded with the workers

    descriptions, _ = api.describe_systems()
    return answer_json(descriptions)


async def list_vocabularies(request: Request) -> Response:
    """List the vocabularies that requests may name."""
    service: Service = request.app.state.service
    return answer_json([{"name": name} for name, _ in service.work.vocabularies])


async def check_health(_request: Request) -> Response:
    """Answer as long as the service runs."""
    return answer_json({"status": "ok"})


async def check_readiness(request: Request) -> Response:
    """Answer whether requests can be taken now."""
    pool = request.app.state.service.pool
    if pool.stopping:
        return answer_error(Unavailable("the service is stopping", "send requests to another instance"))
    if not pool.ready:
        return answer_error(Unavailable("no worker process is ready", "wait a moment"))
    return answer_json({"status": "ready"})


async def report_metrics(request: Request) -> Response:
    """Return the numbers of the service in the text format of Prometheus."""
    service: Service = request.app.state.service
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
