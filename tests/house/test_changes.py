"""One well-formed fragment per change."""

import re

from tests.house.tree import ROOT

from keywright.core import VERSION

FRAGMENTS = sorted(path for path in (ROOT / "changes").iterdir() if path.name != "README.md")
FORM = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.(added|changed|fixed|removed|scores)\.md")


def test_a_fragment_has_a_kind_and_one_to_three_sentences() -> None:
    """There is none right after a release."""
    for path in FRAGMENTS:
        assert FORM.fullmatch(path.name)
        text = path.read_text("utf-8").strip()
        assert text.endswith("."), path
        assert 1 <= len(re.findall(r"\.(?:\s|$)", text)) <= 3, path


def test_the_changelog_begins_with_this_version() -> None:
    releases = re.findall(r"^## (\S+) \(\d{4}-\d{2}-\d{2}\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert releases[0] == VERSION


def test_the_readme_explains_every_kind() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "changes" / "README.md").read_text("utf-8"), re.MULTILINE))
    assert explained == {"added", "changed", "fixed", "removed", "scores"}
