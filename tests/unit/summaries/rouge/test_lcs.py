"""Longest common subsequences: the bit-parallel ones against the table that they stand for."""

import random
from functools import partial

import pytest

from keywright.core.errors import TooLarge
from keywright.summaries.rouge import measures as lcs
from keywright.summaries.rouge.measures import Positions, Sentences, match_longest, measure_longest


def by_table(first: list[int], second: list[int]) -> tuple[int, int]:
    """Return the length, and the places in the first text on the way back that prefers up."""
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for row, token in enumerate(first, start=1):
        for column, other in enumerate(second, start=1):
            above, left = table[row - 1][column], table[row][column - 1]
            table[row][column] = table[row - 1][column - 1] + 1 if token == other else max(above, left)
    row, column, places = len(first), len(second), 0
    while row and column:
        if first[row - 1] == second[column - 1]:
            row, column = row - 1, column - 1
            places |= 1 << row
        elif table[row - 1][column] >= table[row][column - 1]:
            row -= 1
        else:
            column -= 1
    return table[-1][-1], places


def texts(number: int) -> list[tuple[list[int], list[int]]]:
    chance = random.Random(number)  # noqa: S311 - texts, not secrets

    def text(words: int) -> list[int]:
        return [chance.randint(0, words) for _ in range(chance.randint(0, 14))]

    return [(text(words), text(words)) for words in (chance.randint(1, 6) for _ in range(number))]


@pytest.mark.parametrize("short", [4096, 0, 3])
def test_rows_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch, short: int) -> None:
    monkeypatch.setattr(lcs, "_SHORT", short)
    for first, second in texts(2_000):
        assert (measure_longest(Positions(first), second), match_longest(Positions(first), second)) == by_table(
            first, second
        )


def test_sentences_that_need_too_much_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lcs, "_ROW_BITS", 5)
    with pytest.raises(TooLarge, match="ROUGE-L of sentences of 2 and 3 words"):
        match_longest(Positions([0, 1]), [1, 0, 1])


def test_a_tie_goes_up() -> None:
    assert match_longest(Positions([0, 1]), [1, 0]) == 0b01


def test_a_union_is_that_of_all_sentences() -> None:
    for first, second in texts(2_000):
        sentences = [second[:5], second[5:9], second[9:], first][: 3 + len(second) % 2]
        expected = 0
        for sentence in sentences:
            expected |= by_table(first, sentence)[1]
        assert Sentences(sentences).union(first, partial(match_longest, Positions(first))) == expected
