"""Training of a ranker of subjects on indexed documents, with what people should know of the result."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from keywright.api.training_results import Trained
from keywright.calibration.measures.ece import calibration_error
from keywright.core.documents import LabelledDocument
from keywright.core.interfaces import Analyser, Progress
from keywright.core.saving import check_place, read_card, save
from keywright.datasets.collection import DataSet
from keywright.execution.system_fitting import card_of
from keywright.subjects.gold_concepts import GoldConcepts, most_lacking
from keywright.subjects.ranker import SubjectRanker
from keywright.subjects.training import CUTOFFS, FOLDS, TrainedSubjects, train_subjects

FEW: Final = 50
"""Documents below which the result is said to be uncertain; arbitrary."""
_NAMED: Final = 3
"""Labels that a note names; arbitrary."""


def train_subject(
    untrained: SubjectRanker,
    data: DataSet,
    analyser: Analyser,
    place: Path | None,
    *,
    force: bool,
    progress: Progress | None,
) -> Trained:
    """Train a ranker of subjects; save it if a folder is named."""
    data.check_learnable()
    if place is not None:
        check_place(place, force=force)
    number = len(data) if progress else 0

    def analysed() -> Any:
        for done, labelled in enumerate(data, 1):
            yield LabelledDocument(analyser.analyse(labelled.document), labelled.gold)
            if progress:
                progress(done, number)

    trained = train_subjects(untrained, analysed())
    notes = _notes(trained)
    card = card_of(trained.ranker, data, analyser) | _about(trained) | {"notes": list(notes)}
    if place is not None:
        save(trained.ranker, place, card)
        card = read_card(place)
    return Trained(trained.ranker, card, saved=place is not None, notes=notes)


def _about(trained: TrainedSubjects) -> dict[str, Any]:
    """Return what the card says beside system, data and date."""
    vocabulary = trained.ranker.vocabulary
    figures = {name: round(value, 4) for name, value in trained.figures.items()}
    error = calibration_error(trained.probabilities, trained.answers)
    return {
        "vocabulary": {
            "sha256": trained.ranker.vocabulary_digest,
            "concepts": len(vocabulary.concepts) if vocabulary and vocabulary.concepts else 0,
            "source": str(vocabulary.card.get("source", "")) if vocabulary else "",
        },
        "documents with subjects": trained.documents,
        "subjects": sum(of_document.number for of_document in trained.subjects),
        "not in the vocabulary": sum(len(of_document.lacking) for of_document in trained.subjects),
        "cross-validated": {"folds": FOLDS, **figures, f"ECE@{CUTOFFS[-1]}": round(error, 4)},
    }


def _notes(trained: TrainedSubjects) -> tuple[str, ...]:
    """Return what people should know of the result."""
    notes = []
    if trained.documents < FEW:
        notes.append(
            f"only {trained.documents} documents: ranks and probabilities are uncertain below some {FEW}; compare the"
            " results with those of the default and --vocabulary before you rely on them"
        )
    if without := len(trained.subjects) - trained.documents:
        notes.append(f"{without} of {len(trained.subjects)} documents have no subject in the vocabulary: left out")
    return (*notes, *_lacking(trained.subjects))


def _lacking(subjects: Sequence[GoldConcepts]) -> tuple[str, ...]:
    """Return a note on keyphrases that are neither labels nor URIs of the vocabulary."""
    lacking, number = (sum(len(each.lacking) for each in subjects), sum(each.number for each in subjects))
    if not lacking:
        return ()
    examples = ", ".join(f"{label!r:.60}" for label in most_lacking(subjects, _NAMED))
    return (f"{lacking} of {number} keyphrases are neither labels nor URIs of the vocabulary, such as {examples}",)
