"""Extractors with calibrated probabilities, selective extraction by them, and probabilities of named phrases."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from keywright.calibration.calibrators.calibrator import DIGITS, Calibrator, check_same_system
from keywright.calibration.calibrators.parametric import Correctness
from keywright.calibration.guarantees import Guarantee, check_most
from keywright.calibration.phrases import JudgedPhrases, PhraseFeatures, compute_list_features, locate_spans
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Ranking
from keywright.core.choices import Confidence
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.interfaces import Extractor, rank_document
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure
from keywright.core.signatures import signature
from keywright.extraction.ranking.rank import count_by_expected_f1


class _Layer(ABC):
    """An extractor that changes the ranking of an inner one."""

    inner: Extractor

    @property
    def needs(self) -> frozenset[str]:
        """Inherit the inner system's needs."""
        return self.inner.needs

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the phrases of a document."""
        return self.extract_first(document)

    @abstractmethod
    def extract_first(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank the first phrases; as many as in calibration are considered in any case."""


@dataclass(frozen=True)
class Calibrated(_Layer):
    """An extractor whose phrases have probabilities.

    inner       the system
    calibrator  fitted on phrases of this system

    Raises:
        BadParameter: the calibrator is another system's (``check_same_system``).
    """

    inner: Extractor
    calibrator: Calibrator

    name: ClassVar[str] = "calibrated"

    def __post_init__(self) -> None:
        check_same_system(self.calibrator.card.system, signature(self.inner), "this is")

    def extract_first(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank as the system does, with probabilities."""
        wanted = None if depth is None else max(depth, self.calibrator.card.depth)
        return self.change_ranking(rank_document(self.inner, document, wanted))

    def change_ranking(self, ranking: Ranking) -> Ranking:
        """Return a ranking of the inner system, as deep as calibration, with probabilities it did not withhold."""
        if self.calibrator.card.confidence == Confidence.PROBABILITY and ranking.withheld:
            return replace(ranking, profile=(0,) * len(self.calibrator.reference.counts))
        first_features = self._features(ranking, self.calibrator.card.depth)

        def probabilities(positions: Ints) -> Floats:
            length = int(positions.max(initial=-1)) + 1
            features = first_features if length <= len(first_features) else self._features(ranking, length)
            # All rows at once: the last bit of a matrix product can depend on which rows are beside each other.
            return np.asarray(self.calibrator.model.probabilities(features)[positions])

        profile = self.calibrator.profile(first_features)
        return replace(ranking, probabilities=probabilities, profile=profile, assumes=None, withheld="")

    def _features(self, ranking: Ranking, length: int) -> PhraseFeatures:
        keyphrases, card = ranking.keyphrases(length), self.calibrator.card
        without = any(keyphrase.probability is None for keyphrase in keyphrases)
        if without and card.confidence == Confidence.PROBABILITY:
            message = f"{self.inner.name} gives no probabilities here, which the calibrator would correct"
            raise BadRecord(message, "calibrate a run of such documents, or with --score-field score")
        occurrence = locate_spans(keyphrases, len(ranking.source.text))
        return compute_list_features(keyphrases, card.confidence, occurrence, card.depth)


@dataclass(frozen=True, slots=True)
class Cut:
    """Selection of the phrases of a list by their probabilities."""

    least: float | None = None  # least probability of a phrase, 0 to 1; None leaves the length of lists to the system
    most: int | None = None  # longest list: of the phrases that pass the best ranked are shown; None for any
    abstain_below: float = 0.0  # a document has an empty list if its most probable phrase is less probable than this
    best_f1: bool = False  # whether the length maximises the expected F1 of the document (``ranking.by_document``)

    def __post_init__(self) -> None:
        for name, value in (("least", self.least), ("abstain_below", self.abstain_below)):
            if value is not None and not 0 <= value <= 1:
                raise BadParameter(f"{name} {value:g}", "expected a probability from 0 to 1")
        check_most(self.most)

    @property
    def sets_length(self) -> bool:
        """True if the cut decides the length of lists, in place of the system."""
        return self.least is not None or self.best_f1

    def select(self, probabilities: Floats) -> Bools:
        """Return whether each phrase of a list, best ranked first, is shown, (phrases,)."""
        selected: Bools = probabilities >= (self.least or 0.0)
        if not len(selected) or probabilities.max() < self.abstain_below:
            return np.zeros(len(selected), dtype=bool)
        if self.best_f1:
            order = np.argsort(-probabilities, kind="stable")
            selected[order[count_by_expected_f1(probabilities[order], self.most) :]] = False
        return selected if self.most is None else selected & (np.cumsum(selected) <= self.most)


@dataclass(frozen=True)
class Limited(_Layer):
    """An extractor that shows the phrases selected by a cut.

    inner      with probabilities; as many of its phrases are considered as in calibration
    cut        which of them are shown
    guarantee  guarantee that the cut was chosen for; None without one
    """

    inner: Calibrated
    cut: Cut
    guarantee: Guarantee | None = field(default=None, metadata={"signed": False})  # the cut decides the output

    name: ClassVar[str] = "limited"

    def extract_first(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank the selected phrases in the system's order, looking at as many first phrases as in calibration."""
        pool = self.inner.calibrator.card.depth
        wanted = pool if self.cut.sets_length or depth is None else max(depth, pool)
        return self.change_ranking(self.inner.extract_first(document, wanted))

    def change_ranking(self, ranking: Ranking) -> Ranking:
        """Return the selected phrases of a calibrated ranking of as many phrases as in calibration at least."""
        pool = self.inner.calibrator.card.depth
        # Rounded like the probabilities that thresholds are chosen on.
        probabilities = np.round([keyphrase.probability or 0.0 for keyphrase in ranking.keyphrases(pool)], DIGITS)
        selected = self.cut.select(probabilities)
        if len(selected) and not selected.any():
            reason = "there are no probabilities here, by which phrases would be selected"
            if ranking.probabilities is not None:
                reason = f"the most probable phrase has {probabilities.max():.2f}, less than is asked for"
            ranking = replace(ranking, warnings=(*ranking.warnings, f"no keyphrase: {reason}"))
        if self.cut.sets_length:
            return replace(ranking.where(np.flatnonzero(selected)), chosen=int(selected.sum()))
        if not selected.any():
            return replace(ranking.where(np.arange(0)), chosen=None if ranking.chosen is None else 0)
        return ranking.where(np.arange(len(ranking))[: self.cut.most])


def drop_abstained(judged: JudgedPhrases, below: float) -> JudgedPhrases:
    """Return judged phrases without those of documents whose most probable phrase is less probable than this."""
    best = np.zeros(len(judged.ids))
    np.maximum.at(best, judged.document, judged.confidence)
    return judged.where(best[judged.document] >= below)


def calibrate_phrases(
    phrases: Sequence[Keyphrase | Failure], calibrator: Calibrator, document: Document
) -> list[Keyphrase | Failure]:
    """Return named phrases with a calibrator's probabilities; none where it looks at ranks or lists."""
    kind = calibrator.card.confidence
    if kind in {Confidence.SCORE, Confidence.PROBABILITY} or isinstance(calibrator.model.map, Correctness):
        return list(phrases)
    results: list[Keyphrase | Failure] = []
    for each in phrases:
        if isinstance(each, Keyphrase):
            features = compute_list_features([each], kind, locate_spans([each], len(document.text)))
            results.append(replace(each, probability=float(calibrator.model.probabilities(features)[0])))
        else:
            results.append(each)
    return results


def calibrated_generator(folder: Path) -> Extractor:
    """Return a trained generator's system, with the calibrator of its folder if there is one.

    Raises MissingData: there is no generator; BrokenFile: card or calibrator is damaged.
    """
    from keywright.neural.model_folder import CALIBRATOR  # noqa: PLC0415 - most extraction does without
    from keywright.neural.systems.generator_system import load_system  # noqa: PLC0415 - most extraction does without

    generator, file = load_system(folder), folder / CALIBRATOR
    return Calibrated(generator, Calibrator.read(file)) if file.is_file() else generator
