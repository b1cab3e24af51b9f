"""Leave one domain out: the default's two tastes on collections whose domain neither saw, beside simple systems.

For everyday collections, trees for tags and gate are trained without their domain, in other languages than English
without all documents in the language; the trees for authors and readers never saw any of them. For papers, abstracts
and news, all trees and the gate are trained without the collection. Every second document is read as plain text.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from keywright.api.extracting import prepare_run
from keywright.calibration.calibration_error import compute_error, sum_bins
from keywright.catalogue import system_class
from keywright.core.arrays import Bools, Floats
from keywright.core.documents import GoldKeyphrase
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.core.predictions import Prediction
from keywright.evaluation.statistics.bootstrap import Resampling, draw_documents, percentile_interval
from keywright.experiments.study import PERCENT, Study, TableRow
from keywright.extraction.corpus.knowledge import ANY
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import mix_probabilities
from keywright.extraction.ranking.language_resources import load_shipped_ranker
from keywright.running.extraction import Extraction
from keywright.text.keys import gold_keys
from studies.everyday.judged_prose import correct_for_prose, describe_prose
from studies.everyday.left_out import HeldOut, fit_maps, leave_domains_out
from studies.everyday.study import CUTOFFS
from studies.everyday.tastes import (
    MOST,
    Described,
    describe_others,
    describe_tagged,
)
from studies.tables import lay_out_rows, list_uniform_records

FEWEST: Final = 20  # documents of a collection that are worth a row; arbitrary
RIVALS: Final = ("tfidf", "kpminer", "counting", "yake")
LEVEL: Final = 0.99
"""Level of the intervals of differences: with sixty collections, one in twenty would be clear by chance at .95."""


@dataclass(frozen=True, slots=True)
class Row(TableRow):
    """The default on a collection whose domain it never saw, beside the best of the simple systems.

    Attributes:
        collection: a data set, with the source within a mixed one.
        language: of the documents.
        documents: number of documents.
        measure: such as ``F@5``.
        value: of the default, mean over documents, 0 to 1.
        rival: the best of the simple systems.
        best: its value.
        low, high: ends of the interval of the difference, from resampling documents.
    """

    collection: str
    language: str
    documents: int
    measure: str
    value: float
    rival: str
    best: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """``above`` or ``below`` where the interval excludes 0."""
        return "above" if self.low > 0 else "below" if self.high < 0 else ""


@dataclass(frozen=True, slots=True)
class Calibration(TableRow):
    """Calibration of the first ten phrases of a collection, with maps that saw neither its domain nor its language.

    Attributes:
        declared: calibration error in ten equal bins where the mean number of its keyphrases is declared, 0 to 1.
        undeclared: without that number.
        probability: mean probability without it.
        right: share of the phrases that are keyphrases.
    """

    collection: str
    language: str
    documents: int
    declared: float
    undeclared: float
    probability: float
    right: float

    part: ClassVar[str] = "calibration"


def f_measure(hits: int, listed: int, gold: int) -> float:
    """Return F1 of one list."""
    return 2 * hits / (listed + gold) if hits else 0.0


def of_scores(described: Described, log_odds: Floats) -> list[float]:
    """Return F at each cutoff of the shortlist in the order of log-odds."""
    answers = described.answers[np.argsort(-log_odds, kind="stable")]
    return [f_measure(int(answers[:k].sum()), min(k, len(answers)), described.gold) for k in CUTOFFS]


def of_system(extraction: Extraction, described: Described) -> list[float]:
    """Return F at each cutoff of a system's list; 0 where it cannot read the document."""
    labelled = described.labelled
    language = labelled.document.language or "en"
    outcome = extraction(labelled.document)
    missing, hits = set(gold_keys(labelled.gold, language).tolist()), []
    for phrase in outcome.texts if isinstance(outcome, Prediction) else ():
        keys = missing & set(gold_keys([GoldKeyphrase((phrase,), "")], language).tolist())
        hits.append(bool(keys))
        missing -= keys
    return [f_measure(sum(hits[:k]), len(hits[:k]), described.gold) for k in CUTOFFS]


def language_of(described: Described) -> str:
    """Return the language of a document, English where none is stated."""
    return described.labelled.document.language or "en"


def rows(
    systems: Iterable[str] | None = None, *, progress: Progress | None = None, mirror: Path | None = None
) -> tuple[Row | Calibration, ...]:
    """Train without each domain and score; takes an hour on one core.

    Args:
        systems: simple systems; None for all.
        progress: called with the number of domains done, and 0.
        mirror: folder of data sets, where it is not the usual one.
    """
    folder = mirror or Path(os.environ["KEYWRIGHT_MIRROR"])
    rivals = {name: prepare_run(system_class(name)(), max(CUTOFFS)) for name in systems or RIVALS}
    return tuple(
        row for language in ("en", ANY) for row in rows_of_language(language, folder, rivals, progress or _ignore)
    )


def _ignore(_done: int, _total: int) -> None:
    """Show no progress."""


def rows_of_language(
    language: str, folder: Path, rivals: Mapping[str, Extraction], progress: Progress
) -> Iterator[Row | Calibration]:
    """Yield the rows of English, or of ``ANY`` other language; arguments as those of ``rows``."""
    documents = [*describe_tagged(language, folder, MOST), *describe_others(language, folder, MOST)]
    if language != "en":
        documents = [replace(d, domain=language_of(d)) if d.tagged else d for d in documents]
    documents += describe_prose(language)
    done: list[str] = []

    def count(domain: str) -> None:
        done.append(domain)
        progress(len(done), 0)

    trees = load_shipped_ranker(language).trees
    every = correct_for_prose(list(leave_domains_out(documents, language, trees, done=count)))
    by_collection: dict[tuple[str, str], list[HeldOut]] = {}
    for held_out in every:
        described = held_out.described
        if described.gold and (described.tagged or language == "en"):
            by_collection.setdefault((described.collection, language_of(described)), []).append(held_out)
    for (name, code), of_collection in by_collection.items():
        if len(of_collection) < FEWEST:
            continue
        values = [
            [of_scores(each.described, each.mixed), *(of_system(run, each.described) for run in rivals.values())]
            for each in of_collection
        ]
        yield from _rows(name, code, np.array(values), tuple(rivals))
        domain = of_collection[0].described.domain
        maps = fit_maps([d for d in every if d.described.domain != domain])
        yield _calibration(name, code, of_collection, maps)


def _calibration(
    collection: str, language: str, held_out: Sequence[HeldOut], maps: Sequence[ProbabilityMap]
) -> Calibration:
    """Return the calibration of the first phrases, with and without the number of keyphrases declared."""
    number = max(1.0, float(np.mean([each.described.gold for each in held_out])))
    declared: list[Floats] = []
    undeclared: list[Floats] = []
    right: list[Bools] = []
    for each in held_out:
        first = np.argsort(-each.mixed, kind="stable")[: max(CUTOFFS)]
        share = np.full(len(first), each.share_of_prose)
        undeclared.append(mix_probabilities(maps, each.mixed[first], share))
        declared.append(mix_probabilities(maps, each.mixed[first] + np.log(number / each.expected), share))
        right.append(each.described.answers[first])
    answers = np.concatenate(right)
    of_declared, of_undeclared = (
        float(compute_error(sum_bins(np.concatenate(parts), answers))) for parts in (declared, undeclared)
    )
    mean = float(np.concatenate(undeclared).mean())
    return Calibration(collection, language, len(held_out), of_declared, of_undeclared, mean, float(answers.mean()))


def _rows(collection: str, language: str, values: Floats, rivals: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each measure; values are (documents, default and rivals, cutoffs)."""
    draws = np.concatenate(tuple(draw_documents(len(values), Resampling(level=LEVEL))))
    means = values.mean(axis=0)
    for place, cutoff in enumerate(CUTOFFS):
        best = int(np.argmax(means[1:, place]))
        differences = draws @ (values[:, 0, place] - values[:, 1 + best, place]) / len(values)
        low, high = percentile_interval(differences[:, None], LEVEL)[:, 0].tolist()
        value, of_best = float(means[0, place]), float(means[1 + best, place])
        yield Row(collection, language, len(values), f"F@{cutoff}", value, rivals[best], of_best, low, high)


def sheets(rows: Sequence[Row | Calibration]) -> Iterator[Table]:
    """Yield a table for each measure, and how many collections are above and below; then calibration."""
    scores = [row for row in rows if isinstance(row, Row)]
    for measure in dict.fromkeys(row.measure for row in scores):
        chosen = [row for row in scores if row.measure == measure]
        above, below = (sum(row.verdict == verdict for row in chosen) for verdict in ("above", "below"))
        ours = PERCENT * float(np.mean([row.value for row in chosen]))
        best = PERCENT * float(np.mean([row.best for row in chosen]))
        caption = (
            f"{measure} in percent of the default on domains and languages left out, beside the best of"
            f" {', '.join(RIVALS)} on each collection: mean {ours:.1f} and {best:.1f};"
            f" clearly above on {above} of {len(chosen)}, below on {below}"
            f" ({LEVEL:.0%}, paired bootstrap)."
        )
        yield lay_out_rows(caption, chosen, _COLUMNS, ("collection", "language", "best other", "clearly"))

    calibrations = [row for row in rows if isinstance(row, Calibration)]
    if calibrations:
        declared, undeclared = (
            float(np.median([getattr(row, name) for row in calibrations])) for name in ("declared", "undeclared")
        )
        caption = (
            f"Calibration error of the first ten phrases, by maps fitted on other domains and languages: median"
            f" {declared:.3f} with the collection's mean number of keyphrases declared, {undeclared:.3f} without."
        )
        yield lay_out_rows(caption, calibrations, _CALIBRATION, ("collection", "language"))


def _percent(name: str, row: Row) -> str:
    return f"{PERCENT * getattr(row, name):.1f}"


_COLUMNS: Final[Mapping[str, Callable[[Row], str]]] = {
    "collection": lambda row: row.collection,
    "language": lambda row: row.language,
    "documents": lambda row: str(row.documents),
    "default": partial(_percent, "value"),
    "best other": lambda row: row.rival,
    "its value": partial(_percent, "best"),
    "difference": lambda row: (
        f"{PERCENT * (row.value - row.best):+.1f} ({PERCENT * row.low:.1f} to {PERCENT * row.high:.1f})"
    ),
    "clearly": lambda row: row.verdict,
}

_CALIBRATION: Final[Mapping[str, Callable[[Calibration], str]]] = {
    "collection": lambda row: row.collection,
    "language": lambda row: row.language,
    "documents": lambda row: str(row.documents),
    "declared": lambda row: f"{row.declared:.3f}",
    "not declared": lambda row: f"{row.undeclared:.3f}",
    "mean probability": lambda row: f"{row.probability:.3f}",
    "share correct": lambda row: f"{row.right:.3f}",
}

STUDY: Final = Study("everyday-domains", rows, (Row, Calibration), sheets, lines=list_uniform_records)
