"""What people name as input."""

import io
import os
from pathlib import Path

import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, EmptyInput, UnknownName, UnreadableInput, UnsupportedFormat
from keywright.core.predictions import Failure
from keywright.extraction.systems.default import Default
from keywright.reading.formats import JSONL, PLAIN
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import Unread, files_under, find_sources, read_documents
from keywright.running.extraction import Extraction
from keywright.running.file_extraction import FromFiles, keep_document
from keywright.text.languages import ByLanguage

NOTHING = io.BytesIO(b"")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "b.txt").write_text("Tide gauges drift.")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.jsonl").write_text('{"id": "r1", "text": "Glaciers melt."}\nbroken\n')
    (tmp_path / ".hidden").write_text("no")
    return tmp_path


def test_files_wait_and_records_come_one_by_one(folder):
    first, second, third = find_sources([folder], None, NOTHING)
    assert first == Unread(folder / "b.txt", "b.txt")
    assert isinstance(second, JsonLine)
    assert isinstance(third, JsonLine)
    assert [
        one.id if isinstance(one, Document) else one.document_id for one in read_documents([first, second, third])
    ] == [
        "b.txt",
        "r1",
        "inner/a.jsonl:2",
    ]


def test_what_is_not_there_is_a_failure(tmp_path):
    (tmp_path / "empty").mkdir()
    missing, empty = find_sources([tmp_path / "none", tmp_path / "empty"], None, NOTHING)
    assert (missing.code, empty.code) == ("unreadable_input", "empty_input")


@pytest.mark.parametrize("names", [b"a.txt", 5, None, [b"a.txt"], ["a.txt", 5], [None]])
def test_what_cannot_be_a_name_is_refused(names):
    with pytest.raises(BadParameter, match="is not the name of a file"):
        list(kw.read_all(names))


def test_standard_input_is_text_unless_told():
    (text,) = find_sources(["-"], None, io.BytesIO(b'{"id": "a", "text": "Tides turn."}'))
    assert text.text.startswith("{")
    (record,) = read_documents(find_sources(["-"], JSONL, io.BytesIO(b'{"id": "a", "text": "Tides turn."}')))
    assert record.id == "a"
    (nothing,) = find_sources(["-"], None, io.BytesIO(b" \n"))
    assert nothing.code == "empty_input"


def test_a_format_can_be_forced(tmp_path):
    (tmp_path / "odd.json").write_text("Tide gauges drift.")
    (read,) = read_documents(find_sources([tmp_path / "odd.json"], PLAIN, NOTHING))
    assert read.text.strip() == "Tide gauges drift."
    (refused,) = read_documents(find_sources([tmp_path / "odd.json"], None, NOTHING))
    assert refused.code == "unsupported_format"


def test_a_forced_format_does_not_read_a_pdf_as_if_it_were_text(tmp_path):
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7 nothing more")
    (refused,) = read_documents(find_sources([tmp_path / "paper.pdf"], PLAIN, NOTHING))
    assert (refused.code, refused.message[-23:]) == ("unsupported_format", " is PDF, not plain text")
    (refused,) = read_documents(find_sources([tmp_path / "paper.pdf"], JSONL, NOTHING))
    assert refused.code == "unsupported_format"


def test_a_defect_while_reading_costs_one_file(monkeypatch, folder):
    def defective(_unread):
        raise ZeroDivisionError("in a reader")

    work = FromFiles(Extraction(ByLanguage(), Default()), keep_document)
    ((document, prediction),) = work((Unread(folder / "b.txt", "b.txt"),))
    assert (document.id, prediction.document_id) == ("b.txt", "b.txt")
    monkeypatch.delenv("KEYWRIGHT_DEBUG", raising=False)
    monkeypatch.setattr(Unread, "documents", defective)
    ((nothing, failure),) = work((Unread(folder / "b.txt", "b.txt"),))
    assert nothing is None
    assert (failure.document_id, failure.code) == ("b.txt", "unexpected")
    assert work.lost((Unread(folder / "b.txt", "b.txt"),))[0][1].message == "the process that worked on it died"


def test_ids_are_names_as_they_are_and_paths_within_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "b/c"):
        Path(folder).mkdir(parents=True)
        Path(folder, "note.txt").write_text("Tide gauges drift.")
    read = read_documents(find_sources(["a/note.txt", "./b/c/note.txt", "b", Path("a")], None, io.BytesIO()))
    assert [item.id for item in read] == ["a/note.txt", "b/c/note.txt", "c/note.txt", "note.txt"]


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("Tide gauges measure the level of the sea", "no file 'Tide gauges", "`keywright extract -`"),
        ("https://example.org/paper.pdf", "nothing is downloaded", "curl -sL ADDRESS"),
        ("paper.pfd", "no file 'paper.pfd'", "did you mean 'paper.pdf'?"),
        ("other.pdf", "no file 'other.pdf'", "check the path"),
        ("x " * 4000, "no file 'x x", "`keywright extract -`"),
    ],
)
def test_what_is_not_a_file_says_what_to_do(tmp_path, monkeypatch, name, message, hint):
    monkeypatch.chdir(tmp_path)
    Path("paper.pdf").write_bytes(b"%PDF-1.4")
    (failure,) = find_sources([name], None, io.BytesIO())
    assert message in failure.message
    assert len(failure.message) < 100
    assert hint in failure.hint


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


def test_files_come_in_the_order_of_paths(tmp_path):
    for name in ("b.txt", "a/z.txt", "a.txt", "a/b/c.txt", ".hidden", ".git/x", "a-b/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("tide")
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "linked").symlink_to(tmp_path / "a")
    names = [path.relative_to(tmp_path).as_posix() for path in files_under(tmp_path)]
    assert names == ["a/b/c.txt", "a/z.txt", "a-b/c.txt", "a.txt", "b.txt", "gone"]


def test_a_folder_that_cannot_be_opened_is_a_failure_among_the_files(tmp_path, monkeypatch):
    for name in ("a/one.txt", "locked/two.txt", "z.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("tide")
    list_folder = os.scandir

    def refusing(folder):
        if str(folder).endswith("locked"):  # a user with all rights could open it
            raise PermissionError(13, "Permission denied")
        return list_folder(folder)

    monkeypatch.setattr(os, "scandir", refusing)
    one, locked, last = find_sources([tmp_path], None, None)
    assert [type(file) for file in (one, last)] == [Unread, Unread]
    assert [one.name, last.name] == ["a/one.txt", "z.txt"]
    assert isinstance(locked, Failure)
    assert locked.document_id == "locked"
    assert locked.code == "unreadable_input"
    assert "locked cannot be opened: Permission denied" in locked.message


def test_a_link_to_nothing_says_where_it_leads(tmp_path):
    (tmp_path / "link.txt").symlink_to("nowhere.txt")
    (file,) = find_sources([tmp_path], None, None)
    (failure,) = file.documents()
    assert "it is a link to 'nowhere.txt', which is not there" in failure.message


@pytest.mark.parametrize("kind", [str, Path])
def test_one_path_is_a_list_of_one(tmp_path, kind):
    (tmp_path / "a.txt").write_text("Tide gauges drift.")
    (document,) = kw.read_all(kind(tmp_path / "a.txt"))
    assert isinstance(document, Document)
    assert document.text == "Tide gauges drift."


LITTER = ["~$word.docx", ".~lock.a.odt#", "Thumbs.db", "desktop.ini", ".DS_Store", "._a.txt", "__MACOSX/._a.txt"]


def test_litter_in_folders_is_passed_over(folder):
    (folder / "__MACOSX").mkdir()
    for name in LITTER:
        (folder / name).write_bytes(b"\0\1")
    assert [path.name for path in files_under(folder) if isinstance(path, Path)] == ["b.txt", "a.jsonl"]
