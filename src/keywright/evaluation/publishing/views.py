"""What a report page shows: values of parts of a run, and how documents are spread."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.measures.measure import Cutoff
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing.phrases import Mistake, Phrase, mistakes, phrases
from keywright.evaluation.rules import Documents, PhraseClass
from keywright.evaluation.run_formats.pairing import Judged
from keywright.evaluation.scoring.aggregation import statistics, values
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import categories_of, document_scores, exact

K = TypeVar("K")
_LONGEST = 4


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
    """What a page shows of one report.

    Attributes:
        report: the values.
        name: of the protocol.
        kind: gold set that is looked at closely: all phrases where there are classes, else the last of the report.
        cutoff: number of predictions that count there, the deepest that is a number; None where the protocol has no
            measures at cutoffs, and then nothing below is there.
        kinds: the whole run by gold set.
        categories: parts by the documents' ``category``; empty where documents have none.
        lengths: parts by the number of words of a phrase.
        presence: present phrases and absent ones; empty where there are no texts.
        documents: F of each document at the cutoff by gold set; documents that the protocol leaves out are not there.
        wrong: predictions that are not in the gold, those that cost most first.
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
    """Look at a report closely, at one gold set and its deepest cutoff."""
    kinds = tuple(report.counts)
    kind = next((one for one in kinds if one.rpartition("/")[2] == PhraseClass.ALL), kinds[-1])
    counts = report.counts[kind]
    if not counts.cutoffs:
        return View(report, protocol.name, kind, None)
    cutoff = max((k for k in counts.cutoffs if isinstance(k, int)), default=counts.cutoffs[-1])
    found = phrases(judged, protocol, kind, cutoff)
    known = [one for one in found if one.present is not None]
    return View(
        report=report,
        name=protocol.name,
        kind=kind,
        cutoff=cutoff,
        kinds=tuple(_part(by, one, protocol, cutoff) for by, one in report.counts.items()),
        categories=_categories(judged, counts, protocol, cutoff),
        lengths=_phrase_parts(found, lambda one: min(one.words, _LONGEST), _length),
        presence=_phrase_parts(known, lambda one: not one.present, lambda absent: "absent" if absent else "present"),
        documents={by: _documents(one, protocol, cutoff) for by, one in report.counts.items()},
        wrong=mistakes(found, counts, protocol, cutoff, missed=False),
        missed=mistakes(found, counts, protocol, cutoff, missed=True),
    )


def _part(name: str, counts: Counts, protocol: Protocol, cutoff: Cutoff) -> Part:
    """Values of some documents under the protocol's first average, exact, divided by their own number."""
    rules = replace(exact(protocol), documents=Documents.COUNTED)
    totals = statistics(counts, rules.average[0], rules).sum(axis=0)
    found = values(totals, counts.cutoffs, rules.average[0], rules)
    place = counts.cutoffs.index(cutoff)
    return Part(name, len(counts), *(float(part[place]) for part in (found.P, found.R, found.F)))


def _categories(judged: Judged, counts: Counts, protocol: Protocol, cutoff: Cutoff) -> tuple[Part, ...]:
    """Parts by ``category`` of the documents' meta, in the order of names."""
    known = categories_of(judged.labelled)
    members: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(counts.ids):
        if name in known:
            members[known[name]].append(place)
    return tuple(_part(name, _some(counts, members[name]), protocol, cutoff) for name in sorted(members))


def _some(counts: Counts, places: Sequence[int]) -> Counts:
    """Counts of some of the documents, without their ranked hits, which values do not need."""
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


def _phrase_parts(given: Iterable[Phrase], key: Callable[[Phrase], K], name: Callable[[K], str]) -> tuple[Part, ...]:
    """Pooled P, R and F of the phrases of each key: both sides hold only these phrases."""
    groups: dict[K, list[Phrase]] = defaultdict(list)
    for one in given:
        groups[key(one)].append(one)
    found = []
    for group in sorted(groups, key=repr):
        predicted = sum(one.predicted for one in groups[group])
        gold = sum(one.gold for one in groups[group])
        hits = sum(one.predicted and one.gold for one in groups[group])
        precision = hits / predicted if predicted else None
        recall = hits / gold if gold else None
        both = predicted + gold
        found.append(Part(name(group), len(groups[group]), precision, recall, 2 * hits / both if both else None))
    return tuple(found)


def _length(words: int) -> str:
    """How a number of words is called."""
    return f"{words} words or more" if words == _LONGEST else f"{words} word{'s' * (words > 1)}"
