"""Keyphrases that people reviewed in a table: those of each document that they left or accepted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

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
    ``concepts`` by keyphrase. Raises UnknownName: no such column; BadRecord, with the row; EmptyInput: no keyphrase.
    """
    column = _PHRASES if _PHRASES in table.columns and _PHRASE not in table.columns else _PHRASE
    for name in (_ID, column):
        check_column(name, table)
    phrases: dict[str, dict[str, Concept | None]] = {}
    rejected = 0
    for row in table.rows:
        if row.problem:
            raise BadRecord(f"{row.place}: {row.problem}", "correct the row in the file")
        cell, identifier = row.cells.get(column), row.cells.get(_ID)
        cells = cell if isinstance(cell, list | tuple) else [] if is_missing(cell) else str(cell).split(_SEPARATOR)
        texts = [text for part in cells if (text := " ".join(str(part).split()))]
        if not texts:  # a document without keyphrases, or one that could not be read
            continue
        if is_missing(identifier):
            raise BadRecord(f"{row.place} has a keyphrase and no id", "write the id of its document into the row")
        document = phrases.setdefault(id_text(identifier), {})
        if _ACCEPTED not in table.columns or _is_accepted(row):
            document |= dict.fromkeys(texts, _concept_of(row)) if column == _PHRASE else _concepts(row, texts)
        else:
            rejected += len(texts)
    if not phrases:
        raise EmptyInput(f"{table.name} has no keyphrase", f"expected texts in the column {column!r}")
    ranked = {name: enumerate(concepts.items(), start=1) for name, concepts in phrases.items()}
    lists = {
        name: tuple(Keyphrase(text, 1 / rank, concept=concept) for rank, (text, concept) in items)
        for name, items in ranked.items()
    }
    return Review(lists, rejected)


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


def _is_accepted(row: Row) -> bool:
    cell = row.cells.get(_ACCEPTED)
    word = "" if is_missing(cell) else id_text(cell).casefold()
    if word and word not in _YES | _NO:
        message = f"{row.place}: the cell in column {_ACCEPTED!r} is {word!r:.60}"
        raise BadRecord(message, f"expected {', '.join(sorted(_YES))}, or {', '.join(sorted(_NO))}")
    return word in _YES
