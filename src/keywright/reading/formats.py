"""The formats that are read: names, limits of size, recognition by content, and the function that reads each.

All readers raise ``EmptyInput`` where there are no words, ``TooLarge`` above the limits, and ``UnsupportedFormat``,
``BrokenFile`` or ``ProtectedFile`` for bytes that are something else, damaged or locked.
"""

import importlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Final

from keywright.core.documents import Document
from keywright.core.errors import TooLarge, UnsupportedFormat, unknown_name
from keywright.core.predictions import Failure
from keywright.reading.limits import advise_raising, limit_from_environment


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings for one file, all arbitrary; above them a reader raises ``TooLarge``, it never cuts.

    Defaults may be set in the environment, see ``set_limits``.

    Attributes:
        file_bytes: size of the file as it lies on disk; of a file of records that is streamed, of each record.
        text_characters: characters of the text taken from it.
        pages: pages of a paged file.
        expanded_bytes: bytes of all members of an archive together, unpacked.
        expansion: unpacked bytes for each packed byte of an archive (bombs are far above 100).
        memory_bytes: memory of the process that reads PDF, Office files and markup.
        seconds: time that it has for a file.
    """

    file_bytes: int = field(default_factory=limit_from_environment("file_bytes", 100_000_000))
    text_characters: int = field(default_factory=limit_from_environment("text_characters", 20_000_000))
    pages: int = field(default_factory=limit_from_environment("pages", 3_000))
    expanded_bytes: int = field(default_factory=limit_from_environment("expanded_bytes", 500_000_000))
    expansion: int = field(default_factory=limit_from_environment("expansion", 200))
    memory_bytes: int = field(default_factory=limit_from_environment("memory_bytes", 2_000_000_000))
    seconds: float = field(default_factory=limit_from_environment("seconds", 120.0))

    def check_file(self, size: int, name: str) -> None:
        """Raise ``TooLarge`` for a file of more bytes than ``file_bytes``."""
        if size > self.file_bytes:
            raise TooLarge(
                f"{name} has {size:,} bytes; at most {self.file_bytes:,} are read",
                f"split it, or {advise_raising('file_bytes')}",
            )

    def check_text(self, size: int, name: str) -> None:
        """Raise ``TooLarge`` for a text of more characters than ``text_characters``."""
        if size > self.text_characters:
            raise TooLarge(
                f"{name} holds {size:,} characters of text; at most {self.text_characters:,} are read",
                f"split it, or {advise_raising('text_characters')}",
            )

    def check_unpacked(self, packed: int, unpacked: int, name: str, harmless: int) -> None:
        """Raise ``TooLarge`` for packed data that unpacks to too much; any ratio is accepted up to ``harmless``."""
        if unpacked > self.expanded_bytes:
            raise TooLarge(
                f"{name} unpacks from {packed:,} to at least {unpacked:,} bytes; at most {self.expanded_bytes:,} are "
                "accepted",
                f"if you trust the file, {advise_raising('expanded_bytes')}",
            )
        self.check_expansion(packed, unpacked, name, harmless)

    def check_expansion(self, packed: int, unpacked: int, name: str, harmless: int) -> None:
        """Raise ``TooLarge`` for a ratio above ``expansion``; any is accepted up to ``harmless`` bytes."""
        if unpacked > harmless and unpacked > self.expansion * packed:
            raise TooLarge(
                f"{name} unpacks from {packed:,} to at least {unpacked:,} bytes; at most {self.expansion} times its "
                "size is accepted",
                f"if you trust the file, {advise_raising('expansion')}",
            )


Reader = Callable[[bytes, str, Limits], Document | Iterator[Document] | Iterator[Document | Failure]]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    Attributes:
        extensions: endings of file names, in lower case.
        reader: "module:function" of this room, loaded when the first such file is read.
    """

    name: str
    short_name: str
    extensions: tuple[str, ...]
    reader: str

    def load(self) -> Reader:
        """Return the function that reads files of this format."""
        module, _, function = self.reader.partition(":")
        reader: Reader = getattr(importlib.import_module(f"keywright.reading.{module}"), function)
        return reader


PLAIN: Final = Format("plain text", "text", (".txt", ".text"), "plain:read_plain")
UNKNOWN: Final = Format("text of an unknown kind", "", (), "plain:read_unknown")
MARKDOWN: Final = Format("Markdown", "markdown", (".md", ".markdown"), "markdown:read_markdown")
HTML: Final = Format("HTML", "html", (".html", ".htm", ".xhtml"), "html:read_html")
PDF: Final = Format("PDF", "pdf", (".pdf",), "pdf:read_pdf")
JATS: Final = Format("JATS", "jats", (".jats", ".nxml", ".jats.xml", ".xml"), "jats:read_jats")
TEI: Final = Format("TEI", "tei", (".tei", ".tei.xml"), "tei:read_tei")
DOCX: Final = Format("DOCX", "docx", (".docx",), "docx:read_docx")
MARC: Final = Format("MARC", "marc", (".mrc", ".marc"), "marc:read_marc")
MARCXML: Final = Format("MARCXML", "marcxml", (".marc.xml", ".marcxml"), "marc:read_marcxml")
JSONL: Final = Format("JSON Lines", "jsonl", (".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.zst"), "jsonl:read_jsonl")
BY_NAME: Final[Mapping[str, Format]] = MappingProxyType(
    {form.short_name: form for form in (PLAIN, MARKDOWN, HTML, PDF, JATS, TEI, DOCX, MARC, MARCXML, JSONL)}
)
"""Formats by the short names of the command line."""

GZIP: Final = b"\x1f\x8b"
ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
PACKED: Final = (GZIP, ZSTANDARD)
OLE: Final = b"\xd0\xcf\x11\xe0"
"""First bytes of packed files; of Office files before 2007, and of newer ones with a password."""

REFUSED: Final = {
    ".bib": "a bibliography", ".csv": "a table", ".doc": "Word before 2007", ".epub": "an e-book", ".json": "JSON",
    ".odt": "OpenDocument", ".ppt": "slides", ".pptx": "slides", ".rtf": "RTF", ".tex": "LaTeX source",
    ".parquet": "a table", ".tsv": "a table", ".xls": "a spreadsheet", ".xlsx": "a spreadsheet",
    ".yaml": "YAML", ".yml": "YAML",
}  # fmt: skip
_ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_MARC = re.compile(rb"\d{5}[ -~]{5}22\d{5}[ -~]{3}45")
"""Leader of a record of MARC: its length, two counts that are 2, the begin of its fields, the map of its directory."""
HEAD: Final = 8_192  # bytes that show the format; arbitrary
_PDF_HEAD: Final = 1_024  # bytes with the mark of a PDF: PDF Reference 1.7, appendix H, note 13
_HTML_HEAD: Final = 200  # bytes with the first element of a page; arbitrary


def format_named(name: str) -> Format:
    """Return a format by its short name."""
    if name not in BY_NAME:
        raise unknown_name("input format", name, BY_NAME, "keywright extract --help")
    return BY_NAME[name]


def check_format(form: Format, data: bytes, name: str) -> None:
    """Check that a file of a named format is not visibly of another, which would be read as if it were text.

    Raises:
        UnsupportedFormat: it begins like a PDF or a DOCX file, and is named otherwise.
    """
    begins = data.startswith((b"PK\x03\x04", OLE)) or b"%PDF-" in data[:_PDF_HEAD]
    shown = _format_of_content(data, name) if begins else None
    if shown is not None and shown is not form:
        hint = "leave out the format: each file is recognised by its content"
        raise UnsupportedFormat(f"{name} is {shown.name}, not {form.name}", hint)


def format_of(data: bytes, name: str) -> Format:
    """Return the format of a file: by its content, else by its name, else plain text."""
    shown = _format_of_content(data, name)
    lower = name.lower()
    named = max(
        ((len(ending), form) for form in BY_NAME.values() for ending in form.extensions if lower.endswith(ending)),
        key=lambda match: match[0],
        default=(0, None),
    )[1]
    if shown is not None and not (named is MARKDOWN and shown in {HTML, JSONL}):
        return shown
    if named is not None:
        return named
    if kind := REFUSED.get(PurePath(lower).suffix):
        raise _unsupported(name, kind)
    return UNKNOWN if PurePath(lower).suffix else PLAIN


def _format_of_content(data: bytes, name: str) -> Format | None:
    """Return the format that a file's first bytes show; None when they show none."""
    head = data[:HEAD]
    if b"%PDF-" in head[:_PDF_HEAD]:
        return PDF
    if head.startswith(b"PK\x03\x04"):
        return _format_of_archive(data, name)
    if head.startswith(PACKED):
        return JSONL
    if _MARC.match(head):
        return MARC
    if head.startswith(b"{\\rtf"):
        raise _unsupported(name, "RTF")
    if head.startswith(OLE):
        return DOCX if name.lower().endswith(".docx") else _refuse(name, "an Office file from before 2007")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        return _format_of_markup(start, name)
    if start.startswith(b"{"):
        return JSONL if _is_record(start) else None
    return None


def _format_of_archive(data: bytes, name: str) -> Format | None:
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return DOCX if name.lower().endswith(".docx") else _refuse(name, "a damaged ZIP archive")
    return DOCX if "word/document.xml" in members or name.lower().endswith(".docx") else _refuse(name, "a ZIP archive")


def _format_of_markup(start: bytes, name: str) -> Format | None:
    if start[:_HTML_HEAD].lower().startswith((b"<!doctype html", b"<html")):
        return HTML
    match = _ROOT.search(_COMMENT.sub(b"", start))
    root = match[1].decode("ascii", errors="replace") if match else ""
    if root in {"collection", "record"} and b"MARC21/slim" in start:
        return MARCXML
    by_root = {"article": JATS, "pmc-articleset": JATS, "TEI": TEI, "html": HTML}
    is_xml = start.startswith((b"<?xml", b"<!DOCTYPE"))
    if root in by_root and (is_xml or root != "article" or b"<front" in start or b"article-type" in start):
        return by_root[root]
    return _refuse(name, f"XML with root <{root}>") if is_xml and root else None


def _is_record(start: bytes) -> bool:
    line = start.split(b"\n", 1)[0]
    if b'"' not in line:
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return len(line) > HEAD // 2 and b'"id"' in line  # the first record is longer than the head


def _refuse(name: str, kind: str) -> Any:
    raise _unsupported(name, kind)


def _unsupported(name: str, kind: str) -> UnsupportedFormat:
    if kind in {"a table", "a spreadsheet"}:
        hint = "its columns: kw.extract_table(path, text=NAME), or keywright extract FILE --text-column NAME"
        return UnsupportedFormat(f"{name} is {kind}, not a document", hint)
    supported = ", ".join(f"{form.name} ({form.extensions[0]})" for form in BY_NAME.values())
    return UnsupportedFormat(f"{name} is {kind}, which is not supported", f"supported formats: {supported}")
