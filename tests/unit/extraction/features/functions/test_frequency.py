"""Frequency here and elsewhere, by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import LabelledDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.frequency import (
    BoostingFactor,
    DocumentFrequency,
    InverseDocumentFrequency,
    TfIdf,
    WordsOnlyRarity,
    log_frequency,
    relative_frequency,
    term_frequency,
)
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key

ANALYSER = TextAnalyser()
TABLE = PhraseCounts.of_phrases([(phrase_key("grid"), 3), (phrase_key("market"), 1), (phrase_key("time"), 7)], 7)


DOCUMENT = analysed("grid grid market of time")
FOUND = ngrams(DOCUMENT, 2)  # grid, grid grid, grid market, market, time


def value(column: np.ndarray, found: Candidates, phrase: str) -> float:
    assert column.shape == (len(found),)
    assert column.dtype == np.float64
    return float(column[found.key.tolist().index(phrase_key(phrase))])


def test_mentions():
    assert value(term_frequency(FOUND, DOCUMENT), FOUND, "grid") == 2
    assert value(relative_frequency(FOUND, DOCUMENT), FOUND, "grid") == 2 / 5
    assert value(log_frequency(FOUND, DOCUMENT), FOUND, "grid") == math.log2(3)
    assert value(log_frequency(FOUND, DOCUMENT), FOUND, "time") == 1


def test_inverse_document_frequency_is_nought_for_phrases_of_all_documents():
    rarity = InverseDocumentFrequency(TABLE)(FOUND, DOCUMENT)
    assert value(rarity, FOUND, "grid") == 1  # log2(8 / 4)
    assert value(rarity, FOUND, "market") == 2  # log2(8 / 2)
    assert value(rarity, FOUND, "grid market") == 3  # log2(8 / 1)
    assert value(rarity, FOUND, "time") == 0
    weight = TfIdf(TABLE)(FOUND, DOCUMENT)
    assert [value(weight, FOUND, name) for name in ("grid", "market", "grid grid", "time")] == [2, 2, 3, 0]
    share = TfIdf(TABLE, relative=True)(FOUND, DOCUMENT)
    assert [value(share, FOUND, name) for name in ("grid", "market", "grid grid")] == pytest.approx(
        [2 / 5, 2 / 5, 3 / 5]
    )
    counts = DocumentFrequency(TABLE)(FOUND, DOCUMENT)
    assert [value(counts, FOUND, name) for name in ("grid", "market", "grid grid", "time")] == [3, 1, 0, 7]


def test_phrases_are_taken_to_be_in_one_document():
    rarity = WordsOnlyRarity(TABLE)(FOUND, DOCUMENT)
    assert value(rarity, FOUND, "grid") == math.log2(7 / 3)
    assert [value(rarity, FOUND, name) for name in ("market", "grid market", "time")] == [math.log2(7), math.log2(7), 0]
    nothing = PhraseCounts.of_phrases((), 0)
    assert WordsOnlyRarity(nothing)(FOUND, DOCUMENT).tolist() == [1] * len(FOUND)  # as of two documents, log2(2 / 1)


def test_a_document_of_a_labelled_collection_is_left_out():
    texts = ("grid grid market of time", "grid time", "grid market", "time")
    examples = [LabelledDocument(analysed(text), ()) for text in texts]
    collection = LabelledCollection.of(examples, lambda document: ngrams(document, 2).key)
    counts = DocumentFrequency(collection)(FOUND, DOCUMENT)
    assert [value(counts, FOUND, name) for name in ("grid", "market", "grid market", "time")] == [2, 1, 1, 2]
    rarity = InverseDocumentFrequency(collection)(FOUND, DOCUMENT)
    assert value(rarity, FOUND, "grid") == math.log2(4 / 3)
    assert value(rarity, FOUND, "grid market") == 1  # log2(4 / 2)
    assert value(rarity, FOUND, "grid grid") == 2  # log2(4 / 1)
    assert value(TfIdf(collection)(FOUND, DOCUMENT), FOUND, "grid") == 2 * math.log2(4 / 3)
    other = analysed("grid grid market of")
    found = ngrams(other, 2)
    assert value(InverseDocumentFrequency(collection)(found, other), found, "grid") == math.log2(5 / 4)


def test_phrases_are_boosted_where_words_prevail():
    # 4 mentions of words, 2 of phrases: 6 / (2 * 2.3), below the ceiling; with alpha 1 it would be 3
    boost = BoostingFactor()(FOUND, DOCUMENT)
    assert value(boost, FOUND, "grid market") == pytest.approx(6 / (2 * 2.3))
    assert value(boost, FOUND, "grid") == 1
    assert value(BoostingFactor(alpha=1.0, sigma=2.0)(FOUND, DOCUMENT), FOUND, "grid market") == 2
    words = ngrams(DOCUMENT, 1)
    assert BoostingFactor()(words, DOCUMENT).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "feature",
    [
        term_frequency,
        relative_frequency,
        log_frequency,
        DocumentFrequency(TABLE),
        InverseDocumentFrequency(TABLE),
        TfIdf(TABLE),
        BoostingFactor(),
    ],
)
def test_no_candidates_give_no_numbers(feature):
    document = analysed("")
    assert feature(ngrams(document, 3), document).shape == (0,)
