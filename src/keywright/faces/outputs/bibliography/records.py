"""The common part of bibliographic records: a document's citation, its keyphrases as lines, and its id."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from keywright.core.citations import Citation, one_line
from keywright.core.predictions import Failure, Keyphrase, Prediction

_IN_PATHS: Final = "/:;(),.-_~!$&'*+=@"
"""Characters that stay in the path of an address (RFC 3986); a DOI may have others, such as ``<``."""
_IN_ADDRESSES: Final = f"{_IN_PATHS}?#[]%"
"""Characters that stay in an address; letters of other scripts become ASCII."""


@dataclass(frozen=True, slots=True)
class Term:
    """A keyphrase of a record.

    Attributes:
        name: the phrase, or the label of its concept.
        probability: None where the system gives none.
        uri: of its concept, percent-encoded where a URI cannot have the character; empty without one.
        notation: of the concept.
        scheme: URI of the concept's scheme.
        language: of the label, as a tag; empty if unknown.
    """

    name: str
    probability: float | None
    uri: str = ""
    notation: str = ""
    scheme: str = ""
    language: str = ""

    @classmethod
    def of(cls, keyphrase: Keyphrase, language: str) -> "Term":
        """Return the term of a keyphrase in a document of a language."""
        concept = keyphrase.concept
        if concept is None:
            return cls(one_line(keyphrase.text), keyphrase.probability, language=language)
        uris = (quote(one_line(uri), safe=_IN_ADDRESSES) for uri in (concept.uri, concept.scheme))
        uri, scheme = uris
        label, notation = one_line(concept.label), one_line(concept.notation)
        return cls(label, keyphrase.probability, uri, notation, scheme, concept.language)


@dataclass(frozen=True, slots=True)
class BibliographicRecord:
    """A document with its keyphrases, every text on one line without control characters.

    Attributes:
        keyphrases: best first.
        language: ISO 639-1 code; empty if unknown.
    """

    id: str
    citation: Citation
    keyphrases: tuple[Term, ...]
    language: str

    @classmethod
    def of(cls, prediction: Prediction) -> "BibliographicRecord":
        """Return the record of a prediction."""
        return cls(
            id=one_line(prediction.document_id),
            citation=Citation.from_meta(prediction.meta),
            keyphrases=tuple(Term.of(phrase, prediction.language or "") for phrase in prediction.keyphrases),
            language=prediction.language or "",
        )

    @property
    def phrases(self) -> Iterator[str]:
        """The keyphrases without their probabilities."""
        return (term.name for term in self.keyphrases)

    @property
    def address(self) -> str:
        """The address of the DOI; empty without one."""
        doi = self.citation.doi
        return f"https://doi.org/{quote(doi, safe=_IN_PATHS)}" if doi else ""


def failure_line(failure: Failure) -> str:
    """Return a failure as one line, for the comments of formats that have comments."""
    return one_line(f"{failure.document_id}: {failure.message}")
