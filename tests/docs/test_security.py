"""Each promise of SECURITY.md names tests that exist."""

import re

import pytest
from tests.house.tree import ROOT

ROWS = [line for line in (ROOT / "SECURITY.md").read_text("utf-8").splitlines() if re.match(r"\| [A-Z0-9]", line)]


def test_there_are_promises():
    assert len(ROWS) > 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2:40])
def test_a_promise_names_tests_that_exist(row):
    _, promise, tests, _ = row.split(" | ") if row.count(" | ") > 2 else ["", *row.strip("| ").split(" | "), ""]
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", tests)
    assert promise
    assert named
    for file, name in named:
        assert f"def {name}(" in (ROOT / "tests" / file).read_text("utf-8"), name
