"""Bibliographic records for repositories and the web: JATS and Dublin Core in XML, JSON-LD and Turtle in RDF."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from keywright.core.citations import Author
from keywright.core.json_values import to_json
from keywright.faces.outputs.citation_formats import BibliographicRecord, RecordWriter, Term, drop_empty

XML_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'


def format_element(name: str, content: str | Sequence[str], pairs: Mapping[str, str] | None = None) -> str:
    r"""Return an element with a text, which is escaped, or with elements on lines of their own; empty for no content.

    >>> format_element("kwd-group", [format_element("kwd", "R&D")], {"xml:lang": "en"})
    '<kwd-group xml:lang="en">\n  <kwd>R&amp;D</kwd>\n</kwd-group>'
    """
    if isinstance(content, str):
        inside = escape(content)
    else:
        inside = "".join(f"\n{textwrap.indent(child, '  ')}" for child in content if child)
        inside += "\n" if inside else ""
    return f"<{name}{format_attributes(pairs or {})}>{inside}</{name}>" if inside else ""


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


def _format_jats_article(record: BibliographicRecord, reviewed: str) -> str:
    """Return an article; who reviewed the keywords is the type of their group."""
    citation = record.citation
    phrases = [format_element("kwd", term.name, {"vocab-term-identifier": term.uri}) for term in record.keyphrases]
    tags = {term.language for term in record.keyphrases}
    of_phrases = {"kwd-group-type": reviewed or JATS_GROUP, "xml:lang": tags.pop() if len(tags) == 1 else ""}
    authors = [
        format_element("contrib", [_format_contributor(author)], {"contrib-type": "author"})
        for author in citation.authors
    ]
    journal = format_element("journal-title-group", [format_element("journal-title", citation.journal)])
    meta = [
        format_element("article-id", citation.doi, {"pub-id-type": "doi"}),
        format_element("article-id", record.id, {"pub-id-type": "publisher-id"}),
        format_element("title-group", [format_element("article-title", citation.title)]),
        format_element("contrib-group", authors),
        format_element("pub-date", [format_element("year", _format_year(record))]),
        format_element("kwd-group", phrases, of_phrases),
    ]
    front = [format_element("journal-meta", [journal]), format_element("article-meta", meta)]
    return format_element("article", [format_element("front", front)], {"xml:lang": record.language}) + "\n"


def _format_contributor(author: Author) -> str:
    if not author.family:
        return format_element("string-name", author.name)
    parts = format_element("surname", author.family), format_element("given-names", author.given_names)
    return format_element("name", parts)


def _format_year(record: BibliographicRecord) -> str:
    return f"{record.citation.year:04}" if record.citation.year else ""


write_jats: Final = RecordWriter(
    _format_jats_article, format_comment, f"{XML_DECLARATION}<pmc-articleset>\n", tail="</pmc-articleset>\n"
)


def _format_dublin_core_record(record: BibliographicRecord, _reviewed: str) -> str:
    citation = record.citation
    values = [
        ("title", citation.title),
        *(("creator", author.inverted) for author in citation.authors),
        *(("subject", phrase) for phrase in record.phrases),
        ("source", citation.journal),
        ("date", _format_year(record)),
        ("identifier", record.address),
        ("identifier", record.id),
        ("language", record.language),
    ]
    return format_element("oai_dc:dc", [format_element(f"dc:{name}", value) for name, value in values]) + "\n"


_DUBLIN_CORE_HEAD: Final = f"{XML_DECLARATION}<records{format_attributes(_XML_SPACES)}>\n"
write_dublin_core: Final = RecordWriter(
    _format_dublin_core_record, format_comment, _DUBLIN_CORE_HEAD, tail="</records>\n"
)

JSON_LD_CONTEXT: Final = ["https://schema.org", {"probability": "urn:keywright:probability"}]
"""The words of schema.org, and one that it lacks: the probability that a person would choose the keyphrase."""


def _format_json_ld_article(record: BibliographicRecord, _reviewed: str) -> str:
    """Return a node ``ScholarlyArticle``."""
    citation = record.citation
    authors = []
    for author in citation.authors:
        names = {"familyName": author.family, "givenName": author.given_names} if author.family else {}
        # Without a family name it may be that of a group.
        authors.append(({"@type": "Person"} if names else {}) | {"name": author.name} | drop_empty(names))
    values = {
        "@type": "ScholarlyArticle",
        "@id": record.address,
        "identifier": record.id,
        "name": citation.title,
        "author": authors,
        "isPartOf": {"@type": "Periodical", "name": citation.journal} if citation.journal else {},
        "datePublished": _format_year(record),
        "inLanguage": record.language,
        "keywords": list(map(_make_json_ld_term, record.keyphrases)),
    }
    return to_json(drop_empty(values))


def _make_json_ld_term(term: Term) -> dict[str, Any]:
    concept = {"@id": term.uri, "termCode": term.notation, "inDefinedTermSet": term.scheme}
    node = {"@type": "DefinedTerm", "name": term.name} | drop_empty(concept)
    return node if term.probability is None else node | {"probability": float(term.probability)}


_JSON_LD_HEAD: Final = f'{{"@context": {to_json(JSON_LD_CONTEXT)}, "@graph": [\n'
write_json_ld: Final = RecordWriter(_format_json_ld_article, head=_JSON_LD_HEAD, between=",\n", tail="\n]}\n")

_TURTLE_PREFIXES: Final = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_PROBABILITY: Final = "<urn:keywright:probability>"  # the same property as in JSON-LD
_LANGUAGE_TAG = re.compile("[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*")
_TURTLE_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"'})


def format_literal(text: str, language: str = "") -> str:
    r"""Return a literal of one line, with a tag where the language is known.

    >>> print(format_literal('sets of "a\\b"', "en"))
    "sets of \"a\\b\""@en
    """
    tag = f"@{language}" if _LANGUAGE_TAG.fullmatch(language) else ""
    return f'"{text.translate(_TURTLE_ESCAPES)}"{tag}'


def _format_node(record: BibliographicRecord, _reviewed: str) -> str:
    """Return a node, of its address where it has a DOI, else a blank one, which ``dcterms:identifier`` names."""
    citation = record.citation
    statements = [
        ("a", ["schema:ScholarlyArticle"]),
        ("dcterms:identifier", [format_literal(record.id)]),
        ("dcterms:title", [format_literal(citation.title)] if citation.title else []),
        ("dc:creator", [format_literal(author.inverted) for author in citation.authors]),
        ("dc:source", [format_literal(citation.journal)] if citation.journal else []),
        ("dcterms:issued", [f'"{_format_year(record)}"^^xsd:gYear'] if citation.year else []),
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


write_turtle: Final = RecordWriter(
    _format_node,
    lambda line: f"\n# {line}\n",
    "".join(f"@prefix {name}: <{address}> .\n" for name, address in _TURTLE_PREFIXES.items()),
)
