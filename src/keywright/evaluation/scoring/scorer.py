"""Scoring: predictions and gold under a protocol become a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.core.errors import BadRecord, unknown
from keywright.core.runs import Run
from keywright.evaluation.formats.answers import Answers, written
from keywright.evaluation.formats.gold_sets import GoldSet
from keywright.evaluation.matching.exact import (
    IndexedGold,
    Texts,
    count,
    forms_of_class,
    indexed,
    indexed_classes,
    normalised_texts,
    ranked_forms,
)
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.measures.document_means import mean_values
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Documents, OddIds
from keywright.evaluation.scoring.aggregation import HUNDRED, statistics, values
from keywright.evaluation.scoring.report import Report


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """A protocol with its gold, prepared once (``Scorer.of``) and used for any number of runs.

    Attributes:
        protocol: the rules.
        sets: the gold sets it scores, each of its classes apart, by their names in the report and in its order.
        ids: documents that have gold, or should have.
        texts: normalised texts of the documents; empty where the protocol needs none.
    """

    protocol: Protocol
    sets: Mapping[str, IndexedGold]
    ids: frozenset[str]
    texts: Texts

    @classmethod
    def of(cls, protocol: Protocol, gold: Sequence[GoldSet], texts: Mapping[str, str] | None = None) -> Self:
        """Prepare the kinds of gold that the protocol names, or all that are given if it names none.

        Args:
            protocol: the rules.
            gold: the gold sets there are.
            texts: texts by document id; a protocol without classes does not look at them.

        Raises:
            UnknownName: the protocol names a kind of gold that is not there.
            NeedsUnmet: the protocol needs texts and there are none.
            BadRecord: a document has no text.
        """
        kinds = {one.by: one for one in gold}
        for kind in protocol.golds:
            if kind not in kinds:
                raise unknown("gold", kind, kinds, "keywright datasets show NAME")
        scored = [kinds[kind] for kind in protocol.golds or kinds]
        ids = frozenset(document.id for one in scored for document in one.documents)
        normal = normalised_texts(texts, ids, protocol)
        sets: dict[str, IndexedGold] = {}
        for one in scored:
            if not protocol.classes:
                sets[one.by] = indexed(one, protocol)
                continue
            prefix = "" if len(scored) == 1 else f"{one.by}/"
            classes = indexed_classes(one, protocol, normal, protocol.classes)
            sets |= {f"{prefix}{part}": entries for part, entries in classes.items()}
        return cls(protocol, sets, ids, normal)

    def score(self, answers: Answers) -> Report:
        """The report of one run; a document without an answer counts as an empty list.

        Raises:
            BadRecord: an id is missing, unknown or repeated and the protocol refuses that.
            PartlyDone: the protocol's reference stops (at a divisor of 0, at a document without gold), and so it does.
        """
        skipped = self._odd(answers)
        forms = ranked_forms(answers.lists, self.protocol)
        parts = {
            part: forms_of_class(forms, self.texts, part, self.protocol)
            for part in {one.part for one in self.sets.values()}
        }
        counts = {name: count(one, parts[one.part], self.protocol) for name, one in self.sets.items()}
        numbers: dict[str, float] = {}
        for by, one in counts.items():
            numbers |= named_values(by, one, self.protocol)
            if empty := int(np.count_nonzero(one.gold == 0)):
                skipped[f"no gold ({by})"] = empty
        return Report(
            protocol=self.protocol.signature,
            run=answers.run,
            gold=tuple(dict.fromkeys(f"{one.gold.by}@{one.gold.fingerprint}" for one in self.sets.values())),
            scored=len(self.ids & answers.lists.keys()),
            skipped=skipped,
            values=numbers,
            unit=self.protocol.unit.value,
            counts=counts,
            warnings=answers.warnings
            + tuple(odd for one in self.sets.values() for odd in size_warning(one, self.protocol)),
        )

    def _odd(self, answers: Answers) -> dict[str, int]:
        """How many documents of each oddity there are, in the order of checking.

        A document that the system failed on has no answer and is no missing one: the run says why.
        """
        given = answers.lists.keys()
        failed = self.ids & set(answers.failed) - given
        missing = sorted(self.ids - given - failed)
        stray = sorted(given - self.ids)
        rules = self.protocol
        for odd, rule, what in (
            (missing, rules.missing_ids, "have no answer"),
            (stray, rules.unknown_ids, "are not in the gold"),
        ):
            if odd and rule is OddIds.REFUSED:
                message = f"{len(odd)} documents {what}, the first is {odd[0]!r}"
                raise BadRecord(message, f"protocol {rules.name} wants one answer for each gold document")
        if answers.repeated and rules.repeated_ids is OddIds.REFUSED:
            message = f"{answers.repeated} answers are for a document that was answered before"
            raise BadRecord(message, f"protocol {rules.name} wants one answer for each gold document")
        found = {
            "no answer": len(missing),
            "failed": len(failed),
            "not in the gold": len(stray),
            "repeated, last one kept": answers.repeated,
        }
        return {reason: number for reason, number in found.items() if number}


def named_values(by: str, counts: Counts, protocol: Protocol) -> dict[str, float]:
    """The protocol's measures for one gold set, by name.

    Raises:
        PartlyDone: a divisor is 0 and the protocol stops there.
    """
    found: dict[str, float] = {}
    for place, average in enumerate(protocol.average):
        totals = statistics(counts, average, protocol).sum(axis=0)
        numbers = values(totals, counts.cutoffs, average, protocol)
        columns = {"P": numbers.P.tolist(), "R": numbers.R.tolist(), "F": numbers.F.tolist()}
        for measure in protocol.measures:
            name = f"{by}/{measure}" if place == 0 else f"{by}/{average}-{measure}"
            if measure.k is not None:
                found[name] = columns[measure.name][counts.cutoffs.index(measure.k)]
    return found | mean_values(by, counts.means)


def size_warning(gold: IndexedGold, protocol: Protocol) -> tuple[str, ...]:
    """One warning if the protocol divides by a fixed number of documents and this gold has another."""
    if protocol.documents is not Documents.HUNDRED or len(gold.ids) == HUNDRED:
        return ()
    return (f"the {gold.gold.by} gold has {len(gold.ids)} documents, but {protocol.name} divides by {HUNDRED}",)


def score(
    predictions: Run | Answers | Mapping[str, Sequence[str]],
    gold: Sequence[GoldSet],
    protocol: Protocol,
    texts: Mapping[str, str] | None = None,
) -> Report:
    """Score predictions under a protocol.

    Args:
        predictions: a native run, whose surface forms first pass through the protocol's writer; or answers, or ranked
            lists by document id, which are scored as they are.
        gold: the gold sets there are.
        protocol: the rules.
        texts: texts by document id, for protocols that tell present phrases from absent ones.

    Raises:
        UnknownName: the protocol names a kind of gold that is not there.
        NeedsUnmet: the protocol needs texts and there are none.
        BadRecord: an id is missing, unknown or repeated and the protocol refuses that.
        PartlyDone: the protocol's reference stops at such data, and so it does.
    """
    if isinstance(predictions, Run):
        answers = written(predictions, protocol.write)
    elif isinstance(predictions, Answers):
        answers = predictions
    else:
        lists = {name: tuple(phrases) for name, phrases in predictions.items()}
        answers = Answers("lists", lists, len(lists))
    return Scorer.of(protocol, gold, texts).score(answers)
