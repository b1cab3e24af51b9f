"""The training collections that the default is studied on; no test split is read."""

from dataclasses import dataclass
from typing import Final

from keywright.core.documents import Style
from keywright.core.errors import unknown_name
from keywright.datasets.training_mix import TELLING, TrainingPart
from keywright.evaluation.protocol import Protocol
from keywright.experiments.semeval2010_task import RULES
from studies.quality.collections import BY_DOCUMENT


@dataclass(frozen=True, slots=True)
class Question:
    """A style to predict, and how the predictions are scored.

    Attributes:
        style: of the keyphrases.
        gold: kind of gold that has them.
        measures: to report.
    """

    style: Style
    gold: str
    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudyCollection:
    """A training collection that is studied.

    Attributes:
        name: in tables.
        parts: sources of its documents.
        questions: styles that trees are trained on and evaluated in; errors are those of the first.
        protocol: that scores.
        shown: length of the lists whose errors are counted.
    """

    name: str
    parts: tuple[TrainingPart, ...]
    questions: tuple[Question, ...]
    protocol: Protocol
    shown: int


_SHARE: Final = 3
"""One abstract in three is used; arbitrary: a table then takes a quarter of an hour on one core."""
_OTHER_SOURCES: Final = ("papyrus", "paperlists", "krapivin2009", "www", "kdd")
COLLECTIONS: Final = (
    StudyCollection(
        "SemEval-2010 train",
        (TrainingPart("semeval2010/train", ("author", "reader", "combined"), Style.READER, rules=TELLING),),
        (
            Question(Style.READER, "combined", ("F@5", "F@15")),
            Question(Style.AUTHOR, "author", ("F@15",)),
        ),
        RULES,
        shown=15,
    ),
    StudyCollection(
        "Inspec train and validation",
        tuple(
            TrainingPart(f"inspec/{split}", ("uncontr", "contr"), Style.INDEXER, every=_SHARE)
            for split in ("train", "validation")
        ),
        (Question(Style.INDEXER, "uncontr", ("F@10",)),),
        BY_DOCUMENT,
        shown=10,
    ),
    StudyCollection(
        "KP20k-small training abstracts",
        (
            TrainingPart(
                "train_mix/author", ("author",), Style.AUTHOR, besides={"source": _OTHER_SOURCES}, every=_SHARE
            ),
        ),
        (Question(Style.AUTHOR, "author", ("F@5",)),),
        BY_DOCUMENT,
        shown=5,
    ),
)
"""In the order of the tables."""


def collection(name: str) -> StudyCollection:
    """Return a collection of the study by its name.

    Raises:
        UnknownName: it is not studied.
    """
    for studied in COLLECTIONS:
        if studied.name == name:
            return studied
    names = [studied.name for studied in COLLECTIONS]
    raise unknown_name("collection of the study", name, names, "python -m studies --help")
