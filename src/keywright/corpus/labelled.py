"""What a labelled collection knows of a phrase: how many of its *other* documents hold it, and how many chose it.

A count that a training document went into tells of that document's own labels, and a learner that sees it learns to
read the answer from the question. So every look-up takes the document that asks: one of the collection, known by its
text, is left out of all that is counted for it. Training and extraction then run through the same code.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.core.gold import LabelledDocument
from keywright.corpus.counting import count_documents
from keywright.corpus.counts import PhraseCounts
from keywright.text.gold_keys import gold_keys, gold_word_keys


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Phrases that people chose, each with the document it was chosen for.

    Attributes:
        key: ascending, (choices,).
        document: number of the document in its collection, (choices,).
    """

    key: Keys
    document: Ints

    @classmethod
    def of(cls, keys_of_documents: Iterable[Keys]) -> Self:
        """Choices from the keys of each document in turn."""
        keys = list(keys_of_documents)
        together = np.concatenate([np.zeros(0, np.uint64), *keys])
        document = np.repeat(np.arange(len(keys), dtype=np.int32), [len(one) for one in keys])
        order = np.argsort(together, kind="stable")
        return cls(together[order], document[order])

    def elsewhere(self, keys: Keys, own: Bools) -> Floats:
        """How often each key was chosen for other documents, (keys,).

        Args:
            keys: what is asked for.
            own: documents that do not count, (documents,).
        """
        others = self.key[~own[self.document]]
        return (np.searchsorted(others, keys, "right") - np.searchsorted(others, keys, "left")).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LabelledCollection:
    """Documents with gold as counts; a document of the collection never meets its own contribution.

    Attributes:
        texts: 64-bit hash of each document's text, (documents,).
        holding: in how many documents phrases occur.
        chosen: gold keyphrases, each once a document.
        words: words of gold keyphrases, each once a keyphrase.
    """

    texts: Keys
    holding: PhraseCounts
    chosen: Choices
    words: Choices

    @classmethod
    def of(
        cls,
        examples: Iterable[LabelledDocument[AnalysedDocument]],
        keys_of: Callable[[AnalysedDocument], Keys],
        least: int = 1,
    ) -> Self:
        """Count over documents with gold; gold of every kind counts.

        Args:
            examples: the documents.
            keys_of: keys of a document's phrases whose document frequency will be asked for, repeats allowed.
            least: phrases in fewer documents are not kept. 2 makes the table many times smaller and changes nothing
                for the documents of the collection; elsewhere a phrase of one document passes for one of none.
        """
        known = list(examples)
        languages = [example.document.source.language for example in known]
        golds = [(example.gold, language) for example, language in zip(known, languages, strict=True)]
        return cls(
            texts=np.array([text_key(example.document) for example in known], np.uint64),
            holding=count_documents((keys_of(example.document) for example in known), least=least),
            chosen=Choices.of(gold_keys(gold, language) for gold, language in golds),
            words=Choices.of(gold_word_keys(gold, language) for gold, language in golds),
        )

    def own(self, document: AnalysedDocument) -> Bools:
        """Which documents of the collection have this document's text, (documents,)."""
        return np.asarray(self.texts == np.uint64(text_key(document)))

    def documents(self, document: AnalysedDocument) -> int:
        """Number of other documents."""
        return len(self.texts) - int(self.own(document).sum())

    def document_frequency(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Other documents that hold each candidate, (candidates,).

        The document itself, when it is of the collection, is taken to hold all of them: so ``keys_of`` must give the
        keys of all candidates that are asked for, as it does when it is the system's own way to candidates.
        """
        others: Floats = np.maximum(self.holding.of(candidates.key) - self.own(document).sum(), 0.0)
        return others

    def keyphraseness(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Other documents that each candidate was chosen for as a keyphrase, (candidates,)."""
        return self.chosen.elsewhere(candidates.key, self.own(document))

    def word_keyphraseness(self, document: AnalysedDocument) -> Floats:
        """Gold keyphrases of other documents that have each word form of this one, (words,)."""
        return self.words.elsewhere(document.word_key, self.own(document))


def text_key(document: AnalysedDocument) -> int:
    """First 64 bits of the SHA-256 of a document's text: the same text is the same document, however analysed."""
    text = document.source.text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little")
