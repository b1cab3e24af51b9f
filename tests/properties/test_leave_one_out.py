"""Whatever gold a training document has, the features of its own candidates are the same.

The specification of the shared task, section 4.5, tells of eight points lost to a leak of this kind.
"""

from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.core.documents import AnalysedDocument, Document, GoldKeyphrase, LabelledDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import document_frequency, inverse_document_frequency, tf_idf
from keywright.text.analyser import TextAnalyser

ANALYSER = TextAnalyser()
TEXTS = ("grid market of grid markets", "market grid noise", "noise map, deep noise maps", "deep market")
PHRASES = ("grid", "market", "grid market", "noise maps", "deep noise", "map")
GOLDS = st.lists(st.lists(st.sampled_from(PHRASES), max_size=4), min_size=len(TEXTS), max_size=len(TEXTS))


def keys_of(document: AnalysedDocument):
    return ngrams(document, 2).key


def labelled(golds: list[list[str]]) -> list[LabelledDocument[AnalysedDocument]]:
    documents = [ANALYSER.analyse(Document(str(number), text)) for number, text in enumerate(TEXTS)]
    given = [tuple(GoldKeyphrase((form,), "author") for form in gold) for gold in golds]
    return [LabelledDocument(document, gold) for document, gold in zip(documents, given, strict=True)]


def rows_of(golds: list[list[str]], number: int) -> np.ndarray:
    examples = labelled(golds)
    collection = LabelledCollection.of(examples, keys_of)
    columns = (
        *(partial(each, collection=collection) for each in (document_frequency, inverse_document_frequency, tf_idf)),
        collection.keyphraseness,
    )
    document = examples[number].document
    candidates = ngrams(document, 2)
    return np.column_stack([column(candidates, document) for column in columns])


@settings(max_examples=60)
@given(GOLDS, st.integers(0, len(TEXTS) - 1), st.lists(st.sampled_from(PHRASES), max_size=4))
def test_own_labels_change_no_own_number(golds, number, others):
    changed = [others if at == number else gold for at, gold in enumerate(golds)]
    assert np.array_equal(rows_of(golds, number), rows_of(changed, number))


def test_labels_of_other_documents_do_count():
    before, after = rows_of([[], [], [], []], 0), rows_of([[], ["grid"], [], []], 0)
    assert not np.array_equal(before, after)
