"""The formats that are read, a file each: names, recognition by content, and the function that reads each.

A new format is a file of this room with a function from bytes, name and limits to a document (or to documents and
failures of records), and a ``Format`` here. All readers raise ``EmptyInput`` where there are no words, ``TooLarge``
above the limits, and ``UnsupportedFormat``, ``BrokenFile`` or ``ProtectedFile`` for bytes that are something else,
damaged or locked.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Final, NoReturn

from keywright.core.documents import Document
from keywright.core.errors import UnsupportedFormat, unknown_name
from keywright.core.predictions import Failure
from keywright.core.word_lists import read_pairs, read_patterns, read_sections
from keywright.reading.limits import DAMAGED, OLE, PACKED, Limits

Reader = Callable[[bytes, str, Limits], Document | Iterator[Document] | Iterator[Document | Failure]]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: ``extensions`` in lower case, and its ``reader``, loaded as "module:function" of this room."""

    name: str
    short_name: str
    extensions: tuple[str, ...]
    reader: str

    def load(self) -> Reader:
        """Return the function that reads files of this format."""
        reader: Reader = resolve_name(f"keywright.reading.formats.{self.reader}")
        return reader

    def read(self, data: bytes, name: str, limits: Limits) -> Iterator[Document | Failure]:
        """Yield the documents of a file of no more than ``file_bytes``, named so without an id; failures of records."""
        content = self.load()(data, name, limits)
        items: Iterable[Document | Failure] = (content,) if isinstance(content, Document) else content
        named = next((form for form in _BINARY if name.lower().endswith(form.extensions)), self)
        for item in items:
            if named is not self and isinstance(item, Document):
                yield item.add_warnings(f"it is named as {named.name}, and was read as {self.name}")
            else:
                yield item


UNKNOWN: Final = Format("text of an unknown kind", "", (), "plain:read_unknown")
_LISTED: Final = [line.split(" | ") for line in read_sections("reading/file_types.txt", "\n")["FORMATS"].splitlines()]
BY_NAME: Final[Mapping[str, Format]] = MappingProxyType(
    {short: Format(name, short, tuple(endings.split()), reader) for short, name, endings, reader in _LISTED}
)
"""Formats by the short names of the command line."""
PLAIN, MARKDOWN, HTML, PDF, JATS, TEI, DOCX, MARC, MARCXML, JSONL, MAIL, MBOX, MHTML = map(
    BY_NAME.__getitem__, "text markdown html pdf jats tei docx marc marcxml jsonl mail mbox mhtml".split()
)
EPUB, ODT, PPTX, RTF, DOCBOOK, SUBTITLES = map(BY_NAME.__getitem__, "epub odt pptx rtf docbook subtitles".split())
_WRITTEN: Final = {BY_NAME[name] for name in "markdown notebook latex rst asciidoc org mediawiki".split()}
"""Formats whose files may begin like a page or a record."""
_BINARY: Final = (PDF, DOCX, PPTX, ODT, EPUB)
"""Formats that no other file is mistaken for: servers answer with an error page in their place."""
_MEDIA_TYPES: Final = {key: BY_NAME[name] for key, name in read_pairs("reading/file_types.txt", "MEDIA_TYPES").items()}
REFUSED: Final = read_pairs("reading/file_types.txt", "REFUSED")
_ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_ARTICLES = re.compile(rb"<(?:[\w.-]+:)?article[\s>]")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_JSON_FEED = re.compile(rb'"version"\s*:\s*"https?:\\?/\\?/jsonfeed\.org\\?/version')
_MARC = re.compile(rb"\d{5}[ -~]{5}22\d{5}[ -~]{3}45")
"""Leader of a record of MARC: its length, two counts that are 2, the begin of its fields, the map of its directory."""
_OFFICE_2007: Final = {".docx": DOCX, ".pptx": PPTX}
"""Formats whose files are in the older form when they have a password."""
_OFFICE_TYPE: Final = 60  # bytes of an archive's own media type, which has fewer
_DOCBOOK: Final = (b"//DTD DocBook", b"http://docbook.org/ns/docbook")  # Public identifier and namespace of DocBook
_BEGUN: Final = read_patterns("reading/file_beginnings.txt")
_SIGNS: Final = {BY_NAME[name]: re.compile(_BEGUN[name].encode()) for name in _BEGUN if name in BY_NAME}
IN_TAGS: Final = _SIGNS[BY_NAME["references"]]  # beginning of a bibliography, which Web of Science calls a text
_ROOTS: Final = read_pairs("reading/file_types.txt", "ROOTS")
HEAD: Final = 8_192  # bytes that show the format; arbitrary
_PDF_HEAD: Final = 1_024  # bytes with the mark of a PDF: PDF Reference 1.7, appendix H, note 13
_HTML_HEAD: Final = 200  # bytes with the first element of a page; arbitrary


def format_named(name: str) -> Format:
    """Return a format by its short name."""
    if name not in BY_NAME:
        raise unknown_name("input format", name, BY_NAME, "keywright extract --help")
    return BY_NAME[name]


def format_of_type(kind: str) -> Format:
    """Return the format of ``pdf``, ``.pdf`` or a media type such as ``text/html``; ``UnknownName`` without."""
    plain = kind.strip().casefold().partition(";")[0].rstrip()
    endings = {ending: form for form in BY_NAME.values() for ending in form.extensions}
    form = BY_NAME.get(plain) or _MEDIA_TYPES.get(plain) or endings.get(f".{plain.removeprefix('.')}")
    if form is None:
        raise unknown_name("type", kind, BY_NAME, "keywright extract --help")
    return form


def check_format(form: Format, data: bytes, name: str) -> None:
    """Refuse a file that begins like a PDF or an office archive and is named otherwise (``UnsupportedFormat``)."""
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
    if shown is not None and not (named in _WRITTEN and shown in {HTML, JSONL}):
        return shown
    head = data[:HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if named is not None and not (named is PLAIN and IN_TAGS.match(head)):
        return named
    suffix = PurePath(lower).suffix
    if kind := REFUSED.get(suffix):
        _refuse(name, kind)
    written = next((form for form, sign in _SIGNS.items() if sign.match(head)), None)
    return written or (UNKNOWN if suffix else PLAIN)


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
        return RTF
    if head.startswith(OLE):
        return _OFFICE_2007.get(PurePath(name.lower()).suffix) or _refuse(name, "an Office file from before 2007")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        return _format_of_markup(start, name)
    if start.startswith(b"{"):
        return BY_NAME["feed"] if _JSON_FEED.search(start) else JSONL if _is_record(start) else None
    return None


def _format_of_archive(data: bytes, name: str) -> Format:
    named = {ending: form for form in (DOCX, PPTX, EPUB, ODT) for ending in form.extensions}
    if form := named.get(PurePath(name.lower()).suffix):
        return form
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.namelist()
        declared = archive.open("mimetype").read(_OFFICE_TYPE) if "mimetype" in members else b""
    except DAMAGED:
        _refuse(name, "a damaged ZIP archive")
    parts = {"word/document.xml": DOCX, "ppt/presentation.xml": PPTX}
    form = next((form for part, form in parts.items() if part in members), None) or _MEDIA_TYPES.get(
        declared.decode("ascii", "replace")
    )
    return form or _refuse(name, "a ZIP archive")


def _format_of_markup(start: bytes, name: str) -> Format | None:
    if start[:_HTML_HEAD].lower().startswith((b"<!doctype html", b"<html")):
        return HTML
    match = _ROOT.search(_COMMENT.sub(b"", start))
    root = match[1].decode("ascii", errors="replace") if match else ""
    if root in {"collection", "record"} and b"MARC21/slim" in start:
        return MARCXML
    if any(sign in start for sign in _DOCBOOK) or name.lower().endswith(DOCBOOK.extensions):
        return DOCBOOK
    is_xml = start.startswith((b"<?xml", b"<!DOCTYPE"))
    root = "rss" if b"http://purl.org/rss/1.0/" in start else root
    if root in _ROOTS and (is_xml or root != "article" or b"<front" in start or b"article-type" in start):
        return BY_NAME[_ROOTS[root]]
    if _ARTICLES.search(start) and b"<front" in start:  # a set of articles of some service
        return JATS
    return _refuse(name, f"XML with root <{root}>") if is_xml and root else None


def _is_record(start: bytes) -> bool:
    line = start.split(b"\n", 1)[0]
    if b'"' not in line:
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return len(line) > HEAD // 2 and b'"id"' in line  # the first record is longer than the head


def _refuse(name: str, kind: str) -> NoReturn:
    if kind in {"a table", "a spreadsheet"}:
        hint = "its columns: kw.extract_table(path, text=NAME), or keywright extract FILE --text-column NAME"
        raise UnsupportedFormat(f"{name} is {kind}, not a document", hint)
    supported = ", ".join(f"{form.name} ({form.extensions[0]})" for form in BY_NAME.values())
    raise UnsupportedFormat(f"{name} is {kind}, which is not supported", f"supported formats: {supported}")
