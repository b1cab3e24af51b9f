"""Layout of the shared task as its papers print it: one table for each kind of gold, one by category."""

import inspect
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from keywright.core import pages
from keywright.core.pages import Cell, Table
from keywright.experiments.semeval2010_ablations import ablate_systems, name_variant
from keywright.experiments.semeval2010_records import CUTOFFS, KINDS, read_notes, read_printed, read_records
from keywright.experiments.semeval2010_table import NAME, OURS, UNDESCRIBED
from keywright.experiments.semeval2010_table import compute_semeval as make_rows
from keywright.experiments.semeval2010_task import TRAIN
from keywright.experiments.study import (
    Lines,
    Plot,
    Row,
    Study,
    format_decimal,
    format_interval,
    lay_out_groups,
    lay_out_records,
)

_NUMBERS: Final = {"combined": "4", "reader": "5", "author": "6"}
_MAIN: Final = "F@15"
_DECIMALS: Final = {"published": 1, "ours": 2}
"""Decimals of published scores, as the papers print them, and of ours."""

_CATEGORIES: Final = {
    "C": "distributed systems",
    "H": "information search and retrieval",
    "I": "distributed artificial intelligence, multiagent systems",
    "J": "social and behavioural sciences, economics",
}


def lay_out_semeval(rows: Sequence[Row], find: Callable[[str], type]) -> Iterator[Table]:
    """Lay out scores by gold and by category, variants, what explains differences, and the parts of each system.

    Rows of ablations are one line each.
    """
    if any(row.dataset == TRAIN for row in rows):
        yield lay_out_records(NAME, [row.record() for row in rows])
        return
    variants = _lay_out_variants(rows)
    rows = [row for row in rows if row.variant is None]
    systems = tuple(dict.fromkeys(row.system for row in rows if row.system))
    for gold in KINDS:
        yield _lay_out_scores(rows, systems, gold)
    for gold in KINDS[:2]:
        yield _lay_out_categories(rows, systems, gold)
    yield from variants
    yield from _lay_out_reasons(systems)
    yield _lay_out_parts([name for name in systems if name not in (*UNDESCRIBED, *OURS)], find)


def _lay_out_scores(rows: Sequence[Row], systems: Sequence[str], gold: str) -> Table:
    """Return F at 5, 10 and 15, published and ours, with the interval at 15 and both ranks."""
    places = {(row.system, row.measure): row for row in rows if row.gold == gold and row.category is None}
    printed = read_printed()
    ranks = _rank_values({name: places[name, _MAIN].ours for name in systems if "rank" in printed.get(name, {})})
    scores = [(f"F@{cutoff} {whose}", f"F@{cutoff}", whose) for cutoff in CUTOFFS for whose in _DECIMALS]
    lines: Lines = {}
    for name in systems:
        main = places[name, _MAIN]
        lines[_find_printed_name(name),] = {
            "rank": str(printed.get(name, {}).get("rank", "")),
            "our rank": ranks.get(name, ""),
            **{
                head: format_decimal(getattr(places[name, measure], whose), _DECIMALS[whose])
                for head, measure, whose in scores
            },
            "interval @15": format_interval(main.interval, 1),
            "difference @15": "" if main.difference is None else f"{main.difference:+.2f}",
        }
    columns = ("rank", "our rank", *(head for head, _, _ in scores), "interval @15", "difference @15")
    agreement = [f"{row.ours:.2f}" for row in rows if row.measure == "spearman" and row.gold == gold]
    caption = f"Table {_NUMBERS[gold]} of the task: {gold} keyphrases, F in percent on the 100 test papers."
    if agreement:
        caption += f" Spearman's correlation of the two rankings: {agreement[0]}."
    return lay_out_groups(caption, ("system",), lines, columns)


def _lay_out_variants(rows: Sequence[Row]) -> tuple[Table, ...]:
    """Return F of each system that has variants: by default, and with every step literal, or best on training."""
    measures = [("combined", f"F@{cutoff}") for cutoff in CUTOFFS] + [("reader", _MAIN), ("author", _MAIN)]
    systems = {row.system for row in rows if row.variant}
    places = {
        (row.system or "", row.variant or "", row.gold, row.measure): row
        for row in rows
        if row.system in systems and row.category is None
    }
    lines: Lines = {}
    for name, variant in dict.fromkeys((name, variant) for name, variant, _, _ in places):
        main = places[name, variant, "combined", _MAIN]
        changed = _describe_change(name, variant)
        lines[_find_printed_name(name), variant or "default", changed] = {
            "published @15": format_decimal(main.published, _DECIMALS["published"]),
            **{
                f"{gold} {measure}": format_decimal(places[name, variant, gold, measure].ours, _DECIMALS["ours"])
                for gold, measure in measures
            },
            "interval @15": format_interval(main.interval, 1),
        }
    columns = ("published @15", *(f"{gold} {measure}" for gold, measure in measures), "interval @15")
    caption = (
        "Readings of a system, where they differ: our default (decision 0012), literal (every step as its paper states "
        "it), best on training (the values that cross-validation on the 144 training papers prefers). The interval of "
        "a mean over seeds is the lowest and the highest of them."
    )
    return (lay_out_groups(caption, ("system", "reading", "parameters"), lines, columns),) if lines else ()


def _describe_change(name: str, variant: str) -> str:
    """Return the parameters of a variant as the command line takes them."""
    values: Mapping[str, Any] = read_records()[name].variants.get(variant, {}) if variant else {}
    return ", ".join(name_variant(option, value) for option, value in values.items())


def _lay_out_categories(rows: Sequence[Row], systems: Sequence[str], gold: str) -> Table:
    places = {(row.system, row.category): row for row in rows if row.gold == gold and row.category}
    columns = [(f"{letter} {whose}", letter, whose) for letter in _CATEGORIES for whose in _DECIMALS]
    lines: Lines = {
        (_find_printed_name(name),): {
            head: format_decimal(getattr(places[name, letter], whose), _DECIMALS[whose])
            for head, letter, whose in columns
            if (name, letter) in places
        }
        for name in systems
    }
    names = "; ".join(f"{letter}: {name}" for letter, name in _CATEGORIES.items())
    number = {"combined": "7", "reader": "8"}[gold]
    caption = f"Table {number} of the task: {gold} keyphrases by ACM category, F@15 in percent. {names}."
    return lay_out_groups(caption, ("system",), lines, [head for head, _, _ in columns])


def _lay_out_reasons(systems: Sequence[str]) -> Iterator[Table]:
    body = tuple((Cell(_find_printed_name(name)), Cell(read_notes()[name])) for name in systems if name in read_notes())
    if body:
        yield Table("Why ours differs from the published scores.", ("system", "why"), body, frozenset())


def _lay_out_parts(systems: Sequence[str], find: Callable[[str], type]) -> Table:
    """Return the features table of the task (table 9), as the code has it."""
    body = []
    for name in systems:
        used: Mapping[str, tuple[str, ...]] = find_parts(find(name))
        body.append((Cell(_find_printed_name(name)), *(Cell(", ".join(used[room])) for room in ROOMS.values())))
    caption = "Parts of each system, by the names of shared parts in the code (compare table 9 of the task)."
    return Table(caption, ("system", *ROOMS.values()), tuple(body), frozenset())


def _find_printed_name(name: str) -> str:
    printed: Mapping[str, Any] = read_printed().get(name, {})
    return str(printed.get("printed", name))


def _rank_values(values: Mapping[str, float | None]) -> dict[str, str]:
    """Return ranks from 1 for the largest value; equal values share a rank, missing values have none."""
    descending = sorted((value for value in values.values() if value is not None), reverse=True)
    return {name: str(descending.index(value) + 1) for name, value in values.items() if value is not None}


def draw_scores(rows: Sequence[Row]) -> Iterator[Plot]:
    """Draw F@15 against each kind of gold, published beside ours."""
    for gold in dict.fromkeys(row.gold for row in rows):
        chosen = [
            row for row in rows if (row.gold, row.measure, row.category, row.variant) == (gold, _MAIN, None, None)
        ]
        series = [(whose, [_to_fraction(getattr(row, whose)) for row in chosen]) for whose in ("published", "ours")]
        title, name = f"{_MAIN} against {gold} keyphrases, in the published order", f"{gold}-f15"
        svg = pages.draw_bars(title, [str(row.system) for row in chosen], series, name)
        yield Plot(name, title, svg, f"Against {gold} keyphrases")


def _to_fraction(percent: float | None) -> float | None:
    """Return a value for the axis of plots, which is from 0 to 1."""
    return None if percent is None else percent / 100


STUDY: Final = Study(NAME, make_rows, tables=lay_out_semeval, plots=draw_scores, ablations=ablate_systems)


ROOMS: Final[Mapping[str, str]] = {
    "keywright.extraction.candidates": "candidates",
    "keywright.extraction.features": "features",
    "keywright.extraction.corpus": "knowledge",
    "keywright.extraction.learners": "learner",
    "keywright.extraction.ranking": "ranking",
}
"""Names of the rooms in tables, by package."""

_EVERYWHERE: Final = frozenset(
    "rank order_of rows_of training_rows matrix chosen_columns fit_system fitted not_fitted".split()
)
"""Plumbing that every system uses."""


def find_parts(system: type) -> dict[str, tuple[str, ...]]:
    """Return the names of functions and classes of other rooms that a system's modules use, by room.

    Modules are those of the class and of its base classes, so that systems that share a file or a base share parts.
    """
    used: dict[str, dict[str, None]] = defaultdict(dict)
    for kind in system.__mro__:
        if not kind.__module__.startswith("keywright.extraction.systems."):
            continue
        for name, value in vars(sys.modules[kind.__module__]).items():
            package = getattr(value, "__module__", None) or ""
            room = ROOMS.get(".".join(package.split(".")[:3]))
            if room and name not in _EVERYWHERE and (inspect.isfunction(value) or inspect.isclass(value)):
                used[room][name] = None
    return {room: tuple(used[room]) for room in ROOMS.values()}
