"""Keyphrases of inputs of any size, part by part."""

import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

from keywright.api.probabilities import drift_warner, within
from keywright.execution.engines import engine as executor
from keywright.execution.extraction import Extraction
from keywright.execution.parts.part_files import ResultFiles
from keywright.execution.parts.part_ledger import PartLedger
from keywright.execution.parts.part_runs import PartsReport, PartWork, run_parts, settings_of
from keywright.execution.parts.planning import Inputs
from keywright.execution.shards import Shard
from keywright.reading.formats import format_named
from keywright.reading.tables.columns import TableColumns
from keywright.reading.tables.named_files import NamedTables

PART_SIZE: Final = 2_000
"""Documents of a part: some seconds of work, and 50,000 parts of 100 million documents; arbitrary."""


def extract_parts(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    extraction: Extraction,
    paths: Iterable[str | Path],
    folder: str | Path,
    form: str | None = None,
    *,
    size: int = PART_SIZE,
    output: str = "jsonl",
    wide: bool = False,
    include_text: bool = False,
    columns: TableColumns | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    shard: str | None = None,
    force: bool = False,
    tell: Callable[[str], None] | None = None,
    progress: Callable[[int, None], None] | None = None,
) -> PartsReport:
    """Extract keyphrases of files and folders of any size into a folder, one file of results for each part.

    >>> import keywright as kw
    >>> report = kw.extract_parts(kw.prepare("kpminer"), ["examples/abstracts.jsonl"], "keyphrases", size=4)
    >>> report.parts, report.documents, report.failed
    (2, 5, 0)

    The same call again does only what is missing: parts that were not finished, or whose inputs have changed. Memory
    does not grow with the inputs. Ids are distinct within a part; a repetition over parts is not noticed.

    Args:
        extraction: from ``prepare``.
        paths: files and folders.
        folder: folder of the results, new or of the same work; several machines may share it, each with its ``shard``.
        form: format of the files, such as ``jsonl``; None recognises each.
        size: documents of a part. CSV, spreadsheets and packed files are one part each.
        output: ``jsonl`` or ``parquet``.
        wide: one row of Parquet for each document, not for each keyphrase.
        include_text: whether JSON Lines hold the documents' texts.
        columns: columns that are read of tables; None refuses tables.
        engine: ``serial``, ``processes`` or ``ray``.
        jobs: number of workers.
        shard: ``2/8`` for the second of eight machines, each of which does its share of the parts.
        force: whether earlier results in the folder are removed.
        tell: called with notes about tables; None makes them Python warnings.
        progress: called with the number of documents done, and None.

    Returns:
        Counts of all parts in the shard, those that were done before included.

    Raises:
        BadParameter: the folder holds other results or files, or an option is out of range.
        UnknownName: there is no such format or engine.
        UnreadableInput, MissingExtra: an input or a library is not there.
    """
    note = tell or partial(warnings.warn, category=UserWarning, stacklevel=2)
    tables = NamedTables(columns, note) if columns is not None else None
    inputs = Inputs(tuple(map(str, paths)), format_named(form) if form else None, tables, size)
    concepts = extraction.names_concepts
    files = ResultFiles(output, extraction.signature, settings_of(extraction), wide, include_text, concepts)
    files.check()
    warner = partial(drift_warner, within(extraction.extractor))
    work = PartWork(extraction, PartLedger(Path(folder), files.ending), files, warner)
    return run_parts(
        work,
        inputs,
        executor=executor(engine, jobs),
        shard=Shard.parsed(shard) if shard else None,
        force=force,
        progress=progress,
    )
