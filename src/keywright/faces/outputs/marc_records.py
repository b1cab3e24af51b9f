"""MARC 21: a bibliographic record for each document, as ISO 2709 and as MARCXML.

Records are brief and made to be merged with those of a catalogue: field 008 and item types beyond text are the
catalogue's. Keyphrases are index terms, 653, concepts of a vocabulary subjects, 650, with their URIs; field 883 says of
each that a machine made it, and its probability, unless people reviewed them.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from keywright.core import VERSION
from keywright.core.citations import Author
from keywright.core.errors import TooLarge, needs_extra
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.citation_formats import BibliographicRecord, Outcomes, Term, write_records
from keywright.faces.outputs.metadata_formats import XML_DECLARATION, format_comment


class Source(NamedTuple):
    """Second indicator of field 650, and subfield ``$2``, empty for none."""

    indicator: str
    code: str = ""


UNSPECIFIED: Final = Source("4")
"""A vocabulary that the table does not have: *source not specified*; the URI says which it is."""
_SOURCES: Final = {
    "id.loc.gov/authorities/subjects/": Source("0"),
    "id.nlm.nih.gov/mesh/": Source("2"),
    "aims.fao.org/aos/agrovoc/": Source("7", "agrovoc"),
    "d-nb.info/gnd/": Source("7", "gnd"),
    "id.worldcat.org/fast/": Source("7", "fast"),
    "vocab.getty.edu/aat/": Source("7", "aat"),
    "vocabularies.unesco.org/thesaurus/": Source("7", "unescot"),
    "www.yso.fi/onto/yso/": Source("7", "yso"),
    "zbw.eu/stw/": Source("7", "stw"),
}
"""Well-known vocabularies, by the beginning of their URIs: MARC 21, field 650, and the list of source codes."""


def find_source(uri: str) -> Source:
    """Return the source of a concept.

    >>> find_source("http://aims.fao.org/aos/agrovoc/c_7208")
    Source(indicator='7', code='agrovoc')
    """
    address = uri.partition("://")[2]
    return next((source for start, source in _SOURCES.items() if address.startswith(start)), UNSPECIFIED)


Record = Any
Field = Any
"""Classes of pymarc, whose own types are partial."""
LONGEST_RECORD: Final = 99_999
"""Bytes of a record: five digits of the leader hold its length (ISO 2709)."""
LONGEST_FIELD: Final = 9_999
"""Bytes of a field: four digits of the directory hold its length (ISO 2709)."""
_LEADER: Final = "00000na{level} a22000003u 4500"
"""New record (n) of text (a) in Unicode (a), at the abbreviated level (3), of unknown cataloguing form (u)."""
_SPACE: Final = "http://www.loc.gov/MARC21/slim"
_FIGURES: Final = 4
"""Decimals of a probability; arbitrary."""


def load_pymarc() -> Any:
    """Return the package pymarc.

    Raises:
        MissingExtra: it is not installed.
    """
    with needs_extra("marc", "MARC needs the package pymarc"):
        import pymarc  # noqa: PLC0415 - optional
    return pymarc


def encode_marc21(prediction: Prediction, *, reviewed: bool = False) -> bytes:
    """Return the record of a document, in UTF-8; ``reviewed``: whether people accepted the keyphrases.

    Raises:
        TooLarge: the record or a field is longer than ISO 2709 allows; nothing is cut.
        MissingExtra: pymarc is not installed.
    """
    record = _make_record(BibliographicRecord.of(prediction), reviewed=reviewed)
    for field in record:
        size = len(field.as_marc("utf-8"))
        if size > LONGEST_FIELD:
            raise _make_too_large(f"field {field.tag}", size, LONGEST_FIELD)
    data: bytes = record.as_marc()
    if len(data) > LONGEST_RECORD:
        raise _make_too_large("the MARC record", len(data), LONGEST_RECORD)
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
    """Yield a ``collection`` piece by piece, a ``record`` for each document; a failure is a comment.

    ``reviewed``: who accepted the keyphrases; empty for nobody.

    Raises:
        MissingExtra: pymarc is not installed.
    """
    load_pymarc()
    return write_records(
        outcomes,
        lambda record: _format_record_element(_make_record(record, reviewed=bool(reviewed))),
        format_comment,
        head=f'{XML_DECLARATION}<collection xmlns="{_SPACE}">\n',
        tail="</collection>\n",
    )


def _format_record_element(record: Record) -> str:
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - only this format needs it

    node = load_pymarc().record_to_xml_node(record)
    ET.indent(node)
    return ET.tostring(node, encoding="unicode") + "\n"


def _make_record(document: BibliographicRecord, *, reviewed: bool) -> Record:
    pymarc, citation = load_pymarc(), document.citation
    persons = [author for author in citation.authors if author.family]
    groups = [author for author in citation.authors if not author.family]
    record: Record = pymarc.Record(force_utf8=True, leader=_LEADER.format(level="a" if citation.journal else "m"))
    record.add_field(pymarc.Field(tag="001", data=document.id))
    fields = [
        _make_field("024", "7 ", a=citation.doi, **{"2": "doi"}) if citation.doi else None,
        _make_field("041", " 7", a=document.language, **{"2": "iso639-1"}) if document.language else None,
        *(_make_person("100", author) for author in persons[:1]),
        _make_field("245", f"{len(persons[:1])}0", a=citation.title) if citation.title else None,
        _make_field("264", " 1", c=f"{citation.year:04}") if citation.year else None,
        *_list_subjects(document, linked=not reviewed),
        *(_make_person("700", author) for author in persons[1:]),
        *(_make_field("720", "  ", a=author.name) for author in groups),
        _make_field("773", "0 ", t=citation.journal) if citation.journal else None,
        *([] if reviewed else _list_provenance(document)),
    ]
    record.add_field(*filter(None, fields))
    return record


def _list_subjects(document: BibliographicRecord, *, linked: bool) -> list[Field]:
    """Return a field for each keyphrase, concepts of a vocabulary first, with a link to the field on its origin."""
    terms = enumerate(document.keyphrases, start=1)
    fields = [_make_subject(term, {"8": _format_link(number)} if linked else {}) for number, term in terms]
    return sorted(fields, key=lambda field: str(field.tag))


def _make_subject(term: Term, link: Mapping[str, str]) -> Field:
    """Return a subject, 650, whose URI names its vocabulary, or an index term, 653."""
    if not term.uri:
        return _make_field("653", "  ", **link, a=term.name)
    source = find_source(term.uri)
    code = {"2": source.code} if source.code else {}
    return _make_field("650", f" {source.indicator}", **link, a=term.name, **{"0": term.uri}, **code)


def _list_provenance(document: BibliographicRecord) -> Iterator[Field]:
    """Yield the origin of each keyphrase, *fully machine-generated*, with its probability as confidence."""
    for number, term in enumerate(document.keyphrases, start=1):
        confidence = {} if term.probability is None else {"c": f"{term.probability:.{_FIGURES}f}"}
        yield _make_field("883", "0 ", **{"8": _format_link(number)}, a=f"keywright {VERSION}", **confidence)


def _make_person(tag: str, author: Author) -> Field:
    return _make_field(tag, "1 ", a=author.inverted)


def _format_link(number: int) -> str:
    r"""Return the link of a field to that on its origin: a number, and *p* for provenance.

    >>> print(_format_link(3))
    3\p
    """
    return f"{number}\\p"


def _make_field(tag: str, indicators: str, **subfields: str) -> Field:
    pymarc = load_pymarc()
    values = [pymarc.Subfield(code, value) for code, value in subfields.items()]
    return pymarc.Field(tag, pymarc.Indicators(*indicators), values)


def _make_too_large(part: str, size: int, most: int) -> TooLarge:
    message = f"{part} would have {size:,} bytes; ISO 2709 allows {most:,}"
    return TooLarge(
        message, "write MARCXML (-o FILE.marc.xml), which has no such limit, or fewer keyphrases with --top"
    )
