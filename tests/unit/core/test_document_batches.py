"""Several analysed documents as one: their columns, and what is counted by document."""

import numpy as np
from tests.builders import analysed

from keywright.core.document_batches import (
    DocumentBatch,
    count_marked,
    count_tokens,
    group_documents,
    join_documents,
    share_before,
)

FIRST, NOTHING, SECOND = analysed("Tides rise. Tides fall"), analysed(""), analysed("High tides")
BATCH = join_documents([FIRST, NOTHING, SECOND])


def test_columns_are_behind_each_other():
    assert isinstance(BATCH, DocumentBatch)
    assert BATCH.words == ("tides", "rise", ".", "fall", "high", "tides")
    assert BATCH.word.tolist() == [0, 1, 2, 0, 3, 4, 5]
    assert BATCH.sentence.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert BATCH.start.tolist() == [0, 6, 10, 12, 18, 0, 5]  # in the text of its own document
    assert BATCH.number.tolist() == [0, 0, 0, 0, 0, 2, 2]
    assert BATCH.bounds.tolist() == [0, 5, 5, 7]
    assert BATCH.word_bounds.tolist() == [0, 4, 4, 6]
    assert BATCH.first_sentences.tolist() == [0, 2, 2]


def test_one_document_is_a_batch_of_one():
    batch = join_documents([FIRST])
    assert batch.documents == (FIRST,)
    assert batch.word.tolist() == FIRST.word.tolist()
    assert batch.numbers(np.array([1, 4])).tolist() == [0, 0]
    assert FIRST.documents == (FIRST,)
    assert FIRST.bounds.tolist() == [0, 5]
    assert FIRST.word_bounds.tolist() == [0, 4]
    assert FIRST.first_sentences.tolist() == [0]
    assert FIRST.numbers(np.array([1, 4])).tolist() == [0, 0]


def test_tokens_are_counted_in_their_own_document():
    assert count_tokens(BATCH).tolist() == [5, 0, 2]
    assert share_before(np.array([0, 4, 5, 6]), BATCH).tolist() == [0, 4 / 5, 0, 1 / 2]
    assert count_marked(BATCH.word == 0, BATCH).tolist() == [2, 0, 0]
    assert count_marked(np.ones(7, bool), BATCH).tolist() == [5, 0, 2]


def test_groups_are_bounded_by_tokens():
    def numbers(most):
        return [
            [len(document) for document in group] for group in group_documents([FIRST, SECOND, NOTHING, FIRST], most)
        ]

    assert numbers(7) == [[5, 2, 0], [5]]
    assert numbers(1) == [[5], [2], [0], [5]]
    assert numbers(99) == [[5, 2, 0, 5]]
    assert list(group_documents([], 7)) == []
