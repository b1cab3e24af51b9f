"""How long the eight schemes of evalHulth2003 take: CPU seconds of the command from a cold start, and in process.

Usage: python benchmarks/speed/bench_hulth.py GOLD_FOLDER PREDICTED_FOLDER

Both folders are as ``keywright inspec eval`` takes them; for 500 documents the reference takes 2.4 CPU seconds, import
included, and at most a quarter of that cold and a twentieth of it for a further run are aimed at. Each number is the
median of ROUNDS, user and system time together, files read from disk in each.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from keywright.evaluation.reference.hulth2003 import Evaluation

ROUNDS = 7
REFERENCE = 2.4  # CPU seconds of the reference for 500 documents


def median_seconds(work: Callable[[], float]) -> float:
    """Median of what the work says it took."""
    return statistics.median(work() for _ in range(ROUNDS))


def works(gold: str, predicted: str) -> dict[str, Callable[[], float]]:
    """What is timed; each call says how many CPU seconds it took."""
    program = str(Path(sys.executable).with_name("keywright"))
    command = [program, "inspec", "eval", "-g", gold, "-p", predicted]

    def cold() -> float:
        before = os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - this project's own program
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    def again() -> float:
        before = time.process_time()
        Evaluation(gold, predicted, "uncontr_in").text()
        return time.process_time() - before

    return {"command, cold": cold, "further run in process": again}


def main(gold: str, predicted: str) -> None:
    """Time and print."""
    for name, work in works(gold, predicted).items():
        seconds = median_seconds(work)
        print(f"{name:25} {seconds * 1_000:6.0f} ms CPU, 1/{REFERENCE / seconds:.1f} of the reference's 2.4 s")


if __name__ == "__main__":
    main(*sys.argv[1:3])
