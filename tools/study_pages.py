"""Pages of studies: what is to be said of each, and its tables made from stored results.

KEYWRIGHT_MIRROR=... keywright reproduce NAME --json -o benchmarks/results/NAME.json
python tools/study_pages.py          writes docs/reference/NAME.md for each
python tools/study_pages.py --check  ends with 1 if these are not what would be written
"""

import json
import sys
from pathlib import Path

from written_pages import write_or_check

from keywright.catalogue import system_class
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments.calibrator_rows import Calibrated
from keywright.experiments.guarantee_rows import Coverage
from keywright.experiments.publishing import publish
from keywright.experiments.rows import Row

ROOT = Path(__file__).parent.parent
STUDIES = {"kpg-calibration": Row, "calibrators": Calibrated, "guarantees": Coverage}
"""Their names, and what their rows are."""


def page(name: str) -> str:
    """The whole page."""
    found = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text("utf-8"))
    rows = [STUDIES[name].of(record) for record in found["rows"]]
    intro = (ROOT / "tools" / f"{name}.md").read_text("utf-8")
    return f"{intro}\n{publish(name, rows, Publication.MARKDOWN, system_class)}".rstrip() + "\n"


def main() -> None:
    """Write or check."""
    made = {ROOT / "docs" / "reference" / f"{name}.md": page(name) for name in STUDIES}
    write_or_check(made, check="--check" in sys.argv)


if __name__ == "__main__":
    main()
