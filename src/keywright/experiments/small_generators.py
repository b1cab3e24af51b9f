"""Small generators trained here, beside the published rows of the paper-size ones and three extractors.

Kundu, Ray Chowdhury and Caragea (Neural Keyphrase Generation: Analysis and Evaluation) print F1@M, F1@5 and the
calibration error of five generators of up to 223 million weights, trained on 510,000 abstracts of KP20k or fine-tuned
there. Ours have some ten million weights, start from random ones, and learn from 24,743 documents: the published rows
show how far that goes, not a target of equal conditions. They are trained once, kept among the user's cached files, and
resumed if stopped.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from keywright.calibration.calibrators.calibrated import Calibrated, calibrated_generator
from keywright.calibration.judging import Decisions, decide
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, unknown_name
from keywright.core.interfaces import Extractor, Progress, innermost
from keywright.core.pages import Table
from keywright.core.predictions import Run
from keywright.datasets.collection import load
from keywright.datasets.files import cache_folder
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import add_intervals
from keywright.experiments import kpg_predictions
from keywright.experiments.kpg_calibration_table import lay_out_errata, lay_out_figures, read_published
from keywright.experiments.kpg_predictions import STUDIED
from keywright.experiments.reliability import TopPhrases, measure_reliability
from keywright.experiments.study import PERCENT, Lines, Row, Study, format_decimal, format_interval, lay_out_groups
from keywright.neural.model_folder import CARD, read_generator_card
from keywright.neural.systems.generator_system import GeneratorSystem
from keywright.neural.systems.one2set import One2Set
from keywright.running import runs
from keywright.running.extraction import Extraction
from keywright.running.phrase_filter import UNFILTERED, PhraseFilter
from keywright.text.languages import ByLanguage

PROFILE: Final = "small"
DATA: Final = ("train_mix/author", "train_mix/indexer")
"""Labelled documents to learn from: with keyphrases of authors and indexers, not the tags of the mix."""

Find: TypeAlias = Callable[[str], type[Any]]
"""Gives a system's class by its name."""
Train: TypeAlias = Callable[..., Any]
"""Trains a generator into a folder (``keywright.train``)."""


def load_small_generator(name: str, find: Find, train: Train, progress: Progress | None = None) -> Extractor:
    """Return a generator with its calibrator; it is trained first unless that is done.

    ``progress`` gets the steps made and those in all.

    Raises:
        BadParameter: the cached generator was trained in another way.
        MissingExtra: the extra ``neural`` is not installed.
        MissingData: the training data is not on this machine.
    """
    folder = cache_folder("generators") / f"{name}-{PROFILE}"
    if not (folder / CARD).is_file():
        train(find(name)(), DATA, folder, PROFILE, tell=_tell_steps(progress))
    _check_card(folder, name)
    return calibrated_generator(folder)


def _tell_steps(progress: Progress | None) -> Callable[[Any], None]:
    """Return a listener to the news of a training."""

    def tell(news: Any) -> None:
        if progress:
            progress(news.done, news.steps)

    return tell


def _check_card(folder: Path, name: str) -> None:
    """Raise unless the generator was trained on the data and by the recipe of the table."""
    from keywright.neural.training.fitting import describe_profile  # noqa: PLC0415 - heavy
    from keywright.neural.training.recipe import find_profile  # noqa: PLC0415 - heavy

    card = read_generator_card(folder)
    expected = {
        "data": [load(each).signature for each in DATA],
        "profile": describe_profile(find_profile(name, PROFILE)),
    }
    different = [part for part, value in expected.items() if card.get(part) != value]
    if different:
        raise BadParameter(
            f"the generator in {folder} was trained with other values of {' and '.join(different)}",
            "remove that folder to train it again, or name another cache in KEYWRIGHT_CACHE",
        )


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


def compute_small_generators(
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
            raise unknown_name("system", name, names, f"keywright reproduce {NAME}")
    data = {name: tuple(load(name)) for name in DATASETS}
    table: list[Row] = []
    for name in names:
        if systems and name not in systems:
            continue
        generates = name in STUDIED
        classes = _CLASSES if generates or name == SUGGESTS else _CLASSES[:1]
        system = load_small_generator(name, find, train, progress) if generates else find(name)()
        tested = list(_run_system(name, system, data, progress))
        table += [row for each in tested for row in _score_tested(each, classes)]
        if name == SUGGESTS:
            table += _measure_suggestions(tested)
        if generates:
            table += _measure_confidence(name, tested, calibrated=isinstance(system, Calibrated))
        if longer := lengthen_lists(system):
            variant, generator = longer
            tested = list(_run_system(name, generator, data, progress, variant))
            table += [row for each in tested for row in _score_tested(each, _CLASSES)]
    return tuple(table)


def lengthen_lists(system: Extractor) -> tuple[str, GeneratorSystem] | None:
    """Return how a generator writes more phrases, all slots or a beam, and that generator; None for extractors."""
    generator = innermost(system)
    if isinstance(generator, One2Set):
        return "all slots", replace(generator, fill_slots=True, order="confidence")
    if isinstance(generator, GeneratorSystem):
        return f"beam {WIDTH}", replace(generator, decoding="beam", width=WIDTH)
    return None


def _run_system(
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
        run = runs.run_in_memory(extraction, [each.document for each in labelled])
        done += len(labelled)
        if progress:
            progress(done, every)
        yield Tested(name, dataset, run, labelled, variant)


def _score_tested(tested: Tested, classes: Collection[PhraseClass]) -> Iterator[Row]:
    """Yield F1@M and F1@5 of a system, with intervals; an extractor has no length of its own, so no F1@M."""
    report = add_intervals(
        PairedRun(tested.run, tested.labelled).report(tested.protocol), tested.protocol, Resampling()
    )
    for part in classes:
        printed = read_published()["f1"][part].get(tested.system, {}).get(tested.collection, (None, None))
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


def _measure_confidence(name: str, tested: Collection[Tested], *, calibrated: bool) -> Iterator[Row]:
    """Yield the calibration errors of a generator, and the numbers behind the study's figures."""
    decisions = {each.dataset: decide(each.run, each.labelled, each.protocol) for each in tested}
    for each in tested:
        for part in _CLASSES:
            printed = read_published()["ece"][part].get(name, {}).get(each.collection)
            yield from _measure_error(each, decisions[each.dataset], part, Confidence.KPP_S, "generated", printed)
            if calibrated:
                yield from _measure_error(
                    each, decisions[each.dataset], part, Confidence.PROBABILITY, "calibrated", None
                )
    yield from kpg_predictions.compute_figures(name, {dataset: decisions[dataset] for dataset in POOLED})


def _measure_suggestions(tested: Collection[Tested]) -> Iterator[Row]:
    """Yield the calibration errors of absent phrases; those of the text have no probability in some documents."""
    for each in tested:
        suggested = (
            replace(prediction, keyphrases=tuple(phrase for phrase in prediction.keyphrases if not phrase.present))
            for prediction in each.run.predictions
        )
        decisions = decide(replace(each.run, predictions=tuple(suggested)), each.labelled, each.protocol)
        yield from _measure_error(each, decisions, PhraseClass.ABSENT, Confidence.PROBABILITY, "calibrated", None)


def _measure_error(
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
    row = measure_reliability(
        tested.dataset, tested.system, TopPhrases(phrases.confidence, phrases.correct, phrases.document)
    )
    where = Row("ECE", None, None, tested.system, dataset=tested.dataset, phrase_class=part, variant=variant)
    low, high = (round(PERCENT * end, 2) for end in row.interval)
    note = "" if printed is None else tested.note
    error, floor = round(PERCENT * row.error, 2), round(PERCENT * row.floor.error, 2)
    yield replace(where, published=printed, ours=error, interval=(low, high), note=note)
    yield replace(where, measure="ECE-noise-floor", ours=floor)


_SHOWN_CLASSES: Final = (PhraseClass.PRESENT, PhraseClass.ABSENT)
_MEASURES: Final = ("F@5", "F@M")


def lay_out_small_generators(rows: Sequence[Row]) -> Iterator[Table]:
    """Lay out the rows of ``neural``; tables without rows are left out."""
    for part in _SHOWN_CLASSES:
        for measure in _MEASURES:
            chosen = [row for row in rows if (row.measure, row.phrase_class) == (measure, part)]
            if chosen:
                yield _lay_out_scores(chosen, measure, part)
    for part in _SHOWN_CLASSES:
        chosen = [row for row in rows if row.measure.startswith("ECE") and row.phrase_class == part]
        if chosen:
            yield _lay_out_errors(chosen, part)
    yield from lay_out_figures(rows)
    yield from lay_out_errata(rows)


def _lay_out_scores(rows: Sequence[Row], measure: str, part: str) -> Table:
    """Return a measure of each system, ours with its interval, then as published."""
    lines: Lines = {}
    for row in rows:
        decoding = "" if row.system in EXTRACTORS else row.variant or "greedy"
        cells = lines.setdefault((row.system or "", decoding), {})
        cells[f"{row.dataset}"] = f"{format_decimal(row.ours, 3)} ({format_interval(row.interval, 3)})"
        cells[f"{row.dataset} published"] = format_decimal(row.published, 3)
    columns = [name for name in _list_columns(lines) if any(cells.get(name) for cells in lines.values())]
    caption = f"{measure.replace('F', 'F1')} of {part} keyphrases, ours and as published for generators of full size."
    return lay_out_groups(caption, ("system", "decoding"), lines, columns)


def _lay_out_errors(rows: Sequence[Row], part: str) -> Table:
    """Return the calibration errors: of generated and calibrated probabilities, each with its noise floor."""
    lines: Lines = {}
    for row in rows:
        cells = lines.setdefault((row.system or "", row.dataset or "", row.variant or ""), {})
        if row.measure == "ECE":
            cells |= {"ECE": format_decimal(row.ours, 2), "interval": format_interval(row.interval, 1)}
            cells |= {"published": format_decimal(row.published, 2)}
        else:
            cells["noise floor"] = format_decimal(row.ours, 2)
    caption = f"Expected calibration error of {part} keyphrases, percent."
    columns = ("ECE", "interval", "noise floor", "published")
    return lay_out_groups(caption, ("system", "data set", "probabilities"), lines, columns)


def _list_columns(lines: Lines) -> list[str]:
    return list(dict.fromkeys(name for cells in lines.values() for name in cells))


STUDY: Final = Study(NAME, compute_small_generators, tables=lay_out_small_generators)
