"""A system applied to inputs part by part, by any executor; each part has a file of results, and a line of a ledger."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import islice, starmap
from pathlib import Path
from typing import IO, Any, Final

from keywright.core import atomic_files
from keywright.core.errors import BadParameter, needs_extra, unknown_name
from keywright.core.interfaces import Executor
from keywright.core.json_values import check_object, decode, encode, to_json
from keywright.core.options import changed_options
from keywright.core.predictions import Failure, Outcome, list_columns, name_columns
from keywright.core.records import sign_records
from keywright.core.signatures import short_signature, signature
from keywright.core.views import make_data_frame
from keywright.running import file_extraction
from keywright.running.engines import Serial
from keywright.running.extraction import AsRecord, Extraction
from keywright.running.file_extraction import DistinctIds, FileOutcome, FromFiles, Shard, map_files
from keywright.running.part_inputs import Inputs, Part

FOLDER: Final = "_ledger"
"""Folder of the ledger; programs that read folders of files leave out names that begin with an underscore."""
_PART: Final = re.compile(r"\.?part-(\d{6,})\.\w+(?:\.\w+\.part)?")
"""Names of files of results, and of temporary files that a killed process left."""


@dataclass(frozen=True, slots=True)
class PartEntry:
    """Result of a finished part: identity and label of inputs; documents, failures by code, examples, bytes."""

    number: int
    inputs: str
    label: str
    documents: int
    failures: Mapping[str, int]
    examples: tuple[Failure, ...]
    size: int


@dataclass(slots=True)
class PartLedger:
    """A folder of results and its ledger: a file for the ``share`` of each machine, first the job, then parts done."""

    folder: Path
    share: Shard
    _entries: dict[int, PartEntry] = field(default_factory=dict)
    _file: IO[str] | None = None

    @contextmanager
    def open(self, job: Mapping[str, Any], *, force: bool) -> Iterator[None]:
        """Make the folder, or check that it holds results of the same work (or ``force``), while the block runs."""
        atomic_files.check_folder(self.folder)
        ledgers = self.folder / FOLDER
        others = [path for path in self.folder.iterdir() if path != ledgers] if self.folder.is_dir() else []
        if others and not any(ledgers.glob("*.jsonl")):
            raise BadParameter(f"{self.folder} holds other files", "name a folder that is new or empty")
        ledgers.mkdir(parents=True, exist_ok=True)
        ledger = ledgers / f"parts-{self.share.number}-of-{self.share.of}.jsonl"
        with atomic_files.hold_output(self.folder, lock := ledger.with_suffix(".lock")):
            for other in ledgers.glob("*.lock"):  # shares of another division, and all that would be removed
                if other != lock and (force or not other.stem.endswith(f"-of-{self.share.of}")):
                    with atomic_files.hold_output(self.folder, other):
                        pass
            if force:
                for path in (*ledgers.glob("*.jsonl"), *(path for path, _ in self._list_files())):
                    path.unlink(missing_ok=True)
            sizes = {path: self._read_entries(path, job) for path in sorted(ledgers.glob("*.jsonl"))}
            with atomic_files.grow_file(ledger, sizes.get(ledger, 0)) as self._file:
                if not sizes.get(ledger):
                    self.write_line(job)
                self.remove_files(lambda path, _part: path.name.startswith("."))
                yield

    def _read_entries(self, path: Path, job: Mapping[str, Any]) -> int:
        """Take the entries of a file, after a check of its job; return the bytes of its whole lines."""
        size = 0
        for line in atomic_files.read_whole_lines(path):
            try:
                record = check_object(json.loads(line))
                if size:
                    entry: PartEntry = decode(PartEntry, record, "entry")
                    self._entries[entry.number] = entry
            except (ValueError, TypeError, LookupError) as error:
                if not size:
                    message = f"the ledger in {self.folder} is damaged: {error}"
                    raise BadParameter(message, "name another folder, or replace the results with --force") from None
            if not size:
                hint = "name another folder, or the same system and options, or use --force"
                atomic_files.check_same_work(self.folder, record, job, hint)
            size += len(line)
        return size

    def find(self, part: Part, results: Path) -> PartEntry | None:
        """Return the entry of a part; None if it is not done, its inputs have changed, or its results are not there."""
        entry = self._entries.get(part.number)
        if entry is None or entry.inputs != part.digest:
            return None
        return entry if results.is_file() and results.stat().st_size == entry.size else None

    def write_line(self, record: Mapping[str, Any]) -> None:
        """Write a line: the job, or the entry of a part whose results are written."""
        if self._file:
            self._file.write(to_json(dict(record)) + "\n")
            self._file.flush()

    def remove_files(self, is_old: Callable[[Path, int], bool]) -> None:
        """Remove files of this machine's parts."""
        for path, part in self._list_files():
            if part % self.share.of == self.share.number - 1 and is_old(path, part):
                path.unlink(missing_ok=True)

    def _list_files(self) -> list[tuple[Path, int]]:
        names = [(path, _PART.fullmatch(path.name)) for path in self.folder.iterdir()]
        return [(path, int(match[1])) for path, match in names if match]


_GROUP: Final = 2_000  # documents of a group of rows in Parquet, which are in memory at once; arbitrary


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """Where and how results of a system are written; with ``concepts`` Parquet has columns of concepts."""

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
        with atomic_files.synced_file(path) as file:
            binary: Any = file
            _WRITERS[self.form](self, binary.buffer, outcomes)


def _write_json_lines(files: ResultFiles, target: Any, outcomes: Iterable[FileOutcome]) -> None:
    records = starmap(AsRecord(short_signature(files.system), files.include_text), outcomes)
    target.writelines(text.encode("utf-8") + b"\n" for text in sign_records(records, files.system, files.options))


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

_EXAMPLES: Final = 3  # failures of a part that its entry names; arbitrary. The results have all
_REPORT_EXAMPLES: Final = 10  # failures that a report names; arbitrary


@dataclass(frozen=True)
class PartWork:
    """The work on a part, which writes its results; ids are distinct within a part, and outcomes pass ``warner``."""

    extraction: Extraction
    files: ResultFiles
    warner: Callable[[], Callable[[Outcome], Outcome]] | None = None

    def __call__(self, part: Part) -> PartEntry:
        """Write the results of a part, and return its entry."""
        return self._write(part, Serial())

    def lost(self, part: Part) -> PartEntry:
        """Write the results of a part whose worker died twice; only documents that end a process of theirs fail."""
        from keywright.running.pool import Processes  # noqa: PLC0415  (rarely used; loading is slow)

        return self._write(part, Processes(1))

    def _write(self, part: Part, executor: Executor) -> PartEntry:
        documents, failures, examples = 0, Counter[str](), list[Failure]()
        distinct = DistinctIds()
        warned = self.warner() if self.warner else lambda outcome: outcome

        def count_outcomes() -> Iterator[FileOutcome]:
            nonlocal documents
            with_text = self.files.include_text
            finish = file_extraction.keep_document if with_text else file_extraction.drop_document
            for document, outcome in map_files(executor, FromFiles(self.extraction, finish), part.sources()):
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

    A part whose inputs have changed is done again. ``shard``: parts of this machine, None for all; ``force``: earlier
    results are removed; ``progress``: documents done, and None. Raises BadParameter as ``PartLedger.open``;
    UnreadableInput, MissingExtra.
    """
    inputs.check()
    work.files.check()
    ledger = PartLedger(work.files.folder, shard or Shard(1, 1))
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
            ledger.write_line(encode(entry))
            report.add(entry, before=False)
            tell(report.documents, None)
        ledger.remove_files(lambda _path, part: part >= planned)  # the inputs no longer have them
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
