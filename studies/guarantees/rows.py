"""Rows of the study of guarantees: what was promised, how often it was broken, and what it cost."""

from dataclasses import dataclass

from keywright.experiments.rows import TableRow


@dataclass(frozen=True, slots=True)
class Coverage(TableRow):
    """One promise, given anew after each of many divisions of a collection into calibration and rest.

    Attributes:
        system: whose phrases; ``simulated`` for documents that were drawn.
        dataset: their documents.
        measure: ``precision`` or ``recall``.
        empty: what a list without phrases counts as: ``apart`` or ``right``.
        target: what was promised at least, 0 to 1.
        confidence: of how many calibrations; None for recall, which is promised on average.
        splits: how often was divided.
        documents: of calibration.
        promised: share of splits in which a promise could be given, 0 to 1.
        violated: share of all splits in which it was given and the rest of the documents fell short, 0 to 1.
        violated_of_all: the same by all documents of the collection: the rest are few, and fall short by chance, too.
        allowed: share of splits that may be violated, with two standard errors of the simulation; None for recall.
        kept: whether no more are; for recall, whether the mean is at least the target less two standard errors.
        value: precision of lists or recall on the rest, mean over the splits with a promise; None without any, as all
            that follow.
        value_of_all: the same of all documents of the collection.
        phrases: shown for a document of the rest.
        empties: share of documents of the rest that show nothing.
        pooled: precision of all phrases that are shown of the rest, taken together.
        threshold: probability from which on phrases are shown.
    """

    system: str
    dataset: str
    measure: str
    empty: str
    target: float
    confidence: float | None
    splits: int
    documents: int
    promised: float
    violated: float
    violated_of_all: float
    allowed: float | None
    kept: bool
    value: float | None
    value_of_all: float | None
    phrases: float | None
    empties: float | None
    pooled: float | None
    threshold: float | None
