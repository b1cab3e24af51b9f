"""Metadata that a PDF declares of itself: its information dictionary, and its packets of XMP."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from keywright.core.citations import Author, Citation, authors_in, citation, doi_of
from keywright.core.errors import KeywrightError
from keywright.reading.formats import Limits
from keywright.reading.xml import Element, local, parse_xml, running_text

_DOI_KEYS: Final = ("doi", "DOI", "WPS-ARTICLEDOI", "crossmark:DOI")
"""Entries of the information dictionary in which publishers state the DOI."""
_DOI_IN_TEXT = re.compile(r"(?:doi[:\s]\s?|doi\.org/)(10\.\d{4,9}/\S+(?<![.,;)]))", re.IGNORECASE)
_PACKET: Final = (b"<x:xmpmeta", b"</x:xmpmeta>")
_MOST_PACKETS: Final = 100  # packets of a file that are read, those of its pictures among them; arbitrary
_LONGEST_PACKET: Final = 1_000_000  # bytes; arbitrary
_CORE: Final = "{http://purl.org/dc/elements/1.1/}"
_DATES: Final = ("coverDate", "publicationDate")


def declared_by(file: Any) -> dict[str, str]:
    """Return the entries of the information dictionary, keys in lower case, and ``doi`` if it states one."""
    entries = {key.lower(): value.strip() for key, value in file.get_metadata_dict(skip_empty=True).items()}
    stated = [*map(file.get_metadata_value, _DOI_KEYS), *_DOI_IN_TEXT.findall(entries.get("subject", ""))]
    doi = next(filter(None, map(doi_of, stated)), "")
    return entries | ({"doi": doi} if doi else {})


def pdf_citation(printed_title: str, declared: Mapping[str, str], data: bytes, limits: Limits) -> Citation:
    """Return the citation of a PDF: the printed title, and what else the file declares.

    Dates of the file are not those of publication, so that the year comes from XMP alone, as does the journal.

    Args:
        printed_title: the title on its pages; empty for the declared one.
        declared: see ``declared_by``.
        data: the file's bytes, whose XMP is read.
        limits: of sizes.
    """
    xmp = _agreed([_citation(packet) for packet in _packets(data, limits)])
    return citation(
        printed_title or declared.get("title", "") or xmp.title,
        xmp.authors or authors_in(declared.get("author", "")),
        declared.get("doi", "") or xmp.doi,
        xmp.journal,
        xmp.year,
    )


def _packets(data: bytes, limits: Limits) -> Iterator[Element]:
    """Yield the readable packets of XMP; they are found by their tags, as they may be nowhere else in a PDF."""
    start = 0
    for _ in range(_MOST_PACKETS):
        start = data.find(_PACKET[0], start)
        end = data.find(_PACKET[1], start) + len(_PACKET[1])
        if start < 0 or end < start:
            return
        if end - start <= _LONGEST_PACKET:
            with suppress(KeywrightError):  # a damaged packet declares nothing; the pages are read without it
                yield parse_xml(data[start:end], "XMP", limits)
        start = end


def _agreed(citations: list[Citation]) -> Citation:
    """Return what all packets that speak of it agree on: pictures in a file may have packets of their own."""
    values: dict[str, Any] = {}
    for name in Citation.__dataclass_fields__:
        stated = {value for each in citations if (value := getattr(each, name))}
        if len(stated) == 1:
            values[name] = stated.pop()
    return Citation(**values)


def _citation(packet: Element) -> Citation:
    creators = (author for creator in packet.iter(f"{_CORE}creator") for author in _names(creator))
    titles = (running_text(title) for title in packet.iter(f"{_CORE}title"))
    dois = [*_values(packet, "doi"), *map(running_text, packet.iter(f"{_CORE}identifier"))]
    return citation(
        next(titles, ""),
        creators,
        next(filter(None, map(doi_of, dois)), ""),
        next(_values(packet, "publicationName"), ""),
        next((date for name in _DATES for date in _values(packet, name)), ""),
    )


def _names(creator: Element) -> Iterator[Author]:
    for entry in creator.iter("{*}li"):
        yield from authors_in(running_text(entry))


def _values(packet: Element, name: str) -> Iterator[str]:
    """Yield the values of a property, which XMP writes as elements or as attributes, in any namespace."""
    for element in packet.iter():
        yield from (str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name)
        if local(element) == name and (text := running_text(element)):
            yield text
