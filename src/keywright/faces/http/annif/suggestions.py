"""``suggest`` and ``suggest-batch``: subjects of texts; ``learn``, which is refused."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from keywright.core.errors import BadParameter, EmptyInput
from keywright.core.json_text import to_json
from keywright.core.request_errors import BadRequest, NotAllowed
from keywright.faces.http.annif.projects import named
from keywright.faces.http.limits import Body, check_media_type
from keywright.faces.http.lookup import json_answer
from keywright.faces.http.problems import problem_of_failure
from keywright.faces.http.service import Service, while_connected

if TYPE_CHECKING:
    from keywright.api.vocabulary_projects import Project

MOST_DOCUMENTS: Final = 32
"""Documents of a batch, as in Annif's API."""
_LIMIT: Final = 10
"""Subjects of a document where the client does not say, as in Annif's API."""
_OPTIONS: Final = ("limit", "threshold", "language")
_MOST_FIELDS: Final = 16
"""Fields of a form; arbitrary, more than there are."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The subjects of a text that a client asks for.

    Attributes:
        limit: their number.
        threshold: least score.
        language: of their labels.
    """

    limit: int
    threshold: float
    language: str


async def suggest(request: Request) -> Response:
    """Return subjects of a text, which comes as a form."""
    service: Service = request.app.state.service
    project = named(request)
    check_media_type(request.scope, ("application/x-www-form-urlencoded",))
    with Body(service.bodies, request.scope, request.receive) as body:
        fields = form_fields(await body.whole())
        wish = wish_of(fields, project, ("text",))
        if "text" not in fields:
            raise BadParameter("the form has no field 'text'", "send the text of the document as text=...")
        with service.pool.place():
            answer = await while_connected(suggestions(service, project, fields["text"], wish), request.receive)
    return answer if isinstance(answer, Response) else json_answer({"results": answer})


async def suggest_batch(request: Request) -> Response:
    """Return subjects of up to 32 texts, which come as JSON."""
    service: Service = request.app.state.service
    project = named(request)
    wish = wish_of(dict(request.query_params), project)
    check_media_type(request.scope, ("application/json",))
    with Body(service.bodies, request.scope, request.receive) as body:
        documents = documents_of(await body.whole())
        with service.pool.place():
            results = []
            for document in documents:
                work = suggestions(service, project, document["text"], wish)
                answer = await while_connected(work, request.receive)
                if isinstance(answer, Response):
                    return answer
                results.append({"document_id": document.get("document_id"), "results": answer})
    return json_answer(results)


async def learn(request: Request) -> Response:
    """Refuse to learn: requests change nothing here."""
    project = named(request)
    raise NotAllowed(f"learning is not allowed for the project {project.name!r}", "systems are trained offline")


async def suggestions(service: Service, project: "Project", text: str, wish: Wish) -> list[dict[str, Any]] | Response:
    """Return the subjects of a text, most probable first; none for an empty text; a problem for one that fails.

    A score is the probability; it is 0 where the system gives none.
    """
    from keywright.api.request_work import TextRequest  # noqa: PLC0415 - loaded with the workers

    asked = {"text": text, "language": project.language, "vocabulary": project.vocabulary, "only_vocabulary": True}
    asked |= {"label_language": wish.language, "top": wish.limit}
    try:
        record = await service.ask(TextRequest(to_json(asked).encode("utf-8")))
    except EmptyInput:
        return []
    if record.failure is not None:
        return problem_of_failure(record.failure)
    subjects = (
        {
            "uri": keyphrase["concept"]["uri"],
            "label": keyphrase["concept"]["label"],
            "notation": keyphrase["concept"]["notation"],
            "score": keyphrase["probability"] or 0.0,
        }
        for keyphrase in json.loads(record.text)["keyphrases"]
    )
    return [subject for subject in subjects if subject["score"] >= wish.threshold]


def form_fields(body: bytes) -> dict[str, str]:
    """Return the fields of a form.

    Raises:
        BadRequest: it is damaged, or not in UTF-8.
        BadParameter: a field comes twice.
    """
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise BadRequest(f"the form cannot be read: {error}", "send it in UTF-8, percent-encoded") from error
    if len(dict(pairs)) != len(pairs):
        raise BadParameter("a field of the form comes twice", "send each once")
    return dict(pairs)


def wish_of(fields: Mapping[str, str], project: "Project", others: tuple[str, ...] = ()) -> Wish:
    """Return what fields of a form or an address ask for.

    Raises:
        BadParameter: there is no such field, or a value is out of range.
    """
    from keywright.api.request_options import MOST  # noqa: PLC0415 - loaded with the workers

    for name in fields:
        if name not in (*others, *_OPTIONS):
            near = get_close_matches(name, (*others, *_OPTIONS), n=1)
            nearest = f"did you mean {near[0]!r}? " if near else ""
            raise BadParameter(f"a request has no field {name!r:.60}", f"{nearest}fields: {', '.join(_OPTIONS)}")
    limit = _number(fields, "limit", _LIMIT)
    threshold = _number(fields, "threshold", 0)
    if not limit.is_integer() or not 1 <= limit <= MOST:
        raise BadParameter(f"limit {fields['limit']:.20}", f"expected a whole number from 1 to {MOST:,}")
    if not 0 <= threshold <= 1:
        raise BadParameter(f"threshold {fields['threshold']:.20}", "expected a number from 0 to 1")
    return Wish(int(limit), threshold, fields.get("language") or project.language)


def documents_of(body: bytes) -> list[dict[str, Any]]:
    """Return the documents of a batch.

    Raises:
        BadRequest: the body is not a JSON object.
        BadParameter: it does not hold documents with texts, or too many.
    """
    from keywright.api.request_work import object_of  # noqa: PLC0415 - loaded with the workers

    values = object_of(body)
    documents = values.get("documents")
    expected = 'expected {"documents": [{"text": "...", "document_id": "..."}]}'
    if not isinstance(documents, list) or len(values) != 1:
        raise BadParameter("the body does not hold 'documents' alone", expected)
    if len(documents) > MOST_DOCUMENTS:
        raise BadParameter(f"a batch of {len(documents)} documents", f"expected at most {MOST_DOCUMENTS}")
    for document in documents:
        if not isinstance(document, dict) or not isinstance(document.get("text"), str):
            raise BadParameter("a document of the batch has no text", expected)
        if not isinstance(document.get("document_id", ""), str | None) or document.keys() - {"text", "document_id"}:
            raise BadParameter("a document of the batch has other fields than text and document_id", expected)
    return documents


def _number(fields: Mapping[str, str], name: str, default: float) -> float:
    """Return the number in a field; one that is not finite is out of every range."""
    try:
        number = float(fields.get(name) or default)
    except ValueError:
        number = math.inf
    return number if math.isfinite(number) else -1.0
