"""Files and folders: formats told apart, bad input, limits."""

import io
import os
import zipfile
from pathlib import Path

import docx
import pytest

from keywright.core.documents import Document
from keywright.core.errors import (
    BrokenFile,
    EmptyInput,
    MissingData,
    ProtectedFile,
    TooLarge,
    UnreadableInput,
    UnsupportedFormat,
)
from keywright.core.predictions import Failure
from keywright.reading.formats import DOCX, HTML, JATS, JSONL, MARKDOWN, PDF, PLAIN, TEI, UNKNOWN, format_of
from keywright.reading.limits import Limits
from keywright.reading.sources import find_sources, read_documents, read_source

NOTHING = io.BytesIO(b"")
EXAMPLES = Path(__file__).parents[3] / "examples"
BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE article [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "&%c;&%c;&%c;&%c;">' % (98 + n, *[97 + n] * 4) for n in range(20))
    + b']><article article-type="x"><body><p>&u;</p></body></article>'
)
EXTERNAL = (
    b'<?xml version="1.0"?><!DOCTYPE TEI [<!ENTITY secret SYSTEM "file:///etc/hostname">]>'
    b"<TEI><text><body><p>Text &secret;</p></body></text></TEI>"
)


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def zip_of(name: str, content: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def docx_bytes(text: str) -> bytes:
    file = docx.Document()
    file.add_paragraph(text)
    stream = io.BytesIO()
    file.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", b"text", PLAIN), ("a.md", b"# text", MARKDOWN), ("a.html", b"<p>x", HTML), ("a.pdf", b"x", PDF),
        ("README", b"text", PLAIN), ("paper.final", b"text", UNKNOWN), ("a.dat", b"%PDF-1.4", PDF),
        ("a.txt", b"<!DOCTYPE html><p>x", HTML), ("a.xml", b"<?xml version='1.0'?>\n<TEI>", TEI),
        ("a.xml", b"<?xml version='1.0'?><!-- <TEI> --><article>", JATS), ("a", b'{"id": "x", "text": "y"}\n', JSONL),
        ("a.bin", b"\x1f\x8b\x08", JSONL), ("a.md", b"<!DOCTYPE html>", MARKDOWN), ("a", docx_bytes("x"), DOCX),
        ("a.tei.xml", b"<x", TEI), ("a.txt", b"{braces} and text", PLAIN), ("a.txt", b"<quoted> text", PLAIN),
    ],
)  # fmt: skip
def test_formats(name: str, data: bytes, kind: object):
    assert format_of(data, name) is kind


@pytest.mark.parametrize(
    ("name", "data", "short_name"),
    [
        ("a", b"{\\rtf1 x}", "rtf"),
        ("a.wiki", b"<!DOCTYPE html>", "mediawiki"),
        ("", b"Received: from a\n by b\nSubject: x\n\nText", "mail"),
        ("a.txt", b"Received: from a\n by b\nSubject: x\n\nText", "text"),
        ("Inbox", b"From a@b.c Mon Mar  3 10:00:00 2014\nTo: x\n", "mbox"),
        ("a", b"From here on", "text"),
        ("", b"From: x\r\nContent-Type: multipart/related;\r\n", "mhtml"),
        ("", b"WEBVTT\n", "subtitles"),
        ("a", b"1\r\n00:00:01,000 --> 00:00:04,000\r\nHi", "subtitles"),
        ("a.ipynb", b'{"cells": []}', "notebook"),
        ("a", b'{\n "cells": []}', "notebook"),
        ("paper", b"% x\n\\documentclass{article}", "latex"),
        ("a.xml", b"<book xmlns='http://docbook.org/ns/docbook'>", "docbook"),
        ("a.dbk", b"<?xml version='1.0'?><book>", "docbook"),
        ("a", zip_of("mimetype", "application/epub+zip"), "epub"),
        ("a", zip_of("ppt/presentation.xml", ""), "pptx"),
    ],
)
def test_formats_told_by_their_content(name: str, data: bytes, short_name: str):
    assert format_of(data, name).short_name == short_name


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.msg", b"\xd0\xcf\x11\xe0"), ("a.doc", b"\xd0\xcf\x11\xe0"), ("a.odp", b"PK\x03\x04"),
        ("a.xml", b"<?xml version='1.0'?><svg></svg>"), ("a.json", b"[1, 2]"), ("a.txt", b"\x00\x01\x02\x03" * 50),
        ("photo.xyz", b"\x89PNG\r\n\x1a\n\x00\x00\x00"),
    ],
)  # fmt: skip
def test_formats_that_are_not_read(tmp_path: Path, name: str, data: bytes):
    with pytest.raises(UnsupportedFormat) as caught:
        list(read_source(write(tmp_path, name, data)))
    assert name in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("ending", ["txt", "md", "html", "pdf", "xml", "tei", "docx", "jsonl"])
def test_empty_files(tmp_path: Path, ending: str):
    with pytest.raises(EmptyInput):
        list(read_source(write(tmp_path, f"a.{ending}", b"")))


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.md", b"---\n"), ("a.html", b"<html></html>"), ("a.html", b"<!-- x -->"),
     ("a.xml", b"<article><body/></article>"), ("a.tei", b"<TEI/>"), ("a.docx", docx_bytes("...")), ("a.html", b"   ")],
)  # fmt: skip
def test_files_without_words(tmp_path: Path, name: str, data: bytes):
    with pytest.raises(EmptyInput):
        list(read_source(write(tmp_path, name, data)))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xml", b"<article><body><p>open"), ("a.tei", b"not xml at all"), ("a.docx", b"PK\x03\x04 broken"),
        ("a.docx", b"plain text"), ("a.xml", BOMB), ("a.tei.xml", EXTERNAL), ("a.jsonl.gz", b"\x1f\x8b broken"),
    ],
)  # fmt: skip
def test_broken_files(tmp_path: Path, name: str, data: bytes):
    with pytest.raises(BrokenFile) as caught:
        list(read_source(write(tmp_path, name, data)))
    assert caught.value.hint
    hostname = Path("/etc/hostname")
    if hostname.exists():
        assert hostname.read_text(encoding="utf-8").strip() not in str(caught.value)


def test_an_external_document_type_is_not_fetched(tmp_path: Path):
    source = (
        b'<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//X//" "http://127.0.0.1:9/x.dtd">'
        b"<article article-type='x'><body><p>Caf&eacute; text.</p></body></article>"
    )
    (document,) = read_source(write(tmp_path, "a.xml", source))
    assert document.text == "Café text."


def test_docx_bombs_and_passwords(tmp_path: Path):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 60_000_000)
    with pytest.raises(TooLarge, match="unpacks from"):
        list(read_source(write(tmp_path, "a.docx", stream.getvalue())))
    with pytest.raises(ProtectedFile):
        list(read_source(write(tmp_path, "b.docx", b"\xd0\xcf\x11\xe0" + b"\0" * 600)))


def test_damaged_members_of_a_docx(tmp_path: Path):
    whole = docx_bytes("Some text.")
    source = zipfile.ZipFile(io.BytesIO(whole))
    for name in ("word/document.xml", "[Content_Types].xml"):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for member in source.namelist():
                archive.writestr(member, b"<broken" if member == name else source.read(member))
        with pytest.raises(BrokenFile):
            list(read_source(write(tmp_path, "a.docx", stream.getvalue())))


@pytest.mark.parametrize("damage", [b"\xff" * 40, b""], ids=["overwritten", "unknown method"])
def test_damaged_compression_of_a_docx(tmp_path: Path, damage: bytes):
    data = bytearray(docx_bytes("Some text. " * 200))
    member = zipfile.ZipFile(io.BytesIO(data)).getinfo("word/document.xml")
    if damage:
        start = member.header_offset + 30 + len(member.filename)
        data[start : start + len(damage)] = damage
    else:
        entry = data.rindex(b"word/document.xml", member.header_offset + 100) - 46  # in the directory at the end
        data[entry + 10] = 99
    with pytest.raises(BrokenFile, match="not a readable DOCX"):
        list(read_source(write(tmp_path, "a.docx", bytes(data))))


def test_files_above_the_limit_are_not_opened(tmp_path: Path):
    path = write(tmp_path, "a.txt", b"word " * 100)
    with pytest.raises(TooLarge, match="500 bytes; at most 400"):
        list(read_source(path, limits=Limits(file_bytes=400)))


def test_missing_files_and_folders(tmp_path: Path):
    with pytest.raises(MissingData):
        list(read_source(tmp_path / "nothing.txt"))
    with pytest.raises(UnreadableInput, match="not a regular file"):
        list(read_source(tmp_path))


def test_folders(tmp_path: Path):
    (tmp_path / "deep" / ".git").mkdir(parents=True)
    write(tmp_path, "b.txt", b"Second.")
    write(tmp_path, "a.xyz", b"\x00\x01\x02\x03")
    write(tmp_path, ".hidden.txt", b"Hidden.")
    write(tmp_path / "deep", "c.jsonl", b'{"id": "r1", "text": "Record."}\nbroken\n{"id": "r2", "text": "Record."}\n')
    write(tmp_path / "deep" / ".git", "d.txt", b"Hidden too.")
    (tmp_path / "deep" / "loop").symlink_to(tmp_path)
    (tmp_path / "lost.txt").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    found = list(read_documents(find_sources([tmp_path], None, NOTHING)))
    names = [item.id if isinstance(item, Document) else f"!{item.document_id} {item.code}" for item in found]
    assert names == [
        "!a.xyz unsupported_format", "b.txt", "r1", "!deep/c.jsonl:2 bad_record", "r2", "!lost.txt missing_data",
    ]  # fmt: skip


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path):
    good = write(tmp_path, "good.txt", b"Good text.")
    bad = write(tmp_path, "bad.docx", b"PK\x03\x04")
    empty = tmp_path / "empty"
    empty.mkdir()
    names = [tmp_path / "no.txt", bad, empty, good]
    missing, failed, folder, document = read_documents(find_sources(names, None, NOTHING))
    assert isinstance(missing, Failure)
    assert missing.code == "unreadable_input"
    assert isinstance(failed, Failure)
    assert failed.code == "broken_file"
    assert isinstance(folder, Failure)
    assert folder.code == "empty_input"
    assert isinstance(document, Document)
    assert document.id == good.as_posix()


def test_all_examples_are_read():
    assert all(isinstance(item, Document) for item in read_documents(find_sources([EXAMPLES], None, NOTHING)))


def test_text_with_an_unknown_ending_is_read_and_says_so(tmp_path):
    write(tmp_path, "notes.log", b"Grid computing needs grids.")
    (found,) = read_source(tmp_path / "notes.log")
    assert found.warnings == ("read as plain text: no known format has the ending .log",)
