"""Spellings that are nearly alike."""

import random

import pytest

from keywright.extraction.ranking.redundancy import distance, similarity, without_similar


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("rain garden", "rain gardens", 1)],
)
def test_distance(left, right, expected):
    assert distance(left, right) == distance(right, left) == expected


def test_similarity():
    assert similarity("", "") == 1
    assert similarity("abcd", "abce") == 0.75


def test_the_better_of_two_likes_stays():
    texts = ["rain garden", "noise map", "rain gardens", "noise maps", "train garden", "garden"]
    assert without_similar(texts, 0.8).tolist() == [0, 1, 5]
    assert without_similar(texts, 0.95).tolist() == [0, 1, 2, 3, 4, 5]


def test_a_phrase_as_like_as_the_threshold_stays():
    assert without_similar(["abcd", "abce"], 0.75).tolist() == [0, 1]
    assert without_similar(["abcd", "abce"], 0.74).tolist() == [0]


def test_only_those_that_stay_take_others_away():
    """*abcdf* is like *abcde*, *abxdf* is like *abcdf* only, which is gone."""
    assert without_similar(["abcde", "abcdf", "abxdf"], 0.79).tolist() == [0, 2]


def test_nothing_goes_from_one_on():
    assert without_similar(["a", "a"], 1.0).tolist() == [0, 1]
    assert without_similar([], 0.8).tolist() == []


def test_fewer_are_the_first_of_more_and_pruning_loses_nothing():
    chance = random.Random(3)  # noqa: S311  (no secret is made)
    texts = ["".join(chance.choices("abc", k=chance.randint(1, 7))) for _ in range(150)]
    plain: list[int] = []
    for index, text in enumerate(texts):
        if all(similarity(text, texts[other]) <= 0.6 for other in plain):
            plain.append(index)
    assert without_similar(texts, 0.6).tolist() == plain
    assert without_similar(texts, 0.6, 5).tolist() == plain[:5]
