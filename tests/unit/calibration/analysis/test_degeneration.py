"""Degenerate lists: by hand at the rule's boundaries."""

from math import log

import pytest
from tests.builders import run as run_of

from keywright.calibration.analysis.analysing import find_degeneration, is_degenerate
from keywright.core.choices import Confidence
from keywright.core.errors import BadRecord
from keywright.core.keyphrases import Generation, Keyphrase


def phrase(text, probability=0.95):
    words = len(text.split())
    return Keyphrase(text, 0.0, generation=Generation((text,), (words * log(probability),), words=words))


def run(*lists: list[Keyphrase]):
    return run_of({f"d{at}": phrases for at, phrases in enumerate(lists)})


def words(number, probability=0.95):
    return [phrase(f"word{at}", probability) for at in range(number)]


def test_more_than_twelve_and_more_than_four_fifths_of_one_word_and_surer_than_nine_tenths():
    assert is_degenerate(words(13))
    assert not is_degenerate(words(12))
    pairs = [phrase(f"two words{at}") for at in range(3)]
    assert is_degenerate(words(13) + pairs)  # 13 of 16
    assert not is_degenerate(words(12) + pairs)  # 12 of 15 are four fifths, not more
    assert not is_degenerate(words(13, 0.89))
    assert not is_degenerate(words(12, 0.95) + words(12, 0.8))
    assert is_degenerate(words(13, 0.1), Confidence.SCORE)
    assert not is_degenerate(())


def test_the_mean_is_of_whichever_confidence_is_asked_for():
    sure = [Keyphrase(f"word{at}", 0.0, 0.95) for at in range(13)]
    assert is_degenerate(sure, confidence=Confidence.PROBABILITY)
    with pytest.raises(BadRecord, match="has no token probabilities"):
        is_degenerate(sure)


def test_repeats_count_once_and_are_counted():
    soup = words(13)
    found = find_degeneration(run(soup, [*words(12), phrase("Word0"), phrase("word1")], [], [phrase("a b")]))
    assert found.degenerate == ("d0",)
    assert (found.documents, found.long, found.phrases, found.repeats) == (4, 1, 28, 2)
    assert found.degenerate_share == 0.25
    assert found.repeat_share == pytest.approx(2 / 28)


def test_of_nothing_there_are_no_shares():
    assert (find_degeneration(run()).degenerate_share, find_degeneration(run()).repeat_share) == (None, None)
    assert find_degeneration(run([])).degenerate_share == 0
    assert find_degeneration(run([])).repeat_share is None


def test_scores_are_no_confidence():
    assert find_degeneration(run([Keyphrase("a", 12.0)])).degenerate == ()
    assert find_degeneration(run([Keyphrase(f"word{at}", 12.0) for at in range(13)])).degenerate == ("d0",)
