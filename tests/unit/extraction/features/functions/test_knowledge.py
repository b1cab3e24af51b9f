"""What is known from elsewhere, and what stands out among the others; by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import GoldKeyphrase, LabelledDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.frequency import term_frequency
from keywright.extraction.features.functions.knowledge import (
    Association,
    ExternalKeyphraseness,
    Keyphraseness,
    LogCount,
    Membership,
    RankRatio,
)
from keywright.extraction.features.functions.position import Scaled
from keywright.text.keys import phrase_key

DOCUMENT = analysed("grid market. A grid market grid, noise.")
FOUND = ngrams(DOCUMENT, 2)  # grid 3, grid market 2, market 2, market grid, noise
NAMES = ("grid", "grid market", "market", "market grid", "noise")
PHRASES = ("grid", "market", "noise", "grid market", "market grid")


def table(**counts: int) -> PhraseCounts:
    return PhraseCounts.of_phrases([(phrase_key(name.replace("_", " ")), count) for name, count in counts.items()], 100)


def values(feature) -> list[float]:
    column = feature(FOUND, DOCUMENT)
    assert (column.shape, column.dtype) == ((5,), np.float64)
    return [float(column[FOUND.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


def test_keyphraseness_leaves_the_document_out():
    gold = tuple(GoldKeyphrase((form,), "author") for form in ("grid markets", "grid"))
    other = LabelledDocument(analysed("b", name="b"), gold[1:])
    collection = LabelledCollection.of(
        [LabelledDocument(DOCUMENT, gold), other], lambda document: ngrams(document, 2).key
    )
    assert values(Keyphraseness(collection)) == [1, 0, 0, 0, 0]


def test_lexicons():
    lexicon = table(grid=9, grid_market=99)
    assert values(Membership(lexicon)) == [1, 0, 0, 1, 0]
    assert values(LogCount(lexicon)) == [1, 0, 0, 2, 0]
    assert values(ExternalKeyphraseness(lexicon, table(grid=2, market=7))) == [3, 0, 0, 99, 0]


def test_association():
    phrases, words = table(grid=9, grid_market=999), table(grid=9, market=99)
    assert values(Association(phrases, words)) == pytest.approx([0, -2, 0, 3 - 1.5, -1.5])


def test_ranks_against_a_reference():
    words = table(grid=5, noise=5, other=7, rare=1)
    phrases = table(market_grid=3, other_one=1)
    # ranks of words here: grid 1, market 2, noise 3; there: other 1, grid and noise 2, rare 4, market behind: 5
    # phrases here: grid market 1, market grid 2; there: market grid 1, grid market behind both: 3
    expected = [1 / 2, 2 / 5, 3 / 2, 1 / 3, 2]
    assert values(RankRatio((words, phrases))) == pytest.approx(expected)
    # with words only the phrases are looked up there, and not found: rank 5
    assert values(RankRatio((words,)))[3:] == pytest.approx([1 / 5, 2 / 5])


def test_dense_ranks_leave_none_out():
    words, phrases = table(other=9, grid=7, noise=7, rare=1), table(market_grid=5, rare=5)
    # words there: other 1, grid and noise 2, rare 3, market behind: 4; phrases there: market grid 1, grid market 2
    ratio = RankRatio((words, phrases), "dense")
    assert values(ratio) == pytest.approx([1 / 2, 2 / 4, 3 / 2, 1 / 2, 2])
    # in sparse order both unknowns come after as many as there are
    assert values(RankRatio((words, phrases))) == pytest.approx([1 / 2, 2 / 5, 3 / 2, 1 / 3, 2])
    assert ratio.counts(FOUND).tolist() == [{"grid": 7, "noise": 7, "market grid": 5}.get(name, 0) for name in NAMES]
    assert dict(zip(DOCUMENT.words, ratio.word_rank(DOCUMENT).tolist(), strict=True))["market"] == 4


def test_scaled_within_the_document():
    assert values(Scaled(term_frequency)) == [1, 1 / 2, 0, 1 / 2, 0]
    assert values(Scaled(Membership(table(other=1)))) == [0] * 5


@pytest.mark.parametrize(
    "feature",
    [
        Membership(table(grid=1)),
        LogCount(table(grid=1)),
        Association(table(grid=1), table(grid=1)),
        ExternalKeyphraseness(table(grid=1), table(grid=1)),
        RankRatio((table(grid=1),)),
        Scaled(term_frequency),
    ],
)
def test_no_candidates_give_no_numbers(feature):
    document = analysed("")
    assert feature(ngrams(document, 3), document).shape == (0,)
    assert math.isfinite(sum(values(feature)))
