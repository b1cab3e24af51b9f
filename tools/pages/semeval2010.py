"""Write the page with the shared task's tables from stored results.

KEYWRIGHT_MIRROR=... keywright reproduce semeval2010 --jobs 2 --json -o benchmarks/results/semeval2010.json
python -m tools.pages.semeval2010          writes docs/reference/semeval2010.md, and our scores into the package
python -m tools.pages.semeval2010 --check  exits with status 1 if they differ
"""

import json
import sys
from pathlib import Path

from tools.pages.writing import write_or_check

from keywright.catalogue import system_class
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments.semeval2010_sheets import STUDY
from keywright.experiments.study import Row, publish

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "semeval2010.md"
OURS = ROOT / "src" / "keywright" / "experiments" / "published" / "semeval2010_ours.toml"
RESULTS = ROOT / "benchmarks" / "results" / "semeval2010.json"
INTRO = """# SemEval-2010 Task 5, run again

<!-- Written by tools/pages/semeval2010.py from benchmarks/results/semeval2010.json: change those, not this page. -->

Every described system of the shared task, KEA, the baselines and our default, trained on the 144 training papers and
scored on the 100 test papers by the official rules (`keywright reproduce semeval2010`). Parameters that the papers
leave open were chosen by cross-validation on the training papers (`tools/train/choose_parameters.py`; `--ablate`
measures each of them and each feature); the test papers were scored to report. Published figures of tables 4 to 8 are
recalled and checked by arithmetic, see `src/keywright/experiments/published/semeval2010_task.toml`. Intervals draw
papers anew, within their categories.
"""


def page() -> str:
    """Return the whole page."""
    rows = STUDY.read(json.loads(RESULTS.read_text("utf-8"))["rows"])
    return f"{INTRO}\n{publish(STUDY, rows, Publication.MARKDOWN, system_class)}".rstrip() + "\n"


def ours() -> str:
    """Return F by system and kind of gold, which ``keywright systems NAME`` shows."""
    scores: dict[str, dict[str, list[float]]] = {}
    for row in map(Row.of, json.loads(RESULTS.read_text("utf-8"))["rows"]):
        if (
            row.system
            and row.gold
            and row.ours is not None
            and row.category is row.variant is None
            and row.measure.startswith("F@")
        ):
            scores.setdefault(row.system, {}).setdefault(row.gold, []).append(row.ours)
    lines = ["# Our F in percent at 5, 10 and 15 on the test papers. Written by tools/pages/semeval2010.py.", ""]
    for system, golds in scores.items():
        lines += [f"[{system}]", *(f"{gold} = {values}" for gold, values in golds.items()), ""]
    return "\n".join(lines)


def main() -> None:
    """Write or check."""
    write_or_check({PAGE: page(), OURS: ours()}, check="--check" in sys.argv)


if __name__ == "__main__":
    main()
