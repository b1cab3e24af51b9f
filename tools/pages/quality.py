"""Write the page on quality from stored results, with reliability diagrams beside it.

KEYWRIGHT_MIRROR=... python -m studies quality --jobs 2 --json -o benchmarks/results/quality.json
make bench-quality                    runs other tools where they install: benchmarks/results/quality_peers.json
python -m tools.pages.quality          writes docs/reference/quality.md and docs/reference/quality/*.svg
python -m tools.pages.quality --check  exits with status 1 if they differ
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.pages.writing import standalone, write_or_check

from keywright.evaluation.publishing import text
from keywright.experiments.reliability import Reliability
from studies.quality.collections import COLLECTIONS, DEFAULT
from studies.quality.rows import OURS, Row, Score
from studies.quality.study import STUDY
from studies.quality.tables import KINDS, bins_table, calibration_table, plots, scores_table, summary

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "quality.md"
PLOTS = PAGE.with_suffix("")
RESULTS = ROOT / "benchmarks" / "results" / "quality.json"
PEERS = ROOT / "benchmarks" / "results" / "quality_peers.json"
BEFORE = "measured before"
INTRO = """# Quality

<!-- Written by tools/pages/quality.py from benchmarks/results/quality.json and quality_peers.json: change those. -->

What the default extractor reaches, beside the systems that other tools offer: as we wrote them again (`keywright`), as
their own programs gave when run over the same documents (`run here`, by `make bench-quality`), and as their programs
were measured once, scored by the same rules (`measured before`; versions and settings in
`studies/quality/peers.toml`). `python -m studies quality` computes our rows again.

The rows below are of the default and the reading of texts before [decision 0022](../decisions/0022-general-default.md),
which has the scores of the present default on four of the test sets.

- Every number is F in percent; in brackets the 95 percent interval from drawing documents anew. The best of each column
  is bold. Signatures of the protocols stand below each table.
- Test splits are never learnt from: the default is the one that ships, asked for the style of the collection's gold;
  none of its training documents shares title or text with a test set ([decontamination](decontamination.md)).
- Three collections have no test split and are scored by cross-validation: there everything that learns, the default's
  trees and probabilities included, learns from the other four folds of that collection alone. The tables of phrases and
  words that ship with the default stay as they are; they were counted in other collections.
- KP-Miner wants three mentions of a phrase; in short texts it is asked for one, as it would find nothing else.
- Systems that need a tagger or an encoder are left out on full papers other than the shared task's, where they take a
  second and more for each paper. KeyBERT loads its model from a hub and is not run: `embedrank`, which agrees with it
  at its settings (`tests/parity/test_keybert.py`), stands in for it.
"""
_CALIBRATION = """## Calibration

A phrase with probability .3 should be a keyphrase three times in ten. The calibration error is the mean distance
between probability and share right over ten equal bins, weighed by their sizes, for the first fifteen phrases of each
document; a phrase is right if it is a gold keyphrase by its stems. The noise floor is what this error would be on
average if every probability were exactly right: no system can be shown to be better than that. In the diagrams, the
bars about the diagonal hold 95 of 100 bins whose probabilities are right, and numbers are phrases in a bin.
"""


def stored() -> list[Row]:
    """Return our rows and those of other tools; rows that were run here replace rows that were measured before."""
    rows = [row for path in (RESULTS, PEERS) if path.is_file() for row in STUDY.read(_rows(path))]
    run = {(row.dataset, row.system) for row in rows if isinstance(row, Score) and row.source not in {OURS, BEFORE}}
    return [row for row in rows if not (isinstance(row, Score) and row.source == BEFORE and _place(row) in run)]


def _rows(path: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(path.read_text("utf-8"))["rows"]
    return rows


def _place(row: Score) -> tuple[str, str]:
    return row.dataset, row.system


def page(rows: list[Row]) -> str:
    """Return the whole page."""
    short = summary(rows)
    parts = [INTRO, *(["## In short\n", text.markdown(short)] if short else [])]
    for collection in COLLECTIONS:
        if scores := [row for row in rows if isinstance(row, Score) and row.dataset == collection.data]:
            parts += [f"## {collection.data}: {collection.kind}\n", text.markdown(scores_table(collection, scores))]
    reliabilities = [row for row in rows if isinstance(row, Reliability)]
    if reliabilities:
        parts += [_CALIBRATION, text.markdown(calibration_table(reliabilities))]
    for row in shown(reliabilities):
        parts += [f"### {row.documents_of}\n", text.markdown(bins_table(row))]
        parts += [f"![{plot.title}]({PLOTS.name}/{plot.name}.svg)\n" for plot in plots([row])]
    return "\n".join(parts).rstrip() + "\n"


def shown(rows: list[Reliability]) -> list[Reliability]:
    """Return the reliabilities by class of document, of the default where it was run."""
    classes = [row for row in rows if row.documents_of in KINDS]
    return [row for row in classes if row.system == DEFAULT] or classes


def drawn(rows: list[Row]) -> Iterator[tuple[Path, str]]:
    """Yield the files of the diagrams."""
    for plot in plots(shown([row for row in rows if isinstance(row, Reliability)])):
        yield PLOTS / f"{plot.name}.svg", standalone(plot.svg)


def main() -> None:
    """Write or check."""
    rows = stored()
    files = {PAGE: page(rows), **dict(drawn(rows))}
    stale = [path for path in PLOTS.glob("*.svg") if path not in files]
    write_or_check(files, stale, check="--check" in sys.argv)


if __name__ == "__main__":
    main()
