"""Summaries: scores under several evaluators, and how evaluators agree with people and with each other."""

import inspect
import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

from keywright.api.inputs import system
from keywright.core.atomic_files import write_whole
from keywright.core.choices import Coefficient, Level, Resampled
from keywright.core.errors import BadParameter, KeywrightError, MissingData, PartlyDone
from keywright.core.interfaces import Progress
from keywright.core.pages import Table
from keywright.core.predictions import Failure
from keywright.core.signatures import Parameter, list_parameters, signature
from keywright.datasets.files import LIMITS, iterate_lines
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.reading.record_lines import JsonLine, lines_of
from keywright.running.extraction import Extraction, check_ready
from keywright.summaries import report
from keywright.summaries.agreement import correlation
from keywright.summaries.agreement.coefficients import Statistic
from keywright.summaries.agreement.difference_tests import Comparison, compare_evaluators, draw_comparison_table
from keywright.summaries.evaluator import EVALUATORS, Evaluator, evaluator_class, make_evaluator
from keywright.summaries.kpeval import KPEval, LemmaExtractor
from keywright.summaries.pairs import Pair, add_languages, keep_distinct_pairs, parse_pair
from keywright.summaries.report import SummaryReport, SummaryScore
from keywright.text.languages import ByLanguage

USUAL_EVALUATORS: Final = ("kpeval",)  # evaluators if none is named

_USUAL_EXTRACTORS: Final = {"ar": "lbake", "": "default"}  # systems of ``kpeval`` by language, and for all others

Pairs: TypeAlias = str | Path | Iterable[Mapping[str, Any] | Pair]  # a file of pairs (JSON Lines), or its records


@dataclass(frozen=True, slots=True)
class SummaryScores:
    """Scores for each pair and evaluator, by evaluator; failures of lines that are not pairs; notes on the pairs."""

    scores: tuple[SummaryScore, ...]
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()

    def as_json(self) -> list[dict[str, Any]]:
        """Return JSON values of all scores, then of the failures."""
        return [score.as_json() for score in self.scores] + [failure.to_dict() for failure in self.failures]


def score_summaries(
    pairs: Pairs,
    evaluators: Sequence[str | Evaluator] = USUAL_EVALUATORS,
    language: str | None = None,
    *,
    progress: Progress | None = None,
) -> SummaryScores:
    """Score summaries against references, or against their source.

    >>> import keywright as kw
    >>> pair = {"id": "t1", "system": "mine", "summary": "Tides rise.", "references": ["Tides rise and fall."]}
    >>> kw.score_summaries([pair]).scores[0].values["P"]
    1.0

    Args:
        pairs: a file, or records with ``id``, ``system``, ``summary``, ``references``, and perhaps ``source``,
            ``reference_authors``, ``language`` and ``human``.
        evaluators: specifications such as ``kpeval:combine=best``, or evaluators.
    """
    ready = _name_evaluators(evaluators)
    every, failures, notes = read_pairs(pairs, language)
    return SummaryScores(tuple(report.score_pairs(every, ready, progress)), failures, notes)


def read_pairs(
    pairs: Pairs, language: str | None = None
) -> tuple[tuple[Pair, ...], tuple[Failure, ...], tuple[str, ...]]:
    """Return distinct pairs of a file or records, failures of lines, and notes; ``PartlyDone`` without any pair."""
    expected = "expected a JSON Lines file of summaries and references"
    lines: Iterable[Any] = read_json_lines(pairs, expected) if isinstance(pairs, str | Path) else pairs
    readable: list[Pair] = []
    failures: list[Failure] = []
    for number, line in enumerate(lines, start=1):
        is_line = isinstance(line, JsonLine)
        try:
            record = line.record() if is_line else line
            readable.append(record if isinstance(record, Pair) else parse_pair(record))
        except KeywrightError as error:
            failures.append(Failure.from_error(f"{line.file}:{line.number}" if is_line else f"record {number}", error))
    if failures and not readable:
        first = failures[0]
        raise PartlyDone(f"none of {len(failures)} lines is a pair; {first.document_id}: {first.message}", first.hint)
    distinct, notes = keep_distinct_pairs(add_languages(readable, language))
    return distinct, tuple(failures), notes


def read_json_lines(name: str | Path, expected: str) -> Iterator[JsonLine]:
    """Return lines of JSON Lines that are not blank; ``-`` is standard input; ``expected``: hint without file."""
    if str(name) == "-":
        return lines_of(sys.stdin.buffer.read(), "-", LIMITS)
    if not Path(name).is_file():
        raise MissingData(f"there is no file {name}", expected)
    return iterate_lines(Path(name))


def evaluator(specification: str | Evaluator) -> Evaluator:
    """Return an evaluator from its specification; an evaluator unchanged."""
    return make_evaluator(specification, _find_extractors) if isinstance(specification, str) else specification


def describe_evaluators() -> dict[str, tuple[str, tuple[tuple[str, str, str], ...]]]:
    """Return the summary line of each evaluator, and its options: name, values in words, default as text."""
    return {
        name: (
            inspect.cleandoc(evaluator_class(name).__doc__ or "").partition("\n")[0],
            tuple(map(_describe_option, list_parameters(evaluator_class(name)))),
        )
        for name in EVALUATORS
    }


def _describe_option(parameter: Parameter) -> tuple[str, str, str]:
    if parameter.name == "extractors":
        usual = ", ".join(f"{name} for {language or 'others'}" for language, name in _USUAL_EXTRACTORS.items())
        return "extractor", "name of a system, or folder of a trained one", usual
    if parameter.name == "fit":
        return "fit", "file of coefficients", "none"
    default = getattr(parameter.default, "value", parameter.default)
    text = ("no", "yes")[default] if isinstance(default, bool) else str(default).lower()
    return parameter.name, parameter.kind.replace("true or false", "yes or no"), text


def _name_evaluators(items: Iterable[str | Evaluator]) -> dict[str, Evaluator]:
    """Return evaluators by specification; several values of one name are numbered from the second on."""
    ready: dict[str, Evaluator] = {}
    for item in items:
        label = item if isinstance(item, str) else item.name
        others = sum(key.partition(" ")[0] == label for key in ready)
        ready[label if isinstance(item, str) or not others else f"{label} {others + 1}"] = evaluator(item)
    return ready


def _find_extractors(name: str | None) -> Mapping[str, LemmaExtractor]:
    """Return a system for all languages, or the usual ones by language, ready to run."""
    extractors = {}
    for language, each in ({"": name} if name else _USUAL_EXTRACTORS).items():
        # Summaries are shorter than any training document; their keyphrases are weighed, not shown with a probability.
        extractor = system(each, **({"any_domain": True} if each == "default" else {}))
        analyser = ByLanguage.for_needs(extractor.needs)
        check_ready(Extraction(analyser, extractor))
        extractors[language] = LemmaExtractor(extractor, analyser)
    return extractors


def report_summaries(
    pairs: Pairs,
    evaluators: Sequence[str | Evaluator] = USUAL_EVALUATORS,
    language: str | None = None,
    *,
    chosen: tuple[str | None, str | None] = (None, None),
    progress: Progress | None = None,
) -> SummaryReport:
    """Rank summarisers, and list the keyphrases that summaries keep, lose and invent.

    >>> import keywright as kw
    >>> pair = {"id": "t1", "system": "mine", "summary": "Tides rise.", "references": ["Tides and the moon."]}
    >>> report = kw.report_summaries([pair])
    >>> [(each.text, each.fate.value) for each in report.summaries[0].keyphrases]
    [('Tides', 'kept'), ('Tides rise', 'added'), ('moon', 'lost'), ('rise', 'added')]

    Args:
        pairs: as for ``score_summaries``.
        evaluators: those that rank; the first ``kpeval`` among them also says which keyphrases count.
        chosen: system and topic whose summaries are shown; None for any.
    """
    ready = _name_evaluators(evaluators)
    every, failures, notes = read_pairs(pairs, language)
    shown = [pair for pair in every if chosen[0] in {None, pair.system} and chosen[1] in {None, pair.id}]
    if not shown:
        raise BadParameter(f"no summary by system {chosen[0]} on topic {chosen[1]}", "expected names of the file")
    keyphrases = next((each for each in ready.values() if isinstance(each, KPEval)), None) or evaluator("kpeval")
    return SummaryReport(
        tuple(report.score_pairs(every, ready, progress)),
        tuple(report.find_all_fates(shown, cast("KPEval", keyphrases))),
        {name: signature(each) for name, each in ready.items()},
        failures,
        notes,
    )


Scores: TypeAlias = str | Path | SummaryScores | Iterable[SummaryScore]  # a file of `summaries score -o`, or its scores


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
        tables = correlation.draw_ranking_table(self.ranking), correlation.draw_agreement_table(self.rows, self.method)
        return (*tables, draw_comparison_table(self.comparisons)) if self.comparisons else tables

    def write_plots(self, folder: str | Path) -> tuple[Path, ...]:
        """Write a heat map for each level and coefficient as SVG and PNG into a folder, and return the files."""
        place = Path(folder)
        files = []
        for picture in correlation.draw_heat_maps(self.rows):
            place.mkdir(parents=True, exist_ok=True)
            for ending, content in ((".svg", picture.svg().encode()), (".png", picture.png())):
                files.append(place / f"{picture.name}{ending}")
                write_whole(files[-1], content)
        return tuple(files)


def correlate_summaries(  # noqa: PLR0913 - one argument for each choice
    scores: Scores,
    *,
    values: Sequence[str] = ("R",),
    levels: Sequence[str] = tuple(Level),
    coefficients: Sequence[str] = tuple(Coefficient),
    resample: str = Resampled.DOCUMENTS.value,
    samples: int = correlation.SAMPLES,
    controlled_for: str | None = None,
    constant_as_zero: bool = False,
    compare: bool = False,
) -> SummaryAgreement:
    """Correlate evaluators with people, if there are their scores, and with each other.

    >>> import keywright as kw
    >>> scores = kw.score_summaries("docs/examples/summaries.jsonl", ["kpeval", "rouge155"])
    >>> agreement = kw.correlate_summaries(scores, levels=["system"], coefficients=["kendall"], samples=10)
    >>> [(row.evaluator, row.other, row.value) for row in agreement.rows][:1]
    [('kpeval', 'human:coverage', 1.0)]

    Args:
        values: names of the values of evaluators that have several; recall by default.
        levels: ``system``, ``summary`` or ``topic``.
        coefficients: ``pearson``, ``spearman`` or ``kendall``.
        resample: items that the bootstrap draws: ``documents``, ``systems`` or ``both``.
        samples: number of resamples and permutations.
        controlled_for: column, such as ``length``, of which partial correlations are independent.
        constant_as_zero: count topics with a constant side as 0 instead of leaving them out.
        compare: whether evaluators are compared by their correlation with people.

    Raises:
        BadRecord: the file holds no scores, or two of one summary that differ.
    """
    if isinstance(scores, str | Path):
        scores = report.read_scores(
            read_json_lines(scores, "`keywright summaries score PAIRS -o FILE` writes one"), str(scores)
        )
    table = report.tabulate_scores(scores.scores if isinstance(scores, SummaryScores) else scores, values)
    if len(table.columns) < 2:  # noqa: PLR2004 - a correlation has two sides
        message = f"only {', '.join(table.columns)}: nothing to correlate with"
        raise BadParameter(message, "score with several evaluators, or give pairs with human scores")
    if len(table.systems) < 2:  # noqa: PLR2004 - nor has one system an order
        raise BadParameter(f"only one system, {', '.join(table.systems)}", "expected summaries by several systems")
    statistics = [
        Statistic(level, coefficient, constant_as_zero=constant_as_zero)
        for level in _find_members(Level, levels)
        for coefficient in _find_members(Coefficient, coefficients)
    ]
    resampling = Resampling(samples)
    (resampled,) = _find_members(Resampled, [resample])
    bootstrap = correlation.Bootstrap(resampled, resampling)
    people = [name for name in table.columns if name.startswith(correlation.HUMAN)]
    compared = [name for name in table.columns if name not in {*people, controlled_for}]
    couples = list(itertools.combinations(compared, 2))
    pairs = [(name, human) for human in people for name in compared] + couples
    triples = [(*two, human) for human in people for two in couples]
    return SummaryAgreement(
        correlation.correlate(table, pairs, statistics, bootstrap, controlled_for),
        compare_evaluators(table, triples, statistics, resampling) if compare else (),
        correlation.rank_systems(table, resampling=resampling),
        bootstrap.method,
        () if people else ("no scores by people: correlations show agreement of evaluators, not their validity",),
    )


def _find_members(kind: Any, names: Iterable[str]) -> list[Any]:
    for name in names:
        if name not in kind._value2member_map_:
            raise BadParameter(f"{kind.__name__.lower()} {name!r}", f"expected one of {', '.join(kind)}")
    return [kind(name) for name in names]
