"""Run many damaged inputs through the program, and print how they end by kind of input."""

import argparse
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from tests.end_to_end.warm_program import WarmProgram
from tests.hostile.cases import Case, cases, run, verdict
from tests.hostile.samples import samples


def main() -> int:
    """Run, print, and return 1 if a case ended badly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="samples whose names contain this")
    parser.add_argument("--case", help="one case by its name; its output is printed")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        prepared, folder = Path(scratch) / "prepared", Path(scratch) / "case"
        prepared.mkdir()
        made = {name: sample for name, sample in samples(prepared).items() if chosen.only in name}
        program = WarmProgram()
        if chosen.case:
            sample, damage, number = chosen.case.rsplit("/", 2)
            finished = run(Case(sample, damage, int(number)), made[sample], folder, program)
            print(finished.stdout.decode("utf-8", "replace")[:2000], finished.stderr.decode("utf-8", "replace")[-4000:])
            print(f"status {finished.returncode}, {finished.memory / 1e6:,.0f} MB: {verdict(finished) or 'fine'}")
            return bool(verdict(finished))
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        bad = []
        started = time.perf_counter()
        for case in cases(made, chosen.cases, chosen.seed):
            finished = run(case, made[case.sample], folder, program)
            wrong = verdict(finished)
            counts[case.sample][wrong or f"status {finished.returncode}"] += 1
            if wrong:
                bad.append((wrong, case.name))
                print(f"{wrong}: {case.name}", file=sys.stderr, flush=True)
        print(f"{chosen.cases:,} cases, seed {chosen.seed}, {time.perf_counter() - started:,.0f} s")
        for name, ends in counts.items():
            print(f"  {name:24}", ", ".join(f"{number:,} {end}" for end, number in sorted(ends.items())))
        print(f"{len(bad):,} ended badly")
        return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
