"""Vocabularies in tables: a row for each label, or a row for each concept with a column for each language."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from keywright.core.errors import BadParameter, EmptyInput
from keywright.extraction.vocabularies.concept_builder import ConceptBuilder, ConceptsRead
from keywright.extraction.vocabularies.concepts import ALTERNATIVE, HIDDEN, PREFERRED
from keywright.reading.encodings import decode
from keywright.reading.file_names import read_bytes
from keywright.reading.limits import Limits
from keywright.reading.phrase_lists import UNREADABLE
from keywright.reading.sources import DEFAULT_LIMITS
from keywright.reading.tables.files import open_table, table_format
from keywright.reading.tables.rows import Rows, columns_there

_URI: Final = "uri"
_COLUMNS: Final = frozenset({_URI, "label", "language", "kind", "notation", "broader", "scheme", "deprecated"})
_BY_LANGUAGE: Final = re.compile(r"label_([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)")
"""Columns of preferred labels in a language, as Annif has them."""
_KINDS: Final = {
    "preferred": PREFERRED, "pref": PREFERRED, "preflabel": PREFERRED,
    "alternative": ALTERNATIVE, "alt": ALTERNATIVE, "altlabel": ALTERNATIVE, "synonym": ALTERNATIVE,
    "hidden": HIDDEN, "hiddenlabel": HIDDEN,
}  # fmt: skip
_TRUE: Final = frozenset({"true", "1", "yes"})
WRONG_KIND: Final = "labels of an unknown kind"
NO_URI: Final = "rows without a URI"
ROWS: Final = f"labels {UNREADABLE}"


def is_concept_table(path: Path, limits: Limits = DEFAULT_LIMITS) -> bool:
    """Return whether a file is a table with a column ``uri``, or in Annif's format without heads: so of concepts."""
    if _is_annif(path):
        return True
    if table_format(path.name) is None:
        return False
    return _URI in map(str.lower, open_table(path, path.name, limits).columns)


_ANNIF_ENDINGS: Final = (".tsv", ".txt")
_ANNIF: Final = re.compile(r"\s*<([^<>\s]+)>\t([^\t]*)(?:\t([^\t]*))?\s*")
"""A line of Annif's vocabularies: URI, label, and a notation."""
_LONGEST_LINE: Final = 10_000  # bytes of the first line that are looked at; arbitrary


def _is_annif(path: Path) -> bool:
    """Return whether a file is in Annif's format, as its name and its first line say."""
    if path.suffix.lower() not in _ANNIF_ENDINGS or not path.is_file():
        return False
    with path.open("rb") as file:
        first = file.readline(_LONGEST_LINE).decode("utf-8-sig", "replace")
    return _ANNIF.fullmatch(first) is not None


def _annif_lines(path: Path, limits: Limits) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place and the cells of each line of a file in Annif's format."""
    text, _ = decode(read_bytes(path, path.name, limits), path.name)
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        match = _ANNIF.fullmatch(line)
        if line.strip():
            cells = zip((_URI, "label", "notation"), match.groups(default="") if match else ("", line, ""), strict=True)
            yield f"{path.name}:{number}", {name: cell.strip() for name, cell in cells if cell.strip()}


def read_concept_table(
    path: Path, languages: frozenset[str] = frozenset(), limits: Limits = DEFAULT_LIMITS
) -> ConceptsRead:
    """Return the concepts of a table.

    Columns: ``uri``, and ``label`` with ``language`` and ``kind`` (preferred, alternative, hidden), or ``label_en`` and
    so on; ``notation``, ``broader`` (URIs between blanks or ``|``), ``scheme``, ``deprecated``. Without a kind a
    concept's first label in a language is preferred. ``languages``: codes whose labels are kept, beside those without;
    none keeps all. Raises UnreadableInput, or a subclass; BadParameter: it has no column of labels.
    """
    if _is_annif(path):
        return _finish(ConceptBuilder(languages), _annif_lines(path, limits), path)
    table = open_table(path, path.name, limits)
    names = {name.strip().lower() for name in table.columns}
    if "label" not in names and not any(map(_BY_LANGUAGE.fullmatch, names)):
        raise BadParameter(f"{path.name} has no column of labels", f"name it label; {columns_there(table.columns)}")
    builder = ConceptBuilder(languages)
    plain_names = {name: name.strip().lower() for name in table.columns}
    unread = [
        name for name, plain in plain_names.items() if plain not in _COLUMNS and not _BY_LANGUAGE.fullmatch(plain)
    ]
    builder.notes.extend(table.notes)
    if unread:
        builder.notes.append(f"{path.name}: columns that are not read: {', '.join(unread)}")
    return _finish(builder, _cells(table, builder), path)


def _finish(builder: ConceptBuilder, cells: Iterable[tuple[str, dict[str, str]]], path: Path) -> ConceptsRead:
    rows = _Rows(builder)
    for place, of_row in cells:
        rows.add(place, of_row)
    read = builder.finish()
    if not len(read.concepts):
        raise EmptyInput(f"{path.name} holds no concepts with labels", "expected a URI and a label in each row")
    return read


class _Rows:
    """Rows of a table as statements about concepts."""

    def __init__(self, builder: ConceptBuilder) -> None:
        self._builder = builder
        self._preferred: set[tuple[int, str]] = set()

    def add(self, place: str, cells: dict[str, str]) -> None:
        """Add what a row says."""
        builder = self._builder
        uri = cells.get(_URI, "").removeprefix("<").removesuffix(">")
        if not uri or uri.startswith("_:"):
            builder.leave_out(NO_URI, place)
            return
        concept = builder.number(uri)
        builder.add_concept(concept)
        for name, text in cells.items():
            if match := _BY_LANGUAGE.fullmatch(name):
                self._label(concept, text, match[1], "", place)
        if label := cells.get("label"):
            self._label(concept, label, cells.get("language", ""), cells.get("kind", ""), place)
        for above in cells.get("broader", "").replace("|", " ").split():
            builder.add_link(concept, builder.number(above))
        if notation := cells.get("notation"):
            builder.add_notation(concept, notation)
        if scheme := cells.get("scheme"):
            builder.add_scheme(concept, builder.number(scheme))
        if cells.get("deprecated", "").lower() in _TRUE:
            builder.deprecated.add(concept)

    def _label(self, concept: int, text: str, language: str, kind: str, place: str) -> None:
        """Add a label: of its kind, else preferred where it is the first in its language."""
        name = kind.lower().removeprefix("skos:")
        if name and name not in _KINDS:
            self._builder.leave_out(WRONG_KIND, f"{place}: {kind}")
            return
        is_first = (concept, language) not in self._preferred
        value = _KINDS[name] if name else (PREFERRED if is_first else ALTERNATIVE)
        if value == PREFERRED:
            self._preferred.add((concept, language))
        self._builder.add_label(concept, value, text, language)


def _cells(table: Rows, builder: ConceptBuilder) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place of each row that can be read, and its cells that are not empty, by column in lower case."""
    for row in table.rows:
        if row.problem:
            builder.leave_out(ROWS, f"{row.place}: {row.problem}")
            continue
        cells = ((name, "" if value is None else str(value)) for name, value in row.cells.items())
        texts = ((name.strip().lower(), " ".join(text.split())) for name, text in cells)
        yield row.place, {name: text for name, text in texts if text}
