"""Content of a report page: values of parts of a run, the distribution of documents, phrases wrong or missed."""

import itertools
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from keywright.core.predictions import Run
from keywright.evaluation.answers import Answers, make_gold_sets, select_texts, write_answers
from keywright.evaluation.measures.counts import Counts, Cutoff, depths_at
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Documents, Form, Write, unchanged
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.scoring import counting
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import Scorer
from keywright.evaluation.statistics.bootstrap import document_scores, list_categories, make_exact
from keywright.text.stems import semeval_stem

_WORDS: Final = re.compile(r"\w+")
_LENGTHS: Final = ("0 word", "1 word", "2 words", "3 words", "4 words or more")
"""Names of parts by number of words; arbitrary where they end."""
_ORDER: Final = (*_LENGTHS, "present", "absent")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of one document, on one side or on both."""

    document: str
    text: str  # as spelled in the run or the gold
    predicted: bool  # whether it is among the predictions that count
    gold: bool  # whether it is in the gold
    present: bool | None  # whether its stems follow each other in the document; None without text


@dataclass(frozen=True, slots=True)
class Mistake:
    """A phrase that was wrong or missed in one or more documents."""

    text: str
    documents: tuple[str, ...]  # their ids, in gold order
    cost: float  # gain in F if each of these documents had one more hit, a fraction


def list_phrases(judged: PairedRun, protocol: Protocol, kind: str, cutoff: Cutoff) -> tuple[Phrase, ...]:
    """Return phrases of both sides for one gold set, document by document: predictions by rank, then misses."""
    answers, surfaces = _list_answers(judged.predictions, protocol)
    scorer = Scorer.of(protocol, make_gold_sets(judged.labelled), select_texts(protocol, judged.labelled))
    gold = scorer.sets[kind]
    forms = counting.forms_of_class(counting.rank_forms(answers.lists, protocol), scorer.texts, gold.part, protocol)
    documents = (labelled.document for labelled in judged.labelled)
    texts = {document.id: _stem_text(document.text) for document in documents if document.text.strip()}
    collected: list[Phrase] = []
    for place, name in enumerate(gold.ids):
        ranked = forms.get(name, ())
        ranked = ranked[: depths_at([cutoff], np.array([len(ranked)]), np.array([gold.sizes[place]])).item()]
        hits = protocol.matching(ranked, gold.entries[place])
        lists = [(surfaces.get((name, form), form), True, each > 0) for form, each in zip(ranked, hits, strict=True)]
        lists += [(text, False, True) for text in _list_missed(gold, place, ranked, protocol)]
        for text, predicted, hit in lists:
            present = f" {_stem_text(text)} " in f" {texts[name]} " if name in texts else None
            collected.append(Phrase(name, text, predicted, hit, present))
    return tuple(collected)


def list_mistakes(
    phrases: Iterable[Phrase], counts: Counts, protocol: Protocol, cutoff: Cutoff, *, missed: bool
) -> tuple[Mistake, ...]:
    """Return phrases that were missed, or predicted and wrong, sorted by cost, documents and text."""
    places = {name: place for place, name in enumerate(counts.ids)}
    where: dict[str, dict[str, None]] = defaultdict(dict)
    for phrase in phrases:
        if phrase.predicted != missed and phrase.gold == missed:
            where[phrase.text][phrase.document] = None
    # The cost is the gain in F by one more hit in each document.
    rules, place = make_exact(protocol), counts.cutoffs.index(cutoff)
    average = rules.average[0]
    better = counts.hits.copy()
    room = np.minimum(counts.gold, counts.divisors[:, place])
    better[:, place] = np.maximum(better[:, place], np.minimum(better[:, place] + 1, room))
    now, then = (counting.tabulate_statistics(hits, average, rules) for hits in (counts, replace(counts, hits=better)))
    total, more = now.sum(axis=0), then - now
    mistakes = []
    for text, documents in where.items():
        totals = np.stack([total, total + more[[places[name] for name in documents]].sum(axis=0)])
        before, after = counting.compute_values(totals, counts.cutoffs, average, rules).F[:, place].tolist()
        mistakes.append(Mistake(text, tuple(documents), after - before))
    return tuple(sorted(mistakes, key=lambda mistake: (-mistake.cost, -len(mistake.documents), mistake.text)))


def _list_answers(predictions: Run | Answers, protocol: Protocol) -> tuple[Answers, Mapping[tuple[str, Form], str]]:
    """Return lists as they are scored, and the surface form of each form in its document."""
    lists: Iterable[tuple[str, Sequence[str]]]
    write: Write
    if isinstance(predictions, Answers):
        answers, write, lists = predictions, unchanged, predictions.lists.items()
    else:
        answers, write = write_answers(predictions, protocol.write), protocol.write
        lists = ((prediction.document_id, prediction.texts) for prediction in predictions.predictions)
    surfaces: dict[tuple[str, Form], str] = {}
    for name, phrases in lists:
        for text in phrases:
            for line in write((text,)):
                surfaces.setdefault((name, protocol.normalise(line)), text)
    return answers, surfaces


def _list_missed(gold: counting.IndexedGold, place: int, ranked: Sequence[Form], protocol: Protocol) -> Iterator[str]:
    """Yield the gold of one document that no counted prediction equals, as spelled in the collection."""
    entries = gold.entries[place]
    normalise = protocol.normalise_gold or protocol.normalise
    names: dict[Form, str] = {}
    for text in itertools.chain.from_iterable(gold.gold.documents[place].entries):
        names.setdefault(normalise(text), text)
    done = {entry for form in ranked for entry in entries.get(form, ())}
    for form, numbers in entries.items():
        for number in numbers:
            if number not in done:
                done.add(number)
                yield names.get(form, form)


def _stem_text(text: str) -> str:
    """Stem the words of a text, joined by blanks; presence in these tables is decided by them."""
    return " ".join(_WORDS.findall(semeval_stem(unicodedata.normalize("NFKC", text).casefold())))


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
    """Content of the page of one report."""

    report: Report
    name: str
    kind: str  # gold set of the details: all phrases where there are classes, else the last of the report
    # Number of predictions that count there, the deepest that is a number; None where the protocol has no measures at
    # cutoffs, and then all fields below are empty.
    cutoff: Cutoff | None
    kinds: tuple[Part, ...] = ()  # the whole run by gold set
    categories: tuple[Part, ...] = ()  # parts by the documents' ``category``; empty where documents have none
    lengths: tuple[Part, ...] = ()  # parts by the number of words of a phrase
    presence: tuple[Part, ...] = ()  # present phrases and absent ones; empty where there are no texts
    # F of each document at the cutoff by gold set, without documents that the protocol leaves out.
    documents: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    wrong: tuple[Mistake, ...] = ()  # predictions that are not in the gold, the highest cost first
    missed: tuple[Mistake, ...] = ()  # gold that was not predicted, in the same order


def make_view(report: Report, judged: PairedRun, protocol: Protocol) -> View:
    """Compute the details of a report, for one gold set and its deepest cutoff."""
    kind = report.main_set
    counts = report.counts[kind]
    if not counts.cutoffs:
        return View(report, protocol.name, kind, None)
    cutoff = max((k for k in counts.cutoffs if isinstance(k, int)), default=counts.cutoffs[-1])
    both = list_phrases(judged, protocol, kind, cutoff)
    placed = [phrase for phrase in both if phrase.present is not None]
    by_id = list_categories(judged.labelled)
    category = np.array([by_id.get(name) for name in counts.ids], dtype=object)
    parts = {name: counts.of_documents(np.flatnonzero(category == name)) for name in sorted(set(by_id.values()))}
    documents = {}
    for by, columns in report.counts.items():
        scores = zip(columns.ids, document_scores(columns, protocol)[f"F@{cutoff}"].tolist(), strict=True)
        documents[by] = tuple((name, score) for name, score in scores if not math.isnan(score))
    return View(
        report=report,
        name=protocol.name,
        kind=kind,
        cutoff=cutoff,
        kinds=tuple(_make_part(by, columns, protocol, cutoff) for by, columns in report.counts.items()),
        categories=tuple(_make_part(name, part, protocol, cutoff) for name, part in parts.items()),
        lengths=_split_phrases(both, lambda phrase: _LENGTHS[min(len(phrase.text.split()), len(_LENGTHS) - 1)]),
        presence=_split_phrases(placed, lambda phrase: "present" if phrase.present else "absent"),
        documents=documents,
        wrong=list_mistakes(both, counts, protocol, cutoff, missed=False),
        missed=list_mistakes(both, counts, protocol, cutoff, missed=True),
    )


def _make_part(name: str, counts: Counts, protocol: Protocol, cutoff: Cutoff) -> Part:
    """Compute values of some documents under the protocol's first average, exact, divided by their own number."""
    rules = replace(make_exact(protocol), documents=Documents.COUNTED)
    totals = counting.tabulate_statistics(counts, rules.average[0], rules).sum(axis=0)
    numbers = counting.compute_values(totals, counts.cutoffs, rules.average[0], rules)
    place = counts.cutoffs.index(cutoff)
    return Part(name, len(counts), *(float(column[place]) for column in (numbers.P, numbers.R, numbers.F)))


def _split_phrases(phrases: Iterable[Phrase], name: Callable[[Phrase], str]) -> tuple[Part, ...]:
    """Compute pooled P, R and F of the phrases of each name, in its order: both sides have only these phrases."""
    groups: dict[str, list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        groups[name(phrase)].append(phrase)
    parts = []
    for group in sorted(groups, key=_ORDER.index):
        members = groups[group]
        predicted, gold = (sum(getattr(phrase, side) for phrase in members) for side in ("predicted", "gold"))
        hits = sum(phrase.predicted and phrase.gold for phrase in members)
        pairs = (hits, predicted), (hits, gold), (2 * hits, predicted + gold)
        parts.append(Part(group, len(members), *(above / below if below else None for above, below in pairs)))
    return tuple(parts)
