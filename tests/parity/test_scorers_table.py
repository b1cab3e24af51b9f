"""The table ``scorers``: every stored case of every reference is run, and each is answered as the reference does."""

import json

import pytest

from keywright.core.errors import MissingData
from keywright.experiments import scorers

CASES = {"semeval2010": 44, "inspec": 52, "kpg": 43}


@pytest.mark.data
def test_every_case_is_equal(goldens):
    found = {row.protocol: row for row in scorers.compute_parity(goldens=goldens)}
    assert all(row.equal == row.cases for row in found.values())
    assert found["semeval2010-strict"].cases == CASES["semeval2010"]
    assert found["hulth2003"].cases == CASES["inspec"] - 4  # cases of wrong usage; see the note
    assert found["hulth2003"].note.startswith("4 more cases")
    assert sum(row.cases for name, row in found.items() if name.startswith("kpg-")) == CASES["kpg"]
    assert found["rouge155"].cases == found["rouge"].cases == 10


@pytest.mark.data
@pytest.mark.parametrize("changed", ["expected.stdout", "input.stm"])
def test_a_case_that_differs_is_counted(goldens, tmp_path, changed):
    copied = tmp_path / "semeval2010" / "case08"
    copied.mkdir(parents=True)
    for file in (goldens / "semeval2010" / "case08").iterdir():
        (copied / file.name).write_bytes(file.read_bytes())
    facts = json.loads((copied / "case.json").read_text())
    (copied / "case.json").write_text(json.dumps({**facts, "gold": str(goldens / "semeval2010" / "gold")}))
    (copied / changed).write_bytes((copied / changed).read_bytes().replace(b"1", b"2"))
    (row,) = (row for row in scorers.compute_parity(goldens=tmp_path) if row.cases)
    assert (row.protocol, row.cases, row.equal) == ("semeval2010-strict", 1, 0)


def test_without_the_cases_it_says_where_they_are_looked_for(tmp_path):
    with pytest.raises(MissingData, match="KEYWRIGHT_GOLDENS"):
        scorers.compute_parity(goldens=tmp_path)
