"""Plain text: bytes in any encoding to a document with the sections found in bare text."""

from pathlib import PurePath

from keywright.core.documents import Document
from keywright.reading.bare_text.asides import mark_asides
from keywright.reading.bare_text.cleaning import clean_text, with_line_feeds
from keywright.reading.bare_text.sections import find_sections
from keywright.reading.blocks import LeftOut, Particulars, from_text
from keywright.reading.encodings import decode
from keywright.reading.language_identification import check_declared
from keywright.reading.limits import Limits


def read_plain(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a text file, with all line ends as line feeds."""
    text, notes = decode(data, name)
    return document_of_text(text, name, limits).add_warnings(*notes)


def read_unknown(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document of a file with unknown ending, read as plain text, with a warning."""
    note = f"read as plain text: no known format has the ending {PurePath(name).suffix}"
    return read_plain(data, name, limits).add_warnings(note)


def document_of_text(
    text: str, name: str, limits: Limits | None = None, language: str | None = None, *, clean: bool = True
) -> Document:
    """Return the document of a bare text, with the sections found in it; ``clean``: odd signs are taken away."""
    limits = limits or Limits()
    limits.check_text(len(text), name)
    text = clean_text(text) if clean else with_line_feeds(text).removeprefix("\ufeff")
    about = Particulars(check_declared(language))
    sections = mark_asides(text, find_sections(text), is_bare=True)
    return from_text((text, sections), name, limits, LeftOut(), about)
