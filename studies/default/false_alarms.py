"""Phrases that the default shows and that are none: how they are related to keyphrases, what is true of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from keywright.core.arrays import Bools
from keywright.text.gold_keys import gold_keys
from studies.default.answers import Answered
from studies.default.error_rows import FALSE_ALARM, ErrorCount, ErrorExample
from studies.default.phrases import Text, all_readings, beside_nouns, other_writings, parts_of, relation
from studies.default.reading import Reading

_COMMON: Final = 0.01
"""A phrase in more than this share of the background's documents is general."""
_MOSTLY: Final = 0.5
_TRAITS: Final = (
    "a noun stands before most mentions",
    "a noun stands behind most mentions",
    "one word",
    "general: in more than one of a hundred scholarly texts",
    "a keyphrase of other documents",
    "most mentions are part of one longer candidate",
)


def false_alarms(reading: Reading) -> Iterator[ErrorExample]:
    """Every phrase that is shown and no keyphrase."""
    for answer in reading.answered:
        true_of, name_of = _traits(reading, answer), _namer(reading, answer)
        where = reading.here.name, FALSE_ALARM, answer.one.labelled.id
        for index in answer.order[: reading.here.shown].tolist():
            if not answer.one.answers[0][index]:
                phrase, key = answer.writing(index), int(answer.one.few.key[index])
                name = name_of(phrase, key) or _unrelated({key: bool(of[index]) for key, of in true_of.items()})
                rank, odds = int(answer.rank[index]), float(answer.odds[index])
                yield ErrorExample(*where, phrase, name, rank, reading.probability(odds))


def _namer(reading: Reading, answer: Answered) -> Callable[[str, int], str | None]:
    """How a phrase, and its key, are related to the document's gold."""
    labelled, kind = answer.one.labelled, reading.here.questions[0].gold
    gold = all_readings(labelled.given_by(kind))
    others = set(gold_keys([entry for entry in labelled.gold if entry.by != kind], "en").tolist())
    pairs = Text(labelled.document).abbreviated

    def named(phrase: str, key: int) -> str | None:
        own = parts_of(phrase)
        if key in others:
            return "keyphrase of another kind of gold"
        if other_writings(own, pairs) & set(gold):
            return "short or long form of a keyphrase"
        return relation(own, gold)

    return named


def traits(reading: Reading) -> Iterator[ErrorCount]:
    """What is true of false alarms, and of the keyphrases that are shown."""
    right, wrong = [], []
    for answer in reading.answered:
        shown = answer.order[: reading.here.shown]
        answers = answer.one.answers[0][shown]
        table = np.array(list(_traits(reading, answer).values())).reshape(len(_TRAITS), -1)[:, shown]
        right.append(table[:, answers])
        wrong.append(table[:, ~answers])
    hits, alarms = (np.concatenate(some, axis=1) for some in (right, wrong))
    for name, of_alarms, of_hits in zip(_TRAITS, alarms, hits, strict=True):
        number, share = int(of_alarms.sum()), round(float(of_alarms.mean()), 4)
        yield ErrorCount(reading.here.name, FALSE_ALARM, "trait", name, number, share, round(float(of_hits.mean()), 4))


def _traits(reading: Reading, answer: Answered) -> dict[str, Bools]:
    few, document = answer.one.few, answer.one.labelled.document
    column = {name.partition(": ")[2]: answer.one.rows[:, place] for place, name in enumerate(reading.columns)}
    before, behind = (
        beside_nouns(document, few, reading.knowledge.tags) if reading.knowledge.tags else (few.key < 0,) * 2
    )
    background = reading.knowledge.background
    common = background.of(few.key) > _COMMON * background.documents
    values = (
        before,
        behind,
        few.length == 1,
        common,
        column["chosen"] > 0,
        column["independence"] < _MOSTLY,
    )
    return dict(zip(_TRAITS, values, strict=True))


def _unrelated(true_of: Mapping[str, bool]) -> str:
    """The class of a phrase that is related to no keyphrase."""
    before, behind, _, general, elsewhere, _ = true_of.values()
    if general:
        return "unrelated, general"
    if before or behind:
        return "unrelated, a piece of a longer noun phrase"
    return "unrelated, but a keyphrase of other documents" if elsewhere else "unrelated, never a keyphrase elsewhere"
