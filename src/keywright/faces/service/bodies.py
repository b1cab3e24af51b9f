"""Bodies of requests: limits on bytes, seconds and all bodies together; media types; forms with files."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, Self
from urllib.parse import unquote_to_bytes

from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, Headers
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keywright.core.errors import BadRequest, Busy, KeywrightError, TooLarge, TooSlow, UnsupportedFormat

_DISCARD_SECONDS: Final = 5.0  # seconds for the rest of a refused body, so that the client sees the answer; arbitrary
_SMALL: Final = 1 << 14  # Bytes of a body whose rest the server drops by itself; arbitrary, below what it reads ahead
_SLOWEST: Final = 10_000  # Bytes a second of the slowest connection that is waited for; arbitrary
_BODIES: Final = 8  # Largest bodies that may be held at once, all requests together; arbitrary


class ClientGone(Exception):
    """A client that has closed its connection."""


@dataclass(eq=False)
class BodyLimits:
    """Limits on bodies, and the bytes of bodies that are held now."""

    bytes: int  # most bytes of one body
    seconds: float  # time in which it must arrive, beside what its bytes take at ``_SLOWEST``
    held: int = field(default=0, init=False)


class Body:
    """The body of a request, as it arrives; within ``with`` its bytes count as held.

    Raises ``UnsupportedFormat`` for another ``media_type`` than some, and for a body that is packed or not in UTF-8.
    """

    def __init__(self, limits: BodyLimits, request: Request, *media_types: str) -> None:
        headers = dict(request.scope["headers"])
        self.media_type = _check_media_type(headers, media_types)
        self._limits, self._receive = limits, request.receive
        self._length = headers.get(b"content-length", b"")
        self._deadline = asyncio.get_running_loop().time() + limits.seconds
        self._size = 0
        self._is_over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._limits.held -= self._size

    def hold(self, size: int) -> None:
        """Count more bytes as held: texts in memory take up to four times their bytes; raise ``Busy`` as ``pieces``."""
        self._size += size
        self._limits.held += size
        if self._limits.held > _BODIES * self._limits.bytes:
            raise Busy("too many large requests at once", "send the request again after a while")

    async def whole(self) -> bytes:
        """Return the whole body; raise as ``pieces``."""
        return b"".join([piece async for piece in self.pieces()])

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        """Yield the pieces, none of them empty."""
        if self._length.isdigit() and int(self._length) > self._limits.bytes:
            raise self._too_large()
        while not self._is_over:
            piece = await self._next()
            if self._size + len(piece) > self._limits.bytes:
                raise self._too_large()
            self.hold(len(piece))
            if piece:
                yield piece

    async def _next(self) -> bytes:
        try:
            async with asyncio.timeout_at(self._deadline + self._size / _SLOWEST):
                message = await self._receive()
        except TimeoutError:
            allowed = f"{self._limits.seconds:g} seconds, and one more for each {_SLOWEST:,} bytes"
            hint = "send it faster, or raise the limit with `keywright serve --timeout SECONDS`"
            raise TooSlow(f"the body did not arrive within {allowed}", hint) from None
        if message["type"] == "http.disconnect":
            raise ClientGone
        self._is_over = not message.get("more_body")
        piece: bytes = message.get("body", b"")
        return piece

    def _too_large(self) -> TooLarge:
        hint = "split it, or raise the limit with `keywright serve --max-bytes N`"
        return TooLarge(f"the body has more than {self._limits.bytes:,} bytes", hint)


def drain_bodies(app: ASGIApp) -> ASGIApp:
    """Return an application whose errors arrive: the rest of a large body is read for a while, then it is closed.

    A connection that is closed with bytes unread is reset, and its answer lost.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        length = headers.get(b"content-length", b"")
        is_large = b"transfer-encoding" in headers or (length.isdigit() and int(length) > _SMALL)
        if scope["type"] != "http" or not is_large:  # a small body was read by the server before the answer is ready
            await app(scope, receive, send)
            return
        is_over = is_error = False

        async def receive_watched() -> Message:
            nonlocal is_over
            message = await receive()
            is_over = is_over or not message.get("more_body")
            return message

        async def send_drained(message: Message) -> None:
            nonlocal is_error
            if message["type"] == "http.response.start":
                is_error = message["status"] >= HTTPStatus.BAD_REQUEST
                if is_error and not is_over and all(name != b"connection" for name, _ in message["headers"]):
                    message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
            elif is_error and not is_over and not message.get("more_body"):
                await send({**message, "more_body": True})
                with suppress(TimeoutError):
                    async with asyncio.timeout(_DISCARD_SECONDS):
                        while not is_over:
                            await receive_watched()
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        await app(scope, receive_watched, send_drained)

    return answer


def _check_media_type(headers: Mapping[bytes, bytes], expected: tuple[str, ...]) -> str:
    declared = headers.get(b"content-type", b"").decode("latin-1")
    kind = declared.partition(";")[0].strip() or "nothing"
    if kind.lower() not in expected:
        raise UnsupportedFormat(f"the Content-Type is {kind!r:.60}", f"send it as Content-Type: {expected[0]}")
    # Read as the parser of forms does: it takes any codec of Python, and some need hours for a megabyte.
    charset = parse_options_header(declared)[1].get(b"charset", b"utf-8").decode("latin-1").lower()
    if charset not in ("", "utf-8", "utf8", "us-ascii"):
        raise UnsupportedFormat(f"the charset is {charset!r:.60}", "send the body in UTF-8")
    if (packed := headers.get(b"content-encoding", b"identity").decode("latin-1")) != "identity":
        raise UnsupportedFormat(f"the Content-Encoding is {packed!r:.60}", "send the body unpacked")
    return declared


async def wait_until_gone(receive: Receive) -> None:
    """Return when the client has closed its connection, after its body was read."""
    while (await receive())["type"] != "http.disconnect":
        pass


MULTIPART, URLENCODED = "multipart/form-data", "application/x-www-form-urlencoded"


async def parse_form(media_type: str, pieces: AsyncGenerator[bytes, None], hint: str, **limits: int) -> FormData:
    """Return the form in the pieces of a body, whose media type was checked.

    ``hint``: what to do if the form is damaged; ``limits``: those of ``MultiPartParser``; files may be larger.
    """
    try:
        if media_type.partition(";")[0].strip().lower() == MULTIPART:
            return await MultiPartParser(Headers({"content-type": media_type}), pieces, **limits).parse()
        return FormData(await unquote_fields(b"".join([piece async for piece in pieces]), limits["max_fields"]))
    except (MultiPartException, ValueError, KeyError) as error:
        if isinstance(error, KeywrightError):  # the body breaks a limit
            raise
        raise BadRequest(f"the form cannot be read: {getattr(error, 'message', error)}", hint) from error


_PIECE: Final = 1 << 16  # bytes that are unquoted at once: the parts of more take thirty times their memory; arbitrary


async def unquote_fields(content: bytes, most: int) -> list[tuple[str, Any]]:
    """Return the fields of a form in percent-encoding; raise ``ValueError`` for more than some, or for no UTF-8."""
    if content.count(b"&") >= most:
        raise ValueError(f"it has more than {most} fields")
    fields = [part.partition(b"=") for part in content.split(b"&") if part]
    return [(await _unquote(name), await _unquote(value)) for name, _, value in fields]


async def _unquote(text: bytes) -> str:
    start, pieces = 0, []
    while start < len(text):
        end = text.find(b"%", start + _PIECE)  # no escape is cut
        end = len(text) if end < 0 else end
        pieces.append(unquote_to_bytes(text[start:end].replace(b"+", b" ")))
        start = end
        await asyncio.sleep(0)  # others are answered meanwhile
    return b"".join(pieces).decode("utf-8")
