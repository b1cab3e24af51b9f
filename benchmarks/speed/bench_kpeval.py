"""How fast KPEval scores English summaries, through the public verb.

Usage: python benchmarks/speed/bench_kpeval.py [PAIRS]

REALSumm's summaries in the order of the file, each with its reference and without its source, 1,000 unless PAIRS says
another number; every round runs in a fresh process of its own, whose start and reading of the model are counted.
Seconds by the clock and of the processor, best and median of the rounds.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from keywright.experiments.summary_collections import read_judged

ROUNDS = 3
PAIRS = 1000


def main() -> None:
    """Write the pairs, time the command, print."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    first, second = read_judged("realsumm")
    program = Path(sys.executable).with_name("keywright")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for pair in (*first, *second)[:number]:
                references = [text.sentences for text in pair.references]
                record = {
                    "id": pair.id,
                    "system": pair.system,
                    "summary": pair.summary.sentences,
                    "references": references,
                }
                file.write(json.dumps(record) + "\n")
        clock, processor = [], []
        for _ in range(ROUNDS):
            start, before = time.perf_counter(), os.times()
            command = [program, "summaries", "score", path, "-o", f"{path}.scores", "--quiet"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program
            after = os.times()
            clock.append(time.perf_counter() - start)
            processor.append(sum(after[2:4]) - sum(before[2:4]))
    for name, seconds in (("clock", clock), ("processor", processor)):
        print(f"{number} pairs, {name}: best {min(seconds):.2f} s, median {statistics.median(seconds):.2f} s")


if __name__ == "__main__":
    main()
