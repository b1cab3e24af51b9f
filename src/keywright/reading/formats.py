"""The formats that are read: how each is named, known by its content, and which function reads it."""

import importlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from keywright.core.documents import Document
from keywright.core.errors import UnsupportedFormat
from keywright.reading.limits import Limits

Reader = Callable[[bytes, str, Limits], Document | Iterator[Document]]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    Attributes:
        name: what people call it.
        extensions: endings of file names, in lower case.
        reader: "module:function", loaded when the first such file is read.
    """

    name: str
    extensions: tuple[str, ...]
    reader: str

    def load(self) -> Reader:
        """The function that reads files of this format."""
        module, _, function = self.reader.partition(":")
        reader: Reader = getattr(importlib.import_module(module), function)
        return reader


PLAIN: Final = Format("plain text", (".txt", ".text"), "keywright.reading.plain:read_plain")
UNKNOWN: Final = Format("text of an unknown kind", (), "keywright.reading.plain:read_unknown")
MARKDOWN: Final = Format("Markdown", (".md", ".markdown"), "keywright.reading.markdown:read_markdown")
HTML: Final = Format("HTML", (".html", ".htm", ".xhtml"), "keywright.reading.html:read_html")
PDF: Final = Format("PDF", (".pdf",), "keywright.reading.pdf:read_pdf")
JATS: Final = Format("JATS", (".jats", ".nxml", ".jats.xml", ".xml"), "keywright.reading.jats:read_jats")
TEI: Final = Format("TEI", (".tei", ".tei.xml"), "keywright.reading.tei:read_tei")
DOCX: Final = Format("DOCX", (".docx",), "keywright.reading.docx:read_docx")
JSONL: Final = Format(
    "JSON Lines", (".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.zst"), "keywright.reading.jsonl:read_jsonl"
)
FORMATS: Final = (PLAIN, MARKDOWN, HTML, PDF, JATS, TEI, DOCX, JSONL)

_REFUSED: Final = {
    ".bib": "a bibliography", ".csv": "a table", ".doc": "Word before 2007", ".epub": "an e-book", ".json": "JSON",
    ".odt": "OpenDocument", ".ppt": "slides", ".pptx": "slides", ".rtf": "RTF", ".tex": "LaTeX source",
    ".tsv": "a table", ".xls": "a spreadsheet", ".xlsx": "a spreadsheet", ".yaml": "YAML", ".yml": "YAML",
}  # fmt: skip
_ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_HEAD: Final = 8_192


def format_of(data: bytes, name: str) -> Format:
    """Format of a file: what its content shows, else what its name says, else plain text.

    Raises:
        UnsupportedFormat: a format that is not read.
    """
    shown = _shown(data, name)
    lower = name.lower()
    named = max(
        ((len(ending), kind) for kind in FORMATS for ending in kind.extensions if lower.endswith(ending)),
        key=lambda found: found[0],
        default=(0, None),
    )[1]
    if shown is not None and not (named is MARKDOWN and shown in {HTML, JSONL}):
        return shown
    if named is not None:
        return named
    if kind := _REFUSED.get(PurePath(lower).suffix):
        raise _unsupported(name, kind)
    return UNKNOWN if PurePath(lower).suffix else PLAIN


def _shown(data: bytes, name: str) -> Format | None:
    """Format that a file's first bytes show; None when they show none."""
    head = data[:_HEAD]
    if b"%PDF-" in head[:1024]:
        return PDF
    if head.startswith(b"PK\x03\x04"):
        return _zipped(data, name)
    if head.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
        return JSONL
    if head.startswith(b"{\\rtf"):
        raise _unsupported(name, "RTF")
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return DOCX if name.lower().endswith(".docx") else _refuse(name, "an Office file from before 2007")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        return _marked_up(start, name)
    if start.startswith(b"{"):
        return JSONL if _is_record(start) else None
    return None


def _zipped(data: bytes, name: str) -> Format | None:
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return DOCX if name.lower().endswith(".docx") else _refuse(name, "a damaged ZIP archive")
    return DOCX if "word/document.xml" in members or name.lower().endswith(".docx") else _refuse(name, "a ZIP archive")


def _marked_up(start: bytes, name: str) -> Format | None:
    if start[:200].lower().startswith((b"<!doctype html", b"<html")):
        return HTML
    found = _ROOT.search(_COMMENT.sub(b"", start))
    root = found[1].decode("ascii", errors="replace") if found else ""
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
        return len(line) > _HEAD // 2 and b'"id"' in line  # the first record is longer than what was looked at


def _refuse(name: str, kind: str) -> Any:
    raise _unsupported(name, kind)


def _unsupported(name: str, kind: str) -> UnsupportedFormat:
    supported = ", ".join(f"{known.name} ({known.extensions[0]})" for known in FORMATS)
    return UnsupportedFormat(f"{name} is {kind}, which is not read", f"these are: {supported}")
