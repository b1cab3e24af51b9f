"""Names of files in the place of texts."""

import pytest

from keywright.core.errors import UnreadableInput
from keywright.reading.file_names import check_text, is_address, names_file, path_exists, shorten


@pytest.mark.parametrize(
    "name",
    [
        *("paper.pdf", "report.md", "node.js", "DATA.CSV", "a/b/c.docx", "papers.jsonl.gz", "C:\\work\\paper.pdf"),
        *("./my paper.pdf", "~/papers/a.tex", "  paper.txt\n".strip(), "vocabulary.ttl", "plot.png"),
    ],
)
def test_words_with_the_ending_of_a_file_are_names(name):
    assert names_file(name)
    with pytest.raises(UnreadableInput, match="looks like the name of a file") as raised:
        check_text(name)
    assert f"kw.extract(kw.read({name!r}))" in raised.value.hint
    assert f"kw.document({name!r})" in raised.value.hint


@pytest.mark.parametrize(
    "text",
    [
        *("We like node.js", "We like\nnode.js", "grid", "v1.2", "e.g.", "ASP.NET", ".pdf", "...", "e.coli", "1.5"),
        *("a.pdf b.pdf", "and/or", "/s/ Jane Doe", "see paper.pdf", "x" * 5000 + ".pdf", "", "Wait... what?"),
    ],
)
def test_texts_are_not_names(text):
    assert not names_file(text)


def test_a_name_that_exists_is_a_name_without_an_ending(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "LICENSE").write_text("free")
    (tmp_path / "my notes").write_text("free")
    (tmp_path / "tests").mkdir()
    assert names_file("LICENSE")
    assert names_file("my notes")
    assert names_file("tests/")
    assert not names_file("tests")  # a word of a text, more likely than a folder
    with pytest.raises(UnreadableInput, match="is the name of a file"):
        check_text("LICENSE")


def test_folders_are_told_from_texts_and_not_from_words_in_cells(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers" / "of 2020").mkdir(parents=True)
    for name in ("papers", "papers/", "./papers", "papers/of 2020", str(tmp_path), ".", "/"):
        with pytest.raises(UnreadableInput, match="is the name of a folder") as raised:
            check_text(name)
        assert f"kw.read_all({name!r})" in raised.value.hint
    check_text("papers", is_cell=True)
    check_text("papers on heat")


def test_misspelt_names_are_told_from_texts_with_the_nearest_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "report.txt").write_text("free")
    for name in ("papers/reprot.txt", "papers/report", "./papers/report.tx"):
        with pytest.raises(UnreadableInput, match="which does not exist") as raised:
            check_text(name)
        assert "did you mean 'papers/report.txt'?" in raised.value.hint
    for name in ("papers/none", "/none/at/all"):
        with pytest.raises(UnreadableInput, match="which does not exist"):
            check_text(name)
    check_text("TCP/IP")
    check_text("heat/power")
    check_text("papers/none", is_cell=True)


@pytest.mark.parametrize("address", ["https://example.org/a.pdf", "HTTP://example.org", "www.example.org"])
def test_addresses_are_refused(address):
    assert is_address(address)
    with pytest.raises(UnreadableInput, match="nothing is downloaded"):
        check_text(address)


def test_a_text_may_hold_an_address():
    check_text("https://example.org tells how tides are measured")


@pytest.mark.parametrize("text", ["x" * 5000, "a\0b", ""])
def test_texts_that_cannot_be_names_do_not_exist(text):
    assert not path_exists(text)


def test_long_texts_are_shown_with_an_ellipsis():
    assert shorten("short\n text") == "short text"
    assert shorten("x" * 61) == "x" * 59 + "…"
