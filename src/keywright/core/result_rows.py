"""Results as rows: one for each keyphrase, or one for each document; files, tables and data frames share them."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:  # predictions use this module
    from keywright.core.predictions import Failure, Prediction

Kinds: TypeAlias = Mapping[str, type]
"""Columns in order, each with the type of its values, which may be None; ``list`` is of texts."""

LONG: Final[Kinds] = MappingProxyType(
    {
        "id": str,
        "rank": int,
        "keyphrase": str,
        "score": float,
        "probability": float,
        "start": int,
        "end": int,
        "error": str,
    }
)
"""Columns of one row for each keyphrase; ``start`` and ``end`` are those of its first mention, in characters."""
WIDE: Final[Kinds] = MappingProxyType({"id": str, "keyphrases": list, "error": str})
"""Columns of one row for each document."""


def kinds(*, wide: bool) -> Kinds:
    """Return the columns of results, wide or long."""
    return WIDE if wide else LONG


def result_rows(outcome: "Prediction | Failure", *, wide: bool = False) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of one document, in the order of ``LONG`` or ``WIDE``.

    A failed document has one row with its ``error``; so has a document without keyphrases, with nothing but its id.
    """
    message: str | None = getattr(outcome, "message", None)
    keyphrases = getattr(outcome, "keyphrases", ())
    if wide:
        yield outcome.document_id, None if message else [phrase.text for phrase in keyphrases], message
        return
    for rank, phrase in enumerate(keyphrases, start=1):
        start, end = map(int, phrase.spans[0]) if phrase.spans else (None, None)
        yield outcome.document_id, rank, phrase.text, float(phrase.score), phrase.probability, start, end, None
    if not keyphrases:
        yield (outcome.document_id, *[None] * (len(LONG) - 2), message)


def result_columns(outcomes: "Iterable[Prediction | Failure]", *, wide: bool = False) -> dict[str, list[Any]]:
    """Return the columns of all documents, in their order."""
    columns: dict[str, list[Any]] = {name: [] for name in kinds(wide=wide)}
    for outcome in outcomes:
        for row in result_rows(outcome, wide=wide):
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    return columns
