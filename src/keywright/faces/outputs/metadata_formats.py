"""Bibliographic records for repositories and the web: JATS and Dublin Core in XML, JSON-LD and Turtle in RDF."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from keywright.core.citations import Author
from keywright.core.json_values import to_json
from keywright.faces.outputs.citation_formats import BibliographicRecord, Outcomes, Term, write_records

XML_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'


def format_element(name: str, content: str | Sequence[str], pairs: Mapping[str, str] | None = None) -> str:
    r"""Return an element with a text, which is escaped, or with elements, each on a line of its own.

    >>> format_element("kwd-group", [format_element("kwd", "R&D")], {"xml:lang": "en"})
    '<kwd-group xml:lang="en">\n  <kwd>R&amp;D</kwd>\n</kwd-group>'
    """
    if isinstance(content, str):
        inside = escape(content)
    else:
        inside = "\n" + "".join(textwrap.indent(child, "  ") + "\n" for child in content if child)
    return f"<{name}{format_attributes(pairs or {})}>{inside}</{name}>"


def format_attributes(pairs: Mapping[str, str]) -> str:
    """Return attributes with a blank before each; those without a value are left out."""
    return "".join(f" {name}={quoteattr(value)}" for name, value in pairs.items() if value)


def format_comment(text: str) -> str:
    """Return a comment on a line of its own; hyphens in a row, which would end it, are parted."""
    return f"<!-- {text.replace('--', '- -').replace('--', '- -')} -->\n"


_XML_SPACES: Final = {
    "xmlns:oai_dc": "http://www.openarchives.org/OAI/2.0/oai_dc/",
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
}
JATS_GROUP: Final = "generated"
"""``kwd-group-type``: readers of JATS do not take such keywords for those of the authors; nor does this project's."""


def write_jats(outcomes: Outcomes, reviewed: str = "") -> Iterator[str]:
    """Yield a ``pmc-articleset`` piece by piece, an ``article`` for each document; a failure is a comment.

    ``reviewed``: who reviewed the keywords, which is the type of their group.
    """
    return write_records(
        outcomes,
        lambda record: _format_jats_article(record, reviewed or JATS_GROUP),
        format_comment,
        head=f"{XML_DECLARATION}<pmc-articleset>\n",
        tail="</pmc-articleset>\n",
    )


def write_dublin_core(outcomes: Outcomes, _reviewed: str = "") -> Iterator[str]:
    """Yield ``records`` piece by piece, an ``oai_dc:dc`` for each document; a failure is a comment."""
    head = f"{XML_DECLARATION}<records{format_attributes(_XML_SPACES)}>\n"
    return write_records(outcomes, _format_dublin_core_record, format_comment, head=head, tail="</records>\n")


def _format_jats_article(record: BibliographicRecord, group: str) -> str:
    citation, language = record.citation, {"xml:lang": record.language}
    journal = (
        format_element("journal-title-group", [format_element("journal-title", citation.journal)])
        if citation.journal
        else ""
    )
    doi = format_element("article-id", citation.doi, {"pub-id-type": "doi"}) if citation.doi else ""
    title = format_element("title-group", [format_element("article-title", citation.title)]) if citation.title else ""
    date = format_element("pub-date", [format_element("year", f"{citation.year:04}")]) if citation.year else ""
    phrases = [format_element("kwd", term.name, {"vocab-term-identifier": term.uri}) for term in record.keyphrases]
    tags = {term.language for term in record.keyphrases}
    of_phrases = {"xml:lang": tags.pop() if len(tags) == 1 else ""}
    keywords = format_element("kwd-group", phrases, {"kwd-group-type": group} | of_phrases) if phrases else ""
    names = [
        format_element("contrib", [_format_contributor(author)], {"contrib-type": "author"})
        for author in citation.authors
    ]
    meta = [
        doi,
        format_element("article-id", record.id, {"pub-id-type": "publisher-id"}),
        title,
        format_element("contrib-group", names) if names else "",
        date,
        keywords,
    ]
    front = [format_element("journal-meta", [journal]) if journal else "", format_element("article-meta", meta)]
    return format_element("article", [format_element("front", front)], language) + "\n"


def _format_contributor(author: Author) -> str:
    if not author.family:
        return format_element("string-name", author.name)
    forename = format_element("given-names", author.given_names) if author.given_names else ""
    return format_element("name", [format_element("surname", author.family), forename])


def _format_dublin_core_record(record: BibliographicRecord) -> str:
    citation = record.citation
    values = [
        ("title", citation.title),
        *(("creator", author.inverted) for author in citation.authors),
        *(("subject", phrase) for phrase in record.phrases),
        ("source", citation.journal),
        ("date", f"{citation.year:04}" if citation.year else ""),
        ("identifier", record.address),
        ("identifier", record.id),
        ("language", record.language),
    ]
    return format_element("oai_dc:dc", [format_element(f"dc:{name}", value) for name, value in values if value]) + "\n"


JSON_LD_CONTEXT: Final = ["https://schema.org", {"probability": "urn:keywright:probability"}]
"""The words of schema.org, and one that it lacks: the probability that a person would choose the keyphrase."""


def write_json_ld(outcomes: Outcomes, _reviewed: str = "") -> Iterator[str]:
    """Yield one JSON object with the graph of all documents, a node ``ScholarlyArticle`` on a line for each."""
    return write_records(
        outcomes,
        lambda record: to_json(_make_json_ld_article(record)),
        head=f'{{"@context": {to_json(JSON_LD_CONTEXT)}, "@graph": [\n',
        between=",\n",
        tail="\n]}\n",
    )


def _make_json_ld_article(record: BibliographicRecord) -> dict[str, Any]:
    citation = record.citation
    values: dict[str, Any] = {
        "@type": "ScholarlyArticle",
        "@id": record.address,
        "identifier": record.id,
        "name": citation.title,
        "author": list(map(_make_json_ld_author, citation.authors)),
        "isPartOf": {"@type": "Periodical", "name": citation.journal} if citation.journal else {},
        "datePublished": f"{citation.year:04}" if citation.year else "",
        "inLanguage": record.language,
        "keywords": list(map(_make_json_ld_term, record.keyphrases)),
    }
    return {key: value for key, value in values.items() if value}


def _make_json_ld_author(author: Author) -> dict[str, str]:
    """Return a person where family and given names are known; else a name, which may be a group's."""
    if not author.family:
        return {"name": author.name}
    names = {"familyName": author.family, "givenName": author.given_names}
    return {"@type": "Person", "name": author.name} | {key: value for key, value in names.items() if value}


def _make_json_ld_term(term: Term) -> dict[str, Any]:
    concept = {"@id": term.uri, "termCode": term.notation, "inDefinedTermSet": term.scheme}
    node: dict[str, Any] = {"@type": "DefinedTerm", "name": term.name}
    node |= {key: value for key, value in concept.items() if value}
    return node if term.probability is None else node | {"probability": float(term.probability)}


_TURTLE_PREFIXES: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_PROBABILITY: Final = "<urn:keywright:probability>"
"""The same property as in JSON-LD."""
_LANGUAGE_TAG = re.compile("[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*")
_TURTLE_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"'})


def write_turtle(outcomes: Outcomes, _reviewed: str = "") -> Iterator[str]:
    """Yield prefixes, then the statements on each document; a failure is a comment.

    A document with a DOI is the node of its address; others are blank nodes, which ``dcterms:identifier`` names.
    """
    head = "".join(f"@prefix {name}: <{address}> .\n" for name, address in _TURTLE_PREFIXES.items())
    return write_records(outcomes, _format_node, lambda line: f"\n# {line}\n", head=head)


def format_literal(text: str, language: str = "") -> str:
    r"""Return a literal of one line, with a tag where the language is known.

    >>> print(format_literal('sets of "a\\b"', "en"))
    "sets of \"a\\b\""@en
    """
    tag = f"@{language}" if _LANGUAGE_TAG.fullmatch(language) else ""
    return f'"{text.translate(_TURTLE_ESCAPES)}"{tag}'


def _format_node(record: BibliographicRecord) -> str:
    citation = record.citation
    statements = [
        ("a", ["schema:ScholarlyArticle"]),
        ("dcterms:identifier", [format_literal(record.id)]),
        ("dcterms:title", [format_literal(citation.title)] if citation.title else []),
        ("dc:creator", [format_literal(author.inverted) for author in citation.authors]),
        ("dc:source", [format_literal(citation.journal)] if citation.journal else []),
        ("dcterms:issued", [f'"{citation.year:04}"^^xsd:gYear'] if citation.year else []),
        ("dc:language", [format_literal(record.language)] if record.language else []),
        ("dc:subject", [format_literal(term.name, term.language) for term in record.keyphrases]),
        ("dcterms:subject", [f"<{term.uri}>" for term in record.keyphrases if term.uri]),
        ("schema:keywords", list(map(_format_turtle_term, record.keyphrases))),
    ]
    lines = [f"{name} {', '.join(values)}" for name, values in statements if values]
    subject = f"<{record.address}>" if record.address else "[]"
    return f"\n{subject} " + " ;\n    ".join(lines) + " .\n"


def _format_turtle_term(term: Term) -> str:
    concept = f" ; schema:sameAs <{term.uri}>" if term.uri else ""
    number = "" if term.probability is None else f' ; {_PROBABILITY} "{float(term.probability)!r}"^^xsd:double'
    return f"[ a schema:DefinedTerm ; schema:name {format_literal(term.name, term.language)}{concept}{number} ]"
