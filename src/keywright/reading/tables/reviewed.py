"""Keyphrases that people reviewed in a table: those of each document that they left or accepted."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from keywright.core.errors import BadRecord, EmptyInput
from keywright.core.keyphrases import Concept, Keyphrase
from keywright.reading.tables.rows import Row, Rows, check_column, id_text, is_missing

_ID: Final = "id"
_PHRASE, _PHRASES, _ACCEPTED = "keyphrase", "keyphrases", "accepted"
_URI, _LABEL = "concept", "label"
_CONCEPTS: Final = "concepts"  # columns of the tables that ``extract`` writes, and *accepted*, which people may add
_SEPARATOR: Final = ";"  # Between the keyphrases of a cell, as ``extract --wide`` writes them
_YES: Final = frozenset("yes y true 1 x + accept accepted".split())
_NO: Final = frozenset("no n false 0 - reject rejected".split())
"""Words of the column ``accepted``, in lower case; an empty cell means no."""


@dataclass(frozen=True, slots=True)
class Review:
    """Reviewed keyphrases by id, in the order of the table, their only score; ``rejected``: number by ``accepted``."""

    phrases: Mapping[str, tuple[Keyphrase, ...]]
    rejected: int


def read_review(table: Rows) -> Review:
    """Return the reviewed keyphrases of a table.

    The table has a column ``id``, and ``keyphrase`` with one in a row, or ``keyphrases`` with all of a document
    between semicolons. The column ``accepted`` rejects a row with ``no`` or an empty cell; ``concept`` and ``label``
    are URI and label of the keyphrase's concept in a vocabulary; JSON Lines that the page or ``label`` wrote have
    ``concepts`` by keyphrase. Other columns are not read.

    Raises:
        UnknownName: a column is missing.
        BadRecord: a row has no id, or its ``accepted`` is neither yes nor no; the message names the row.
        EmptyInput: no row has a keyphrase.
    """
    column = _PHRASES if _PHRASES in table.columns and _PHRASE not in table.columns else _PHRASE
    for name in (_ID, column):
        check_column(name, table)
    phrases: dict[str, dict[str, Concept | None]] = {}
    rejected = 0
    for row in table.rows:
        if row.problem:
            raise BadRecord(f"{row.place}: {row.problem}", "correct the row in the file")
        texts = list(_split_texts(row.cells.get(column)))
        if not texts:  # a document without keyphrases, or one that could not be read
            continue
        document = phrases.setdefault(_read_id(row), {})
        if _is_accepted(row, table):
            document |= dict.fromkeys(texts, _concept_of(row)) if column == _PHRASE else _concepts(row, texts)
        else:
            rejected += len(texts)
    if not phrases:
        raise EmptyInput(f"{table.name} has no keyphrase", f"expected texts in the column {column!r}")
    return Review({name: tuple(_keyphrases(texts)) for name, texts in phrases.items()}, rejected)


def _keyphrases(concepts: Mapping[str, Concept | None]) -> Iterator[Keyphrase]:
    for rank, (text, concept) in enumerate(concepts.items(), start=1):
        yield Keyphrase(text, 1 / rank, concept=concept)


def _concept_of(row: Row) -> Concept | None:
    uri, label = (row.cells.get(name) for name in (_URI, _LABEL))
    if is_missing(uri):
        return None
    return Concept(id_text(uri), id_text(row.cells.get(_PHRASE) if is_missing(label) else label))


def _concepts(row: Row, texts: Iterable[str]) -> dict[str, Concept | None]:
    """Return the concepts of the keyphrases of a row, as labelled data have them by keyphrase; None without one."""
    values = row.cells.get(_CONCEPTS)
    by_text = values if isinstance(values, Mapping) else {}  # tables have lists of URIs there
    try:
        return {text: Concept.from_dict(by_text[text]) if text in by_text else None for text in texts}
    except (ValueError, TypeError, LookupError) as error:
        message = f"{row.place}: {_CONCEPTS!r} are not concepts by keyphrase: {error}"
        raise BadRecord(message, 'expected {"keyphrase": {"uri": "...", "label": "..."}}, or leave them out') from error


def _split_texts(cell: Any) -> Iterator[str]:
    """Yield the keyphrases in a cell: a text, several between semicolons, or a list."""
    if isinstance(cell, list | tuple):
        parts = [str(part) for part in cell]
    else:
        parts = [] if is_missing(cell) else str(cell).split(_SEPARATOR)
    return (text for part in parts if (text := " ".join(part.split())))


def _read_id(row: Row) -> str:
    name = row.cells.get(_ID)
    if is_missing(name):
        raise BadRecord(f"{row.place} has a keyphrase and no id", "write the id of its document into the row")
    return id_text(name)


def _is_accepted(row: Row, table: Rows) -> bool:
    if _ACCEPTED not in table.columns:
        return True
    cell = row.cells.get(_ACCEPTED)
    word = "" if is_missing(cell) else id_text(cell).casefold()
    if word in _YES:
        return True
    if word and word not in _NO:
        message = f"{row.place}: the cell in column {_ACCEPTED!r} is {word!r:.60}"
        raise BadRecord(message, f"expected {', '.join(sorted(_YES))}, or {', '.join(sorted(_NO))}")
    return False
