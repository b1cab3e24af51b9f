"""Word documents (DOCX)."""

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any, Final

from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BrokenFile, ProtectedFile, TooLarge
from keywright.reading.blocks import Block, Heading, blocks_under, with_run_in_headings
from keywright.reading.finishing import LeftOut, Particulars, from_blocks
from keywright.reading.keywords import split_keywords
from keywright.reading.limits import Limits

_OLE: Final = b"\xd0\xcf\x11\xe0"  # a DOCX with a password is wrapped in this older format
_HEADING = re.compile(r"heading ?(\d)")
_SMALL: Final = 100_000  # bytes unpacked below which no archive is a bomb


def read_docx(data: bytes, name: str, limits: Limits) -> Document:
    """The document in a DOCX file.

    Tables, pictures, formulas, footnotes, headers and footers are left out. Keywords come from the file's properties,
    and from the text where it prints them.

    Raises:
        BrokenFile: no DOCX, or a damaged one.
        ProtectedFile: it needs a password.
        EmptyInput: no words.
        TooLarge: above ``limits``, packed or unpacked.
    """
    import docx  # noqa: PLC0415 - heavy, only DOCX needs it

    limits.check_file(len(data), name)
    check_archive(data, name, limits)
    try:
        file = docx.Document(io.BytesIO(data))
        left = LeftOut()
        parts = list(_parts(file, left))
        properties = file.core_properties
        about = Particulars(properties.language, tuple(split_keywords(properties.keywords or "")))
        title = (properties.title or "").strip()
    except (KeyError, ValueError, AttributeError, SyntaxError, zipfile.BadZipFile) as error:
        # python-docx lets whatever a damaged part causes pass through
        raise BrokenFile(
            f"{name} is no readable DOCX: {error}", "open it in a word processor and save it again"
        ) from error
    if title and not any(isinstance(part, Block) and part.kind == SectionKind.TITLE for part in parts):
        parts.insert(0, Block(SectionKind.TITLE, title))
    return from_blocks(with_run_in_headings(blocks_under(parts)), name, limits, left, about)


def check_archive(data: bytes, name: str, limits: Limits) -> None:
    """Look at what a ZIP archive says of itself, before anything is unpacked.

    Raises:
        BrokenFile: no ZIP archive.
        ProtectedFile: its members are encrypted, or it is wrapped with a password.
        TooLarge: its members together are above ``limits``.
    """
    if data.startswith(_OLE):
        raise ProtectedFile(
            f"{name} is protected by a password, or in Word's format before 2007", "save it as DOCX without"
        )
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise BrokenFile(f"{name} is no DOCX: {error}", "open it in a word processor and save it again") from error
    if any(member.flag_bits & 1 for member in members):
        raise ProtectedFile(f"{name} is encrypted", "save it without a password")
    unpacked = sum(member.file_size for member in members)
    if unpacked > limits.expanded_bytes or (unpacked > _SMALL and unpacked > limits.expansion * len(data)):
        raise TooLarge(
            f"{name} unpacks from {len(data):,} to {unpacked:,} bytes; at most {limits.expanded_bytes:,}, "
            f"or {limits.expansion} times its size, are accepted",
            "raise Limits.expanded_bytes or Limits.expansion if you trust the file",
        )


def _parts(file: Any, left: LeftOut) -> Iterator[Heading | Block]:
    for element in file.iter_inner_content():
        if hasattr(element, "rows"):
            left.add("table", sum(len(text) for text in element._tbl.itertext()))  # noqa: SLF001 - the XML is its only public text
            continue
        if element._p.xpath(".//m:oMathPara | .//m:oMath"):  # noqa: SLF001 - formulas have no other interface
            left.add("formula", sum(len(part.text or "") for part in element._p.xpath(".//m:t")))  # noqa: SLF001
        text = " ".join(element.text.split())
        if not text:
            continue
        style = (element.style.name or "").lower() if element.style is not None else ""
        if style == "title":
            yield Block(SectionKind.TITLE, text)
        elif found := _HEADING.match(style):
            yield Heading(text, int(found[1]))
        else:
            yield Block(_BY_STYLE.get(style, SectionKind.BODY), text)


_BY_STYLE: Final = {
    "subtitle": SectionKind.TITLE,
    "author": SectionKind.AUTHORS,
    "abstract": SectionKind.ABSTRACT,
    "caption": SectionKind.CAPTION,
    "image caption": SectionKind.CAPTION,
    "table caption": SectionKind.CAPTION,
    "bibliography": SectionKind.REFERENCES,
}
