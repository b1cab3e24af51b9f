"""Haystack component: documents with keyphrases in their ``meta``."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

from keywright.integrations.texts import TextExtractor, add_keyphrases, needs_package

with needs_package("haystack-ai"):
    from haystack import Document, component, default_from_dict, default_to_dict


@component
class KeyphraseExtractor:
    """Copies of documents with keyphrases in their ``meta``; the documents stay as they are.

    ``meta["keyphrases"]`` is a list of strings, best first, which document stores can filter by; with ``details`` a
    list of dictionaries with ``text``, ``score``, ``probability``, ``present`` and ``spans``, offsets into ``content``.
    A document that fails, such as one without text, gets an empty list and the error as ``meta["keyphrases_error"]``.

    >>> from haystack import Document
    >>> from keywright.integrations.haystack import KeyphraseExtractor
    >>> document = Document(content="A grid scheduler assigns jobs. The grid scheduler is fair.")
    >>> KeyphraseExtractor(top=1).run([document])["documents"][0].meta
    {'keyphrases': ['grid scheduler']}

    Haystack loads a pipeline with this component after ``Pipeline.loads(text, allowed_modules=["keywright.*"])``.

    Args:
        into: key in ``meta``; an existing value is replaced.
        details: whether keyphrases come as dictionaries.
        system, top, language: as for ``kw.extract``; the system by its name or folder.
        options: further keywords of ``kw.extract``, such as ``{"min_probability": 0.3}``.
    """

    def __init__(
        self,
        *,
        into: str = "keyphrases",
        details: bool = False,
        system: str = "default",
        top: int | None = None,
        language: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.into = into
        self.details = details
        self.system = system
        self.top = top
        self.language = language
        self.options = options

    @cached_property
    def extractor(self) -> TextExtractor:
        """The extractor, loaded when asked for: Haystack expects that making a component is quick."""
        return TextExtractor(self.system, self.top, self.language, **(self.options or {}))

    def warm_up(self) -> None:
        """Load the system; a pipeline calls this before its first run."""
        _ = self.extractor

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return copies of documents, in order, with keyphrases in their ``meta``."""
        outcomes = self.extractor.each((document.id, document.content) for document in documents)
        copies = [
            replace(document, meta=add_keyphrases(document.meta, outcome, self.into, details=self.details))
            for document, outcome in zip(documents, outcomes, strict=True)
        ]
        return {"documents": copies}

    def to_dict(self) -> dict[str, Any]:
        """Return the settings, from which ``from_dict`` makes an equal component."""
        settings = ("into", "details", "system", "top", "language", "options")
        data: dict[str, Any] = default_to_dict(self, **{name: getattr(self, name) for name in settings})
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the component that ``to_dict`` described."""
        loaded: Self = default_from_dict(cls, data)
        return loaded
