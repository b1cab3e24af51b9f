"""Adaptive calibration error: bins that hold equally many rows, so that no bin is emptier than the others.

After Nguyen and O'Connor 2015 (Posterior calibration and exploratory analysis for natural language processing
models), called adaptive by Nixon et al. 2019 (Measuring calibration in deep learning). Equal probabilities stay
together, so that the order of the rows does not matter: a row's bin is where the middle of its equals stands among all.
"""

import numpy as np

from keywright.calibration.measures.ece import BINS
from keywright.calibration.measures.inputs import checked, some
from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.errors import BadParameter


def adaptive_error(probabilities: Floats, answers: Bools, number: int = BINS) -> float:
    """The expected calibration error over bins of equally many rows, 0 to 1.

    Args:
        probabilities: 0 to 1, (rows,), at least one.
        answers: whether the row is a yes, (rows,).
        number: of bins; with fewer distinct probabilities some stay empty.

    Raises:
        BadParameter: no rows or bins, lengths that differ, or a probability outside 0 to 1 or nan.
    """
    probabilities, answers = some(*checked(probabilities, answers))
    _, owner, sizes = np.unique(probabilities, return_inverse=True, return_counts=True)
    bins = equal_mass_bins(sizes[None], number)[0][owner]
    return float(np.abs(np.bincount(bins, probabilities - answers)).sum() / len(bins))


def equal_mass_bins(sizes: Floats | Ints, number: int = BINS) -> Ints:
    """The bin of each group of equal rows, (..., groups), from the groups' sizes (..., groups), lowest group first.

    Raises:
        BadParameter: there are no bins.
    """
    if number < 1:
        raise BadParameter(f"{number} bins", "expected a number from 1")
    rows = sizes.cumsum(-1)
    twice_middle = 2 * rows - sizes
    found: Ints = np.minimum(number * twice_middle // np.maximum(2 * rows[..., -1:], 1), number - 1).astype(np.int64)
    return found
