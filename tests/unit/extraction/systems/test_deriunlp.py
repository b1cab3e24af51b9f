"""DERIUNLP's score on a small document, by hand; *protocol*, *analysis*, *method* are skill types."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.deriunlp import DERIUNLP
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key

DOCUMENT = tagged("auction/NN protocol/NN | auction/NN | analysis/NN of/IN the/DT auctions/NNS | bidder/NN | bidder/NN")
COUNTS = PhraseCounts.of_phrases([(phrase_key("auction"), 3), (phrase_key("bidder"), 1)], 7)
PLAIN = DERIUNLP(COUNTS, heads=False, length=0, context=0)


def scores(system: DERIUNLP, document: AnalysedDocument = DOCUMENT) -> dict[str, float]:
    """Of phrases that are not there for want of others."""
    found = system.extract(document).prediction().keyphrases
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in found if keyphrase.score > 0}


def test_only_phrases_beside_skill_types_but_all_their_mentions():
    """*auction* stands beside two, and is mentioned three times: 3 log2(8 / 4)."""
    assert scores(PLAIN) == pytest.approx({"auction": 3})


def test_phrases_that_end_in_a_skill_type():
    assert scores(replace(PLAIN, heads=True)) == pytest.approx({"auction": 3, "auction protocol": 3})


def test_all_other_noun_phrases_come_behind():
    """Without contexts TF×IDF is 4 for *bidder* and 3 for the others: -1 / (1 + 4), -1 / (1 + 3)."""
    found = [(keyphrase.text, keyphrase.score) for keyphrase in PLAIN.extract(DOCUMENT).prediction().keyphrases]
    others = [("bidder", -1 / 5), ("auction protocol", -1 / 4), ("protocol", -1 / 4), ("analysis", -1 / 4)]
    assert found == [("auction", pytest.approx(3)), *others]


def test_contexts_of_the_collection_let_phrases_in():
    known = PhraseCounts.of_phrases([(phrase_key("bidder"), 6), (phrase_key("auction"), 1)], 7)
    assert scores(replace(PLAIN, contexts=known)) == pytest.approx({"auction": 3, "bidder": 2 * math.log2(8 / 2)})


def test_contexts_weigh():
    """*auction* has 1 in the collection and 2 here, *bidder* 6 in the collection."""
    known = PhraseCounts.of_phrases([(phrase_key("bidder"), 6), (phrase_key("auction"), 1)], 7)
    expected = {"auction": 3 * (1 + math.log2(4) / 2), "bidder": 4 * (1 + math.log2(7) / 2)}
    assert scores(replace(PLAIN, contexts=known, context=0.5)) == pytest.approx(expected)


def test_length():
    assert scores(replace(PLAIN, heads=True, length=2)) == pytest.approx({"auction": 3, "auction protocol": 3 * 4})


def test_all_noun_phrases():
    expected = {"auction": 3 * (1 + math.log2(3)), "bidder": 4, "auction protocol": 3, "protocol": 3, "analysis": 3}
    assert scores(replace(PLAIN, seen_first=False, context=1)) == pytest.approx(expected)


def test_longest():
    document = tagged("fast/JJ combinatorial/JJ auction/NN protocol/NN analysis/NN")
    assert "fast combinatorial auction protocol" in scores(PLAIN, document)
    shorter = scores(replace(PLAIN, longest=3, seen_first=False), document)
    assert max(len(phrase.split()) for phrase in shorter) == 3


def test_training_counts_documents_and_contexts_and_looks_at_no_gold():
    other = tagged("method/NN for/IN auctions/NNS | auction/NN | bidder/NN")
    fitted = PLAIN.fit([LabelledDocument(document, ()) for document in (DOCUMENT, other)])
    asked = np.array([phrase_key(name) for name in ("auction", "bidder", "auction protocol")], np.uint64)
    assert fitted.frequencies.of(asked).tolist() == [2, 2, 1]
    assert fitted.contexts.of(asked).tolist() == [3, 0, 0]
    gold = (GoldKeyphrase(("auction",), "author"),)
    assert equal(PLAIN.fit(LabelledDocument(document, gold) for document in (DOCUMENT, other)), fitted)


def test_nothing_is_found_in_an_empty_document():
    assert DERIUNLP().extract(tagged("")).prediction().keyphrases == ()
