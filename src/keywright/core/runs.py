"""Runs: one system over one data set."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.core.errors import KeywrightError
from keywright.core.predictions import Prediction


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that failed: its id, the error's code word, what happened, and what to do."""

    document_id: str
    code: str
    message: str
    hint: str = ""

    @classmethod
    def from_error(cls, document_id: str, error: KeywrightError) -> "Failure":
        """Return the failure of a document that an error stopped."""
        return cls(document_id, error.code, error.message, error.hint)


@dataclass(frozen=True, slots=True)
class Run:
    """Predictions of one system over one data set, in the data set's order.

    Attributes:
        system: signature of the system.
        data: name of the data set, such as ``semeval2010/test``; empty if unknown.
        analyser: signature of the analyser; empty if unknown.
        predictions: one per document.
        failures: documents that failed.
        seconds: wall time of the extraction; None if not measured.
        environment: versions that may matter for repeating the run.
        texts: fingerprint of the documents' ids and texts (``signatures.of_texts``); empty if unknown.
    """

    system: str
    data: str
    analyser: str
    predictions: tuple[Prediction, ...]
    failures: tuple[Failure, ...] = ()
    seconds: float | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    texts: str = ""
