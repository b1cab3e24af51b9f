"""KPEval on Arabic summaries: what it does with good and bad summaries, and how it agrees with other evaluators.

The paper's peers and tables are not to be had: of its nine systems only two correlations with MeMoG are known. The
method is tried on summaries by people instead, each beside versions of it that stated rules made worse.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, cast

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.documents import LabelledDocument
from keywright.core.extras import needs_extra
from keywright.core.interfaces import Progress, TrainableExtractor
from keywright.datasets.collection import load
from keywright.evaluation.statistics.bootstrap import interval
from keywright.experiments.study import Row, Study
from keywright.experiments.summary_evaluation.evaluators import Find, evaluate, evaluators, lemma_extractor, part_of
from keywright.experiments.summary_evaluation.layout import version_tables
from keywright.experiments.summary_evaluation.summary_collections import easc, multiling2011
from keywright.experiments.summary_evaluation.versions import OTHER_TOPIC, PERSON, versions
from keywright.summaries.agreement.coefficients import Coefficient
from keywright.summaries.agreement.correlation import Bootstrap, correlate
from keywright.summaries.agreement.levels import Level, Statistic
from keywright.summaries.agreement.score_table import ScoreTable
from keywright.summaries.kpeval import KPEval
from keywright.summaries.lemma_keyphrases import LemmaExtractor
from keywright.text.stems import stemmer

NAME: Final = "kpeval"
SYSTEM: Final = "lbake"
TRAINED_ON: Final = "akec/train"

EVALUATORS: Final[Mapping[str, str]] = {
    "kpeval": "kpeval",
    "kpeval-chosen": "kpeval:top=chosen",
    "kpeval-surface": "kpeval:forms=surface",
    "rouge-1": "rouge155:measure=1",
    "rouge-2": "rouge155:measure=2",
    "rouge-su4": "rouge155:measure=SU4",
    "autosummeng": "ngram-graph:measure=autosummeng,graph=symmetric",
    "memog": "ngram-graph:measure=memog,graph=symmetric",
    "length": "length",
}
"""Specifications by label; the graphs as TAC 2011 published MeMoG: n = 3, distance 3, symmetric."""

PUBLISHED: Final[Mapping[tuple[str, str], float]] = {("memog", "pearson"): 0.8840, ("memog", "spearman"): 0.9667}
"""Correlation of KPEval with MeMoG over the paper's nine systems, which are not these."""

_OTHER_SYSTEMS: Final = (
    "over the nine systems of TAC 2011's MultiLing pilot, which are not to be had; ours over versions"
)
_COEFFICIENTS: Final = tuple(Statistic(Level.SYSTEM, coefficient) for coefficient in Coefficient)


def rows(find: Find, progress: Progress | None = None, mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute the rows for MultiLing 2011's Arabic summaries and for EASC.

    Args:
        find: returns the class of a system by its name.
        progress: called with the number of evaluators done, and of all.
        mirror: folder of data; None for the one that KEYWRIGHT_MIRROR names.

    Raises:
        MissingData: there is no such folder.
    """
    chosen = evaluators(EVALUATORS, {"": _trained(find(SYSTEM)(), mirror)})
    kpeval = chosen["kpeval"]
    collections = {"multiling2011": multiling2011(mirror), "easc": easc(mirror)}
    table: list[Row] = []
    for number, (name, topics) in enumerate(collections.items()):
        pairs = versions(topics, "ar", cast("KPEval", kpeval), stemmer("ar"))
        table += _rows(name, evaluate(pairs, chosen, part_of(progress, number, len(collections))))
    return tuple(table)


def _trained(extractor: TrainableExtractor, mirror: Path | None) -> LemmaExtractor:
    """Return the extractor trained on the corpus that its paper's language has, with its analyser."""
    reader = lemma_extractor(extractor)
    labelled = (
        LabelledDocument(reader.analyser.analyse(each.document), each.gold) for each in load(TRAINED_ON, mirror)
    )
    return LemmaExtractor(extractor.fit(labelled), reader.analyser)


def _rows(dataset: str, table: ScoreTable) -> Iterator[Row]:
    """Yield the rows of one collection."""
    for name, column in table.columns.items():
        for at, version in enumerate(table.systems):
            mean, interval = _mean(column[at])
            yield Row("mean", None, mean, name, dataset=dataset, variant=version, interval=interval)
    for name, column in table.columns.items():
        yield _above(dataset, name, _version(table, column, PERSON), _version(table, column, OTHER_TOPIC))
        shuffled, person = (_version(table, column, version) for version in ("shuffled-words", PERSON))
        change, interval = _mean(shuffled - person)
        yield Row("shuffled-words less person", None, change, name, dataset=dataset, interval=interval)
    lemmas, surface = (_version(table, table.columns[name], PERSON) for name in ("kpeval", "kpeval-surface"))
    gain, interval = _mean(lemmas - surface)
    note = f"same-topic overlap of people's summaries, p {_signed_rank(lemmas, surface):.2g} (Wilcoxon)"
    yield Row("lemmas less surface forms", None, gain, "kpeval", dataset=dataset, interval=interval, note=note)
    others = [name for name in table.columns if not name.startswith("kpeval")]
    for agreement in correlate(table, [("kpeval", name) for name in others], _COEFFICIENTS):
        published = (
            PUBLISHED.get((agreement.other, agreement.coefficient.value)) if dataset == "multiling2011" else None
        )
        yield Row(
            f"{agreement.coefficient.value} with {agreement.other}",
            published,
            agreement.value,
            "kpeval",
            dataset=dataset,
            interval=agreement.interval,
            note=_OTHER_SYSTEMS if published else "",
        )


def _version(table: ScoreTable, column: Floats, version: str) -> Floats:
    """Return the scores of one version, (topics,)."""
    scores: Floats = column[table.systems.index(version)]
    return scores


def _above(dataset: str, name: str, same_topic: Floats, other: Floats) -> Row:
    """Return the share of people's summaries that score higher than a summary of another topic."""
    above = int(np.count_nonzero(same_topic > other))
    note = f"{above} of {len(same_topic)}, p {_signed_rank(same_topic, other):.2g} (Wilcoxon)"
    return Row("above other topic", None, above / len(same_topic), name, dataset=dataset, note=note)


def _signed_rank(first: Floats, second: Floats) -> float:
    """Return two-sided p of Wilcoxon's signed-rank test; 1 where all pairs are equal."""
    with needs_extra("eval", "Wilcoxon's test needs scipy"):
        from scipy.stats import wilcoxon  # noqa: PLC0415 - heavy, only these rows need it

    return float(wilcoxon(first, second).pvalue) if (first != second).any() else 1.0


def _mean(values: Floats) -> tuple[float, tuple[float, float]]:
    """Return a mean and its 95 % percentile interval over topics."""
    bootstrap = Bootstrap()
    counts = bootstrap.weights(1, len(values)).topics
    low, high = interval(counts @ values / len(values), bootstrap.resampling.level).tolist()
    return float(values.mean()), (low, high)


STUDY: Final = Study(NAME, rows, tables=version_tables)
