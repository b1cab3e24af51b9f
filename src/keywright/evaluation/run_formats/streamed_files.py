"""Large run files beside their gold, document after document, so that neither is ever in memory as a whole.

This needs no more than that the run has the order of the gold, as ``keywright run`` writes it. Reports equal those of
``pairing`` to the last digit.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.json_values import check_object
from keywright.core.predictions import Failure, Prediction, Run
from keywright.core.records import read_outcome, read_run
from keywright.core.signatures import fingerprint_digests, hash_document
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import OddIds
from keywright.evaluation.run_formats.format import Source, locate_errors
from keywright.evaluation.run_formats.json_lines import NATIVE
from keywright.evaluation.run_formats.pairing import Load, note_crowded, note_other_texts
from keywright.evaluation.run_formats.reading import read_gold_source, recognise_format
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.streaming import Pair, score_stream
from keywright.reading.limits import Limits, open_unpacked

LARGE: Final = 20_000_000
"""Bytes of a run file from which it is scored as it is read: some 20,000 documents, 200 MB in memory. Arbitrary."""
_HEAD: Final = 1 << 16
"""Bytes that show the format of a file; arbitrary."""
_BLOCK: Final = 2_000
"""Documents in memory at a time; arbitrary."""
_MOST_MISSING: Final = 1_000
"""Documents without an answer that are remembered until the failures at the end of a run are read; arbitrary."""
_EXPECTED: Final = "a file that `keywright run` wrote"


class Unordered(BadRecord):
    """A run whose documents do not have the order of the gold, or lack many of them."""


@dataclass(frozen=True, slots=True)
class StreamedFiles:
    """A run file and its gold.

    Attributes:
        header: the run without its documents.
        gold: labelled documents, which can be iterated again.
    """

    path: Path
    header: Run
    gold: Iterable[LabelledDocument[Document]]

    def report(self, protocol: Protocol) -> Report:
        """Score under a protocol.

        Raises:
            Unordered: the run has another order than the gold, or a document is missing that the protocol requires.
            BadRecord: a line of the run is broken.
        """
        try:
            return self._report(protocol, ())
        except BadRecord as error:
            if "name all kinds" not in error.hint:
                raise
        kinds = dict.fromkeys(entry.by for labelled in self.gold for entry in labelled.gold)
        return self._report(protocol, tuple(kinds))

    def _report(self, protocol: Protocol, kinds: tuple[str, ...]) -> Report:
        notes = _Notes(bool(self.header.texts))
        pairs = _pair_outcomes(_iterate_outcomes(self.path), self.gold, notes)
        # Failures come last in a run: only then it is known which documents have no answer at all.
        lenient = replace(protocol, missing_ids=OddIds.COUNTED)
        report = score_stream(pairs, lenient, kinds, self.header.system, _BLOCK)
        unanswered = notes.missing - notes.failed
        if unanswered and protocol.missing_ids is OddIds.REFUSED:
            raise _unordered_error(f"documents such as {min(unanswered)!r} have no answer")
        failed = len(notes.failed)
        odd = {"no answer": len(notes.missing) - failed, "failed": failed}
        rest = {reason: count for reason, count in report.skipped.items() if reason not in odd}
        skipped = {reason: count for reason, count in odd.items() if count} | rest
        warnings = (*report.warnings, *notes.texts(self.header), *note_crowded(notes.crowded))
        return replace(report, protocol=protocol.signature, skipped=skipped, warnings=warnings)


@dataclass(slots=True)
class _Notes:
    """Findings about documents while they pass.

    Attributes:
        compares: whether texts are compared with those of the run.
        missing: ids without a prediction.
        failed: those of them on which the system failed.
    """

    compares: bool
    missing: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    crowded: int = 0
    digests: bytearray = field(default_factory=bytearray)

    def add(self, document: Document, phrases: int) -> None:
        """Note a document and how many phrases it has."""
        self.crowded += 0 < len(document.text) < phrases
        if self.compares:
            self.digests += hash_document(document)

    def texts(self, header: Run) -> tuple[str, ...]:
        """Return a note if the texts are not those of the run, whose documents are all there."""
        if not self.compares or self.missing != self.failed:
            return ()
        np.frombuffer(self.digests, "S32").sort()  # in place
        return note_other_texts(header, fingerprint_digests(self.digests))


def stream_files(run: Path, gold: str | Path | None, load: Load) -> StreamedFiles | None:
    """Return a run file with its gold, if it is large, and both are files or data sets of keywright; else None.

    ``gold``: a file or the name of a data set; None for that named by the run.
    """
    if not run.is_file() or run.stat().st_size < LARGE:
        return None
    head = _read_head(run)
    if recognise_format(head) is not NATIVE:
        return None
    header = read_run(head.lines()[:1], run.name)
    source = gold or header.data
    if header.predictions or not source:
        return None
    if Path(source).is_dir() or (Path(source).is_file() and read_gold_source(_read_head(Path(source))) is not None):
        return None
    data = load(source)
    first = next(iter(data), None)
    if first is None or first.document.meta.get("category") is not None:  # intervals by category need all of them
        return None
    return StreamedFiles(run, header, data)


def _read_head(path: Path) -> Source:
    """Return the first lines of a file."""
    with path.open("rb") as stream:
        data = open_unpacked(stream, path.name, Limits()).read(_HEAD)
    whole = data[: data.rfind(b"\n") + 1] or data
    return Source(path.name, whole)


def _iterate_outcomes(path: Path) -> Iterator[Prediction | Failure]:
    """Yield the outcomes of a run file, in its order."""
    with path.open("rb") as stream:
        lines = enumerate(open_unpacked(stream, path.name, Limits()), start=1)
        next((line for _, line in lines if line.strip()), None)  # the header
        for number, line in lines:
            if line.strip():
                with locate_errors(f"line {number} of {path.name}", _EXPECTED):
                    outcome = read_outcome(check_object(json.loads(line)))
                yield outcome


def _pair_outcomes(
    outcomes: Iterator[Prediction | Failure], gold: Iterable[LabelledDocument[Document]], notes: _Notes
) -> Iterator[Pair]:
    """Yield each gold document with its prediction; documents that are not in the run come without."""
    failures: list[str] = []
    current = _next_prediction(outcomes, failures)
    for labelled in gold:
        if current is not None and current.document_id == labelled.id:
            notes.add(labelled.document, len(current.keyphrases))
            yield current, labelled
            current = _next_prediction(outcomes, failures)
        else:
            notes.missing.add(labelled.id)
            if len(notes.missing) > _MOST_MISSING:
                raise _unordered_error(
                    f"{len(notes.missing)} documents such as {labelled.id!r} are not where they should be"
                )
            notes.add(labelled.document, 0)
            yield None, labelled
    if current is not None:
        raise _unordered_error(f"the prediction for {current.document_id!r} is not where it should be")
    notes.failed = set(failures)
    if not notes.failed <= notes.missing or len(notes.failed) < len(failures):
        raise _unordered_error("its failures are not those of documents without a prediction")


def _next_prediction(outcomes: Iterator[Prediction | Failure], failures: list[str]) -> Prediction | None:
    """Return the next prediction; failures before it are noted."""
    for outcome in outcomes:
        if isinstance(outcome, Prediction):
            return outcome
        failures.append(outcome.document_id)
    return None


def _unordered_error(problem: str) -> Unordered:
    hint = "files of this size are scored as they are read: write the run in the order of the gold"
    return Unordered(f"the run does not have the order of the gold: {problem}", hint)
