"""Documents with their keyphrases on the way to the browser and back: the service keeps nothing."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from keywright.core.document_records import document_record, read_document
from keywright.core.documents import Document
from keywright.core.json_text import to_json
from keywright.core.json_values import a_list, an_object, numbers, text
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import plain_record, read_outcome
from keywright.core.request_errors import BadRequest


@dataclass(frozen=True, slots=True)
class PrecisionStep:
    """A precision that can be guaranteed, and the least probability of a phrase that keeps it."""

    target: float
    threshold: float


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document and its keyphrases."""

    document: Document
    prediction: Prediction

    def __post_init__(self) -> None:
        """Check that the phrases are of this document."""
        most = max((end for phrase in self.prediction.keyphrases for _, end in phrase.spans), default=0)
        if most > len(self.document.text) or self.document.id != self.prediction.document_id:
            raise ValueError("phrases of another document")


@dataclass(frozen=True, slots=True)
class ShownDocuments:
    """Documents of one page.

    Attributes:
        signature: full signature of the system.
        documents: in the order of the page.
        steps: precisions that the system can guarantee, if it has a calibrator.
    """

    signature: str
    documents: Sequence[ShownDocument]
    steps: Sequence[PrecisionStep] = ()

    def packed(self) -> str:
        """Return them as one text."""
        records = [
            {
                "document": document_record(each.document),
                "result": plain_record(each.prediction, None),
            }
            for each in self.documents
        ]
        return to_json(
            {
                "signature": self.signature,
                "documents": records,
                "steps": [[each.target, each.threshold] for each in self.steps],
            }
        )

    @classmethod
    def unpacked(cls, packed: str) -> Self:
        """Return what ``packed`` wrote.

        Raises:
            BadRequest: it is something else: it comes from the browser.
        """
        try:
            values = an_object(json.loads(packed))
            documents = tuple(map(_shown, a_list(values["documents"], "documents")))
            steps = (numbers(each, "steps") for each in a_list(values["steps"], "steps"))
            return cls(text(values["signature"], "signature"), documents, tuple(PrecisionStep(*step) for step in steps))
        except (ValueError, TypeError, LookupError, OverflowError, RecursionError) as error:
            hint = "extract the keyphrases again, and leave the hidden field of the page as it is"
            raise BadRequest("the page sent back something else than it got", hint) from error


def shown_document(document: Any, result: Any) -> ShownDocument:
    """Return a document and its keyphrases from JSON values.

    Raises:
        ValueError, TypeError, LookupError: they are something else, or one of them is a failure.
    """
    prediction = read_outcome(an_object(result))
    if isinstance(prediction, Failure):
        raise ValueError("a failure")  # noqa: TRY004 - of the content
    return ShownDocument(read_document(an_object(document)), prediction)


def _shown(value: object) -> ShownDocument:
    record = an_object(value)
    return shown_document(record["document"], record["result"])
