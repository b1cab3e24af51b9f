"""Cross-validation of each feature, each open value and each variant of a system, on the training papers.

Every change is cross-validated on the same folds as the usual values. The interval of a difference in F at 15 comes
from the paired bootstrap over papers; a difference is within noise where the interval holds zero.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from keywright.core.errors import unknown_name
from keywright.core.interfaces import Extractor, Progress, needs_of
from keywright.core.signatures import list_parameters
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import Resampling, make_functionals
from keywright.evaluation.statistics.significance import compare_pair
from keywright.experiments.semeval2010_records import CUTOFFS, TABLE, read_printed, read_records
from keywright.experiments.semeval2010_table import BESIDE, OURS, UNDESCRIBED
from keywright.experiments.semeval2010_task import RULES, TRAIN, report_held_out, shared_papers
from keywright.experiments.study import PERCENT, Row, run_units

OPTIONS: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "tfidf": {"stop_words": ("edges", "nowhere", "ignored", "removed"), "longest": (1, 2, 4, 5)},
    "counting": {
        "mentions": (1.0,), "rarity": (0.0, 1.0), "phrase": (1.0, 4.0), "long": (1.0,), "stop_word": (1.0,),
        "acronym": (0.0,), "title": (0.0,), "abstract": (0.0,), "introduction": (0.0,), "conclusion": (0.0,),
        "decay": (0.0, 3.0),
    },
}  # fmt: skip

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


def ablate_systems(
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
    listed = [name for name in (*read_printed(), *BESIDE) if name not in (*UNDESCRIBED, *OURS)]
    for name in systems or ():
        if name not in listed:
            raise unknown_name("system of this table", name, listed, f"keywright reproduce {TABLE}")
    chosen = [name for name in listed if not systems or name in systems]
    changes = [change for name in chosen for change in list_changes(name, find(name))]
    _ = shared_papers(TRAIN, mirror, "tags" in frozenset[str]().union(*(needs_of(find(name)) for name in chosen)))
    measured: list[Row] = []
    usual: Report | None = None
    work = partial(evaluate_change, find=find, mirror=mirror)
    for change, report in run_units(work, changes, progress, jobs):
        usual = report if usual is None or change.variant == USUAL else usual
        measured.extend(_make_rows(change, report, usual))
    return tuple(measured)


def evaluate_change(change: Change, *, find: Find, mirror: Path | None = None) -> Report:
    """Score a changed system on held-out folds of the training papers."""
    system: Any = replace(find(change.system)(), **dict(change.values))  # type: ignore[type-var]  # a dataclass
    return report_held_out(system, shared_papers(TRAIN, mirror, "tags" in system.needs))


def list_changes(name: str, kind: Any) -> Iterator[Change]:
    """Yield a system unchanged, without each feature, with each other value of an option, and its variants."""
    yield Change(name, USUAL)
    if any(parameter.name == "without" for parameter in list_parameters(kind)):
        for column in kind.columns:
            yield Change(name, name_variant("without", (column,)), (("without", (column,)),))
    for option, values in find_tried_values(name).items():
        for value in values:
            yield Change(name, name_variant(option, value), ((option, value),))
    for variant, values in find_variants(name).items():
        yield Change(name, variant, tuple(values.items()))


def find_tried_values(name: str) -> Mapping[str, Any]:
    """Return the values to try beside the usual ones by parameter, from the system's record where it has one."""
    record = read_records().get(name)
    return record.tried if record else OPTIONS.get(name, {})


def find_variants(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the parameters of the variants in the system's record, by name."""
    record = read_records().get(name)
    return record.variants if record else {}


def name_variant(option: str, value: Any) -> str:
    """Return the name of a change, such as ``cutoff=850`` or ``without=tfidf``."""
    return f"{option}={','.join(map(str, value)) if isinstance(value, tuple) else value}"


def measure_difference(report: Report, usual: Report) -> tuple[float, tuple[float, float]]:
    """Return the difference of two reports in combined F at 15, and its interval from paired resampling, in percent."""
    first, second = (
        next(at for at in make_functionals("combined", side.counts["combined"], RULES) if _MAIN in at.names)
        for side in (report, usual)
    )
    pair = compare_pair(first, second, Resampling(), randomised=False)
    place = pair.names.index(_MAIN)
    low, high = (round(PERCENT * float(end[place]), 2) for end in (pair.low, pair.high))
    return round(PERCENT * float(pair.difference[place]), 2), (low, high)


def _make_rows(change: Change, report: Report, usual: Report) -> Iterator[Row]:
    for measure in (f"F@{cutoff}" for cutoff in CUTOFFS):
        ours, plain = (round(PERCENT * side.values[f"combined/{measure}"], 2) for side in (report, usual))
        note = f"{ours - plain:+.2f} against the usual values" if change.values else "the usual values"
        yield Row(measure, None, ours, change.system, "combined", TRAIN, variant=change.variant, note=note)
    if change.values:
        value, ends = measure_difference(report, usual)
        note = "interval of the difference, from papers drawn anew"
        yield Row(
            DIFFERENCE, None, value, change.system, "combined", TRAIN, variant=change.variant, note=note, interval=ends
        )
