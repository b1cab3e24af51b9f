"""The application: routes inside, then tokens, origins of other sites, and the log."""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from keywright.core.errors import KeywrightError
from keywright.core.request_errors import BadRequest, WrongMethod
from keywright.faces.http.access_log import Logged
from keywright.faces.http.problems import no_such_address, problem
from keywright.faces.http.routes import api_routes
from keywright.faces.http.service import Service
from keywright.faces.http.tokens import NeedsToken


def make_app(
    service: Service,
    *,
    tokens: tuple[bytes, ...] = (),
    origins: Sequence[str] = (),
    pages: Sequence[BaseRoute] = (),
    log: Callable[[str], None] = lambda _line: None,
) -> ASGIApp:
    """Return the application of a service.

    Args:
        service: with its pool started.
        tokens: digests of valid tokens; none lets everybody in.
        origins: of other sites whose pages may call the service.
        pages: routes beside those for programs.
        log: function that writes a line.
    """
    from keywright.api.vocabulary_projects import projects_of  # noqa: PLC0415 - help does without

    routes = [*api_routes(), *pages]
    handlers = {KeywrightError: _told, HTTPException: _http_error}
    inner = Starlette(routes=routes, exception_handlers=handlers)  # type: ignore[arg-type]  # narrower than any error
    inner.router.redirect_slashes = False
    inner.state.service, inner.state.projects = service, projects_of(service.work)
    app: ASGIApp = NeedsToken(inner, tokens) if tokens else inner
    if origins:
        app = CORSMiddleware(
            app,
            allow_origins=origins,
            allow_methods=("GET", "POST"),
            allow_headers=("Authorization", "Content-Type"),
            expose_headers=("Retry-After",),
        )
    return Logged(app, log, service.metrics)


async def _told(_request: Request, error: KeywrightError) -> Response:
    return problem(error)


async def _http_error(request: Request, error: HTTPException) -> Response:
    """Return the answer for an error of the router."""
    if error.status_code == HTTPStatus.NOT_FOUND:
        paths = (route.path for route in request.app.routes if isinstance(route, Route))
        return problem(no_such_address(request.scope["path"], paths))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        methods = (error.headers or {}).get("Allow", "")
        answer = problem(WrongMethod(f"this address does not take {request.method}", f"it takes {methods}"))
        answer.headers["Allow"] = methods
        return answer
    return problem(BadRequest(error.detail, "see GET /openapi.json"))
