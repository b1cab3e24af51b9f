"""Cross-fitted meta-ranking: each labelled document is ranked by trees that learned from others.

Documents are divided, not phrases, as for calibrators. Documents without gold are ranked by trees that learned from all
labelled documents.
"""

import numpy as np

from keywright.calibration.calibrators.cross_fitting import FOLDS, folds_of
from keywright.core.arrays import Floats
from keywright.core.runs import Run
from keywright.ensembles.calibrated_trees import CalibratedTrees
from keywright.ensembles.meta_features import TrainingRuns
from keywright.ensembles.meta_ranker import ranked_run


def cross_fitted(training: TrainingRuns, folds: int = FOLDS) -> Run:
    """Return one run, each labelled document ranked by trees that learned from the other folds.

    Args:
        training: the runs, with features of all documents.
        folds: number of folds of the labelled documents.
    """
    examples, features = training.examples, training.features
    fold = folds_of(examples.ids, folds)
    probabilities: dict[str, Floats] = {}
    fingerprints = []
    for number in range(folds):
        trees = CalibratedTrees.fit(examples.where(fold != number))
        fingerprints.append(trees.fingerprint)
        for place in np.flatnonzero(fold == number).tolist():
            probabilities[examples.ids[place]] = trees.probabilities(examples.features[place])
    if unlabelled := [name for name in training.aligned.ids if name not in probabilities]:
        trees = CalibratedTrees.fit(examples)
        fingerprints.append(trees.fingerprint)
        probabilities |= {name: trees.probabilities(features[name]) for name in unlabelled}
    return ranked_run(training.aligned, features, probabilities, fingerprints, f"{folds} folds")
