"""BUAP by hand: maximal frequent sequences and the PageRank of their words."""

from dataclasses import replace

import pytest
from tests.builders import analysed

from keywright.core.documents import Section, SectionKind
from keywright.extraction.systems.buap import BUAP

SYSTEM = BUAP(least_seen=2)
TEXT = "Neural network; neural network; grid; grid; network"


def scores(system, text=TEXT, sections=()):
    document = analysed(text, *sections)
    return {one.text: one.score for one in system.extract(document).prediction().keyphrases}


def test_maximal_frequent_sequences_come_first_and_the_others_by_mentions():
    """*neural* and *network* lie in *neural network*. *Grid* has no neighbour: g = .85 g / 3 + .15 / 3."""
    grid = 0.05 / (1 - 0.85 / 3)
    found = scores(SYSTEM)
    assert list(found) == ["neural network", "grid", "network", "neural"]
    assert list(found.values()) == pytest.approx([1 - grid, grid, -1 / 4, -1 / 3])


def test_a_sequence_is_worth_the_sum_or_the_mean_of_its_words():
    """With damping a half g = .5 g / 3 + .5 / 3, so .2."""
    half = scores(replace(SYSTEM, damping=0.5))
    assert (half["neural network"], half["grid"]) == pytest.approx((0.8, 0.2))
    assert scores(replace(SYSTEM, damping=0.5, combined="mean"))["neural network"] == pytest.approx(0.4)


def test_edges_weigh_as_often_as_words_are_neighbours():
    """In the middle b = .05 + .85 (1 - b); its rank goes 2 to 1 to *alpha* and *gamma*, or in halves."""
    text, middle = "alpha beta; alpha beta; beta gamma", 0.9 / 1.85
    weighted = scores(BUAP(least_seen=1), text)
    assert weighted["alpha beta"] == pytest.approx(middle + 0.05 + 0.85 * middle * 2 / 3)
    assert weighted["beta gamma"] == pytest.approx(middle + 0.05 + 0.85 * middle / 3)
    plain = scores(BUAP(least_seen=1, weighted=False), text)
    assert plain["alpha beta"] == plain["beta gamma"] == pytest.approx(middle + 0.05 + 0.85 * middle / 2)


def test_only_words_of_frequent_sequences_are_in_the_graph():
    """*River* stands beside *grid* but once."""
    assert scores(SYSTEM, "grid river; grid, sea; sea")["grid"] == pytest.approx(0.5)


def test_longest():
    assert "neural network" not in scores(replace(SYSTEM, longest=1))


def test_abbreviations_may_be_left_out():
    text = "DNS; DNS; grid; grid"
    assert set(scores(SYSTEM, text)) == {"DNS", "grid"}
    assert set(scores(replace(SYSTEM, acronyms=False), text)) == {"grid"}


def test_references_authors_and_metadata_are_left_out():
    text = "Ada Grid. Networks; networks. River."
    sections = (Section(SectionKind.AUTHORS, 0, 8), Section(SectionKind.REFERENCES, 30, 36))
    assert set(scores(SYSTEM, text, sections)) == {"networks"}


def test_a_document_where_nothing_is_frequent_goes_by_mentions():
    found = scores(BUAP(), TEXT)
    assert next(iter(found)) == "network"
    assert max(found.values()) < 0
    assert scores(BUAP(), "") == {}
