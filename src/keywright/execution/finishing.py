"""Records of documents, finished in the process that worked on them."""

from dataclasses import dataclass, replace

from keywright.core.documents import Document
from keywright.core.finished_records import FinishedRecord
from keywright.core.json_text import to_json
from keywright.core.predictions import Failure
from keywright.core.records import outcome_record
from keywright.execution.extraction import Outcome


@dataclass(frozen=True, slots=True)
class AsRecord:
    """A function from an outcome to its record.

    Attributes:
        system: short signature of the system.
        include_text: whether records of predictions hold the document's text.
    """

    system: str
    include_text: bool = False

    def __call__(self, document: Document | None, outcome: Outcome) -> FinishedRecord:
        """Return the record of an outcome."""
        record = outcome_record(outcome, self.system)
        if isinstance(outcome, Failure):
            return FinishedRecord(outcome.document_id, to_json(record), failure=replace(outcome, meta={}))
        if self.include_text and document is not None:
            record["text"] = document.text
        return FinishedRecord(outcome.document_id, to_json(record), outcome.warnings, outcome.profile)
