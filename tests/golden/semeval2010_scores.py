"""Scores of the baselines and of the default, computed once for all tests; as a program it stores them.

KEYWRIGHT_MIRROR=... python -m tests.golden.semeval2010_scores
"""

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from keywright.evaluation.answers import make_gold_sets
from keywright.experiments import semeval2010_paper, semeval2010_task
from keywright.experiments.semeval2010_task import TEST, TRAIN
from keywright.extraction.systems.counting import Counting
from keywright.extraction.systems.kpminer import KPMiner

STORED = Path(__file__).with_suffix(".json")
NAMES = (
    *(f"{TEST}/{name}/{variant}" for name, variants in semeval2010_paper.VARIANTS.items() for variant in variants),
    f"{TRAIN}/counting",
    f"{TRAIN}/kpminer",
)


def papers(split: str, mirror: Path) -> semeval2010_task.Labelled:
    """Return the analysed papers of a split, the same ones for all tests of a process."""
    return semeval2010_task.shared_papers(split, mirror, tagged=False)


def read_stored_scores() -> dict[str, dict[str, float]]:
    """Return the stored scores by name; ``test_semeval2010_scores`` checks that they are what the code gives."""
    numbers: dict[str, dict[str, float]] = json.loads(STORED.read_text("utf-8"))
    return numbers


@cache
def scores(name: str, mirror: Path) -> Mapping[str, float]:
    """Percent, to the two decimals that the official script prints, of one of ``NAMES``.

    On the training papers KP-Miner's word frequencies come from the same papers, and nothing from their gold.
    """
    train = papers(TRAIN, mirror)
    if name.startswith(TEST):
        system, variant = name.removeprefix(f"{TEST}/").split("/")
        fitted, scored = semeval2010_paper.VARIANTS[system][variant][0]().fit(train), papers(TEST, mirror)
    else:
        fitted, scored = Counting() if name.endswith("counting") else KPMiner().fit(train), train
    values = semeval2010_task.score_system(fitted, scored, make_gold_sets(scored))
    return {measure: round(value, 2) for measure, value in values.items()}


def main() -> None:
    """Store the scores as they are now."""
    mirror = Path(os.environ["KEYWRIGHT_MIRROR"]).resolve()
    numbers = {name: scores(name, mirror) for name in NAMES}
    STORED.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
