"""Addresses of Annif's REST API, so that its clients work unchanged: subjects of vocabularies with URIs.

Projects are pairs of a vocabulary and a language; ``suggest`` and ``suggest-batch`` return subjects of texts, ``learn``
is refused, and ``detect-language`` says how probable each of some languages is.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from keywright.api.serving import RequestWork, TextRequest
from keywright.api.vocabularies import Project
from keywright.core import VERSION
from keywright.core.errors import BadParameter, EmptyInput, NotAllowed, unknown_name
from keywright.core.json_values import parse_object, to_json
from keywright.core.options import MOST_KEYPHRASES
from keywright.core.records import FinishedRecord
from keywright.faces.service.answers import Service, answer_failure, answer_json, answer_record, while_connected
from keywright.faces.service.bodies import URLENCODED, Body, parse_form


async def answer_about(_request: Request) -> Response:
    """Return name and version."""
    return answer_json({"title": "keywright, with the addresses of Annif", "version": VERSION})


async def list_projects(request: Request) -> Response:
    """List all projects."""
    return answer_json({"projects": [describe_project(project) for project in request.app.state.projects.values()]})


async def answer_project(request: Request) -> Response:
    """Describe a project."""
    return answer_json(describe_project(find_project(request)))


def find_project(request: Request) -> "Project":
    """Return the project that an address names; raise ``UnknownName`` if there is none."""
    existing: dict[str, Project] = request.app.state.projects
    name = request.path_params["project_id"]
    if name not in existing:
        raise unknown_name("project", name, existing, "GET /v1/projects")
    return existing[name]


def describe_project(project: "Project") -> dict[str, Any]:
    """Return the description of a project."""
    return {
        "project_id": project.name,
        "name": f"{project.vocabulary} ({project.language})",
        "language": project.language,
        "backend": {"backend_id": "keywright"},
        "vocab": {"vocab_id": project.vocabulary, "languages": list(project.languages)},
        "vocab_language": project.language,
        "is_trained": True,
        "modification_time": None,
    }


MOST_DOCUMENTS: Final = 32  # documents of a batch, as in Annif's API
_LIMIT: Final = 10  # subjects of a document where the client does not say, as in Annif's API
_OPTIONS: Final = ("limit", "threshold", "language")
_MOST_FIELDS: Final = 16  # fields of a form; arbitrary, more than there are


@dataclass(frozen=True, slots=True)
class Wish:
    """The subjects that a client asks for: their number, their least score, and the language of their labels."""

    limit: int
    threshold: float
    language: str


async def suggest(request: Request) -> Response:
    """Return subjects of a text, which comes as a form."""
    service: Service = request.app.state.service
    project = find_project(request)
    with Body(service.bodies, request, URLENCODED) as body:
        form = await parse_form(body.media_type, body.pieces(), "send it percent-encoded", max_fields=_MOST_FIELDS)
        fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        if len(fields) != len(form.multi_items()):
            raise BadParameter("a field of the form comes twice", "send each once")
        wish = read_wish(fields, project, ("text",))
        if "text" not in fields:
            raise BadParameter("the form has no field 'text'", "send the text of the document as text=...")
        with service.pool.place():
            subjects = await while_connected(find_subjects(service, project, fields["text"], wish), request.receive)
    return subjects if isinstance(subjects, Response) else answer_json({"results": subjects})


async def suggest_batch(request: Request) -> Response:
    """Return subjects of up to 32 texts, which come as JSON."""
    service: Service = request.app.state.service
    project = find_project(request)
    wish = read_wish(dict(request.query_params), project)
    with Body(service.bodies, request, "application/json") as body:
        content = await body.whole()
        results = []
        with service.pool.place():
            documents = await service.pool.ask(partial(RequestWork.call, function=partial(read_documents, content)))
            for name, text in documents:
                work = find_subjects(service, project, text.decode("utf-8", "surrogatepass"), wish)
                subjects = await while_connected(work, request.receive)
                if isinstance(subjects, Response):
                    return subjects
                results.append({"document_id": name, "results": subjects})
    return answer_json(results)


async def learn(request: Request) -> Response:
    """Refuse to learn: requests change nothing here."""
    project = find_project(request)
    raise NotAllowed(f"learning is not allowed for the project {project.name!r}", "systems are trained offline")


async def find_subjects(service: Service, project: "Project", text: str, wish: Wish) -> list[dict[str, Any]] | Response:
    """Return the subjects of a text, most probable first; none for an empty text; a problem for one that fails.

    A score is the probability, or falls with the rank from half of the last one: clients drop what has no score.
    """
    service.work.check_length(text)
    asked = {"text": text, "language": project.language, "vocabulary": project.vocabulary, "only_vocabulary": True}
    asked |= {"label_language": wish.language, "top": wish.limit}
    try:
        record = await service.ask_text(TextRequest(to_json(asked).encode("utf-8")))
    except EmptyInput:
        return []
    if record.failure is not None:
        return answer_failure(record.failure)
    keyphrases = json.loads(record.text)["keyphrases"]
    scores = score_by_rank([keyphrase["probability"] for keyphrase in keyphrases])
    subjects = (
        {key: keyphrase["concept"][key] for key in ("uri", "label", "notation")} | {"score": score}
        for keyphrase, score in zip(keyphrases, scores, strict=True)
    )
    return [subject for subject in subjects if subject["score"] >= wish.threshold]


def score_by_rank(probabilities: Sequence[float | None]) -> list[float]:
    """Return a score for each probability, best first: itself, or for none a part of the last, 1 before any.

    >>> score_by_rank([0.6, None, None])
    [0.6, 0.3, 0.2]
    """
    scores, last, without = [], 1.0, 0
    for probability in probabilities:
        if probability:
            last, without = probability, 0
        else:
            without += 1
        scores.append(last / (1 + without))
    return scores


def read_wish(fields: Mapping[str, str], project: "Project", others: tuple[str, ...] = ()) -> Wish:
    """Return what fields of a form or an address ask for."""
    for name in fields:
        if name not in (*others, *_OPTIONS):
            near = get_close_matches(name, (*others, *_OPTIONS), n=1)
            nearest = f"did you mean {near[0]!r}? " if near else ""
            raise BadParameter(f"a request has no field {name!r:.60}", f"{nearest}fields: {', '.join(_OPTIONS)}")
    limit = _read_number(fields, "limit", _LIMIT)
    threshold = _read_number(fields, "threshold", 0)
    if not limit.is_integer() or not 1 <= limit <= MOST_KEYPHRASES:
        raise BadParameter(f"limit {fields['limit']:.20}", f"expected a whole number from 1 to {MOST_KEYPHRASES:,}")
    if not 0 <= threshold <= 1:
        raise BadParameter(f"threshold {fields['threshold']:.20}", "expected a number from 0 to 1")
    return Wish(int(limit), threshold, fields.get("language") or project.language)


def read_documents(body: bytes) -> list[tuple[str | None, bytes]]:
    """Return id and text in UTF-8 of each document of a batch; called in a worker."""
    values = parse_object(body)
    documents = values.get("documents")
    expected = 'expected {"documents": [{"text": "...", "document_id": "..."}]}'
    if not isinstance(documents, list) or len(values) != 1:
        raise BadParameter("the body does not hold 'documents' alone", expected)
    if len(documents) > MOST_DOCUMENTS:
        raise BadParameter(f"a batch of {len(documents)} documents", f"expected at most {MOST_DOCUMENTS}")
    for each in documents:
        if not isinstance(each, dict) or not isinstance(each.get("text"), str):
            raise BadParameter("a document of the batch has no text", expected)
        if not isinstance(each.get("document_id", ""), str | None) or each.keys() - {"text", "document_id"}:
            raise BadParameter("a document of the batch has other fields than text and document_id", expected)
    return [(each.get("document_id"), each["text"].encode("utf-8", "surrogatepass")) for each in documents]


def _read_number(fields: Mapping[str, str], name: str, default: float) -> float:
    """Return the number in a field; one that is not finite is out of every range."""
    try:
        number = float(fields.get(name) or default)
    except ValueError:
        number = math.inf
    return number if math.isfinite(number) else -1.0


_MOST_LANGUAGES: Final = 200  # languages that may be asked about; arbitrary, more than the model knows


async def detect_language(request: Request) -> Response:
    """Return a score for each language, most probable first, and the rest for null."""
    service: Service = request.app.state.service
    with Body(service.bodies, request, "application/json") as body:
        work = partial(RequestWork.call, function=partial(score_languages, service.work, await body.whole()))
        with service.pool.place():
            record = await while_connected(service.pool.ask(work), request.receive)
    return answer_record(record)


def score_languages(work: RequestWork, body: bytes) -> FinishedRecord:
    """Return the answer for a text and languages; called in a worker."""
    values = parse_object(body)
    text, languages = values.get("text"), values.get("languages")
    expected = 'expected {"text": "...", "languages": ["en", "fi"]}'
    if not isinstance(text, str) or not isinstance(languages, list) or len(values) != len(("text", "languages")):
        raise BadParameter("the body does not hold 'text' and 'languages'", expected)
    if not 0 < len(languages) <= _MOST_LANGUAGES or not all(isinstance(code, str) for code in languages):
        raise BadParameter("languages do not hold codes", expected)
    work.check_length(text)
    return work.score_languages(text, tuple(dict.fromkeys(languages)))
