"""``POST /api/extract``, ``/api/extract/file`` and ``/api/extract/batch``: keyphrases of a document, or of many.

A batch has a record of a document on each line in, a record of keyphrases on each line out.
"""

import asyncio
import re
import shutil
import tempfile
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from keywright.api.options import RequestOptions, options_of_texts
from keywright.api.serving import RequestWork, TextRequest, add_signature, batch_finisher, name_line
from keywright.core.errors import BadParameter, EmptyInput, KeywrightError, TooLarge
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure
from keywright.core.records import FinishedRecord
from keywright.faces.service.answers import Service, answer_record, while_connected
from keywright.faces.service.bodies import MULTIPART, Body, ClientGone, parse_form, wait_until_gone

_AS_CURL: Final = 'send it as curl -F "file=@paper.pdf" does'
FILE_FIELD: Final = "file"  # Name of the part of a form that is the file
_MOST_FIELDS: Final = 32  # Most other parts of a form; arbitrary, more than there are options
_LONGEST_FIELD: Final = 10_000  # Most bytes of such a part; arbitrary
_LONGEST_NAME: Final = 255  # Most characters of a file's name: NAME_MAX of usual file systems


async def extract(request: Request) -> Response:
    """Extract keyphrases from a text or a record."""
    service: Service = request.app.state.service
    with Body(service.bodies, request, "application/json") as body:
        data = await body.whole()
        with service.pool.place():
            record = await while_connected(service.ask_text(TextRequest(data)), request.receive)
    return answer_record(record)


async def extract_file(request: Request) -> Response:
    """Extract keyphrases from an uploaded file."""
    service: Service = request.app.state.service
    with Body(service.bodies, request, MULTIPART) as body:
        upload, fields = await _read_upload(body)
        name = clean_name(upload.filename or "")
        options = options_of_texts(fields, (FILE_FIELD,))
        with service.pool.place():
            async with store_upload(upload, service.folder) as path:
                work = partial(RequestWork.extract_file, path=path, name=name, options=options)
                record = await while_connected(service.ask(work), request.receive)
    return answer_record(record)


def clean_name(name: str) -> str:
    """Return the last part of a file's name without control characters: it becomes an id, and is never a path."""
    last = name.replace("\\", "/").rpartition("/")[2]
    printable = "".join(character for character in last if character.isprintable()).strip()
    return printable[-_LONGEST_NAME:] if printable.strip(".") else "document"


async def _read_upload(body: Body) -> tuple[UploadFile, list[tuple[str, str]]]:
    """Return the file and the other fields of a form; raise ``BadParameter`` for no file, or for several."""
    limits = {"max_files": 1, "max_fields": _MOST_FIELDS, "max_part_size": _LONGEST_FIELD}
    form = await parse_form(body.media_type, body.pieces(), _AS_CURL, **limits)
    items = form.multi_items()
    fields = [(name, value) for name, value in items if isinstance(value, str)]
    upload = form.get(FILE_FIELD)
    if not isinstance(upload, UploadFile):
        raise BadParameter(f"the form has no file {FILE_FIELD!r}", _AS_CURL)
    if len(fields) + 1 != len(items):
        raise BadParameter("the form has several files", "send one")
    return upload, fields


@asynccontextmanager
async def store_upload(upload: UploadFile, folder: Path) -> AsyncIterator[Path]:
    """Give the path of a file with the content of an upload, whose name has nothing of the client, and delete both."""

    def copy_content() -> Path:
        upload.file.seek(0)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            shutil.copyfileobj(upload.file, file)
        return Path(file.name)

    path = await asyncio.to_thread(copy_content)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
        await upload.close()


MEDIA_TYPES: Final = ("application/x-ndjson", "application/ndjson", "application/jsonl")
_FILE: Final = "batch"  # Name of the lines in messages and in ids of broken lines
MOST_LINES: Final = 100_000  # Most lines of a batch, whose ids are remembered until it ends; arbitrary
_BLANKS: Final = re.compile(rb"\s+")
Line: TypeAlias = tuple[int, bytes]  # The number of a line, from 1, and its bytes


class _ArrivedLines:
    """The lines of a body, cut out of the bytes that have arrived when they are asked for.

    Lines of their own would take up to a hundred times the memory of short ones.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._number = 0  # number of lines that are over
        self._end = 0  # where the first line ends, or what has arrived of it
        self._last: KeywrightError | None = None
        self._is_over = False
        self._arrived = asyncio.Event()

    def put(self, piece: bytes) -> None:
        """Take the next piece of the body."""
        self._bytes += piece
        self._arrived.set()

    def end(self, error: KeywrightError | None) -> None:
        """Take the end of the body, or the error that broke it off."""
        self._is_over, self._last = True, error
        self._arrived.set()

    def has_line(self) -> bool:
        """Return whether a line that is not blank, or the end, has arrived; go over any number of blank ones."""
        if match := _BLANKS.match(self._bytes):
            self._number += match[0].count(b"\n")
            del self._bytes[: match.end()]
        end = self._bytes.find(b"\n", self._end)
        self._end = len(self._bytes) if end < 0 else end
        return self._is_over or end >= 0

    async def get(self) -> Line | KeywrightError | None:
        """Return the next line that is not blank; then the error that broke the body off, or None."""
        while not self.has_line():
            self._arrived.clear()
            await self._arrived.wait()
        if self._end == len(self._bytes) and (self._last or not self._bytes):
            error, self._last = self._last, None
            self._bytes.clear()
            return error
        line = bytes(self._bytes[: self._end]).strip()
        del self._bytes[: self._end]
        self._end = 0
        return self._number + 1, line


class ExtractBatch:
    """The route of batches: rows are sent in order, each as soon as it and those before it are done."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; errors before the first row are problems, later ones are rows."""
        service: Service = scope["app"].state.service
        request = Request(scope, receive)
        with Body(service.bodies, request, *MEDIA_TYPES) as body:
            options = options_of_texts(request.query_params.multi_items())
            with service.pool.place():
                batch = _Batch(service, options, await service.pool.ask(partial(RequestWork.sign, options=options)))
                await batch.answer(body, receive, send)


@dataclass(eq=False)
class _Batch:
    """One batch in work.

    The body is read as it arrives, however fast the rows are taken: many clients send all before they read, and would
    wait for ever. It is held in memory, up to the limit of bytes.
    """

    service: Service
    options: "RequestOptions"
    signature: str
    _lines: _ArrivedLines = field(init=False, default_factory=_ArrivedLines)
    _long: asyncio.Semaphore = field(init=False)  # bounds the long lines in work, which others wait for
    _is_started: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._long = asyncio.Semaphore(self.service.pool.jobs)

    async def answer(self, body: Body, receive: Receive, send: Send) -> None:
        """Send all rows; stop when the client has gone."""
        reading = asyncio.ensure_future(self._read_lines(body, receive))
        writing = asyncio.ensure_future(self._write(send))
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
            if not writing.done():
                raise ClientGone
            writing.result()
        finally:
            for task in (reading, writing):
                task.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)

    async def _read_lines(self, body: Body, receive: Receive) -> None:
        """Put the lines of the body into the queue, then an error if there was one; return when the client has gone."""
        broken: KeywrightError | None = None
        try:
            async for piece in body.pieces():
                self._lines.put(piece)
        except KeywrightError as error:
            broken = error
        except ClientGone:
            return
        self._lines.end(broken)
        await wait_until_gone(receive)

    async def _write(self, send: Send) -> None:
        """Send a row for each line, with some in work for each process."""
        finish = batch_finisher(self.service.work)
        is_signed = False
        rows = self._rows()
        try:
            async for record in rows:
                row = finish(record)
                if not is_signed and row.failure is None:
                    row, is_signed = add_signature(row, self.signature), True
                await self._send(send, row.text.encode("utf-8") + b"\n")
        finally:
            await rows.aclose()
        await self._send(send, b"", is_last=True)

    async def _rows(self) -> Any:
        """Yield the records of all lines, in order; raise an error if there is no line, or nothing could be read."""
        in_work: deque[asyncio.Task[FinishedRecord]] = deque()
        is_over, count = False, 0
        try:
            while not is_over or in_work:
                # Rows that are in work do not wait for lines that have not arrived.
                while (
                    not is_over
                    and len(in_work) < self.service.pool.most_parts
                    and not (in_work and not self._lines.has_line())
                ):
                    line = await self._lines.get()
                    if line is None:
                        is_over = True
                        if not count:
                            raise EmptyInput("the batch holds no line", "send a JSON object on each line")
                    elif isinstance(line, KeywrightError) and not count:
                        raise line
                    else:
                        count += 1
                        if count > MOST_LINES:
                            message = f"the batch has more than {MOST_LINES:,} lines; those behind were not read"
                            hint = "send them as another batch, or in a terminal: keywright extract"
                            line, is_over = TooLarge(message, hint), True
                        in_work.append(asyncio.ensure_future(self._row(line)))
                if in_work:
                    yield await in_work.popleft()
        finally:
            for task in in_work:
                task.cancel()

    async def _row(self, line: Line | KeywrightError) -> FinishedRecord:
        """Return the record of a line, that of a failure where the work on it was ended or the body breaks off."""
        name: str = _FILE
        if isinstance(line, KeywrightError):
            error = line
        else:
            number, data = line
            try:
                text = TextRequest(data, number, self.options)
                async with nullcontext() if text.is_short else self._long:
                    return await self.service.ask_text(text)
            except KeywrightError as caught:
                name, error = name_line(data, number), caught
        failure = Failure.from_error(name, error)
        return FinishedRecord(name, to_json(failure.to_dict()), failure=failure)

    async def _send(self, send: Send, data: bytes, *, is_last: bool = False) -> None:
        """Send a piece, the head before the first, as soon as the client has taken those before."""
        messages: list[Message] = [{"type": "http.response.body", "body": data, "more_body": not is_last}]
        if not self._is_started:
            self._is_started = True
            headers = [(b"content-type", MEDIA_TYPES[0].encode("ascii"))]
            messages.insert(0, {"type": "http.response.start", "status": 200, "headers": headers})
        for message in messages:
            await send(message)
