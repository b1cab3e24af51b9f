"""Pages of results are what the stored results give."""

import pytest
from tools.pages.results import ALL, MEASURED, OURS, PAGES, format_measured_languages, format_our_scores, page_files


@pytest.mark.parametrize("name", ALL)
def test_a_page_and_its_tables_are_what_the_results_give(name):
    files = page_files(name)
    different = [path.name for path, text in files.items() if not path.is_file() or path.read_text("utf-8") != text]
    assert different == [], f"run python -m tools.pages.results {name}"
    assert {path for path in (PAGES / name).glob("*") if path not in files} == set()


def test_the_package_has_our_scores():
    assert OURS.read_text("utf-8") == format_our_scores(), "run python -m tools.pages.results semeval2010"


def test_measured_languages_in_the_package_are_those_of_the_results():
    expected = format_measured_languages()
    assert MEASURED.read_text("utf-8") == expected, "run python -m tools.pages.results everyday-domains"
