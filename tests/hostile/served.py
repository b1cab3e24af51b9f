"""Damaged requests to a service and to the tools for assistants, each in a process of its own that must live on."""

import json
import queue
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx
from tests.hostile.damages import DAMAGES
from tests.hostile.samples import Sample
from tests.service.running import NDJSON, Running, running

SECONDS = 20
"""Longest time of a request, and of a call."""
MEMORY = 600_000_000
"""Most bytes of the serving process."""
TEXT = "Tide gauges measure sea level. A tide gauge drifts, so tide gauges are compared with satellite altimetry."
RECORDS = [json.dumps({"id": f"d{number}", "text": f"{TEXT} Buoy {number}."}).encode() for number in range(4)]
UPLOADS = ("article.html", "article.pdf", "few.xlsx", "few.csv", "few.parquet", "few.jsonl.gz", "article.docx")
"""Samples that are uploaded to the page."""
FORMATS = ("csv", "xlsx", "html", "bib", "marc", "parquet", "jsonld", "latex")
KINDS = ("state /shown", "state /export", "state /review", "batch", "body", "upload", "assistants")


class Served:
    """A service and tools that get damaged requests."""

    def __init__(self, service: Running, samples: Mapping[str, Sample]) -> None:
        self.service = service
        self._client = httpx.Client(base_url=service.address, timeout=2 * SECONDS)
        self._uploads = {name: samples[name].files[name] for name in UPLOADS if name in samples}
        page = self._client.post("/", data={"text": TEXT, "top": "5"}).text
        self._state = unescape(re.search(r'name="state" value="([^"]*)"', page)[1]).encode()
        self._rows = self._client.post("/api/extract/batch", content=b"\n".join(RECORDS), headers=NDJSON).text
        self._tools = Tools()

    def close(self) -> None:
        """End the tools; the service is its caller's."""
        self._client.close()
        self._tools.close()

    def load_all(self) -> None:
        """Have the service load what its formats need, which stays in memory: some, as Parquet, take 70 MB."""
        for name, content in self._uploads.items():
            self._client.post("/", files={"files": (name, content)})
        for form in FORMATS:
            fields = {"state": self._state, "format": form, "least": "0"}
            for _ in range(3):  # workers take turns, and there are two
                self._client.post("/export", files={key: (None, value) for key, value in fields.items()})

    def run(self, kind: str, damage: str, number: int) -> str:
        """Send a damaged request; return what is wrong with its end, empty if nothing is."""
        rng, began = random.Random(f"{kind}/{damage}/{number}"), time.monotonic()
        change = DAMAGES[damage]
        try:
            wrong = self._send(kind, change, rng)
        except (httpx.HTTPError, queue.Empty) as error:
            return f"no answer: {type(error).__name__}"
        if time.monotonic() - began > SECONDS:
            return "hang"
        if defects := [line for line in self.service.log if "defect" in line]:
            self.service.log.clear()
            return defects[0]
        status = Path(f"/proc/{self.service.process.pid}/status").read_text("ascii")
        if 1024 * int(status.split("VmHWM:")[1].split()[0]) > MEMORY:
            return "memory"
        return wrong

    def _send(self, kind: str, change: object, rng: random.Random) -> str:
        if kind == "assistants":
            return self._tools.call(change(json.dumps({"text": TEXT, "top": 2, "explain": True}).encode(), rng))
        if kind == "batch":
            return self._send_batch(change, rng)
        if kind == "body":
            body = change(b'{"text": "Tide gauges drift.", "top": 3, "language": "en", "style": "author"}', rng)
            answer = self._client.post("/api/extract", content=body, headers={"Content-Type": "application/json"})
        elif kind == "upload":
            name = rng.choice(sorted(self._uploads))
            answer = self._client.post("/", files={"files": (name, change(self._uploads[name], rng))})
        else:
            fields = {
                "state": change(self._state, rng),
                "format": rng.choice(FORMATS),
                "least": rng.choice(("0", "50")),
            }
            fields |= {"d1-1-decision": "accept", "d1-2-decision": "reject", "d1-added": "tide tables"}
            answer = self._client.post(kind.split()[1], files={key: (None, value) for key, value in fields.items()})
        return f"status {answer.status_code}" if answer.status_code == 500 else ""

    def _send_batch(self, change: object, rng: random.Random) -> str:
        at, lines = rng.randrange(len(RECORDS)), list(RECORDS)
        lines[at] = change(lines[at], rng).replace(b"\n", b" ") or b"{}"
        if not lines[at].strip():
            lines[at] = b"{}"
        answer = self._client.post("/api/extract/batch", content=b"\n".join(lines), headers=NDJSON)
        found, expected = answer.text.splitlines(), self._rows.splitlines()
        if len(found) != len(RECORDS):
            return f"{len(found)} rows of {len(RECORDS)}"
        texts = [[_phrases(row) for row in rows] for rows in (found, expected)]
        for rows in texts:
            del rows[at]
        return "" if texts[0] == texts[1] else "a lost neighbour"


def _phrases(row: str) -> object:
    """Return the phrases of a row; its id may be that of a neighbour, and be numbered."""
    return [(phrase["text"], phrase["score"]) for phrase in json.loads(row).get("keyphrases", ())]


class Tools:
    """``keywright mcp`` in a process, and calls of its tool."""

    def __init__(self) -> None:
        program = "from keywright.faces.cli import main; main()"
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen([sys.executable, "-c", program, "mcp"], **pipes)
        self._answers: queue.Queue[dict] = queue.Queue()
        self._number = 0
        self._collector = threading.Thread(target=self._collect, daemon=True)
        self._collector.start()
        about = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
        self._write({"id": 0, "method": "initialize", "params": about})
        self._answers.get(timeout=60)
        self._write({"method": "notifications/initialized"})

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        self._collector.join()
        self._process.stdin.close()
        self._process.stdout.close()

    def call(self, arguments: bytes) -> str:
        """Call with damaged arguments, then with good ones, which must be answered."""
        line = b'{"jsonrpc": "2.0", "id": "damaged", "method": "tools/call", "params": {"name": "extract_keyphrases", '
        self._process.stdin.write(line + b'"arguments": ' + arguments.replace(b"\n", b" ") + b"}}\n")
        self._number += 1
        good = {"name": "extract_keyphrases", "arguments": {"text": TEXT, "top": 1}}
        self._write({"id": self._number, "method": "tools/call", "params": good})
        while (answer := self._answers.get(timeout=SECONDS)).get("id") != self._number:
            if "defect" in json.dumps(answer):
                return "a defect"
        return "" if not answer["result"].get("isError") else "a lost neighbour"

    def _write(self, message: dict) -> None:
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def _collect(self) -> None:
        for line in self._process.stdout:
            self._answers.put(json.loads(line))


@contextmanager
def serving(samples: Mapping[str, Sample]) -> Iterator[Served]:
    """Start a service and tools."""
    with running("--jobs", "2", "--timeout", "15", "--max-bytes", "2000000", fresh=True) as service:
        served = Served(service, samples)
        try:
            yield served
        finally:
            served.close()
