"""JSON-LD with the words of schema.org: a graph of articles, whose keywords are defined terms."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from keywright.core.citations import Author
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.bibliography.records import BibliographicRecord, Term

CONTEXT: Final = ["https://schema.org", {"probability": "urn:keywright:probability"}]
"""The words of schema.org, and one that it lacks: the probability that a person would choose the keyphrase."""


def articles(outcomes: Iterable[Prediction | Failure]) -> Iterator[dict[str, Any]]:
    """Yield a node ``ScholarlyArticle`` for each document; JSON has no comments, so that failures have no node."""
    return (_article(BibliographicRecord.of(outcome)) for outcome in outcomes if isinstance(outcome, Prediction))


def _article(record: BibliographicRecord) -> dict[str, Any]:
    citation = record.citation
    values: dict[str, Any] = {
        "@type": "ScholarlyArticle",
        "@id": record.address,
        "identifier": record.id,
        "name": citation.title,
        "author": list(map(_author, citation.authors)),
        "isPartOf": {"@type": "Periodical", "name": citation.journal} if citation.journal else {},
        "datePublished": f"{citation.year:04}" if citation.year else "",
        "inLanguage": record.language,
        "keywords": list(map(_term, record.keyphrases)),
    }
    return {key: value for key, value in values.items() if value}


def _author(author: Author) -> dict[str, str]:
    """Return a person where family and given names are known; else a name, which may be a group's."""
    if not author.family:
        return {"name": author.name}
    names = {"familyName": author.family, "givenName": author.given_names}
    return {"@type": "Person", "name": author.name} | {key: value for key, value in names.items() if value}


def _term(term: Term) -> dict[str, Any]:
    concept = {"@id": term.uri, "termCode": term.notation, "inDefinedTermSet": term.scheme}
    node: dict[str, Any] = {"@type": "DefinedTerm", "name": term.name}
    node |= {key: value for key, value in concept.items() if value}
    return node if term.probability is None else node | {"probability": float(term.probability)}
