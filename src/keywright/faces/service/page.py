"""The page of the service: texts and files in, marked keyphrases out, review and export; it works without scripts."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Undefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from keywright import api
from keywright.api.options import options_of_texts
from keywright.api.serving import RequestWork
from keywright.core.errors import KeywrightError, TooLarge
from keywright.core.option_types import Option, User
from keywright.core.options import TABLES, options_of
from keywright.core.pages import escape_html
from keywright.core.predictions import Failure, describe_assumptions
from keywright.core.records import FinishedRecord
from keywright.core.signatures import short_signature
from keywright.faces.exit_codes import find_meaning
from keywright.faces.outputs.collection_files import draw_collection, find_policy
from keywright.faces.outputs.keyphrase_page import render_article, render_overview
from keywright.faces.service import answers, page_documents
from keywright.faces.service.answers import Service, answer_error
from keywright.faces.service.bodies import MULTIPART, URLENCODED, Body
from keywright.faces.service.extraction import clean_name, store_upload
from keywright.faces.service.page_documents import Answer, SentForm, ShownDocument, ShownDocuments, Thresholds


def describe_problem(error: KeywrightError | Failure) -> dict[str, str]:
    """Return an error for people, or a document that failed, whose name it begins with unless it has it."""
    name = error.document_id if isinstance(error, Failure) else ""
    return {"message": error.message if name in error.message else f"{name}: {error.message}", "hint": error.hint}


@dataclass(frozen=True, slots=True)
class Page:
    """One state of the page."""

    system: str  # name of the system of the service
    vocabularies: Sequence[str] = ()  # names of those that may be chosen
    is_calibrated: bool = False  # whether the system has a calibrator
    fields: Mapping[str, str] = field(default_factory=dict)  # fields as they were sent, which the page shows again
    shown: ShownDocuments | None = None  # documents with their phrases; None before any were asked for
    thresholds: Thresholds = field(default_factory=Thresholds)  # positions of the sliders
    problem: dict[str, str] | None = None  # the error of the whole request

    def answer(self, error: KeywrightError | None = None, status: int = 200) -> Answer:
        """Return the page as an answer, perhaps with what went wrong above it, and without what is long then."""
        fields = {name: value for name, value in self.fields.items() if not error or len(value) <= _MOST_REPEATED}
        page = replace(self, problem=describe_problem(error) if error else None, fields=fields)
        status = find_meaning(error).status if error else status
        return Answer("", "text/html", page.html().encode("utf-8"), status)

    def html(self) -> str:
        """Return the whole page."""
        groups = self._option_groups()
        options = [option.name for _, group in groups for option in group]
        form = {name: self.fields.get(name, "") for name in ("text", *options, *page_documents.COLLECTION)}
        shown = self.shown or ShownDocuments(self.system)
        documents = shown.documents
        articles = (self._article(each, number) for number, each in enumerate(documents, start=1))
        predictions, allows = [each.prediction for each in documents], self.thresholds.allows
        phrases = [phrase for each in predictions for phrase in each.keyphrases]
        left = [replace(each, keyphrases=tuple(filter(allows, each.keyphrases))) for each in predictions]
        count = f"{len(phrases)} keyphrase{'s' * (len(phrases) != 1)}"
        return (
            _load_templates()
            .get_template("page.html")
            .render(
                title=f"Keyphrases of {documents[0].document.id}" if len(documents) == 1 else "Keyphrases",
                form=form,
                groups=groups,
                has_options=any(form[name] for name in (*options, *page_documents.COLLECTION)),
                vocabularies=self.vocabularies,
                problems=[self.problem] if self.problem else list(map(describe_problem, shown.failures)),
                notes=shown.notes,
                state=shown.pack() if documents else "",
                meanings=describe_assumptions(each.assumes for each in predictions if each.assumes),
                overview=Markup(render_overview(left)),  # noqa: S704 - as above
                names=[each.document.id for each in documents],
                count=f"{count} of {len(documents)} documents" if len(documents) > 1 else count,
                articles=Markup("".join(articles)),  # noqa: S704 - escaped where it is built
                has_probabilities=any(phrase.probability is not None for phrase in phrases),
                guarantees=shown.steps if documents else (),
                least=self.thresholds.least,
                precision=self.thresholds.step,
                formats=[(form.name, form.title) for form in page_documents.FORMATS],
                system=short_signature(shown.signature) if documents else self.system,
            )
        )

    def _option_groups(self) -> list[tuple[str, list[Option]]]:
        """Return the options that the service has something for, by what they have in common."""
        available = {"": True, "vocabulary": bool(self.vocabularies), "calibrator": self.is_calibrated}
        groups = [
            (table.title, [each.request for each in options_of(table).values() if User.PAGE in each.users])
            for table in TABLES
        ]
        groups = [(title, [each for each in options if available[each.needs]]) for title, options in groups]
        return [(title, options) for title, options in groups if options]

    def _article(self, shown: ShownDocument, number: int) -> str:
        prediction = shown.prediction
        phrases = enumerate(prediction.keyphrases)
        hidden = {index for index, keyphrase in phrases if not self.thresholds.allows(keyphrase)}
        is_folded = self.shown is not None and len(self.shown.documents) > _MOST_OPEN
        controls = page_documents.make_controls(prediction, number, self.fields, is_folded=is_folded)
        return render_article(shown.document, prediction, number, controls, hidden).html


_MOST_REPEATED: Final = 100_000  # characters of a field that the page of an error repeats; arbitrary
_MOST_OPEN: Final = 2  # Most documents whose texts are shown at once; arbitrary, more are folded


@cache
def _load_templates() -> Environment:
    return Environment(loader=PackageLoader("keywright.faces", "service"), autoescape=True, undefined=StrictUndefined)


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
_FILES: Final = {  # files that the page loads: package, name in it, media type
    "page.css": ("keywright.faces.outputs", "page.css", "text/css"),
    "service.css": ("keywright.faces.service", "service.css", "text/css"),
    "page.js": ("keywright.faces.service", "page.js", "text/javascript"),
    "api.js": ("keywright.faces.service", "api.js", "text/javascript"),
}


def page_routes() -> list[BaseRoute]:
    """Return the routes of the page."""
    return [
        Route("/", _start),
        Route("/", partial(_answer_form, answer=_extract), methods=["POST"]),
        Route("/collection", partial(_answer_form, answer=_count_collection), methods=["POST"]),
        *(Route(path, _answer_returned, methods=["POST"]) for path in ("/shown", "/export", "/review", "/marked")),
        Route("/api", _describe_api),
        Route("/static/{name}", _send_static),
    ]


async def _start(request: Request) -> Response:
    return _respond(_make_page(request).answer())


async def _describe_api(request: Request) -> Response:
    """Answer with the description of the service for people who write programs."""
    address = escape_html(str(request.base_url).rstrip("/"))
    return _respond(Answer("", "text/html", _render_interface().replace(_ADDRESS, address).encode("utf-8")))


_ADDRESS: Final = "ADDRESS-OF-THE-SERVICE"  # mark where the page of the interface has the address that was asked


@cache
def _render_interface() -> str:
    templates = _load_templates().overlay(undefined=Undefined)  # most keys of a schema are optional
    return templates.get_template("api.html").render(description=answers.describe_service(), address=_ADDRESS)


_MOST_FIELDS: Final = 64  # fields of a form that the serving process reads; arbitrary, more than the page has


async def _answer_form(request: Request, answer: "Callable[[Service, Page, SentForm], Awaitable[Answer]]") -> Response:
    service: Service = request.app.state.service
    page = _make_page(request)
    try:
        with Body(service.bodies, request, MULTIPART, URLENCODED) as body:
            form = await page_documents.read_form(body.media_type, body.pieces(), _MOST_FIELDS)
            body.hold(sum(map(sys.getsizeof, form.fields.values())))
            page = replace(page, fields=form.fields)
            with service.pool.place():
                return _respond(await answers.while_connected(answer(service, page, form), request.receive))
    except KeywrightError as error:
        return _respond(page.answer(error))


async def _extract(service: Service, page: Page, form: SentForm) -> Answer:
    records = await page_documents.extract_form(service, form)
    answer: Answer = await service.pool.ask(partial(RequestWork.call, function=partial(show_extracted, page, records)))
    return answer


async def _count_collection(service: Service, page: Page, form: SentForm) -> Answer:
    """Return the page of the text and the files of a form as one collection."""
    text = page_documents.find_text(form)
    sources: list[tuple[str, str | Path]] = [(page_documents.TEXT_NAME, text)] if text else []
    columns = {name: form.fields.get(name, "").strip() or None for name in page_documents.COLLECTION}
    async with AsyncExitStack() as uploads:
        for upload in form.files:
            path = await uploads.enter_async_context(store_upload(upload, service.folder))
            sources.append((clean_name(upload.filename or ""), path))
        options = options_of_texts(form.options)
        work = partial(RequestWork.collect, sources=sources, options=options, columns=columns, show=answer_collection)
        answer: Answer = await service.pool.ask(work)
    return _check_size(page, answer)


async def _answer_returned(request: Request) -> Response:
    service: Service = request.app.state.service
    page = _make_page(request)
    try:
        with Body(service.bodies, request, MULTIPART, URLENCODED) as body:
            content = await body.whole()
            with service.pool.place():
                function = partial(answer_returned, page, request.url.path, body.media_type, content)
                answer = service.pool.ask(partial(RequestWork.call, function=function))
                return _respond(await answers.while_connected(answer, request.receive))
    except KeywrightError as error:
        return _respond(page.answer(error))


# All below this line runs in a worker, with its limits of time and memory, but for the page of an error.


def show_extracted(page: Page, records: Sequence[FinishedRecord]) -> Answer:
    """Return the page with the documents of some records."""
    page = replace(page, shown=ShownDocuments.collect(records))
    return _check_size(page, page.answer(status=200 if page.shown and page.shown.documents else 422))


def answer_collection(collection: api.Collection) -> Answer:
    """Return the page of a collection, which has a policy of its own."""
    content = draw_collection(collection).encode("utf-8")
    return Answer("", "text/html", content, policy=f"{find_policy()}; frame-ancestors 'none'")


def answer_returned(page: Page, address: str, media_type: str, content: bytes) -> Answer:
    """Return the page again, with the phrases that the sliders leave, or a file of keyphrases or labelled documents."""

    async def pieces() -> AsyncGenerator[bytes, None]:
        yield content

    try:
        form = asyncio.run(page_documents.read_form(media_type, pieces()))
        page = replace(page, fields=form.fields)
        shown = ShownDocuments.unpack(form.fields.get("state", ""))
        page = replace(page, shown=shown)
        if address.endswith("/shown"):  # scripts do it without a request
            answer = replace(page, thresholds=page_documents.read_thresholds(page.fields, shown.steps)).answer()
        elif address.endswith("/marked"):
            answer = page_documents.mark_document(shown, form)
        else:
            export = page_documents.export_keyphrases if address.endswith("/export") else page_documents.export_review
            answer = export(shown, page.fields)
    except KeywrightError as error:
        answer = page.answer(error)
    return _check_size(page, answer)


_MOST_BYTES: Final = 64_000_000  # Bytes of the largest answer; arbitrary, no browser shows more


def _check_size(page: Page, answer: Answer) -> Answer:
    if len(answer.content) <= _MOST_BYTES:
        return answer
    error = TooLarge(f"the answer has {len(answer.content):,} bytes", "send fewer or shorter documents at once")
    return replace(page, shown=None).answer(error)


def _respond(answer: Answer) -> Response:
    saved = {"Content-Disposition": f'attachment; filename="{answer.name}"'} if answer.name else {}
    policy = {"Content-Security-Policy": answer.policy} if answer.policy else {}
    return Response(answer.content, answer.status, {**_HEADERS, **policy, **saved}, answer.media_type)


async def _send_static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        return answer_error(answers.make_unknown_address(request.url.path, (f"/static/{each}" for each in _FILES)))
    package, file, media_type = _FILES[name]
    content = resources.files(package).joinpath(file).read_bytes()
    return Response(content, media_type=media_type, headers={**_HEADERS, "Cache-Control": "no-cache"})


def _make_page(request: Request) -> Page:
    work = request.app.state.service.work
    return Page(work.system, tuple(name for name, _ in work.vocabularies), work.calibrator is not None)
