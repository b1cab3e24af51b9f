"""Scores of summaries, one for each summary and evaluator: rows of a file, a table for people, and columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Final

from keywright.core.errors import BadParameter, BadRecord
from keywright.core.interfaces import Progress
from keywright.core.json_values import decode, encode
from keywright.core.pages import Cell, Table
from keywright.core.signatures import signature
from keywright.reading.record_lines import JsonLine
from keywright.summaries.agreement.correlation import HUMAN, ScoreTable, make_score_table, rank_systems
from keywright.summaries.evaluator import Evaluator
from keywright.summaries.pairs import Pair

_FORM = 'expected {"id", "system", "evaluator", "values": {…}} on each line, as `keywright summaries score -o` writes'


@dataclass(frozen=True, slots=True)
class SummaryScore:
    """The values of one summary under one evaluator."""

    id: str  # the topic
    system: str
    evaluator: str  # specification, as given
    signature: str
    values: Mapping[str, float | None]  # by name; None where undefined
    notes: tuple[str, ...] = ()
    # Scores that people gave to the summary, by protocol.
    human: Mapping[str, float] = field(default_factory=dict, metadata={"optional": True})

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; ``human`` only where people gave scores."""
        return dict(encode(self))


def score_pairs(
    pairs: Sequence[Pair], evaluators: Mapping[str, Evaluator], progress: Progress | None = None
) -> Iterator[SummaryScore]:
    """Yield the scores of all pairs under each evaluator in turn; evaluators are by specification."""
    done = 0
    for specification, evaluator in evaluators.items():
        signed = signature(evaluator)
        for pair, evaluation in zip(pairs, evaluator.evaluate(pairs), strict=True):
            done += 1
            if progress:
                progress(done, len(pairs) * len(evaluators))
            notes = ["the summary is empty"] if pair.summary.empty else []
            if empty := sum(text.empty for text in pair.references):
                notes.append(f"{empty} of {len(pair.references)} references are empty")
            if pair.own_reference:
                notes.append("the reference by the summary's author is left out")
            every = (*notes, *pair.notes, *evaluation.notes)
            yield SummaryScore(pair.id, pair.system, specification, signed, evaluation.values, every, pair.human)


def read_scores(lines: Iterable[JsonLine], name: str) -> tuple[SummaryScore, ...]:
    """Return the scores of a file's lines; raises ``BadRecord`` with the line that is invalid, or if there is none."""
    scores = []
    for line in lines:
        try:
            record = line.record()
            values = {"signature": "", "notes": [], "human": {}, **record, "id": str(record["id"])}
            scores.append(decode(SummaryScore, values, "score"))
        except KeyError as error:
            raise BadRecord(f"line {line.number} of {name} has no key {error}", _FORM) from None
        except TypeError as error:
            raise BadRecord(f"line {line.number} of {name}: {error}", _FORM) from None
    if not scores:
        raise BadRecord(f"{name} holds no score", _FORM)
    return tuple(scores)


def tabulate_scores(scores: Iterable[SummaryScore], values: Sequence[str] = ("R",)) -> ScoreTable:
    """Return scores as a table, columns of people last (``human:PROTOCOL``); missing or double ones are refused."""
    cells: list[tuple[str, str, str, float | None]] = []
    human: dict[tuple[str, str, str], float] = {}
    for score in scores:
        names = [name for name in score.values if name in values] if len(score.values) > 1 else list(score.values)
        if not names:
            expected = ", ".join(score.values)
            raise BadParameter(f"{score.evaluator} has no value {' or '.join(values)}", f"expected one of {expected}")
        label = {name: score.evaluator if len(names) == 1 else f"{score.evaluator} {name}" for name in names}
        cells += [(score.id, score.system, label[name], score.values[name]) for name in names]
        human |= {(score.id, score.system, f"{HUMAN}{name}"): value for name, value in score.human.items()}
    return make_score_table([*cells, *((*key, value) for key, value in human.items())])


_HEADLINES: Final = ("R", "score")  # values that systems are ordered by: recall where there is one


def draw_system_table(scores: Sequence[SummaryScore]) -> Table:
    """Return the mean over topics of each system's values, best first; undefined ones are counted below."""
    names = tuple(dict.fromkeys(name for score in scores for name in score.values))
    caption = (
        "Mean over topics; systems are ordered by recall or score, and the best values are marked. The interval is of "
        "recall or score: 95 % percentile bootstrap over topics, 1000 resamples."
    )
    rows: list[tuple[str | Cell, ...]] = []
    notes = []
    for evaluator, scored in group_by_evaluator(scores).items():
        rows += _draw_rows(evaluator, scored, names)
        if undefined := sum(None in score.values.values() for score in scored):
            notes.append(f"{evaluator}: {undefined} summaries without a value are not in the means")
    return Table.make(caption, ("evaluator", "system", "topics", *names, "interval"), rows, 2, notes)


def group_by_evaluator(scores: Iterable[SummaryScore]) -> dict[str, list[SummaryScore]]:
    """Return the scores of each evaluator."""
    groups: dict[str, list[SummaryScore]] = {}
    for score in scores:
        groups.setdefault(score.evaluator, []).append(score)
    return groups


def average_systems(scores: Sequence[SummaryScore]) -> dict[str, dict[str, float | None]]:
    """Return the mean of each value over topics, by system, of the scores of one evaluator; None where undefined."""
    names = tuple(dict.fromkeys(name for score in scores for name in score.values))
    values: dict[str, dict[str, list[float]]] = {}
    for score in scores:
        row = values.setdefault(score.system, {name: [] for name in names})
        for name, value in score.values.items():
            if value is not None:
                row[name].append(value)
    return {
        system: {name: fmean(column) if column else None for name, column in row.items()}
        for system, row in values.items()
    }


def _draw_rows(
    evaluator: str, scores: Sequence[SummaryScore], names: Sequence[str]
) -> Iterator[tuple[str | Cell, ...]]:
    means = average_systems(scores)
    ranked = {row.system: row for row in rank_systems(tabulate_scores([replace(each, human={}) for each in scores]))}
    headline = next(name for name in (*_HEADLINES, *names) if name in scores[0].values)
    best = {
        name: max((value for row in means.values() if (value := row.get(name)) is not None), default=None)
        for name in names
    }
    for system in sorted(means, key=lambda name: (means[name][headline] is None, -(means[name][headline] or 0.0))):
        values = {name: means[system].get(name) for name in names}
        cells = (
            "-" if value is None else Cell(f"{value:.4f}", best=len(means) > 1 and value == best[name])
            for name, value in values.items()
        )
        topics = sum(score.system == system for score in scores)
        interval = ranked[system].interval if system in ranked and ranked[system].topics > 1 else None
        ends = f"{interval[0]:.4f} to {interval[1]:.4f}" if interval else "-"
        yield (evaluator, system, str(topics), *cells, ends)
