"""Bibliographic metadata: authors, DOIs and years from what people and files write, and nothing guessed."""

import pytest

from keywright.core.citations import Author, Citation, clean_line, make_citation, parse_doi, parse_year, split_authors

ANA, PETR = Author("Ana Ferreira", "Ferreira", "Ana"), Author("Petr Novak", "Novak", "Petr")


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Ferreira, Ana", (ANA,)),
        ("Ferreira, Ana; Novak, Petr", (ANA, PETR)),
        ("Ana Ferreira\nPetr Novak", (Author("Ana Ferreira"), Author("Petr Novak"))),
        ("Ana Ferreira, Petr Novak and Li Wei", (Author("Ana Ferreira"), Author("Petr Novak"), Author("Li Wei"))),
        ("García Márquez, Gabriel José", (Author("García Márquez, Gabriel José"),)),  # one person, or two?
        ("Ministry of Food and Rural Affairs", (Author("Ministry of Food and Rural Affairs"),)),
        ("ليلى حسن", (Author("ليلى حسن"),)),
        (" ; ", ()),
        ("", ()),
    ],
)
def test_authors_of_one_text(text, authors):
    assert split_authors(text) == authors


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        ("10.5555/12345678", "10.5555/12345678"),
        ("https://doi.org/10.5555/A(1)_b", "10.5555/A(1)_b"),
        ("http://dx.doi.org/10.5555/1", "10.5555/1"),
        ("doi: 10.5555/1", "10.5555/1"),
        ("10.5555", ""),
        ("arXiv:1234.5678", ""),
        (7, ""),
        (None, ""),
    ],
)
def test_dois(value, doi):
    assert parse_doi(value) == doi


@pytest.mark.parametrize(
    ("value", "year"),
    [
        (2019, 2019), ("2019", 2019), ("2019-05-01", 2019), ("2019/5", 2019), (2019.0, 2019),
        ("in press", None), ("20190501", None), (19, None), (True, None), (None, None), (float("nan"), None),
        ([2019], None),
    ],
)  # fmt: skip
def test_years(value, year):
    assert parse_year(value) == year


def test_lines_and_characters_that_no_file_may_hold():
    assert clean_line("A title\n  of two\tlines\x00\x1b\ud800") == "A title of two lines"
    assert clean_line(["no text"]) == ""


def test_a_citation_comes_back_from_its_metadata():
    group = Author("Songbirds of Cities, Working Group")
    known = make_citation("A  title", [ANA, group, ANA, None], "doi:10.5555/1", "Tides", "2019-05")
    meta = {
        "title": "A title",
        "authors": ["Ferreira, Ana", {"name": "Songbirds of Cities, Working Group"}],
        "doi": "10.5555/1",
        "journal": "Tides",
        "year": 2019,
    }
    assert known.as_meta() == meta
    assert Citation.from_meta(meta) == known


def test_what_is_unknown_has_no_key():
    assert make_citation("", [], "none", "", "n.d.").as_meta() == {}
    assert Citation.from_meta({"title": 3, "authors": {"a": 1}, "year": "soon", "journal": None}) == Citation()


def test_authors_as_reference_managers_write_them():
    written = [{"family": "Ferreira", "given": "Ana"}, {"literal": "The Group"}, "Novak, Petr", 3, {"x": "y"}, ""]
    assert Citation.from_meta({"authors": written}).authors == (ANA, Author("The Group"), PETR)
