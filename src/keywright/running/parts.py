"""A system applied to inputs part by part, by any executor; each part has a file of results."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice, starmap
from pathlib import Path
from typing import Any, Final

from keywright.core.atomic_files import synced_file
from keywright.core.errors import needs_extra, unknown_name
from keywright.core.interfaces import Executor
from keywright.core.json_values import to_json
from keywright.core.options import changed_options
from keywright.core.predictions import Failure, Outcome, list_columns, name_columns
from keywright.core.records import sign_records
from keywright.core.signatures import short_signature, signature
from keywright.core.views import make_data_frame
from keywright.running.engines import Serial
from keywright.running.extraction import AsRecord, Extraction
from keywright.running.file_extraction import (
    DistinctIds,
    FileOutcome,
    FromFiles,
    Shard,
    drop_document,
    keep_document,
    map_files,
)
from keywright.running.ledger import PartEntry, PartLedger
from keywright.running.part_inputs import Inputs, Part

_GROUP: Final = 2_000
"""Documents of a group of rows in Parquet, which are in memory at once; arbitrary."""


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """Where and how results of a system with some signature are written; other fields as for ``extract_parts``.

    ``options`` decide the results, and the first record of each file has them; with ``concepts`` Parquet has columns of
    concepts.
    """

    folder: Path
    form: str
    system: str
    options: Mapping[str, Any] = field(default_factory=dict)
    wide: bool = False
    include_text: bool = False
    concepts: bool = False

    def check(self) -> None:
        """Check that files of this form can be written here; raise ``UnknownName`` or ``MissingExtra`` else."""
        if self.form not in _WRITERS:
            raise unknown_name("format of parts", self.form, _WRITERS, "keywright extract --help")
        if self.form == "parquet":
            with needs_extra("parquet", "Parquet in parts needs the package pyarrow"):
                import pyarrow.parquet  # noqa: F401, PLC0415 - optional

    def name_file(self, part: Part) -> Path:
        """Return the path of a part's results."""
        return self.folder / f"{part.name}.{self.form}"

    def write(self, path: Path, outcomes: Iterable[FileOutcome]) -> None:
        """Write a file, which appears when it is whole."""
        with synced_file(path) as file:
            binary: Any = file
            _WRITERS[self.form](self, binary.buffer, outcomes)


def _write_json_lines(files: ResultFiles, target: Any, outcomes: Iterable[FileOutcome]) -> None:
    """Write a record a line, as ``extract`` does."""
    records = starmap(AsRecord(short_signature(files.system), files.include_text), outcomes)
    for text in sign_records(records, files.system, files.options):
        target.write(text.encode("utf-8") + b"\n")


def _write_parquet(files: ResultFiles, target: Any, outcomes: Iterable[FileOutcome]) -> None:
    """Write rows in groups, each of so many documents; the columns have the same types in all files."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - optional

    def table(group: Iterable[FileOutcome]) -> Any:
        shape = {"wide": files.wide, "concepts": files.concepts}
        columns = list_columns((outcome for _, outcome in group), **shape)
        return make_data_frame(columns, name_columns(**shape), "pyarrow")

    stream = iter(outcomes)
    schema = table(()).schema.with_metadata(
        {"keywright.system": files.system, "keywright.options": to_json(dict(files.options))}
    )
    with pq.ParquetWriter(target, schema) as writer:
        while group := list(islice(stream, _GROUP)):
            writer.write_table(table(group).replace_schema_metadata(schema.metadata))


_WRITERS: Final[Mapping[str, Callable[[ResultFiles, Any, Iterable[FileOutcome]], None]]] = {
    "jsonl": _write_json_lines,
    "parquet": _write_parquet,
}

_EXAMPLES: Final = 3
"""Failures of a part that its entry names; arbitrary. The results have all."""
_REPORT_EXAMPLES: Final = 10
"""Failures that a report names; arbitrary."""
_ALL: Final = Shard(1, 1)
Warner = Callable[[], Callable[[Outcome], Outcome]]
"""Returns a function that the outcomes of a part pass in order, and which may add warnings."""


@dataclass(frozen=True)
class PartWork:
    """The work on a part, which writes its results; sent to every worker once.

    Ids are distinct within a part: a repeated one gets a number. Repetitions over parts are not noticed, as that would
    take memory for each document.
    """

    extraction: Extraction
    files: ResultFiles
    warner: Warner | None = None

    def __call__(self, part: Part) -> PartEntry:
        """Write the results of a part, and return its entry."""
        return self._write(part, Serial())

    def lost(self, part: Part) -> PartEntry:
        """Write the results of a part whose worker died twice, each document in a process that may die without others.

        The results are those of ``__call__``, but for the documents that end a process: these are failures.
        """
        from keywright.running.processes import Processes  # noqa: PLC0415  (rarely used; loading is slow)

        return self._write(part, Processes(1))

    def _write(self, part: Part, executor: Executor) -> PartEntry:
        documents, failures, examples = 0, Counter[str](), list[Failure]()
        distinct = DistinctIds()
        warned = self.warner() if self.warner else lambda outcome: outcome

        def count_outcomes() -> Iterator[FileOutcome]:
            nonlocal documents
            work = FromFiles(self.extraction, keep_document if self.files.include_text else drop_document)
            for document, outcome in map_files(executor, work, part.sources()):
                numbered = warned(distinct(outcome))
                documents += 1
                if isinstance(numbered, Failure):
                    failures[numbered.code] += 1
                    if len(examples) < _EXAMPLES:
                        examples.append(replace(numbered, meta={}))
                yield document, numbered

        results = self.files.name_file(part)
        self.files.write(results, count_outcomes())
        size = results.stat().st_size
        return PartEntry(part.number, part.digest, part.label, documents, failures, tuple(examples), size)


@dataclass(slots=True)
class PartsReport:
    """Numbers of parts, those that were done ``before`` included, of documents, and of failures by code."""

    folder: Path
    parts: int = 0
    before: int = 0
    documents: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    examples: list[Failure] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """Number of documents that failed."""
        return self.failures.total()

    def add(self, entry: PartEntry, *, before: bool) -> None:
        """Count a part."""
        self.parts += 1
        self.before += before
        self.documents += entry.documents
        self.failures.update(entry.failures)
        self.examples += entry.examples[: _REPORT_EXAMPLES - len(self.examples)]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        counts = {name: getattr(self, name) for name in ("parts", "before", "documents", "failed")}
        failures, examples = dict(sorted(self.failures.items())), [failure.to_dict() for failure in self.examples]
        return {"folder": str(self.folder), **counts, "failures": failures, "examples": examples}


def list_settings(extraction: Extraction) -> dict[str, Any]:
    """Return the options besides the system that decide the results, where they are not the default."""
    return changed_options(extraction.phrase_filter, top=extraction.top, explain=extraction.evidence or None)


def run_parts(
    work: PartWork,
    inputs: Inputs,
    *,
    executor: Executor,
    shard: Shard | None = None,
    force: bool = False,
    progress: Callable[[int, None], None] | None = None,
) -> PartsReport:
    """Write the results of all parts that are missing; the files do not depend on the executor or on interruptions.

    A part whose inputs have changed is done again, and parts that the inputs no longer have are removed.

    ``shard``: which parts this machine does, None for all; ``force``: whether earlier results are removed;
    ``progress``: called with the number of documents that are done, and None, as their total is not known.

    Raises:
        BadParameter: the folder holds results of another system or of other options, or other files, or another command
            writes to it.
        UnreadableInput, MissingExtra: an input or a library is not there.
    """
    inputs.check()
    work.files.check()
    ledger = PartLedger(work.files.folder, shard or _ALL)
    report, planned = PartsReport(ledger.folder), 0
    tell = progress or (lambda _done, _total: None)

    def missing() -> Iterator[Part]:
        nonlocal planned
        for part in inputs.parts():
            planned = part.number + 1
            if part.number % ledger.share.of != ledger.share.number - 1:
                continue
            if entry := ledger.find(part, work.files.name_file(part)):
                report.add(entry, before=True)
                tell(report.documents, None)
            else:
                yield part

    with ledger.open(_describe_job(work, inputs), force=force):
        for entry in executor.map(work, missing()):
            ledger.add(entry)
            report.add(entry, before=False)
            tell(report.documents, None)
        ledger.remove_from(planned)
    return report


def _describe_job(work: PartWork, inputs: Inputs) -> Mapping[str, Any]:
    """Return what must be the same in a repeated run."""
    columns = inputs.tables and {name: value for name, value in asdict(inputs.tables.columns).items() if value}
    return {
        "system": work.extraction.signature,
        "analyser": signature(work.extraction.analyser),
        **list_settings(work.extraction),
        "format": work.files.form,
        "wide": work.files.wide,
        "include_text": work.files.include_text,
        "documents_in_a_part": inputs.size,
        "input_format": inputs.form and inputs.form.short_name,
        "columns": columns and {**columns, "keep": list(columns.get("keep", ()))},
    }
