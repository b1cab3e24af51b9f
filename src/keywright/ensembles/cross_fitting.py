"""Meta-ranking of the very documents that have gold: each by trees that learned from others.

Documents are divided, not phrases, as for calibrators. Documents without gold are ranked by trees that learned from all
that have some.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from keywright.calibration.calibrators.crossfitting import FOLDS, folds_of
from keywright.core.arrays import Floats
from keywright.core.documents import Document
from keywright.core.gold import LabelledDocument
from keywright.core.runs import Run
from keywright.core.signatures import signature
from keywright.ensembles.aligned_runs import together
from keywright.ensembles.calibrated_trees import CalibratedTrees
from keywright.ensembles.combining import combined, systems_of, with_gold
from keywright.ensembles.meta_features import all_described, answered
from keywright.ensembles.meta_ranker import Ranked, by_chance, check_number
from keywright.ensembles.voting import Method


def cross_fitted(
    runs: Sequence[Run],
    labelled: Iterable[LabelledDocument[Document]],
    documents: Iterable[Document] = (),
    folds: int = FOLDS,
) -> Run:
    """One run, each labelled document ranked by trees that learned from the labelled documents of the other folds.

    Args:
        runs: two or more, over the same documents.
        labelled: all or some of these; all gold counts.
        documents: texts of those without gold, which trees rank that learned from all that have some; others, too,
            are looked at in place of those that came with the gold.
        folds: into which the labelled documents are divided.

    Raises:
        BadRecord: the runs are of different documents, have none with gold, or one without text.
        BadParameter: fewer than two runs or 20 labelled documents, fewer documents than folds; or all phrases are
            right, or none.
        MissingExtra: LightGBM is not installed.
    """
    gold = with_gold(labelled)
    given = together(runs, (*(one.document for one in gold.values()), *documents))
    given.labelled_among(gold)
    seen = all_described(given, given.kinds(Method.VOTES))
    known = answered(given, seen, gold)
    check_number(known)
    fold = folds_of(known.ids, folds)
    chances: dict[str, Floats] = {}
    prints = []
    for one in range(folds):
        trees = CalibratedTrees.fit(known.some(np.flatnonzero(fold != one).tolist()))
        prints.append(trees.fingerprint)
        for at in np.flatnonzero(fold == one).tolist():
            chances[known.ids[at]] = trees.of(known.seen[at])
    if others := [name for name in given.ids if name not in chances]:
        trees = CalibratedTrees.fit(known)
        prints.append(trees.fingerprint)
        chances |= {name: trees.of(seen[name]) for name in others}
    return combined(
        given, signature(Ranked(tuple(prints), f"{folds} folds", systems_of(runs))), by_chance(seen, chances)
    )
