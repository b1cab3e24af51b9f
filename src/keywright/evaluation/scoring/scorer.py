"""Score predictions against gold under a protocol: a report."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.errors import BadRecord, UnknownName, list_names
from keywright.core.predictions import Run
from keywright.evaluation.answers import Answers, GoldSet, write_answers
from keywright.evaluation.measures.counts import Counts, mean_values
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Documents, OddIds, PhraseClass
from keywright.evaluation.scoring.aggregation import HUNDRED, compact_counts, compute_values, sum_statistics
from keywright.evaluation.scoring.counting import (
    IndexedGold,
    Texts,
    count_hits,
    forms_of_class,
    index_classes,
    normalise_texts,
    rank_forms,
)
from keywright.evaluation.scoring.report import Report

_KINDS: Final = "choose a protocol for gold of every kind, such as keywright-1, or name the kind of each phrase as `by`"


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """A protocol with its gold, prepared once (``Scorer.of``) and used for any number of runs.

    Attributes:
        sets: the gold sets that are scored, each class separately, by their names in the report and in its order.
        texts: normalised texts of the documents; empty where the protocol needs none.
    """

    protocol: Protocol
    sets: Mapping[str, IndexedGold]
    ids: frozenset[str]
    texts: Texts

    @classmethod
    def of(cls, protocol: Protocol, gold: Sequence[GoldSet], texts: Mapping[str, str] | None = None) -> Self:
        """Prepare the kinds of gold that the protocol names, or all if it names none."""
        kinds = {gold_set.by: gold_set for gold_set in gold}
        if missing := [kind for kind in protocol.golds if kind not in kinds]:
            message = f"no gold called {missing[0]!r}: protocol {protocol.name} scores {', '.join(protocol.golds)}"
            raise UnknownName(f"{message}, and this gold has {list_names(list(kinds))}", _KINDS)
        scored = [kinds[kind] for kind in protocol.golds or kinds]
        ids = frozenset(document.id for gold_set in scored for document in gold_set.documents)
        normal = normalise_texts(texts, ids, protocol)
        sets: dict[str, IndexedGold] = {}
        for gold_set in scored:
            classes = index_classes(gold_set, protocol, normal, protocol.classes or (PhraseClass.ALL,))
            prefix = "" if len(scored) == 1 else f"{gold_set.by}/"
            names = {part: f"{prefix}{part}" if protocol.classes else gold_set.by for part in classes}
            sets |= {names[part]: index for part, index in classes.items()}
        return cls(protocol, sets, ids, normal)

    def score(self, answers: Answers) -> Report:
        """Score one run; a document without an answer counts as an empty list."""
        skipped = self._count_odd(answers)
        forms = rank_forms(answers.lists, self.protocol)
        parts = {
            part: forms_of_class(forms, self.texts, part, self.protocol)
            for part in {index.part for index in self.sets.values()}
        }
        counts = {
            name: compact_counts(count_hits(index, parts[index.part], self.protocol))
            for name, index in self.sets.items()
        }
        sizes = {by: int(np.count_nonzero(columns.gold == 0)) for by, columns in counts.items()}
        skipped |= {f"no gold ({by})": without for by, without in sizes.items() if without}
        golds = [index.gold for index in self.sets.values()]
        warnings = (warn_of_size(gold.by, len(gold.documents), self.protocol) for gold in golds)
        return make_report(
            self.protocol,
            answers.run,
            counts,
            gold=dict.fromkeys(f"{gold.by}@{gold.fingerprint}" for gold in golds),
            scored=len(self.ids & answers.lists.keys()),
            skipped=skipped,
            warnings=(*answers.warnings, *itertools.chain.from_iterable(warnings)),
        )

    def _count_odd(self, answers: Answers) -> dict[str, int]:
        """Count documents with an odd id, by reason; refuse what the protocol refuses.

        A document on which the system failed has no answer but is not counted as missing: the run has the reason.
        """
        answered = answers.lists.keys()
        failed = self.ids & set(answers.failed) - answered
        missing = sorted(self.ids - answered - failed)
        stray = sorted(answered - self.ids)
        rules = self.protocol
        hint = f"protocol {rules.name} requires one answer for each gold document; an empty list is an answer"
        for odd, rule, what in (
            (missing, rules.missing_ids, "have no answer"),
            (stray, rules.unknown_ids, "are not in the gold"),
        ):
            if odd and rule is OddIds.REFUSED:
                raise BadRecord(f"{len(odd)} documents {what}: {list_names(odd)}", hint)
        if answers.repeated and rules.repeated_ids is OddIds.REFUSED:
            raise BadRecord(f"{answers.repeated} answers are for a document that was answered before", hint)
        reasons = {
            "no answer": len(missing),
            "failed": len(failed),
            "not in the gold": len(stray),
            "repeated, last one kept": answers.repeated,
        }
        return {reason: number for reason, number in reasons.items() if number}


def make_report(  # noqa: PLR0913 - keywords, the fields of a report
    protocol: Protocol,
    run: str,
    counts: Mapping[str, Counts],
    *,
    gold: Iterable[str],
    scored: int,
    skipped: Mapping[str, int],
    warnings: Iterable[str],
) -> Report:
    """Compute the values of counts by gold set; raises ``PartlyDone``. Arguments are the fields of ``Report``."""
    values: dict[str, float] = {}
    for by, of_set in counts.items():
        values |= compute_named_values(by, of_set, protocol)
    return Report(
        protocol.signature, run, tuple(gold), scored, skipped, values, protocol.unit.value, counts, tuple(warnings)
    )


def compute_named_values(by: str, counts: Counts, protocol: Protocol) -> dict[str, float]:
    """Compute the protocol's measures for one gold set, by name, in the order of reports; raises ``PartlyDone``."""
    named: dict[str, float] = {}
    for average in protocol.average:
        numbers = compute_values(sum_statistics(counts, average, protocol), counts.cutoffs, average, protocol)
        for measure in protocol.measures:
            if measure.k is not None:
                column = getattr(numbers, measure.name)
                named[protocol.name_value(by, average, measure)] = float(column[counts.cutoffs.index(measure.k)])
    return named | mean_values(by, counts.means)


def warn_of_size(by: str, documents: int, protocol: Protocol) -> tuple[str, ...]:
    """Return one warning if the protocol divides by a fixed number of documents and this gold has another number."""
    if protocol.documents is not Documents.HUNDRED or documents == HUNDRED:
        return ()
    return (f"the {by} gold has {documents} documents, but {protocol.name} divides by {HUNDRED}",)


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
        gold: the gold sets.
        protocol: the rules.
        texts: texts by document id, for protocols that distinguish present phrases from absent ones.

    Raises:
        UnknownName: the protocol names a kind of gold that is not in ``gold``.
        NeedsUnmet: the protocol needs texts and there are none.
        BadRecord: an id is missing, unknown or repeated and the protocol refuses that.
        PartlyDone: the protocol's reference stops at such data.
    """
    if isinstance(predictions, Run):
        answers = write_answers(predictions, protocol.write)
    elif isinstance(predictions, Answers):
        answers = predictions
    else:
        lists = {name: tuple(phrases) for name, phrases in predictions.items()}
        answers = Answers("lists", lists, len(lists))
    return Scorer.of(protocol, gold, texts).score(answers)
