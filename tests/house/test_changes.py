"""One well-formed fragment per change."""

import re

import pytest
from tests.house.tree import ROOT

FRAGMENTS = sorted(path for path in (ROOT / "changes").iterdir() if path.name != "README.md")
FORM = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.(added|changed|fixed|removed|scores)\.md")


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_a_fragment_has_a_kind_and_one_to_three_sentences(path) -> None:
    assert FORM.fullmatch(path.name)
    text = path.read_text("utf-8").strip()
    assert text.endswith(".")
    assert 1 <= len(re.findall(r"\.(?:\s|$)", text)) <= 3


def test_the_readme_explains_every_kind() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "changes" / "README.md").read_text("utf-8"), re.MULTILINE))
    assert explained == {"added", "changed", "fixed", "removed", "scores"}
