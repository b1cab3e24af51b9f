"""Wording, names and numbers: what breaks the style rules only becomes less, folder by folder."""

from pathlib import Path

import pytest
from tests.house.tree import PACKAGE, ROOT, modules
from tools.checks.house_allowed import ALLOWED, Allowed, allowed, lowered, over, toml, total, under
from tools.checks.house_language import KINDS, counts_by_folder, findings

MOST_LINES = 71_533
"""Lines that src/keywright may have, docstrings and blank lines included: lower it with the package, never raise it.

The design asks for 60,000; it was 83,125 before the package was brought into fewer rooms, and 73,627 before language
models, collections, marks in PDFs and words of other scripts came.
"""
MOST_FILES = 432
"""Python files that src/keywright may have: a file holds a whole idea, not a step of one. The design asks for 450."""

LISTED = allowed(ROOT / ALLOWED)


@pytest.fixture(scope="module")
def counted():
    return counts_by_folder(ROOT)


def test_no_folder_has_more_than_the_list_allows(counted):
    message = "python tools/checks/house_counts.py --list KIND shows the places"
    assert over(LISTED.folders, counted) == [], message


def test_the_list_is_exact(counted):
    assert under(LISTED.folders, counted) == [], "run python tools/checks/house_counts.py --write to lower the list"


def test_a_third_at_most_is_left():
    assert total(LISTED.folders).total() <= sum(LISTED.before.get(kind, 0) for kind in KINDS) / 3


def test_the_package_is_not_larger_than_it_may_be():
    assert sum(len((PACKAGE / module).read_text("utf-8").splitlines()) for module in modules()) <= MOST_LINES
    assert len(modules()) <= MOST_FILES


def kinds(folder: Path, source: str) -> list[str]:
    file = folder / "sample.py"
    file.write_text(source, "utf-8")
    return [finding.kind for finding in findings(file)]


@pytest.mark.parametrize(
    "source",
    [
        '"""What is left."""',
        '"""Return the rest. Those of one word are left out."""',
        'LIMIT = "a"\n"""Of both."""',
        "# That it ends.\n",
        "count = len  # of the rows\n",
        "# Words are counted.\n# Whatever is left goes.\n",
    ],
)
def test_fragments_are_found(tmp_path, source):
    assert kinds(tmp_path, source) == ["fragments"]


@pytest.mark.parametrize(
    "text",
    [
        "Short ones count, too.",
        "A path that is no file.",
        "The score, likewise.",
        "It stands in the title.",
        "The caller is told.",
        "It goes on from\n    the last line.",
    ],
)
def test_turns_of_phrase_are_found(tmp_path, text):
    assert kinds(tmp_path, f'"""{text}"""') == ["phrases"]
    assert kinds(tmp_path, f"# {' '.join(text.split())}\n") == ["phrases"]


@pytest.mark.parametrize(
    "text",
    [
        "Return what is left of that.",
        "Which of the two is longer?",
        "There is no file.",
        "The text is no longer than that.",
        "TP stands for true positives.",
        "Keep\n\n    >>> extract(text)\n    What is shown.",
    ],
)
def test_plain_sentences_pass(tmp_path, text):
    assert kinds(tmp_path, f'"""{text}"""') == []


@pytest.mark.parametrize(
    "source",
    [
        "found = 'a'",
        "def f(given): ...",
        "for one in (): ...",
        "(lambda one: one)",
        "[\n    one\n    for one in ()\n]",
        "class A:\n    few: int",
    ],
)
def test_empty_names_are_found(tmp_path, source):
    assert kinds(tmp_path, source) == ["names"]


def test_a_short_comprehension_may_use_a_short_name(tmp_path):
    assert kinds(tmp_path, "[one for one in ()]\n[\n    one for one in ()]") == []


@pytest.mark.parametrize(
    "source",
    [
        "LIMIT = 3",
        "LIMIT: int = -3 * 2**4",
        "CUTOFFS = (5, 10)",
        "WEIGHTS = {'a': 0.3}",
        "LIMIT = 3  # noqa: X",
        "if len(x) > 3: ...",
        "y = x[x <= 0.5]",
        "y = 3 < x < 5",
        "LIMIT = 3\n\n# another matter\nA = 'a'",
    ],
)
def test_unexplained_numbers_are_found(tmp_path, source):
    assert kinds(tmp_path, source) == ["numbers"]


@pytest.mark.parametrize(
    "source",
    [
        'LIMIT = 3\n"""Arbitrary."""',
        "LIMIT = 3  # arbitrary",
        "# Section 3.2.\nLIMIT = 3",
        "if len(x) > 3: ...  # as in the paper",
        "# As in the paper.\nif len(x) > 3: ...",
        "if len(x) > 2 or x[0] == -1 or y > LIMIT or y is True: ...",
        "def f(most=3): ...",
    ],
)
def test_explained_numbers_pass(tmp_path, source):
    assert kinds(tmp_path, source) == []


def test_participles_are_found(tmp_path):
    assert kinds(tmp_path, "def read(): ...\nclass A:\n    def _joined(self): ...") == ["participles", "participles"]
    assert kinds(tmp_path, "def read_table(): ...\nclass A:\n    @property\n    def joined(self): ...") == []


def test_the_list_only_falls(tmp_path):
    listed = Allowed({"commit": "abc", "names": 9}, {"a": {"names": 3}, "b": {"names": 2, "numbers": 1}})
    fewer = {"a": {"names": 1}, "c": {"names": 4}}
    assert over(listed.folders, fewer) == ["c: 4 names, 0 allowed"]
    assert under(listed.folders, fewer) == ["a: 1 names, 3 listed", "b: 0 names, 2 listed", "b: 0 numbers, 1 listed"]
    file = tmp_path / "allowed.toml"
    file.write_text(toml(listed.before, lowered(listed, fewer)), "utf-8")
    assert allowed(file) == Allowed(listed.before, fewer)
    for more in ({"a": {"names": 4}}, {"c": {"names": 6}}):
        with pytest.raises(ValueError, match="may only fall"):
            lowered(listed, more)
