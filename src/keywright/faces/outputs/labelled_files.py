"""Reviewed keyphrases as labelled data: JSON Lines that are read as a data set."""

from collections.abc import Iterable, Iterator

from keywright.core.json_text import to_json
from keywright.core.labelled_records import labelled_record
from keywright.core.predictions import Prediction
from keywright.faces.outputs.results import Result, Writer


def labelled(writer: Writer, results: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each document, with its text and its keyphrases as gold."""
    for document, outcome in results:
        if document is not None and isinstance(outcome, Prediction):
            yield to_json(labelled_record(document, outcome.keyphrases, writer.reviewed)) + "\n"
