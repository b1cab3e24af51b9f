"""Parts of better phrases: pairs and what goes, by hand.

Phrases that repeat a better one, by the words they share.

Spellings that are nearly alike.
"""

import random

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.ranking.redundancy import (
    distance,
    nested_pairs,
    redundant,
    runs_inside,
    similarity,
    without_near_repetitions,
    without_similar,
)
from keywright.text.keys import phrase_key

TEXT = "sensor network noise; sensor network; network; floor noise"


def candidates(text: str, longest: int = 3) -> tuple[AnalysedDocument, Candidates, list[str]]:
    document = analysed(text)
    found = ngrams(document, longest)
    ends = document.end[found.first + found.length - 1]
    return document, found, [text[s:e] for s, e in zip(document.start[found.first], ends, strict=True)]


DOCUMENT, FOUND, NAMES = candidates(TEXT)


def gone(scores: dict[str, float], **rule: float) -> set[str]:
    """Names of the redundant candidates; scores of those not named are 0.1."""
    column = np.array([scores.get(name, 0.1) for name in NAMES])
    mask = redundant(DOCUMENT, FOUND, column, **rule)
    return {name for name, out in zip(NAMES, mask.tolist(), strict=True) if out}


def pairs(text: str) -> set[tuple[str, str]]:
    document, found, names = candidates(text)
    part, whole = nested_pairs(document, found)
    return {(names[p], names[w]) for p, w in zip(part.tolist(), whole.tolist(), strict=True)}


def test_pairs():
    assert pairs(TEXT) == {
        ("sensor", "sensor network"),
        ("sensor", "sensor network noise"),
        ("network", "sensor network"),
        ("network", "network noise"),
        ("network", "sensor network noise"),
        ("noise", "network noise"),
        ("noise", "floor noise"),
        ("noise", "sensor network noise"),
        ("floor", "floor noise"),
        ("sensor network", "sensor network noise"),
        ("network noise", "sensor network noise"),
    }


def test_pairs_across_inflection_and_hyphens():
    """*neural networks* is *neural-network*, whose parts are none: it is one word at its first mention."""
    assert pairs("neural-network models; neural networks; model") == {
        ("neural-network", "neural-network models"),
        ("models", "neural-network models"),
    }


def test_a_word_twice_in_a_phrase_is_one_pair():
    assert pairs("peer to peer") == set()
    document, found, _ = candidates("tide tide")
    part, whole = nested_pairs(document, found)
    assert (part.tolist(), whole.tolist()) == ([0], [1])


def test_parts_of_better_phrases_go():
    scores = {"sensor network": 5, "network": 4, "sensor": 6, "network noise": 3, "noise": 2, "floor noise": 1}
    assert gone(scores) == {"network", "floor", "noise"}


def test_at_equal_scores_the_longer_one_stays():
    assert gone(dict.fromkeys(NAMES, 1.0)) == {"sensor", "network", "noise", "floor", "sensor network", "network noise"}


def test_a_part_may_have_to_be_clearly_better():
    scores = {"sensor network": 5, "network": 6, "sensor": 12, "network noise": 0.25, "floor noise": 0.2, "noise": 9}
    assert gone(scores) == {"floor"}
    assert gone(scores, advantage=2) == {"floor", "network"}
    assert gone(scores, advantage=3) == {"floor", "network", "sensor", "network noise"}


def test_who_goes_outdoes_nobody():
    """*network* is better than the whole thing, and *sensor network*, which would outdo it, is gone."""
    scores = {"sensor network noise": 3, "sensor network": 4, "network": 7}
    assert "network" in gone({**scores, "sensor network noise": 0.1}, advantage=2)
    assert "sensor network" in gone(scores, advantage=2)
    assert "network" not in gone(scores, advantage=2)


def test_only_parts_that_never_stand_alone():
    """Mentions: *network* 3, *sensor network* 2, *sensor* 2, *noise* 2, the others 1."""
    scores = {"sensor network": 5, "network": 4, "sensor": 3, "floor noise": 2, "floor": 1, "noise": 1}
    assert gone(scores, equally_often=True) == {"sensor", "floor", "network noise"}
    assert gone(scores) == {"sensor", "floor", "network", "noise", "network noise"}


@pytest.mark.parametrize("text", ["", "and of the", "..."])
def test_nothing_is_redundant_where_nothing_is(text):
    document, found, _ = candidates(text)
    assert redundant(document, found, np.zeros(len(found))).shape == (0,)


def test_runs_inside():
    """*sensor network noise* has six runs, *sensor network* three, *network* one."""
    document, found, names = candidates("sensor network noise")
    which, key, width = runs_inside(document, found)
    whole = which == names.index("sensor network noise")
    assert sorted(width[whole].tolist()) == [1, 1, 1, 2, 2, 3]
    assert set(key[whole].tolist()) == set(found.key.tolist())
    part = which == names.index("sensor network")
    expected = {"sensor": 1, "network": 1, "sensor network": 2}
    assert dict(zip(key[part].tolist(), width[part].tolist(), strict=True)) == {
        phrase_key(name): tokens for name, tokens in expected.items()
    }


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
