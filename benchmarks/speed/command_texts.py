"""What the benchmark of the command reads: files and folders of documents that no process has met.

Papers and abstracts come from the data folder where it is there, else from the project's examples. Abstracts are each a
different one; short texts are abstracts cut into pieces of 200 characters at spaces. PDFs are those of the data folder
or the examples, copied under several names, because four files are too few to time.
"""

import json
import os
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import papers

import keywright as kw
from keywright.core.documents import Document
from keywright.core.errors import MissingData

_ABSTRACTS = ("inspec/train", "inspec/validation", "inspec/test")
_SHORT = 200  # characters of a short text: those of a search result or a message; arbitrary
_SAMPLE = "docs_sample"


@dataclass(frozen=True, slots=True)
class Input:
    """Documents of one kind.

    Attributes:
        name: kind of the documents.
        unit: what is counted, ``documents`` or ``pages``.
        whole: file or folder with all documents.
        first: the first document alone, to time the start.
        documents: number of documents, less the first.
        items: number of units in them, less those of the first.
    """

    name: str
    unit: str
    whole: Path
    first: Path
    documents: int
    items: int


def inputs(folder: Path, sizes: dict[str, int]) -> list[Input]:
    """Write the documents of each kind, as many as ``sizes`` says, below a folder."""
    abstracts = _abstracts()
    pieces = [
        Document(f"{document.id}-{number}", piece)
        for document in abstracts
        for number, piece in enumerate(textwrap.wrap(document.text, _SHORT))
    ]
    texts = {"papers": papers.bare_papers(), "abstracts": abstracts, "short texts": pieces}
    written = [_records(folder, name, documents[: sizes[name]]) for name, documents in texts.items() if sizes.get(name)]
    return written + ([_pdfs(folder, sizes["pdf"])] if sizes.get("pdf") else [])


def _abstracts() -> list[Document]:
    try:
        return [labelled.document for split in _ABSTRACTS for labelled in kw.dataset(split)]
    except MissingData:
        return papers.abstracts()[0]


def _records(folder: Path, name: str, documents: Sequence[Document]) -> Input:
    whole, first = (folder / f"{name.replace(' ', '-')}{part}.jsonl" for part in ("", "-first"))
    _write(whole, documents)
    _write(first, documents[:1])
    return Input(name, "documents", whole, first, len(documents) - 1, len(documents) - 1)


def _write(path: Path, documents: Iterable[Document]) -> None:
    lines = (json.dumps({"id": document.id, "text": document.text}) + "\n" for document in documents)
    path.write_text("".join(lines), "utf-8")


def _pdfs(folder: Path, copies: int) -> Input:
    sources = sorted((Path(os.environ.get("KEYWRIGHT_MIRROR", ".")) / _SAMPLE).glob("*.pdf"))
    sources = sources or sorted(papers.EXAMPLES.glob("*.pdf"))
    whole, first = folder / "pdf", folder / "pdf-first"
    for place in (whole, first):
        place.mkdir()
    shutil.copy(sources[0], first)
    for copy in range(copies):
        for source in sources:
            shutil.copy(source, whole / f"{copy:03}-{source.name}")
    pages = [_pages(source) for source in sources]
    return Input("PDF", "pages", whole, first, copies * len(sources) - 1, copies * sum(pages) - pages[0])


def _pages(path: Path) -> int:
    import pypdfium2  # noqa: PLC0415 - only PDFs need it

    document = pypdfium2.PdfDocument(path)
    try:
        return len(document)
    finally:
        document.close()
