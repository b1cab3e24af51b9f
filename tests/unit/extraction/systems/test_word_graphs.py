"""TextRank, SingleRank, PositionRank on small documents, by hand.

A path a - b - c in PageRank with damping d and three nodes: the ends get e = (1 - d) / 3 + d m / 2, the middle
m = (1 - d) / 3 + 2 d e.
"""

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument
from keywright.core.errors import NeedsUnmet
from keywright.core.interfaces import Extractor
from keywright.extraction.systems.positionrank import PositionRank
from keywright.extraction.systems.singlerank import SingleRank
from keywright.extraction.systems.textrank import TextRank
from keywright.testing.promises import NOTE
from keywright.text.analyser import TextAnalyser

D = 0.85
MIDDLE = (1 - D) / 3 * (1 + 2 * D) / (1 - D**2)
END = (1 - D) / 3 + D * MIDDLE / 2
PATH = tagged("deep/JJ neural/JJ networks/NNS")


def scores(system: Extractor, document: AnalysedDocument = PATH) -> dict[str, float]:
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in system.extract(document).prediction().keyphrases}


def test_neighbours_recommend_each_other():
    assert scores(TextRank(share=1)) == pytest.approx({"deep neural networks": 2 * END + MIDDLE})
    assert scores(TextRank(share=1, mean=True)) == pytest.approx({"deep neural networks": 1 / 3})


def test_of_the_words_a_third_is_kept():
    """One word of three, the middle; with two thirds, the first of the equal ends as well."""
    assert scores(TextRank()) == pytest.approx({"neural": MIDDLE})
    assert scores(TextRank(share=0.67)) == pytest.approx({"deep neural": MIDDLE + END})


def test_keywords_that_stand_side_by_side_are_one_phrase():
    """The star around *grid* keeps it and the first of its neighbours, which it meets once."""
    document = tagged("grid/NN markets/NNS ,/, grid/NN jobs/NNS of/IN grid/NN users/NNS ./. users/NNS")
    assert set(scores(TextRank(share=0.5), document)) == {"grid markets", "grid"}


def test_a_text_of_one_or_two_words_has_a_keyword():
    assert scores(TextRank(), tagged("tides/NNS rise/VBP")) == pytest.approx({"tides": 1})


def test_textrank_counts_meetings_only_when_asked():
    """*grid user* twice, *user job* once: weighted, *grid* has two of *user*'s three votes, and *job* one."""
    document = tagged("grid/NN users/NNS ,/, grid/NN users/NNS jobs/NNS")
    assert TextRank(share=1).extract(document).prediction().keyphrases[-1].score == pytest.approx(END + MIDDLE)
    weighted = {k.text: k.score for k in TextRank(share=1, weighted=True).extract(document).prediction().keyphrases}
    base = (1 - D) / 3
    user = base * (1 + 2 * D) / (1 - D**2)
    grid = base + D * user * 2 / 3
    assert weighted["grid users"] == pytest.approx(user + grid)


def test_the_window_of_textrank_is_two_words_and_that_of_singlerank_ten():
    document = tagged("grid/NN of/IN users/NNS")
    assert scores(TextRank(share=1), document) == pytest.approx({"grid": 0.5, "users": 0.5})
    apart = tagged("grid/NN and/CC grid/NN " + "of/IN " * 8 + "users/NNS jobs/NNS")
    near = scores(SingleRank(), apart)
    assert near["grid"] > scores(SingleRank(window=9), apart)["grid"]


def test_singlerank_weighs_edges_by_meetings():
    """Grid-user 4 (each mention of *grid* meets both of *user* within ten words), grid-job 2, user-job 2."""
    document = tagged("grid/NN users/NNS ,/, grid/NN users/NNS jobs/NNS")
    found = scores(SingleRank(), document)
    job = (1 - D) / 3  # by symmetry grid = user = g: g = base + d (g 4/6 + j/2), j = base + 2 d g 2/6
    g = job * (1 + D / 2) / (1 - D * 4 / 6 - D * D / 3)
    assert found == pytest.approx({"grid users": 2 * g, "grid users jobs": 2 * g + job + 2 * D * g / 3})


def test_phrases_of_singlerank_end_in_a_noun():
    document = tagged("fast/JJ grids/NNS global/JJ market/NN ,/, soft/JJ of/IN user/NN parallel/JJ")
    assert set(scores(SingleRank(), document)) == {"fast grids", "global market", "user"}
    assert set(scores(SingleRank(all_runs=True), document)) == {"fast grids global market", "soft", "user parallel"}


def test_positionrank_prefers_early_words():
    """Without edges only the positions count: 1/1 + 1/5 for *grid*, 1/3 for *user*."""
    document = tagged("grid/NN of/IN users/NNS of/IN grids/NNS")
    total = 1 + 1 / 5 + 1 / 3
    found = scores(PositionRank(window=1), document)
    assert found == pytest.approx({"grid": 1.2 / total, "users": 1 / 3 / total})


def test_positionrank_of_two_joined_words():
    """Shares of jumps 2/3 and 1/3: a = (1 - d) 2/3 + d b, and both sum up to 1."""
    found = scores(PositionRank(), tagged("grid/NN ,/, users/NNS"))
    bias = 1 / (1 + 1 / 3)
    assert found["grid"] == pytest.approx(((1 - D) * bias + D) / (1 + D))


def test_longer_phrases_are_left_out_of_positionrank():
    document = tagged("large/JJ deep/JJ neural/JJ networks/NNS train/VBP deep/JJ networks/NNS")
    assert set(scores(PositionRank(), document)) == {"deep networks"}
    assert set(scores(PositionRank(longest=4), document)) == {"deep networks", "large deep neural networks"}


@pytest.mark.parametrize("system", [TextRank(), SingleRank(), PositionRank()], ids=lambda each: each.name)
def test_nothing_to_rank_and_no_tags(system):
    assert scores(system, tagged("")) == {}
    assert scores(system, tagged("of/IN the/DT")) == {}
    with pytest.raises(NeedsUnmet):
        system.extract(TextAnalyser().analyse(NOTE)).prediction()


def test_scores_of_all_words_sum_up_to_one():
    document = tagged("grid/NN of/IN users/NNS of/IN jobs/NNS of/IN markets/NNS of/IN users/NNS")
    for system in (TextRank(share=1), SingleRank(), PositionRank()):
        assert np.sum(list(scores(system, document).values())) == pytest.approx(1)
