"""Scoring of runs that are larger than memory: prediction and gold come side by side and are forgotten when counted.

A block of documents is scored like a small collection; what stays of it are its counts, some 250 bytes a document, from
which values, intervals and tests are computed in the end. The report is the same as that of ``scoring.score``.
"""

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, TypeVar

import numpy as np

from keywright.core.documents import Document
from keywright.core.errors import BadRecord
from keywright.core.gold import LabelledDocument
from keywright.core.predictions import Prediction
from keywright.evaluation.formats.answers import Answers
from keywright.evaluation.formats.gold_sets import GoldSet, gold_sets, texts_for
from keywright.evaluation.matching.exact import IndexedGold
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import ZeroDivisor
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import Scorer, named_values, size_warning

Item = TypeVar("Item")

Pair: TypeAlias = tuple[Prediction | Sequence[str] | None, LabelledDocument[Document]]
"""A prediction, or ranked phrases that are scored as they are, or None where there is no answer; and its gold."""

BLOCK: Final = 10_000
"""Documents that are in memory at a time."""


def score_stream(
    pairs: Iterable[Pair], protocol: Protocol, kinds: Sequence[str] = (), run: str = "stream", block: int = BLOCK
) -> Report:
    """The report of predictions that come beside their gold, document after document.

    Args:
        pairs: predictions and gold, in the order of the collection; it is gone through once.
        protocol: the rules.
        kinds: kinds of gold, in the order of the report; empty for those of the protocol, or of the first block.
        run: signature of the run.
        block: documents that are in memory at a time.

    Raises:
        BadRecord: a prediction stands beside the gold of another document, a document comes twice, gold is of a kind
            that is not scored, or an answer is missing and the protocol refuses that.
        PartlyDone: the protocol's reference stops at such data, and so it does.
    """
    # A divisor of 0 counts in the whole collection only.
    gentle = replace(protocol, zero_divisor=ZeroDivisor.ZERO)
    parts = _Parts()
    for some in _blocks(pairs, block):
        labelled = [gold for _, gold in some]
        parts.kinds = parts.kinds or tuple(kinds) or protocol.golds
        sets = gold_sets(labelled, parts.kinds)
        parts.take(sets, _complete(sets, labelled, protocol))
        answers = _answers(some, run, protocol)
        report = Scorer.of(gentle, sets, texts_for(protocol, labelled)).score(answers)
        parts.scored += report.scored
        parts.skipped.update(report.skipped)
        for name, counts in report.counts.items():
            parts.counts.setdefault(name, []).append(counts)
    return parts.report(protocol, run)


@dataclass(slots=True)
class _Parts:
    """What stays of the blocks that were scored.

    Attributes:
        kinds: kinds of gold.
        hashes: of the gold, by kind; in the end the fingerprints of ``GoldSet``.
        seen: ids of documents.
        scored: documents with an answer.
        skipped: documents by reason.
        counts: by gold set or class, one for each block.
    """

    kinds: tuple[str, ...] = ()
    hashes: dict[str, "hashlib._Hash"] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    scored: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    counts: dict[str, list[Counts]] = field(default_factory=dict)

    def take(self, sets: Sequence[GoldSet], ids: Sequence[str]) -> None:
        """Note the gold of a block."""
        self.kinds = tuple(one.by for one in sets)
        for name in ids:
            if name in self.seen:
                raise BadRecord(f"document {name!r} comes twice", "every document needs an id of its own")
            self.seen.add(name)
        for one in sets:
            start = b", " if one.by in self.hashes else b"["
            digest = self.hashes.setdefault(one.by, hashlib.sha256())
            text = ", ".join(repr((document.id, document.entries)) for document in one.documents)
            digest.update(start + text.encode("utf-8", "surrogateescape"))

    def report(self, protocol: Protocol, run: str) -> Report:
        """The report of all blocks."""
        counts = {name: _joined(self.counts.pop(name)) for name in tuple(self.counts)}
        for digest in self.hashes.values():
            digest.update(b"]")
        numbers: dict[str, float] = {}
        warnings: list[str] = []
        for name, one in counts.items():
            numbers |= named_values(name, one, protocol)
            warnings += size_warning(IndexedGold(GoldSet(name, ()), one.ids, (), ()), protocol)
        return Report(
            protocol=protocol.signature,
            run=run,
            gold=tuple(f"{kind}@{digest.hexdigest()[:8]}" for kind, digest in self.hashes.items()),
            scored=self.scored,
            skipped=dict(self.skipped),
            values=numbers,
            unit=protocol.unit.value,
            counts=counts,
            warnings=tuple(warnings),
        )


def _answers(some: Sequence[Pair], run: str, protocol: Protocol) -> Answers:
    """The answers of a block."""
    lists: dict[str, tuple[str, ...]] = {}
    for given, gold in some:
        if isinstance(given, Prediction):
            if given.document_id != gold.id:
                message = f"the prediction for {given.document_id!r} stands beside the gold of {gold.id!r}"
                raise BadRecord(message, "expected predictions and gold in the same order")
            lists[gold.id] = protocol.write(given.texts)
        elif given is not None:
            lists[gold.id] = tuple(given)
    return Answers(run, lists, len(lists))


def _complete(sets: Sequence[GoldSet], labelled: Sequence[LabelledDocument[Document]], protocol: Protocol) -> list[str]:
    """Ids of a block's documents, all of whose gold is of a kind that is scored."""
    known = {one.by for one in sets}
    for one in labelled:
        for entry in one.gold:
            if entry.by not in known and not protocol.golds:
                message = f"document {one.id!r} is the first with gold of the kind {entry.by!r}"
                raise BadRecord(message, "name all kinds of the collection: kinds=(...)")
    return [one.id for one in labelled]


def _joined(several: Sequence[Counts]) -> Counts:
    """Counts of all blocks, one behind the other."""
    first = several[0]
    return replace(
        first,
        ids=tuple(itertools.chain.from_iterable(one.ids for one in several)),
        hits=np.concatenate([one.hits for one in several]),
        divisors=np.concatenate([one.divisors for one in several]),
        predicted=np.concatenate([one.predicted for one in several]),
        gold=np.concatenate([one.gold for one in several]),
        relevance=np.concatenate([one.relevance for one in several]),
        means={name: np.concatenate([one.means[name] for one in several]) for name in first.means},
    )


def _blocks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Lists of so many items, the last one shorter."""
    stream = iter(items)
    while some := list(itertools.islice(stream, size)):
        yield some
