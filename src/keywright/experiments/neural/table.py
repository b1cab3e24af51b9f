"""Small generators trained here, beside the published rows of the paper-size ones and three extractors.

Kundu, Ray Chowdhury and Caragea (Neural Keyphrase Generation: Analysis and Evaluation) print F1@M, F1@5 and the
calibration error of five generators of up to 223 million weights, trained on 510,000 abstracts of KP20k or fine-tuned
there. Ours have some ten million weights, start from random ones, and learn from 24,743 documents: the published rows
show how far that goes, not a target of equal conditions.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from keywright.calibration.calibrators.calibrated import Calibrated
from keywright.calibration.judgements.confidence import Confidence
from keywright.calibration.judgements.judging import Decisions, decide
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import unknown
from keywright.core.interfaces import Extractor, Progress, innermost
from keywright.core.predictions import Run
from keywright.datasets.collection import load
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.run_formats.pairing import Judged
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import with_intervals
from keywright.execution import collection_runs
from keywright.execution.extraction import Extraction
from keywright.execution.phrase_filter import UNFILTERED, PhraseFilter
from keywright.experiments.kpg_calibration import figures
from keywright.experiments.kpg_calibration.predictions import STUDIED
from keywright.experiments.kpg_calibration.table import published
from keywright.experiments.layouts import PERCENT
from keywright.experiments.neural.small_generators import Find, Train, small_generator
from keywright.experiments.reliability import Shown, reliability
from keywright.experiments.study import Row
from keywright.neural.systems.generator_system import GeneratorSystem
from keywright.neural.systems.one2set import One2Set
from keywright.text.languages import ByLanguage

NAME: Final = "neural"
EXTRACTORS: Final = ("tfidf", "yake", "default")
"""Extractors beside the generators, with their usual parameters; all but ``SUGGESTS`` have present phrases only."""
SUGGESTS: Final = "default"
"""Extractor that is asked for absent phrases as well (``--absent``)."""
DATASETS: Final[Mapping[str, str | None]] = MappingProxyType(
    {
        "inspec/test": "inspec",
        "krapivin_abstracts/test400": "krapivin",
        "krapivin_abstracts/test": None,
        "semeval2010_abstracts/test": "semeval2010",
        "kp20k_small/test": "kp20k",
    }
)
"""Collections in the published tables by data set; none prints the 460 abstracts of Krapivin."""
POOLED: Final = tuple(name for name, collection in DATASETS.items() if collection)
"""Data sets whose phrases the figures pool; the 460 abstracts of Krapivin contain the 400."""
GOLD: Final[Mapping[str, str]] = MappingProxyType({"inspec/test": "uncontr"})
"""Kind of gold of data sets that have several: that of the published tables."""
LENGTH: Final = 50
"""Phrases of a list at most, more than any generator here writes greedily."""
WIDTH: Final = 20
"""Hypotheses of the beam beside greedy decoding: of 1, 5, 10 and 20, the best on 200 documents of the validation, where
F1@5 of One2Seq grew from .12 to .21; a wider one takes minutes for a hundred documents."""
_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_FULL_KP20K: Final = "the published number is of all 20,000 test abstracts of KP20k, ours of 1,000 of them"


@dataclass(frozen=True, slots=True)
class Tested:
    """A system's keyphrases of a data set."""

    system: str
    dataset: str
    run: Run
    labelled: tuple[LabelledDocument[Document], ...]
    variant: str | None = None

    @property
    def collection(self) -> str | None:
        """Name in the published tables, which are of greedy decoding."""
        return None if self.variant else DATASETS[self.dataset]

    @property
    def protocol(self) -> Protocol:
        """The rules, for the kind of gold that the published tables are about."""
        gold = GOLD.get(self.dataset)
        return replace(KPG, golds=(gold,)) if gold else KPG

    @property
    def note(self) -> str:
        """Explanation of the documents that the published number is of, where ours is of others."""
        return _FULL_KP20K if self.collection == "kp20k" else ""


def rows(
    systems: Collection[str] | None = None,
    progress: Progress | None = None,
    *,
    find: Find,
    train: Train,
) -> tuple[Row, ...]:
    """Train the generators that are not trained yet, then score them and the extractors on the test sets.

    ``find`` gives a system's class by its name; ``train`` is ``keywright.train``. ``progress`` gets the steps of a
    training, then the documents of all test sets, for one system after the other.
    """
    names = (*STUDIED, *EXTRACTORS)
    for name in systems or ():
        if name not in names:
            raise unknown("system", name, names, f"keywright reproduce {NAME}")
    data = {name: tuple(load(name)) for name in DATASETS}
    table: list[Row] = []
    for name in names:
        if systems and name not in systems:
            continue
        generates = name in STUDIED
        classes = _CLASSES if generates or name == SUGGESTS else _CLASSES[:1]
        system = small_generator(name, find, train, progress) if generates else find(name)()
        tested = list(_tested(name, system, data, progress))
        table += [row for each in tested for row in _scores(each, classes)]
        if name == SUGGESTS:
            table += _errors_of_suggestions(tested)
        if generates:
            table += _confidence(name, tested, calibrated=isinstance(system, Calibrated))
        if longer := with_longer_lists(system):
            variant, generator = longer
            tested = list(_tested(name, generator, data, progress, variant))
            table += [row for each in tested for row in _scores(each, _CLASSES)]
    return tuple(table)


def with_longer_lists(system: Extractor) -> tuple[str, GeneratorSystem] | None:
    """Return how a generator writes more phrases, all slots or a beam, and that generator; None for extractors."""
    generator = innermost(system)
    if isinstance(generator, One2Set):
        return "all slots", replace(generator, fill_slots=True, order="confidence")
    if isinstance(generator, GeneratorSystem):
        return f"beam {WIDTH}", replace(generator, decoding="beam", width=WIDTH)
    return None


def _tested(
    name: str,
    system: Extractor,
    data: Mapping[str, tuple[LabelledDocument[Document], ...]],
    progress: Progress | None,
    variant: str | None = None,
) -> Iterator[Tested]:
    """Yield a system's keyphrases of each data set."""
    phrase_filter = PhraseFilter(absent=True) if name == SUGGESTS else UNFILTERED
    extraction = Extraction(ByLanguage(None), system, LENGTH, phrase_filter=phrase_filter, meta=False)
    every, done = sum(map(len, data.values())), 0
    for dataset, labelled in data.items():
        run = collection_runs.run(extraction, [each.document for each in labelled])
        done += len(labelled)
        if progress:
            progress(done, every)
        yield Tested(name, dataset, run, labelled, variant)


def _scores(tested: Tested, classes: Collection[PhraseClass]) -> Iterator[Row]:
    """Yield F1@M and F1@5 of a system, with intervals; an extractor has no length of its own, so no F1@M."""
    report = with_intervals(Judged(tested.run, tested.labelled).report(tested.protocol), tested.protocol, Resampling())
    for part in classes:
        printed = published()["f1"][part].get(tested.system, {}).get(tested.collection, (None, None))
        for measure, value in zip(("F@M", "F@5"), printed, strict=True):
            if measure == "F@M" and tested.system in EXTRACTORS:
                continue
            low, high = report.intervals[f"{part}/{measure}"]
            yield Row(
                measure,
                value,
                round(report.values[f"{part}/{measure}"], 4),
                tested.system,
                dataset=tested.dataset,
                interval=(round(low, 4), round(high, 4)),
                phrase_class=part,
                variant=tested.variant,
                note="" if value is None else tested.note,
            )


def _confidence(name: str, tested: Collection[Tested], *, calibrated: bool) -> Iterator[Row]:
    """Yield the calibration errors of a generator, and the numbers behind the study's figures."""
    decisions = {each.dataset: decide(each.run, each.labelled, each.protocol) for each in tested}
    for each in tested:
        for part in _CLASSES:
            printed = published()["ece"][part].get(name, {}).get(each.collection)
            yield from _error(each, decisions[each.dataset], part, Confidence.KPP_S, "generated", printed)
            if calibrated:
                yield from _error(each, decisions[each.dataset], part, Confidence.PROBABILITY, "calibrated", None)
    yield from figures.rows(name, {dataset: decisions[dataset] for dataset in POOLED})


def _errors_of_suggestions(tested: Collection[Tested]) -> Iterator[Row]:
    """Yield the calibration errors of absent phrases; those of the text have no probability in some documents."""
    for each in tested:
        suggested = (
            replace(prediction, keyphrases=tuple(phrase for phrase in prediction.keyphrases if not phrase.present))
            for prediction in each.run.predictions
        )
        decisions = decide(replace(each.run, predictions=tuple(suggested)), each.labelled, each.protocol)
        yield from _error(each, decisions, PhraseClass.ABSENT, Confidence.PROBABILITY, "calibrated", None)


def _error(
    tested: Tested,
    decisions: Decisions,
    part: PhraseClass,
    confidence: Confidence,
    variant: str,
    printed: float | None,
) -> Iterator[Row]:
    """Yield the calibration error, percent, and the error that exact probabilities would show; nothing of nothing."""
    columns = decisions.columns(confidence)
    phrases = columns.where(columns.present == (part is PhraseClass.PRESENT))
    if not len(phrases):
        return
    row = reliability(tested.dataset, tested.system, Shown(phrases.confidence, phrases.correct, phrases.document))
    where = Row("ECE", None, None, tested.system, dataset=tested.dataset, phrase_class=part, variant=variant)
    low, high = (round(PERCENT * end, 2) for end in row.interval)
    note = "" if printed is None else tested.note
    error, floor = round(PERCENT * row.error, 2), round(PERCENT * row.floor.error, 2)
    yield replace(where, published=printed, ours=error, interval=(low, high), note=note)
    yield replace(where, measure="ECE-noise-floor", ours=floor)
