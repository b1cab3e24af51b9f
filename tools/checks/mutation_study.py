"""The mutation study: every rule of every protocol changed, one at a time, against the hand-computed rows.

python tools/checks/mutation_study.py            prints the table; exits with 1 if a change is missed and not equivalent
python tools/checks/mutation_study.py --write    also writes it into docs/results/mutation-study.md
python tools/checks/mutation_study.py --list     prints every change and which row notices it, or why none can
"""

import argparse
import importlib
import itertools
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from keywright.catalogue import PROTOCOLS

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "results" / "mutation-study.md"
MARK: Final = "<!-- Below is written by tools/checks/mutation_study.py --write -->\n"


def summary(findings: Mapping[str, tuple[Any, ...]]) -> str:
    """Return the table of numbers, the last row for all protocols together, and the reasons.

    Neighbours with the same numbers, such as the eight matching schemes of one scorer, have one row.
    """
    lines = ["| protocols | changes of each | noticed | equivalent | not noticed |", "|---|---:|---:|---:|---:|"]
    for numbers, names in itertools.groupby(findings, lambda name: _count_changes(findings[name])):
        first, *others = names
        title = f"`{first}` to `{others[-1]}`, {len(others) + 1} protocols" if others else f"`{first}`"
        lines.append(f"| {title} | {' | '.join(map(str, numbers))} |")
    everything = tuple(itertools.chain.from_iterable(findings.values()))
    lines.append(f"| all together | {' | '.join(map(str, _count_changes(everything)))} |")
    reasons = Counter((change.mutant.rule, change.equivalent) for change in everything if change.equivalent)
    lines += ["", "| equivalent changes of | number | why |", "|---|---:|---|"]
    lines += [f"| `{rule}` | {number} | {why} |" for (rule, why), number in sorted(reasons.items())]
    return "\n".join(lines) + "\n"


def _count_changes(changes: tuple[Any, ...]) -> tuple[int, int, int, int]:
    """Return how many changes there are, are noticed, are equivalent, and are neither."""
    noticed = sum(bool(change.noticed) for change in changes)
    equivalent = sum(bool(change.equivalent) for change in changes)
    return len(changes), noticed, equivalent, len(changes) - noticed - equivalent


def main() -> int:
    """Run the study; return 1 where a change is neither noticed nor listed."""
    parser = argparse.ArgumentParser(description="Every rule of every protocol changed, one at a time.")
    parser.add_argument("--list", action="store_true", help="every change and what notices it")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))  # the study is part of the tests
    study = importlib.import_module("tests.rules.study").study
    findings = {name: study(name) for name in PROTOCOLS.built_in}
    everything = [change for changes in findings.values() for change in changes]
    if options.list:
        for change in everything:
            print(f"{change.mutant} | {change.noticed or 'equivalent: ' + change.equivalent}")
    if options.write:
        head, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
        PAGE.write_text(f"{head}{mark}\n{summary(findings)}", encoding="utf-8")
    print(summary(findings))
    faults = [change.fault for change in everything if change.fault]
    print("\n".join(faults), file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
