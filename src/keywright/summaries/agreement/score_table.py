"""Scores of evaluators and of people, side by side: systems by topics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadRecord, unknown


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Scores of the same summaries by several evaluators and people.

    Attributes:
        systems: names.
        topics: names.
        columns: scores by evaluator, or by protocol of people, (systems, topics); nan where there is none.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    columns: Mapping[str, Floats]

    def column(self, name: str) -> Floats:
        """Return the scores of an evaluator or protocol.

        Raises:
            UnknownName: there is none of that name.
        """
        if name not in self.columns:
            raise unknown("column of scores", name, self.columns, "keywright summaries correlate SCORES")
        return self.columns[name]


def score_table(cells: Sequence[tuple[str, str, str, float | None]]) -> ScoreTable:
    """Return the table of scores, each a topic, a system, a column and a value; systems and topics in first order.

    Raises:
        BadRecord: a topic and system have two different values in one column.
    """
    systems = {name: at for at, name in enumerate(dict.fromkeys(cell[1] for cell in cells))}
    topics = {name: at for at, name in enumerate(dict.fromkeys(cell[0] for cell in cells))}
    columns: dict[str, Floats] = {}
    for topic, system, name, value in cells:
        if name not in columns:
            columns[name] = np.full((len(systems), len(topics)), np.nan)
        if value is None:
            continue
        place = systems[system], topics[topic]
        before = columns[name][place]
        if not np.isnan(before) and before != value:
            raise BadRecord(f"{system} on {topic} has two scores {name}: {before:g} and {value:g}", "keep one of them")
        columns[name][place] = value
    return ScoreTable(tuple(systems), tuple(topics), columns)
