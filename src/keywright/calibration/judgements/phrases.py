"""The phrases of a run as columns, with the confidence of the system and the judgement by the gold."""

from dataclasses import dataclass, replace

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPhrases:
    """Judged phrases, document by document, without duplicates and phrases that the protocol rejects.

    Attributes:
        ids: of the documents, including those without a phrase, (documents,).
        document: index of each phrase's document, never falling, (phrases,).
        rank: in its document's list, from 1 on, (phrases,).
        confidence: higher is more certain; a probability, or any score that is comparable within a document,
            (phrases,).
        correct: whether it is a keyphrase, (phrases,).
        present: whether it occurs in the document, (phrases,).
        words: number of words, (phrases,).
        gold: numbers of present and of absent keyphrases of each document, (documents, 2).
    """

    ids: tuple[str, ...]
    document: Ints
    rank: Ints
    confidence: Floats
    correct: Bools
    present: Bools
    words: Ints
    gold: Ints

    def __post_init__(self) -> None:
        columns = (self.rank, self.confidence, self.correct, self.present, self.words)
        if any(len(column) != len(self.document) for column in columns) or self.gold.shape != (len(self.ids), 2):
            raise BadParameter("columns of judged phrases differ in length", "expected one entry per phrase in each")
        if len(self.document) and (
            self.document.min() < 0 or self.document.max() >= len(self.ids) or np.any(np.diff(self.document) < 0)
        ):
            raise BadParameter("phrases are not grouped by document", "expected indices of documents in rising order")

    def __len__(self) -> int:
        return len(self.document)

    def where(self, rows: Bools) -> "JudgedPhrases":
        """Return some of the phrases, by truth values (phrases,); all documents stay, and ranks are as before."""
        return replace(
            self,
            document=self.document[rows],
            rank=self.rank[rows],
            confidence=self.confidence[rows],
            correct=self.correct[rows],
            present=self.present[rows],
            words=self.words[rows],
        )

    @property
    def offsets(self) -> Ints:
        """Start of the phrases of each document, and the end of the last, (documents + 1,)."""
        return np.searchsorted(self.document, np.arange(len(self.ids) + 1))
