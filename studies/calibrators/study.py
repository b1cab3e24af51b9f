"""How right the probabilities of each calibrator are, and how many labelled documents it takes.

A collection is divided again and again: a few documents calibrate, and the others are asked. Every method is fitted on
a hundred documents, and the first, beta, on fewer and more. Then each generator's calibrators are fitted on two
collections and asked about the third. Generators bring the released predictions of the calibration study; extractors
run over training data, where any gold may be looked at.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.calibration.calibrators.features import together
from keywright.calibration.calibrators.model import METHODS, ProbabilityModel
from keywright.calibration.measures.ece import calibration_error, noise_floor
from keywright.core.arrays import Bools, Floats
from keywright.core.interfaces import Progress
from keywright.evaluation.rules import PhraseClass
from keywright.experiments.kpg_calibration.predictions import COLLECTIONS, STUDIED
from keywright.experiments.layouts import uniform_lines
from keywright.experiments.run_units import run_units
from keywright.experiments.study import Study
from studies.calibrators.data import Phrases
from studies.calibrators.rows import AS_GIVEN, OTHERS, SAME, Calibrated
from studies.calibrators.tables import plots, sheets

SPLITS: Final = 20
USUAL: Final = 100
"""Documents that all methods are fitted on."""
SIZES: Final = (20, 50, 100, 200)
"""Documents that the first method is fitted on."""

GENERATED: Final = ("inspec", "krapivin")
EXTRACTORS: Final = ("kpminer", "tfidf", "yake")
EXTRACTED: Final = ("inspec/validation", "news500n/train")

_SEED: Final = 20261121
_LEFT: Final = 100
"""Documents that are asked, at the least."""
_SAMPLES: Final = 50
_DIGITS: Final = 6
_FIRST: Final = next(iter(METHODS))

Find: TypeAlias = Callable[[str], Any]
Key: TypeAlias = tuple[str, str, int]


def rows(
    progress: Progress | None = None,
    find: Find | None = None,
    mirror: Path | None = None,
    *,
    jobs: int | None = None,
    splits: int = SPLITS,
) -> tuple[Calibrated, ...]:
    """Errors of every system, data set, class of phrases, method and number of documents.

    Args:
        progress: told how many systems are done on a data set, of how many.
        find: an extractor's class by its name; None leaves extractors out.
        mirror: folder of data sets, where it is not the usual one.
        jobs: processes.
        splits: how often each collection is divided.

    Raises:
        MissingData: predictions or a data set are not on this machine.
    """
    units = [(system, data) for data in GENERATED for system in STUDIED]
    if find:
        units += [(system, data) for data in EXTRACTED for system in EXTRACTORS]
    units += [(system, OTHERS) for system in STUDIED]
    made = run_units(Trial(find, mirror, splits), units, progress, jobs)
    return tuple(row for _, some in made for row in some)


@dataclass(frozen=True, slots=True)
class Trial:
    """Fits calibrators of a system on parts of a data set, and asks them about the rest; travels to other processes.

    Attributes:
        find: an extractor's class by its name.
        mirror: folder of data sets, where it is not the usual one.
        splits: how often is divided.
    """

    find: Find | None = None
    mirror: Path | None = None
    splits: int = SPLITS

    def __call__(self, unit: tuple[str, str]) -> tuple[Calibrated, ...]:
        """Rows of a system on a data set, or of a generator on each collection after the others."""
        system, data = unit
        if data == OTHERS:
            return tuple(self._moved(system))
        phrases = self._phrases(system, data)
        tried = defaultdict(list)
        for seed in range(self.splits):
            for key, numbers in _split(phrases, seed):
                tried[key].append(numbers)
        return tuple(_row(unit, key, SAME, np.array(some)) for key, some in tried.items())

    def _moved(self, system: str) -> Iterator[Calibrated]:
        """Rows of a generator, each collection asked of what was fitted on the others."""
        known = {name: Phrases.of_generator(system, name, self.mirror) for name in COLLECTIONS}
        for name, phrases in known.items():
            others = [one for other, one in known.items() if other != name]
            seen, correct = (
                together([one.seen for one in others]),
                np.concatenate([one.judged.correct for one in others]),
            )
            size, all_ = sum(len(one.judged.ids) for one in others), np.ones(len(phrases.seen), bool)
            for method in METHODS:
                model = ProbabilityModel.fit(seen, correct, method, confident=True)
                for key, numbers in _asked(phrases, all_, (method, size), model.of(phrases.seen)):
                    yield _row((system, name), key, OTHERS, numbers[None])

    def _phrases(self, system: str, data: str) -> Phrases:
        if data in GENERATED or self.find is None:
            return Phrases.of_generator(system, data, self.mirror)
        return Phrases.of_extractor(self.find(system), data, self.mirror)


def _split(phrases: Phrases, seed: int) -> Iterator[tuple[Key, Floats]]:
    """Numbers of each class, method and number of documents, from one order of the documents."""
    documents = len(phrases.judged.ids)
    order = np.random.Generator(np.random.PCG64([_SEED, seed])).permutation(documents)
    for size in SIZES:
        if documents - size < _LEFT:
            continue
        fits = np.isin(phrases.judged.document, order[:size])
        for method in METHODS if size == USUAL else (_FIRST,):
            seen, correct = phrases.seen.where(fits), phrases.judged.correct[fits]
            model = ProbabilityModel.fit(seen, correct, method, confident=phrases.confident)
            yield from _asked(phrases, ~fits, (method, size), model.of(phrases.seen))
        if size == USUAL and phrases.confident:
            yield from _asked(phrases, ~fits, (AS_GIVEN, size), phrases.seen.confidence)


def _asked(phrases: Phrases, rest: Bools, name: tuple[str, int], likely: Floats) -> Iterator[tuple[Key, Floats]]:
    """Error, noise floor and Brier score of each class that there is."""
    method, size = name
    for part, rows_ in ((PhraseClass.PRESENT, phrases.judged.present), (PhraseClass.ABSENT, ~phrases.judged.present)):
        some = rows_ & rest
        if some.any():
            said, right = likely[some], phrases.judged.correct[some]
            floor = noise_floor(said, samples=_SAMPLES).error
            numbers = np.array([calibration_error(said, right), floor, np.square(said - right).mean()])
            yield (part.value, method, size), numbers


def _row(unit: tuple[str, str], key: Key, fitted: str, tried: Floats) -> Calibrated:
    """The mean of all splits; ``tried`` is (splits, numbers)."""
    (system, dataset), (phrase_class, method, documents) = unit, key
    error, floor, brier = np.round(tried.mean(0), _DIGITS).tolist()
    spread = round(float(tried[:, 0].std()), _DIGITS)
    return Calibrated(system, dataset, phrase_class, method, fitted, documents, len(tried), error, spread, floor, brier)


STUDY: Final = Study("calibrators", rows, (Calibrated,), sheets, plots, uniform_lines)
