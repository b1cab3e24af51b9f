"""Combine the values of a system's parameters that do best in cross-validation on the SemEval-2010 training papers.

    KEYWRIGHT_MIRROR=... python -m tools.train.best_parameters sjtultlab likey

From the stored single changes (benchmarks/results/semeval2010-steps.json) those that raise combined F at 15 are taken
one after the other, the largest first, and stay where they raise it by another tenth of a point. The result is the
table ``[best]`` of the system's record. No test paper is read.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Final

from keywright.catalogue import system_class
from keywright.experiments.semeval2010_records import read_records
from keywright.experiments.semeval2010_task import DIFFERENCE, USUAL, Change, evaluate_change, name_variant
from keywright.experiments.study import Row

STEPS: Final = Path(__file__).parents[2] / "benchmarks" / "results" / "semeval2010-steps.json"
_MAIN: Final = "combined/F@15"
_GAIN: Final = 0.001
"""Smallest gain in F for which a value is taken: a tenth of a point; arbitrary, about the difference of two seeds."""


def main() -> None:
    """Search, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="+")
    parser.add_argument("--steps", type=Path, default=STEPS, help="results of --ablate")
    options = parser.parse_args()
    rows = [Row.of(record) for record in json.loads(options.steps.read_text("utf-8"))["rows"]]
    for system in options.systems:
        gains = {
            row.variant: row.ours for row in rows if row.system == system and row.measure == DIFFERENCE and row.ours
        }
        best, score = combined(system, {str(name): gain for name, gain in gains.items()})
        print(f"{system}: {100 * score:.2f}", *(f"{name} = {value!r}" for name, value in best.items()), sep="\n")


def combined(system: str, gains: dict[str, float]) -> tuple[dict[str, Any], float]:
    """Return the parameters that are not the default, and the F of them together, a fraction."""
    changes = [
        (gains.get(name_variant(option, value), 0.0), option, value)
        for option, values in read_records()[system].tried.items()
        for value in values
    ]
    best: dict[str, Any] = {}
    score = held_out(system, best)
    for gain, option, value in sorted(changes, key=lambda change: -change[0]):
        if gain > 0:
            tried = {**best, option: value}
            reached = held_out(system, tried)
            if reached >= score + _GAIN:
                best, score = tried, reached
    return best, score


def held_out(system: str, values: dict[str, Any]) -> float:
    """Return combined F at 15 on held-out folds, a fraction."""
    change = Change(system, USUAL, tuple(values.items()))
    return evaluate_change(change, find=system_class).values[_MAIN]


if __name__ == "__main__":
    main()
