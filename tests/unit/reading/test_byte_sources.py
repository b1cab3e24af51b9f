"""kw.read on bytes and open files."""

import io

import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, EmptyInput, UnknownName, UnreadableInput, UnsupportedFormat

EXAMPLES = ROOT / "examples"


def test_bytes_are_read_as_the_file_is():
    path = EXAMPLES / "article.pdf"
    by_path = kw.read(path)
    assert kw.read(path.read_bytes(), name=path.as_posix()) == by_path
    assert kw.read(path.read_bytes()).text == by_path.text  # the content shows that it is a PDF
    with path.open("rb") as file:
        assert kw.read(file) == by_path


@pytest.mark.parametrize("kind", ["markdown", ".md", "MD", "text/markdown", "text/markdown; charset=utf-8"])
def test_a_type_says_how_bytes_are_read(kind):
    data = b"# Tides\n\nGauges *drift*."
    assert kw.read(data, type=kind).section("title") == "Tides"
    assert "*drift*" in kw.read(data, type="text").text


def test_names_give_the_id_and_the_format():
    data = b"# Tides\n\nGauges drift."
    assert kw.read(data, name="tides.md").section("title") == "Tides"
    assert kw.read(data, name="tides.md").id == "tides.md"
    assert kw.read(EXAMPLES / "article.md", name="mine").id == "mine"
    assert kw.read(EXAMPLES / "article.md", name="mine").text == kw.read(EXAMPLES / "article.md").text
    assert kw.read(bytearray(data), type="text").id == "document"
    assert kw.read(EXAMPLES / "article.md", type="text").text.startswith((EXAMPLES / "article.md").read_text()[:20])


def test_files_in_memory_and_in_text_mode():
    assert kw.read(io.StringIO("Tide gauges drift.")).text.strip() == "Tide gauges drift."
    assert kw.read(io.BytesIO(b"Tide gauges drift."), name="a.txt").text.strip() == "Tide gauges drift."
    with (EXAMPLES / "note.txt").open(encoding="utf-8") as file:
        assert kw.read(file) == kw.read(EXAMPLES / "note.txt")


def test_bytes_of_an_unknown_kind_are_refused_with_what_to_say():
    with pytest.raises(UnsupportedFormat, match=r"type='text'"):
        kw.read(b"Tide gauges drift.")
    with pytest.raises(UnknownName, match="no type called 'pfd'; did you mean 'pdf'"):
        kw.read(b"%PDF-1.4", type="pfd")
    with pytest.raises(EmptyInput, match=r"a\.txt is empty"):
        kw.read(b" ", name="a.txt")
    with pytest.raises(BadParameter, match="a value of type int is not a source of a document"):
        kw.read(5)
    with pytest.raises(UnreadableInput, match="holds several documents"):
        kw.read((EXAMPLES / "abstracts.jsonl").read_bytes(), name="abstracts.jsonl")


def test_a_file_in_another_encoding_opened_as_text(tmp_path):
    (tmp_path / "a.txt").write_bytes("Gezeiten über Büsum".encode("latin1"))
    with (tmp_path / "a.txt").open(encoding="utf-8") as file, pytest.raises(UnreadableInput, match="in binary mode"):
        kw.read(file)
    with (tmp_path / "a.txt").open("rb") as file:
        assert "über" in kw.read(file).text
