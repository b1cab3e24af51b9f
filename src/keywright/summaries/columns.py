"""Files of scores as one table of columns: evaluators and people."""

from collections.abc import Iterable, Sequence

from keywright.core.errors import BadParameter
from keywright.summaries.agreement.score_table import ScoreTable, score_table
from keywright.summaries.scores import SummaryScore

HUMAN = "human:"
"""Beginning of the names of columns of people's scores."""


def as_table(scores: Iterable[SummaryScore], values: Sequence[str] = ("R",)) -> ScoreTable:
    """Return scores as a table, with columns of people's scores, ``human:PROTOCOL``, last.

    Args:
        scores: of any evaluators.
        values: names of the values of evaluators that have several, such as ``R`` and ``F``.

    Raises:
        BadParameter: an evaluator has none of these values.
        BadRecord: a summary has two different values under one evaluator.
    """
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
    return score_table([*cells, *((*key, value) for key, value in human.items())])
