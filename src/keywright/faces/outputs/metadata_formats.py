"""Bibliographic records for repositories, the web and libraries: JATS, Dublin Core, JSON-LD, Turtle, and MARC 21."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from keywright.core import VERSION
from keywright.core.citations import Author
from keywright.core.errors import TooLarge, needs_extra
from keywright.core.json_values import to_json
from keywright.core.predictions import Failure, Prediction
from keywright.core.word_lists import read_pairs
from keywright.faces.outputs.citation_formats import BibliographicRecord, Outcomes, RecordWriter, Term, drop_empty

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

_TURTLE_PREFIXES: Final = read_pairs("faces/outputs/prefixes.txt", "TURTLE")
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

# Records of MARC 21 are brief and made to be merged with those of a catalogue: field 008 and item types beyond text are
# the catalogue's. Keyphrases are index terms, 653, concepts of a vocabulary subjects, 650, with their URIs; field 883
# says of each that a machine made it, and its probability, unless people reviewed them.

UNSPECIFIED: Final = ("4", "")  # a vocabulary that the table lacks: *source not specified*; the URI says which
_SOURCES: Final = {
    "id.loc.gov/authorities/subjects/": ("0", ""), "id.nlm.nih.gov/mesh/": ("2", ""),
    "aims.fao.org/aos/agrovoc/": ("7", "agrovoc"), "d-nb.info/gnd/": ("7", "gnd"),
    "id.worldcat.org/fast/": ("7", "fast"), "vocab.getty.edu/aat/": ("7", "aat"),
    "vocabularies.unesco.org/thesaurus/": ("7", "unescot"), "www.yso.fi/onto/yso/": ("7", "yso"),
    "zbw.eu/stw/": ("7", "stw"),
}  # fmt: skip
"""Well-known vocabularies, by the beginning of their URIs: MARC 21, field 650, and the list of source codes."""


def find_source(uri: str) -> tuple[str, str]:
    """Return the second indicator of field 650 for a concept, and subfield ``$2``, empty for none.

    >>> find_source("http://aims.fao.org/aos/agrovoc/c_7208")
    ('7', 'agrovoc')
    """
    address = uri.partition("://")[2]
    return next((source for start, source in _SOURCES.items() if address.startswith(start)), UNSPECIFIED)


Record = Any
Field = Any  # classes of pymarc, whose own types are partial
LONGEST_RECORD: Final = 99_999  # bytes of a record: five digits of the leader hold its length (ISO 2709)
LONGEST_FIELD: Final = 9_999  # bytes of a field: four digits of the directory hold its length (ISO 2709)
_LEADER: Final = "00000na{level} a22000003u 4500"
"""New record (n) of text (a) in Unicode (a), at the abbreviated level (3), of unknown cataloguing form (u)."""
_SPACE: Final = "http://www.loc.gov/MARC21/slim"
_FIGURES: Final = 4  # decimals of a probability; arbitrary


def load_pymarc() -> Any:
    """Return the package pymarc; raise ``MissingExtra`` if it is not installed, as all functions here."""
    with needs_extra("marc", "MARC needs the package pymarc"):
        import pymarc  # noqa: PLC0415 - optional
    return pymarc


def encode_marc21(prediction: Prediction, *, reviewed: bool = False) -> bytes:
    """Return the record of a document, in UTF-8; ``reviewed``: whether people accepted the keyphrases."""
    record = _make_record(BibliographicRecord.of(prediction), reviewed=reviewed)
    data: bytes = record.as_marc()
    sizes = [(f"field {field.tag}", len(field.as_marc("utf-8")), LONGEST_FIELD) for field in record]
    for part, size, most in (*sizes, ("the MARC record", len(data), LONGEST_RECORD)):
        if size > most:
            message = f"{part} would have {size:,} bytes; ISO 2709 allows {most:,}"
            hint = "write MARCXML (-o FILE.marc.xml), which has no such limit, or fewer keyphrases with --top"
            raise TooLarge(message, hint)
    return data


def write_marc21(outcomes: Outcomes, reviewed: str = "") -> Iterator[bytes | Failure]:
    """Yield the record of each document; a failure in place of one that would be too long."""
    load_pymarc()
    for outcome in outcomes:
        if isinstance(outcome, Prediction):
            try:
                yield encode_marc21(outcome, reviewed=bool(reviewed))
            except TooLarge as error:
                yield Failure.from_error(outcome.document_id, error)


def write_marcxml(outcomes: Outcomes, reviewed: str = "") -> Iterator[str]:
    """Yield a ``collection`` piece by piece, a ``record`` for each document; a failure is a comment."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - only this format needs it

    pymarc = load_pymarc()

    def format_record(document: BibliographicRecord, reviewed: str) -> str:
        node = pymarc.record_to_xml_node(_make_record(document, reviewed=bool(reviewed)))
        ET.indent(node)
        return ET.tostring(node, encoding="unicode") + "\n"

    head = f'{XML_DECLARATION}<collection xmlns="{_SPACE}">\n'
    return RecordWriter(format_record, format_comment, head, tail="</collection>\n")(outcomes, reviewed)


def _make_record(document: BibliographicRecord, *, reviewed: bool) -> Record:
    pymarc, citation = load_pymarc(), document.citation
    persons = [author.inverted for author in citation.authors if author.family]
    record: Record = pymarc.Record(force_utf8=True, leader=_LEADER.format(level="a" if citation.journal else "m"))
    record.add_field(pymarc.Field(tag="001", data=document.id))
    # Concepts of a vocabulary come first. Each has a link to the field on its origin: a number, and *p* for provenance.
    subjects, provenance = [], []
    for number, term in enumerate(document.keyphrases, start=1):
        link = {} if reviewed else {"8": f"{number}\\p"}
        if term.uri:  # it names the vocabulary
            indicator, code = find_source(term.uri)
            subjects.append(_make_field("650", f" {indicator}", a=term.name, **link, **{"0": term.uri, "2": code}))
        else:
            subjects.append(_make_field("653", "  ", a=term.name, **link))
        confidence = "" if term.probability is None else f"{term.probability:.{_FIGURES}f}"
        provenance.append(_make_field("883", "0 ", a=f"keywright {VERSION}", c=confidence, **link))
    fields = [
        _make_field("024", "7 ", a=citation.doi, **{"2": "doi"}),
        _make_field("041", " 7", a=document.language, **{"2": "iso639-1"}),
        *(_make_field("100", "1 ", a=name) for name in persons[:1]),
        _make_field("245", f"{len(persons[:1])}0", a=citation.title),
        _make_field("264", " 1", c=f"{citation.year:04}" if citation.year else ""),
        *sorted(filter(None, subjects), key=lambda field: str(field.tag)),
        *(_make_field("700", "1 ", a=name) for name in persons[1:]),
        *(_make_field("720", "  ", a=author.name) for author in citation.authors if not author.family),
        _make_field("773", "0 ", t=citation.journal),
        *(provenance if not reviewed else ()),
    ]
    record.add_field(*filter(None, fields))
    return record


def _make_field(tag: str, indicators: str, **subfields: str) -> Field:
    """Return a field with the subfields that are not empty, links first; None if the first is empty."""
    if not next(iter(subfields.values())):
        return None
    pymarc = load_pymarc()
    ordered = sorted(subfields.items(), key=lambda subfield: subfield[0] != "8")
    values = [pymarc.Subfield(code, value) for code, value in ordered if value]
    return pymarc.Field(tag, pymarc.Indicators(*indicators), values)
