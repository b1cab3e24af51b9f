"""SemEval-2010 Task 5 again: every described system, KEA and the baselines, beside the published tables 3 to 8.

Each system with its usual parameters is trained on the 144 training papers and scored on the 100 test papers by the
official rules, with intervals from resampling papers within their categories; so are the variants of its record, where
they differ. Participants without a description are shown with their published scores only.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from keywright.core.errors import needs_extra
from keywright.core.interfaces import Extractor, Progress, needs_of
from keywright.evaluation.answers import make_gold_sets
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import add_intervals
from keywright.experiments.semeval2010_records import CUTOFFS, KINDS, TABLE, read_notes, read_printed, read_records
from keywright.experiments.semeval2010_task import (
    RULES,
    TEST,
    TRAIN,
    fit_system,
    predict_phrases,
    score_officially,
    shared_papers,
)
from keywright.experiments.study import PERCENT, Row, run_units
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.systems.default import Default

NAME: Final = TABLE
UNDESCRIBED: Final = ("icl", "ju_cse", "ukp")
BESIDE: Final = ("kea", "counting", "default", "default-strict144")
"""Systems beside the participants."""

OURS: Final[Mapping[str, Callable[[], Any]]] = {
    "default": lambda: Default(style="reader"),
    "default-strict144": lambda: Default(style="reader", knowledge=Knowledge.without_choices()),
}
"""Our extractor as it ships, and trained on the 144 training papers alone, in the style of the combined answers."""

_MAIN: Final = "F@15"

Find: TypeAlias = Callable[[str], type[Extractor]]


SEEDS: Final[Mapping[str, Sequence[int]]] = {"unice": (1, 2, 3, 4, 5)}
"""Seeds of systems whose scores move with it; five, as the specification of the table asks."""


class Entry(NamedTuple):
    """A line of the table: a system, and the name of a variant; empty for the default."""

    system: str
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one system: a report of all test papers, with intervals, and one of each category's papers."""

    report: Report
    categories: Mapping[str, Report]


def evaluate_entry(entry: Entry, *, find: Find, mirror: Path | None = None) -> Result:
    """Train a system by its name and score it; the categories are those of a default only."""
    name, variant = entry
    if variant == name_seeds(name):
        return Result(_average_seeds(name, find=find, mirror=mirror), {})
    system: Any = OURS[name]() if name in OURS else find(name)()
    if variant:
        system = replace(system, **read_records()[name].variants[variant])
    train, test = (shared_papers(split, mirror, "tags" in system.needs) for split in (TRAIN, TEST))
    predictions = predict_phrases(system if name == "default" else fit_system(system, train), test)
    category = {paper.id: str(paper.document.source.meta["category"]) for paper in test}
    report = add_intervals(score_officially(predictions, make_gold_sets(test)), RULES, Resampling(), category)
    categories = {}
    for letter in () if variant else sorted(set(category.values())):
        papers = [paper for paper in test if category[paper.id] == letter]
        of_papers = [prediction for prediction in predictions if category[prediction.document_id] == letter]
        categories[letter] = score_officially(of_papers, make_gold_sets(papers))
    return Result(report, categories)


def name_seeds(name: str) -> str:
    """Return the name of the variant that is the mean over seeds; of systems without one, a name that none has."""
    return f"mean of {len(SEEDS[name])} seeds" if name in SEEDS else "no seeds"


def _average_seeds(name: str, *, find: Find, mirror: Path | None) -> Report:
    """Return a report whose values are means over seeds, and whose intervals are the lowest and highest value."""
    system: Any = find(name)()
    train, test = (shared_papers(split, mirror, "tags" in system.needs) for split in (TRAIN, TEST))
    seeded = (fit_system(replace(system, seed=seed), train) for seed in SEEDS[name])
    gold = make_gold_sets(test)
    reports = [score_officially(predict_phrases(system, test), gold) for system in seeded]
    values = {name: [report.values[name] for report in reports] for name in reports[0].values}
    means = {name: sum(each) / len(each) for name, each in values.items()}
    return replace(reports[0], values=means, intervals={name: (min(each), max(each)) for name, each in values.items()})


def list_entries(name: str) -> list[Entry]:
    """Return the lines of a system: its default, its variants, and the mean over seeds where scores move with it."""
    record = read_records().get(name)
    variants = [*(record.variants if record else ()), *((name_seeds(name),) if name in SEEDS else ())]
    return [Entry(name), *(Entry(name, variant) for variant in variants)]


def compute_semeval(
    systems: Collection[str] | None = None,
    progress: Progress | None = None,
    mirror: Path | None = None,
    *,
    find: Find,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Compute published and our scores: P, R, F at 5, 10, 15 for each kind of gold, and F at 15 by category.

    Rows of a variant (``records``) follow those of its system's default. With all participants, the last rows are
    Spearman's correlation of our F@15 with the published. Systems are of the catalogue, by default those of the shared
    task. ``find`` must pickle where ``jobs`` is more than one.
    """
    printed = read_printed()
    listed = (*printed, *BESIDE)
    chosen = [name for name in listed if not systems or name in systems]
    chosen += [name for name in systems or () if name not in listed]
    ours = [name for name in chosen if name not in UNDESCRIBED]
    tagged = "tags" in frozenset[str]().union(*(needs_of(find(name)) for name in ours if name not in OURS))
    for split in (TRAIN, TEST):
        shared_papers(split, mirror, tagged)  # tagged once, before processes ask for them
    units = [entry for name in ours for entry in list_entries(name)]
    results = dict(run_units(partial(evaluate_entry, find=find, mirror=mirror), units, progress, jobs))
    lines = [row for name in chosen for row in _list_rows(Entry(name), printed.get(name, {}), results)]
    return (*lines, *_correlate_rankings(lines, printed))


def _list_rows(entry: Entry, printed: Mapping[str, Any], results: Mapping[Entry, Result]) -> Iterator[Row]:
    yield from _make_rows(entry, printed, results.get(entry))
    for variant in results:
        if variant.system == entry.system and variant.variant:
            yield from _make_rows(variant, printed, results[variant])


def _make_rows(entry: Entry, printed: Mapping[str, Any], result: Result | None) -> Iterator[Row]:
    """Yield the scores of one line."""
    name, variant = entry
    note = read_notes().get(name, "") if not variant else ""
    for gold in KINDS:
        for place, cutoff in enumerate(CUTOFFS):
            for measure in ("P", "R", "F"):
                number = printed[gold][measure][place] if gold in printed else None
                value = f"{measure}@{cutoff}"
                ours, ends = (None, None) if result is None else _find_value(result.report, f"{gold}/{value}")
                yield Row(value, number, ours, name, gold, TEST, note=note, interval=ends, variant=variant or None)
    if variant:
        return
    for gold in KINDS:
        by_category = printed.get(f"{gold}_by_category", {})
        for letter in sorted(result.categories if result else by_category):
            number = by_category.get(letter)
            ours = None if result is None else _find_value(result.categories[letter], f"{gold}/{_MAIN}")[0]
            yield Row(_MAIN, number, ours, name, gold, TEST, category=letter)


def _find_value(report: Report, name: str) -> tuple[float, tuple[float, float] | None]:
    """Return a value and its interval in percent, to two decimals as the official script prints."""
    low, high = report.intervals.get(name, (None, None))
    ends = None if low is None or high is None else (round(PERCENT * low, 2), round(PERCENT * high, 2))
    return round(PERCENT * report.values[name], 2), ends


def _correlate_rankings(lines: Sequence[Row], printed: Mapping[str, Any]) -> Iterator[Row]:
    """Yield Spearman's correlation of our F@15 with the published, if all described participants are there."""
    with needs_extra("eval", "correlations need scipy"):
        from scipy import stats  # noqa: PLC0415  (half a second, and only whole tables need it)

    participants = [name for name, scores in printed.items() if "rank" in scores and name not in UNDESCRIBED]
    for gold in KINDS:
        pairs = {
            row.system: (row.published, row.ours)
            for row in lines
            if (row.measure, row.gold, row.category, row.variant) == (_MAIN, gold, None, None)
            and row.system in participants
        }
        if len(pairs) == len(participants):
            theirs, ours = np.array([pairs[name] for name in participants], float).T
            rho = round(float(stats.spearmanr(theirs, ours).statistic), 4)
            note = f"ranking of {len(pairs)} participants by {_MAIN}, ours against published"
            yield Row("spearman", None, rho, None, gold, TEST, note=note)
