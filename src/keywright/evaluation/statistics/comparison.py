"""Compare several runs under one protocol: differences, intervals, significance, smallest detectable differences."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.choices import PairedTest
from keywright.core.errors import BadParameter
from keywright.core.json_values import encode, replace_surrogates
from keywright.core.predictions import Run
from keywright.core.views import MOST_ROWS, Kinds, NotebookTable, frame_records
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Average
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics import bootstrap, significance
from keywright.evaluation.statistics.bootstrap import Functional, Resampling, document_scores, number_strata
from keywright.evaluation.statistics.significance import Effect

_OF_SCORES: Final[Mapping[PairedTest, Callable[[Floats, Floats], float]]] = {
    PairedTest.T: significance.t_test,
    PairedTest.WILCOXON: significance.wilcoxon,
}
_MARKS: Final = {PairedTest.RANDOMISATION: "ar", PairedTest.BOOTSTRAP: "pb"}
COMPARISON_COLUMNS: Final[Kinds] = MappingProxyType(
    {
        **dict.fromkeys(("protocol", "value", "first", "second"), str),
        **dict.fromkeys(("difference", "low", "high", "detectable", "p", "p_holm", "relative"), float),
        **dict.fromkeys(("wins", "ties", "losses"), int),
        "test": str,
    }
)
"""Columns of a comparison: one row for each value and pair of runs; ``difference`` is first minus second."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One value of two runs.

    Attributes:
        value: its name, such as ``combined/F@15``.
        first, second: names of the runs.
        difference: first minus second, a fraction.
        low, high: percentile interval of the difference, from the paired bootstrap.
        detectable: smallest difference of two such runs that this collection can detect (``significance.Paired``).
        p: two-sided p-value; None where the test does not apply to the value.
        p_holm: corrected for all pairs of runs on this value.
        relative: the difference as a share of the second's value; None where that is 0.
        effect: effect size on the measure's document scores.
    """

    value: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    detectable: float
    p: float | None
    p_holm: float | None
    relative: float | None
    effect: Effect

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, those of the effect among them."""
        record = encode(self)
        interval, effect = [record.pop("low"), record.pop("high")], record.pop("effect")
        return {**record, "interval": interval, **effect}


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Runs on the same documents, with the reports by name, and their differences.

    Attributes:
        gold: for each gold set ``kind@fingerprint``.
        unit: unit in which the protocol's reference prints, ``fraction`` or ``percent``.
        test: significance test, such as ``ar10000:12345``.
        intervals_by: method of intervals of differences, such as ``pb10000:12345``.
        stratified: whether intervals draw from each category of the collection separately.
        differences: value by value in the order of reports, pair by pair in the order of the runs.
    """

    protocol: str
    gold: tuple[str, ...]
    unit: str
    rules: Protocol = field(repr=False)
    test: str
    intervals_by: str
    stratified: bool
    reports: Mapping[str, Report]
    differences: tuple[Difference, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of all reports, without repeats."""
        return tuple(dict.fromkeys(itertools.chain.from_iterable(report.warnings for report in self.reports.values())))

    @property
    def detectable_note(self) -> str:
        """A sentence on the smallest difference that these runs can show; empty where there is no main value."""
        first = next(iter(self.reports.values()))
        effects = [each.detectable for each in self.differences if each.value == first.main_value]
        return first.note_smallest(max(effects), "by the differences of these runs") if effects else ""

    def __repr__(self) -> str:
        """Name the protocol and the runs."""
        runs = ", ".join(map(repr, self.reports))
        return f"<Comparison of {runs} under {self.protocol.partition('|')[0]}: {len(self.differences)} differences>"

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values, as ``keywright compare --json`` prints them: all numbers are fractions."""
        reports = {
            name: {key: encode(getattr(report, key)) for key in ("run", "scored", "skipped", "values", "intervals")}
            for name, report in self.reports.items()
        }
        documents = {by: len(counts) for by, counts in next(iter(self.reports.values())).counts.items()}
        record: dict[str, Any] = {"protocol": self.protocol, "gold": list(self.gold), "unit": self.unit}
        record |= {"documents": documents, "sig": self.test, "intervals_by": self.intervals_by}
        record |= {"stratified": self.stratified, "runs": reports}
        differences = [difference.to_dict() for difference in self.differences]
        return record | {"differences": differences, "warnings": list(self.warnings)}

    def to_frame(self, library: str | None = None) -> Any:
        """Return a table of all differences; ``library`` as for ``Report.to_frame``."""
        shared = {"protocol": self.protocol.partition("|")[0], "test": self.test}
        rows = (shared | encode(difference) | encode(difference.effect) for difference in self.differences)
        return frame_records(rows, COMPARISON_COLUMNS, library)

    def _repr_html_(self) -> str:
        head = ("value", "first", "second", "difference", "95 % interval", "p (Holm)")
        rows = []
        for each in self.differences[:MOST_ROWS]:
            numbers = f"{each.difference:+.4f}", f"{each.low:+.4f} to {each.high:+.4f}"
            p = "" if each.p_holm is None else f"{each.p_holm:.4f}"
            rows.append((each.value, each.first, each.second, *numbers, p))
        caption = f"Differences, first minus second, under {self.protocol.partition('|')[0]}"
        notes = (f"tests by {self.test}, intervals by {self.intervals_by}", *self.warnings)
        beyond = len(self.differences) - len(rows), "differences"
        return NotebookTable(caption, head, rows, head[3:], notes, beyond).html()


class DocumentScores(NamedTuple):
    """One measure of one document, in the order of the runs; None where it does not apply."""

    gold: str
    id: str
    measure: str
    scores: tuple[float | None, ...]


def compare(
    reports: Mapping[str, Report],
    protocol: Protocol,
    resampling: Resampling | None = None,
    test: PairedTest = PairedTest.RANDOMISATION,
    categories: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare runs pairwise on every value; Student's and Wilcoxon's tests are for means of document scores only."""
    resampling = resampling or Resampling()
    _check_reports(reports, protocol)
    first = next(iter(reports.values()))
    pairs: dict[str, list[Difference]] = {}
    for by in first.counts:
        strata = number_strata(first.counts[by].ids, categories or {})
        sides = []
        for name, report in reports.items():
            counts = report.counts[by]
            functionals = tuple(bootstrap.make_functionals(by, counts, protocol))
            sides.append(_Side(name, functionals, document_scores(counts, protocol)))
        for side, other in itertools.combinations(sides, 2):
            for difference in _compare_sides(side, other, test, resampling, strata):
                pairs.setdefault(difference.value, []).append(difference)
    if all(difference.p is None for differences in pairs.values() for difference in differences):
        message = f"the test {test} is for means of document scores, and {protocol.name} reports none"
        raise BadParameter(message, "expected: randomisation or bootstrap")
    corrected: list[Difference] = []
    for differences in (pairs.get(name, []) for name in first.values):
        p_values = [difference.p for difference in differences if difference.p is not None]
        holm = significance.correct_holm(p_values) if len(p_values) == len(differences) else itertools.repeat(None)
        corrected += [replace(difference, p_holm=p) for difference, p in zip(differences, holm, strict=False)]
    return Comparison(
        protocol=first.protocol,
        gold=first.gold,
        unit=first.unit,
        rules=protocol,
        test=resampling.mark(_MARKS[test]) if test in _MARKS else test.value,
        intervals_by=resampling.mark("pb"),
        stratified=bool(categories),
        reports=dict(reports),
        differences=tuple(corrected),
    )


def parse_test(name: str) -> PairedTest:
    """Return the test of a name."""
    if name not in list(PairedTest):
        raise BadParameter(f"no test called {name!r}", f"expected one of: {', '.join(PairedTest)}")
    return PairedTest(name)


def name_runs(runs: Mapping[str, Run | str | Path] | Sequence[Run | str | Path]) -> dict[str, Run | str | Path]:
    """Name runs: a file without folders and endings, by its path where that is ambiguous, a run by its system."""
    if isinstance(runs, Mapping):
        return dict(runs)
    names = [run.system.partition("|")[0] if isinstance(run, Run) else Path(run).name.partition(".")[0] for run in runs]
    if len(set(names)) < len(names):
        names = [name if isinstance(run, Run) else str(run) for name, run in zip(names, runs, strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise BadParameter(f"{names.count(name)} runs are called {name!r}", "give each its own name or file")
    return dict(zip(map(replace_surrogates, names), runs, strict=True))


def pair_document_scores(comparison: Comparison) -> Iterator[DocumentScores]:
    """Yield each document's scores, gold set by gold set and measure by measure, in gold order."""
    reports = tuple(comparison.reports.values())
    for by, counts in reports[0].counts.items():
        tables = [document_scores(report.counts[by], comparison.rules) for report in reports]
        for measure in (name for name in map(str, comparison.rules.reported) if name in tables[0]):
            columns = [table[measure].tolist() for table in tables]
            for name, *scores in zip(counts.ids, *columns, strict=True):
                yield DocumentScores(by, name, measure, tuple(None if math.isnan(score) else score for score in scores))


class _Side(NamedTuple):
    """One run on one gold set: its functionals, one per cutoff, and its document scores by measure."""

    name: str
    functionals: tuple[Functional, ...]
    scores: Mapping[str, Floats]


def _compare_sides(
    side: _Side, other: _Side, test: PairedTest, resampling: Resampling, strata: Ints | None
) -> Iterator[Difference]:
    effects = {name: significance.measure_effect(side.scores[name], other.scores[name]) for name in side.scores}
    randomised = test is PairedTest.RANDOMISATION
    for first, second in zip(side.functionals, other.functionals, strict=True):
        pair = significance.compare_pair(first, second, resampling, randomised=randomised, strata=strata)
        columns = (pair.difference, pair.low, pair.high, pair.detectable, pair.p, first.observed, second.observed)
        rows = np.stack(columns, axis=1).tolist()
        for value, (difference, low, high, detectable, p_drawn, a, b) in zip(first.values, rows, strict=True):
            numbers = difference, low, high, detectable
            p: float | None = p_drawn
            if test in _OF_SCORES:  # these tests are for means of document scores only
                harmonic = value.average is Average.MACRO and value.measure.startswith("F")
                x, y = side.scores[value.measure], other.scores[value.measure]
                both = ~(np.isnan(x) | np.isnan(y))
                p = None if value.average is Average.MICRO or harmonic else _OF_SCORES[test](x[both], y[both])
            relative = (a - b) / b if b else None
            names = value.name, side.name, other.name
            yield Difference(*names, *numbers, p, None, relative, effects[value.measure])


def _check_reports(reports: Mapping[str, Report], protocol: Protocol) -> None:
    if len(reports) < 2:  # noqa: PLR2004 - a comparison has two sides
        raise BadParameter(f"{len(reports)} runs to compare", "expected two or more")
    name, first = next(iter(reports.items()))
    for other, report in reports.items():
        if report.protocol != protocol.signature:
            message = f"{other} was scored under {report.protocol}, and the comparison is under {protocol.signature}"
            raise BadParameter(message, "score all runs under one protocol")
        if report.gold != first.gold:
            message = f"{name} was scored on gold {', '.join(first.gold)}, {other} on {', '.join(report.gold)}"
            raise BadParameter(message, "score all runs on the same documents: --gold DATASET")
    if any(len(counts) < 2 for counts in first.counts.values()):  # noqa: PLR2004 - one document has no variance
        hint = "a comparison resamples documents and needs more of them"
        raise BadParameter("the gold has fewer than two documents", hint)
