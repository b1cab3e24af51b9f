"""The systems of the shared task on every sixth paper, with the stored tags; as a program it stores their scores.

KEYWRIGHT_MIRROR=... python -m tests.golden.semeval2010_part
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from unittest import mock

import numpy as np
from tests.golden.semeval2010_tags import papers, tag_papers

from keywright.catalogue import SYSTEMS, system_class
from keywright.core.documents import LabelledDocument
from keywright.core.interfaces import needs_of
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.experiments import semeval2010_table
from keywright.experiments.semeval2010_records import read_printed
from keywright.experiments.semeval2010_task import BESIDE, shared_papers
from keywright.experiments.study import Row
from keywright.extraction.learners import ranker

STORED = Path(__file__).with_suffix(".json")
STEP = 6


def list_units() -> list[tuple[str, ...]]:
    """Return the systems that are scored together: all that need tags; others alone."""
    names = [name for name in (*read_printed(), *BESIDE) if name not in semeval2010_table.UNDESCRIBED]
    tagged = tuple(name for name in names if name in SYSTEMS.built_in and "tags" in needs_of(system_class(name)))
    return [tagged, *((name,) for name in names if name not in tagged)]


@cache
def tagged_papers(split: str, mirror: Path) -> Sequence[LabelledDocument]:
    """Return the papers of a split with stored tags."""
    by_id = {paper.source.id: paper for paper in tag_papers(papers(mirror))}
    untagged = shared_papers(split, mirror, tagged=False)
    return tuple(replace(paper, document=by_id[paper.id]) for paper in untagged)


@contextmanager
def quick_table(step: int) -> Iterator[None]:
    """Let the table be of one paper in ``step``, with the stored tags, and without what takes time and moves no score.

    Intervals are not compared, so a hundred samples are enough. The mean over five seeds is that of five runs of the
    same code, one of which is the default's; how it is taken is tested with a toy. Probabilities take five more
    trainings, and scores are of the order.
    """

    def share(split: str, mirror: Path, *, tagged: bool) -> Sequence[LabelledDocument]:
        return (tagged_papers(split, mirror) if tagged else shared_papers(split, mirror, tagged=False))[::step]

    with (
        mock.patch.object(semeval2010_table, "Resampling", partial(Resampling, samples=100)),
        mock.patch.object(semeval2010_table, "SEEDS", {}),
        mock.patch.object(ranker, "held_out_scores", lambda examples, *_: [np.zeros(0)] * len(examples)),
        mock.patch.object(semeval2010_table, "shared_papers", share),
    ):
        yield


def compute_rows(systems: Sequence[str], mirror: Path, step: int) -> tuple[Row, ...]:
    """Return the rows of some systems, from one paper in ``step``."""
    with quick_table(step):
        return semeval2010_table.compute_semeval(systems, mirror=mirror, find=system_class)


def list_scores(rows: Sequence[Row]) -> dict[str, list[float]]:
    """Return precision, recall and F at 5, 10 and 15 for each kind of gold, by system and variant."""
    scores: dict[str, list[float]] = {}
    for row in rows:
        if row.category is None:
            scores.setdefault(f"{row.system} {row.variant or 'default'}", []).append(round(row.ours, 2))
    return scores


def main() -> None:
    """Store the scores as they are now."""
    mirror = Path(os.environ["KEYWRIGHT_MIRROR"]).resolve()
    scores: dict[str, list[float]] = {}
    for systems in list_units():
        scores |= list_scores(compute_rows(systems, mirror, STEP))
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(values)}" for name, values in scores.items())
    STORED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
