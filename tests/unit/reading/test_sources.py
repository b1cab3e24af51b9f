"""What people name as input."""

import io
from pathlib import Path

import pytest

from keywright.core.documents import Document
from keywright.extraction.systems.default import Default
from keywright.reading.formats import JSONL, PLAIN
from keywright.reading.record_lines import JsonLine
from keywright.reading.sources import Unread, find_sources, read_documents
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
