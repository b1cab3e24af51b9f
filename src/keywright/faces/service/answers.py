"""Parts that all routes share: answers, problems (RFC 9457), the state of the service; routes that describe it."""

import asyncio
import difflib
import json
from collections.abc import Awaitable, Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypeVar

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive

from keywright import api
from keywright.api import serving
from keywright.core import VERSION
from keywright.core.choices import FORMATS
from keywright.core.errors import Busy, KeywrightError, TokenMissing, Unavailable, UnknownName
from keywright.core.json_values import to_json
from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.core.predictions import Failure
from keywright.core.records import FinishedRecord
from keywright.faces.exit_codes import find_meaning, find_status
from keywright.faces.record_schemas import Schema, extraction, failure, keyphrase, option_schema
from keywright.faces.service.bodies import BodyLimits, ClientGone, wait_until_gone

PROBLEM_TYPE: Final = "application/problem+json"
CLOSING: Final = {408, 413, 503}  # statuses after which a connection is closed: a body is on the way, or the end near


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
    return answer_json(api.describe_systems()[0])


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
    return Response(request.app.state.service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def answer_openapi(_request: Request) -> Response:
    """Return the description of all routes, which a test holds against those that run."""
    return answer_json(describe_service())


def describe_service() -> Schema:
    """Return the description of the service, OpenAPI 3.1.

    ``openapi.json`` beside this file is written by hand. Options of requests, records of results and formats of files,
    which are declared elsewhere, are put into it here, and so are the answers of errors, which all addresses share.
    """
    described: Schema = json.loads(resources.files(__package__).joinpath("openapi.json").read_text("utf-8"))
    paths, components = described["paths"], described["components"]
    described["info"]["version"] = VERSION
    shared = components.pop("responses")
    for operation in (each for path in paths.values() for name, each in path.items() if name != "parameters"):
        answers = operation["responses"]
        answers |= {status: shared[status] for status in answers if status in shared}
    options = {name: option_schema(option, for_service=True) for name, option in options_for(User.SERVICE).items()}
    paths["/api/extract/batch"]["post"]["parameters"] = [
        {"name": name, "in": "query", "schema": schema, "required": False} for name, schema in options.items()
    ]
    of_file = paths["/api/extract/file"]["post"]
    of_file["summary"] = of_file["summary"].replace("FORMATS", FORMATS)
    schemas = components["schemas"]
    for name in ("ExtractRequest", "FileForm"):
        schemas[name]["properties"] |= options
    phrases = {"$ref": "#/components/schemas/Keyphrase"}
    schemas |= {"Extraction": extraction(phrases), "Keyphrase": keyphrase(), "Failure": failure()}
    return described


class Metrics(Collector):
    """Counts of requests and documents, and the state of the pool at the moment of asking."""

    def __init__(self, pool: serving.Pool) -> None:
        self._registry = registry = CollectorRegistry()
        labels = ["method", "route", "status"]
        self._requests = Counter("keywright_requests", "Requests answered.", labels, registry=registry)
        self._seconds = Histogram("keywright_request_seconds", "Seconds to the answer.", ["route"], registry=registry)
        self._documents = Counter("keywright_documents", "Documents, by outcome.", ["outcome"], registry=registry)
        self._pool = pool
        registry.register(self)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Add a request that was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_document(self, outcome: str) -> None:
        """Add a document; ``outcome`` is ``done``, or the code word of its failure."""
        self._documents.labels(outcome).inc()

    def text(self) -> bytes:
        """Return all numbers."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Any]:
        """Yield the state of the pool."""
        pool = self._pool
        gauges = {
            "workers": ("Worker processes that work or could.", pool.processes.ready),
            "workers_busy": ("Worker processes at work.", pool.processes.busy),
            "requests_admitted": ("Requests that wait or are in work.", pool.admitted),
            "requests_limit": ("Requests that may wait or be in work.", pool.jobs + pool.queue),
        }
        for name, (about, value) in gauges.items():
            yield GaugeMetricFamily(f"keywright_{name}", about, value=value)
        replaced = CounterMetricFamily("keywright_workers_replaced", "Worker processes replaced.", labels=["reason"])
        for reason, count in pool.processes.replaced.items():
            replaced.add_metric([reason], count)
        yield replaced


Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Service:
    """The state of a running service; uploaded files lie in ``folder`` while they are worked on."""

    work: serving.RequestWork
    pool: serving.Pool
    bodies: BodyLimits
    metrics: Metrics
    folder: Path

    async def ask_text(self, text: serving.TextRequest) -> FinishedRecord:
        """Return the answer of a worker, which may work on other texts that wait as well, and count the document."""
        return self._count(await self.pool.ask_part(text, is_short=text.is_short))

    async def ask(self, request: serving.Request) -> FinishedRecord:
        """Return the answer of a worker, and count the document."""
        return self._count(await self.pool.ask(request))

    def _count(self, record: FinishedRecord) -> FinishedRecord:
        self.metrics.count_document(record.failure.code if record.failure else "done")
        return record


_SOON: Final = 0.05  # seconds for which nobody looks whether the client goes: most answers are sent before; arbitrary


async def while_connected(work: Awaitable[Value], receive: Receive) -> Value:
    """Return the result of some work, which is cancelled if the client goes, with ``ClientGone``."""
    task: Any = asyncio.current_task()
    leaving: list[asyncio.Future[None]] = []

    def look() -> None:
        leaving.append(asyncio.ensure_future(wait_until_gone(receive)))
        leaving[0].add_done_callback(lambda left: left.cancelled() or task.cancel())

    later = asyncio.get_running_loop().call_later(_SOON, look)
    try:
        return await work
    except asyncio.CancelledError:
        if leaving and leaving[0].done() and not task.uncancel():
            raise ClientGone from None
        raise
    finally:
        later.cancel()
        for each in leaving:
            each.cancel()
