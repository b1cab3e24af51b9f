"""Runs of systems over data sets."""

from pathlib import Path
from typing import Final, Unpack

from keywright.api.extracting import prepare
from keywright.api.inputs import Chosen, Progress
from keywright.api.labelled import data_of
from keywright.api.options import Limits
from keywright.core.runs import Run
from keywright.core.writing import check_file
from keywright.datasets.collection import DataSet
from keywright.execution import running
from keywright.execution.engines import engine as executor

DEPTH: Final = 50
"""Keyphrases a document in a run, so that every protocol finds its cutoffs."""


def run(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    system: Chosen,
    dataset: str | Path | DataSet,
    top: int = DEPTH,
    output: str | Path | None = None,
    *,
    language: str | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **limits: Unpack[Limits],
) -> Run:
    """Predictions of a system over a data set.

    Args:
        system: a name, the folder of a trained one, or a system itself.
        dataset: a name, or a data set.
        top: keyphrases a document.
        output: file to write the run to. What is done is kept beside it until then, so that the same call goes on
            where an earlier one was cut off.
        language: ISO 639-1 code; None for each document's own.
        engine: ``serial`` or ``processes``.
        jobs: number of processes.
        progress: told how many documents are done.
        limits: what is shown of a calibrated system's phrases, such as ``min_precision=0.4``: see ``Limits``.
    """
    extraction, data = prepare(system, top, language, **limits), data_of(dataset)
    documents = [labelled.document for labelled in data]
    where = executor(engine, jobs)
    if output is None:
        return running.run(extraction, documents, data.name, executor=where, progress=progress)
    check_file(Path(output), [dataset])
    return running.run_into(Path(output), extraction, documents, data.name, executor=where, progress=progress)
