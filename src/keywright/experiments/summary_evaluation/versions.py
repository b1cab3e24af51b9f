"""Summaries by people, their degraded versions and summaries of other topics, each against the other people's."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from keywright.experiments.summary_evaluation.degrading import (
    RULES,
    Material,
    forms_by_lemma,
    places_of_keyphrases,
)
from keywright.experiments.summary_evaluation.summary_collections import Topic
from keywright.summaries.kpeval import KPEval
from keywright.summaries.pairs import Pair
from keywright.summaries.texts import SummaryText

PERSON: Final = "person"
"""Summaries by people, as they are."""

OTHER_TOPIC: Final = "other-topic"
"""Summaries by the same people of the next topic."""


def versions(
    topics: Sequence[Topic], language: str, evaluator: KPEval, lemma: Callable[[str], str]
) -> tuple[Pair, ...]:
    """Return all versions of each person's summary as summaries of several systems.

    Every version of one person's summary is compared with the same references: the other people's summaries of the
    topic. Systems' own summaries are compared with each of these sets in turn, so that they can be set beside people.
    Random rules have a fixed seed for each summary.

    Args:
        topics: at least two.
        language: ISO 639-1 code of all texts.
        evaluator: its keyphrases are removed by one of the rules.
        lemma: returns the lemma of a word, for another of the rules.
    """
    forms = forms_by_lemma([text for topic in topics for text in topic.people.values()], lemma)
    pairs: list[Pair] = []
    for at, topic in enumerate(topics):
        following = topics[(at + 1) % len(topics)]
        for author, text in topic.people.items():
            other = following.people.get(author) or next(iter(following.people.values()))
            places = places_of_keyphrases(text, evaluator, language)
            random = np.random.default_rng(zlib.crc32(f"{topic.id} {author}".encode()))
            written = {PERSON: text, OTHER_TOPIC: other, **topic.systems}
            written |= {name: rule(Material(text, other, places, forms, random)) for name, rule in RULES.items()}
            references = tuple(_spoken(topic, author, language))
            pairs += [
                Pair(f"{topic.id}/{author}", name, SummaryText(version, language=language), references)
                for name, version in written.items()
            ]
    return tuple(pairs)


def _spoken(topic: Topic, author: str, language: str) -> Iterator[SummaryText]:
    """Yield the summaries by other people than the author."""
    for name, text in topic.people.items():
        if name != author:
            yield SummaryText(text, language=language)
