"""How-tos say at once who they are for, without the folders of research data; their quoted results are measured."""

import re
import tomllib

import pytest
from tests.docs.snippets import ROOT

import keywright as kw

HOW_TO = sorted((ROOT / "docs" / "how-to").glob("*.md"))
START = sorted((ROOT / "docs" / "start").glob("*.md"))
QUOTED = re.compile(r"^\| `([a-z-]+)` \| (.+) \|$", re.MULTILINE)
INSPEC = ROOT / "docs" / "how-to" / "score-inspec.md"


def test_a_how_to_says_for_whom_it_is_and_what_they_get() -> None:
    for page in HOW_TO:
        title, opening, *_ = page.read_text("utf-8").split("\n\n")
        assert title.startswith("# "), page
        assert opening.startswith("This page is for "), page
        assert "You get " in " ".join(opening.split()), page
        assert "It needs " in " ".join(opening.split()), page


def test_a_first_page_says_what_must_be_installed() -> None:
    for page in START:
        _, opening, *_ = page.read_text("utf-8").split("\n\n")
        assert opening.startswith("Needs the core"), page


def test_extras_that_pages_name_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for page in (*HOW_TO, *START):
        _, opening, *_ = page.read_text("utf-8").split("\n\n")
        named = re.findall(r"extras? `(\w+)`", opening)
        assert set(named) <= set(extras), page


def test_no_example_needs_the_research_data() -> None:
    assert [page for page in (*HOW_TO, *START) if "KEYWRIGHT_MIRROR" in page.read_text("utf-8")] == []


def test_the_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 100  # two screens at most
    assert text.index("## Three lines") < text.index("## Install") < text.index("## Where to go")
    assert text.index("soil moisture") < 1_000  # a result on the first screen
    assert [page.name for page in START if f"docs/start/{page.name}" not in text] == []


@pytest.mark.data
@pytest.mark.long
@pytest.mark.usefixtures("mirror")
def test_the_quoted_results_on_inspec_are_measured() -> None:
    run = kw.run("default", "inspec/test", top=10)
    quoted = [cells.split(" | ") for row, cells in QUOTED.findall(INSPEC.read_text("utf-8")) if row == "exact-stem"]
    for name, cells in zip(("hulth2003-exact-stem", "hulth2003-modern-exact-stem"), quoted, strict=True):
        values = kw.score(run, name, "inspec/test", intervals=False).values
        measured = [values[f"{gold}/{letter}@M"] for gold in ("uncontr_in", "uncontr") for letter in "PRF"]
        assert [f"{value:.4f}".removeprefix("0") for value in measured] == cells
