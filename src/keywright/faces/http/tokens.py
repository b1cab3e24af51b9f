"""Tokens of clients: a file with one token on each line, compared in constant time."""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from keywright.core.errors import MissingData, UnreadableInput
from keywright.core.request_errors import TokenMissing
from keywright.faces.http.problems import problem

SHORTEST: Final = 16
"""Fewest characters of a token: shorter ones can be guessed; arbitrary."""
OPEN: Final = frozenset({"/healthz", "/readyz"})
"""Addresses that need no token: they say only whether the service runs."""


def read_tokens(path: Path) -> tuple[bytes, ...]:
    """Return digests of the tokens in a file; blank lines, and those that begin with ``#``, are left out.

    Raises:
        MissingData: there is no such file.
        UnreadableInput: it holds no token, a short one, or characters that do not fit into a header.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError as error:
        raise MissingData(f"no file {str(path)!r}", "write one token on each line of a file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(f"{path} cannot be read: {error}", "write one token on each line") from error
    tokens = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not tokens:
        raise UnreadableInput(f"{path} holds no token", "write one token on each line")
    for number, token in enumerate(tokens, start=1):
        if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
            hint = f"expected {SHORTEST} or more ASCII characters without blanks, such as from `openssl rand -hex 32`"
            raise UnreadableInput(f"token {number} of {path} is not usable", hint)
    return tuple(_digest(token.encode("ascii")) for token in tokens)


@dataclass(frozen=True, slots=True)
class NeedsToken:
    """An application that answers requests with a valid token only; the rest get 401, wherever they go."""

    app: ASGIApp
    tokens: tuple[bytes, ...]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["path"] not in OPEN and not self._is_valid(scope):
            hint = "send the header Authorization: Bearer TOKEN; in a browser, give the token as password"
            await problem(TokenMissing("this service needs a token", hint))(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_valid(self, scope: Scope) -> bool:
        values = [value for name, value in scope["headers"] if name == b"authorization"]
        digest = _digest(_token(values[0]) if len(values) == 1 else b"")
        # All digests are compared, so that time tells neither which token is near nor how many there are.
        matches = [hmac.compare_digest(digest, each) for each in self.tokens]
        return any(matches)


def _token(value: bytes) -> bytes:
    """Return the token in a header: behind ``Bearer``, or the password of ``Basic``, which browsers ask people for."""
    kind, _, token = value.strip().partition(b" ")
    match kind.lower():
        case b"bearer":
            return token.strip()
        case b"basic":
            try:
                return base64.b64decode(token.strip(), validate=True).partition(b":")[2]
            except ValueError:
                return b""
        case _:
            return b""


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
