"""Scoring of runs that are larger than memory: prediction and gold arrive together and are discarded once counted.

A block of documents is scored like a small collection; only its counts stay in memory, from which values, intervals and
tests are computed at the end. The report equals that of ``scorer.score``.
"""

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.compact_ids import IdList, IdSet
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.predictions import Prediction
from keywright.evaluation.answers import Answers, GoldSet, make_gold_sets, select_texts
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import ZeroDivisor
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import Scorer, make_report, warn_of_size

Labelled: TypeAlias = LabelledDocument[Document]
Pair: TypeAlias = tuple[Prediction | Sequence[str] | None, Labelled]
"""A prediction, or ranked phrases that are scored as they are, or None where there is no answer; and its gold."""
BLOCK: Final = 10_000
"""Documents in memory at a time; arbitrary."""
_COLUMNS: Final = ("hits", "divisors", "predicted", "gold", "relevance")


@dataclass(slots=True, eq=False)
class GrowingColumn:
    """A column or table of numbers that grows at its end, of the widest type that one of its parts has.

    Bytes grow in place: there is no second copy of them, except while the type changes.
    """

    kind: np.dtype[Any]
    width: tuple[int, ...]
    content: bytearray = field(default_factory=bytearray)
    rows: int = 0

    def append(self, part: Ints | Floats) -> None:
        """Append rows."""
        kind = np.promote_types(self.kind, part.dtype)
        if kind != self.kind:
            self.content, self.kind = bytearray(self.array().astype(kind).tobytes()), kind
        self.content += part.astype(kind, copy=False).tobytes()
        self.rows += len(part)

    def array(self) -> Any:
        """Return the rows, which must not grow while the array is used."""
        return np.frombuffer(self.content, self.kind).reshape(self.rows, *self.width)


@dataclass(slots=True, eq=False)
class GrowingCounts:
    """The counts of one gold set; its blocks have the same cutoffs and means.

    Attributes:
        first: the first block, without documents.
    """

    first: Counts
    columns: dict[str, GrowingColumn]
    means: dict[str, GrowingColumn]

    @classmethod
    def of(cls, block: Counts) -> "GrowingCounts":
        """Return the counts of a block."""
        empty = {name: getattr(block, name)[:0].copy() for name in _COLUMNS}
        columns, means = (
            {name: GrowingColumn(array.dtype, array.shape[1:]) for name, array in arrays.items()}
            for arrays in (empty, block.means)
        )
        counts = cls(replace(block, ids=(), means={}, **empty), columns, means)
        counts.append(block)
        return counts

    def append(self, block: Counts) -> None:
        """Append the counts of a block of documents."""
        for name, column in self.columns.items():
            column.append(getattr(block, name))
        for name, column in self.means.items():
            column.append(block.means[name])

    def counts(self, ids: IdList) -> Counts:
        """Return the counts of all documents, which have these ids."""
        columns: dict[str, Any] = {name: column.array() for name, column in self.columns.items()}
        means = {name: column.array() for name, column in self.means.items()}
        return replace(self.first, ids=ids, means=means, **columns)


def score_stream(
    pairs: Iterable[Pair], protocol: Protocol, kinds: Sequence[str] = (), run: str = "stream", block: int = BLOCK
) -> Report:
    """Score predictions that come with their gold, document after document, ``block`` documents in memory at a time."""
    # A divisor may be 0 in a block; only that of the whole collection counts.
    lenient = replace(protocol, zero_divisor=ZeroDivisor.ZERO)
    total = _Total()
    stream = iter(pairs)
    while batch := list(itertools.islice(stream, block)):
        labelled = [gold for _, gold in batch]
        total.kinds = total.kinds or tuple(kinds) or protocol.golds
        sets = make_gold_sets(labelled, total.kinds)
        _check_kinds(sets, labelled, protocol)
        total.add_gold(sets, labelled)
        answers = _collect_answers(batch, run, protocol)
        total.add_scores(Scorer.of(lenient, sets, select_texts(protocol, labelled)).score(answers))
    return total.report(protocol, run)


@dataclass(slots=True)
class _Total:
    """Statistics of all blocks that were scored."""

    kinds: tuple[str, ...] = ()
    hashes: dict[str, "hashlib._Hash"] = field(default_factory=dict)
    ids: IdList = field(default_factory=IdList)
    distinct: IdSet = field(default_factory=IdSet)
    scored: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    counts: dict[str, GrowingCounts] = field(default_factory=dict)

    def add_gold(self, sets: Sequence[GoldSet], labelled: Sequence[Labelled]) -> None:
        """Record the gold of a block."""
        self.kinds = tuple(gold.by for gold in sets)
        for document in labelled:
            self.ids.append(document.id)
            if not self.distinct.add(document.id):
                raise BadRecord(f"document {document.id!r} comes twice", "every document needs a different id")
        for gold in sets:
            start = b", " if gold.by in self.hashes else b"["
            digest = self.hashes.setdefault(gold.by, hashlib.sha256())
            text = ", ".join(repr((document.id, document.entries)) for document in gold.documents)
            digest.update(start + text.encode("utf-8", "surrogateescape"))

    def add_scores(self, report: Report) -> None:
        """Add the counts of a block."""
        self.scored += report.scored
        self.skipped.update(report.skipped)
        for name, counts in report.counts.items():
            if name in self.counts:
                self.counts[name].append(counts)
            else:
                self.counts[name] = GrowingCounts.of(counts)

    def report(self, protocol: Protocol, run: str) -> Report:
        """Compute the report of all blocks."""
        counts = {name: growing.counts(self.ids) for name, growing in self.counts.items()}
        for digest in self.hashes.values():
            digest.update(b"]")
        warnings = (warn_of_size(name, len(columns), protocol) for name, columns in counts.items())
        return make_report(
            protocol,
            run,
            counts,
            gold=(f"{kind}@{digest.hexdigest()[:8]}" for kind, digest in self.hashes.items()),
            scored=self.scored,
            skipped=dict(self.skipped),
            warnings=itertools.chain.from_iterable(warnings),
        )


def _collect_answers(batch: Sequence[Pair], run: str, protocol: Protocol) -> Answers:
    lists: dict[str, tuple[str, ...]] = {}
    for prediction, gold in batch:
        if isinstance(prediction, Prediction):
            if prediction.document_id != gold.id:
                message = f"the prediction for {prediction.document_id!r} comes with the gold of {gold.id!r}"
                raise BadRecord(message, "expected predictions and gold in the same order")
            lists[gold.id] = protocol.write(prediction.texts)
        elif prediction is not None:
            lists[gold.id] = tuple(prediction)
    return Answers(run, lists, len(lists))


def _check_kinds(sets: Sequence[GoldSet], labelled: Sequence[Labelled], protocol: Protocol) -> None:
    """Refuse gold of a kind that no earlier block had, unless the protocol selects kinds."""
    scored = {gold.by for gold in sets}
    for document in labelled:
        for entry in document.gold:
            if entry.by not in scored and not protocol.golds:
                message = f"document {document.id!r} is the first with gold of the kind {entry.by!r}"
                raise BadRecord(message, "name all kinds of the collection: kinds=(...)")
