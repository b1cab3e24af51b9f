"""The reference names everything there is: systems, protocols, data sets, verbs of the command line."""

import re

import pytest
import typer
from tests.docs.snippets import ROOT
from tools.pages.option_tables import PAGE, TABLES, page, rows

from keywright.catalogue import PROTOCOLS, SYSTEMS
from keywright.core.choices import FORMATS
from keywright.datasets.card import card_names
from keywright.faces.cli.app import app

REFERENCE = ROOT / "docs" / "reference"


def headings(page: str) -> set[str]:
    """Names in the second-level headings of a page: of ``## `run SYSTEM` `` it is ``run SYSTEM``."""
    return set(re.findall(r"^## `(.+)`$", (REFERENCE / page).read_text("utf-8"), re.MULTILINE))


def test_every_system_has_a_page_that_shows_it() -> None:
    pages = {page.stem: page.read_text("utf-8") for page in (REFERENCE / "systems").iterdir()}
    assert set(pages) == set(SYSTEMS.built_in)
    for name, text in pages.items():
        assert text.startswith(f"# `{name}`\n")
        assert f"$ keywright systems {name}\n" in text


def test_every_protocol_has_a_section() -> None:
    assert headings("protocols.md") == set(PROTOCOLS.built_in)


@pytest.mark.parametrize(("page", "shelf"), [("systems.md", SYSTEMS), ("protocols.md", PROTOCOLS)], ids=["s", "p"])
def test_every_name_is_in_the_table_too(page: str, shelf) -> None:
    listed = re.findall(r"^\| \[`([^`]+)`\]", (REFERENCE / page).read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(shelf.built_in)


def test_every_data_set_is_in_the_table() -> None:
    listed = re.findall(r"^\| `([^`]+)` \|", (REFERENCE / "datasets.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(card_names())


def test_every_verb_has_a_section() -> None:
    documented = {heading.removeprefix("keywright ").split()[0] for heading in headings("commands.md")}
    assert documented == set(typer.main.get_command(app).commands)


def test_the_tables_of_options_are_those_of_the_code() -> None:
    text = PAGE.read_text("utf-8")
    assert page(text) == text, "run python -m tools.pages.option_tables"
    assert all(rows(table) in text for table in TABLES.values())


def test_pages_count_the_formats_that_are_read() -> None:
    units = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    words = f"twenty-{units[FORMATS.count(',') - 20]} formats"
    for name in ("README.md", "docs/index.md", "docs/how-to/keyphrases-of-papers.md", "docs/reference/commands.md"):
        assert words in (ROOT / name).read_text("utf-8"), name
