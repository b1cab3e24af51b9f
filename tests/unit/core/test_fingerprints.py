"""Fingerprints of documents: ids and texts count, their order and everything else do not."""

from keywright.core.documents import Document
from keywright.core.signatures import fingerprint_texts

ONE, TWO = Document("a", "tide"), Document("b", "gauge")


def test_order_and_meta_do_not_count():
    assert fingerprint_texts([ONE, TWO]) == fingerprint_texts(
        [TWO, Document("a", "tide", language="en", meta={"x": 1})]
    )


def test_ids_and_texts_count():
    seen = {
        fingerprint_texts(docs)
        for docs in ([], [ONE], [TWO], [ONE, TWO], [Document("a", "tides")], [Document("c", "tide")])
    }
    assert len(seen) == 6
    assert all(len(one) == 16 for one in seen)


def test_an_id_does_not_run_into_its_text():
    assert fingerprint_texts([Document("ab", "c")]) != fingerprint_texts([Document("a", "bc")])
