"""The page with the calibration study of keyphrase generators, made from stored results.

KEYWRIGHT_MIRROR=... keywright reproduce kpg-calibration --json -o benchmarks/results/kpg-calibration.json
python tools/kpg_calibration_page.py          writes docs/reference/kpg-calibration.md
python tools/kpg_calibration_page.py --check  ends with 1 if this is not what would be written
"""

import json
import sys
from pathlib import Path

from keywright.catalogue import system_class
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments.publishing import publish
from keywright.experiments.rows import Row

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "kpg-calibration.md"
RESULTS = ROOT / "benchmarks" / "results" / "kpg-calibration.json"
INTRO = """# Calibration of keyphrase generators, computed again

<!-- Written by tools/kpg_calibration_page.py from benchmarks/results/kpg-calibration.json: change those, not this. -->

Kundu, Ray Chowdhury and Caragea
([Neural Keyphrase Generation: Analysis and Evaluation](https://arxiv.org/abs/2304.13883)) compare five generators:
ExHiRD (`exhird`), Transformer One2Seq (`one2seq`) and One2Set (`one2set`), `bart` and `t5`. Here are their tables 1 to
3 and the numbers behind figures 1, 2 and 4, computed from the predictions that the authors released
(`keywright reproduce kpg-calibration`), beside what they print. `exhird-seed2`, `t5-seed2` and `t5-large` are other
runs in the same release. Predictions have no licence and are not part of keywright: they are found in the folder
`kpg_predictions` of `KEYWRIGHT_MIRROR`. None are released for KP20k, whose numbers are the printed ones.

*Clean* is the definition: repeats dropped, one decision a phrase, confidence the inverse of KPP-s, ten equal bins. *As
published* repeats what the study's numbers come from, and gives them within .05 for `one2seq`, `one2set` and `bart`
(but for one printed cell, see below), within .2 for `t5` and within 1 for `exhird`. What the rows of `one2seq` and
`one2set` measure is not confidence in keyphrases: every token is scored as one, separators too, with the product of all
probabilities since the output began, and each time it comes, while only different tokens count in the divisor.
Intervals draw documents anew; the noise floor is the error that exact probabilities would show on as many phrases.

What this shows: ExHiRD and One2Seq are the best calibrated, One2Set is the worst on ordinary documents, and the errors
of `bart` and `t5` on present keyphrases of Krapivin are a matter of documents that degenerate, and of the seed.
"""


def page() -> str:
    """The whole page."""
    found = json.loads(RESULTS.read_text("utf-8"))
    rows = [Row.of(record) for record in found["rows"]]
    return f"{INTRO}\n{publish(found['table'], rows, Publication.MARKDOWN, system_class)}".rstrip() + "\n"


def main() -> None:
    """Write or check."""
    made = page()
    if "--check" not in sys.argv:
        PAGE.write_text(made, "utf-8")
    elif PAGE.read_text("utf-8") != made:
        sys.exit(f"{PAGE.name} is not what {RESULTS.name} gives")


if __name__ == "__main__":
    main()
