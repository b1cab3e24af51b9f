"""Files that break their reader cost themselves only: memory, time, crashes, nonsense."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.unit.reading.small_pdf import small_pdf, text

import keywright as kw
from keywright.core.documents import Coverage, Document, Section, SectionKind
from keywright.core.predictions import Failure
from keywright.core.records import decode_item, encode_item
from keywright.reading.formats import BY_NAME, Format
from keywright.reading.limits import Limits
from keywright.reading.sources import Unread
from keywright.reading.tables.rows import TableColumns
from keywright.running.file_extraction import read_documents
from keywright.running.reader import ReadingProcess, is_hostile_format, read_apart

DOCUMENT = Document(
    "näme",
    "Tides\n\nTide gauges \ud800 drift.",
    (Section(SectionKind.TITLE, 0, 5),),
    "en",
    {"pages": [0], "year": 1998},
    Coverage(10, 12),
    ("left out: 1 table",),
)


def unread(path):
    return Unread(path, path.name)


def tell(answer: str) -> str:
    """Return a program that gives an answer, whatever it is asked."""
    return (
        f"import struct, sys, time; answer = {answer!r}.encode(); "
        "sys.stdout.buffer.write(struct.pack('>Q', len(answer)) + answer); sys.stdout.flush(); time.sleep(60)"
    )


def form(operators, others=b""):
    head = b"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>/XObject<<%s>>>>" % others
    return head + b"/Length %d>>stream\n%s\nendstream" % (len(operators), operators)


def bomb(levels=8, times=14):
    """A page that draws a form, which draws another fourteen times ...: 14 ** 7 lines of text in three kilobytes."""
    forms = [form(b"/X Do\n" * times, b"/X %d 0 R" % (7 + level)) for level in range(levels - 1)]
    pages = small_pdf([text(50, 750, "Tides") + "/X Do\n"], extra=[*forms, form(text(50, 700, "again").encode())])
    return pages.replace(b"/XObject<</I 5 0 R>>", b"/XObject<</X 6 0 R>>", 1)


@pytest.mark.parametrize("item", [DOCUMENT, Document("a", "b"), Failure("a", "broken_file", "It is broken", "mend it")])
def test_documents_come_back_the_same(item):
    line = encode_item(item)
    assert line.isascii()
    assert "\n" not in line
    assert decode_item(line) == item


def test_a_file_is_read_as_in_this_process(tmp_path):
    file = tmp_path / "tides.pdf"
    file.write_bytes(small_pdf([text(50, 700, "Tide gauges drift.")]))
    assert read_apart(unread(file)) == tuple(unread(file).documents())
    assert read_apart(unread(tmp_path / "none.pdf")) == tuple(unread(tmp_path / "none.pdf").documents())


@pytest.mark.parametrize(
    ("content", "hostile"),
    [
        (b"%PDF-1.4", True),
        (b"PK\x03\x04", True),
        (b"\n <html>", True),
        (b"word <p>", False),
        (b"Tides.", False),
        (b'{"id": "a"}', False),
    ],
)
def test_formats_that_large_libraries_read(content, hostile, tmp_path):
    (tmp_path / "file").write_bytes(content)
    assert is_hostile_format(unread(tmp_path / "file")) is hostile


NEVER_HERE = sorted(set(BY_NAME) - {"text", "jsonl", "subtitles"})
"""Formats that large libraries read."""
BEGINNINGS = (b"", b"word ", b"\xef\xbb\xbf word ", b"{", b"<p>", b"# Tides\n", b"\x1f\x8b", b"0" * 9_000, b"\0")
"""Of files whose first bytes do not show what they are read as."""


@pytest.mark.parametrize("name", NEVER_HERE)
@pytest.mark.parametrize("beginning", BEGINNINGS, ids=range(len(BEGINNINGS)))
def test_no_reader_of_these_formats_runs_in_this_process(name, beginning, tmp_path, monkeypatch):
    """The format that is chosen decides: HTML that begins with a word once was parsed by the program itself."""
    used, load = [], Format.load
    monkeypatch.setattr(Format, "load", lambda form: used.append(form.short_name) or load(form))
    monkeypatch.setattr("keywright.running.file_extraction.read_apart", lambda *_: ())
    for form, ending in ((None, BY_NAME[name].extensions[0]), (BY_NAME[name], ".bin")):
        file = tmp_path / f"file{ending}"
        file.write_bytes(beginning + b"Tide <b>gauges</b> drift.")
        read_documents(Unread(file, file.name, form))
    assert not set(used) & set(NEVER_HERE)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".xlsx", ".parquet", ".jsonl"])
def test_tables_that_strangers_send_are_read_apart(ending, tmp_path):
    (tmp_path / f"a{ending}").write_bytes(b"text\nTides")
    assert is_hostile_format(Unread(tmp_path / f"a{ending}", f"a{ending}", columns=TableColumns("text")))


def test_a_bomb_costs_itself_only(tmp_path):
    bad, good = tmp_path / "bomb.pdf", tmp_path / "good.pdf"
    bad.write_bytes(bomb())
    good.write_bytes(small_pdf([text(50, 700, "Tide gauges drift.")]))
    process = ReadingProcess(Limits(memory_bytes=400_000_000))
    (failure,) = process.read(unread(bad))
    (document,) = process.read(unread(good))
    process.close()
    assert isinstance(failure, Failure)
    assert (failure.document_id, failure.code) in {("bomb.pdf", "broken_file"), ("bomb.pdf", "too_large")}
    assert "memory" in failure.message
    assert "Tide gauges drift." in document.text


@pytest.mark.parametrize(
    ("program", "code", "message"),
    [
        ("import os; os.abort()", "broken_file", "broke its library (Aborted)"),
        ("raise SystemExit(3)", "broken_file", "broke its library (exit status 3)"),
        (tell("?"), "broken_file", "answer nonsense"),
        (tell("[]\n" + "[" * 99_999), "broken_file", "answer nonsense"),
        (tell('[]\n{"id": 1}'), "broken_file", "answer nonsense"),
        ("print('~' * 8, flush=True); import time; time.sleep(60)", "broken_file", "answer nonsense"),  # a length
    ],
)
def test_a_reader_that_ends_badly_is_a_failure(program, code, message, tmp_path):
    process = ReadingProcess(command=(sys.executable, "-c", program))
    for _ in range(2):  # the next file gets another process
        (failure,) = process.read(Unread(tmp_path / "file", "file"))
        assert isinstance(failure, Failure)
        assert failure.code == code
        assert message in failure.message
    process.close()


def test_a_reader_that_ended_after_a_file_is_started_again(tmp_path):
    program = tell(f"[]\n{encode_item(DOCUMENT)}").replace("time.sleep", "")
    process = ReadingProcess(command=(sys.executable, "-c", program))
    for _ in range(2):
        assert process.read(Unread(tmp_path / "file", "file")) == (DOCUMENT,)
        process._child._process.wait()
    process.close()


def test_a_reader_that_does_not_end_is_ended(tmp_path):
    process = ReadingProcess(Limits(seconds=0.5), (sys.executable, "-c", "import time; time.sleep(600)"))
    (failure,) = process.read(Unread(tmp_path / "file", "file"))
    assert isinstance(failure, Failure)
    assert (failure.code, failure.message) == ("too_large", "file was not read within 0.5 seconds")


def test_extraction_of_several_files_goes_on(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 nothing")
    (tmp_path / "b.pdf").write_bytes(small_pdf([text(50, 700, "Tide gauges drift, and a tide gauge is old.")]))
    first, second = kw.extract([tmp_path / "a.pdf", tmp_path / "b.pdf"], errors="keep")
    assert isinstance(first, Failure)
    assert "tide gauge" in second.texts[0].lower()


def test_threads_that_share_a_reader_get_their_own_answers(tmp_path):
    files = [tmp_path / f"{number}.html" for number in range(24)]
    for file in files:
        file.write_text(f"<html><body><p>Tide gauge {file.stem} drifts.</p></body></html>", "utf-8")
    process = ReadingProcess()
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda file: process.read(unread(file)), files))
    process.close()
    assert [document.id for (document,) in answers] == [file.name for file in files]


def test_a_reading_can_be_ended_from_another_thread(tmp_path):
    (tmp_path / "a.html").write_text("<html><body><p>Tide gauges drift.</p></body></html>", "utf-8")
    process = ReadingProcess(command=(sys.executable, "-c", "import time; time.sleep(60)"))
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(process.read, unread(tmp_path / "a.html"))
        while not answer.done():
            process.interrupt()
    (failure,) = answer.result()
    assert failure.code == "broken_file"
