"""Matches by document and rows of the quality report, which travel as records."""

import json

import numpy as np
import pytest

from keywright.calibration.calibration_error import NoiseFloor
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.experiments.kpg_predictions import Reliability, TopPhrases, measure_reliability
from studies.quality.collections import BY_DOCUMENT, collection
from studies.quality.measuring import counts_of, differences, scored
from studies.quality.rows import Hits, Score
from studies.quality.study import pool_phrases

TEXT = "Tidal power and wave power and sea walls."


def hits(by_rank: str, sizes: str, strata: str = "") -> Hits:
    return Hits("inspec/test", BY_DOCUMENT.signature, "uncontr", "mine", by_rank, sizes, strata)


def predictions(**phrases: tuple[str, ...]) -> list[Prediction]:
    return [
        Prediction(name, tuple(Keyphrase(text, score=-float(rank), spans=()) for rank, text in enumerate(texts)))
        for name, texts in phrases.items()
    ]


def test_counts_come_back_from_matches():
    """Three documents: one of two found at rank 2, nothing found, no prediction."""
    counts = counts_of(hits("01 0 -", "2 1 3"), BY_DOCUMENT)
    assert counts.hits.tolist() == [[1, 1], [0, 0], [0, 0]]
    assert counts.divisors.tolist() == [[2, 2], [1, 1], [0, 0]]
    assert counts.gold.tolist() == [2, 1, 3]
    longer = counts_of(hits("100001", "9"), BY_DOCUMENT)  # the second match is behind rank 5
    assert (longer.hits.tolist(), longer.divisors.tolist()) == ([[1, 2]], [[5, 6]])


def test_the_official_rules_divide_by_the_cutoff():
    """A list that is shorter than the cutoff finds nothing in the shared task."""
    (rules,) = collection("semeval2010/test").protocols
    counts = counts_of(hits("010010000000000 01", "4 2"), rules)
    assert counts.divisors.tolist() == [[5, 10, 15], [5, 10, 15]]
    assert counts.hits.tolist() == [[2, 2, 2], [0, 0, 0]]


@pytest.mark.parametrize("data", ["semeval2010/test", "kp20k_small/test"])
def test_scores_from_matches_are_those_of_the_scorer(data):
    """A system minus one that finds nothing: the bootstrap of one document has its score at both ends."""
    here = collection(data)
    gold = tuple(GoldKeyphrase((form,), kind) for kind in here.gold for form in ("tidal power", "sea walls", "ebb"))
    papers = [LabelledDocument(Document("a", TEXT, meta={"category": "C"}), gold)]
    phrases = ("wave power", "tidal power", "sea", "walls", "sea walls", *(f"phrase {n}" for n in range(12)))
    ours, nothing = (scored(here, papers, predictions(a=texts), "mine") for texts in (phrases, ("phrase",) * 17))
    exact = {(row.gold, row.measure): row.value for row in ours.scores}
    for mine, other in zip(ours.hits, nothing.hits, strict=True):
        (protocol,) = (protocol for protocol in here.protocols if protocol.signature == mine.protocol)
        for measure, (low, high) in differences(mine, other, protocol, Resampling(20)).items():
            if measure.startswith("F@"):
                assert low == high == pytest.approx(exact[mine.gold, measure], abs=2e-4)  # the task rounds P, R, F


def test_a_difference_pairs_documents():
    """Both systems find the first document's entry, ours the second's as well: +1 where the second is drawn."""
    ours, theirs = hits("1 1", "1 1"), hits("1 0", "1 1")
    low, high = differences(ours, theirs, BY_DOCUMENT, Resampling(400))["F@5"]
    assert (low, high) == (0.0, 1.0)
    assert differences(ours, ours, BY_DOCUMENT, Resampling(400))["F@5"] == (0.0, 0.0)


def test_strata_are_drawn_separately():
    """Each document is a stratum of its own: every sample is the collection itself."""
    ours, theirs = hits("1 1", "1 1", "C H"), hits("1 0", "1 1", "C H")
    assert np.allclose(differences(ours, theirs, BY_DOCUMENT, Resampling(50))["F@5"], 0.5)


FIRST = TopPhrases(np.array([0.2, 0.8, 0.8]), np.array([False, True, True]), np.array([0, 0, 1]))
SECOND = TopPhrases(np.array([0.2]), np.array([True]), np.array([0]))


def test_scores_come_back_from_their_records():
    for ends in (None, (0.1, 0.3)):
        row = Score("inspec/test", "kpg|rules", "present", "F@5", "tfidf", 0.2, ends)
        assert Score.of(json.loads(json.dumps(row.record()))) == row


def test_reliability_comes_back_from_its_record():
    row = measure_reliability("abstract", "default", FIRST)
    assert Reliability.of(json.loads(json.dumps(row.record()))) == row


def test_reliability_by_hand():
    row = measure_reliability("abstract", "default", FIRST)
    assert (row.documents, row.phrases) == (2, 3)
    assert row.error == pytest.approx((0.2 + 2 * 0.2) / 3)  # each bin is off by .2
    assert [(one.size, one.share) for one in row.bins if one.size] == [(1, 0.0), (2, 1.0)]
    assert isinstance(row.floor, NoiseFloor)


def test_intervals_draw_documents():
    """Of two documents, the first off by .2 a phrase: whichever are drawn, the error is .2; with another it varies."""
    row = measure_reliability("abstract", "default", FIRST, Resampling(500))
    assert row.interval == pytest.approx((0.2, 0.2))
    other = measure_reliability("abstract", "default", pool_phrases([FIRST, SECOND]), Resampling(500))
    assert other.interval[0] < other.error <= other.interval[1]


def test_documents_of_several_collections_stay_apart():
    whole = pool_phrases([FIRST, SECOND, SECOND])
    assert whole.owner.tolist() == [0, 0, 1, 2, 3]
    assert whole.right.tolist() == [False, True, True, True, True]


def test_a_record_says_what_it_is():
    assert {Score.part, Reliability.part} == {"score", "reliability"}
