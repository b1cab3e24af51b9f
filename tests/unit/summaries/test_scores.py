"""Rows of scores, and their table."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest

from keywright.core.errors import BadRecord
from keywright.reading.record_lines import JsonLine
from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.pairs import Pair, parse_pair
from keywright.summaries.report import draw_system_table, read_scores, score_pairs


@dataclass(frozen=True)
class Words(Evaluator):
    """Number of words; None for an empty summary."""

    name: ClassVar[str] = "words"
    headline: ClassVar[str] = "score"
    times: int = 1

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        for pair in pairs:
            yield Evaluation({"score": len(pair.summary.whole.split()) * self.times or None}, ("counted",))


def lines(*texts: str) -> list[JsonLine]:
    """Return the lines of a file that are not blank, numbered as in the file."""
    return [JsonLine("file", number, text.encode()) for number, text in enumerate(texts, 1) if text]


def pairs() -> list[Pair]:
    reference = {"references": ["One."], "reference_authors": ["b"]}
    return [
        parse_pair({"id": "t1", "system": "a", "summary": "two words", "human": {"acu": 0.5}, **reference}),
        parse_pair({"id": "t1", "system": "b", "summary": "three words here", **reference}),
        parse_pair({"id": "t2", "system": "a", "summary": "...", "references": [""]}),
    ]


def test_a_score_is_a_row_that_is_read_back() -> None:
    scores = tuple(score_pairs(pairs(), {"words": Words(), "words:times=2": Words(2)}))
    assert [score.values["score"] for score in scores] == [2, 3, 1, 4, 6, 2]
    assert scores[0].as_json() == {
        "id": "t1",
        "system": "a",
        "evaluator": "words",
        "signature": scores[0].signature,
        "values": {"score": 2},
        "notes": ["counted"],
        "human": {"acu": 0.5},
    }
    assert scores[0].signature.startswith("words|times:1|v")
    assert scores[1].notes == ("the reference by the summary's author is left out", "counted")
    assert scores[2].notes == ("the summary is empty", "1 of 1 references are empty", "counted")
    assert read_scores(lines(*(json.dumps(score.as_json()) for score in scores)), "file") == scores


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"id": 1}', '{"id": 1, "system": "a", "evaluator": "w", "values": {"F": "x"}}']
)
def test_a_line_of_another_form_is_named(line: str) -> None:
    with pytest.raises(BadRecord, match="line 2 of file"):
        read_scores(lines("", line), "file")


def test_a_file_without_scores_is_refused() -> None:
    with pytest.raises(BadRecord, match="holds no score"):
        read_scores([], "file")


def test_systems_are_ordered_by_their_mean() -> None:
    table = draw_system_table(tuple(score_pairs(pairs(), {"words": Words()})))
    assert [tuple(cell.text for cell in row) for row in table.rows] == [
        ("words", "b", "1", "3.0000", "-"),
        ("words", "a", "2", "1.5000", "1.0000 to 2.0000"),  # a quarter of the samples has the first topic twice
    ]
