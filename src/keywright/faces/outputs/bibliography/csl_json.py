"""CSL-JSON, the records of citation processors: an item for each document, with ``keyword``."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from keywright.core.citations import Author
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.bibliography.records import BibliographicRecord

_SEPARATOR: Final = "; "
"""Between keyphrases in ``keyword``, which is one text: headings of thesauri have commas inside."""


def items(outcomes: Iterable[Prediction | Failure]) -> Iterator[dict[str, Any]]:
    """Yield an item for each document; JSON has no comments, so that failures have no item.

    ``keyword`` has all keyphrases in one text; ``custom`` has them one by one, with their probabilities.
    """
    return (_item(BibliographicRecord.of(outcome)) for outcome in outcomes if isinstance(outcome, Prediction))


def _item(record: BibliographicRecord) -> dict[str, Any]:
    citation = record.citation
    keyphrases = [
        {"text": term.name, "probability": term.probability} | ({"uri": term.uri} if term.uri else {})
        for term in record.keyphrases
    ]
    values: dict[str, Any] = {
        "id": record.id,
        "type": "article-journal" if citation.journal else "document",
        "title": citation.title,
        "author": list(map(_author, citation.authors)),
        "container-title": citation.journal,
        "issued": {"date-parts": [[citation.year]]} if citation.year else {},
        "DOI": citation.doi,
        "language": record.language,
        "keyword": _SEPARATOR.join(record.phrases),
        "custom": {"keyphrases": keyphrases} if keyphrases else {},
    }
    return {key: value for key, value in values.items() if value}


def _author(author: Author) -> dict[str, str]:
    """Return a person where family and given names are known; else the name as it is, which may be a group's."""
    if not author.family:
        return {"literal": author.name}
    names = {"family": author.family, "given": author.given_names}
    return {key: value for key, value in names.items() if value}
