"""Phrases that the default shows and that are not keyphrases: their relation to keyphrases, and their traits."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.text.keys import gold_keys
from studies.default.phrases import MOST, TextOfGold, all_readings, beside_nouns, other_forms, parts_of, relation
from studies.default.rankings import HeldOutRanking, HeldOutRankings
from studies.default.rows import FALSE_ALARM, ErrorCount, ErrorExample

_COMMON: Final = 0.01
"""A phrase in more than this share of the background's documents is general; arbitrary."""
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
