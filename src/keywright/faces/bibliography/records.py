"""The common part of bibliographic records: a document's citation, its keyphrases as lines, and its id."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from keywright.core.citations import Citation, one_line
from keywright.core.predictions import Failure, Prediction

_IN_PATHS: Final = "/:;(),.-_~!$&'*+=@"
"""Characters that stay in the path of an address (RFC 3986); a DOI may have others, such as ``<``."""


@dataclass(frozen=True, slots=True)
class BibliographicRecord:
    """A document with its keyphrases, every text on one line without control characters.

    Attributes:
        keyphrases: best first, with probabilities, None where the system gives none.
        language: ISO 639-1 code; empty if unknown.
    """

    id: str
    citation: Citation
    keyphrases: tuple[tuple[str, float | None], ...]
    language: str

    @classmethod
    def of(cls, prediction: Prediction) -> "BibliographicRecord":
        """Return the record of a prediction."""
        return cls(
            id=one_line(prediction.document_id),
            citation=Citation.from_meta(prediction.meta),
            keyphrases=tuple((one_line(phrase.text), phrase.probability) for phrase in prediction.keyphrases),
            language=prediction.language or "",
        )

    @property
    def phrases(self) -> Iterator[str]:
        """The keyphrases without their probabilities."""
        return (phrase for phrase, _ in self.keyphrases)

    @property
    def address(self) -> str:
        """The address of the DOI; empty without one."""
        doi = self.citation.doi
        return f"https://doi.org/{quote(doi, safe=_IN_PATHS)}" if doi else ""


def failure_line(failure: Failure) -> str:
    """Return a failure as one line, for the comments of formats that have comments."""
    return one_line(f"{failure.document_id}: {failure.message}")
