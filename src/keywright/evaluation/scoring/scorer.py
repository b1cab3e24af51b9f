"""Score predictions against gold under a protocol: a report, also of a stream, whose counts alone are in memory."""

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self, TypeAlias

import numpy as np

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadRecord, UnknownName, list_names
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.answers import Answers, GoldSet, make_gold_sets, select_texts, write_answers
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Documents, OddIds, PhraseClass, ZeroDivisor
from keywright.evaluation.scoring import counting
from keywright.evaluation.scoring.report import Report

_KINDS: Final = "choose a protocol for gold of every kind, such as keywright-1, or name the kind of each phrase as `by`"


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """A protocol with its gold, prepared once (``Scorer.of``) and used for any number of runs."""

    protocol: Protocol
    # The gold sets that are scored, each class separately, by their names in the report and in its order.
    sets: Mapping[str, counting.IndexedGold]
    ids: frozenset[str]
    texts: counting.Texts  # normalised texts of the documents; empty where the protocol needs none

    @classmethod
    def of(cls, protocol: Protocol, gold: Sequence[GoldSet], texts: Mapping[str, str] | None = None) -> Self:
        """Prepare the kinds of gold that the protocol names, or all if it names none."""
        kinds = {gold_set.by: gold_set for gold_set in gold}
        if missing := [kind for kind in protocol.golds if kind not in kinds]:
            message = f"no gold called {missing[0]!r}: protocol {protocol.name} scores {', '.join(protocol.golds)}"
            raise UnknownName(f"{message}, and this gold has {list_names(list(kinds))}", _KINDS)
        scored = [kinds[kind] for kind in protocol.golds or kinds]
        ids = frozenset(document.id for gold_set in scored for document in gold_set.documents)
        normal = counting.normalise_texts(texts, ids, protocol)
        sets: dict[str, counting.IndexedGold] = {}
        for gold_set in scored:
            classes = counting.index_classes(gold_set, protocol, normal, protocol.classes or (PhraseClass.ALL,))
            prefix = "" if len(scored) == 1 else f"{gold_set.by}/"
            names = {part: f"{prefix}{part}" if protocol.classes else gold_set.by for part in classes}
            sets |= {names[part]: index for part, index in classes.items()}
        return cls(protocol, sets, ids, normal)

    def score(self, answers: Answers) -> Report:
        """Score one run; a document without an answer counts as an empty list."""
        skipped = self._count_odd(answers)
        forms = counting.rank_forms(answers.lists, self.protocol)
        parts = {
            part: counting.forms_of_class(forms, self.texts, part, self.protocol)
            for part in {index.part for index in self.sets.values()}
        }
        counts = {
            name: counting.compact_counts(counting.count_hits(index, parts[index.part], self.protocol))
            for name, index in self.sets.items()
        }
        sizes = {by: int(np.count_nonzero(columns.gold == 0)) for by, columns in counts.items()}
        skipped |= {f"no gold ({by})": without for by, without in sizes.items() if without}
        golds = [index.gold for index in self.sets.values()]
        sizes_odd = (warn_of_size(gold.by, len(gold.documents), self.protocol) for gold in golds)
        signed = tuple(dict.fromkeys(f"{gold.by}@{gold.fingerprint}" for gold in golds))
        scored, values = len(self.ids & answers.lists.keys()), compute_all_values(counts, self.protocol)
        warnings = (*answers.warnings, *itertools.chain.from_iterable(sizes_odd))
        signature, unit = self.protocol.signature, self.protocol.unit.value
        return Report(signature, answers.run, signed, scored, skipped, values, unit, counts, warnings)

    def _count_odd(self, answers: Answers) -> dict[str, int]:
        """Count documents with an odd id, by reason, but for failures; refuse what the protocol refuses."""
        answered = answers.lists.keys()
        failed = self.ids & set(answers.failed) - answered
        missing = sorted(self.ids - answered - failed)
        stray = sorted(answered - self.ids)
        rules = self.protocol
        hint = f"protocol {rules.name} requires one answer for each gold document; an empty list is an answer"
        checks = (missing, rules.missing_ids, "have no answer"), (stray, rules.unknown_ids, "are not in the gold")
        for odd, rule, what in checks:
            if odd and rule is OddIds.REFUSED:
                raise BadRecord(f"{len(odd)} documents {what}: {list_names(odd)}", hint)
        if answers.repeated and rules.repeated_ids is OddIds.REFUSED:
            raise BadRecord(f"{answers.repeated} answers are for a document that was answered before", hint)
        reasons = {"no answer": len(missing), "failed": len(failed), "not in the gold": len(stray)}
        reasons["repeated, last one kept"] = answers.repeated
        return {reason: number for reason, number in reasons.items() if number}


def compute_named_values(by: str, counts: Counts, protocol: Protocol) -> dict[str, float]:
    """Compute the protocol's measures for one gold set, by name, in the order of reports; raises ``PartlyDone``."""
    named: dict[str, float] = {}
    for average in protocol.average:
        sums = counting.sum_statistics(counts, average, protocol)
        numbers = counting.compute_values(sums, counts.cutoffs, average, protocol)
        for measure in protocol.measures:
            if measure.k is not None:
                column = getattr(numbers, measure.name)
                named[protocol.name_value(by, average, measure)] = float(column[counts.cutoffs.index(measure.k)])
    for name, column in counts.means.items():
        there = column[~np.isnan(column)].tolist()
        named[f"{by}/{name}"] = math.fsum(there) / len(there) if there else 0.0  # exact in any order of documents
    return named


def compute_all_values(counts: Mapping[str, Counts], protocol: Protocol) -> dict[str, float]:
    """Compute the values of all gold sets; raises ``PartlyDone``."""
    values: dict[str, float] = {}
    for by, of_set in counts.items():
        values |= compute_named_values(by, of_set, protocol)
    return values


def warn_of_size(by: str, documents: int, protocol: Protocol) -> tuple[str, ...]:
    """Return one warning if the protocol divides by a fixed number of documents and this gold has another number."""
    if protocol.documents is not Documents.HUNDRED or documents == counting.HUNDRED:
        return ()
    return (f"the {by} gold has {documents} documents, but {protocol.name} divides by {counting.HUNDRED}",)


def score(
    predictions: Run | Answers | Mapping[str, Sequence[str]],
    gold: Sequence[GoldSet],
    protocol: Protocol,
    texts: Mapping[str, str] | None = None,
) -> Report:
    """Score predictions under a protocol.

    Predictions are a native run, whose surface forms first pass through the protocol's writer; or answers, or ranked
    lists by document id, which are scored as they are. ``texts``: by document id, for protocols that distinguish
    present phrases. Raises UnknownName: a kind of gold is not in ``gold``; NeedsUnmet: texts are needed; BadRecord: an
    id is missing, unknown or repeated and the protocol refuses that; PartlyDone: the protocol's reference stops there.
    """
    if isinstance(predictions, Run):
        answers = write_answers(predictions, protocol.write)
    elif isinstance(predictions, Answers):
        answers = predictions
    else:
        lists = {name: tuple(phrases) for name, phrases in predictions.items()}
        answers = Answers("lists", lists, len(lists))
    return Scorer.of(protocol, gold, texts).score(answers)


Labelled: TypeAlias = LabelledDocument[Document]
Pair: TypeAlias = tuple[Prediction | Sequence[str] | None, Labelled]
"""A prediction, or ranked phrases that are scored as they are, or None where there is no answer; and its gold."""
BLOCK: Final = 10_000  # documents in memory at a time; arbitrary


def join_counts(blocks: Sequence[Counts], ids: tuple[str, ...]) -> Counts:
    """Return the counts of several blocks of one gold set as one; columns have the widest type of any block."""
    means = {name: np.concatenate([block.means[name] for block in blocks]) for name in blocks[0].means}
    columns = ((name, [getattr(block, name) for block in blocks]) for name in counting.COLUMNS)
    joined: dict[str, Any] = {name: np.concatenate(column) for name, column in columns}
    return replace(blocks[0], ids=ids, means=means, **joined)


def score_stream(
    pairs: Iterable[Pair], protocol: Protocol, kinds: Sequence[str] = (), run: str = "stream", block: int = BLOCK
) -> Report:
    """Score predictions that come with their gold, document after document, ``block`` documents in memory at a time."""
    # A divisor may be 0 in a block; only that of the whole collection counts.
    lenient = replace(protocol, zero_divisor=ZeroDivisor.ZERO)
    kinds = tuple(kinds) or protocol.golds
    hashes: dict[str, hashlib._Hash] = {}
    ids: dict[str, None] = {}
    scored, skipped = 0, Counter[str]()
    blocks: dict[str, list[Counts]] = {}
    stream = iter(pairs)
    while batch := list(itertools.islice(stream, block)):
        labelled = [gold for _, gold in batch]
        sets = make_gold_sets(labelled, kinds)
        kinds = tuple(gold.by for gold in sets)
        for document in labelled:
            odd = next((entry.by for entry in document.gold if entry.by not in kinds), None)
            if odd is not None and not protocol.golds:  # no earlier block had it
                message = f"document {document.id!r} is the first with gold of the kind {odd!r}"
                raise BadRecord(message, "name all kinds of the collection: kinds=(...)")
            if document.id in ids:
                raise BadRecord(f"document {document.id!r} comes twice", "every document needs a different id")
            ids[document.id] = None
        for gold in sets:
            start = ", " if gold.by in hashes else "["
            text = start + ", ".join(repr((document.id, document.entries)) for document in gold.documents)
            hashes.setdefault(gold.by, hashlib.sha256()).update(text.encode("utf-8", "surrogateescape"))
        texts = select_texts(protocol, labelled)
        report = Scorer.of(lenient, sets, texts).score(_collect_answers(batch, run, protocol))
        scored += report.scored
        skipped.update(report.skipped)
        for name, counts in report.counts.items():
            blocks.setdefault(name, []).append(replace(counts, ids=()))
    for digest in hashes.values():
        digest.update(b"]")
    columns = {name: join_counts(blocks.pop(name), tuple(ids)) for name in list(blocks)}
    signed = tuple(f"{kind}@{digest.hexdigest()[:8]}" for kind, digest in hashes.items())
    values, unit = compute_all_values(columns, protocol), protocol.unit.value
    warnings = tuple(itertools.chain.from_iterable(warn_of_size(name, len(ids), protocol) for name in columns))
    return Report(protocol.signature, run, signed, scored, dict(skipped), values, unit, columns, warnings)


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
