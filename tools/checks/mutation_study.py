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
    """Return the table of numbers, the last row for all protocols together, and the reasons."""
    lines = ["| protocol | changes | noticed | equivalent | not noticed |", "|---|---:|---:|---:|---:|"]
    everything = tuple(itertools.chain.from_iterable(findings.values()))
    by_protocol = ((f"`{name}`", changes) for name, changes in findings.items())
    for name, changes in (*by_protocol, ("all", everything)):
        noticed, equivalent = (sum(map(bool, column)) for column in zip(*map(_columns, changes), strict=True))
        lines.append(f"| {name} | {len(changes)} | {noticed} | {equivalent} | {len(changes) - noticed - equivalent} |")
    reasons = Counter((change.mutant.rule, change.equivalent) for change in everything if change.equivalent)
    lines += ["", "| equivalent changes of | number | why |", "|---|---:|---|"]
    lines += [f"| `{rule}` | {number} | {why} |" for (rule, why), number in sorted(reasons.items())]
    return "\n".join(lines) + "\n"


def _columns(change: Any) -> tuple[str, str]:
    return change.noticed, change.equivalent


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
