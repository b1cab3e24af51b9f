"""Write pages of studies: an introduction of each, and its tables from stored results.

KEYWRIGHT_MIRROR=... keywright reproduce NAME --json -o benchmarks/results/NAME.json   for published tables
KEYWRIGHT_MIRROR=... python -m studies NAME --json -o benchmarks/results/NAME.json
python -m tools.pages.studies          writes docs/reference/NAME.md for each
python -m tools.pages.studies --check  exits with status 1 if they differ
"""

import json
import sys
from pathlib import Path

from tools.pages.writing import write_or_check

from keywright.catalogue import system_class
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments.kpg_calibration_table import STUDY as KPG_CALIBRATION
from keywright.experiments.small_generators import STUDY as NEURAL
from keywright.experiments.study import publish
from keywright.experiments.summary_tables import JUDGED as SUMMARY_EVALUATORS
from keywright.experiments.summary_tables import KPEVAL
from studies.catalogue import study

ROOT = Path(__file__).parents[2]
STUDIES = {
    "kpg-calibration": KPG_CALIBRATION,
    "kpeval": KPEVAL,
    "neural": NEURAL,
    "summary-evaluators": SUMMARY_EVALUATORS,
    **{
        name: study(name)
        for name in (
            "arabic-keyphrases",
            "arabic-text",
            "calibrators",
            "domain",
            "generality",
            "guarantees",
            "languages",
            "reader",
        )
    },
}


def page(name: str) -> str:
    """Return the whole page."""
    stored = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text("utf-8"))
    rows = STUDIES[name].read(stored["rows"])
    intro = (Path(__file__).parent / f"{name}.md").read_text("utf-8")
    return f"{intro}\n{publish(STUDIES[name], rows, Publication.MARKDOWN, system_class)}".rstrip() + "\n"


def main() -> None:
    """Write or check."""
    files = {ROOT / "docs" / "reference" / f"{name}.md": page(name) for name in STUDIES}
    write_or_check(files, check="--check" in sys.argv)


if __name__ == "__main__":
    main()
