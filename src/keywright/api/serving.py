"""Parts of a service: the work on its requests, a pool of workers, and rows of batches."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from keywright.api.inputs import parametrised
from keywright.api.probabilities import calibrated, drift_warner
from keywright.api.request_work import Request, RequestWork, StartRequest
from keywright.api.vocabularies import load_vocabulary
from keywright.core.errors import BadParameter
from keywright.core.finished_records import FinishedRecord
from keywright.execution.distinct_ids import DistinctIds
from keywright.execution.request_pool import RequestPool

Pool: TypeAlias = RequestPool[Request, FinishedRecord]


def request_work(
    system: str = "default",
    calibrator: str | Path | None = None,
    vocabularies: Sequence[str | Path] = (),
    max_characters: int = 2_000_000,
) -> RequestWork:
    """Return the work on requests, its vocabularies checked.

    Args:
        system: name of a system, or folder of a trained one.
        calibrator: file of its calibrator.
        vocabularies: folders of indexes, which requests name by the last part of the path.
        max_characters: longest text.

    Raises:
        UnreadableInput: a folder is not an index.
        BadParameter: two folders have the same name.
    """
    names: dict[str, str] = {}
    for folder in vocabularies:
        place = Path(folder).resolve()
        if place.name in names:
            raise BadParameter(f"two vocabularies are called {place.name!r}", "rename one of the folders")
        load_vocabulary(place)
        names[place.name] = str(place)
    return RequestWork(system, str(calibrator) if calibrator else None, tuple(names.items()), max_characters)


def request_pool(work: RequestWork, *, jobs: int | None, queue: int, seconds: float) -> Pool:
    """Return a pool for requests, which is not started yet; ``jobs``: of processes, None for one each core."""
    return RequestPool(work, StartRequest(), jobs=jobs or os.cpu_count() or 1, queue=queue, seconds=seconds)


def batch_finisher(work: RequestWork) -> Callable[[FinishedRecord], FinishedRecord]:
    """Return a function that all rows of a batch pass in order, as those of ``extract``: distinct ids, drift."""
    distinct = DistinctIds()
    if work.calibrator is None:
        return distinct
    warned = drift_warner(calibrated(parametrised(work.system, {}), work.calibrator))
    return lambda record: warned(distinct(record))
