"""Other tools' measures of calibration on arrays of a file: ``python benchmarks/speed/peer_calibration.py FILE``.

Started by ``stage_calibration.py`` with the interpreter of the peers' environment, which has no keywright. Prints one
JSON line a tool: what it measured, its value and how long it took, or why there is none.
"""

import importlib.metadata
import json
import sys
import warnings
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
from measuring import peak_memory, timed

BINS = 10
Arrays = Any
Work = Callable[[], float]


def netcal_width(probabilities: Arrays, answers: Arrays) -> Work:
    """Equal bins."""
    from netcal.metrics import ECE  # noqa: PLC0415  (each peer is imported where it runs)

    measure = ECE(BINS).measure
    return lambda: float(measure(probabilities, answers))


def netcal_mass(probabilities: Arrays, answers: Arrays) -> Work:
    """Bins of equal mass."""
    from netcal.metrics import ECE  # noqa: PLC0415  (each peer is imported where it runs)

    measure = ECE(BINS, equal_intervals=False).measure
    return lambda: float(measure(probabilities, answers))


def torchmetrics_width(probabilities: Arrays, answers: Arrays) -> Work:
    """Equal bins; the arrays are tensors before the clock starts."""
    import torch  # noqa: PLC0415  (each peer is imported where it runs)
    from torchmetrics.functional.classification import binary_calibration_error  # noqa: PLC0415  (likewise)

    torch.set_num_threads(1)
    given = torch.from_numpy(probabilities), torch.from_numpy(answers)
    return lambda: float(binary_calibration_error(*given, n_bins=BINS))


def sklearn_auroc(probabilities: Arrays, answers: Arrays) -> Work:
    """AUROC; that of torchmetrics is computed in single precision, whatever the tensors are."""
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415  (each peer is imported where it runs)

    return lambda: float(roc_auc_score(answers, probabilities))


def relplot_smooth(probabilities: Arrays, answers: Arrays) -> Work:
    """The smooth calibration error."""
    from relplot.metrics import smECE  # noqa: PLC0415  (each peer is imported where it runs)

    return lambda: float(smECE(probabilities, answers.astype(float)))


PEERS: dict[str, tuple[str, str, Callable[[Arrays, Arrays], Work]]] = {
    "ece": ("ECE", "netcal", netcal_width),
    "ece of tensors": ("ECE", "torchmetrics", torchmetrics_width),
    "adaptive": ("adaptive ECE", "netcal", netcal_mass),
    "smooth": ("smooth ECE", "relplot", relplot_smooth),
    "auroc": ("AUROC", "scikit-learn", sklearn_auroc),
}
"""By name: the measure, the package, and how it is set up."""


def main(file: str) -> None:
    """One JSON line a tool."""
    warnings.simplefilter("ignore")
    arrays = np.load(file)
    for measure, package, make in PEERS.values():
        found: dict[str, Any] = {"measure": measure, "package": package}
        try:
            work = make(arrays["probabilities"], arrays["answers"])
            value = work()
        except ImportError as missing:
            print(json.dumps({**found, "reason": str(missing)}))
            continue
        title = f"{measure}: {package} {importlib.metadata.version(package)}"
        row = timed((title, "runs"), 1, work, beside=(f"{measure} of probabilities",), peak=peak_memory())
        print(json.dumps({**found, "value": value, "row": asdict(row)}))


if __name__ == "__main__":
    main(sys.argv[1])
