"""Evaluators of summaries beside people's judgements: REALSumm and ROSE.

Documents are split in two halves by a hash of their ids. Settings of KPEval were chosen on the first half, and both
halves are shown; only the second says how good the choice is.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from keywright.core.interfaces import Progress
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import holm
from keywright.experiments.study import Row, Study
from keywright.experiments.summary_evaluation.evaluators import Find, evaluate, evaluators, lemma_extractor, part_of
from keywright.experiments.summary_evaluation.layout import judged_tables
from keywright.experiments.summary_evaluation.summary_collections import HUMAN, judged
from keywright.summaries.agreement.coefficients import Coefficient
from keywright.summaries.agreement.correlation import correlate
from keywright.summaries.agreement.difference_tests import compare_evaluators
from keywright.summaries.agreement.levels import Level, Statistic
from keywright.summaries.agreement.score_table import ScoreTable

NAME: Final = "summary-evaluators"

EVALUATORS: Final[Mapping[str, str]] = {
    "kpeval": "kpeval",
    "kpeval-words": "kpeval:longest=1",
    "kpeval-weighted": "kpeval:weight=probability",
    "kpeval-source": "kpeval:mode=source,weight=probability",
    "rouge-1": "rouge155:measure=1",
    "rouge-2": "rouge155:measure=2",
    "rouge-l": "rouge155:measure=L",
    "rouge-su4": "rouge155:measure=SU4",
    "autosummeng": "ngram-graph",
    "memog": "ngram-graph:measure=memog,graph=symmetric",
    "length": "length",
}
"""Specifications by label."""

CHOSEN: Final = "kpeval-words"
"""The setting with the highest sum of the four Kendall's tau on the first halves: single words only."""

RIVAL: Final = "rouge-1"
"""The evaluator that the choice is tested against, once, on the second halves."""

SAMPLES: Final = 10_000
"""Permutations of the test."""

HALVES: Final = ("first-half", "second-half")
_STATISTICS: Final = tuple(
    Statistic(level, coefficient) for level in (Level.SYSTEM, Level.SUMMARY) for coefficient in Coefficient
)
_TESTED: Final = tuple(Statistic(level, Coefficient.KENDALL) for level in (Level.SYSTEM, Level.SUMMARY))


def rows(find: Find, progress: Progress | None = None, mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute the correlation of each evaluator with people on both halves of both collections.

    Args:
        find: returns the class of a system by its name.
        progress: called with the number of evaluators done, and of all.
        mirror: folder of data; None for the one that KEYWRIGHT_MIRROR names.

    Raises:
        MissingData: there is no such folder.
    """
    chosen = evaluators(EVALUATORS, {"": lemma_extractor(find("default")(any_domain=True))})
    parts = [(name, half) for name in HUMAN for half in range(len(HALVES))]
    table: list[Row] = []
    second_halves: dict[str, ScoreTable] = {}
    for number, (name, half) in enumerate(parts):
        scores = evaluate(judged(name, mirror)[half], chosen, part_of(progress, number, len(parts)))
        table += _correlations(f"{name}/{HALVES[half]}", HUMAN[name], scores)
        if half:
            second_halves[name] = scores
    return (*table, *_differences(second_halves))


def _correlations(dataset: str, human: str, scores: ScoreTable) -> Iterator[Row]:
    for row in correlate(scores, [(name, human) for name in EVALUATORS], _STATISTICS):
        measure = f"{row.coefficient.value}@{row.level.value}"
        note = f"{row.left_out} left out" if row.left_out else ""
        yield Row(measure, None, row.value, row.evaluator, human, dataset, interval=row.interval, note=note)


def _differences(tables: Mapping[str, ScoreTable]) -> Iterator[Row]:
    """Yield the difference of the choice from its rival on the second halves, with p corrected for all of them."""
    compared = [
        (name, row)
        for name, scores in tables.items()
        for row in compare_evaluators(scores, [(CHOSEN, RIVAL, HUMAN[name])], _TESTED, Resampling(SAMPLES))
    ]
    corrected = holm([1.0 if row.p is None else row.p for _, row in compared])
    for (name, row), p in zip(compared, corrected, strict=True):
        measure = f"{row.statistic.coefficient.value}@{row.statistic.level.value} less {RIVAL}"
        note = f"p {row.p:.3g}, {p:.3g} by Holm over {len(compared)} tests" if row.p is not None else "undefined"
        yield Row(measure, None, row.difference, CHOSEN, HUMAN[name], f"{name}/{HALVES[1]}", note=note)


STUDY: Final = Study(NAME, rows, tables=judged_tables)
