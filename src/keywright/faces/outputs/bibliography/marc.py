"""MARC 21: a bibliographic record for each document, as ISO 2709 and as MARCXML.

Records are brief and made to be merged with those of a catalogue: field 008 and item types beyond text are the
catalogue's. Keyphrases are index terms, 653, concepts of a vocabulary subjects, 650, with their URIs; field 883 says of
each that a machine made it, and its probability, unless people reviewed them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from keywright.core.citations import Author
from keywright.core.errors import TooLarge
from keywright.core.extras import needs_extra
from keywright.core.predictions import Failure, Prediction
from keywright.core.version import VERSION
from keywright.faces.outputs.bibliography.records import BibliographicRecord, Term, failure_line
from keywright.faces.outputs.bibliography.subject_sources import source_of
from keywright.faces.outputs.bibliography.xml_text import DECLARATION, comment

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


def library() -> Any:
    """Return the package pymarc.

    Raises:
        MissingExtra: it is not installed.
    """
    with needs_extra("marc", "MARC needs the package pymarc"):
        import pymarc  # noqa: PLC0415 - optional
    return pymarc


def marc21(prediction: Prediction, *, reviewed: bool = False) -> bytes:
    """Return the record of a document, in UTF-8; ``reviewed``: whether people accepted the keyphrases.

    Raises:
        TooLarge: the record or a field is longer than ISO 2709 allows; nothing is cut.
        MissingExtra: pymarc is not installed.
    """
    record = _record(BibliographicRecord.of(prediction), reviewed=reviewed)
    for field in record:
        size = len(field.as_marc("utf-8"))
        if size > LONGEST_FIELD:
            raise _too_large(f"field {field.tag}", size, LONGEST_FIELD)
    data: bytes = record.as_marc()
    if len(data) > LONGEST_RECORD:
        raise _too_large("the MARC record", len(data), LONGEST_RECORD)
    return data


def marcxml(outcomes: Iterable[Prediction | Failure], *, reviewed: bool = False) -> Iterator[str]:
    """Yield a ``collection`` piece by piece, a ``record`` for each document; a failure is a comment.

    ``reviewed``: whether people accepted the keyphrases.

    Raises:
        MissingExtra: pymarc is not installed.
    """
    library()
    yield f'{DECLARATION}<collection xmlns="{_SPACE}">\n'
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            yield comment(failure_line(outcome))
        else:
            yield _element(_record(BibliographicRecord.of(outcome), reviewed=reviewed))
    yield "</collection>\n"


def _element(record: Record) -> str:
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - only this format needs it

    node = library().record_to_xml_node(record)
    ET.indent(node)
    return ET.tostring(node, encoding="unicode") + "\n"


def _record(document: BibliographicRecord, *, reviewed: bool) -> Record:
    pymarc, citation = library(), document.citation
    persons = [author for author in citation.authors if author.family]
    groups = [author for author in citation.authors if not author.family]
    record: Record = pymarc.Record(force_utf8=True, leader=_LEADER.format(level="a" if citation.journal else "m"))
    record.add_field(pymarc.Field(tag="001", data=document.id))
    fields = [
        _field("024", "7 ", a=citation.doi, **{"2": "doi"}) if citation.doi else None,
        _field("041", " 7", a=document.language, **{"2": "iso639-1"}) if document.language else None,
        *(_person("100", author) for author in persons[:1]),
        _field("245", f"{len(persons[:1])}0", a=citation.title) if citation.title else None,
        _field("264", " 1", c=f"{citation.year:04}") if citation.year else None,
        *_subjects(document, linked=not reviewed),
        *(_person("700", author) for author in persons[1:]),
        *(_field("720", "  ", a=author.name) for author in groups),
        _field("773", "0 ", t=citation.journal) if citation.journal else None,
        *([] if reviewed else _provenance(document)),
    ]
    record.add_field(*filter(None, fields))
    return record


def _subjects(document: BibliographicRecord, *, linked: bool) -> list[Field]:
    """Return a field for each keyphrase, concepts of a vocabulary first, with a link to the field on its origin."""
    terms = enumerate(document.keyphrases, start=1)
    fields = [_subject(term, {"8": _link(number)} if linked else {}) for number, term in terms]
    return sorted(fields, key=lambda field: str(field.tag))


def _subject(term: Term, link: Mapping[str, str]) -> Field:
    """Return a subject, 650, whose URI names its vocabulary, or an index term, 653."""
    if not term.uri:
        return _field("653", "  ", **link, a=term.name)
    source = source_of(term.uri)
    code = {"2": source.code} if source.code else {}
    return _field("650", f" {source.indicator}", **link, a=term.name, **{"0": term.uri}, **code)


def _provenance(document: BibliographicRecord) -> Iterator[Field]:
    """Yield the origin of each keyphrase, *fully machine-generated*, with its probability as confidence."""
    for number, term in enumerate(document.keyphrases, start=1):
        confidence = {} if term.probability is None else {"c": f"{term.probability:.{_FIGURES}f}"}
        yield _field("883", "0 ", **{"8": _link(number)}, a=f"keywright {VERSION}", **confidence)


def _person(tag: str, author: Author) -> Field:
    return _field(tag, "1 ", a=author.inverted)


def _link(number: int) -> str:
    r"""Return the link of a field to that on its origin: a number, and *p* for provenance.

    >>> print(_link(3))
    3\p
    """
    return f"{number}\\p"


def _field(tag: str, indicators: str, **subfields: str) -> Field:
    pymarc = library()
    values = [pymarc.Subfield(code, value) for code, value in subfields.items()]
    return pymarc.Field(tag, pymarc.Indicators(*indicators), values)


def _too_large(part: str, size: int, most: int) -> TooLarge:
    message = f"{part} would have {size:,} bytes; ISO 2709 allows {most:,}"
    return TooLarge(
        message, "write MARCXML (-o FILE.marc.xml), which has no such limit, or fewer keyphrases with --top"
    )
