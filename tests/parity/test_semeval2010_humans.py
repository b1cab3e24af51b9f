"""The human upper bound of SemEval-2010: what each rule of matching gives, beside counts made without this code."""

import pytest

from keywright.experiments.semeval2010_paper import compute_human_bound

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def table(mirror):
    return {(row.dataset, row.variant, row.measure): row for row in compute_human_bound(mirror)}


def test_published_numbers_stand_beside_every_rule(table):
    assert len(table) == 3 * 7 * 3
    assert {(row.measure, row.published) for row in table.values()} == {("P", 21.5), ("R", 77.8), ("F", 33.6)}
    assert {(row.system, row.gold) for row in table.values()} == {("human", "author")}


@pytest.mark.parametrize(
    ("dataset", "rule", "expected"),
    [  # the first two as the specification of the task's systems has them, the third from a script of twenty lines
        ("test", "equal phrases", {"P": 12.21, "R": 37.98, "F": 18.48}),
        ("test", "one phrase is a run of the other's words", {"R": 57.88}),
        ("trial", "distinct words", {"P": 21.44, "R": 76.70, "F": 33.52}),
    ],
)
def test_counts_made_elsewhere(table, dataset, rule, expected):
    found = {measure: table[f"semeval2010/{dataset}", rule, measure].ours for measure in expected}
    assert found == expected


def test_notes_hold_the_arithmetic(table):
    assert table["semeval2010/test", "equal phrases", "P"].note == "147 of the readers' 1204"
    assert table["semeval2010/test", "equal phrases", "R"].note == "147 of the authors' 387"
    assert table["semeval2010/test", "equal phrases", "F"].note == "P / R is 0.321, published 0.276"


def test_the_nearest_is_marked_and_near(table):
    nearest = {place: row for place, row in table.items() if row.note.endswith("nearest of all tried")}
    assert {place[:2] for place in nearest} == {("semeval2010/trial", "distinct words but function words")}
    assert {row.measure: abs(row.difference) < 0.7 for row in nearest.values()} == {"P": True, "R": True, "F": True}
