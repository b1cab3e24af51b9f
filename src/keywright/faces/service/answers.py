"""Answers of the service: JSON values, problems (RFC 9457) with code and hint, and routes on how the service does."""

import difflib
from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from keywright import api
from keywright.core.errors import Busy, KeywrightError, TokenMissing, Unavailable, UnknownName
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure
from keywright.core.records import FinishedRecord
from keywright.faces.exit_codes import find_meaning, find_status

PROBLEM_TYPE: Final = "application/problem+json"
CLOSING: Final = {408, 413, 503}
"""Statuses after which the connection is closed: its body may still be on the way, or the service stops."""


def answer_error(error: KeywrightError, **headers: str) -> Response:
    """Return the answer for an error."""
    if isinstance(error, Busy):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, TokenMissing):
        # Basic first: browsers look no further, and then ask for the token as a password.
        headers["WWW-Authenticate"] = 'Basic realm="keywright", charset="UTF-8", Bearer realm="keywright"'
    return _make_problem(find_meaning(error).status, error, headers)


def answer_failure(failure: Failure) -> Response:
    """Return the answer for a document that failed."""
    return _make_problem(find_status(failure.code), failure, {})


def answer_record(record: FinishedRecord) -> Response:
    """Return a record as an answer: a problem for a document that failed."""
    if record.failure is not None:
        return answer_failure(record.failure)
    return Response(record.text.encode("utf-8"), media_type="application/json")


def _make_problem(status: int, error: KeywrightError | Failure, headers: dict[str, str]) -> Response:
    if status in CLOSING:
        headers["Connection"] = "close"
    record = {
        "type": f"urn:keywright:{error.code}",  # a name, not an address to visit
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": error.message,
        "code": error.code,
        "hint": error.hint,
    }
    return Response(to_json(record).encode("utf-8"), status, headers, PROBLEM_TYPE)


def make_unknown_address(path: str, addresses: Iterable[str]) -> UnknownName:
    """Return the error for an address that does not exist, with the nearest one."""
    near = difflib.get_close_matches(path, list(addresses), n=1, cutoff=0.5)
    suggestion = f"did you mean {near[0]}? " if near else ""
    return UnknownName("there is nothing at this address", f"{suggestion}GET /openapi.json describes all addresses")


def answer_json(value: object) -> Response:
    """Return JSON values as an answer."""
    return Response(to_json(value).encode("utf-8"), media_type="application/json")


def list_systems(_request: Request) -> Response:
    """List all systems, as `keywright systems --json`."""
    descriptions, _ = api.describe_systems()
    return answer_json(descriptions)


async def list_vocabularies(request: Request) -> Response:
    """List the vocabularies that requests may name."""
    return answer_json([{"name": name} for name, _ in request.app.state.service.work.vocabularies])


async def check_health(_request: Request) -> Response:
    """Answer as long as the service runs."""
    return answer_json({"status": "ok"})


async def check_readiness(request: Request) -> Response:
    """Answer whether requests can be taken now."""
    pool = request.app.state.service.pool
    if pool.stopping:
        return answer_error(Unavailable("the service is stopping", "send requests to another instance"))
    if not pool.processes.ready:
        return answer_error(Unavailable("no worker process is ready", "wait a moment"))
    return answer_json({"status": "ready"})


async def report_metrics(request: Request) -> Response:
    """Return the numbers of the service in the text format of Prometheus."""
    text = request.app.state.service.metrics.text()
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")
