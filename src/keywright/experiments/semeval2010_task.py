"""The shared task as an experiment: papers analysed once, official scores, cross-validation, and ablations.

Each feature, open value and variant of a system is cross-validated on the same folds as the usual values; a difference
in F at 15 is within noise where its interval, from the paired bootstrap over papers, holds zero.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np

from keywright.core.atomic_files import cache_folder
from keywright.core.documents import AnalysedDocument, LabelledDocument
from keywright.core.interfaces import Analyser, Extractor, Progress, TrainableExtractor, needs_of, rank_document
from keywright.core.predictions import Prediction, Run
from keywright.core.signatures import list_parameters
from keywright.datasets.collection import load
from keywright.evaluation.answers import GoldSet, make_gold_sets
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010
from keywright.evaluation.rules import Documents
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling, make_functionals
from keywright.evaluation.statistics.significance import compare_pair
from keywright.experiments.semeval2010_records import CUTOFFS, TABLE, read_printed, read_records
from keywright.experiments.study import PERCENT, Row, choose_systems, round_ends, run_units
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser
from keywright.text.cached_analyser import CachedAnalyser
from keywright.text.languages import TaggedAnalyser

TRAIN: Final = "semeval2010/train"
TEST: Final = "semeval2010/test"
FOLDS: Final = 5  # arbitrary
SEED: Final = 20100715  # arbitrary
UNDESCRIBED: Final = ("icl", "ju_cse", "ukp")  # participants that no paper describes
BESIDE: Final = ("kea", "counting", "default", "default-strict144")  # systems beside the participants
OURS: Final[Mapping[str, Callable[[], Any]]] = {
    "default": lambda: Default(style="reader"),
    "default-strict144": lambda: Default(style="reader", knowledge=Knowledge.without_choices()),
}
"""Our extractor as it ships, and trained on the 144 training papers alone, in the style of the combined answers."""
Find: TypeAlias = Callable[[str], type[Extractor]]  # gives a system's class by its name
Paper = TypeVar("Paper")
Labelled: TypeAlias = tuple[LabelledDocument[AnalysedDocument], ...]


def analyse_split(
    name: str, mirror: Path | None = None, *, tagged: bool = False, progress: Progress | None = None
) -> Labelled:
    """Return the analysed documents of a split; tagged ones are cached on disk, as tagging takes a second each."""
    plain = TextAnalyser("en")
    analyser: Analyser = plain
    if tagged:
        tagger = TaggedAnalyser(plain)
        analyser = CachedAnalyser(tagger, cache_folder("analyses"), tagger.signature)
    collection = tuple(load(name, mirror))
    papers = []
    for number, labelled in enumerate(collection, 1):
        papers.append(LabelledDocument(analyser.analyse(labelled.document), labelled.gold))
        if progress:
            progress(number, len(collection))
    return tuple(papers)


@lru_cache(maxsize=4)
def shared_papers(split: str, mirror: Path | None, *, tagged: bool) -> Labelled:
    """Return the analysed documents of a split, the same ones for all systems of a process."""
    return analyse_split(split, mirror, tagged=tagged)


def predict_phrases(system: Extractor, labelled: Labelled) -> tuple[Prediction, ...]:
    """Return twice as many phrases per document as the task asks for: some become equal when the scorer stems them."""
    top = 2 * max(CUTOFFS)
    return tuple(rank_document(system, paper.document, top).prediction(top) for paper in labelled)


RULES: Final = replace(SEMEVAL2010, documents=Documents.COUNTED)
"""The official rules; precision divides by the number of documents that are scored."""


def score_officially(predictions: Sequence[Prediction], gold: Sequence[GoldSet]) -> Report:
    """Return official scores, as fractions."""
    return score(Run("", "", "", tuple(predictions)), gold, RULES)


def score_system(system: Extractor, labelled: Labelled, gold: Sequence[GoldSet]) -> dict[str, float]:
    """Return official scores in percent, by name of the value."""
    report = score_officially(predict_phrases(system, labelled), gold)
    return {name: PERCENT * value for name, value in report.values.items()}


def split_folds(
    papers: Sequence[Paper], number: int = FOLDS, seed: int = SEED
) -> Iterator[tuple[tuple[Paper, ...], tuple[Paper, ...]]]:
    """Yield training papers and held-out papers, ``number`` times; every paper is held out once."""
    fold = np.random.default_rng(seed).permutation(len(papers)) % number
    for held in range(number):
        yield (
            tuple(paper for paper, of_paper in zip(papers, fold, strict=True) if of_paper != held),
            tuple(paper for paper, of_paper in zip(papers, fold, strict=True) if of_paper == held),
        )


def report_held_out(system: Extractor, papers: Labelled, number: int = FOLDS, seed: int = SEED) -> Report:
    """Return official scores over all papers, as fractions, each predicted by the system fitted on the other folds."""
    predictions: list[Prediction] = []
    order: list[LabelledDocument[AnalysedDocument]] = []
    for training, held_out in split_folds(papers, number, seed):
        predictions.extend(predict_phrases(fit_system(system, training), held_out))
        order.extend(held_out)
    return score_officially(predictions, make_gold_sets(order))


def fit_system(system: Extractor | TrainableExtractor, papers: Labelled) -> Extractor:
    """Return the system trained on these papers; unchanged where it is not trainable."""
    return system.fit(papers) if hasattr(system, "fit") else system


OPTIONS: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "tfidf": {"stop_words": ("edges", "nowhere", "ignored", "removed"), "longest": (1, 2, 4, 5)},
    "counting": {
        "mentions": (1.0,), "rarity": (0.0, 1.0), "phrase": (1.0, 4.0), "long": (1.0,), "stop_word": (1.0,),
        "acronym": (0.0,), "title": (0.0,), "abstract": (0.0,), "introduction": (0.0,), "conclusion": (0.0,),
        "decay": (0.0, 3.0),
    },
}  # fmt: skip

USUAL: Final = "usual"  # variant without a change
DIFFERENCE: Final = "difference in F@15"
_MAIN_SCORE: Final = "combined/F@15"


class Change(NamedTuple):
    """A variant of a system: its name, and the parameters that are not the default."""

    system: str
    variant: str
    values: tuple[tuple[str, Any], ...] = ()


def ablate_systems(
    systems: Collection[str] | None = None,
    progress: Progress | None = None,
    mirror: Path | None = None,
    *,
    find: Find,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """Measure F of each change on held-out folds of the training papers, and its difference in F at 15 to the usual."""
    listed = [name for name in (*read_printed(), *BESIDE) if name not in (*UNDESCRIBED, *OURS)]
    chosen = choose_systems(systems, listed, TABLE)
    changes = [change for name in chosen for change in list_changes(name, find(name))]
    shared_papers(TRAIN, mirror, tagged=any("tags" in needs_of(find(name)) for name in chosen))
    measured: list[Row] = []
    usual: Report | None = None
    work = partial(evaluate_change, find=find, mirror=mirror)
    for change, report in run_units(work, changes, progress, jobs):
        usual = report if usual is None or change.variant == USUAL else usual
        measured += _make_rows(change, report, usual)
    return tuple(measured)


def evaluate_change(change: Change, *, find: Find, mirror: Path | None = None) -> Report:
    """Score a changed system on held-out folds of the training papers."""
    system: Any = replace(find(change.system)(), **dict(change.values))  # type: ignore[type-var]  # a dataclass
    return report_held_out(system, shared_papers(TRAIN, mirror, tagged="tags" in system.needs))


def list_changes(name: str, kind: Any) -> Iterator[Change]:
    """Yield a system unchanged, without each feature, with each other value of an option, and its variants."""
    yield Change(name, USUAL)
    if any(parameter.name == "without" for parameter in list_parameters(kind)):
        for column in kind.columns:
            yield Change(name, name_variant("without", (column,)), (("without", (column,)),))
    for option, values in find_tried_values(name).items():
        for value in values:
            yield Change(name, name_variant(option, value), ((option, value),))
    for variant, values in find_variants(name).items():
        yield Change(name, variant, tuple(values.items()))


def find_tried_values(name: str) -> Mapping[str, Any]:
    """Return the values to try beside the usual ones by parameter, from the system's record where it has one."""
    record = read_records().get(name)
    return record.tried if record else OPTIONS.get(name, {})


def find_variants(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the parameters of the variants in the system's record, by name."""
    record = read_records().get(name)
    return record.variants if record else {}


def name_variant(option: str, value: Any) -> str:
    """Return the name of a change, such as ``cutoff=850`` or ``without=tfidf``."""
    return f"{option}={','.join(map(str, value)) if isinstance(value, tuple) else value}"


def _make_rows(change: Change, report: Report, usual: Report) -> Iterator[Row]:
    row = Row("", None, None, change.system, "combined", TRAIN, variant=change.variant)
    for measure in (f"F@{cutoff}" for cutoff in CUTOFFS):
        ours, plain = (round(PERCENT * side.values[f"combined/{measure}"], 2) for side in (report, usual))
        note = f"{ours - plain:+.2f} against the usual values" if change.values else "the usual values"
        yield replace(row, measure=measure, ours=ours, note=note)
    if change.values:
        first, second = (
            next(at for at in make_functionals("combined", side.counts["combined"], RULES) if _MAIN_SCORE in at.names)
            for side in (report, usual)
        )
        pair = compare_pair(first, second, Resampling(), randomised=False)
        index = pair.names.index(_MAIN_SCORE)
        value, *ends = (float(column[index]) for column in (pair.difference, pair.low, pair.high))
        note = "interval of the difference, from papers drawn anew"
        row = replace(row, measure=DIFFERENCE, ours=round(PERCENT * value, 2), note=note)
        yield replace(row, interval=round_ends((ends[0], ends[1]), 2, PERCENT))
