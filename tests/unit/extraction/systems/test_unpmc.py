"""UNPMC's weights on a small document, by hand."""

from dataclasses import replace

import pytest
from tests.builders import analysed, sectioned

from keywright.core.documents import Section, SectionKind
from keywright.extraction.systems.unpmc import UNPMC

PARTS = {
    SectionKind.TITLE: "Sensor grids",
    SectionKind.ABSTRACT: "A grid, a grid.",
    SectionKind.INTRODUCTION: "The grid and the river.",
    SectionKind.BODY: "Here a river, there a river.",
    SectionKind.CONCLUSION: "So a sensor.",
    SectionKind.REFERENCES: "Bridge and sensor.",
}
SYSTEM = UNPMC(title=10, abstract=5, introduction=3, conclusion=2, rest=0.5, sections=2, longer_first=False)


def scores(system):
    return {one.text.lower(): one.score for one in system.extract(sectioned(PARTS, end="\n\n")).prediction().keyphrases}


def test_mentions_are_weighed_and_multiplied_by_sections():
    """Grid: once in the title, twice in the abstract, once in the introduction, so three sections. References are 0."""
    found = scores(SYSTEM)
    assert found["grid"] == pytest.approx((10 + 2 * 5 + 3) * (1 + 2 * 3))
    assert found["sensor"] == pytest.approx((10 + 2) * (1 + 2 * 2))
    assert found["sensor grids"] == pytest.approx(10 * (1 + 2))
    assert found["river"] == pytest.approx((3 + 2 * 0.5) * (1 + 2 * 2))
    assert found["bridge"] == 0


def test_sections_may_be_added():
    found = scores(replace(SYSTEM, combined="added"))
    assert (found["grid"], found["river"], found["bridge"]) == pytest.approx((23 + 2 * 3, 4 + 2 * 2, 0))


def test_of_equal_phrases_the_longer_comes_first():
    """Each stands in the title once; *sensor* is read before *river grids*."""
    text = "Sensor, river grids"
    titled = analysed(text, Section(SectionKind.TITLE, 0, len(text)))
    earlier = SYSTEM.extract(titled).prediction().keyphrases
    longer = replace(SYSTEM, longer_first=True).extract(titled).prediction().keyphrases
    assert earlier[0].text == "Sensor"
    assert [one.text for one in longer[:2]] == ["river grids", "Sensor"]
    assert [one.score for one in longer] == pytest.approx([30] * 4, abs=1e-4)


def test_phrases_hold_no_stop_word_and_are_no_longer_than_asked_for():
    assert not any(" " in phrase for phrase in scores(replace(SYSTEM, longest=1)))
    assert not any({"a", "the", "and"} & set(phrase.split()) for phrase in scores(SYSTEM))


def test_nothing_is_found_in_an_empty_document():
    assert UNPMC().extract(analysed("")).prediction().keyphrases == ()
