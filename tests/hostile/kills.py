"""Kill -9 at random moments: ``make kills``, or ``python -m tests.hostile.kills --kills 20 --only parts``.

A command is killed at a random moment and started again, until it has ended by itself; then its files must have the
bytes of those that nothing disturbed. A summary has the counts; the exit code is 1 if any bytes differ.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.end_to_end.program import start

WORDS = "tide gauge harbour sea level altimetry satellite drift storm surge ocean basin".split()
KILLS = 100
DOCUMENTS = 1200
SEED = 18


@dataclass(frozen=True)
class Mode:
    """A command that is killed: its arguments, what it writes, and which of its processes dies."""

    name: str
    arguments: Callable[[Path, Path], Sequence[object]]
    worker: bool = False

    def start(self, source: Path, target: Path) -> "subprocess.Popen[bytes]":
        environment = {name: value for name, value in os.environ.items() if name != "KEYWRIGHT_DEBUG"}
        return start(
            *self.arguments(source, target), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
        )


def _parts(*options: str) -> Callable[[Path, Path], Sequence[object]]:
    return lambda source, target: ("extract", source, "-o", target, "--parts", "--part-size", 50, *options)


MODES = {
    mode.name: mode
    for mode in (
        Mode("run", lambda source, target: ("run", "default", source, "-o", target)),
        Mode("run-processes", lambda source, target: ("run", "default", source, "-o", target, "--jobs", 2)),
        Mode("resume", lambda source, target: ("extract", source, "-o", target, "--resume", "--format", "jsonl")),
        Mode("parts", _parts()),
        Mode("parts-processes", _parts("--jobs", "2")),
        Mode("parts-worker", _parts("--jobs", "2"), worker=True),
        Mode("parts-ray", _parts("--engine", "ray", "--jobs", "2")),
    )
}
USUAL = tuple(name for name in MODES if name != "parts-ray")


@dataclass
class Summary:
    """Counts of one mode."""

    kills: int = 0
    finished: int = 0
    equal: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def fine(self) -> bool:
        return self.equal == self.finished and not self.errors


def collection(folder: Path, documents: int = DOCUMENTS) -> Path:
    """Write documents; some of them are broken, as in life."""
    path = folder / "many.jsonl"
    with path.open("w") as file:
        for number in range(documents):
            text = " ".join(f"The {WORDS[(number + k) % 12]} {WORDS[(number * k) % 12]} rises." for k in range(60))
            file.write(json.dumps({"id": f"d{number}", "text": text}) + "\n" if number % 97 else "broken\n")
    return path


def content(target: Path) -> dict[str, bytes]:
    """Return what was written; the header of a run without the seconds that it took, and no ledger."""
    files = sorted(target.glob("part-*")) if target.is_dir() else [target]
    read = {file.name: file.read_bytes() for file in files}
    for name, data in read.items():
        first, _, rest = data.partition(b"\n")
        header = json.loads(first)
        if "seconds" in header:
            read[name] = json.dumps({**header, "seconds": None}).encode() + b"\n" + rest
    return read


def killed_until_done(mode: Mode, source: Path, target: Path, kills: int, draw: random.Random, whole: float) -> Summary:
    """Kill a command at random moments of the seconds that it takes, until it was killed so often."""
    summary = Summary()
    expected = content(target)
    while summary.kills < kills:
        _remove(target)
        while True:
            process = mode.start(source, target)
            if summary.kills < kills:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(draw.uniform(0, whole))
                summary.kills += _kill(process, worker=mode.worker)
            _, said = process.communicate()
            if process.returncode != -signal.SIGKILL:
                break
        summary.finished += 1
        if process.returncode != 1:  # some documents are broken
            summary.errors.append(f"exit code {process.returncode}: {said.decode(errors='replace')[-200:]}")
        elif content(target) == expected:
            summary.equal += 1
    return summary


def _kill(process: "subprocess.Popen[bytes]", *, worker: bool) -> bool:
    """Kill a process, or one of its workers; return whether one was killed."""
    if process.poll() is not None:
        return False
    victims = [process.pid]
    if worker:
        victims = []
        for children in Path(f"/proc/{process.pid}/task").glob("*/children"):  # of each thread
            with contextlib.suppress(OSError):
                victims += map(int, children.read_text().split())
    with contextlib.suppress(ProcessLookupError):
        for pid in victims[-1:]:
            os.kill(pid, signal.SIGKILL)
            return True
    return False


def _remove(target: Path) -> None:
    if target.is_dir():
        shutil.rmtree(target)
    for path in target.parent.glob(f"{target.name}*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def measure(mode: Mode, source: Path, target: Path) -> float:
    """Run a command undisturbed; return the seconds that it took."""
    started = time.monotonic()
    process = mode.start(source, target)
    process.communicate()
    return time.monotonic() - started


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill and compare; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=KILLS, help=f"number of kills in all (default: {KILLS})")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help=f"documents (default: {DOCUMENTS})")
    parser.add_argument("--only", action="append", choices=sorted(MODES), help="mode; may be given several times")
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args(arguments)
    modes = [MODES[name] for name in chosen.only or USUAL]
    draw = random.Random(chosen.seed)
    print(f"{'mode':16} {'kills':>6} {'finished':>9} {'equal bytes':>12}", flush=True)
    fine = True
    for place, mode in enumerate(modes):
        kills = chosen.kills * (place + 1) // len(modes) - chosen.kills * place // len(modes)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            source, target = collection(folder, chosen.documents), folder / "out"
            seconds = measure(mode, source, target)
            summary = killed_until_done(mode, source, target, kills, draw, seconds)
        print(f"{mode.name:16} {summary.kills:6} {summary.finished:9} {summary.equal:12}", flush=True)
        for error in summary.errors:
            print(f"  {error}", flush=True)
        fine = fine and summary.fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
