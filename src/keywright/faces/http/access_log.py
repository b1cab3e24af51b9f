"""The outermost application: a line in the log and a count for each request, and no traceback for anybody.

A line has method, path, status, milliseconds and bytes. The path is that of the route, without values of
its parameters: other addresses, and what is behind a question mark, may hold text of a document.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keywright.core.errors import KeywrightError
from keywright.faces.http.limits import ClientGone
from keywright.faces.http.metrics import Metrics
from keywright.faces.http.problems import problem

UNKNOWN = "(no route)"
"""Stands for addresses without a route."""
_CLOSED = 499
"""Status in log and metrics where the client had gone: that of nginx, as HTTP has none."""


@dataclass(frozen=True, slots=True)
class Logged:
    """An application whose requests are written to a log."""

    app: ASGIApp
    log: Callable[[str], None]
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, size = time.perf_counter(), 0, 0

        async def counted(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, counted)
        except ClientGone:
            status = _CLOSED
        except Exception as error:  # noqa: BLE001 - a defect; its message might quote a document
            self.log(f"a defect: {type(error).__name__}; please report it")
            if not status:
                defect = KeywrightError("a defect of keywright", "please report it, with the request if possible")
                await problem(defect)(scope, receive, counted)
        seconds = time.perf_counter() - began
        route = getattr(scope.get("route"), "path", UNKNOWN)
        method = scope["method"] if scope["method"].isalpha() and len(scope["method"]) < len(UNKNOWN) else "?"
        self.metrics.count_request(method, route, status, seconds)
        self.log(f"{method} {route} {status} {seconds * 1000:.1f} ms {size} bytes")
