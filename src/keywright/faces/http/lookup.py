"""Routes that say what there is, and how the service does."""

from starlette.requests import Request
from starlette.responses import Response

from keywright.core.json_text import to_json
from keywright.core.request_errors import Unavailable
from keywright.faces.http.problems import problem
from keywright.faces.http.service import Service


def json_answer(value: object) -> Response:
    """Return JSON values as an answer."""
    return Response(to_json(value).encode("utf-8"), media_type="application/json")


def systems(_request: Request) -> Response:
    """List all systems, as `keywright systems --json`."""
    from keywright import api  # noqa: PLC0415 - loaded with the workers

    descriptions, _ = api.describe_systems()
    return json_answer(descriptions)


async def vocabularies(request: Request) -> Response:
    """List the vocabularies that requests may name."""
    service: Service = request.app.state.service
    return json_answer([{"name": name} for name, _ in service.work.vocabularies])


async def health(_request: Request) -> Response:
    """Answer as long as the service runs."""
    return json_answer({"status": "ok"})


async def readiness(request: Request) -> Response:
    """Answer whether requests can be taken now."""
    pool = request.app.state.service.pool
    if pool.stopping:
        return problem(Unavailable("the service is stopping", "send requests to another instance"))
    if not pool.ready:
        return problem(Unavailable("no worker process is ready", "wait a moment"))
    return json_answer({"status": "ready"})


async def metrics(request: Request) -> Response:
    """Return the numbers of the service in the text format of Prometheus."""
    service: Service = request.app.state.service
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
