"""Evidence in groups for people."""

import pytest

from keywright.catalogue import SYSTEMS
from keywright.core.documents import Document
from keywright.core.errors import KeywrightError
from keywright.extraction.ranking.reasons import reason_of, reasons
from keywright.text.languages import ByLanguage

TEXT = "Tide gauges measure sea level. Tide gauges drift. A tide gauge measures sea level. Sea level rises. " * 3


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("mentions", "how often"),
        ("weighted mentions", "how often"),
        ("rank here", "how often"),
        ("first mention", "where"),
        ("mentions in title and headings", "where"),
        ("zones", "where"),
        ("nearness", "where"),
        ("rarity", "how rare"),
        ("tfidf", "how rare"),
        ("rank elsewhere", "how rare"),
        ("keyphraseness", "known as a keyphrase"),
        ("phraseness", "well-formed"),
        ("words", "well-formed"),
        ("acronym or its long form", "well-formed"),
        ("centrality", "how central"),
        ("votes", "agreed on"),
        ("S", "other"),
        ("how often", "how often"),
        ("known as a keyphrase", "known as a keyphrase"),
    ],
)
def test_names_belong_to_groups(name, reason):
    assert reason_of(name) == reason


def test_groups_come_in_one_order_and_none_is_empty():
    assert list(reasons(["S", "rarity", "zones", "mentions", "nearness"]).items()) == [
        ("how often", ("mentions",)),
        ("where", ("zones", "nearness")),
        ("how rare", ("rarity",)),
        ("other", ("S",)),
    ]
    assert reasons([]) == {}


def test_little_of_what_systems_say_belongs_nowhere():
    document = ByLanguage().analyse(Document("d", TEXT))
    names = set()
    for system in SYSTEMS.built_in:
        try:
            keyphrases = SYSTEMS.find(system)().extract(document).prediction(1, explain=True).keyphrases
        except (KeywrightError, TypeError):  # not trained, or it needs tags
            continue
        names |= {name for keyphrase in keyphrases for name in keyphrase.evidence}
    assert len(names) > 10
    assert {name for name in names if reason_of(name) == "other"} <= {"S"}
