"""Calibration error of probabilities on a collection of which a few documents are labelled, before and after.

Documents are drawn to calibrate, and the others evaluate. ``errors_after`` takes columns of any system's phrases, so
that probabilities of other models can be measured the same way; ``evaluate`` those of the default extractor as it
ships, on collections that it was not trained on and, for comparison, on parts of its training data.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Final, Self

import numpy as np

from keywright.calibration.calibrators.features import PhraseFeatures
from keywright.calibration.calibrators.fitting import fitted_weights, logit
from keywright.calibration.calibrators.model import METHODS
from keywright.calibration.calibrators.shift import SHIFT, STRENGTH, Shift
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import KPG_WHOLE_TEXT, decide
from keywright.calibration.judgements.phrases import JudgedPhrases
from keywright.calibration.measures.ece import calibration_error, noise_floor
from keywright.catalogue import system_class
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.interfaces import ranked
from keywright.core.predictions import Run
from keywright.core.signatures import signature
from keywright.datasets.collection import load
from keywright.experiments.study import TableRow
from keywright.text.analyser import TextAnalyser
from studies.calibrators.rows import AS_GIVEN
from studies.everyday.study import OPEN

NEW: Final[Mapping[str, str]] = MappingProxyType(
    {
        "everyday": str(OPEN),
        "citeulike_tags": "citeulike_tags/train",
        "fao_agrovoc": "fao_agrovoc/train",
        "pubmed_mesh": "pubmed_mesh/train",
        "wicc_es": "wicc_es/train",
    }
)
"""Collections that the default was not trained on, by their names in tables."""
TRAINED: Final[Mapping[str, str]] = MappingProxyType(
    {"semeval2010": "semeval2010/train", "inspec": "inspec/validation", "news500n": "news500n/train"}
)
"""Parts of the default's training data, by their names in tables."""
SIZES: Final = (2, 3, 4, 5, 10, 20, 50, 100)
"""Documents that calibrate; arbitrary."""
COMPARED: Final = frozenset({5, 10, 20, 50, 100})
"""Numbers of documents at which all methods are compared."""
OTHERS: Final = ("platt", "beta", "isotonic")
"""Methods that the shift is compared with."""
PRIORS: Final = frozenset({5, 10, 20})
"""Numbers of documents at which strengths of the prior are compared: with more, it does not matter."""
STRENGTHS: Final = (0.1, 0.3, 1.0, 3.0, 10.0)
"""Strengths of the shift's prior that are compared; about equal steps."""
DRAWS: Final = 20
"""Draws of documents that calibrate; arbitrary."""
SHOWN: Final = 15
"""Phrases of each document that are shown; the longest list of the shared task."""
MOST: Final = 200
"""Documents of a collection, evenly spaced; arbitrary."""
_LEAST_REST: Final = 5
"""Documents that evaluate, at least; a third of the smallest collection."""
_SEED: Final = 20261122
"""Arbitrary."""
_SAMPLES: Final = 20
"""Samples of the noise floor, fewer than usual: it is computed for each draw; arbitrary."""
_DIGITS: Final = 6
"""Decimals of stored values."""
_LISTED: Final = frozenset({"wicc_es/train"})
"""Data with documents that print their authors' list of keywords, which is the gold; these are left out."""
_LISTS: Final = re.compile(r"palabras?\s+claves?|key\s?words", re.IGNORECASE)
"""Beginnings of such lists in Spanish and English."""


@dataclass(frozen=True, slots=True)
class AfterFew(TableRow):
    """Error of the phrases shown for the documents of a collection that did not calibrate.

    Attributes:
        dataset: name of the collection.
        trained: whether the system was trained on it.
        method: of calibration; ``none`` for unchanged probabilities, ``shift 3`` for a prior of strength 3.
        documents: number that calibrated.
        draws: of documents; the following values are means over them.
        error: expected calibration error, ten equal bins, 0 to 1.
        spread: standard deviation of the error over the draws.
        floor: the error that the shift's probabilities would show if they were exact, of as many phrases.
    """

    part: ClassVar[str] = "few documents"

    dataset: str
    trained: bool
    method: str
    documents: int
    draws: int
    error: float
    spread: float
    floor: float


@dataclass(frozen=True, slots=True, eq=False)
class ShownPhrases:
    """Phrases shown by a system with probabilities; every column is (phrases,).

    Attributes:
        probability: the system's own, 0 to 1.
        correct: whether the phrase is a keyphrase.
        document: index of its document, from 0 on.
    """

    probability: Floats
    correct: Bools
    document: Ints

    @classmethod
    def of_default(cls, data: str, mirror: Path | None = None) -> Self:
        """Return the phrases that the default extractor shows for a data set.

        Raises:
            MissingData: the data set is not on this machine.
        """
        collection = load(data, mirror)
        usable = [one for one in collection if one.gold and not (data in _LISTED and _LISTS.search(one.document.text))]
        labelled = tuple(usable[:: -(-len(usable) // MOST)])
        system, analyser = system_class("default")(), TextAnalyser()
        predictions = tuple(
            ranked(system, analyser.analyse(document.document), SHOWN).prediction(SHOWN) for document in labelled
        )
        run = Run(signature(system), collection.signature, signature(analyser), predictions)
        judged = decide(run, labelled, KPG_WHOLE_TEXT).columns(Confidence.PROBABILITY)
        return cls.of_judged(judged)

    @classmethod
    def of_judged(cls, judged: JudgedPhrases) -> Self:
        """Return judged phrases whose confidence is a probability."""
        return cls(judged.confidence, judged.correct, judged.document)

    def where(self, rows: Bools) -> Self:
        """Return some of the phrases."""
        return type(self)(self.probability[rows], self.correct[rows], self.document[rows])

    @property
    def features(self) -> PhraseFeatures:
        """The phrases as calibrators see them: present, and alike but for their probability."""
        ones = np.ones(len(self.correct), np.int64)
        return PhraseFeatures(self.probability, self.probability, ones, ones, ones, ones > 0, ones, self.probability)


def evaluate(
    name: str, mirror: Path | None = None, draws: int = DRAWS, phrases: ShownPhrases | None = None
) -> tuple[AfterFew, ...]:
    """Return the rows of a collection: the errors of the default, or of other phrases of it."""
    trained = name in TRAINED
    shown = phrases or ShownPhrases.of_default((TRAINED if trained else NEW)[name], mirror)
    rows = []
    for (method, documents), values in errors_after(shown, draws).items():
        error, floor = np.round(values.mean(0), _DIGITS).tolist()
        spread = round(float(values[:, 0].std()), _DIGITS)
        rows.append(AfterFew(name, trained, method, documents, len(values), error, spread, floor))
    return tuple(rows)


def errors_after(phrases: ShownPhrases, draws: int = DRAWS) -> dict[tuple[str, int], Floats]:
    """Return calibration error and noise floor of each draw, (draws, 2), by method and number of documents.

    A method that cannot be fitted on a draw, since all of its phrases are right or all wrong, leaves probabilities
    unchanged. Numbers that leave fewer than five documents to evaluate are left out.
    """
    total = int(phrases.document.max(initial=-1)) + 1
    values: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for draw in range(draws):
        order = np.random.Generator(np.random.PCG64([_SEED, draw])).permutation(total)
        for documents in SIZES:
            if total - documents < _LEAST_REST:
                continue
            calibrates = np.isin(phrases.document, order[:documents])
            rest = phrases.where(~calibrates)
            calibrated = _calibrated(phrases.where(calibrates), rest, documents)
            floor = noise_floor(calibrated[SHIFT], samples=_SAMPLES).error
            for method, probabilities in calibrated.items():
                pair = (calibration_error(probabilities, rest.correct), floor)
                values.setdefault((method, documents), []).append(pair)
    return {key: np.array(pairs) for key, pairs in values.items()}


def _calibrated(labelled: ShownPhrases, rest: ShownPhrases, documents: int) -> dict[str, Floats]:
    """Return the probabilities of the rest: unchanged, by each method, and by shifts with other priors."""
    features, correct = labelled.features, labelled.correct
    calibrated = {AS_GIVEN: rest.probability, SHIFT: Shift.fit(features, correct).probabilities(rest.features)}
    if documents in COMPARED:
        fittable = correct.any() and not correct.all()
        for method in OTHERS:
            fitted = METHODS[method].fit(features, correct).probabilities(rest.features) if fittable else None
            calibrated[method] = rest.probability if fitted is None else np.clip(fitted, 0.0, 1.0)
    if documents in PRIORS:
        offset = logit(features.confidence)
        for strength in STRENGTHS:
            penalty = Shift.penalty() * strength / STRENGTH
            weights = fitted_weights(Shift.rows(features), correct, penalty, offset=offset)
            calibrated[f"{SHIFT} {strength:g}"] = Shift(tuple(weights.tolist())).probabilities(rest.features)
    return calibrated
