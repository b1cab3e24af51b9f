"""Errors of the default on held-out documents: misses and false alarms by class, with examples."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.core.interfaces import Progress
from keywright.experiments.study import run_units
from keywright.text.keys import gold_keys
from studies.default.data import COLLECTIONS, StudyCollection
from studies.default.phrases import MOST, TextOfGold, all_readings, beside_nouns, holds, other_forms, parts_of, relation
from studies.default.rankings import HeldOutRanking, HeldOutRankings
from studies.default.rows import FALSE_ALARM, MISS, ErrorCount, ErrorExample, ErrorRow

_BANDS: Final = ((30, "ranked down to 30"), (100, "ranked 31 to 100"), (10_000, "ranked behind 100"))
"""Last ranks and names of the classes of misses that are on the shortlist; arbitrary."""


def misses(rankings: HeldOutRankings) -> Iterator[ErrorExample]:
    """Yield every keyphrase that is not shown."""
    for ranking in rankings.rankings:
        yield from _missed(rankings, ranking)


def _missed(rankings: HeldOutRankings, ranking: HeldOutRanking) -> Iterator[ErrorExample]:
    labelled, shortlist = ranking.paper.labelled, ranking.paper.shortlist
    text, by_group = TextOfGold(labelled.document), rankings.by_group(ranking.contributions)
    where = rankings.here.name, MISS, labelled.id
    for entry in ranking.keyphrases:
        if reason := text.lost(entry, shortlist.key):
            yield ErrorExample(*where, entry.forms[0], reason, None, None)
            continue
        candidates = np.flatnonzero(np.isin(shortlist.key, gold_keys([entry], "en")))
        best = int(candidates[ranking.rank[candidates].argmin()])
        rank = int(ranking.rank[best])
        if rank <= rankings.here.shown:
            continue
        band = next(name for last, name in _BANDS if rank <= last)
        row = int(np.count_nonzero(ranking.is_keyphrase[:best]))  # contributions have rows for keyphrases only
        group = rankings.groups[int((rankings.usual_contributions - by_group[row]).argmax())]
        probability = rankings.probability(float(ranking.log_odds[best]))
        yield ErrorExample(*where, ranking.surface_form(best), band, rank, probability, group)


def near_misses(rankings: HeldOutRankings) -> Iterator[ErrorCount]:
    """Count the misses that are shown in part, with more words, or as their short or long form."""
    counts = Counter[str]()
    total = 0
    for ranking in rankings.rankings:
        shown = tuple(ranking.shown_parts())
        pairs = TextOfGold(ranking.paper.labelled.document).abbreviations
        for entry in ranking.keyphrases:
            forms = all_readings([entry])
            if any(form in shown for form in forms):
                continue
            total += 1
            others = {other for form in forms for other in other_forms(form, pairs)}
            counts["a part of it is shown"] += any(holds(form, phrase) for form in forms for phrase in shown)
            counts["it is shown with more words"] += any(holds(phrase, form) for form in forms for phrase in shown)
            counts["its short or long form is shown"] += any(phrase in others for phrase in shown)
    for name, number in counts.items():
        yield ErrorCount(rankings.here.name, MISS, "trait", name, number, round(number / max(1, total), 4))


_COMMON: Final = 0.01  # a phrase in more than this share of the background's documents is general; arbitrary
_TRAITS: Final = (
    "a noun stands before most mentions",
    "a noun stands behind most mentions",
    "one word",
    "general: in more than one of a hundred scholarly texts",
    "a keyphrase of other documents",
    "most mentions are part of one longer candidate",
)


def false_alarms(rankings: HeldOutRankings) -> Iterator[ErrorExample]:
    """Yield every phrase that is shown and not a keyphrase."""
    for ranking in rankings.rankings:
        traits_of, relation_of = _traits(rankings, ranking), _relations(ranking)
        where = rankings.here.name, FALSE_ALARM, ranking.paper.labelled.id
        for index in ranking.shown.tolist():
            if not ranking.is_keyphrase[index]:
                phrase, key = ranking.surface_form(index), int(ranking.paper.shortlist.key[index])
                unrelated = _unrelated({trait: bool(values[index]) for trait, values in traits_of.items()})
                probability = rankings.probability(float(ranking.log_odds[index]))
                name = relation_of(phrase, key) or unrelated
                yield ErrorExample(*where, phrase, name, int(ranking.rank[index]), probability)


def _relations(ranking: HeldOutRanking) -> Callable[[str, int], str | None]:
    """Return a function that relates a phrase, and its key, to the document's gold."""
    labelled, kind = ranking.paper.labelled, ranking.here.questions[0].gold
    gold = all_readings(labelled.given_by(kind))
    other_kinds = set(gold_keys([entry for entry in labelled.gold if entry.by != kind], "en").tolist())
    pairs = TextOfGold(labelled.document).abbreviations

    def relate(phrase: str, key: int) -> str | None:
        parts = parts_of(phrase)
        if key in other_kinds:
            return "keyphrase of another kind of gold"
        if other_forms(parts, pairs) & set(gold):
            return "short or long form of a keyphrase"
        return relation(parts, gold)

    return relate


def traits(rankings: HeldOutRankings) -> Iterator[ErrorCount]:
    """Count the traits of false alarms, beside those of the keyphrases that are shown."""
    right, wrong = [], []
    for ranking in rankings.rankings:
        is_keyphrase = ranking.is_keyphrase[ranking.shown]
        table = np.array(list(_traits(rankings, ranking).values())).reshape(len(_TRAITS), -1)[:, ranking.shown]
        right.append(table[:, is_keyphrase])
        wrong.append(table[:, ~is_keyphrase])
    hits, alarms = (np.concatenate(tables, axis=1) for tables in (right, wrong))
    for name, of_alarms, of_hits in zip(_TRAITS, alarms, hits, strict=True):
        number, share, share_of_hits = int(of_alarms.sum()), float(of_alarms.mean()), float(of_hits.mean())
        where = rankings.here.name, FALSE_ALARM, "trait"
        yield ErrorCount(*where, name, number, round(share, 4), round(share_of_hits, 4))


def _traits(rankings: HeldOutRankings, ranking: HeldOutRanking) -> dict[str, Bools]:
    """Return which candidates of the shortlist have each trait, (shortlist,) each."""
    paper, tags, background = ranking.paper, rankings.knowledge.tags, rankings.knowledge.background
    shortlist = paper.shortlist
    column = {name.partition(": ")[2]: paper.rows[:, place] for place, name in enumerate(rankings.columns)}
    nowhere = np.zeros(len(shortlist), bool)
    before, behind = beside_nouns(paper.labelled.document, shortlist, tags) if tags else (nowhere, nowhere)
    values = (
        before,
        behind,
        shortlist.length == 1,
        background.of(shortlist.key) > _COMMON * background.documents,
        column["chosen"] > 0,
        column["independence"] < MOST,
    )
    return dict(zip(_TRAITS, values, strict=True))


def _unrelated(traits_of: Mapping[str, bool]) -> str:
    """Return the class of a phrase that is not related to any keyphrase."""
    before, behind, _, general, elsewhere, _ = traits_of.values()
    if general:
        return "unrelated, general"
    if before or behind:
        return "unrelated, a piece of a longer noun phrase"
    return "unrelated, but a keyphrase of other documents" if elsewhere else "unrelated, never a keyphrase elsewhere"


STUDIED: Final = COLLECTIONS[:2]  # collections whose errors are counted
LISTED: Final = 50  # errors of each side that are listed; arbitrary


def rows(
    *, progress: Progress | None = None, mirror: Path | None = None, jobs: int | None = None
) -> tuple[ErrorRow, ...]:
    """Count all misses and false alarms by class and trait, and list some.

    Raises:
        MissingData: a collection is not on this machine.
        MissingExtra: LightGBM is not installed.
    """
    outcomes = run_units(partial(evaluate, mirror=mirror), STUDIED, progress, jobs)
    return tuple(row for _, errors in outcomes for row in errors)


def evaluate(here: StudyCollection, *, mirror: Path | None = None) -> tuple[ErrorRow, ...]:
    """Return the counts of one collection, then the listed errors."""
    return tuple(errors_of(HeldOutRankings.cross_validated(here, mirror)))


def errors_of(rankings: HeldOutRankings) -> Iterator[ErrorRow]:
    """Yield the counts of rankings, then the listed errors."""
    name, missed, wrong = rankings.here.name, list(misses(rankings)), list(false_alarms(rankings))
    yield from _counts(name, MISS, "class", Counter(error.name for error in missed))
    yield from _counts(name, MISS, "group", Counter(error.group for error in missed if error.group))
    yield from near_misses(rankings)
    yield from _counts(name, FALSE_ALARM, "class", Counter(error.name for error in wrong))
    yield from traits(rankings)
    yield from listed_misses(missed)
    yield from sorted(wrong, key=lambda error: (-(error.probability or 0), error.rank))[:LISTED]


def _counts(collection: str, side: str, about: str, counted: Mapping[str, int]) -> Iterator[ErrorCount]:
    total = sum(counted.values())
    for name, number in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        yield ErrorCount(collection, side, about, name, number, round(number / total, 4))


def listed_misses(misses: Iterable[ErrorExample], most: int = LISTED) -> list[ErrorExample]:
    """Return misses of each class in proportion to its size, ranked lowest first, those without rank in text order."""
    classes: dict[str, list[ErrorExample]] = {}
    for miss in misses:
        classes.setdefault(miss.name, []).append(miss)
    total = sum(map(len, classes.values()))
    shares = {name: most * len(members) / max(1, total) for name, members in classes.items()}
    # Largest remainders: the seats that are left after rounding down go to the classes that lost most by it.
    seats = {name: int(share) for name, share in shares.items()}
    for name in sorted(shares, key=lambda name: (seats[name] - shares[name], name))[: most - sum(seats.values())]:
        seats[name] += 1
    return [
        miss
        for name, members in sorted(classes.items(), key=lambda item: (-len(item[1]), item[0]))
        for miss in sorted(members, key=lambda miss: -(miss.rank or 0))[: seats[name]]
    ]
