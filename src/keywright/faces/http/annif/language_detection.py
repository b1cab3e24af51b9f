"""``POST /v1/detect-language``: how probable each of some languages is for a text."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from keywright.core.errors import BadParameter
from keywright.faces.http.limits import Body, check_media_type
from keywright.faces.http.service import Service, while_connected

_MOST_LANGUAGES: Final = 200
"""Languages that may be asked about; arbitrary, more than the model knows."""


async def detect_language(request: Request) -> Response:
    """Return a score for each language, most probable first, and the rest for null."""
    from keywright.api.request_work import LanguageRequest, object_of  # noqa: PLC0415 - loaded with the workers

    service: Service = request.app.state.service
    check_media_type(request.scope, ("application/json",))
    with Body(service.bodies, request.scope, request.receive) as body:
        values = object_of(await body.whole())
        text, languages = values.get("text"), values.get("languages")
        expected = 'expected {"text": "...", "languages": ["en", "fi"]}'
        if not isinstance(text, str) or not isinstance(languages, list) or len(values) != len(("text", "languages")):
            raise BadParameter("the body does not hold 'text' and 'languages'", expected)
        if not 0 < len(languages) <= _MOST_LANGUAGES or not all(isinstance(code, str) for code in languages):
            raise BadParameter("languages do not hold codes", expected)
        wanted = LanguageRequest(text, tuple(dict.fromkeys(languages)))
        with service.pool.place():
            record = await while_connected(service.pool.ask(wanted), request.receive)
    return Response(record.text.encode("utf-8"), media_type="application/json")
