"""The state that all routes share: the pool of workers, limits, and numbers."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.types import Receive

from keywright.core.finished_records import FinishedRecord
from keywright.faces.http.limits import BodyLimits, ClientGone, gone
from keywright.faces.http.metrics import Metrics

if TYPE_CHECKING:
    from keywright.api.request_work import Request, RequestWork
    from keywright.api.serving import Pool

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Service:
    """The state of a running service.

    Attributes:
        work: what the workers do.
        pool: the workers.
        bodies: limits on bodies.
        metrics: numbers.
        folder: where uploaded files lie while they are worked on.
    """

    work: "RequestWork"
    pool: "Pool"
    bodies: BodyLimits
    metrics: Metrics
    folder: Path

    async def ask(self, request: "Request") -> FinishedRecord:
        """Return the answer of a worker, and count the document."""
        record = await self.pool.ask(request)
        self.metrics.count_document(record.failure.code if record.failure else "done")
        return record


async def while_connected(work: Awaitable[Value], receive: Receive) -> Value:
    """Return the result of some work, which is cancelled if the client goes.

    Raises:
        ClientGone: it has gone.
    """
    task: Any = asyncio.current_task()
    leaving = asyncio.ensure_future(gone(receive))
    leaving.add_done_callback(lambda left: left.cancelled() or task.cancel())
    try:
        return await work
    except asyncio.CancelledError:
        if leaving.done() and not task.uncancel():
            raise ClientGone from None
        raise
    finally:
        leaving.cancel()
