"""State that all routes share: the pool of workers, limits, and numbers in the text format of Prometheus."""

import asyncio
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.types import Receive

from keywright.api.serving import Pool, Request, RequestWork
from keywright.core.records import FinishedRecord
from keywright.faces.service.bodies import BodyLimits, ClientGone, wait_until_gone


class Metrics(Collector):
    """Counts of requests and documents, and the state of the pool at the moment of asking."""

    def __init__(self, pool: "Pool") -> None:
        self._registry = registry = CollectorRegistry()
        labels = ["method", "route", "status"]
        self._requests = Counter("keywright_requests", "Requests answered.", labels, registry=registry)
        about = "Seconds from request to answer."
        self._seconds = Histogram("keywright_request_seconds", about, ["route"], registry=registry)
        about = "Documents, by how they ended."
        self._documents = Counter("keywright_documents", about, ["outcome"], registry=registry)
        self._pool = pool
        registry.register(self)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Add a request that was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_document(self, outcome: str) -> None:
        """Add a document; ``outcome`` is ``done``, or the code word of its failure."""
        self._documents.labels(outcome).inc()

    def text(self) -> bytes:
        """Return all numbers."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Any]:
        """Yield the state of the pool."""
        pool = self._pool
        gauges = {
            "workers": ("Worker processes that work or could.", pool.processes.ready),
            "workers_busy": ("Worker processes at work.", pool.processes.busy),
            "requests_admitted": ("Requests that wait or are in work.", pool.admitted),
            "requests_limit": ("Requests that may wait or be in work.", pool.jobs + pool.queue),
        }
        for name, (about, value) in gauges.items():
            yield GaugeMetricFamily(f"keywright_{name}", about, value=value)
        replaced = CounterMetricFamily("keywright_workers_replaced", "Worker processes replaced.", labels=["reason"])
        for reason, count in pool.processes.replaced.items():
            replaced.add_metric([reason], count)
        yield replaced


Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Service:
    """The state of a running service; uploaded files lie in ``folder`` while they are worked on."""

    work: "RequestWork"
    pool: "Pool"
    bodies: BodyLimits
    metrics: Metrics
    folder: Path

    async def ask(self, request: "Request") -> FinishedRecord:
        """Return the answer of a worker, and count the document."""
        record: FinishedRecord = await self.pool.ask(request)
        self.metrics.count_document(record.failure.code if record.failure else "done")
        return record


async def while_connected(work: Awaitable[Value], receive: Receive) -> Value:
    """Return the result of some work, which is cancelled if the client goes, with ``ClientGone``."""
    task: Any = asyncio.current_task()
    leaving = asyncio.ensure_future(wait_until_gone(receive))
    leaving.add_done_callback(lambda left: left.cancelled() or task.cancel())
    try:
        return await work
    except asyncio.CancelledError:
        if leaving.done() and not task.uncancel():
            raise ClientGone from None
        raise
    finally:
        leaving.cancel()
