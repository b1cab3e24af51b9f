"""The study of documents unlike those of training: what is counted, and made texts."""

from collections import Counter

import pytest

from keywright.catalogue import system_class
from keywright.experiments import study as publishing
from studies.domain.study import STUDY, Flagged, _flagged, bounds_by_rule, odd_texts

SENTENCE = (
    "The tenants ask for a longer notice period, and the landlord wants to raise the rent of the whole flat again. "
    "They met in the kitchen, read the old contract and wrote a letter about windows and heating."
)


def test_texts_and_reasons_are_counted():
    texts = [(SENTENCE, "en"), (SENTENCE.upper(), "en"), ("Two words", "en"), ("One word", "en")]
    row = _flagged("odd", "made", texts)
    assert row == Flagged("odd", "made", 4, 3, "too short 2, written in capitals 1")
    table = next(each for each in publishing.lay_out_study(STUDY, (row,), system_class) if each.rows)
    assert [cell.text for cell in table.rows[0]][:4] == ["made", "4", "3", "75.0"]


@pytest.mark.data
def test_odd_texts_are_the_same_each_time(mirror):
    texts = odd_texts(mirror)
    assert texts == odd_texts(mirror)
    assert len(texts) >= 12
    shuffled, backwards = texts["words shuffled, abstracts"][0], texts["abstracts backwards"][0]
    assert Counter(shuffled.split()) == Counter(backwards[::-1].split())


def test_bounds_are_the_loosest_of_the_collections():
    steps = [{"function": at / 200, "capitals": at / 200} for at in range(201)]
    others = [{"function": 0.5, "capitals": 0.5}] * 3
    every = dict.fromkeys(("content", "known", "distinct", "signs", "code", "the"), 0.5)
    bounds = bounds_by_rule([[{**every, **each} for each in steps], [{**every, **each} for each in others]])
    assert bounds.function["en"] == pytest.approx(1 / 200)
    assert bounds.most["capitals"] == pytest.approx(199 / 200)
    assert bounds.least["content"] == 0.5
