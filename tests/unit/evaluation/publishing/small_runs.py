"""Two documents and two runs, small enough to score by hand."""

from dataclasses import replace

from tests.builders import run

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.predictions import Run
from keywright.evaluation.measures.counts import at
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import Average
from keywright.evaluation.run_formats.pairing import pair_with_gold
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.comparison import compare
from keywright.evaluation.statistics.significance import add_intervals

PROTOCOL = replace(KEYWRIGHT_1, name="small", measures=at(5), average=(Average.MICRO,))
ODD = "<script>alert('x')</script> & 100 % $a_b$ {c} #1 ~ ^ \\ | \" *"
LABELLED = (
    LabelledDocument(
        Document("A", "The tide rises. A deep sea lies below.", meta={"category": "water"}),
        (GoldKeyphrase(("deep sea",), "author"), GoldKeyphrase(("tide", "tidal flow"), "author")),
    ),
    LabelledDocument(
        Document("B", "A storm came over the rain gauges.", meta={"category": "air"}),
        tuple(GoldKeyphrase((text,), "author") for text in ("storm", "rain gauge", ODD)),
    ),
)


# Hits 2, predictions count 10, gold 5: P .2, R .4, F .2667.
FIRST = run({"A": ("tides", "storm"), "B": ("storm",)}, "first|v0")
SECOND = run({"A": ("ice",), "B": ("ice", "a storm")}, "second|v0")


def scored(given: Run = FIRST):
    """The report with intervals, and what was scored."""
    judged = pair_with_gold(given, LABELLED, dict)
    return add_intervals(judged.report(PROTOCOL), PROTOCOL, Resampling(samples=50)), judged


def comparison(**names: Run):
    """A comparison of runs by name."""
    reports = {name: scored(given)[0] for name, given in (names or {"one": FIRST, "two": SECOND}).items()}
    return compare(reports, PROTOCOL, Resampling(samples=50))
