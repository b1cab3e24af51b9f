"""MARC 21: records of library catalogues, as ISO 2709 and as MARCXML; each record is a document."""

import logging
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from keywright.core.citations import Author, make_citation, parse_year
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BadRecord, KeywrightError, needs_extra
from keywright.core.predictions import Failure
from keywright.reading.blocks import Block, LeftOut, Particulars, from_parts
from keywright.reading.formats.xml import Element, local_name, parse_xml
from keywright.reading.limits import Limits

_ENDS: Final = " /:;,="  # punctuation of cataloguing rules (ISBD) behind the parts of a title and names
_YEAR: Final = slice(7, 11)
_LANGUAGE: Final = slice(35, 38)  # places in field 008: first year of publication, and language
_RECORD_END: Final = b"\x1d"
_LINE_ENDS: Final = (b"\r", b"\n")  # bytes between records, which some programs write
_LENGTH, _LEADER = 5, 24  # bytes of the length with which a record begins, and of the leader that holds it: ISO 2709
_ENCODING: Final = 9  # place of the byte that names the encoding: "a" for UTF-8, a blank for MARC-8
_MISLABELLED: Final = "the record says that it is in MARC-8, and was read as UTF-8, which its bytes are"
_MARKS = re.compile(r"[\x00-\x1f\x7f-\x9f]|<<(?=[^<>]{1,20}>>)|(?<=\w)>>|[‡ǂ][a-z0-9]\s?|(?:^|(?<=\s))[$|][a-z]\s")
"""Marks that are no text: around articles that do not count in filing, and of subfields, written or as controls."""
_SUBJECTS: Final = ("600", "610", "611", "630", "650", "651", "653")


@dataclass(frozen=True, slots=True)
class MarcRecord:
    """A record: fields in order, with tag and coded subfields; a control field has one, without a code."""

    fields: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    def values(self, tags: tuple[str, ...], codes: str = "a") -> list[str]:
        """Return a text for each field with one of the tags: its subfields with one of the codes, between blanks."""
        texts = (
            " ".join(_MARKS.sub("", " ".join(value for code, value in subfields if code in codes)).split())
            for tag, subfields in self.fields
            if tag in tags
        )
        return [text for text in texts if text]

    def made_by_people(self) -> "MarcRecord":
        """Return the record without fields that field 883 links to as machine-generated."""
        links = {value for tag, subfields in self.fields if tag == "883" for code, value in subfields if code == "8"}
        fields = (field for field in self.fields if not links.intersection(value for _, value in field[1]))
        return MarcRecord(tuple(fields))

    def control(self, tag: str) -> str:
        """Return the content of a control field; empty without it."""
        return next((subfields[0][1] for name, subfields in self.fields if name == tag and subfields), "")


def read_marc(data: bytes, name: str, limits: Limits) -> Iterator[Document | Failure]:
    """Yield the documents of a file of ISO 2709, in MARC-8 or UTF-8, and a failure for each damaged record.

    Title (245), abstracts (520) and contents (505) are the text, 001 is the id. Subjects (6XX) that people chose are
    keywords of the document; ``meta`` has title, authors, DOI, journal and year.
    """
    with needs_extra("marc", "MARC needs the package pymarc"):
        from pymarc import MARCReader  # noqa: PLC0415 - optional
    logging.getLogger("pymarc").setLevel(logging.CRITICAL)  # it prints notes about indicators, which are not read here
    for number, chunk in enumerate(_chunks(data), start=1):
        is_mislabelled = _is_mislabelled(chunk)
        reader = MARCReader(chunk, hide_utf8_warnings=True, force_utf8=is_mislabelled)
        record = next(reader, None) if _has_length(chunk) else None
        if record is None:
            reason = str(reader.current_exception or f"its length is {chunk[:_LENGTH].decode('ascii', 'replace')!r}")
            damaged = BadRecord(f"record {number} of {name} is damaged: {reason}", "export it again, or as MARCXML")
            yield Failure.from_error(f"{name}:{number}", damaged)
        else:
            fields = tuple(
                (field.tag, (("", field.data),) if field.control_field else tuple(map(tuple, field.subfields)))
                for field in record.fields
            )
            document = _document(MarcRecord(fields), name, number, limits)
            if is_mislabelled and isinstance(document, Document):
                document = document.add_warnings(_MISLABELLED)
            yield document


def _is_mislabelled(record: bytes) -> bool:
    """Return whether a record says that it is in MARC-8 and is in UTF-8, which text in MARC-8 never is by chance."""
    is_utf8 = not record.isascii() and record[_ENCODING : _ENCODING + 1] == b" "
    with suppress(UnicodeDecodeError):
        return is_utf8 and bool(record.decode("utf-8"))
    return False


def _chunks(data: bytes) -> Iterator[bytes]:
    """Yield the bytes of each record; one of a wrong length ends at the next end (the library takes 0 for the rest)."""
    start = 0
    while start < len(data):
        end = start + int(data[start : start + _LENGTH]) if _has_length(data[start : start + _LENGTH]) else 0
        if data[end - 1 : end] != _RECORD_END:
            end = data.find(_RECORD_END, start) + 1 or len(data)
        yield data[start:end]
        start = end
        while data[start : start + 1] in _LINE_ENDS:
            start += 1


def _has_length(record: bytes) -> bool:
    """Return whether a record begins with a length that it can have."""
    length = record[:_LENGTH]
    return len(length) == _LENGTH and length.isdigit() and int(length) > _LEADER


def read_marcxml(data: bytes, name: str, limits: Limits) -> Iterator[Document | Failure]:
    """Yield the documents of a file of MARCXML, as ``read_marc`` does."""
    root = parse_xml(data, name, limits)
    records = [root] if local_name(root) == "record" else list(root.iter("{*}record"))
    for number, element in enumerate(records, start=1):
        yield _document(MarcRecord(tuple(map(_field, element))), name, number, limits)


def _field(element: Element) -> tuple[str, tuple[tuple[str, str], ...]]:
    if local_name(element) == "datafield":
        return element.get("tag", ""), tuple((part.get("code", ""), part.text or "") for part in element)
    return element.get("tag", ""), (("", element.text or ""),)


def _document(record: MarcRecord, name: str, number: int, limits: Limits) -> Document | Failure:
    """Return the document of a record, which may have no words; its id is that of the record, else its number."""
    label = record.control("001").strip() or f"{name}:{number}"
    titles = [title.replace(" : ", ": ").rstrip(_ENDS) for title in record.values(("245",), "abnp")[:1]]
    blocks = [Block(SectionKind.TITLE, title) for title in titles]
    blocks += [Block(SectionKind.ABSTRACT, text) for text in record.values(("520",), "ab")]
    blocks += [Block(SectionKind.BODY, text) for text in record.values(("505",), "agrt")]
    general = record.control("008")
    language = general[_LANGUAGE].strip(" |") or next(iter(record.values(("041",))), "")
    subjects = tuple(subject.rstrip(" .,") for subject in record.made_by_people().values(_SUBJECTS))
    dates = (date.strip("[©cp ") for date in (general[_YEAR], *record.values(("264", "260"), "c")))
    numbers = (dict(subfields) for tag, subfields in record.fields if tag == "024")
    about = make_citation(
        next(iter(titles), ""),
        [Author.of(author.rstrip(_ENDS)) for author in record.values(("100", "110", "700", "710", "720"))],
        next((each.get("a", "") for each in numbers if each.get("2", "").strip().lower() == "doi"), ""),
        next((title.rstrip(f"{_ENDS}.") for title in record.values(("773",), "t")), ""),
        next(filter(parse_year, dates), ""),
    )
    try:
        return from_parts(blocks, label, limits, LeftOut(), Particulars(language, subjects, about.as_meta()))
    except KeywrightError as error:
        return Failure.from_error(label, error, about.as_meta())
