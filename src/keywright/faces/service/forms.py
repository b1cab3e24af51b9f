"""Forms with files in the bodies of requests."""

from starlette.datastructures import FormData, Headers
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.types import Scope

from keywright.core.errors import BadRequest, KeywrightError
from keywright.faces.service.bodies import Body

MULTIPART, URLENCODED = "multipart/form-data", "application/x-www-form-urlencoded"


async def parse_form(scope: Scope, body: Body, hint: str, **limits: int) -> FormData:
    """Return the form in a body, whose media type was checked.

    Args:
        scope: the request.
        body: not read yet.
        hint: what to do if the form is damaged.
        limits: ``max_files``, ``max_fields`` and ``max_part_size`` of ``MultiPartParser``; files may be larger.

    Raises:
        BadRequest: the form is damaged, or breaks one of these limits.
        KeywrightError: the body breaks a limit.
    """
    headers = Headers(scope=scope)
    is_multipart = headers["content-type"].partition(";")[0].strip().lower() == MULTIPART
    parser = MultiPartParser(headers, body.pieces(), **limits) if is_multipart else FormParser(headers, body.pieces())
    try:
        return await parser.parse()
    except KeywrightError:  # the body breaks a limit
        raise
    except (MultiPartException, ValueError, KeyError) as error:
        raise BadRequest(f"the form cannot be read: {getattr(error, 'message', 'it is damaged')}", hint) from error
