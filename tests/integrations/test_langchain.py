"""The LangChain document transformer: its base class, copies with metadata, and use in a chain.

The suite ``langchain-tests`` covers models, embeddings, retrievers, stores and tools, and no document transformers.
"""

import asyncio

import pytest
from tests.integrations.hosts import TEXTS, host

import keywright as kw
from keywright.core.errors import BadParameter

host("langchain_core")

from langchain_core.documents import BaseDocumentTransformer, Document  # noqa: E402
from langchain_core.load import dumps  # noqa: E402
from langchain_core.runnables import RunnableLambda  # noqa: E402

from keywright.integrations.langchain import KeyphraseTransformer  # noqa: E402


@pytest.fixture(scope="module")
def transformer():
    return KeyphraseTransformer(top=2)


@pytest.fixture
def documents():
    return [Document(text, id=f"d{number}", metadata={"number": number}) for number, text in enumerate(TEXTS)]


def test_it_is_a_document_transformer(transformer):
    assert isinstance(transformer, BaseDocumentTransformer)


def test_copies_have_keyphrases_beside_the_other_metadata(transformer, documents):
    copies = transformer.transform_documents(documents)
    expected = list(kw.extract(TEXTS[0], top=2).texts)
    assert copies[0].metadata == {"number": 0, "keyphrases": expected}
    assert [(copy.id, copy.page_content) for copy in copies] == [(each.id, each.page_content) for each in documents]
    assert [each.metadata for each in documents] == [{"number": 0}, {"number": 1}, {"number": 2}]


def test_a_document_that_fails_has_an_error(transformer, documents):
    failed = transformer.transform_documents(documents)[1]
    assert failed.metadata["keyphrases"] == []
    assert "d1 holds no words" in failed.metadata["keyphrases_error"]


def test_an_old_error_goes(transformer):
    again = Document(TEXTS[0], metadata={"keyphrases": [], "keyphrases_error": "no words"})
    assert set(transformer.transform_documents([again])[0].metadata) == {"keyphrases"}


def test_details_are_plain_data_with_spans(documents):
    copies = KeyphraseTransformer(into="phrases", details=True, top=2).transform_documents(documents)
    assert dumps(copies)  # LangChain's own serialisation
    for copy in (copies[0], copies[2]):
        for keyphrase in copy.metadata["phrases"]:
            start, end = keyphrase["spans"][0]
            assert copy.page_content[start:end].split()[0].lower()[:3] == keyphrase["text"].split()[0].lower()[:3]


def test_it_runs_asynchronously_and_in_a_chain(transformer, documents):
    expected = transformer.transform_documents(documents)
    assert asyncio.run(transformer.atransform_documents(documents)) == expected
    assert RunnableLambda(transformer.transform_documents).invoke(documents) == expected


def test_no_documents_give_none(transformer):
    assert transformer.transform_documents([]) == []


def test_invalid_options_are_refused():
    with pytest.raises(BadParameter, match="min_probability"):
        KeyphraseTransformer(min_probability=3)
