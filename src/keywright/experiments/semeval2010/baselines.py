"""The baselines of SemEval-2010 Task 5, and KP-Miner, beside their published scores.

All are trained on the 144 training papers and scored on the 100 test papers. The published baselines are weak: n-grams
that treat stop words with care score three points more. Both stand in the table: ``clean`` is the careful
pre-processing, ``as-published`` the one of ours that is nearest to the printed row.
"""

import tomllib
from collections.abc import Collection, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import unknown
from keywright.core.interfaces import Progress
from keywright.evaluation.formats.gold_sets import gold_sets
from keywright.experiments.semeval2010.known_scores import CUTOFFS
from keywright.experiments.semeval2010.task import TEST, TRAIN, analysed, scores
from keywright.experiments.study import Row, Study
from keywright.systems.kpminer import KPMiner
from keywright.systems.supervised_baselines import MaximumEntropy, NaiveBayes
from keywright.systems.tfidf import TfIdf

NAME: Final = "semeval2010-baselines"


_CAREFUL: Final = "stop words end a phrase anywhere"
_NEAREST: Final = "no stop list, phrases run across signs: of all values of stop_words nearest to the printed row"

VARIANTS: Final[Mapping[str, Mapping[str, tuple[Any, str]]]] = {
    "tfidf": {"clean": (TfIdf, _CAREFUL), "as-published": (lambda: TfIdf(stop_words="ignored"), _NEAREST)},
    "nb": {"clean": (NaiveBayes, _CAREFUL), "as-published": (lambda: NaiveBayes(stop_words="ignored"), _NEAREST)},
    "me": {
        "clean": (MaximumEntropy, _CAREFUL),
        "as-published": (lambda: MaximumEntropy(stop_words="ignored"), _NEAREST),
    },
    "kpminer": {"as-published": (KPMiner, "cutoff 400, 15 phrases refined: as the papers say")},
}
"""Constructor and note of each system, by system and variant."""


def rows(
    systems: Collection[str] | None = None, progress: Progress | None = None, mirror: Path | None = None
) -> tuple[Row, ...]:
    """Compute published and our F at 5, 10 and 15 on the test papers, for each system, variant and kind of gold."""
    text = files("keywright.experiments").joinpath("published", "semeval2010_baselines.toml").read_text("utf-8")
    published = tomllib.loads(text)
    chosen = _chosen(systems)
    train, test = analysed(TRAIN, mirror), analysed(TEST, mirror)
    gold = gold_sets(test)
    measured: list[Row] = []
    total = sum(len(VARIANTS[name]) for name in chosen)
    for name in chosen:
        for variant, (make, note) in VARIANTS[name].items():
            values = scores(make().fit(train), test, gold)
            for kind, printed in published[name].items():
                for cutoff, number in zip(CUTOFFS, printed, strict=True):
                    ours = round(values[f"{kind}/F@{cutoff}"], 2)
                    measured.append(Row(f"F@{cutoff}", number, ours, name, kind, TEST, variant=variant, note=note))
            if progress:
                progress(len({(row.system, row.variant) for row in measured}), total)
    return tuple(measured)


def _chosen(systems: Collection[str] | None) -> tuple[str, ...]:
    for name in systems or ():
        if name not in VARIANTS:
            raise unknown("system of this table", name, VARIANTS, f"keywright reproduce {NAME} --list")
    return tuple(name for name in VARIANTS if not systems or name in systems)


STUDY: Final = Study(NAME, rows)
