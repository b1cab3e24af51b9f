"""Evaluators of summaries compared: with each other on Arabic summaries, with people's judgements on English ones.

``kpeval``: the paper's peers and tables are not to be had, so that the method is tried on summaries by people, each
beside versions that stated rules made worse. ``summary-evaluators``: settings of KPEval were chosen on the first half
of REALSumm and ROSE, so that only the second says how good the choice is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.choices import Coefficient, Level
from keywright.core.documents import LabelledDocument
from keywright.core.interfaces import Extractor, Progress, TrainableExtractor
from keywright.datasets.collection import load
from keywright.evaluation.statistics.bootstrap import Resampling, percentile_interval
from keywright.evaluation.statistics.significance import correct_holm, wilcoxon
from keywright.experiments.study import Row, Sheet, Study, lay_out_sheets
from keywright.experiments.summary_collections import (
    HUMAN,
    OTHER_TOPIC,
    PERSON,
    make_versions,
    read_easc,
    read_judged,
    read_multiling2011,
)
from keywright.summaries.agreement.coefficients import Statistic
from keywright.summaries.agreement.correlation import Bootstrap, ScoreTable, correlate
from keywright.summaries.agreement.difference_tests import compare_evaluators
from keywright.summaries.evaluator import Evaluator, make_evaluator
from keywright.summaries.kpeval import KPEval, LemmaExtractor
from keywright.summaries.pairs import Pair
from keywright.summaries.report import score_pairs, tabulate_scores
from keywright.text.languages import ByLanguage
from keywright.text.stems import stemmer

Find = Callable[[str], Any]  # returns the class of a system by its name


def make_lemma_extractor(extractor: Extractor) -> LemmaExtractor:
    """Return an extractor with the analyser that it needs."""
    return LemmaExtractor(extractor, ByLanguage(tagged="tags" in extractor.needs))


def make_evaluators(
    specifications: Mapping[str, str], extractors: Mapping[str, LemmaExtractor]
) -> dict[str, Evaluator]:
    """Return evaluators by label; ``extractors`` are those of ``kpeval``, by language."""
    return {label: make_evaluator(text, lambda _: extractors) for label, text in specifications.items()}


def evaluate_pairs(
    pairs: Sequence[Pair], chosen: Mapping[str, Evaluator], progress: Progress | None = None
) -> ScoreTable:
    """Return the headline value of each pair under each evaluator, and people's scores by their protocol."""
    return tabulate_scores(score_pairs(pairs, chosen, progress))


def split_progress(progress: Progress | None, number: int, parts: int) -> Progress | None:
    """Return the progress of one of several equal parts of the work; ``number`` counts from 0."""
    return progress and (lambda done, every: progress(number * every + done, parts * every))


_LIST: Final = Sheet(
    "{}: other measures.", "(?!mean).*", ("system", "measure"), "ours", "published", by="dataset", notes=True
)
_MEANS: Final = Sheet(
    "{}: mean of each version of the summaries under each evaluator, recall or score.", "mean", ("variant",),
    "{system}", by="dataset", intervals=False,
)  # fmt: skip
_PEOPLE: Final = Sheet("Correlation with people, {}.", "[a-z]+@[a-z]+", ("system",), "{dataset}", by="measure")
_HALVES: Final = Sheet("Differences on {}.", ".* less .*", ("system", "measure"), "ours", by="dataset", notes=True)
SYSTEM: Final = "lbake"
TRAINED_ON: Final = "akec/train"

KPEVAL_EVALUATORS: Final[Mapping[str, str]] = {
    "kpeval": "kpeval", "kpeval-chosen": "kpeval:top=chosen", "kpeval-surface": "kpeval:forms=surface",
    "rouge-1": "rouge155:measure=1", "rouge-2": "rouge155:measure=2", "rouge-su4": "rouge155:measure=SU4",
    "autosummeng": "ngram-graph:measure=autosummeng,graph=symmetric",
    "memog": "ngram-graph:measure=memog,graph=symmetric", "length": "length",
}  # fmt: skip
"""Specifications by label; the graphs as TAC 2011 published MeMoG: n = 3, distance 3, symmetric."""

PUBLISHED: Final[Mapping[tuple[str, str], float]] = {("memog", "pearson"): 0.8840, ("memog", "spearman"): 0.9667}
"""Correlation of KPEval with MeMoG over the paper's nine systems, which are not these."""

_OTHER_SYSTEMS: Final = (
    "over the nine systems of TAC 2011's MultiLing pilot, which are not to be had; ours over versions"
)
_COEFFICIENTS: Final = tuple(Statistic(Level.SYSTEM, coefficient) for coefficient in Coefficient)


def compute_kpeval(find: Find, progress: Progress | None = None, mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute the rows for MultiLing 2011's Arabic summaries and for EASC."""
    system: TrainableExtractor = find(SYSTEM)()
    analyser = make_lemma_extractor(system).analyser
    labelled = (LabelledDocument(analyser.analyse(each.document), each.gold) for each in load(TRAINED_ON, mirror))
    chosen = make_evaluators(KPEVAL_EVALUATORS, {"": LemmaExtractor(system.fit(labelled), analyser)})
    collections = {"multiling2011": read_multiling2011(mirror), "easc": read_easc(mirror)}
    table: list[Row] = []
    for number, (name, topics) in enumerate(collections.items()):
        pairs = make_versions(topics, "ar", cast("KPEval", chosen["kpeval"]), stemmer("ar"))
        table += _make_rows(name, evaluate_pairs(pairs, chosen, split_progress(progress, number, len(collections))))
    return tuple(table)


def _make_rows(dataset: str, table: ScoreTable) -> Iterator[Row]:

    def take(evaluator: str, version: str) -> Floats:
        """Return the scores of one version, (topics,)."""
        scores: Floats = table.columns[evaluator][table.systems.index(version)]
        return scores

    for name in table.columns:
        for version in table.systems:
            yield _average_topics(Row("mean", None, None, name, dataset=dataset, variant=version), take(name, version))
    for name in table.columns:
        person, other = take(name, PERSON), take(name, OTHER_TOPIC)
        above = int(np.count_nonzero(person > other))
        note = f"{above} of {len(person)}, p {wilcoxon(person, other):.2g} (Wilcoxon)"
        yield Row("above other topic", None, above / len(person), name, dataset=dataset, note=note)
        row = Row("shuffled-words less person", None, None, name, dataset=dataset)
        yield _average_topics(row, take(name, "shuffled-words") - person)
    lemmas, surface = take("kpeval", PERSON), take("kpeval-surface", PERSON)
    note = f"same-topic overlap of people's summaries, p {wilcoxon(lemmas, surface):.2g} (Wilcoxon)"
    row = Row("lemmas less surface forms", None, None, "kpeval", dataset=dataset, note=note)
    yield _average_topics(row, lemmas - surface)
    others = [name for name in table.columns if not name.startswith("kpeval")]
    for agreement in correlate(table, [("kpeval", name) for name in others], _COEFFICIENTS):
        coefficient, rival = agreement.coefficient.value, agreement.other
        published = PUBLISHED.get((rival, coefficient)) if dataset == "multiling2011" else None
        row = Row(f"{coefficient} with {rival}", published, agreement.value, "kpeval", dataset=dataset)
        yield replace(row, interval=agreement.interval, note=_OTHER_SYSTEMS if published else "")


def _average_topics(row: Row, values: Floats) -> Row:
    """Return a row with the mean over topics and its 95 % percentile interval."""
    bootstrap = Bootstrap()
    counts = bootstrap.weights(1, len(values)).topics
    low, high = percentile_interval(counts @ values / len(values), bootstrap.resampling.level).tolist()
    return replace(row, ours=float(values.mean()), interval=(low, high))


KPEVAL: Final = Study("kpeval", compute_kpeval, tables=partial(lay_out_sheets, (_MEANS, _LIST)))

JUDGED_EVALUATORS: Final[Mapping[str, str]] = {
    "kpeval": "kpeval", "kpeval-words": "kpeval:longest=1", "kpeval-weighted": "kpeval:weight=probability",
    "kpeval-source": "kpeval:mode=source,weight=probability", "rouge-1": "rouge155:measure=1",
    "rouge-2": "rouge155:measure=2", "rouge-l": "rouge155:measure=L", "rouge-su4": "rouge155:measure=SU4",
    "autosummeng": "ngram-graph", "memog": "ngram-graph:measure=memog,graph=symmetric", "length": "length",
}  # fmt: skip
"""Specifications by label."""

CHOSEN: Final = "kpeval-words"
"""The setting with the highest sum of the four Kendall's tau on the first halves: single words only."""

RIVAL: Final = "rouge-1"  # the evaluator that the choice is tested against, once, on the second halves

SAMPLES: Final = 10_000  # permutations of the test

HALVES: Final = ("first-half", "second-half")
_LEVELS: Final = (Level.SYSTEM, Level.SUMMARY)
_STATISTICS: Final = tuple(Statistic(level, coefficient) for level in _LEVELS for coefficient in Coefficient)
_TESTED: Final = tuple(Statistic(level, Coefficient.KENDALL) for level in _LEVELS)


def compute_judged(find: Find, progress: Progress | None = None, mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute the correlation of each evaluator with people on both halves of both collections."""
    chosen = make_evaluators(JUDGED_EVALUATORS, {"": make_lemma_extractor(find("default")(any_domain=True))})
    parts = [(name, half) for name in HUMAN for half in range(len(HALVES))]
    table: list[Row] = []
    second_halves: dict[str, ScoreTable] = {}
    for number, (name, half) in enumerate(parts):
        scores = evaluate_pairs(read_judged(name, mirror)[half], chosen, split_progress(progress, number, len(parts)))
        for each in correlate(
            scores, [(evaluator, f"human:{HUMAN[name]}") for evaluator in JUDGED_EVALUATORS], _STATISTICS
        ):
            measure, dataset = f"{each.coefficient.value}@{each.level.value}", f"{name}/{HALVES[half]}"
            row = Row(measure, None, each.value, each.evaluator, HUMAN[name], dataset, interval=each.interval)
            table.append(replace(row, note=f"{each.left_out} left out" if each.left_out else ""))
        if half:
            second_halves[name] = scores
    return (*table, *_compare_halves(second_halves))


def _compare_halves(tables: Mapping[str, ScoreTable]) -> Iterator[Row]:
    """Yield the difference of the choice from its rival on the second halves, with p corrected for all of them."""
    compared = [
        (name, row)
        for name, scores in tables.items()
        for row in compare_evaluators(scores, [(CHOSEN, RIVAL, f"human:{HUMAN[name]}")], _TESTED, Resampling(SAMPLES))
    ]
    corrected = correct_holm([1.0 if row.p is None else row.p for _, row in compared])
    for (name, row), p in zip(compared, corrected, strict=True):
        measure = f"{row.statistic.coefficient.value}@{row.statistic.level.value} less {RIVAL}"
        note = f"p {row.p:.3g}, {p:.3g} by Holm over {len(compared)} tests" if row.p is not None else "undefined"
        yield Row(measure, None, row.difference, CHOSEN, HUMAN[name], f"{name}/{HALVES[1]}", note=note)


JUDGED: Final = Study("summary-evaluators", compute_judged, tables=partial(lay_out_sheets, (_PEOPLE, _HALVES)))
