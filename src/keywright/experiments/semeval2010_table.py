"""SemEval-2010 Task 5 again: every described system, KEA and the baselines, beside the published tables 3 to 8."""

import ast
import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.core import pages
from keywright.core.errors import needs_extra
from keywright.core.interfaces import Progress, needs_of
from keywright.core.pages import Table
from keywright.core.word_lists import read_pairs
from keywright.evaluation.answers import make_gold_sets
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import add_intervals
from keywright.experiments import study
from keywright.experiments.semeval2010_records import CUTOFFS, KINDS, TABLE, read_notes, read_printed, read_records
from keywright.experiments.semeval2010_task import (
    BESIDE,
    OURS,
    RULES,
    TEST,
    TRAIN,
    UNDESCRIBED,
    Find,
    ablate_systems,
    fit_system,
    name_variant,
    predict_phrases,
    score_officially,
    shared_papers,
)
from keywright.experiments.study import Row

_MAIN: Final = "F@15"

SEEDS: Final[Mapping[str, Sequence[int]]] = {"unice": (1, 2, 3, 4, 5)}
"""Seeds of systems whose scores move with it; five, as the specification of the table asks."""


class Entry(NamedTuple):
    """A line of the table: a system, and the name of a variant; empty for the default."""

    system: str
    variant: str = ""


class Result(NamedTuple):
    """A report of all test papers, with intervals, and one of each category's papers, by letter."""

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
    train, test = (shared_papers(split, mirror, tagged="tags" in system.needs) for split in (TRAIN, TEST))
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
    train, test = (shared_papers(split, mirror, tagged="tags" in system.needs) for split in (TRAIN, TEST))
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

    Rows of a variant follow those of its system's default; with all participants, the last rows are Spearman's
    correlation of our F@15 with the published. ``find`` must pickle where ``jobs`` is more than one.
    """
    printed = read_printed()
    listed = (*printed, *BESIDE)
    chosen = [name for name in listed if not systems or name in systems]
    chosen += [name for name in systems or () if name not in listed]
    ours = [name for name in chosen if name not in UNDESCRIBED]
    tagged = "tags" in frozenset[str]().union(*(needs_of(find(name)) for name in ours if name not in OURS))
    for split in (TRAIN, TEST):
        shared_papers(split, mirror, tagged=tagged)  # tagged once, before processes ask for them
    units = [entry for name in ours for entry in list_entries(name)]
    results = dict(study.run_units(partial(evaluate_entry, find=find, mirror=mirror), units, progress, jobs))
    lines: list[Row] = []
    for name in chosen:
        for entry in [Entry(name), *(entry for entry in results if entry.system == name and entry.variant)]:
            lines += _make_rows(entry, printed.get(name, {}), results.get(entry))
    return (*lines, *_correlate_rankings(lines, printed))


def _make_rows(entry: Entry, printed: Mapping[str, Any], result: Result | None) -> Iterator[Row]:
    name, variant = entry
    note = read_notes().get(name, "") if not variant else ""
    for gold in KINDS:
        for index, cutoff in enumerate(CUTOFFS):
            for measure in ("P", "R", "F"):
                number = printed[gold][measure][index] if gold in printed else None
                row = Row(f"{measure}@{cutoff}", number, None, name, gold, TEST, note=note, variant=variant or None)
                yield row if result is None else _fill_row(row, result.report)
    for gold in () if variant else KINDS:
        by_category = printed.get(f"{gold}_by_category", {})
        for letter in sorted(result.categories if result else by_category):
            row = Row(_MAIN, by_category.get(letter), None, name, gold, TEST, category=letter)
            yield row if result is None else _fill_row(row, result.categories[letter])


def _fill_row(row: Row, report: Report) -> Row:
    """Return a row with our value and its interval in percent, to two decimals as the official script prints."""
    name = f"{row.gold}/{row.measure}"
    ends = report.intervals.get(name)
    interval = None if ends is None else study.round_ends(ends, 2, study.PERCENT)
    return replace(row, ours=round(study.PERCENT * report.values[name], 2), interval=interval)


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


_NUMBERS: Final = {"combined": "4", "reader": "5", "author": "6"}
_CATEGORY_NUMBERS: Final = {"combined": "7", "reader": "8"}  # numbers of the tables of the task paper
_CATEGORIES: Final = read_pairs("experiments/names.txt", "CATEGORIES")


def lay_out_semeval(rows: Sequence[Row], find: Callable[[str], type]) -> Iterator[Table]:
    """Lay out scores as the papers print them, variants, reasons and parts of systems; ablations one line each."""
    if any(row.dataset == TRAIN for row in rows):
        yield study.lay_out_records(TABLE, [row.record() for row in rows])
        return
    defaults = [row for row in rows if row.variant is None]
    systems = list(dict.fromkeys(row.system for row in defaults if row.system))
    for gold in KINDS:
        yield _lay_out_scores([row for row in defaults if row.gold == gold and row.category is None], gold)
    for gold, number in _CATEGORY_NUMBERS.items():
        names = "; ".join(f"{letter}: {name}" for letter, name in _CATEGORIES.items())
        caption = f"Table {number} of the task: {gold} keyphrases by ACM category, F@15 in percent. {names}."
        chosen = [row for row in defaults if row.gold == gold and (row.category or row.measure == _MAIN)]
        columns = [f"{letter} {whose}" for letter in _CATEGORIES for whose in ("published", "ours")]
        yield study.lay_out_cross(
            caption, ("system",), chosen, _name_line, lambda row: _write_both(row, str(row.category)), columns
        )
    if varied := {row.system for row in rows if row.variant}:
        caption = (
            "Readings of a system, where they differ: our default (decision 0012), literal (every step as its paper "
            "states it), best on training (the values that cross-validation on the 144 training papers prefers). The "
            "interval of a mean over seeds is the lowest and the highest of them."
        )
        values = [*(f"combined F@{cutoff}" for cutoff in CUTOFFS), f"reader {_MAIN}", f"author {_MAIN}"]
        heads, columns = ("system", "reading", "parameters"), ["published @15", *values, "interval @15"]
        chosen = [row for row in rows if row.system in varied and row.category is None]
        yield study.lay_out_cross(caption, heads, chosen, _name_reading, _write_reading, columns)
    if reasons := [(_find_printed_name(name), read_notes()[name]) for name in systems if name in read_notes()]:
        yield Table.make("Why ours differs from the published scores.", ("system", "why"), reasons, words=2)
    caption = "Parts of each system, by the names of shared parts in the code (compare table 9 of the task)."
    parts = {name: find_parts(find(name)) for name in systems if name not in (*UNDESCRIBED, *OURS)}
    lines = ((_find_printed_name(name), *map(", ".join, used.values())) for name, used in parts.items())
    yield Table.make(caption, ("system", *ROOMS.values()), lines, words=1 + len(ROOMS))


def _name_line(row: Row) -> tuple[str]:
    return (_find_printed_name(row.system or ""),)


def _find_printed_name(name: str) -> str:
    return str(read_printed().get(name, {}).get("printed", name))


def _write_both(row: Row, name: str) -> dict[str, str]:
    """Return the published score with one decimal, as the papers print it, and ours with two."""
    return {
        f"{name} published": study.format_decimal(row.published, 1),
        f"{name} ours": study.format_decimal(row.ours, 2),
    }


def _lay_out_scores(rows: Sequence[Row], gold: str) -> Table:
    """Return F at 5, 10 and 15 for a kind of gold, published and ours, with the interval at 15 and both ranks."""
    ranks: dict[str | None, int] = {name: scores["rank"] for name, scores in read_printed().items() if "rank" in scores}
    main = {row.system: row.ours for row in rows if row.measure == _MAIN and row.system in ranks}
    descending = sorted((value for value in main.values() if value is not None), reverse=True)

    def write(row: Row) -> dict[str, str]:
        cells = _write_both(row, row.measure)
        if row.measure == _MAIN:
            ours = main.get(row.system)
            cells["rank"] = str(ranks.get(row.system, ""))
            cells["our rank"] = "" if ours is None else str(descending.index(ours) + 1)  # equal values share a rank
            cells["interval @15"] = study.format_interval(row.interval, 1)
            cells["difference @15"] = "" if row.difference is None else f"{row.difference:+.2f}"
        return cells

    scores = [f"F@{cutoff} {whose}" for cutoff in CUTOFFS for whose in ("published", "ours")]
    caption = f"Table {_NUMBERS[gold]} of the task: {gold} keyphrases, F in percent on the 100 test papers."
    for row in rows:
        if row.measure == "spearman":
            caption += f" Spearman's correlation of the two rankings: {row.ours:.2f}."
    columns = ("rank", "our rank", *scores, "interval @15", "difference @15")
    return study.lay_out_cross(caption, ("system",), [row for row in rows if row.system], _name_line, write, columns)


def _name_reading(row: Row) -> tuple[str, ...]:
    values = read_records()[row.system or ""].variants.get(row.variant or "", {})
    return (*_name_line(row), row.variant or "default", ", ".join(name_variant(*each) for each in values.items()))


def _write_reading(row: Row) -> dict[str, str]:
    cells = {f"{row.gold} {row.measure}": study.format_decimal(row.ours, 2)}
    if (row.gold, row.measure) == ("combined", _MAIN):
        cells["published @15"] = study.format_decimal(row.published, 1)
        cells["interval @15"] = study.format_interval(row.interval, 1)
    return cells


def draw_scores(rows: Sequence[Row]) -> Iterator[study.Plot]:
    """Draw F@15 against each kind of gold, published beside ours."""
    for gold in dict.fromkeys(row.gold for row in rows):
        chosen = [
            row for row in rows if (row.gold, row.measure, row.category, row.variant) == (gold, _MAIN, None, None)
        ]
        published, ours = (
            [None if percent is None else percent / study.PERCENT for percent in scores]
            for scores in ([row.published for row in chosen], [row.ours for row in chosen])
        )
        title, name = f"{_MAIN} against {gold} keyphrases, in the published order", f"{gold}-f15"
        series = [("published", published), ("ours", ours)]
        svg = pages.draw_bars(title, [str(row.system) for row in chosen], series, name)
        yield study.Plot(name, title, svg, f"Against {gold} keyphrases")


ROOMS: Final = read_pairs("experiments/names.txt", "ROOMS")  # names of the rooms in tables, by package

_EVERYWHERE: Final = frozenset(
    "rank order_of rows_of training_rows matrix chosen_columns fit_system fitted not_fitted".split()
)
"""Plumbing that every system uses."""


def find_parts(system: type) -> dict[str, tuple[str, ...]]:
    """Return names of other rooms that a system's class and its bases use, by room; also by helpers in their files."""
    used: dict[str, dict[str, None]] = {room: {} for room in ROOMS.values()}
    pending: list[Any] = [cls for cls in system.__mro__ if cls.__module__.startswith("keywright.extraction.systems.")]
    for definition in pending:  # grows by the helpers that are used
        around = vars(sys.modules[definition.__module__])
        nodes = ast.walk(ast.parse(inspect.getsource(definition)))
        for name in sorted({node.id for node in nodes if isinstance(node, ast.Name)} - _EVERYWHERE):
            value = around.get(name)
            package = getattr(value, "__module__", None) or ""
            room = ROOMS.get(".".join(package.split(".")[:3]))
            if not (inspect.isfunction(value) or inspect.isclass(value)):
                continue
            if room:
                used[room][name] = None
            elif package == definition.__module__ and value not in pending:
                pending.append(value)
    return {room: tuple(sorted(names)) for room, names in used.items()}


STUDY: Final = study.Study(TABLE, compute_semeval, tables=lay_out_semeval, plots=draw_scores, ablations=ablate_systems)
