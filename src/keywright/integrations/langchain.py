"""LangChain document transformer: documents with keyphrases in their metadata."""

from collections.abc import Sequence
from typing import Any, Unpack

from keywright.api.inputs import SystemLike
from keywright.core.options import ListKeywords
from keywright.integrations.texts import TextExtractor, add_keyphrases, needs_package

with needs_package("langchain-core"):
    from langchain_core.documents import BaseDocumentTransformer, Document


class KeyphraseTransformer(BaseDocumentTransformer):
    """Copies of documents with keyphrases in their metadata; the documents stay as they are.

    ``metadata["keyphrases"]`` is a list of strings, best first, which vector stores can filter by; with ``details`` a
    list of dictionaries with ``text``, ``score``, ``probability``, ``present`` and ``spans``, offsets into
    ``page_content``. A document that fails gets an empty list, and the error as ``metadata["keyphrases_error"]``.

    >>> from langchain_core.documents import Document
    >>> from keywright.integrations.langchain import KeyphraseTransformer
    >>> document = Document("A grid scheduler assigns jobs. The grid scheduler is fair.", metadata={"page": 7})
    >>> KeyphraseTransformer(top=1).transform_documents([document])[0].metadata
    {'page': 7, 'keyphrases': ['grid scheduler']}

    Args:
        into: key in the metadata; an existing value is replaced.
        details: whether keyphrases come as dictionaries.
        system, top, language, options: as for ``kw.extract``.
    """

    def __init__(
        self,
        *,
        into: str = "keyphrases",
        details: bool = False,
        system: SystemLike = "default",
        top: int | None = None,
        language: str | None = None,
        **options: Unpack[ListKeywords],
    ) -> None:
        self.into = into
        self.details = details
        self.extractor = TextExtractor(system, top, language, **options)

    def transform_documents(
        self,
        documents: Sequence[Document],
        **kwargs: Any,  # noqa: ARG002 - LangChain's signature
    ) -> Sequence[Document]:
        """Return copies of documents, in order, with keyphrases in their metadata."""
        outcomes = self.extractor.each((document.id or "text", document.page_content) for document in documents)
        return [
            document.model_copy(
                update={"metadata": add_keyphrases(document.metadata, outcome, self.into, details=self.details)}
            )
            for document, outcome in zip(documents, outcomes, strict=True)
        ]
