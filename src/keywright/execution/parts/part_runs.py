"""A system applied to inputs part by part, by any executor."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from keywright.core.interfaces import Executor
from keywright.core.list_options import changed_options
from keywright.core.predictions import Failure
from keywright.core.signatures import signature
from keywright.execution.distinct_ids import DistinctIds
from keywright.execution.engines import Serial
from keywright.execution.extraction import Extraction, Outcome
from keywright.execution.file_extraction import FileOutcome, FromFiles, mapped_files, with_document, without_document
from keywright.execution.parts.part_files import ResultFiles
from keywright.execution.parts.part_ledger import PartEntry, PartLedger, Tally
from keywright.execution.parts.pieces import Part
from keywright.execution.parts.planning import Inputs
from keywright.execution.shards import Shard

_EXAMPLES: Final = 10
"""Failures that a report names; arbitrary."""
_ALL: Final = Shard(1, 1)
Warner = Callable[[], Callable[[Outcome], Outcome]]
"""Returns a function that the outcomes of a part pass in order, and which may add warnings."""


def unwarned() -> Callable[[Outcome], Outcome]:
    """Return a function that leaves outcomes as they are."""
    return _same


def _same(outcome: Outcome) -> Outcome:
    return outcome


@dataclass(frozen=True)
class PartWork:
    """The work on a part, which writes its results; sent to every worker once.

    Ids are distinct within a part: a repeated one gets a number. Repetitions over parts are not noticed, as that would
    take memory for each document.
    """

    extraction: Extraction
    ledger: PartLedger
    files: ResultFiles
    warner: Warner = unwarned

    def __call__(self, part: Part) -> PartEntry:
        """Write the results of a part, and return its entry."""
        return self._written(part, Serial())

    def lost(self, part: Part) -> PartEntry:
        """Write the results of a part whose worker died twice, each document in a process that may die without others.

        The results are those of ``__call__``, but for the documents that end a process: these are failures.
        """
        from keywright.execution.processes import Processes  # noqa: PLC0415  (rarely used; loading is slow)

        return self._written(part, Processes(1))

    def _written(self, part: Part, executor: Executor) -> PartEntry:
        tally, distinct, warned = Tally(), DistinctIds(), self.warner()

        def counted() -> Iterator[FileOutcome]:
            work = FromFiles(self.extraction, with_document if self.files.include_text else without_document)
            for document, outcome in mapped_files(executor, work, part.sources()):
                numbered = warned(distinct(outcome))
                tally.add(numbered)
                yield document, numbered

        self.files.write(self.ledger.results(part), counted())
        return self.ledger.finish(part, tally)


@dataclass(slots=True)
class PartsReport:
    """Counts of a run over parts, and of the results in its folder.

    Attributes:
        folder: folder of the results.
        parts: number of parts, those that were done before included.
        before: number of parts that were done before.
        documents: number of documents in all parts, failed ones included.
        failures: number of failed documents by code.
        examples: the first failures.
    """

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
        self.examples += entry.examples[: _EXAMPLES - len(self.examples)]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "folder": str(self.folder),
            "parts": self.parts,
            "before": self.before,
            "documents": self.documents,
            "failed": self.failed,
            "failures": dict(sorted(self.failures.items())),
            "examples": [failure.to_dict() for failure in self.examples],
        }


def settings_of(extraction: Extraction) -> dict[str, Any]:
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

    Args:
        work: from a prepared system.
        inputs: files and folders.
        executor: what works on the parts.
        shard: which parts this machine does; None for all.
        force: whether earlier results in the folder are removed.
        progress: called with the number of documents that are done, and None, as their total is not known.

    Raises:
        BadParameter: the folder holds results of another system or of other options, or other files.
        UnreadableInput, MissingExtra: an input or a library is not there.
    """
    inputs.check()
    work.files.check()
    if force:
        work.ledger.remove()
    work.ledger.open(_job(work, inputs))
    share, report, planned = shard or _ALL, PartsReport(work.ledger.folder), 0
    work.ledger.clear_temporary(share.number, share.of)
    tell = progress or (lambda _done, _total: None)

    def missing() -> Iterator[Part]:
        nonlocal planned
        for part in inputs.parts():
            planned = part.number + 1
            if part.number % share.of != share.number - 1:
                continue
            if entry := work.ledger.entry(part):
                report.add(entry, before=True)
                tell(report.documents, None)
            else:
                yield part

    for entry in executor.map(work, missing()):
        report.add(entry, before=False)
        tell(report.documents, None)
    work.ledger.remove_from(planned, share.number, share.of)
    return report


def _job(work: PartWork, inputs: Inputs) -> Mapping[str, Any]:
    """Return what must be the same in a repeated run."""
    columns = inputs.tables and {name: value for name, value in asdict(inputs.tables.columns).items() if value}
    return {
        "system": work.extraction.signature,
        "analyser": signature(work.extraction.analyser),
        **settings_of(work.extraction),
        "format": work.files.form,
        "wide": work.files.wide,
        "include_text": work.files.include_text,
        "documents_in_a_part": inputs.size,
        "input_format": inputs.form and inputs.form.short_name,
        "columns": columns and {**columns, "keep": list(columns.get("keep", ()))},
    }
