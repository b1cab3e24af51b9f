"""Write the page on the study of the default from stored results, with the learning curves beside it.

KEYWRIGHT_MIRROR=... python -m tools.pages.default_study --measure [TABLE ...] [--jobs 2]
    runs the tables named (default-ablation, default-learning-curve, default-errors; all without names), about half an
    hour on a quiet core, stores each in benchmarks/results/default-study.json as soon as it is done, writes the page
python -m tools.pages.default_study          writes docs/reference/default-study.md and the drawing of the curves
python -m tools.pages.default_study --check  exits with status 1 if they differ

The findings from the lists of errors are in tools/pages/default_study_findings.md, written by hand.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tools.pages.writing import standalone, write_or_check

from keywright.catalogue import system_class
from keywright.core import VERSION
from keywright.evaluation.publishing import writing as text
from keywright.experiments.study import lay_out_study, make_table
from keywright.extraction.ranking.language_resources import load_shipped_ranker
from studies.default.study import ABLATION, ERRORS, LEARNING_CURVE

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "reference" / "default-study.md"
DRAWING: Final = PAGE.with_suffix("") / "learning-curve.svg"
FINDINGS: Final = Path(__file__).parent / "default_study_findings.md"
RESULTS: Final = ROOT / "benchmarks" / "results" / "default-study.json"
STUDIES: Final = {study.name: study for study in (ABLATION, LEARNING_CURVE, ERRORS)}
INTRO: Final = """# Study of the default

<!-- Written by tools/pages/default_study.py from benchmarks/results/default-study.json and
     tools/pages/default_study_findings.md: change those, not this page. -->

This page measures how much each part of the default extractor contributes, how much more documents would bring, and
which errors remain. No test split was used: every number is of held-out documents of training collections. There are
five folds; trees were grown on the other four folds of the same collection, with the tables of phrases and words that
ship, from which a document's own author list was taken out. So the numbers compare parts with each other. They are some
points above those of unseen test papers, and are not scores of the default that ships, which was trained on more
([the shared task](semeval2010.md), [quality](quality.md)). F is in percent: for SemEval-2010 by the official rules, for
abstracts the mean over documents. Intervals of 95 percent draw documents anew; the intervals of differences keep both
results of a document together.
"""
PARTS: Final = {
    ABLATION.name: """## Contribution of each part

`python -m studies default-ablation`. Columns left out are hidden from the trees alone: they may have helped to choose
the candidates. An empty table is missing there as well. Each cell has F with the part left out or changed, then the
difference to everything and its interval: where the interval contains 0, the choice of documents explains the
difference. Another seed of the trees moves a value by some .3, which the intervals do not show.
""",
    LEARNING_CURVE.name: """## Learning curve: more training documents

`python -m studies default-learning-curve`. The trees were trained on so many documents of the other four folds, drawn
several times; the last row uses all of them.

![Learning curves](default-study/learning-curve.svg)
""",
    ERRORS.name: """## Errors

`python -m studies default-errors`. A miss is a keyphrase that is not among the first fifteen phrases (ten of an
abstract); a false alarm is one of these phrases that is not a keyphrase. Gold is the combined one of SemEval-2010 and
the uncontrolled terms of Inspec. Rules put each error into the first class that fits. Where a missed phrase was
described, the table names the group of columns whose contribution is lowest relative to that of the keyphrases shown.
It lists the fifty false alarms with the highest probability, and fifty misses, each class in proportion to its size and
the lowest ranks first. SemEval-2010 gives its gold in stems; gold that is not among the candidates is listed in stems.
""",
}


def stored() -> dict[str, Any]:
    """Return results by table."""
    return dict(json.loads(RESULTS.read_text("utf-8"))) if RESULTS.is_file() else {}


def measure(names: list[str], jobs: int) -> None:
    """Run tables and store each when it is complete."""
    for name in names or list(STUDIES):
        print(name, flush=True)
        records = [row.record() for row in make_table(STUDIES[name], find=system_class, jobs=jobs)]
        results = {
            **stored(),
            name: {"default": load_shipped_ranker().fingerprint, "version": VERSION, "rows": records},
        }
        RESULTS.write_text(json.dumps({key: results[key] for key in sorted(results)}, indent=1) + "\n", "utf-8")


def page() -> str:
    """Return the whole page."""
    return "\n".join(_parts()).rstrip() + "\n"


def _parts() -> Iterator[str]:
    yield INTRO
    results = stored()
    for name, words in PARTS.items():
        yield words
        if name == ERRORS.name:
            yield FINDINGS.read_text("utf-8")
        yield from map(text.markdown, lay_out_study(STUDIES[name], _rows(results, name), system_class))


def _rows(results: dict[str, Any], name: str) -> tuple[Any, ...]:
    """Return the rows of a table."""
    return STUDIES[name].read(results[name]["rows"])


def drawing() -> str:
    """Return the learning curves as a file of their own."""
    (curves,) = LEARNING_CURVE.plots(_rows(stored(), LEARNING_CURVE.name))
    return standalone(curves.svg)


def main() -> None:
    """Measure, write or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", nargs="*", metavar="TABLE", choices=STUDIES, help="run tables and store them")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    if options.measure is not None:
        measure(options.measure, options.jobs)
    write_or_check({PAGE: page(), DRAWING: drawing()}, check=options.check)


if __name__ == "__main__":
    main()
