"""RDF as Turtle: a node for each document, its keyphrases as ``dc:subject`` and as terms with probabilities."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.bibliography.records import BibliographicRecord, Term, failure_line

_PREFIXES: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_PROBABILITY: Final = "<urn:keywright:probability>"
"""The same property as in JSON-LD."""
_LANGUAGE_TAG = re.compile("[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*")
_ESCAPED: Final = str.maketrans({"\\": "\\\\", '"': '\\"'})


def turtle(outcomes: Iterable[Prediction | Failure]) -> Iterator[str]:
    """Yield prefixes, then the statements on each document; a failure is a comment.

    A document with a DOI is the node of its address; others are blank nodes, which ``dcterms:identifier`` names.
    """
    yield "".join(f"@prefix {name}: <{address}> .\n" for name, address in _PREFIXES.items())
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            yield f"\n# {failure_line(outcome)}\n"
        else:
            yield f"\n{_node(BibliographicRecord.of(outcome))}"


def literal(text: str, language: str = "") -> str:
    r"""Return a literal of one line, with a tag where the language is known.

    >>> print(literal('sets of "a\\b"', "en"))
    "sets of \"a\\b\""@en
    """
    tag = f"@{language}" if _LANGUAGE_TAG.fullmatch(language) else ""
    return f'"{text.translate(_ESCAPED)}"{tag}'


def _node(record: BibliographicRecord) -> str:
    citation = record.citation
    statements = [
        ("a", ["schema:ScholarlyArticle"]),
        ("dcterms:identifier", [literal(record.id)]),
        ("dcterms:title", [literal(citation.title)] if citation.title else []),
        ("dc:creator", [literal(author.inverted) for author in citation.authors]),
        ("dc:source", [literal(citation.journal)] if citation.journal else []),
        ("dcterms:issued", [f'"{citation.year:04}"^^xsd:gYear'] if citation.year else []),
        ("dc:language", [literal(record.language)] if record.language else []),
        ("dc:subject", [literal(term.name, term.language) for term in record.keyphrases]),
        ("dcterms:subject", [f"<{term.uri}>" for term in record.keyphrases if term.uri]),
        ("schema:keywords", list(map(_term, record.keyphrases))),
    ]
    lines = [f"{name} {', '.join(values)}" for name, values in statements if values]
    subject = f"<{record.address}>" if record.address else "[]"
    return f"{subject} " + " ;\n    ".join(lines) + " .\n"


def _term(term: Term) -> str:
    concept = f" ; schema:sameAs <{term.uri}>" if term.uri else ""
    number = "" if term.probability is None else f' ; {_PROBABILITY} "{float(term.probability)!r}"^^xsd:double'
    return f"[ a schema:DefinedTerm ; schema:name {literal(term.name, term.language)}{concept}{number} ]"
