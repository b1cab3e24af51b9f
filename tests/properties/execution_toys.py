"""A small system with every bad habit that a document can trigger. Worker processes import this."""

import os
import signal
from dataclasses import dataclass
from typing import ClassVar

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BrokenFile
from keywright.core.keyphrases import Keyphrase


@dataclass(frozen=True)
class LongestWords:
    """Distinct words, longest first, then in alphabetical order. Certain words make it fail."""

    factor: float = 1 / 3

    name: ClassVar[str] = "longest-words"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        words = sorted(document.words, key=lambda word: (-len(word), word))
        if "defect" in words:
            raise ZeroDivisionError("a defect")
        if "broken" in words:
            raise BrokenFile("a broken document", "mend it")
        if "killer" in words:
            os.kill(os.getpid(), signal.SIGKILL)
        return Ranking.from_keyphrases(document.source, [Keyphrase(word, len(word) * self.factor) for word in words])


@dataclass(frozen=True)
class NeedsTags(LongestWords):
    """The same, with a need that the plain analyser does not meet."""

    name: ClassVar[str] = "needs-tags"
    needs: ClassVar[frozenset[str]] = frozenset({"tags"})


def double(number: int) -> int:
    """Work that dies on 13."""
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number
