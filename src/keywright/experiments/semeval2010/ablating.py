"""Cross-validation of each feature, each open value and each variant of a system, on the training papers.

Every change is cross-validated on the same folds as the usual values. The interval of a difference in F at 15 comes
from the paired bootstrap over papers; a difference is within noise where the interval holds zero.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from keywright.core.errors import unknown
from keywright.core.interfaces import Extractor, Progress, needs_of
from keywright.core.parameters import parameters
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import Resampling, functionals
from keywright.evaluation.statistics.significance import paired
from keywright.experiments.layouts import PERCENT
from keywright.experiments.semeval2010.known_scores import CUTOFFS, TABLE, published
from keywright.experiments.semeval2010.options import OPTIONS
from keywright.experiments.semeval2010.system_records import records
from keywright.experiments.semeval2010.table import BESIDE, OURS, UNDESCRIBED
from keywright.experiments.semeval2010.task import RULES, TRAIN, held_out_report, shared_papers
from keywright.experiments.study import Row, run_units

USUAL: Final = "usual"
"""Variant without a change."""
DIFFERENCE: Final = "difference in F@15"
_MAIN: Final = "combined/F@15"

Find: TypeAlias = Callable[[str], type[Extractor]]


class Change(NamedTuple):
    """A variant of a system: its name, and the parameters that are not the default."""

    system: str
    variant: str
    values: tuple[tuple[str, Any], ...] = ()


def ablations(
    systems: Collection[str] | None = None,
    progress: Progress | None = None,
    mirror: Path | None = None,
    *,
    find: Find,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Measure each feature, open value and variant: F on held-out folds of the training papers, one change at a time.

    With each change comes a row of its difference in F at 15 to the usual values, with its interval.
    """
    listed = [name for name in (*published(), *BESIDE) if name not in (*UNDESCRIBED, *OURS)]
    for name in systems or ():
        if name not in listed:
            raise unknown("system of this table", name, listed, f"keywright reproduce {TABLE}")
    chosen = [name for name in listed if not systems or name in systems]
    changes = [change for name in chosen for change in changes_of(name, find(name))]
    _ = shared_papers(TRAIN, mirror, "tags" in frozenset[str]().union(*(needs_of(find(name)) for name in chosen)))
    measured: list[Row] = []
    usual: Report | None = None
    work = partial(evaluate_change, find=find, mirror=mirror)
    for change, report in run_units(work, changes, progress, jobs):
        usual = report if usual is None or change.variant == USUAL else usual
        measured.extend(_rows(change, report, usual))
    return tuple(measured)


def evaluate_change(change: Change, *, find: Find, mirror: Path | None = None) -> Report:
    """Score a changed system on held-out folds of the training papers."""
    system: Any = replace(find(change.system)(), **dict(change.values))  # type: ignore[type-var]  # a dataclass
    return held_out_report(system, shared_papers(TRAIN, mirror, "tags" in system.needs))


def changes_of(name: str, kind: Any) -> Iterator[Change]:
    """Yield a system unchanged, without each feature, with each other value of an option, and its variants."""
    yield Change(name, USUAL)
    if any(parameter.name == "without" for parameter in parameters(kind)):
        for column in kind.columns:
            yield Change(name, variant_of("without", (column,)), (("without", (column,)),))
    for option, values in options_of(name).items():
        for value in values:
            yield Change(name, variant_of(option, value), ((option, value),))
    for variant, values in variants_of(name).items():
        yield Change(name, variant, tuple(values.items()))


def options_of(name: str) -> Mapping[str, Any]:
    """Return the values to try beside the usual ones by parameter, from the system's record where it has one."""
    record = records().get(name)
    return record.tried if record else OPTIONS.get(name, {})


def variants_of(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the parameters of the variants in the system's record, by name."""
    record = records().get(name)
    return record.variants if record else {}


def variant_of(option: str, value: Any) -> str:
    """Return the name of a change, such as ``cutoff=850`` or ``without=tfidf``."""
    return f"{option}={','.join(map(str, value)) if isinstance(value, tuple) else value}"


def difference(report: Report, usual: Report) -> tuple[float, tuple[float, float]]:
    """Return the difference of two reports in combined F at 15, and its interval from paired resampling, in percent."""
    first, second = (
        next(at for at in functionals("combined", side.counts["combined"], RULES) if _MAIN in at.names)
        for side in (report, usual)
    )
    pair = paired(first, second, Resampling(), randomised=False)
    place = pair.names.index(_MAIN)
    low, high = (round(PERCENT * float(end[place]), 2) for end in (pair.low, pair.high))
    return round(PERCENT * float(pair.difference[place]), 2), (low, high)


def _rows(change: Change, report: Report, usual: Report) -> Iterator[Row]:
    for measure in (f"F@{cutoff}" for cutoff in CUTOFFS):
        ours, plain = (round(PERCENT * side.values[f"combined/{measure}"], 2) for side in (report, usual))
        note = f"{ours - plain:+.2f} against the usual values" if change.values else "the usual values"
        yield Row(measure, None, ours, change.system, "combined", TRAIN, variant=change.variant, note=note)
    if change.values:
        value, ends = difference(report, usual)
        note = "interval of the difference, from papers drawn anew"
        yield Row(
            DIFFERENCE, None, value, change.system, "combined", TRAIN, variant=change.variant, note=note, interval=ends
        )
