"""Leave-one-out counts of a labelled collection: other documents that contain a phrase, or have it as a keyphrase.

Every look-up is given its document, whose own labels would leak else, in training and extraction alike.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.extraction.corpus.counts import PhraseCounts, count_documents
from keywright.text.keys import gold_keys, gold_word_keys


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Gold keyphrases by ascending key, each with the number of the document it was chosen for, (choices,) both."""

    key: Keys
    document: Ints

    @classmethod
    def of(cls, keys_of_documents: Iterable[Keys]) -> Self:
        """Return the choices from the keys of each document in turn."""
        keys = list(keys_of_documents)
        every_key = np.concatenate([np.zeros(0, np.uint64), *keys])
        document = np.repeat(np.arange(len(keys), dtype=np.int32), list(map(len, keys)))
        order = np.argsort(every_key, kind="stable")
        return cls(every_key[order], document[order])

    def elsewhere(self, keys: Keys, excluded: Bools) -> Floats:
        """Return how often each key was chosen for documents that are not excluded, (documents,); (keys,)."""
        others = self.key[~excluded[self.document]]
        return (np.searchsorted(others, keys, "right") - np.searchsorted(others, keys, "left")).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LabelledCollection:
    """Counts over documents with gold, which leave out the document that they are looked up for."""

    texts: Keys  # 64-bit hashes, (documents,)
    holding: PhraseCounts  # document frequencies
    chosen: Choices  # gold keyphrases, each once per document
    words: Choices  # words of gold keyphrases, each once per keyphrase

    @classmethod
    def of(
        cls,
        examples: Iterable[LabelledDocument[AnalysedDocument]],
        keys_of: Callable[[AnalysedDocument], Keys],
        least: int = 1,
    ) -> Self:
        """Count over documents with gold; gold of every kind counts.

        ``keys_of``: keys of a document's phrases to look up, repeats allowed; ``least``: phrases in fewer documents are
        left out, where 2 makes the table many times smaller and changes nothing for documents of the collection.
        """
        labelled = list(examples)
        golds = [(example.gold, example.document.source.language) for example in labelled]
        return cls(
            texts=np.array([text_key(example.document) for example in labelled], np.uint64),
            holding=count_documents((keys_of(example.document) for example in labelled), least=least),
            chosen=Choices.of(gold_keys(gold, language) for gold, language in golds),
            words=Choices.of(gold_word_keys(gold, language) for gold, language in golds),
        )

    def with_text_of(self, document: AnalysedDocument) -> Bools:
        """Return whether each document of the collection has this document's text, (documents,)."""
        return np.asarray(self.texts == np.uint64(text_key(document)))

    def documents(self, document: AnalysedDocument) -> int:
        """Return the number of other documents."""
        return len(self.texts) - int(self.with_text_of(document).sum())

    def document_frequency(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the number of other documents that contain each candidate, (candidates,)."""
        # A document of the collection contains all its candidates, as ``keys_of`` has returned all of them.
        return np.asarray(np.maximum(self.holding.of(candidates.key) - self.with_text_of(document).sum(), 0.0))

    def keyphraseness(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the number of other documents with each candidate as a gold keyphrase, (candidates,)."""
        return self.chosen.elsewhere(candidates.key, self.with_text_of(document))


def text_key(document: AnalysedDocument) -> int:
    """Return the first 64 bits of the SHA-256 of a document's text, its identity however it is analysed."""
    text = document.source.text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little")
