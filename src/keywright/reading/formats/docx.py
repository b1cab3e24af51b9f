"""Word documents (DOCX)."""

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from keywright.core.citations import Citation, make_citation, split_authors
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BrokenFile
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.headings import split_keywords
from keywright.reading.limits import Limits

_HEADING = re.compile(r"heading ?(\d)")
_BY_STYLE: Final = {
    "subtitle": SectionKind.TITLE,
    "author": SectionKind.AUTHORS,
    "abstract": SectionKind.ABSTRACT,
    "caption": SectionKind.CAPTION,
    "image caption": SectionKind.CAPTION,
    "table caption": SectionKind.CAPTION,
    "bibliography": SectionKind.REFERENCES,
}
_DAMAGED: Final = (
    *(LookupError, ValueError, TypeError, AttributeError, SyntaxError),  # python-docx raises whatever damage causes
    *(NotImplementedError, EOFError, OSError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)
_SAVE_AGAIN: Final = "open it in a word processor and save it again"


def read_docx(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a DOCX file.

    Tables, pictures, formulas, footnotes, headers and footers are left out. Keywords come from the file's properties,
    and from the text where it prints them. Title and authors in ``meta`` are the paragraphs of these styles, else the
    file's properties; properties have no journal, DOI or date of publication.
    """
    import docx  # noqa: PLC0415 - heavy, only DOCX needs it

    limits.check_file(len(data), name)
    limits.check_archive(data, name, "DOCX")
    try:
        file = docx.Document(io.BytesIO(data))
        left = LeftOut()
        parts = list(_parts(file, left))
        properties = file.core_properties
        title = (properties.title or "").strip()
        meta = _cite(parts, title, properties.author or "").as_meta()
        about = Particulars(properties.language, tuple(split_keywords(properties.keywords or "")), meta)
    except _DAMAGED as error:
        raise BrokenFile(f"{name} is not a readable DOCX: {error}", _SAVE_AGAIN) from error
    if title and not any(isinstance(part, Block) and part.kind == SectionKind.TITLE for part in parts):
        parts.insert(0, Block(SectionKind.TITLE, title))
    return from_parts(parts, name, limits, left, about, run_in=True)


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
        elif heading := _HEADING.match(style):
            yield Heading(text, int(heading[1]))
        else:
            yield Block(_BY_STYLE.get(style, SectionKind.BODY), text)


def _cite(parts: Sequence[Heading | Block], title: str, author: str) -> Citation:
    """Return title and authors: from the text where styles mark them, else from the file's properties."""
    marked = [part for part in parts if isinstance(part, Block)]
    titles = [part.text for part in marked if part.kind == SectionKind.TITLE]
    authors = "; ".join(part.text for part in marked if part.kind == SectionKind.AUTHORS)
    return make_citation(": ".join(titles) or title, split_authors(authors or author))
