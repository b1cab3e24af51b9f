"""Vocabularies in tables: a row for each label, or a row for each concept with a column for each language."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from keywright.core.errors import BadParameter, EmptyInput
from keywright.extraction.vocabularies.concept_builder import ConceptBuilder, ConceptsRead
from keywright.extraction.vocabularies.concepts import ALTERNATIVE, HIDDEN, PREFERRED
from keywright.reading.encodings import decode
from keywright.reading.file_names import read_bytes
from keywright.reading.phrase_lists import UNREADABLE
from keywright.reading.sources import DEFAULT_LIMITS
from keywright.reading.tables.files import open_table, table_format
from keywright.reading.tables.rows import columns_there

_COLUMNS: Final = frozenset({"uri", "label", "language", "kind", "notation", "broader", "scheme", "deprecated"})
_BY_LANGUAGE: Final = re.compile(r"label_([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)")
"""Columns of preferred labels in a language, as Annif has them."""
_KINDS: Final = {
    "preferred": PREFERRED, "pref": PREFERRED, "preflabel": PREFERRED,
    "alternative": ALTERNATIVE, "alt": ALTERNATIVE, "altlabel": ALTERNATIVE, "synonym": ALTERNATIVE,
    "hidden": HIDDEN, "hiddenlabel": HIDDEN,
}  # fmt: skip
_TRUE: Final = frozenset({"true", "1", "yes"})
_ANNIF_ENDINGS: Final = (".tsv", ".txt")
_ANNIF: Final = re.compile(r"\s*<([^<>\s]+)>\t([^\t]*)(?:\t([^\t]*))?\s*")
"""A line of Annif's vocabularies: URI, label, and a notation."""
_LONGEST_LINE: Final = 10_000  # bytes of the first line that are looked at; arbitrary


def is_concept_table(path: Path) -> bool:
    """Return whether a file is a table with a column ``uri``, or in Annif's format without heads: so of concepts."""
    if _is_annif(path) or table_format(path.name) is None:
        return _is_annif(path)
    return "uri" in map(str.lower, open_table(path, path.name, DEFAULT_LIMITS).columns)


def _is_annif(path: Path) -> bool:
    """Return whether a file is in Annif's format, as its name and its first line say."""
    if path.suffix.lower() not in _ANNIF_ENDINGS or not path.is_file():
        return False
    with path.open("rb") as file:
        first = file.readline(_LONGEST_LINE).decode("utf-8-sig", "replace")
    return _ANNIF.fullmatch(first) is not None


def read_concept_table(path: Path, languages: frozenset[str] = frozenset()) -> ConceptsRead:
    """Return the concepts of a table.

    Columns: ``uri``, and ``label`` with ``language`` and ``kind`` (preferred, alternative, hidden), or ``label_en`` and
    so on; ``notation``, ``broader`` (URIs between blanks or ``|``), ``scheme``, ``deprecated``. Without a kind a
    concept's first label in a language is preferred. ``languages``: codes whose labels are kept, beside those without;
    none keeps all. Raises UnreadableInput, or a subclass; BadParameter: it has no column of labels.
    """
    builder = ConceptBuilder(languages)
    preferred: set[tuple[int, str]] = set()
    for place, cells in _annif_cells(path) if _is_annif(path) else _table_cells(path, builder):
        uri = cells.get("uri", "").removeprefix("<").removesuffix(">")
        if not uri or uri.startswith("_:"):
            builder.leave_out("rows without a URI", place)
            continue
        concept = builder.number(uri)
        builder.concepts.append(concept)
        _add_labels(builder, concept, place, cells, preferred)
        for above in cells.get("broader", "").replace("|", " ").split():
            builder.links.extend((concept, builder.number(above)))
        if notation := cells.get("notation"):
            builder.add_notation(concept, notation)
        if scheme := cells.get("scheme"):
            builder.schemes.extend((concept, builder.number(scheme)))
        if cells.get("deprecated", "").lower() in _TRUE:
            builder.deprecated.add(concept)
    read = builder.finish()
    if not len(read.concepts):
        raise EmptyInput(f"{path.name} holds no concepts with labels", "expected a URI and a label in each row")
    return read


def _annif_cells(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    text, _ = decode(read_bytes(path, path.name, DEFAULT_LIMITS), path.name)
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        match = _ANNIF.fullmatch(line)
        if line.strip():
            cells = zip(("uri", "label", "notation"), match.groups("") if match else ("", line, ""), strict=True)
            yield f"{path.name}:{number}", {name: cell.strip() for name, cell in cells if cell.strip()}


def _table_cells(path: Path, builder: ConceptBuilder) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place of each row that can be read, and its cells that are not empty, by column in lower case."""
    table = open_table(path, path.name, DEFAULT_LIMITS)
    names = {name: name.strip().lower() for name in table.columns}
    if "label" not in names.values() and not any(map(_BY_LANGUAGE.fullmatch, names.values())):
        raise BadParameter(f"{path.name} has no column of labels", f"name it label; {columns_there(table.columns)}")
    unread = [name for name, plain in names.items() if plain not in _COLUMNS and not _BY_LANGUAGE.fullmatch(plain)]
    builder.notes.extend(table.notes)
    if unread:
        builder.notes.append(f"{path.name}: columns that are not read: {', '.join(unread)}")
    for row in table.rows:
        if row.problem:
            builder.leave_out(f"labels {UNREADABLE}", f"{row.place}: {row.problem}")
            continue
        cells = ((name, "" if value is None else str(value)) for name, value in row.cells.items())
        texts = ((name.strip().lower(), " ".join(text.split())) for name, text in cells)
        yield row.place, {name: text for name, text in texts if text}


def _add_labels(
    builder: ConceptBuilder, concept: int, place: str, cells: dict[str, str], preferred: set[tuple[int, str]]
) -> None:
    """Add the labels of a row: of their kind, else preferred where they are the first in their language."""
    labels = [(text, match[1], "") for name, text in cells.items() if (match := _BY_LANGUAGE.fullmatch(name))]
    if "label" in cells:
        labels.append((cells["label"], cells.get("language", ""), cells.get("kind", "")))
    for text, language, kind in labels:
        name = kind.lower().removeprefix("skos:")
        if name and name not in _KINDS:
            builder.leave_out("labels of an unknown kind", f"{place}: {kind}")
            continue
        is_first = (concept, language) not in preferred
        value = _KINDS[name] if name else (PREFERRED if is_first else ALTERNATIVE)
        if value == PREFERRED:
            preferred.add((concept, language))
        builder.add_label(concept, value, text, language)
