"""Whether a phrase stands for itself in a whole collection, or is part of longer phrases (phrasehood)."""

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

    Only longer phrases with ``least`` mentions in their document count. Berend and Farkas (2010) name it without a
    formula. No label is counted, so a document of the collection need not be left out: its mentions count once.

    Attributes:
        texts: 64-bit hash of each document's text, (documents,).
        mentions: of phrases that several documents of the collection have.
        free: how many of them lie outside of longer phrases.
        least: mentions that a longer phrase needs to count.
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
        known = [(text_key(document), candidates_of(document), document) for document in documents]
        several = count_documents((found.key for _, found, _ in known), least=2).keys
        keys, mentions, free = [], [], []
        for _, found, document in known:
            kept = np.isin(found.key, several)
            keys.append(found.key[kept])
            mentions.append(found.frequency[kept])
            free.append(_outside(found, document, least)[kept])
        return cls(
            np.array([text for text, _, _ in known], np.uint64),
            count_mentions(zip(keys, mentions, strict=True)),
            count_mentions(zip(keys, free, strict=True)),
            least,
        )

    def __call__(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """The feature of one document's candidates."""
        counted = np.uint64(text_key(document)) in self.texts
        own, own_free = candidates.frequency, _outside(candidates, document, self.least)
        # A phrase of this document alone is in no table, whether or not the document was counted.
        total = np.maximum(self.mentions.of(candidates.key) + own * (not counted), own)
        free = np.maximum(self.free.of(candidates.key) + own_free * (not counted), own_free)
        return np.asarray(free / total)


def _outside(candidates: Candidates, document: AnalysedDocument, least: int) -> Ints:
    """Mentions of each candidate outside of longer ones with ``least`` mentions, (candidates,)."""
    free: Ints = np.rint(FreeShare(least)(candidates, document) * candidates.frequency).astype(np.int64)
    return free
