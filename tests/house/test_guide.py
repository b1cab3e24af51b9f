"""The guide to the tests names every folder, and nothing that is not there."""

import re

from tests.house.tree import ROOT, files

TESTS = ROOT / "tests"
GUIDE = (TESTS / "README.md").read_text("utf-8")


def test_every_folder_has_a_row():
    folders = {path.parts[1] for path in files() if path.parts[0] == "tests" and len(path.parts) > 2}
    assert set(re.findall(r"^\| `(\w+)/` \|", GUIDE, re.MULTILINE)) == folders


def test_every_file_that_is_named_is_there():
    named = set(re.findall(r"`([\w*/]+(?:/|\.py))`", GUIDE))
    assert len(named) > 15
    assert [name for name in named if not list(TESTS.glob(name.rstrip("/")))] == []
