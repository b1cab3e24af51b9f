"""SemEval-2010 Task 5 again: every described system, KEA and the baselines, beside the published tables 3 to 8.

Each system with its usual parameters is trained on the 144 training papers and scored on the 100 test papers by the
official rules, with intervals from resampling papers within their categories. Participants without a description are
shown with their published scores only.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.core.errors import unknown
from keywright.core.interfaces import Extractor, Progress, needs_of
from keywright.core.parameters import parameters
from keywright.corpus.knowledge import Knowledge
from keywright.evaluation.formats.gold_sets import gold_sets
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import with_intervals
from keywright.experiments.layouts import PERCENT
from keywright.experiments.semeval2010.known_scores import CUTOFFS, KINDS, TABLE, notes, published
from keywright.experiments.semeval2010.options import OPTIONS
from keywright.experiments.semeval2010.task import (
    RULES,
    TEST,
    TRAIN,
    Labelled,
    analysed,
    fitted,
    held_out_scores,
    official_report,
    predicted,
)
from keywright.experiments.study import Row, run_units
from keywright.systems.default import Default

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


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one system: a report of all test papers, with intervals, and one of each category's papers."""

    report: Report
    categories: Mapping[str, Report]


def evaluate(name: str, *, find: Find, mirror: Path | None = None) -> Result:
    """Train a system by its name and score it."""
    system = OURS[name]() if name in OURS else find(name)()
    train, test = (_papers(split, mirror, "tags" in system.needs) for split in (TRAIN, TEST))
    predictions = predicted(system if name == "default" else fitted(system, train), test)
    category = {paper.id: str(paper.document.source.meta["category"]) for paper in test}
    report = with_intervals(official_report(predictions, gold_sets(test)), RULES, Resampling(), category)
    categories = {}
    for letter in sorted(set(category.values())):
        papers = [paper for paper in test if category[paper.id] == letter]
        of_papers = [prediction for prediction in predictions if category[prediction.document_id] == letter]
        categories[letter] = official_report(of_papers, gold_sets(papers))
    return Result(report, categories)


def evaluate_change(change: tuple[str, str | None, Any], *, find: Find, mirror: Path | None = None) -> dict[str, float]:
    """Score a system, one parameter changed (None: unchanged), on held-out folds of the training papers, in percent."""
    name, option, value = change
    system: Any = find(name)()
    system = replace(system, **{option: value}) if option else system
    return held_out_scores(system, _papers(TRAIN, mirror, "tags" in system.needs))


def rows(
    systems: Collection[str] | None = None,
    progress: Progress | None = None,
    mirror: Path | None = None,
    *,
    find: Find,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Compute published and our scores: P, R, F at 5, 10, 15 for each kind of gold, and F at 15 by category.

    With all participants, the last rows are Spearman's correlation of our F@15 with the published. Systems are of the
    catalogue, by default those of the shared task. ``find`` must pickle where ``jobs`` is more than one.
    """
    printed = published()
    listed = (*printed, *BESIDE)
    chosen = [name for name in listed if not systems or name in systems]
    chosen += [name for name in systems or () if name not in listed]
    ours = [name for name in chosen if name not in UNDESCRIBED]
    tagged = "tags" in frozenset[str]().union(*(needs_of(find(name)) for name in ours if name not in OURS))
    _ = _papers(TRAIN, mirror, tagged), _papers(TEST, mirror, tagged)  # tagged once, before processes ask for them
    results = dict(run_units(partial(evaluate, find=find, mirror=mirror), ours, progress, jobs))
    lines = [row for name in chosen for row in _rows(name, printed.get(name, {}), results.get(name))]
    return (*lines, *_agreement(lines, printed))


def ablations(
    systems: Collection[str] | None = None,
    progress: Progress | None = None,
    mirror: Path | None = None,
    *,
    find: Find,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Measure each feature and open option: F on held-out folds of the training papers, one change at a time."""
    listed = [name for name in (*published(), *BESIDE) if name not in (*UNDESCRIBED, *OURS)]
    for name in systems or ():
        if name not in listed:
            raise unknown("system of this table", name, listed, f"keywright reproduce {NAME}")
    chosen = [name for name in listed if not systems or name in systems]
    changes = [change for name in chosen for change in _changes(name, find(name))]
    _ = _papers(TRAIN, mirror, "tags" in frozenset[str]().union(*(needs_of(find(name)) for name in chosen)))
    measured: list[Row] = []
    unchanged: dict[str, float] = {}
    for (name, option, value), values in run_units(
        partial(evaluate_change, find=find, mirror=mirror), changes, progress, jobs
    ):
        unchanged = unchanged if option else values
        variant = variant_of(option, value)
        for measure in (f"F@{cutoff}" for cutoff in CUTOFFS):
            ours, plain = (round(numbers[f"combined/{measure}"], 2) for numbers in (values, unchanged))
            note = f"{ours - plain:+.2f} against the usual values" if option else "the usual values"
            measured.append(Row(measure, None, ours, name, "combined", TRAIN, variant=variant, note=note))
    return tuple(measured)


@lru_cache(maxsize=4)
def _papers(split: str, mirror: Path | None, tagged: bool) -> Labelled:  # noqa: FBT001 - the cache's key
    return analysed(split, mirror, tagged=tagged)


def _rows(name: str, printed: Mapping[str, Any], result: Result | None) -> Iterator[Row]:
    note = notes().get(name, "")
    for gold in KINDS:
        for place, cutoff in enumerate(CUTOFFS):
            for measure in ("P", "R", "F"):
                number = printed[gold][measure][place] if gold in printed else None
                value = f"{measure}@{cutoff}"
                ours, ends = (None, None) if result is None else _value(result.report, f"{gold}/{value}")
                yield Row(value, number, ours, name, gold, TEST, note=note, interval=ends)
    for gold in KINDS:
        by_category = printed.get(f"{gold}_by_category", {})
        for letter in sorted(result.categories if result else by_category):
            number = by_category.get(letter)
            ours = None if result is None else _value(result.categories[letter], f"{gold}/{_MAIN}")[0]
            yield Row(_MAIN, number, ours, name, gold, TEST, category=letter)


def _value(report: Report, name: str) -> tuple[float, tuple[float, float] | None]:
    """Return a value and its interval in percent, to two decimals as the official script prints."""
    low, high = report.intervals.get(name, (None, None))
    ends = None if low is None or high is None else (round(PERCENT * low, 2), round(PERCENT * high, 2))
    return round(PERCENT * report.values[name], 2), ends


def _agreement(lines: Sequence[Row], printed: Mapping[str, Any]) -> Iterator[Row]:
    """Yield Spearman's correlation of our F@15 with the published, if all described participants are there."""
    from scipy import stats  # noqa: PLC0415  (half a second, and only whole tables need it)

    participants = [name for name, scores in printed.items() if "rank" in scores and name not in UNDESCRIBED]
    for gold in KINDS:
        pairs = {
            row.system: (row.published, row.ours)
            for row in lines
            if (row.measure, row.gold, row.category) == (_MAIN, gold, None) and row.system in participants
        }
        if len(pairs) == len(participants):
            theirs, ours = np.array([pairs[name] for name in participants], float).T
            rho = round(float(stats.spearmanr(theirs, ours).statistic), 4)
            note = f"ranking of {len(pairs)} participants by {_MAIN}, ours against published"
            yield Row("spearman", None, rho, None, gold, TEST, note=note)


def variant_of(option: str | None, value: Any) -> str:
    """Return the name of a change, such as ``cutoff=850`` or ``without=tfidf``."""
    if option is None:
        return "usual"
    return f"{option}={','.join(map(str, value)) if isinstance(value, tuple) else value}"


def _changes(name: str, kind: Any) -> Iterator[tuple[str, str | None, Any]]:
    """Yield a system unchanged, without each of its features, and with each other value of its options."""
    yield name, None, None
    if any(parameter.name == "without" for parameter in parameters(kind)):
        for column in kind.columns:
            yield name, "without", (column,)
    for option, values in OPTIONS.get(name, {}).items():
        for value in values:
            yield name, option, value
