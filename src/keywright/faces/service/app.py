"""The application: routes inside, then tokens, origins of other sites, and the log.

A line of the log has method, path, status, milliseconds and bytes. The path is that of the route, without values of
its parameters: other addresses, and what is behind a question mark, may hold text of a document.
"""

import base64
import hashlib
import hmac
import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keywright.api.vocabularies import projects_of
from keywright.core import errors
from keywright.faces.service import annif, answers, extraction
from keywright.faces.service.answers import Metrics, Service, answer_error
from keywright.faces.service.bodies import ClientGone

SHORTEST: Final = 16  # Fewest characters of a token: shorter ones can be guessed; arbitrary
OPEN: Final = frozenset({"/healthz", "/readyz"})  # Addresses that need no token: they say only whether the service runs


def read_tokens(path: Path) -> tuple[bytes, ...]:
    """Return digests of the tokens in a file; blank lines, and those that begin with ``#``, are left out."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError as error:
        raise errors.MissingData(f"no file {str(path)!r}", "write one token on each line of a file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise errors.UnreadableInput(f"{path} cannot be read: {error}", "write one token on each line") from error
    tokens = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not tokens:
        raise errors.UnreadableInput(f"{path} holds no token", "write one token on each line")
    for number, token in enumerate(tokens, start=1):
        if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
            hint = f"expected {SHORTEST} or more ASCII characters without blanks, such as from `openssl rand -hex 32`"
            raise errors.UnreadableInput(f"token {number} of {path} is not usable", hint)
    return tuple(_hash_token(token.encode("ascii")) for token in tokens)


def require_token(app: ASGIApp, tokens: tuple[bytes, ...]) -> ASGIApp:
    """Return an application that answers requests with a valid token only; the rest get 401, wherever they go."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in OPEN:
            values = [value for name, value in scope["headers"] if name == b"authorization"]
            digest = _hash_token(_find_token(values[0]) if len(values) == 1 else b"")
            # All digests are compared, so that time tells neither which token is near nor how many there are.
            if not any([hmac.compare_digest(digest, each) for each in tokens]):  # noqa: C419 - no short cut
                hint = "send the header Authorization: Bearer TOKEN; in a browser, give the token as password"
                await answer_error(errors.TokenMissing("this service needs a token", hint))(scope, receive, send)
                return
        await app(scope, receive, send)

    return answer


def _find_token(value: bytes) -> bytes:
    """Return the token in a header: behind ``Bearer``, or the password of ``Basic``, which browsers ask people for."""
    kind, _, token = value.strip().partition(b" ")
    if kind.lower() == b"basic":
        with suppress(ValueError):
            return base64.b64decode(token.strip(), validate=True).partition(b":")[2]
    return token.strip() if kind.lower() == b"bearer" else b""


def _hash_token(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


@lru_cache(maxsize=1_000)
def is_local(host: str) -> bool:
    """Return whether an address is of this machine alone."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def guard_app(app: ASGIApp, hosts: tuple[str, ...], most: int | None, usual: int) -> ASGIApp:
    """Return an application that answers for some hosts only, and no more than some requests of one address at once.

    ``hosts``: names with or without a port, none lets all pass; ``most``: requests of any address, None for ``usual``,
    for addresses of other machines only.
    """
    now: Counter[str] = Counter()  # requests of each address that are answered now

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in OPEN:
            await app(scope, receive, send)
            return
        refusal: errors.KeywrightError | None = None
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
        name, _, port = host.rpartition(":")
        if hosts and host not in hosts and not (port.isdigit() and name in hosts):
            refusal = errors.BadRequest(f"no host {host!r:.80} is served here", "see --allowed-host")
        address = (scope.get("client") or ("",))[0]
        limit = most or (usual if address and not is_local(address) else None)
        if not refusal and limit and now[address] >= limit:
            refusal = errors.Busy(
                f"{limit} requests of this address are in work", "send the request again after a while"
            )
        if refusal:
            await answer_error(refusal)(scope, receive, send)
            return
        now[address] += 1
        try:
            await app(scope, receive, send)
        finally:
            now[address] -= 1
            if not now[address]:
                del now[address]

    return answer


UNKNOWN_ROUTE = "(no route)"  # Stands for addresses without a route
_CLIENT_CLOSED = 499  # Status in log and metrics where the client had gone: that of nginx, as HTTP has none


def log_requests(app: ASGIApp, log: Callable[[str], None], metrics: Metrics) -> ASGIApp:
    """Return an application whose requests are written to a log."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        began, status, size = time.perf_counter(), 0, 0

        async def send_counted(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await app(scope, receive, send_counted)
        except ClientGone:
            status = _CLIENT_CLOSED
        except Exception as error:  # noqa: BLE001 - a defect; its message might quote a document
            log(f"a defect: {type(error).__name__}; please report it")
            if not status:
                defect = errors.KeywrightError(
                    "a defect of keywright", "please report it, with the request if possible"
                )
                await answer_error(defect)(scope, receive, send_counted)
        seconds = time.perf_counter() - began
        route = getattr(scope.get("route"), "path", UNKNOWN_ROUTE)
        method = scope["method"] if scope["method"].isalpha() and len(scope["method"]) < len(UNKNOWN_ROUTE) else "?"
        metrics.count_request(method, route, status, seconds)
        log(f"{method} {route} {status} {seconds * 1000:.1f} ms {size} bytes")

    return answer


def api_routes() -> list[BaseRoute]:
    """Return the routes for programs."""
    return [
        Route("/api/extract", extraction.extract, methods=["POST"]),
        Route("/api/extract/file", extraction.extract_file, methods=["POST"]),
        Route("/api/extract/batch", extraction.ExtractBatch(), methods=["POST"]),
        Route("/api/systems", answers.list_systems),
        Route("/api/vocabularies", answers.list_vocabularies),
        Route("/healthz", answers.check_health),
        Route("/readyz", answers.check_readiness),
        Route("/metrics", answers.report_metrics),
        Route("/openapi.json", answers.answer_openapi),
        Route("/v1/", annif.answer_about),
        Route("/v1/projects", annif.list_projects),
        Route("/v1/projects/{project_id}", annif.answer_project),
        Route("/v1/projects/{project_id}/suggest", annif.suggest, methods=["POST"]),
        Route("/v1/projects/{project_id}/suggest-batch", annif.suggest_batch, methods=["POST"]),
        Route("/v1/projects/{project_id}/learn", annif.learn, methods=["POST"]),
        Route("/v1/detect-language", annif.detect_language, methods=["POST"]),
    ]


def make_app(
    service: Service,
    *,
    tokens: tuple[bytes, ...] = (),
    origins: Sequence[str] = (),
    pages: Sequence[BaseRoute] = (),
    log: Callable[[str], None] = lambda _line: None,
) -> ASGIApp:
    """Return the application of a service whose pool was started.

    ``tokens``: digests of valid ones, none lets everybody in; ``origins``: other sites whose pages may call the
    service; ``pages``: routes beside those for programs; ``log``: function that writes a line.
    """
    routes = [*api_routes(), *pages]
    handlers = {errors.KeywrightError: _answer_error, OSError: _answer_error, HTTPException: _answer_http_error}
    inner = Starlette(routes=routes, exception_handlers=handlers)  # type: ignore[arg-type]  # narrower than any error
    inner.router.redirect_slashes = False
    inner.state.service, inner.state.projects = service, projects_of(service.work.vocabularies)
    app: ASGIApp = require_token(inner, tokens) if tokens else inner
    if origins:
        app = CORSMiddleware(
            app,
            allow_origins=origins,
            allow_methods=("GET", "POST"),
            allow_headers=("Authorization", "Content-Type"),
            expose_headers=("Retry-After",),
        )
    return log_requests(app, log, service.metrics)


async def _answer_error(_request: Request, error: errors.KeywrightError | OSError) -> Response:
    full = errors.Unavailable(f"the upload cannot be kept: {error}", "see whether the disk for temporary files is full")
    return answer_error(error if isinstance(error, errors.KeywrightError) else full)


async def _answer_http_error(request: Request, error: HTTPException) -> Response:
    if error.status_code == HTTPStatus.NOT_FOUND:
        paths = (route.path for route in request.app.routes if isinstance(route, Route))
        return answer_error(answers.make_unknown_address(request.scope["path"], paths))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        methods = (error.headers or {}).get("Allow", "")
        problem = errors.WrongMethod(f"this address does not take {request.method}", f"it takes {methods}")
        return answer_error(problem, Allow=methods)
    return answer_error(errors.BadRequest(error.detail, "see GET /openapi.json"))
