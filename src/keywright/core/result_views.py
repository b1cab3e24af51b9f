"""Predictions, lists of them and runs, as tables for data analysis and for notebooks."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from keywright.core.data_frames import data_frame
from keywright.core.notebook import MOST_ROWS, NotebookTable
from keywright.core.result_rows import has_concepts, kinds, result_columns

if TYPE_CHECKING:  # predictions use this module
    from keywright.core.predictions import Failure, Prediction

_SHOWN: Final = 5
"""Keyphrases in the line of a document in a notebook; arbitrary."""


def results_frame(outcomes: "Iterable[Prediction | Failure]", library: str | None, *, wide: bool) -> Any:
    """Return results as a table of pandas, polars or pyarrow."""
    every = tuple(outcomes)
    concepts = has_concepts(every)
    columns = result_columns(every, wide=wide, concepts=concepts)
    return data_frame(columns, kinds(wide=wide, concepts=concepts), library)


def prediction_html(prediction: "Prediction") -> str:
    """Return the table of a prediction for a notebook: a row for each keyphrase."""
    calibrated = any(phrase.probability is not None for phrase in prediction.keyphrases)
    measure = "probability" if calibrated else "score"
    rows = [
        (str(rank), str(phrase.acronym or phrase.text), _number(getattr(phrase, measure)), str(len(phrase.spans)))
        for rank, phrase in enumerate(prediction.keyphrases[:MOST_ROWS], start=1)
    ]
    language = f" ({prediction.language})" if prediction.language else ""
    return NotebookTable(
        caption=f"{prediction.document_id}{language}",
        head=("rank", "keyphrase", measure, "mentions"),
        rows=rows,
        numbers=("rank", measure, "mentions"),
        notes=prediction.warnings,
        beyond=(len(prediction.keyphrases) - len(rows), "keyphrases"),
    ).html()


def results_html(caption: str, outcomes: "Sequence[Prediction | Failure]") -> str:
    """Return the table of several results for a notebook: a row for each document."""
    rows = [(outcome.document_id, _line(outcome)) for outcome in outcomes[:MOST_ROWS]]
    beyond = len(outcomes) - len(rows), "documents"
    return NotebookTable(caption, ("id", "keyphrases"), rows, beyond=beyond).html()


def counted_results(outcomes: "Sequence[Prediction | Failure]") -> str:
    """Return how many documents there are, and how many of them failed."""
    failed = sum(hasattr(outcome, "message") for outcome in outcomes)
    documents = "1 document" if len(outcomes) == 1 else f"{len(outcomes):,} documents"
    return documents + (f", {failed:,} failed" if failed else "")


def _line(outcome: "Prediction | Failure") -> str:
    message: str | None = getattr(outcome, "message", None)
    if message is not None:
        return f"error: {message}"
    pairs = outcome.pairs()  # type: ignore[union-attr]  # a result without message is a prediction
    if not pairs:
        return "; ".join(outcome.warnings)  # type: ignore[union-attr]  # as above
    first = [text + ("" if probability is None else f" {probability:.2f}") for text, probability in pairs[:_SHOWN]]
    more = [f"… {len(pairs) - _SHOWN} more"] if len(pairs) > _SHOWN else []
    return ", ".join(first + more)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
