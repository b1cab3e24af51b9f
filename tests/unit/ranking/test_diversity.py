"""Phrases that repeat a better one, by the words they share."""

import pytest

from keywright.extraction.ranking.redundancy import without_near_repetitions

WORDS = [
    {"sensor", "network"},
    {"wireless", "sensor", "network"},  # Dice with the first 2·2/5 = .8
    {"network"},  # 2·1/3 = .667
    {"sensor", "data"},  # 2·1/4 = .5
    {"network", "sensor"},  # the first again: 1
    {"clay"},
]


@pytest.mark.parametrize(
    ("diversity", "kept"),
    [
        (0, [0, 1, 2, 3, 4, 5]),
        (0.01, [0, 1, 2, 3, 5]),
        (0.2, [0, 1, 2, 3, 5]),
        (0.21, [0, 2, 3, 5]),
        (0.34, [0, 3, 5]),
        (0.5, [0, 3, 5]),
        (0.51, [0, 5]),
        (1, [0, 5]),
    ],
)
def test_the_later_of_two_phrases_goes_when_they_are_too_like(diversity, kept):
    assert without_near_repetitions(WORDS, diversity).tolist() == kept


def test_a_phrase_that_went_takes_no_other_with_it():
    # .8 to the first, so it goes; the third is like the second (.667) and not like the first (0).
    assert without_near_repetitions([{"a", "b"}, {"a", "b", "c"}, {"c", "d"}], 0.21).tolist() == [0, 2]


def test_nothing_comes_of_nothing():
    assert without_near_repetitions([], 0.5).tolist() == []
    assert without_near_repetitions([set(), set()], 1).tolist() == [0, 1]


def test_a_shorter_list_is_a_beginning():
    whole = without_near_repetitions(WORDS, 0.5).tolist()
    for size in range(len(WORDS)):
        assert without_near_repetitions(WORDS[:size], 0.5).tolist() == [one for one in whole if one < size]
