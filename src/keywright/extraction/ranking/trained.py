"""The frame of systems that learn from features of their candidates, so that a system's file shows its paper only."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self, TypeVar, cast

import numpy as np

from keywright.core.arrays import Bools, Floats, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.errors import NotFitted, unknown_name
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.learners.examples import training_rows
from keywright.extraction.ranking.rank import rank

Part = TypeVar("Part")
Column = TypeVar("Column")


class FeatureSystem(ABC):
    """A system that describes the candidates of a document by features, and learns a model of them."""

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})
    model: Any  # a field, None before training

    @abstractmethod
    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return the phrases that may be keyphrases."""

    @abstractmethod
    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Numbers | Bools]:
        """Return the features by name, (candidates,) each."""

    def features(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return what a model sees of the candidates, (candidates, features)."""
        return self.measure_candidates(candidates, document)[0]

    def measure_candidates(
        self, candidates: Candidates, document: AnalysedDocument
    ) -> tuple[Floats, dict[str, Floats]]:
        """Return the features, (candidates, features), and the same as evidence by name."""
        columns = self.feature_columns(candidates, document)
        rows: Floats = np.column_stack((np.zeros((len(candidates), 0)), *columns.values())).astype(float, copy=False)
        return rows, dict(zip(columns, rows.T, strict=True))

    def score_candidates(self, document: AnalysedDocument) -> tuple[Candidates, Floats, dict[str, Floats]]:
        """Return the candidates, the scores that the model gives them, (candidates,), and the features by name."""
        model = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        rows, evidence = self.measure_candidates(candidates, document)
        return candidates, (model.log_odds if hasattr(model, "log_odds") else model.scores)(rows), evidence

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the candidates by the model's scores, such as the odds of being a keyphrase."""
        return rank(document, *self.score_candidates(document))


class LearningSystem(FeatureSystem):
    """A system that counts its training documents, and learns a model of features that use these counts.

    collection  counts of the training documents
    """

    collection: LabelledCollection | None
    least_documents: ClassVar[int] = 1  # See ``least`` of ``LabelledCollection.of``

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn what the collection knows, then the model."""
        examples = list(labelled)
        prepared = self.prepare(examples)
        rows, answers = training_rows(examples, prepared.candidates, prepared.features)
        return cast("Self", replace(cast("Any", prepared), model=self.learn(rows, answers)))

    def prepare(self, examples: list[LabelledDocument[AnalysedDocument]]) -> Self:
        """Return the system with what describes candidates, counted over the training documents."""
        collection = LabelledCollection.of(examples, lambda each: self.counted_phrases(each).key, self.least_documents)
        return cast("Self", replace(cast("Any", self), collection=collection))

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return the phrases whose document frequency will be looked up."""
        return self.candidates(document)

    def learn(self, rows: Floats, answers: Bools) -> Any:
        """Return a model of features, (rows, features), and labels, (rows,); naive Bayes over intervals unless said."""
        return DiscretisedNaiveBayes.fit(rows, answers)

    @property
    def counts(self) -> LabelledCollection:
        """Counts of the training documents."""
        return require_fitted(self.collection, self.name)


def require_fitted(part: Part | None, system: str) -> Part:
    """Return a part that training made; raise ``NotFitted`` where the system is used before it was trained."""
    if part is None:
        hint = f"keywright train {system} semeval2010/train -o DIR, then --system DIR"
        raise NotFitted(f"the system {system} has not been trained", hint)
    return part


def chosen_columns(columns: Mapping[str, Column], without: Collection[str], system: str) -> dict[str, Column]:
    """Return a system's features by name without some of them, for ablations."""
    for name in without:
        if name not in columns:
            raise unknown_name(f"feature of {system}", name, columns, f"keywright systems {system}")
    return {name: column for name, column in columns.items() if name not in without}
