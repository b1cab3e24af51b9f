"""Frequency here and elsewhere, by hand."""

import math
from functools import partial

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import LabelledDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import (
    document_frequency,
    external_keyphraseness,
    inverse_document_frequency,
    relative_frequency,
    tf_idf,
    words_only_rarity,
)
from keywright.text.keys import phrase_key

TABLE = PhraseCounts.of_phrases([(phrase_key("grid"), 3), (phrase_key("market"), 1), (phrase_key("time"), 7)], 7)
DOCUMENT = analysed("grid grid market of time")
FOUND = ngrams(DOCUMENT, 2)  # grid, grid grid, grid market, market, time


def value(column: np.ndarray, found: Candidates, phrase: str) -> float:
    assert column.shape == (len(found),)
    assert column.dtype == np.float64
    return float(column[found.key.tolist().index(phrase_key(phrase))])


def test_mentions_per_token():
    assert value(relative_frequency(FOUND, DOCUMENT), FOUND, "grid") == 2 / 5


def test_inverse_document_frequency_is_nought_for_phrases_of_all_documents():
    rarity = inverse_document_frequency(FOUND, DOCUMENT, TABLE)
    # Logarithms of 8 / 4, 8 / 2, 8 / 1 and 8 / 8.
    assert [value(rarity, FOUND, name) for name in ("grid", "market", "grid market", "time")] == [1, 2, 3, 0]
    weight = tf_idf(FOUND, DOCUMENT, TABLE)
    assert [value(weight, FOUND, name) for name in ("grid", "market", "grid grid", "time")] == [2, 2, 3, 0]
    counts = document_frequency(FOUND, DOCUMENT, TABLE)
    assert [value(counts, FOUND, name) for name in ("grid", "market", "grid grid", "time")] == [3, 1, 0, 7]


def test_phrases_are_taken_to_be_in_one_document():
    rarity = words_only_rarity(FOUND, TABLE)
    assert value(rarity, FOUND, "grid") == math.log2(7 / 3)
    assert [value(rarity, FOUND, name) for name in ("market", "grid market", "time")] == [math.log2(7), math.log2(7), 0]
    nothing = PhraseCounts.of_phrases((), 0)
    assert words_only_rarity(FOUND, nothing).tolist() == [1] * len(FOUND)  # as of two documents, log2(2 / 1)


def test_a_document_of_a_labelled_collection_is_left_out():
    texts = ("grid grid market of time", "grid time", "grid market", "time")
    examples = [LabelledDocument(analysed(text), ()) for text in texts]
    collection = LabelledCollection.of(examples, lambda document: ngrams(document, 2).key)
    counts = document_frequency(FOUND, DOCUMENT, collection)
    assert [value(counts, FOUND, name) for name in ("grid", "market", "grid market", "time")] == [2, 1, 1, 2]
    rarity = inverse_document_frequency(FOUND, DOCUMENT, collection)
    assert value(rarity, FOUND, "grid") == math.log2(4 / 3)
    assert value(rarity, FOUND, "grid market") == 1  # log2(4 / 2)
    assert value(rarity, FOUND, "grid grid") == 2  # log2(4 / 1)
    assert value(tf_idf(FOUND, DOCUMENT, collection), FOUND, "grid") == 2 * math.log2(4 / 3)
    other = analysed("grid grid market of")
    found = ngrams(other, 2)
    assert value(inverse_document_frequency(found, other, collection), found, "grid") == math.log2(5 / 4)


def test_keyphrases_elsewhere_beside_documents_with_the_phrase():
    chosen = PhraseCounts.of_phrases([(phrase_key("grid"), 8), (phrase_key("grid market"), 99)], 100)
    share = external_keyphraseness(FOUND, chosen, TABLE)
    assert [value(share, FOUND, name) for name in ("grid", "market", "grid market")] == [2, 0, 99]


@pytest.mark.parametrize(
    "feature",
    [
        relative_frequency,
        partial(document_frequency, collection=TABLE),
        partial(inverse_document_frequency, collection=TABLE),
        partial(tf_idf, collection=TABLE),
    ],
)
def test_no_candidates_give_no_numbers(feature):
    document = analysed("")
    assert feature(ngrams(document, 3), document).shape == (0,)
