"""Adaptive calibration error: bins of equal mass, so that each bin holds about equally many rows.

After Nguyen and O'Connor 2015 (Posterior calibration and exploratory analysis for natural language processing
models), called adaptive by Nixon et al. 2019 (Measuring calibration in deep learning). Rows of equal probability share
a bin, so that the order of the rows does not matter: the middle rank of the tied rows decides their bin.
"""

import numpy as np

from keywright.calibration.measures.ece import BINS
from keywright.calibration.measures.inputs import checked_probabilities, non_empty
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter


def adaptive_error(probabilities: Floats, outcomes: Bools, bins: int = BINS) -> float:
    """Return the expected calibration error over bins of equal mass, 0 to 1.

    Arguments and errors are those of ``calibration_error``; some bins stay empty with few distinct values.
    """
    probabilities, outcomes = non_empty(*checked_probabilities(probabilities, outcomes))
    _, group, sizes = np.unique(probabilities, return_inverse=True, return_counts=True)
    bin_of = equal_mass_bins(sizes[None], bins)[0][group]
    return float(np.abs(np.bincount(bin_of, probabilities - outcomes)).sum() / len(bin_of))


def equal_mass_bins(sizes: Floats | Ints, bins: int = BINS) -> Ints:
    """Return the bin of each group of tied rows, (..., groups), from the sizes (..., groups), lowest group first.

    Raises:
        BadParameter: there are no bins.
    """
    if bins < 1:
        raise BadParameter(f"{bins} bins", "expected a number from 1")
    rows = sizes.cumsum(-1)
    twice_middle = 2 * rows - sizes  # doubled, so that a middle between two rows stays a whole number
    bin_of: Ints = np.minimum(bins * twice_middle // np.maximum(2 * rows[..., -1:], 1), bins - 1).astype(np.int64)
    return bin_of
