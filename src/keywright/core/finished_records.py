"""JSON records of documents, finished where the work was done."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from keywright.core.json_text import to_json
from keywright.core.predictions import Failure


@dataclass(frozen=True, slots=True)
class FinishedRecord:
    """The record of one outcome as JSON, and what is asked of it where all records come together.

    A worker process makes the text, so that its parent need not: it is read again only for the rare changes.

    Attributes:
        document_id: the document's id.
        text: the record, one line of JSON without its end.
        warnings: warnings of a prediction.
        profile: profile of a prediction, see ``Prediction``.
        failure: the failure, of a document without a prediction.
    """

    document_id: str
    text: str
    warnings: tuple[str, ...] = ()
    profile: tuple[int, ...] = ()
    failure: Failure | None = None

    def renamed(self, document_id: str, warning: str) -> "FinishedRecord":
        """Return the record under another id; a prediction has a warning about it."""
        record = self.extended({"id": document_id})
        if record.failure is not None:
            failure = replace(record.failure, document_id=document_id)
            return replace(record, document_id=document_id, failure=failure)
        return replace(record, document_id=document_id).warned(warning)

    def warned(self, warning: str) -> "FinishedRecord":
        """Return the record with one more warning."""
        warnings = (*self.warnings, warning)
        return replace(self.extended({"warnings": list(warnings)}), warnings=warnings)

    def extended(self, values: Mapping[str, Any]) -> "FinishedRecord":
        """Return the record with other values of its keys, or more keys behind them."""
        return replace(self, text=to_json(json.loads(self.text) | dict(values)))


def signed_texts(
    records: Iterable[FinishedRecord], signature: str, options: Mapping[str, Any], *, signed: bool = False
) -> Iterator[str]:
    """Yield the text of each record; the first of a prediction has the full signature of the system, and the options.

    Args:
        records: of one output, in order.
        signature: full signature of the system.
        options: options that decide the results, left out if there are none.
        signed: whether the output has it already.
    """
    for record in records:
        if signed or record.failure is not None:
            yield record.text
        else:
            signed = True
            yield record.extended({"signature": signature, **({"options": dict(options)} if options else {})}).text
