"""What tables of a comparison show and mark."""

from dataclasses import replace

import pytest

from keywright.core.choices import PairedTest
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import F
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1, KEYWRIGHT_1_DIVERSITY, KEYWRIGHT_1_RANKED
from keywright.evaluation.publishing.tables import comparison_table, difference_table
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.comparison import compare

GOLD = (GoldSet("author", tuple(GoldDocument(name, (("tide",), ("gauge",))) for name in "1234567")),)
GOOD = dict.fromkeys("1234567", ("tide", "gauge"))
BAD = dict.fromkeys("1234567", ("sand", "sand"))


def tables(protocol, test=PairedTest.RANDOMISATION):
    protocol = replace(protocol, measures=(F @ 2,))
    reports = {"good": score(GOOD, GOLD, protocol), "bad": score(BAD, GOLD, protocol)}
    comparison = compare(reports, protocol, Resampling(2_000), test)
    return comparison_table(comparison), difference_table(comparison)


def cell(table, run, column):
    place = table.head.index(column)
    return next(row[place] for row in table.rows if row[1].text == run)


def test_the_better_run_is_marked():
    table, _ = tables(KEYWRIGHT_1)
    # Two of 128 exchanges are as far apart: p is about .016.
    found = cell(table, "good", "author/F@2")
    assert (found.best, found.above) == (True, "b")
    assert cell(table, "bad", "author/F@2").above == ""


def test_means_over_documents_are_shown_beside_f():
    table, _ = tables(KEYWRIGHT_1_RANKED)
    assert "author/F@2" in table.head
    assert cell(table, "good", "author/MAP@5").best


def test_where_more_is_not_better_nothing_is_marked():
    table, differences = tables(KEYWRIGHT_1_DIVERSITY)
    found = cell(table, "bad", "author/Duplicates")
    assert (found.text, found.best, found.above) == ("0.5000", False, "")
    assert any(row[0].text == "author/Duplicates" for row in differences.rows)


@pytest.mark.parametrize("test", [PairedTest.T, PairedTest.WILCOXON])
def test_values_that_could_not_be_tested_are_not_shown(test):
    table, differences = tables(KEYWRIGHT_1, test)
    assert table.head[2:] == ("author/mean-F@2",)
    assert [row[0].text for row in differences.rows] == ["author/mean-F@2"]
    if test is PairedTest.T:  # every document differs by 1
        assert differences.rows[0][5].text == "< 0.0001"
