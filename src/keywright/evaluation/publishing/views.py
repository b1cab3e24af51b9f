"""Content of a report page: values of parts of a run, and the distribution of documents."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing.phrases import Mistake, Phrase, mistakes, phrases
from keywright.evaluation.rules import Documents
from keywright.evaluation.run_formats.pairing import Judged
from keywright.evaluation.scoring.aggregation import statistics, values
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import categories_of, document_scores, exact
from keywright.evaluation.statistics.minimum_detectable_effect import main_set

K = TypeVar("K")
_LONGEST = 4
"""Number of words from which phrases are one part; arbitrary."""


@dataclass(frozen=True, slots=True)
class Part:
    """Part of a run, with its P, R and F as fractions; None where it has no prediction or no gold."""

    name: str
    size: int
    P: float | None
    R: float | None
    F: float | None


@dataclass(frozen=True, slots=True)
class View:
    """Content of the page of one report.

    Attributes:
        kind: gold set of the details: all phrases where there are classes, else the last of the report.
        cutoff: number of predictions that count there, the deepest that is a number; None where the protocol has no
            measures at cutoffs, and then all fields below are empty.
        kinds: the whole run by gold set.
        categories: parts by the documents' ``category``; empty where documents have none.
        lengths: parts by the number of words of a phrase.
        presence: present phrases and absent ones; empty where there are no texts.
        documents: F of each document at the cutoff by gold set, without documents that the protocol leaves out.
        wrong: predictions that are not in the gold, the highest cost first.
        missed: gold that was not predicted, in the same order.
    """

    report: Report
    name: str
    kind: str
    cutoff: Cutoff | None
    kinds: tuple[Part, ...] = ()
    categories: tuple[Part, ...] = ()
    lengths: tuple[Part, ...] = ()
    presence: tuple[Part, ...] = ()
    documents: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    wrong: tuple[Mistake, ...] = ()
    missed: tuple[Mistake, ...] = ()


def view(report: Report, judged: Judged, protocol: Protocol) -> View:
    """Compute the details of a report, for one gold set and its deepest cutoff."""
    kind = main_set(report)
    counts = report.counts[kind]
    if not counts.cutoffs:
        return View(report, protocol.name, kind, None)
    cutoff = max((k for k in counts.cutoffs if isinstance(k, int)), default=counts.cutoffs[-1])
    both = phrases(judged, protocol, kind, cutoff)
    placed = [phrase for phrase in both if phrase.present is not None]
    return View(
        report=report,
        name=protocol.name,
        kind=kind,
        cutoff=cutoff,
        kinds=tuple(_part(by, columns, protocol, cutoff) for by, columns in report.counts.items()),
        categories=_categories(judged, counts, protocol, cutoff),
        lengths=_phrase_parts(both, lambda phrase: min(phrase.words, _LONGEST), _length),
        presence=_phrase_parts(placed, lambda phrase: not phrase.present, ("present", "absent").__getitem__),
        documents={by: _documents(columns, protocol, cutoff) for by, columns in report.counts.items()},
        wrong=mistakes(both, counts, protocol, cutoff, missed=False),
        missed=mistakes(both, counts, protocol, cutoff, missed=True),
    )


def _part(name: str, counts: Counts, protocol: Protocol, cutoff: Cutoff) -> Part:
    """Compute values of some documents under the protocol's first average, exact, divided by their own number."""
    rules = replace(exact(protocol), documents=Documents.COUNTED)
    totals = statistics(counts, rules.average[0], rules).sum(axis=0)
    numbers = values(totals, counts.cutoffs, rules.average[0], rules)
    place = counts.cutoffs.index(cutoff)
    return Part(name, len(counts), *(float(column[place]) for column in (numbers.P, numbers.R, numbers.F)))


def _categories(judged: Judged, counts: Counts, protocol: Protocol, cutoff: Cutoff) -> tuple[Part, ...]:
    """Return parts by ``category`` of the documents' meta, in the order of names."""
    categories = categories_of(judged.labelled)
    members: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(counts.ids):
        if name in categories:
            members[categories[name]].append(place)
    return tuple(_part(name, _subset(counts, members[name]), protocol, cutoff) for name in sorted(members))


def _subset(counts: Counts, places: Sequence[int]) -> Counts:
    """Select the counts of some documents, without their ranked hits, which values do not need."""
    rows = np.array(places)
    return replace(
        counts,
        ids=tuple(counts.ids[place] for place in places),
        hits=counts.hits[rows],
        divisors=counts.divisors[rows],
        predicted=np.zeros(len(rows), dtype=np.int64),
        gold=counts.gold[rows],
        relevance=counts.relevance[:0],
    )


def _documents(counts: Counts, protocol: Protocol, cutoff: Cutoff) -> tuple[tuple[str, float], ...]:
    scores = document_scores(counts, protocol)[f"F@{cutoff}"].tolist()
    return tuple((name, score) for name, score in zip(counts.ids, scores, strict=True) if score == score)  # noqa: PLR0124 - nan is left out


def _phrase_parts(phrases: Iterable[Phrase], key: Callable[[Phrase], K], name: Callable[[K], str]) -> tuple[Part, ...]:
    """Compute pooled P, R and F of the phrases of each key: both sides have only these phrases."""
    groups: dict[K, list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        groups[key(phrase)].append(phrase)
    parts = []
    for group in sorted(groups, key=repr):
        predicted = sum(phrase.predicted for phrase in groups[group])
        gold = sum(phrase.gold for phrase in groups[group])
        hits = sum(phrase.predicted and phrase.gold for phrase in groups[group])
        precision = hits / predicted if predicted else None
        recall = hits / gold if gold else None
        both = predicted + gold
        parts.append(Part(name(group), len(groups[group]), precision, recall, 2 * hits / both if both else None))
    return tuple(parts)


def _length(words: int) -> str:
    return f"{words} words or more" if words == _LONGEST else f"{words} word{'s' * (words > 1)}"
