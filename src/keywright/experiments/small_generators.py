"""Small generators trained here, beside the published rows of the paper-size ones and three extractors.

The published generators have up to 223 million weights and learned from 510,000 abstracts of KP20k (Kundu, Ray
Chowdhury and Caragea); ours have some five million and learn from 24,724 documents, and all see equally many. They are
trained once, kept among the user's cached files, and resumed if stopped.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from keywright.calibration.calibrators.calibrated import Calibrated, calibrated_generator
from keywright.calibration.judging import Decisions, decide
from keywright.core.atomic_files import cache_folder
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, needs_extra
from keywright.core.interfaces import Extractor, Progress, innermost
from keywright.core.pages import Table
from keywright.core.predictions import Run
from keywright.datasets.collection import load
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.rules import PhraseClass
from keywright.experiments.kpg_calibration_table import ERRORS, FIGURES, lay_out_errata, read_printed
from keywright.experiments.kpg_predictions import CLASSES, STUDIED, compute_figures, measure_class, score_run
from keywright.experiments.study import PERCENT, Row, Sheet, Study, choose_systems, lay_out_sheets, round_ends
from keywright.neural.model_folder import CARD, CHECKPOINT, read_generator_card
from keywright.neural.systems.generator_system import GeneratorSystem
from keywright.neural.systems.one2set import One2Set
from keywright.running import runs
from keywright.running.extraction import Extraction
from keywright.running.phrase_filter import UNFILTERED, PhraseFilter
from keywright.text.languages import ByLanguage

PROFILE: Final = "small"
DATA: Final = ("train_mix/author", "train_mix/indexer")
"""Labelled documents to learn from: with keyphrases of authors and indexers, not the tags of the mix."""
Find: TypeAlias = Callable[[str], type[Any]]  # gives a system's class by its name
Train: TypeAlias = Callable[..., Any]  # trains a generator into a folder (``keywright.train``)
TestSets: TypeAlias = Mapping[str, tuple[LabelledDocument[Document], ...]]  # documents with gold by data set
DOCUMENTS: Final = 64_000  # labelled ones that each generator sees, repeats counted: an hour of a core for the slowest


def find_folder(name: str) -> Path:
    """Return the folder of a generator among the user's cached files."""
    return cache_folder("generators") / f"{name}-{PROFILE}"


def load_small_generator(
    name: str, find: Find, train: Train, progress: Progress | None = None, variant: str = "", **options: Any
) -> Extractor:
    """Return a generator with its calibrator, trained first unless that is done; ``BadParameter`` for another one.

    ``options`` of the recipe make a ``variant``, whose name ends the folder's.
    """
    with needs_extra("neural", "training a generator needs torch"):
        from keywright.neural.training.fitting import describe_profile  # noqa: PLC0415 - heavy
        from keywright.neural.training.recipe import find_profile  # noqa: PLC0415 - heavy

    profile, folder = find_profile(name, PROFILE), find_folder(name + variant)
    values = {"steps": DOCUMENTS // profile.recipe.batch, **options}
    if not (folder / CARD).is_file() or (folder / CHECKPOINT).exists():
        tell = (lambda news: progress(news.done, news.steps)) if progress else (lambda _news: None)
        folder.parent.mkdir(parents=True, exist_ok=True)
        train(find(name)(), DATA, folder, PROFILE, recipe=values, tell=tell)
    card = read_generator_card(folder)
    expected = {
        "data": [load(each).signature for each in DATA],
        "profile": describe_profile(replace(profile, recipe=profile.recipe.with_values(values))),
    }
    different = [part for part, value in expected.items() if card.get(part) != value]
    if different:
        raise BadParameter(
            f"the generator in {folder} was trained with other values of {' and '.join(different)}",
            "remove that folder to train it again, or name another cache in KEYWRIGHT_CACHE",
        )
    return calibrated_generator(folder)


NAME: Final = "neural"
EXTRACTORS: Final = ("tfidf", "yake", "default")
"""Extractors beside the generators, with their usual parameters; all but ``SUGGESTS`` have present phrases only."""
SUGGESTS: Final = "default"  # extractor that is asked for absent phrases as well (``--absent``)
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
PART, WHOLE = "krapivin_abstracts/test400", "krapivin_abstracts/test"
"""Data set whose documents are among those of another one."""
GOLD: Final[Mapping[str, str]] = MappingProxyType({"inspec/test": "uncontr"})  # kind of gold of the tables
LENGTH: Final = 50  # phrases of a list at most, more than any generator here writes greedily
WIDTH: Final = 20
"""Hypotheses of the beam beside greedy decoding: of 1, 5, 10 and 20, the best on 200 documents of the validation, where
F1@5 of One2Seq grew from .12 to .21; a wider one takes minutes for a hundred documents."""
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

    def make_row(self, measure: str, part: PhraseClass, printed: float | None) -> Row:
        """Return a row without our value; its note names the documents of the published one where ours are others."""
        note = _FULL_KP20K if printed is not None and DATASETS[self.dataset] == "kp20k" else ""
        row = Row(measure, printed, None, self.system, dataset=self.dataset, phrase_class=part, note=note)
        return replace(row, variant=self.variant)


def compute_small_generators(
    systems: Collection[str] | None = None, progress: Progress | None = None, *, find: Find, train: Train
) -> tuple[Row, ...]:
    """Train generators that are not trained yet, then score them and the extractors on the test sets."""
    chosen = choose_systems(systems, (*STUDIED, *EXTRACTORS), NAME)
    data = load_test_sets()
    table: list[Row] = []
    for name in chosen:
        if name in STUDIED:
            system = load_small_generator(name, find, train, progress)
            table += measure_generator(name, system, data, (find_folder(name),), progress)
            continue
        tested = list(_run_system(name, find(name)(), data, progress))
        table += [row for each in tested for row in _score_tested(each, CLASSES if name == SUGGESTS else CLASSES[:1])]
        table += _measure_suggestions(tested) if name == SUGGESTS else ()
    return tuple(table)


def load_test_sets() -> TestSets:
    """Return the documents that systems are tested on, read once for all of them."""
    return {name: tuple(load(name)) for name in DATASETS}


TRAINED: Final = ("labelled documents", "texts before", "minutes of a core", "weights")  # measures of a training


def measure_generator(
    name: str, system: Extractor, data: TestSets, folders: Sequence[Path], progress: Progress | None = None
) -> Iterator[Row]:
    """Yield scores and calibration errors of a generator, and its training: ``folders``, its own and that before."""
    tested = list(_run_system(name, system, data, progress))
    yield from (row for each in tested for row in _score_tested(each, CLASSES))
    yield from _measure_confidence(name, tested, calibrated=isinstance(system, Calibrated))
    if longer := lengthen_lists(system):
        variant, generator = longer
        for each in _run_system(name, generator, data, progress, variant):
            yield from _score_tested(each, CLASSES)
    cards = list(map(read_generator_card, folders))
    documents = [card["steps"] * card["profile"]["recipe"]["batch"] for card in cards]
    minutes = round(sum(card["core seconds"] for card in cards) / 60)
    for measure, number in zip(TRAINED, (documents[0], sum(documents[1:]), minutes, cards[0]["weights"]), strict=True):
        yield Row(measure, None, number, name)


def lengthen_lists(system: Extractor) -> tuple[str, GeneratorSystem] | None:
    """Return how a generator writes more phrases, all slots or a beam, and that generator; None for extractors."""
    generator = innermost(system)
    if isinstance(generator, One2Set):
        return "all slots", replace(generator, fill_slots=True, order="confidence")
    if isinstance(generator, GeneratorSystem):
        return f"beam {WIDTH}", replace(generator, decoding="beam", width=WIDTH)
    return None


def _run_system(
    name: str, system: Extractor, data: TestSets, progress: Progress | None, variant: str | None = None
) -> Iterator[Tested]:
    phrase_filter = PhraseFilter(absent=True) if name == SUGGESTS else UNFILTERED
    extraction = Extraction(ByLanguage(None), system, LENGTH, phrase_filter=phrase_filter, meta=False)
    results: dict[str, Run] = {}
    for done, dataset in enumerate(sorted(data, key=PART.__eq__)):  # the part is last, and its whole before it
        documents = [each.document for each in data[dataset]]
        if dataset == PART and (whole := results.get(WHOLE)):
            ids = {document.id for document in documents}
            predictions = tuple(each for each in whole.predictions if each.document_id in ids)
            failures = tuple(each for each in whole.failures if each.document_id in ids)
            results[dataset] = replace(whole, predictions=predictions, failures=failures, texts="")
        else:
            results[dataset] = runs.run_in_memory(extraction, documents)
        if progress:
            progress(done + 1, len(data))
    yield from (Tested(name, dataset, results[dataset], labelled, variant) for dataset, labelled in data.items())


def _score_tested(tested: Tested, classes: Collection[PhraseClass]) -> Iterator[Row]:
    """Yield F1@M and F1@5 of a system, with intervals; an extractor has no length of its own, so no F1@M."""
    report = score_run(tested.run, tested.labelled, tested.protocol)
    for part in classes:
        printed = read_printed()["f1"][part].get(tested.system, {}).get(tested.collection, (None, None))
        for measure, number in zip(("F@M", "F@5"), printed, strict=True):
            if measure == "F@M" and tested.system in EXTRACTORS:
                continue
            value, ends = report.values[f"{part}/{measure}"], report.intervals[f"{part}/{measure}"]
            yield replace(tested.make_row(measure, part, number), ours=round(value, 4), interval=round_ends(ends, 4))


def _measure_confidence(name: str, tested: Collection[Tested], *, calibrated: bool) -> Iterator[Row]:
    """Yield the calibration errors of a generator, and the numbers behind the study's figures."""
    decisions = {each.dataset: decide(each.run, each.labelled, each.protocol) for each in tested}
    for each in tested:
        for part in CLASSES:
            printed = read_printed()["ece"][part].get(name, {}).get(each.collection)
            judged = decisions[each.dataset]
            yield from _measure_error(replace(each, variant="generated"), judged, part, Confidence.KPP_S, printed)
            if calibrated:
                yield from _measure_error(replace(each, variant="calibrated"), judged, part, Confidence.PROBABILITY)
    yield from compute_figures(name, {dataset: decisions[dataset] for dataset in POOLED})


def _measure_suggestions(tested: Collection[Tested]) -> Iterator[Row]:
    """Yield the calibration errors of absent phrases; those of the text have no probability in some documents."""
    for each in tested:
        suggested = (
            replace(prediction, keyphrases=tuple(phrase for phrase in prediction.keyphrases if not phrase.present))
            for prediction in each.run.predictions
        )
        decisions = decide(replace(each.run, predictions=tuple(suggested)), each.labelled, each.protocol)
        calibrated = replace(each, variant="calibrated")
        yield from _measure_error(calibrated, decisions, PhraseClass.ABSENT, Confidence.PROBABILITY)


def _measure_error(
    tested: Tested, decisions: Decisions, part: PhraseClass, confidence: Confidence, printed: float | None = None
) -> Iterator[Row]:
    """Yield the calibration error, percent, and the error that exact probabilities would show; nothing of nothing."""
    measured = measure_class(tested.dataset, tested.system, decisions, part, confidence)
    if measured is None:
        return
    error, floor = round(PERCENT * measured.error, 2), round(PERCENT * measured.floor.error, 2)
    row = tested.make_row("ECE", part, printed)
    yield replace(row, ours=error, interval=round_ends(measured.interval, 2, PERCENT))
    yield replace(row, measure="ECE-noise-floor", published=None, ours=floor, note="")


_SCORES: Final = Sheet(
    "{} of {{}} keyphrases, ours and as published for generators of full size.", "", ("system", "variant"), "{dataset}",
    "{dataset} published", by="phrase_class",
)  # fmt: skip
_SHEETS: Final = (
    *(_SCORES._replace(caption=_SCORES.caption.format(name), measures=name) for name in ("F@5", "F@M")),
    Sheet("Documents that each generator saw, repeats counted.", "|".join(TRAINED), ("system",), "{measure}", digits=0),
    ERRORS,
    *FIGURES,
)


def lay_out_small_generators(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``neural``; tables without rows are left out."""
    yield from lay_out_sheets(_SHEETS, rows)
    yield from lay_out_errata(rows)


_MINUTES: Final = MappingProxyType({"exhird": 76, "one2seq": 21, "one2set": 40, "bart": 43, "t5": 45})
"""Minutes of each training on one core that multiplies bfloat16, by the speed of its first steps."""


def describe_wait(systems: Collection[str] | None) -> str:
    """Return which generators are trained first, how long that takes, and that it resumes; empty if none is."""
    wanted = [name for name in _MINUTES if not systems or name in systems]
    missing = [name for name in wanted if not (find_folder(name) / CARD).is_file()]
    if not missing:
        return ""
    hours = sum(_MINUTES[name] for name in missing) / 60
    return (
        f"{', '.join(missing)}: trained first, into {cache_folder('generators')}, about {hours:.1f} hours "
        "of one core, or three times that without bfloat16; a stopped training goes on with the same command"
    )


STUDY: Final = Study(NAME, compute_small_generators, tables=lay_out_small_generators, wait=describe_wait)
