"""MARC 21: a bibliographic record for each document, as ISO 2709 and as MARCXML.

Records are brief and made to be merged with those of a catalogue: field 008 and item types beyond text are the
catalogue's. Keyphrases are index terms, 653, concepts of a vocabulary subjects, 650, with their URIs; field 883 says of
each that a machine made it, and its probability.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from keywright.core.citations import Author
from keywright.core.errors import TooLarge
from keywright.core.extras import needs_extra
from keywright.core.predictions import Failure, Prediction
from keywright.core.version import VERSION
from keywright.faces.bibliography.records import BibliographicRecord, failure_line
from keywright.faces.bibliography.xml_text import DECLARATION, comment

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


def marc21(prediction: Prediction) -> bytes:
    """Return the record of a document, in UTF-8.

    Raises:
        TooLarge: the record or a field is longer than ISO 2709 allows; nothing is cut.
        MissingExtra: pymarc is not installed.
    """
    record = _record(BibliographicRecord.of(prediction))
    for field in record:
        size = len(field.as_marc("utf-8"))
        if size > LONGEST_FIELD:
            raise _too_large(f"field {field.tag}", size, LONGEST_FIELD)
    data: bytes = record.as_marc()
    if len(data) > LONGEST_RECORD:
        raise _too_large("the MARC record", len(data), LONGEST_RECORD)
    return data


def marcxml(outcomes: Iterable[Prediction | Failure]) -> Iterator[str]:
    """Yield a ``collection`` piece by piece, a ``record`` for each document; a failure is a comment.

    Raises:
        MissingExtra: pymarc is not installed.
    """
    library()
    yield f'{DECLARATION}<collection xmlns="{_SPACE}">\n'
    for outcome in outcomes:
        yield comment(failure_line(outcome)) if isinstance(outcome, Failure) else _element(outcome)
    yield "</collection>\n"


def _element(prediction: Prediction) -> str:
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - only this format needs it

    node = library().record_to_xml_node(_record(BibliographicRecord.of(prediction)))
    ET.indent(node)
    return ET.tostring(node, encoding="unicode") + "\n"


def _record(document: BibliographicRecord) -> Record:
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
        *_subjects(document),
        *(_person("700", author) for author in persons[1:]),
        *(_field("720", "  ", a=author.name) for author in groups),
        _field("773", "0 ", t=citation.journal) if citation.journal else None,
        *_provenance(document),
    ]
    record.add_field(*filter(None, fields))
    return record


def _subjects(document: BibliographicRecord) -> Iterator[Field]:
    """Yield a field for each keyphrase, which its number links to the field on its origin.

    Concepts of a vocabulary are subjects, 650, whose source is named by the URI alone.
    """
    for number, term in enumerate(document.keyphrases, start=1):
        if term.uri:
            yield _field("650", " 4", **{"8": _link(number)}, a=term.name, **{"0": term.uri})
        else:
            yield _field("653", "  ", **{"8": _link(number)}, a=term.name)


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
