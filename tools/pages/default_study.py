"""Run the study of the default and store its results.

KEYWRIGHT_MIRROR=... python -m tools.pages.default_study [TABLE ...] [--jobs 2]
    runs the tables named (default-ablation, default-learning-curve, default-errors; all without names), about half an
    hour on a quiet core, and stores each in benchmarks/results/default-study.json as soon as it is done

``results.py`` writes the page.
"""

import argparse
import json

from tools.pages.results import DEFAULT_STUDY, RESULTS

from keywright.catalogue import system_class
from keywright.core import VERSION
from keywright.experiments.study import make_table
from keywright.extraction.ranking.language_resources import load_shipped_ranker


def main() -> None:
    """Measure and store."""
    studies = {study.name: study for study in DEFAULT_STUDY}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE", choices=[*studies, []], help="tables to run")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    file = RESULTS / "default-study.json"
    for name in options.tables or studies:
        print(name, flush=True)
        rows = make_table(studies[name], find=system_class, jobs=options.jobs)
        result = {
            "default": load_shipped_ranker().fingerprint,
            "version": VERSION,
            "rows": [row.record() for row in rows],
        }
        stored = json.loads(file.read_text("utf-8")) | {name: result}
        file.write_text(json.dumps({key: stored[key] for key in sorted(stored)}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
