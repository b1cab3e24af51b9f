"""Run many damaged inputs through the program, and print how they end by kind of input."""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from tests.end_to_end.warm_program import WarmProgram
from tests.hostile.cases import Case, cases, run, verdict
from tests.hostile.damages import DAMAGES
from tests.hostile.samples import Sample, samples
from tests.hostile.served import KINDS, serving


def main() -> int:
    """Run, print, and return 1 if a case ended badly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="samples whose names contain this")
    parser.add_argument("--served", action="store_true", help="requests to a service and to tools for assistants")
    parser.add_argument("--case", help="one case by its name; its output is printed")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        prepared, folder = Path(scratch) / "prepared", Path(scratch) / "case"
        prepared.mkdir()
        if chosen.served:
            return _fuzz_served(samples(prepared), chosen.cases, chosen.seed, chosen.only)
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


def _fuzz_served(made: dict[str, Sample], number: int, seed: int, only: str) -> int:
    """Send damaged requests, print how they end, and return 1 if one ended badly."""
    rng, counts, started = random.Random(seed), defaultdict(Counter), time.perf_counter()
    kinds = [kind for kind in KINDS if only in kind]
    with serving(made) as served:
        for place in range(number):
            kind, damage = kinds[place % len(kinds)], rng.choice(list(DAMAGES))
            wrong = served.run(kind, damage, seed * 1_000_000 + place)
            counts[kind][wrong or "fine"] += 1
            if wrong:
                print(f"{wrong}: {kind}/{damage}/{seed * 1_000_000 + place}", file=sys.stderr, flush=True)
    print(f"{number:,} requests, seed {seed}, {time.perf_counter() - started:,.0f} s")
    for kind, ends in counts.items():
        print(f"  {kind:24}", ", ".join(f"{count:,} {end}" for end, count in sorted(ends.items())))
    return int(any(set(ends) != {"fine"} for ends in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
