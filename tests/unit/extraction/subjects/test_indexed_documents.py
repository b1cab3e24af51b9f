"""Counts and similar documents, by hand."""

import numpy as np
import pytest
from tests.builders import analysed
from tests.unit.extraction.subjects.vocabulary import PLACES, vocabulary

from keywright.extraction.subjects.described_documents import describe
from keywright.extraction.subjects.indexed_documents import IndexedDocuments, candidate_rows
from keywright.extraction.systems.firstphrases import FirstPhrases

TEXTS = ("Leak detection rumbles underground.", "Leak detection whistles underground.", "Noise annoys sleepers.")
SUBJECTS = (("leak", "water"), ("leak",), ("noise", "policy"))


def described(text):
    return describe(analysed(text), vocabulary(), FirstPhrases())


@pytest.fixture(scope="module")
def indexed():
    subjects = [np.sort(np.array([PLACES[name] for name in names])) for names in SUBJECTS]
    return IndexedDocuments.of([described(text) for text in TEXTS], subjects, len(PLACES))


def counts(column):
    return {name: int(column[place]) for name, place in PLACES.items() if column[place]}


def test_counts_of_concepts(indexed):
    assert len(indexed) == 3
    assert counts(indexed.subjects_of) == {"water": 1, "leak": 2, "noise": 1, "policy": 1}
    assert counts(indexed.mentioned_in) == {"leak": 2, "noise": 1}
    assert counts(indexed.both) == {"leak": 2, "noise": 1}


def test_subjects_of_similar_documents(indexed):
    # "sleepers" is in the third document only, and no other word is.
    concepts, shares = indexed.suggestions(described("Sleepers dream."), 20)
    assert concepts.tolist() == sorted((PLACES["noise"], PLACES["policy"]))
    assert shares.tolist() == [1.0, 1.0]
    # The first two are equally like this one, so that "leak" has all of the similarity, and "water" half of it.
    concepts, shares = indexed.suggestions(described("An underground detection."), 20)
    assert dict(zip(concepts.tolist(), shares.tolist(), strict=True)) == pytest.approx(
        {PLACES["water"]: 0.5, PLACES["leak"]: 1.0}
    )
    assert indexed.suggestions(described("An underground detection."), 1)[1].tolist() == [1.0, 1.0]


def test_a_document_without_common_words_has_no_similar_ones(indexed):
    concepts, shares = indexed.suggestions(described("Entirely elsewhere."), 20)
    assert len(concepts) == len(shares) == 0


def test_a_document_does_not_count_for_itself(indexed):
    concepts, _ = indexed.suggestions(described(TEXTS[2]), 20)
    assert len(concepts) == 0
    concepts, shares = indexed.suggestions(described(TEXTS[0]), 20)
    assert (concepts.tolist(), shares.tolist()) == ([PLACES["leak"]], [1.0])


def test_candidates_are_mentioned_or_suggested(indexed):
    places, rows, columns = candidate_rows(described("Sleepers like plastic pipes."), indexed)
    assert places.tolist() == [PLACES[name] for name in ("pipe", "tobacco", "noise", "policy")]
    by_name = dict(zip(columns, rows.T.tolist(), strict=True))
    assert by_name["mentioned"] == [1, 1, 0, 0]
    assert by_name["subject of similar documents"] == [0, 0, 1, 1]
    assert by_name["subject of documents"] == pytest.approx([0, 0, 1 / 3, 1 / 3])
    assert by_name["kind of label"][2:] == [-1, -1]
    # 3 of the 3 mentions were of subjects: the usual share is 1, and counts as two documents.
    assert by_name["subject where mentioned"] == [1, 1, 1, 1]


def test_no_candidates(indexed):
    places, rows, columns = candidate_rows(described("Entirely elsewhere."), indexed)
    assert rows.shape == (len(places), len(columns)) == (0, len(columns))
