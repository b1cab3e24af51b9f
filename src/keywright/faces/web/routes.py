"""Routes of the page: the form, results shown again, files to save, and the files that the page loads."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import resources
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from keywright.core.errors import KeywrightError
from keywright.faces.exit_codes import meaning
from keywright.faces.http.limits import Body
from keywright.faces.http.problems import no_such_address, problem
from keywright.faces.http.service import Service, while_connected
from keywright.faces.web.extraction import extracted, sent_form
from keywright.faces.web.rendering import Page, Problem
from keywright.faces.web.saving import SavedFile, exported, reviewed
from keywright.faces.web.selection import thresholds_of
from keywright.faces.web.shown_documents import ShownDocuments

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_FILES: Final = {
    "page.css": ("keywright.faces", "page.css", "text/css"),
    "service.css": ("keywright.faces.web", "service.css", "text/css"),
    "page.js": ("keywright.faces.web", "page.js", "text/javascript"),
}
"""Files that the page loads: package, name in it, media type."""
_STATE: Final = "state"
"""Field that holds the documents of the page."""


def page_routes() -> list[BaseRoute]:
    """Return the routes of the page."""
    return [
        Route("/", _start),
        Route("/", _extract, methods=["POST"]),
        Route("/shown", _show, methods=["POST"]),
        Route("/export", _export, methods=["POST"]),
        Route("/review", _review, methods=["POST"]),
        Route("/static/{name}", _file),
    ]


async def _start(request: Request) -> Response:
    """Answer with the page before anything was asked."""
    return await _answer(_page(request))


async def _extract(request: Request) -> Response:
    """Answer with the keyphrases of the text and the files of the form."""
    service: Service = request.app.state.service
    fields: Mapping[str, str] = {}
    try:
        with Body(service.bodies, request.scope, request.receive) as body:
            form = await sent_form(request, body, service.bodies.bytes)
            fields = form.fields
            with service.pool.place():
                result = await while_connected(extracted(service, form), request.receive)
    except KeywrightError as error:
        return await _problem(_page(request, fields), error)
    problems = tuple(map(Problem.of, result.failures))
    shown = result.shown if result.shown.documents else None
    status = 200 if shown else 422
    page = replace(_page(request, fields), shown=shown, problems=problems, notes=result.notes)
    return await _answer(page, status)


async def _show(request: Request) -> Response:
    """Answer with the page again, with the phrases that the sliders leave; scripts do it without a request."""
    return await _returned(request, _shown_again)


async def _export(request: Request) -> Response:
    """Answer with a file of keyphrases."""
    return await _returned(request, lambda page, shown: _download(exported(shown, page.fields)))


async def _review(request: Request) -> Response:
    """Answer with a file of labelled documents."""
    return await _returned(request, lambda page, shown: _download(reviewed(shown, page.fields)))


async def _returned(request: Request, answer: Callable[[Page, ShownDocuments], Response]) -> Response:
    """Answer to the documents and decisions that the page sent back."""
    service: Service = request.app.state.service
    page = _page(request)
    try:
        with Body(service.bodies, request.scope, request.receive) as body:
            form = await sent_form(request, body, service.bodies.bytes)
        page = _page(request, form.fields)
        shown = await run_in_threadpool(ShownDocuments.unpacked, form.fields.get(_STATE, ""))
        page = replace(page, shown=shown)
        return await run_in_threadpool(answer, page, shown)
    except KeywrightError as error:
        return await _problem(page, error)


def _shown_again(page: Page, shown: ShownDocuments) -> Response:
    return _html(replace(page, thresholds=thresholds_of(page.fields, shown.steps)))


def _download(file: SavedFile) -> Response:
    headers = {**_HEADERS, "Content-Disposition": f'attachment; filename="{file.name}"'}
    return Response(file.content, media_type=file.media_type, headers=headers)


async def _file(request: Request) -> Response:
    """Answer with a file that the page loads."""
    name = request.path_params["name"]
    if name not in _FILES:
        return problem(no_such_address(request.url.path, (f"/static/{each}" for each in _FILES)))
    package, file, media_type = _FILES[name]
    content = resources.files(package).joinpath(file).read_bytes()
    return Response(content, media_type=media_type, headers={**_HEADERS, "Cache-Control": "no-cache"})


def _page(request: Request, fields: Mapping[str, str] | None = None) -> Page:
    work = request.app.state.service.work
    return Page(work.system, tuple(name for name, _ in work.vocabularies), fields or {})


async def _problem(page: Page, error: KeywrightError) -> Response:
    """Answer with the page, with what went wrong above it."""
    return await _answer(replace(page, problems=(Problem.of(error),)), meaning(error).status)


async def _answer(page: Page, status: int = 200) -> Response:
    """Answer with the page; large texts take a while to mark."""
    return await run_in_threadpool(_html, page, status)


def _html(page: Page, status: int = 200) -> Response:
    return Response(page.html(), status, media_type="text/html", headers=_HEADERS)
