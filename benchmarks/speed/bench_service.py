"""``make bench-service``: the HTTP service under load, beside the same calls in one process.

100 texts as long as abstracts are sent as JSON over loopback, in turn, by 1, 8 and 64 clients. Processor time of the
service is that of its process and its workers; the clients, which are Python threads, are not counted. Requests come in
five rounds, with calls in one process before and after each, as machines change their speed; the share is the median of
the rounds. A processor that has slept is slower for a while, and a worker sleeps between the requests of one client: so
the share is also that of calls with as long pauses. ``--requests 100000`` shows whether memory stays flat.
"""

import argparse
import http.client
import itertools
import json
import operator
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import keywright as kw

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
_TICKS = os.sysconf("SC_CLK_TCK")
_TEXTS, _WORDS = 100, 170  # texts, and words of each: those of a usual abstract
_SECONDS = 2  # seconds of calls in one process, before and after a round: enough for two digits
_ROUNDS = 5  # rounds of each row; arbitrary
_WARM = 300  # requests before those that are measured; arbitrary


def main() -> None:
    """Measure and print; with ``--json`` also write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2_000, help="of each number of clients")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--jobs", type=int, default=1, help="worker processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    arguments = parser.parse_args()
    bodies = [json.dumps({"text": text}).encode() for text in texts()]
    result: list[dict[str, Any]] = []
    command = [sys.executable, "-c", "from keywright.faces.cli import main; main()", "serve", "--port", "0"]
    jobs = ["--jobs", str(arguments.jobs), "--queue", "200"]
    with subprocess.Popen([*command, *jobs], stderr=subprocess.PIPE, text=True) as service:  # noqa: S603 - this program
        port = int(re.search(r":(\d+) ", service.stderr.readline())[1])
        threading.Thread(target=service.stderr.read, daemon=True).start()
        load(port, bodies, _WARM, 1)
        for clients in arguments.clients:
            row = measured(service.pid, port, bodies, arguments.requests, clients)
            result.append(row)
            print(shown(row), flush=True)
        service.terminate()
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


def texts() -> list[str]:
    """Return texts, all different: parts of an example."""
    words = (EXAMPLES / "article.txt").read_text("utf-8").split()
    step = (len(words) - _WORDS) // _TEXTS
    return [" ".join(words[start : start + _WORDS]) for start in range(0, step * _TEXTS, step)]


def in_process(pause: float = 0.0) -> float:
    """Return documents a CPU second of the calls that a worker makes, from text to JSON, with seconds between them."""
    extraction = kw.prepare()
    documents = texts()
    for text in documents * 2:
        extraction(kw.document(text)).to_dict()
    began = time.process_time()
    count = 0
    while time.process_time() - began < _SECONDS:
        for text in documents:
            json.dumps(extraction(kw.document(text)).to_dict("default"))
            time.sleep(pause)
        count += len(documents)
    return count / (time.process_time() - began)


def measured(pid: int, port: int, bodies: list[bytes], requests: int, clients: int) -> dict[str, float]:
    """Return what requests cost, how long they took, and memory before and after."""
    seconds, taken, used, memory = [], 0.0, [], megabytes(pid)
    calls, paused = [in_process()], list[float]()
    for _ in range(_ROUNDS):
        before, began = cpu_seconds(pid), time.perf_counter()
        seconds += load(port, bodies, requests // _ROUNDS, clients)
        taken += time.perf_counter() - began
        used.append(cpu_seconds(pid) - before)
        calls.append(in_process())
        paused.append(in_process(max(0.0, taken / len(seconds) - 1 / calls[-1])))
    rates = [requests // _ROUNDS / each for each in used]
    beside = [(first + second) / 2 for first, second in itertools.pairwise(calls)]
    seconds.sort()
    return {
        "clients": clients,
        "requests": len(seconds),
        "per_second": len(seconds) / taken,
        "per_cpu_second": statistics.median(rates),
        "calls_per_cpu_second": statistics.median(beside),
        "share": statistics.median(rate / calls for rate, calls in zip(rates, beside, strict=True)),
        "share_of_calls_with_pauses": statistics.median(map(operator.truediv, rates, paused)),
        "p50_ms": 1000 * seconds[len(seconds) // 2],
        "p99_ms": 1000 * seconds[int(len(seconds) * 0.99)],
        "megabytes_before": memory,
        "megabytes_after": megabytes(pid),
    }


def load(port: int, bodies: list[bytes], requests: int, clients: int) -> list[float]:
    """Send requests from some clients, each on a connection of its own; return the seconds of each."""
    taken: list[float] = []
    turns = iter(range(requests))
    lock = threading.Lock()

    def work() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        while True:
            with lock:
                turn = next(turns, None)
            if turn is None:
                return
            began = time.perf_counter()
            connection.request("POST", "/api/extract", bodies[turn % len(bodies)], {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:  # noqa: PLR2004 - the status itself
                raise RuntimeError(f"status {answer.status}")
            taken.append(time.perf_counter() - began)

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(taken) != requests:
        raise RuntimeError(f"{requests - len(taken)} of {requests} requests have no answer")
    return taken


def family(pid: int) -> list[int]:
    """Return the numbers of a process and its children, which its threads start."""
    lists = (path.read_text("ascii").split() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    return [pid, *map(int, itertools.chain.from_iterable(lists))]


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process and its children so far."""
    ticks = 0
    for process in family(pid):
        fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / _TICKS


def megabytes(pid: int) -> float:
    """Return the memory of a process and its children that is theirs alone, and their part of what they share."""
    kilobytes = 0
    for process in family(pid):
        text = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
        kilobytes += int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1])
    return kilobytes / 1024


def shown(row: dict[str, float]) -> str:
    """Return a row for people."""
    calls = f"{100 * row['share']:.1f} % of {row['calls_per_cpu_second']:.1f} calls"
    calls += f", {100 * row['share_of_calls_with_pauses']:.1f} % of those with pauses"
    return (
        f"{row['clients']:.0f} clients, {row['requests']:.0f} requests: {row['per_second']:.1f}/s, "
        f"{row['per_cpu_second']:.1f} a CPU second ({calls}), p50 {row['p50_ms']:.1f} ms, "
        f"p99 {row['p99_ms']:.1f} ms, {row['megabytes_before']:.0f} to {row['megabytes_after']:.0f} MB"
    )


if __name__ == "__main__":
    main()
