"""A stream of predictions beside their gold gives the report of a whole collection, and its counts grow by blocks."""

from dataclasses import replace

import numpy as np
import pytest
from tests.builders import plain_ids, prediction

from keywright.api import score_stream as api_stream
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadRecord, PartlyDone
from keywright.core.predictions import Run
from keywright.evaluation.answers import make_gold_sets
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT
from keywright.evaluation.rules import OddIds
from keywright.evaluation.scoring.counting import compact_counts
from keywright.evaluation.scoring.scorer import join_counts, score, score_stream
from keywright.testing.promises import equal

PHRASES = ("tide gauge", "sea level", "tide", "moon", "sand", "harbour", "level")


def labelled(number, *kinds: str):
    """A document whose gold are the phrases from its number on."""
    gold = tuple(GoldKeyphrase((phrase,), by) for by in kinds for phrase in PHRASES[number % 7 :][:3])
    return LabelledDocument(Document(f"d{number}", "Tide gauges see the sea level."), gold)


COLLECTION = [labelled(number, "author", "reader") for number in range(11)]
PREDICTIONS = [prediction(one.id, *PHRASES[place % 3 : 5]) for place, one in enumerate(COLLECTION)]
RUN = Run("toy", "", "", tuple(PREDICTIONS))


@pytest.mark.parametrize("block", [1, 4, 100])
@pytest.mark.parametrize("protocol", [KEYWRIGHT_1, replace(SEMEVAL2010, golds=("author", "reader"))])
def test_the_report_is_that_of_the_collection(protocol, block):
    whole = score(RUN, make_gold_sets(COLLECTION), protocol)
    found = score_stream(zip(PREDICTIONS, COLLECTION, strict=True), protocol, run="toy", block=block)
    assert dict(found.values) == dict(whole.values)
    assert found.gold == whole.gold
    assert (found.scored, found.skipped, found.warnings) == (whole.scored, whole.skipped, whole.warnings)
    assert (found.protocol, found.run, found.unit) == (whole.protocol, whole.run, whole.unit)
    assert equal(plain_ids(found).counts, whole.counts)


def test_missing_answers_follow_the_protocol():
    pairs = [
        (None if one.document_id == "d2" else one, gold) for one, gold in zip(PREDICTIONS, COLLECTION, strict=True)
    ]
    with pytest.raises(BadRecord, match="have no answer"):
        score_stream(pairs, KEYWRIGHT_1)
    found = score_stream(pairs, replace(KEYWRIGHT_1, missing_ids=OddIds.COUNTED), block=2)
    assert (found.scored, found.skipped) == (10, {"no answer": 1})


def test_streams_out_of_step_are_refused():
    with pytest.raises(BadRecord, match="prediction for 'd0' comes with the gold of 'd1'"):
        score_stream(zip(PREDICTIONS, COLLECTION[1:], strict=False), KEYWRIGHT_1)
    twice = [(("tide",), COLLECTION[0]), (("tide",), COLLECTION[0])]
    for block in (1, 2):
        with pytest.raises(BadRecord, match="'d0' comes twice"):
            score_stream(twice, KEYWRIGHT_1, block=block)


def test_a_kind_of_gold_that_comes_late_is_named_beforehand():
    pairs = [(("tide",), labelled(0, "author")), (("tide",), labelled(1, "author", "reader"))]
    with pytest.raises(BadRecord, match="'d1' is the first with gold of the kind 'reader'"):
        score_stream(pairs, KEYWRIGHT_1, block=1)
    found = score_stream(pairs, KEYWRIGHT_1, ("author", "reader"), block=1)
    assert [one.partition("@")[0] for one in found.gold] == ["author", "reader"]
    assert found.skipped == {"no gold (reader)": 1}


def test_a_divisor_of_0_stops_in_the_whole_only():
    strict = replace(SEMEVAL2010_STRICT, golds=("author",))
    lists = [("x",) * 15, tuple(PHRASES) + ("x",) * 8, ("x",) * 15]
    gold = [LabelledDocument(Document(name, ""), (GoldKeyphrase((PHRASES[0],), "author"),)) for name in "abc"]
    assert score_stream(zip(lists, gold, strict=True), strict, block=1).values["author/R@5"] == pytest.approx(0.3333)
    with pytest.raises(PartlyDone, match="divisor is 0"):
        score_stream(zip(lists[:1], gold[:1], strict=True), strict)


def test_the_verb_adds_intervals():
    found = api_stream(zip(PREDICTIONS, COLLECTION, strict=True), "keywright-1", intervals=100)
    assert found.sig == "pb100:12345"
    assert list(found.intervals) == list(found.values)
    assert not api_stream(zip(PREDICTIONS, COLLECTION, strict=True), "keywright-1", intervals=False).intervals


def block(hits, predicted, relevance, average):
    """Counts of documents with two cutoffs; every document has one gold entry."""
    ones = np.ones(len(predicted), np.int64)
    tables = np.array(hits, np.int64), np.array([[5, 10]] * len(predicted), np.int64)
    columns = np.array(predicted, np.int64), ones, np.array(relevance, np.uint32)
    return Counts(("x",) * len(predicted), (5, 10), *tables, *columns, {"MAP": np.array(average)})


FIRST = block([[1, 1], [0, 1]], [2, 1], [1, 0, 1], [0.5, np.nan])
SECOND = block([[0, 40_000]], [40_000], [0, 300], [0.25])


@pytest.mark.parametrize("first", [FIRST, compact_counts(FIRST)])
def test_blocks_come_one_behind_the_other(first):
    counts = join_counts([first, compact_counts(SECOND)], tuple("abc"))
    assert tuple(counts.ids) == ("a", "b", "c")
    assert counts.hits.tolist() == [[1, 1], [0, 1], [0, 40_000]]
    assert counts.divisors.tolist() == [[5, 10]] * 3
    assert counts.predicted.tolist() == [2, 1, 40_000]
    assert counts.gold.tolist() == [1, 1, 1]
    assert counts.relevance.tolist() == [1, 0, 1, 0, 300]
    np.testing.assert_array_equal(counts.means["MAP"], [0.5, np.nan, 0.25])


def test_numbers_take_as_many_bytes_as_the_largest_needs():
    assert [compact_counts(FIRST).hits.dtype, compact_counts(FIRST).relevance.dtype] == [np.int16, np.uint8]
    assert [compact_counts(SECOND).hits.dtype, compact_counts(SECOND).relevance.dtype] == [np.int32, np.uint16]
    counts = join_counts([compact_counts(FIRST), compact_counts(SECOND)], tuple("abc"))
    assert [counts.hits.dtype, counts.divisors.dtype, counts.relevance.dtype] == [np.int32, np.int16, np.uint16]


def test_a_protocol_without_cutoffs():
    empty = np.zeros((2, 0), np.int64)
    counts = Counts(("x", "y"), (), empty, empty, np.ones(2, int), np.ones(2, int), np.zeros(2, np.uint32))
    assert join_counts([counts, counts], tuple("abcd")).hits.shape == (4, 0)
