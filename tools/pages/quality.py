"""Write the page on quality from stored results, with reliability diagrams beside it.

make bench-quality                     runs other tools where they install: benchmarks/results/quality_peers.json
KEYWRIGHT_MIRROR=... python -m studies quality --json -o benchmarks/results/quality.json
                                       runs our systems; cached, so that only what has changed is computed again
python -m tools.pages.quality          writes docs/reference/quality.md and docs/reference/quality/*.svg
python -m tools.pages.quality --check  exits with status 1 if they differ
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.pages.writing import standalone, write_or_check

from keywright.core.pages import Table
from keywright.evaluation.publishing import writing as text
from keywright.experiments.reliability import Reliability
from studies.generality import study as generality
from studies.generality import tables as generality_tables
from studies.quality.collections import COLLECTIONS, DEFAULT
from studies.quality.rows import Row, Score
from studies.quality.study import STUDY
from studies.quality.tables import KINDS, bins_table, calibration_table, plots, protocol_name, scores_table, summary

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "quality.md"
PLOTS = PAGE.with_suffix("")
RESULTS = ROOT / "benchmarks" / "results" / "quality.json"
UNSEEN = RESULTS.with_name("generality.json")
INTRO = """# Quality

<!-- Written by tools/pages/quality.py from benchmarks/results/quality.json and generality.json: change those. -->

The first table is about documents of kinds that the default was not trained on, the others about eight collections of
kinds that it was trained on.
"""
_UNSEEN = """## Collections that the default has not seen

For each line the default was trained anew without the collection, five times, and run without options on its documents
as plain text ([how, with all systems and the calibration errors](generality.md)). A difference is bold only where its
interval excludes zero.
"""
_SEEN = """## Collections of the kinds that it was trained on

Scores of the default extractor as it ships, beside every other system that runs here. The column *from* names the
origin of a row:

- `keywright`: a system of this package, trained and run by `python -m studies quality`;
- `run here`: another tool's own program, run over the same documents by `make bench-quality`;
- `measured before`: another tool's own program, measured once and scored by the same rules; versions and settings are
  in `studies/quality/peers.toml`;
- `published`: printed, in the papers of the shared task or in those of keyphrase generators on Inspec.

How to read the tables:

- Numbers are F in percent; brackets hold 95 percent intervals from resampling documents.
- The first table compares the default with the best other system of each column. The latter is chosen after all
  scores are known, which favours it. Both systems' scores of a document are resampled together, so the interval of the
  difference is paired. Values that were measured elsewhere have no scores by document, so their difference has no
  interval. A number is bold only where the interval of the difference excludes zero.
- The default is run in the style of the gold: of SemEval-2010, style `author` against author gold and style `reader`
  against reader and combined gold.
- Test splits are never used for training. The default is the shipped model, and none of its training documents shares a
  title or text with a test set ([decontamination](decontamination.md)). Other trained systems are trained on the data
  that is named below each table.
- Three collections have no test split and are scored by cross-validation in five folds. There the default's trees and
  probabilities are trained on the same folds as all other systems; its tables of phrases and words, which were counted
  in other collections, stay as shipped.
- In short texts, systems that require a phrase to occur two or three times are run with one occurrence (BUAP: two), as
  they would find next to nothing.
- Keyphrase generators are trained on half a million abstracts of KP20k and do better on abstracts of its kind than on
  Inspec. Their printed values for Krapivin (400 papers) and KP20k (20,000 abstracts) are of other documents than the
  460 and 1,000 here, so they are not in the tables. They reach up to 36.0 and 37.0 in F@5 of present keyphrases
  (WR-One2Set, Xie et al. 2022).
- KeyBERT is not run because it loads its model from a hub; `embedrank` gives the same rankings at KeyBERT's settings
  (`tests/parity/test_keybert.py`).
"""
_CALIBRATION = """## Calibration

Three in ten phrases with probability .3 should be keyphrases. The calibration error is the mean distance between
probability and share of correct phrases in ten equal bins, weighted by bin size, for the first fifteen phrases of each
document. A phrase is correct if it matches a gold keyphrase of the main kind by stem. The noise floor is the mean error
of probabilities that are exactly right; no system can be shown to be better than that. In the diagrams, the bars around
the diagonal hold 95 of 100 bins with right probabilities, and numbers are phrases in a bin.
"""
_PROTOCOLS = """## Protocols

Signatures of the [protocols](protocols.md) that are named below the tables.
"""


def stored() -> list[Row]:
    """Return the rows of the study."""
    return list(STUDY.read(json.loads(RESULTS.read_text("utf-8"))["rows"]))


def unseen() -> Table:
    """Return the default beside the best other system on collections that were left out of its training."""
    return next(generality_tables.sheets(generality.STUDY.read(json.loads(UNSEEN.read_text("utf-8"))["rows"])))


def page(rows: list[Row]) -> str:
    """Return the whole page."""
    short = summary(rows)
    parts = [INTRO, _UNSEEN, text.markdown(unseen()), _SEEN, *([text.markdown(short)] if short else [])]
    for collection in COLLECTIONS:
        if any(isinstance(row, Score) and row.dataset == collection.data for row in rows):
            parts += [f"### {collection.data}: {collection.kind}\n", text.markdown(scores_table(collection, rows))]
    reliabilities = [row for row in rows if isinstance(row, Reliability)]
    if reliabilities:
        parts += [_CALIBRATION, text.markdown(calibration_table(reliabilities))]
    for row in shown(reliabilities):
        parts += [f"### {row.documents_of}\n", text.markdown(bins_table(row))]
        parts += [f"![{plot.title}]({PLOTS.name}/{plot.name}.svg)\n" for plot in plots([row])]
    return "\n".join([*parts, _PROTOCOLS, *signatures(rows)]).rstrip() + "\n"


def signatures(rows: list[Row]) -> Iterator[str]:
    """Yield a line for each protocol."""
    scores = [row for row in rows if isinstance(row, Score) and "|" in row.protocol]
    for name, signature in dict.fromkeys((protocol_name(row), row.protocol) for row in scores):
        yield f"- {name}: `{signature}`"


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
