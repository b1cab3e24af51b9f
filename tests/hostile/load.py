"""``make load``: good and damaged requests to a service for an hour, a few a second, with its memory and its health.

Every answer is compared with the first one to the same request; ``/healthz`` is asked every second beside them. The
command ends with 1 where an answer is lost or differs, where a damaged request ends badly, where one health check of a
hundred takes longer than 100 ms, or where memory grows by more than a tenth from the first sixth of the time to the
last, once all formats were asked for.
"""

import argparse
import json
import queue
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
from tests.hostile.damages import DAMAGES
from tests.hostile.samples import EXAMPLES, samples
from tests.hostile.served import KINDS, RECORDS, TEXT, Served, serving
from tests.service.running import JSON, NDJSON, Running

HEALTH = 0.1  # seconds within which 99 of 100 health checks are answered
GROWTH = 1.1  # most memory of the last sixth for that of the first: arenas are filled by chance
_DAMAGED = 4  # one request of so many is damaged; arbitrary


def main() -> int:
    """Send, print a line each minute, and return 1 if something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=4.0, help="requests a second")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, serving(samples(Path(scratch))) as served:
        return Load(served, chosen.clients, chosen.seed).run(60 * chosen.minutes, chosen.rate)


class Load:
    """Clients that send requests to a service, and what they saw."""

    def __init__(self, served: Served, clients: int, seed: int) -> None:
        self._served, self._service, self._seed = served, served.service, seed
        self._turns: queue.Queue[int | None] = queue.Queue()
        self._first: dict[str, str] = {}  # first answer to each good request
        self._lock = threading.Lock()
        self.good = self.damaged = 0
        self.wrong: list[str] = []
        self.health: list[float] = []
        self.memory: list[float] = []  # megabytes, of each look
        self._threads = [threading.Thread(target=self._work) for _ in range(clients)]
        self._over = threading.Event()

    def run(self, seconds: float, rate: float) -> int:
        """Send requests for so many seconds; return the exit status."""
        self._served.load_all()
        watching = threading.Thread(target=self._watch)
        for thread in (*self._threads, watching):
            thread.start()
        began = shown = time.monotonic()
        turn = 0
        while (now := time.monotonic()) - began < seconds:
            if self._turns.qsize() < len(self._threads):  # no more than the machine can do
                self._turns.put(turn)
                turn += 1
            if now - shown > 60:
                shown = now
                print(f"{(now - began) / 60:.0f} min: {self.summary()}", flush=True)
            time.sleep(1 / rate)
        for _ in self._threads:
            self._turns.put(None)
        for thread in self._threads:
            thread.join()
        self._over.set()
        watching.join()
        sixth = max(1, len(self.memory) // 6)
        first, last = (statistics.median(part) for part in (self.memory[:sixth], self.memory[-sixth:]))
        late = sum(each > HEALTH for each in self.health)
        print(f"{turn:,} turns in {(time.monotonic() - began) / 60:.0f} min: {self.summary()}")
        print(f"memory of service and workers {first:.0f} MB in the first sixth, {last:.0f} MB in the last")
        for line in self.wrong[:20]:
            print(line, file=sys.stderr)
        return int(bool(self.wrong) or late > len(self.health) / 100 or last > GROWTH * first)

    def summary(self) -> str:
        """Return counts, health and memory for people."""
        health = sorted(self.health) or [0.0]
        late = sum(each > HEALTH for each in health)
        slowest = (
            f"p99 {1000 * health[int(len(health) * 0.99)]:.0f} ms, longest {1000 * health[-1]:.0f} ms, {late} late"
        )
        memory = f"{self.memory[-1] if self.memory else 0:.0f} MB"
        return f"{self.good:,} good, {self.damaged:,} damaged, {len(self.wrong)} wrong; health {slowest}; {memory}"

    def _watch(self) -> None:
        """Ask for health, and look at memory, every second."""
        with self._service.client() as client:
            while not self._over.wait(1.0):
                began = time.perf_counter()
                with suppress(httpx.HTTPError):
                    if client.get("/healthz").status_code == 200:
                        self.health.append(time.perf_counter() - began)
                        self.memory.append(measure_memory(self._service))
                        continue
                self.wrong.append("no health")

    def _work(self) -> None:
        good = dict(list_good_requests())
        with self._service.client() as client:
            while (turn := self._turns.get()) is not None:
                rng = random.Random(f"{self._seed}/{turn}")
                if turn % _DAMAGED:
                    self._send_good(client, *rng.choice(list(good.items())))
                    continue
                with self._lock:  # it has one client, and one set of tools
                    kind, damage = rng.choice(KINDS), rng.choice(list(DAMAGES))
                    self.damaged += 1
                    if wrong := self._served.run(kind, damage, turn):
                        self.wrong.append(f"{wrong}: {kind}/{damage}/{turn}")

    def _send_good(self, client: httpx.Client, name: str, options: dict) -> None:
        try:
            answer = client.post(**options)
        except httpx.HTTPError as error:
            self.wrong.append(f"lost: {name}: {type(error).__name__}")
            return
        seen = f"{answer.status_code} {answer.text}"
        self.good += 1
        if answer.status_code != 200 or self._first.setdefault(name, seen) != seen:
            self.wrong.append(f"differs: {name}: {seen[:200]}")


def list_good_requests() -> Iterator[tuple[str, dict]]:
    """Yield names of requests, and the arguments that send them."""
    words = (EXAMPLES / "article.txt").read_text("utf-8").split()
    for start in range(0, len(words) - 170, 170):
        body = json.dumps({"text": " ".join(words[start : start + 170])})
        yield f"text {start}", {"url": "/api/extract", "content": body, "headers": JSON}
    yield "batch", {"url": "/api/extract/batch", "content": b"\n".join(RECORDS), "headers": NDJSON}
    yield "page", {"url": "/", "data": {"text": TEXT, "top": "5"}}
    for name in ("article.pdf", "article.docx", "article.html"):
        file = (name, (EXAMPLES / name).read_bytes())
        yield name, {"url": "/api/extract/file", "files": {"file": file}}


def measure_memory(service: Running) -> float:
    """Return megabytes that a service and its workers hold for themselves, and the files that the largest has mapped.

    Workers map the same files. Their part of what they share would change with other programs that map them as well.
    """
    alone, mapped = 0, [0]
    for process in (service.process.pid, *service.workers()):
        with suppress(OSError):  # a worker may have been replaced
            text = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
            resident, anonymous = (int(text.split(f"\n{name}:")[1].split()[0]) for name in ("Rss", "Anonymous"))
            alone += anonymous
            mapped.append(resident - anonymous)
    return (alone + max(mapped)) / 1024


if __name__ == "__main__":
    sys.exit(main())
