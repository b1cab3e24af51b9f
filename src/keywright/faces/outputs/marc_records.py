"""MARC 21: a bibliographic record for each document, as ISO 2709 and as MARCXML.

Records are brief and made to be merged with those of a catalogue: field 008 and item types beyond text are the
catalogue's. Keyphrases are index terms, 653, concepts of a vocabulary subjects, 650, with their URIs; field 883 says of
each that a machine made it, and its probability, unless people reviewed them.
"""

from collections.abc import Iterator
from typing import Any, Final

from keywright.core import VERSION
from keywright.core.errors import TooLarge, needs_extra
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs.citation_formats import BibliographicRecord, Outcomes, RecordWriter, Term
from keywright.faces.outputs.metadata_formats import XML_DECLARATION, format_comment

UNSPECIFIED: Final = ("4", "")
"""A vocabulary that the table does not have: *source not specified*; the URI says which it is."""
_SOURCES: Final = {
    "id.loc.gov/authorities/subjects/": ("0", ""),
    "id.nlm.nih.gov/mesh/": ("2", ""),
    "aims.fao.org/aos/agrovoc/": ("7", "agrovoc"),
    "d-nb.info/gnd/": ("7", "gnd"),
    "id.worldcat.org/fast/": ("7", "fast"),
    "vocab.getty.edu/aat/": ("7", "aat"),
    "vocabularies.unesco.org/thesaurus/": ("7", "unescot"),
    "www.yso.fi/onto/yso/": ("7", "yso"),
    "zbw.eu/stw/": ("7", "stw"),
}
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
    terms = [(f"{number}\\p", term) for number, term in enumerate(document.keyphrases, start=1)]
    subjects = [_make_subject(term, "" if reviewed else link) for link, term in terms]
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
        *(_make_provenance(term, link) for link, term in terms if not reviewed),
    ]
    record.add_field(*filter(None, fields))
    return record


def _make_subject(term: Term, link: str) -> Field:
    """Return a subject, 650, whose URI names its vocabulary, or an index term, 653."""
    if not term.uri:
        return _make_field("653", "  ", a=term.name, **{"8": link})
    indicator, code = find_source(term.uri)
    return _make_field("650", f" {indicator}", a=term.name, **{"8": link, "0": term.uri, "2": code})


def _make_provenance(term: Term, link: str) -> Field:
    """Return the origin of a keyphrase, *fully machine-generated*, with its probability as confidence."""
    confidence = "" if term.probability is None else f"{term.probability:.{_FIGURES}f}"
    return _make_field("883", "0 ", a=f"keywright {VERSION}", c=confidence, **{"8": link})


def _make_field(tag: str, indicators: str, **subfields: str) -> Field:
    """Return a field with the subfields that are not empty, links first; None if the first is empty."""
    if not next(iter(subfields.values())):
        return None
    pymarc = load_pymarc()
    ordered = sorted(subfields.items(), key=lambda subfield: subfield[0] != "8")
    values = [pymarc.Subfield(code, value) for code, value in ordered if value]
    return pymarc.Field(tag, pymarc.Indicators(*indicators), values)
