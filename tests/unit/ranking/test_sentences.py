"""The sentence that shows a phrase."""

import re

from tests.builders import analysed

from keywright.core.documents import Section, SectionKind
from keywright.extraction.ranking.reasons import best_sentence

TITLE = "Tide gauges of the old harbour and of the new harbour in town"
SHORT = "Tide gauges drift."
ABSTRACT = "In this work the tide gauge of a small harbour is\n read twice in every hour of the day."
BODY = "Every tide gauge drifts a little in each year."
TEXT = f"{TITLE}\n\n{SHORT} {ABSTRACT}\n\n{BODY}"


def sections():
    at = TEXT.index(SHORT)
    return Section(SectionKind.TITLE, 0, len(TITLE)), Section(SectionKind.ABSTRACT, at, TEXT.index(BODY) - 2)


def shown(text, given=(), phrase="tide gauge"):
    spans = tuple(found.span() for found in re.finditer(phrase, text, re.IGNORECASE))
    found = best_sentence(analysed(text, *given), spans)
    assert found is None or " ".join(text[found.start : found.end].split()) == found.text
    return found and found.text


def test_the_abstract_comes_before_a_shorter_sentence_elsewhere():
    assert shown(TEXT, sections()) == " ".join(ABSTRACT.split())


def test_without_sections_the_shortest_that_says_something_is_taken():
    assert shown(TEXT) == BODY


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
    assert shown(TEXT, phrase="altimetry") is None
    assert shown("") is None
