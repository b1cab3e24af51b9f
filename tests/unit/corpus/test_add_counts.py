"""Two collections as one."""

import numpy as np

from keywright.extraction.corpus.counts import PhraseCounts, add_counts


def table(counts: dict[int, int], documents: int) -> PhraseCounts:
    return PhraseCounts.of_phrases(sorted(counts.items()), documents)


def test_counts_and_documents_are_added():
    both = add_counts(table({2: 5, 7: 1}, 10), table({7: 2, 9: 3}, 4), {"name": "both"})
    assert dict(zip(both.keys.tolist(), both.counts.tolist(), strict=True)) == {2: 5, 7: 3, 9: 3}
    assert (both.documents, both.card) == (14, {"name": "both"})
    assert both.fingerprint != table({2: 5, 7: 1}, 10).fingerprint


def test_nothing_added():
    one = table({2: 5}, 10)
    same = add_counts(one, table({}, 0))
    assert (same.keys.tolist(), same.counts.tolist(), same.documents) == ([2], [5], 10)
    assert same.of(np.array([2, 3], np.uint64)).tolist() == [5, 0]
