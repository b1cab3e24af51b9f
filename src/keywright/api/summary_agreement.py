"""Summaries: how evaluators agree with people and with each other."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypedDict, Unpack

from keywright.api.summaries import SummaryScores, read_json_lines
from keywright.core.atomic_files import write_whole
from keywright.core.choices import Coefficient, Level, Resampled
from keywright.core.errors import BadParameter
from keywright.core.pages import Table
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.summaries.agreement import correlation
from keywright.summaries.agreement import tables as drawing
from keywright.summaries.agreement.coefficients import Statistic
from keywright.summaries.agreement.difference_tests import Comparison, compare_evaluators
from keywright.summaries.scores import HUMAN, SummaryScore, read_scores, tabulate_scores

Scores: TypeAlias = str | Path | SummaryScores | Iterable[SummaryScore]
"""A file that `keywright summaries score -o` wrote, or its scores."""


class CorrelateKeywords(TypedDict, total=False):
    """Further keywords of ``correlate_summaries``.

    Attributes:
        values: names of the values of evaluators that have several; recall by default.
        levels: ``system``, ``summary`` or ``topic``; all by default.
        coefficients: ``pearson``, ``spearman`` or ``kendall``; all by default.
        resample: items that the bootstrap draws: ``documents``, ``systems`` or ``both``.
        samples: number of resamples and permutations.
        controlled_for: column, such as ``length``, of which partial correlations are independent.
        constant_as_zero: count topics with a constant side as 0 instead of leaving them out.
        compare: whether evaluators are compared by their correlation with people.
    """

    values: Sequence[str]
    levels: Sequence[str]
    coefficients: Sequence[str]
    resample: str
    samples: int
    controlled_for: str | None
    constant_as_zero: bool
    compare: bool


@dataclass(frozen=True, slots=True)
class SummaryAgreement:
    """Agreement of evaluators.

    Attributes:
        rows: correlations: with people first, then of evaluators with each other.
        comparisons: of evaluators by their correlation with people; empty unless asked for.
        ranking: of the systems under each evaluator and each protocol of people.
        method: of the intervals, in words.
        notes: for people.
    """

    rows: tuple[correlation.Agreement, ...]
    comparisons: tuple[Comparison, ...]
    ranking: tuple[correlation.RankedSystem, ...]
    method: str
    notes: tuple[str, ...] = ()

    def as_json(self) -> list[dict[str, Any]]:
        """Return the correlations as JSON values, then the comparisons."""
        return [row.as_json() for row in self.rows] + [row.as_json() for row in self.comparisons]

    def tables(self) -> tuple[Table, ...]:
        """Return tables for people: ranking, correlations, comparisons."""
        tables = drawing.draw_ranking_table(self.ranking), drawing.draw_agreement_table(self.rows, self.method)
        return (*tables, drawing.draw_comparison_table(self.comparisons)) if self.comparisons else tables

    def write_plots(self, folder: str | Path) -> tuple[Path, ...]:
        """Write a heat map for each level and coefficient as SVG and PNG into a folder, and return the files."""
        place = Path(folder)
        files = []
        for picture in drawing.draw_heat_maps(self.rows):
            place.mkdir(parents=True, exist_ok=True)
            for ending, content in ((".svg", picture.svg().encode()), (".png", picture.png())):
                files.append(place / f"{picture.name}{ending}")
                write_whole(files[-1], content)
        return tuple(files)


def correlate_summaries(scores: Scores, **options: Unpack[CorrelateKeywords]) -> SummaryAgreement:
    """Correlate evaluators with people, if there are their scores, and with each other.

    >>> import keywright as kw
    >>> scores = kw.score_summaries("docs/examples/summaries.jsonl", ["kpeval", "rouge155"])
    >>> agreement = kw.correlate_summaries(scores, levels=["system"], coefficients=["kendall"], samples=10)
    >>> [(row.evaluator, row.other, row.value) for row in agreement.rows][:1]
    [('kpeval', 'human:coverage', 1.0)]

    Raises:
        BadRecord: the file holds no scores, or two of one summary that differ.
    """
    if isinstance(scores, str | Path):
        scores = read_scores(
            read_json_lines(scores, "`keywright summaries score PAIRS -o FILE` writes one"), str(scores)
        )
    values = scores.scores if isinstance(scores, SummaryScores) else scores
    table = tabulate_scores(values, options.get("values", ("R",)))
    if len(table.columns) < 2:  # noqa: PLR2004 - a correlation has two sides
        message = f"only {', '.join(table.columns)}: nothing to correlate with"
        raise BadParameter(message, "score with several evaluators, or give pairs with human scores")
    if len(table.systems) < 2:  # noqa: PLR2004 - nor has one system an order
        raise BadParameter(f"only one system, {', '.join(table.systems)}", "expected summaries by several systems")
    statistics = [
        Statistic(level, coefficient, constant_as_zero=options.get("constant_as_zero", False))
        for level in _find_members(Level, options.get("levels", tuple(Level)))
        for coefficient in _find_members(Coefficient, options.get("coefficients", tuple(Coefficient)))
    ]
    resampling = Resampling(options.get("samples", correlation.SAMPLES))
    (resampled,) = _find_members(Resampled, [options.get("resample", Resampled.DOCUMENTS.value)])
    bootstrap = correlation.Bootstrap(resampled, resampling)
    people = [name for name in table.columns if name.startswith(HUMAN)]
    controlled_for = options.get("controlled_for")
    compared = [name for name in table.columns if name not in {*people, controlled_for}]
    couples = list(itertools.combinations(compared, 2))
    pairs = [(name, human) for human in people for name in compared] + couples
    triples = [(*two, human) for human in people for two in couples]
    return SummaryAgreement(
        correlation.correlate(table, pairs, statistics, bootstrap, controlled_for),
        compare_evaluators(table, triples, statistics, resampling) if options.get("compare") else (),
        correlation.rank_systems(table, resampling=resampling),
        bootstrap.method,
        () if people else ("no scores by people: correlations show agreement of evaluators, not their validity",),
    )


def _find_members(kind: Any, names: Iterable[str]) -> list[Any]:
    """Return the members of an enumeration that names are the values of."""
    for name in names:
        if name not in kind._value2member_map_:
            raise BadParameter(f"{kind.__name__.lower()} {name!r}", f"expected one of {', '.join(kind)}")
    return [kind(name) for name in names]
