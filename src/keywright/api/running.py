"""Runs of systems over data sets."""

from pathlib import Path
from typing import Final, Unpack

from keywright.api.data_inputs import data_of
from keywright.api.extracting import prepare
from keywright.api.inputs import SystemLike
from keywright.api.options import ListKeywords
from keywright.api.renamed import renamed
from keywright.core.atomic_files import check_file
from keywright.core.interfaces import Progress
from keywright.core.runs import Run
from keywright.datasets.collection import DataSet
from keywright.execution import collection_runs
from keywright.execution.engines import engine as executor

DEPTH: Final = 50
"""Keyphrases per document in a run: the deepest cutoff of the protocols."""


@renamed("guarantee", "confidence_level")
def run(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    system: SystemLike,
    dataset: str | Path | DataSet,
    top: int = DEPTH,
    output: str | Path | None = None,
    *,
    language: str | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[ListKeywords],
) -> Run:
    """Predict keyphrases of all documents of a data set.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl", top=1)
    >>> run.predictions[0].texts
    ('leaks',)

    Args:
        system: a name, the folder of a trained system, or a system itself.
        dataset: a name, a JSON Lines file, or a data set.
        top: number of keyphrases per document.
        output: file to write the run to. Finished parts are kept beside it until then: after an interruption the same
            call resumes.
        language: ISO 639-1 code; None for each document's own.
        engine: ``serial`` or ``processes``.
        jobs: number of processes.
        progress: called with the number of documents done, and of all.
        options: which of the system's phrases are kept, as for ``extract``.
    """
    extraction, data = prepare(system, top, language, **options), data_of(dataset)
    documents = [labelled.document for labelled in data]
    workers = executor(engine, jobs)
    if output is None:
        return collection_runs.run(extraction, documents, data.name, executor=workers, progress=progress)
    check_file(Path(output), [dataset])
    return collection_runs.run_into(Path(output), extraction, documents, data.name, executor=workers, progress=progress)
