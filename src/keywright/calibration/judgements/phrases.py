"""The phrases of a run as columns: how sure the system was, and whether each was right."""

from dataclasses import dataclass, replace

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPhrases:
    """One decision a phrase: duplicates and what a protocol throws away are no longer there. Documents stand together.

    Attributes:
        ids: of the documents, also those without a phrase, (documents,).
        document: index of each phrase's document, never falling, (phrases,).
        rank: place in its document's list, from 1 on, (phrases,).
        confidence: what the system gives out as its certainty, higher is surer; a probability, or any score that is
            comparable within a document, (phrases,).
        correct: whether it is a keyphrase, (phrases,).
        present: whether it stands in the document, (phrases,).
        words: its number of words, (phrases,).
        gold: keyphrases of each document that stand in it, and that do not, (documents, 2).

    Raises:
        BadParameter: columns of different lengths, a document that is not there, or documents that do not stand
            together.
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
        """Refuse columns that do not fit together."""
        columns = (self.rank, self.confidence, self.correct, self.present, self.words)
        if any(len(column) != len(self.document) for column in columns) or self.gold.shape != (len(self.ids), 2):
            raise BadParameter("columns of judged phrases differ in length", "expected one entry a phrase in each")
        if len(self.document) and (
            self.document.min() < 0 or self.document.max() >= len(self.ids) or np.any(np.diff(self.document) < 0)
        ):
            raise BadParameter("phrases do not stand by document", "expected indices of documents in rising order")

    def __len__(self) -> int:
        """Number of phrases."""
        return len(self.document)

    def where(self, kept: Bools) -> "JudgedPhrases":
        """Some of the phrases, (phrases,); all documents stay, and the ranks are those of the whole lists."""
        return replace(
            self,
            document=self.document[kept],
            rank=self.rank[kept],
            confidence=self.confidence[kept],
            correct=self.correct[kept],
            present=self.present[kept],
            words=self.words[kept],
        )

    @property
    def offsets(self) -> Ints:
        """Where the phrases of each document begin, and the end of the last, (documents + 1,)."""
        return np.searchsorted(self.document, np.arange(len(self.ids) + 1))
