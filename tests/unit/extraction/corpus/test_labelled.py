"""Leave-one-out counts of a labelled collection, by hand, and whatever the labels are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import analysed, labelled

from keywright.core.documents import AnalysedDocument, Document, SectionKind
from keywright.core.saving import load_system, save_system
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.labelled import LabelledCollection, text_key
from keywright.testing.promises import equal
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key


def keys_of(document: AnalysedDocument):
    return ngrams(document, 2).key


EXAMPLES = (
    labelled("grid market of grids", "grid market", "grids"),
    labelled("market grid", "grid"),
    labelled("noise maps", "grid noise", "noise maps"),
)
COLLECTION = LabelledCollection.of(EXAMPLES, keys_of)


def asked(what, document: AnalysedDocument, *phrases: str) -> list[float]:
    found = ngrams(document, 2)
    column = what(found, document)
    assert column.shape == (len(found),)
    return [float(column[found.key.tolist().index(phrase_key(phrase))]) for phrase in phrases]


def test_counts_for_a_document_from_elsewhere():
    other = analysed("grid market noise")
    assert COLLECTION.documents(other) == 3
    assert asked(COLLECTION.document_frequency, other, "grid", "market", "grid market", "market noise") == [2, 2, 1, 0]
    assert asked(COLLECTION.keyphraseness, other, "grid", "grid market", "noise", "market") == [2, 1, 0, 0]


def test_a_document_of_the_collection_is_left_out():
    first = EXAMPLES[0].document
    assert COLLECTION.documents(first) == 2
    assert asked(COLLECTION.document_frequency, first, "grid", "market", "grid market") == [1, 1, 0]
    assert asked(COLLECTION.keyphraseness, first, "grid", "grid market", "market") == [1, 0, 0]


def test_words_of_gold_keyphrases():
    other, nobody = analysed("grid market noise of"), np.zeros(3, bool)
    counts = dict(zip(other.words, COLLECTION.words.elsewhere(other.word_key, nobody).tolist(), strict=True))
    assert counts == {"grid": 4, "market": 1, "noise": 2, "of": 0}


def test_a_text_is_known_under_any_name_and_analysis():
    renamed = TextAnalyser(leave_out=(SectionKind.TITLE,)).analyse(Document("other", "market grid", meta={"a": 1}))
    assert COLLECTION.with_text_of(renamed).tolist() == [False, True, False]
    # the first eight bytes of sha256sum of "market grid", the lowest first
    assert text_key(renamed) == int.from_bytes(bytes.fromhex("34e156f301ef354e"), "little")


def test_repeated_texts_are_all_left_out():
    twice = LabelledCollection.of([EXAMPLES[1], EXAMPLES[1], EXAMPLES[0]], keys_of)
    assert twice.documents(EXAMPLES[1].document) == 1
    assert asked(twice.document_frequency, EXAMPLES[1].document, "grid", "market", "market grid") == [1, 1, 0]
    assert asked(twice.keyphraseness, EXAMPLES[1].document, "grid") == [1]


def test_phrases_of_one_document_can_be_left_out():
    small = LabelledCollection.of(EXAMPLES, keys_of, least=2)
    assert len(small.holding) == 2  # grid, market
    for example in EXAMPLES:
        found = ngrams(example.document, 2)
        frequencies = small.document_frequency(found, example.document)
        assert np.array_equal(frequencies, COLLECTION.document_frequency(found, example.document))
    assert asked(small.document_frequency, analysed("noise grid market"), "noise", "grid", "grid market") == [0, 2, 0]


def test_an_empty_collection_counts_nothing():
    none = LabelledCollection.of([], keys_of)
    document = analysed("grid market")
    assert none.documents(document) == 0
    assert asked(none.document_frequency, document, "grid") == [0]
    assert asked(none.keyphraseness, document, "grid") == [0]
    empty = analysed("")
    assert COLLECTION.keyphraseness(ngrams(empty, 2), empty).shape == (0,)


def test_a_saved_collection_comes_back(tmp_path):
    save_system(COLLECTION, tmp_path, {})
    assert equal(load_system(tmp_path), COLLECTION)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["grid", "market", "noise", "grid market", "noise maps", "of"]), max_size=5))
def test_labels_of_a_document_change_none_of_its_own_numbers(phrases):
    """The trap of the shared task's specification, section 4.5."""
    own = EXAMPLES[0].document
    relabelled = labelled(own.source.text, *phrases)
    changed = LabelledCollection.of([relabelled, *EXAMPLES[1:]], keys_of)
    found = ngrams(own, 2)
    for collection in (COLLECTION, changed):
        numbers = (collection.document_frequency(found, own), collection.keyphraseness(found, own))
        assert np.concatenate(numbers).tolist() == pytest.approx(EXPECTED)


EXPECTED = np.concatenate(
    [
        [1, 0, 1],  # grid, grid market, market in the second document; "market of grids" crosses a stop word
        [1, 0, 0],  # grid chosen for the second
    ]
).tolist()
