"""Evidence in groups for people.

The sentence that shows a phrase.

Acronyms by either form.
"""

import re

import pytest
from tests.builders import analysed

from keywright.catalogue import SYSTEMS
from keywright.core.documents import Document, Section, SectionKind
from keywright.core.errors import KeywrightError
from keywright.core.keyphrases import Acronym
from keywright.extraction.ranking.reasons import acronyms, best_sentence, reasons
from keywright.text.keys import phrase_key
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
    assert reasons([name]) == {reason: (name,)}


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
    assert set(reasons(names).get("other", ())) <= {"S"}


TITLE = "Tide gauges of the old harbour and of the new harbour in town"
SHORT = "Tide gauges drift."
ABSTRACT = "In this work the tide gauge of a small harbour is\n read twice in every hour of the day."
BODY = "Every tide gauge drifts a little in each year."
SENTENCES_TEXT = f"{TITLE}\n\n{SHORT} {ABSTRACT}\n\n{BODY}"


def sections():
    at = SENTENCES_TEXT.index(SHORT)
    return Section(SectionKind.TITLE, 0, len(TITLE)), Section(SectionKind.ABSTRACT, at, SENTENCES_TEXT.index(BODY) - 2)


def shown(text, given=(), phrase="tide gauge"):
    spans = tuple(found.span() for found in re.finditer(phrase, text, re.IGNORECASE))
    found = best_sentence(analysed(text, *given), spans)
    assert found is None or " ".join(text[slice(*found.span)].split()) == found.text
    return found and found.text


def test_the_abstract_comes_before_a_shorter_sentence_elsewhere():
    assert shown(SENTENCES_TEXT, sections()) == " ".join(ABSTRACT.split())


def test_without_sections_the_shortest_that_says_something_is_taken():
    assert shown(SENTENCES_TEXT) == BODY


def test_a_title_is_shown_where_there_is_nothing_else():
    given = (Section(SectionKind.TITLE, 0, len(TITLE)),)
    assert shown(TITLE, given) == TITLE


def test_the_longest_of_short_ones_is_taken():
    assert shown("Tide gauges. We saw a tide gauge. A tide gauge!") == "We saw a tide gauge."


def test_tables_without_full_stops_come_last():
    table = "tide gauge " + "12 cm low " * 80
    assert shown(f"{table}\n\n{BODY}") == BODY
    assert shown(f"{table}\n\n{SHORT}").startswith("tide gauge 12 cm")


def test_no_place_no_sentence():
    assert shown(SENTENCES_TEXT, phrase="altimetry") is None
    assert shown("") is None


ACRONYMS_TEXT = (
    "A support vector\nmachine (SVM) is slow. SVMs and support vector machines. A simple virtual machine (SVM) too."
)


def test_both_forms_lead_to_the_first_definition():
    found = acronyms(analysed(ACRONYMS_TEXT))
    svm = Acronym("SVM", "support vector machine")
    assert [found.get(phrase_key(form)) for form in ("SVMs", "Support Vector Machines", "vector")] == [svm, svm, None]
    assert str(svm) == "support vector machine (SVM)"
    assert found[phrase_key("simple virtual machine")].long == "simple virtual machine"


def test_no_text_no_acronyms():
    assert acronyms(analysed("")) == {}
