"""Phrasehood: how often a phrase of a collection is not part of longer phrases."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument
from keywright.corpus.counting import count_documents, count_mentions
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.labelled import text_key
from keywright.features.functions.nestedness import FreeShare


@dataclass(frozen=True, slots=True, eq=False)
class Phrasehood:
    """Share of each candidate's mentions, here and in a collection, outside of longer phrases, 0 to 1, (candidates,).

    Only longer phrases with ``least`` mentions in their document count. Berend and Farkas (2010) do not give a formula.
    Labels do not enter, so a document of the collection is not left out: its mentions count once.

    Attributes:
        texts: 64-bit hash of each document's text, (documents,).
        mentions: of phrases in several documents of the collection.
        free: mentions of these that are outside of longer phrases.
        least: minimum mentions of a longer phrase that counts.
    """

    texts: Keys
    mentions: PhraseCounts
    free: PhraseCounts
    least: int = 2

    @classmethod
    def of(
        cls,
        documents: Iterable[AnalysedDocument],
        candidates_of: Callable[[AnalysedDocument], Candidates],
        least: int = 2,
    ) -> Self:
        """Count over a collection that fits into memory."""
        parts = [(text_key(document), candidates_of(document), document) for document in documents]
        several = count_documents((candidates.key for _, candidates, _ in parts), least=2).keys
        keys, mentions, free = [], [], []
        for _, candidates, document in parts:
            common = np.isin(candidates.key, several)
            keys.append(candidates.key[common])
            mentions.append(candidates.frequency[common])
            free.append(_free_mentions(candidates, document, least)[common])
        return cls(
            np.array([text for text, _, _ in parts], np.uint64),
            count_mentions(zip(keys, mentions, strict=True)),
            count_mentions(zip(keys, free, strict=True)),
            least,
        )

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the feature of a document's candidates."""
        counted = np.uint64(text_key(document)) in self.texts
        here, free_here = candidates.frequency, _free_mentions(candidates, document, self.least)
        # A phrase of this document alone is in no table, whether or not the document was counted.
        total = np.maximum(self.mentions.of(candidates.key) + here * (not counted), here)
        free = np.maximum(self.free.of(candidates.key) + free_here * (not counted), free_here)
        return np.asarray(free / total)


def _free_mentions(candidates: Candidates, document: AnalysedDocument, least: int) -> Ints:
    """Return the mentions of each candidate outside of longer ones with ``least`` mentions, (candidates,)."""
    free: Ints = np.rint(FreeShare(least)(candidates, document) * candidates.frequency).astype(np.int64)
    return free
