"""``POST /api/extract`` and ``/api/extract/file``: keyphrases of one document."""

import asyncio
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Final

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from keywright.core.errors import BadParameter
from keywright.core.finished_records import FinishedRecord
from keywright.faces.http.forms import MULTIPART, parsed_form
from keywright.faces.http.limits import Body, check_media_type
from keywright.faces.http.problems import problem_of_failure
from keywright.faces.http.service import Service, while_connected

_AS_CURL: Final = 'send it as curl -F "file=@paper.pdf" does'
FILE_FIELD: Final = "file"
"""Name of the part of a form that is the file."""
_MOST_FIELDS: Final = 32
"""Most other parts of a form; arbitrary, more than there are options."""
_LONGEST_FIELD: Final = 10_000
"""Most bytes of such a part; arbitrary."""
_LONGEST_NAME: Final = 255
"""Most characters of a file's name: NAME_MAX of usual file systems."""


async def extract(request: Request) -> Response:
    """Extract keyphrases from a text or a record."""
    from keywright.api.request_work import TextRequest  # noqa: PLC0415 - loaded with the workers

    service: Service = request.app.state.service
    check_media_type(request.scope, ("application/json",))
    with Body(service.bodies, request.scope, request.receive) as body:
        data = await body.whole()
        with service.pool.place():
            record = await while_connected(service.ask(TextRequest(data)), request.receive)
    return answer(record)


async def extract_file(request: Request) -> Response:
    """Extract keyphrases from an uploaded file."""
    from keywright.api.request_options import options_of_texts  # noqa: PLC0415 - loaded with the workers
    from keywright.api.request_work import FileRequest  # noqa: PLC0415 - loaded with the workers

    service: Service = request.app.state.service
    check_media_type(request.scope, (MULTIPART,))
    with Body(service.bodies, request.scope, request.receive) as body:
        upload, fields = await _form(request.scope, body)
        name = safe_name(upload.filename or "")
        options = options_of_texts(fields, (FILE_FIELD,))
        with service.pool.place():
            path = await asyncio.to_thread(saved_upload, upload.file, service.folder)
            try:
                record = await while_connected(service.ask(FileRequest(path, name, options)), request.receive)
            finally:
                path.unlink(missing_ok=True)
                await upload.close()
    return answer(record)


def answer(record: FinishedRecord) -> Response:
    """Return a record as an answer: a problem for a document that failed."""
    if record.failure is not None:
        return problem_of_failure(record.failure)
    return Response(record.text.encode("utf-8"), media_type="application/json")


def safe_name(name: str) -> str:
    """Return the last part of a file's name without control characters: it becomes an id, and is never a path."""
    last = name.replace("\\", "/").rpartition("/")[2]
    printable = "".join(character for character in last if character.isprintable()).strip()
    return printable[-_LONGEST_NAME:] if printable.strip(".") else "document"


async def _form(scope: Scope, body: Body) -> tuple[UploadFile, Mapping[str, str]]:
    """Return the file and the other fields of a form.

    Raises:
        BadRequest: the form is damaged.
        BadParameter: there is no file, or a part comes twice.
    """
    limits = {"max_files": 1, "max_fields": _MOST_FIELDS, "max_part_size": _LONGEST_FIELD}
    form = await parsed_form(scope, body, _AS_CURL, **limits)
    items = form.multi_items()
    fields = {name: value for name, value in items if isinstance(value, str)}
    upload = form.get(FILE_FIELD)
    if not isinstance(upload, UploadFile):
        raise BadParameter(f"the form has no file {FILE_FIELD!r}", _AS_CURL)
    if len(fields) + 1 != len(items):
        raise BadParameter("a field of the form comes twice", "send each once")
    return upload, fields


def saved_upload(content: IO[bytes], folder: Path) -> Path:
    """Return the path of a file with the content, whose name has nothing of the client."""
    content.seek(0)
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        shutil.copyfileobj(content, file)
    return Path(file.name)
