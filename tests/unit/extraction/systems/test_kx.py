"""KX's weight, subsumption and boosting on a small document, by hand.

Mentions: *auction* 4, *combinatorial auction* 3, *bidder* 2, *protocol of bidders* 1, *protocol* 1 (alone on no list).
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.kx import KX
from keywright.testing.promises import equal
from keywright.text.keys import phrase_key

DOCUMENT = tagged(
    "Combinatorial/JJ auction/NN | combinatorial/JJ auctions/NNS | combinatorial/JJ auction/NN | auction/NN "
    "| bidder/NN | protocol/NN of/IN bidders/NNS"
)
TOKENS = 11
COUNTS = PhraseCounts.of_phrases([(phrase_key("auction"), 3), (phrase_key("bidder"), 1)], 7)
PLAIN = KX(COUNTS, COUNTS, least_seen=2, collected=10, length=0, early=0, subsumed=2, boosted=0)


def scores(system: KX, document: AnalysedDocument = DOCUMENT) -> dict[str, float]:
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in system.extract(document).prediction().keyphrases}


def test_mentions_times_inverse_document_frequency():
    """4 log2(8 / 4), 3 log2(8 / 1), 2 log2(8 / 2)."""
    assert len(DOCUMENT) == TOKENS
    assert scores(PLAIN) == pytest.approx({"auction": 4, "combinatorial auction": 9, "bidder": 4})
    assert scores(replace(PLAIN, rarity=2)) == pytest.approx({"auction": 4, "combinatorial auction": 27, "bidder": 8})
    assert scores(replace(PLAIN, rarity=0)) == pytest.approx({"auction": 4, "combinatorial auction": 3, "bidder": 2})


def test_length():
    expected = {"auction": 4, "combinatorial auction": 9 * 4, "bidder": 4}
    assert scores(replace(PLAIN, length=2)) == pytest.approx(expected)


def test_earliness():
    """First mentions at tokens 1, 0 and 7 of 11."""
    expected = {"auction": 4 * (10 / 11) ** 2, "combinatorial auction": 9, "bidder": 4 * (4 / 11) ** 2}
    assert scores(replace(PLAIN, early=2)) == pytest.approx(expected)


def test_rare_phrases_come_in_when_the_collection_has_them_often():
    """In 7 documents *protocol* is mentioned 5 times, *protocol of bidders* 4 times: at least 0.7 a document is 4.9."""
    mentions = PhraseCounts.of_phrases([(phrase_key("protocol"), 5), (phrase_key("protocol of bidders"), 4)], 7)
    usual = {"auction", "combinatorial auction", "bidder"}
    assert set(scores(replace(PLAIN, mentions=mentions, collected=0.7))) == {*usual, "protocol"}
    assert set(scores(replace(PLAIN, mentions=mentions, collected=0.5))) == {*usual, "protocol", "protocol of bidders"}
    assert set(scores(replace(PLAIN, mentions=mentions, collected=0.8))) == usual
    assert len(scores(replace(PLAIN, least_seen=1, collected=0.8))) == 5


def test_the_longer_phrase_takes_over_from_one_that_hardly_stands_alone():
    """3 of 4 mentions of *auction* are those of *combinatorial auction*."""
    assert scores(replace(PLAIN, subsumed=0.75)) == pytest.approx({"combinatorial auction": 9 + 4, "bidder": 4})
    assert scores(replace(PLAIN, subsumed=0.75, transferred=0.5))["combinatorial auction"] == pytest.approx(9 + 2)
    assert scores(replace(PLAIN, subsumed=0.76)) == scores(PLAIN)


def test_what_a_subsumed_phrase_gained_is_passed_on():
    """*grid*, *scheduler*, *fast grid* and *grid scheduler* end in the one phrase that holds all: 2 log2(8) each."""
    words = "fast/JJ grid/NN scheduler/NN"
    system = replace(PLAIN, frequencies=PhraseCounts.of_phrases((), 7), subsumed=1)
    found = scores(system, tagged(f"{words} | {words}"))
    assert found == pytest.approx({"fast grid scheduler": 6 * 5})


def test_the_heaviest_longer_phrase_is_the_heir():
    text = "grid/NN index/NN | grid/NN index/NN | grid/NN index/NN | fast/JJ grid/NN | fast/JJ grid/NN | grid/NN"
    system = replace(PLAIN, frequencies=PhraseCounts.of_phrases((), 7), subsumed=0.3, black_lists=False)
    found = scores(system, tagged(text))
    # grid (6 * 3) is in grid index (3 * 3) and fast grid (2 * 3); index (3 * 3) is in grid index only
    assert found == pytest.approx({"grid index": 9 + 18 + 9, "fast grid": 6})


def test_a_longer_phrase_gains_by_the_best_phrase_inside():
    assert scores(replace(PLAIN, boosted=0.5)) == pytest.approx(
        {"auction": 4, "combinatorial auction": 9 + 4 / 2, "bidder": 4}
    )


def test_patterns_and_black_lists():
    document = tagged("same/JJ auction/NN | same/JJ auction/NN")
    assert set(scores(PLAIN, document)) == {"auction"}
    assert set(scores(replace(PLAIN, black_lists=False), document)) == {"auction", "same auction"}
    nouns = replace(PLAIN, pattern="N", black_lists=False)
    assert set(scores(nouns, document)) == {"auction"}


def test_training_counts_documents_and_mentions_and_looks_at_no_gold():
    documents = (DOCUMENT, tagged("auction/NN | auction/NN"))
    fitted = PLAIN.fit([LabelledDocument(document, ()) for document in documents])
    asked = np.array([phrase_key(name) for name in ("auction", "combinatorial auction", "ticket")], np.uint64)
    assert fitted.frequencies.of(asked).tolist() == [2, 1, 0]
    assert fitted.mentions.of(asked).tolist() == [6, 3, 0]
    assert (fitted.frequencies.documents, fitted.mentions.documents) == (2, 2)
    gold = (GoldKeyphrase(("auction",), "author"),)
    assert equal(PLAIN.fit(LabelledDocument(document, gold) for document in documents), fitted)
    assert scores(fitted)["combinatorial auction"] == pytest.approx(3 * math.log2(3 / 2))


def test_nothing_is_found_in_an_empty_document():
    assert KX().extract(tagged("")).prediction().keyphrases == ()
