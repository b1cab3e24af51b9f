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
CONCEPT: Final[Kinds] = MappingProxyType({"concept": str, "label": str})
"""Columns behind those of a keyphrase, with a vocabulary of concepts: the URI, and the label."""
CONCEPTS: Final[Kinds] = MappingProxyType({"concepts": list, "labels": list})
"""The same for a row for each document; phrases without a concept have empty texts."""


def kinds(*, wide: bool, concepts: bool = False) -> Kinds:
    """Return the columns of results, wide or long, and with columns of concepts behind."""
    added = CONCEPTS if wide else CONCEPT
    return {**(WIDE if wide else LONG), **(added if concepts else {})}


def has_concepts(outcomes: "Iterable[Prediction | Failure]") -> bool:
    """Return whether some phrase of some results is a concept of a vocabulary."""
    return any(phrase.concept for outcome in outcomes for phrase in getattr(outcome, "keyphrases", ()))


def result_rows(
    outcome: "Prediction | Failure", *, wide: bool = False, concepts: bool = False
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of one document, in the order of ``kinds``.

    A failed document has one row with its ``error``; so has a document without keyphrases, with nothing but its id.
    """
    message: str | None = getattr(outcome, "message", None)
    keyphrases = getattr(outcome, "keyphrases", ())
    if wide:
        uris = [phrase.concept.uri if phrase.concept else "" for phrase in keyphrases]
        labels = [phrase.concept.label if phrase.concept else "" for phrase in keyphrases]
        lists = (None, None, None) if message else ([phrase.text for phrase in keyphrases], uris, labels)
        yield (outcome.document_id, lists[0], message, *(lists[1:] if concepts else ()))
        return
    for rank, phrase in enumerate(keyphrases, start=1):
        start, end = map(int, phrase.spans[0]) if phrase.spans else (None, None)
        row = (outcome.document_id, rank, phrase.text, float(phrase.score), phrase.probability, start, end, None)
        concept = phrase.concept
        added = (concept.uri, concept.label) if concept else (None, None)
        yield row + (added if concepts else ())
    if not keyphrases:
        yield (outcome.document_id, *[None] * (len(LONG) - 2), message, *[None] * (len(CONCEPT) * concepts))


def result_columns(
    outcomes: "Iterable[Prediction | Failure]", *, wide: bool = False, concepts: bool = False
) -> dict[str, list[Any]]:
    """Return the columns of all documents, in their order."""
    columns: dict[str, list[Any]] = {name: [] for name in kinds(wide=wide, concepts=concepts)}
    for outcome in outcomes:
        for row in result_rows(outcome, wide=wide, concepts=concepts):
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    return columns
