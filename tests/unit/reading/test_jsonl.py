"""JSON Lines of documents."""

import gzip
import io
import json
import os

import pytest

from keywright.core.documents import Document, GoldKeyphrase
from keywright.core.documents import SectionKind as Kind
from keywright.core.errors import BadRecord, BrokenFile, EmptyInput, TooLarge, UnsupportedFormat
from keywright.core.predictions import Failure
from keywright.core.zstandard import zstd
from keywright.reading.formats.jsonl import document_of_record, document_or_failure, gold_of, read_jsonl, read_labelled
from keywright.reading.limits import Limits
from keywright.reading.record_lines import JsonLine, lines_of, streamed_lines

LIMITS = Limits()
GOOD = b'{"id": "a", "title": "T", "abstract": "An abstract.", "year": 2001}\n\n{"id": 7, "text": "Text only."}\n'


def test_title_abstract_and_meta():
    first, second = read_jsonl(GOOD, "x.jsonl", LIMITS)
    assert first.text == "T\n\nAn abstract."
    assert first.section(Kind.TITLE) == "T"
    assert first.section(Kind.ABSTRACT) == "An abstract."
    assert first.meta == {"title": "T", "year": 2001}
    assert (second.id, second.text, second.sections) == ("7", "Text only.", ())


@pytest.mark.parametrize(
    ("abstract", "headings"),
    [
        ("Abstract: Pumps ran.", ["Abstract: "]),
        ("<jats:title>Abstract</jats:title><jats:p>Pumps ran.</jats:p>", ["Abstract"]),
        (
            "<jats:sec><jats:title>Background</jats:title><jats:p>Pumps ran.</jats:p><jats:title>Methods</jats:title>",
            ["Background", "Methods"],
        ),
        ("Abstract art hung above the pumps.\nMethods of timing were old.", []),
    ],
)
def test_headings_in_an_abstract_are_no_words_of_it(abstract, headings):
    line = json.dumps({"id": "a", "title": "Brine", "abstract": abstract}).encode() + b"\n"
    (document,) = read_jsonl(line, "x.jsonl", LIMITS)
    notices = [part for part in document.sections if part.kind == Kind.NOTICE]
    assert [document.text[part.start : part.end] for part in notices] == headings


def test_sections_and_body():
    given = {
        "id": "a",
        "title": "T",
        "sections": [{"kind": "introduction", "text": "I"}, {"kind": "body", "text": "B"}],
    }
    document = document_of_record(given)
    assert document.text == "T\n\nI\n\nB"
    assert document.section(Kind.INTRODUCTION) == "I"
    whole = document_of_record({"id": "a", "title": "T", "text": "1. INTRODUCTION\nIt begins.\n2. REFERENCES\n[1] B."})
    assert whole.section(Kind.REFERENCES) == "[1] B."


def test_a_text_beside_an_abstract_under_another_name_is_told():
    line = b'{"id": "a", "abstract": "An abstract.", "fulltext": "All of it.", "note": "n"}\n'
    (document,) = read_jsonl(line, "x.jsonl", LIMITS)
    assert document.warnings == ("the text under 'fulltext' is not read: call it 'text'",)
    (first, _) = read_jsonl(GOOD, "x.jsonl", LIMITS)
    assert first.warnings == ()


def test_gold():
    record = {"id": "a", "text": "t", "keyphrases": ["grid", ["peer-to-peer", "p2p"]]}
    assert gold_of(record, "a") == (
        GoldKeyphrase(("grid",), "author"),
        GoldKeyphrase(("peer-to-peer", "p2p"), "author"),
    )
    (labelled,) = read_labelled(lines_of(json.dumps(record).encode(), "x.jsonl", LIMITS), LIMITS)
    assert labelled.id == "a"
    assert len(labelled.gold) == 2
    assert gold_of({"id": "a"}, "a") == ()


@pytest.mark.parametrize("keyphrases", ["grid", [1], [[]], [["a", 2]], {"a": 1}, [""]])
def test_broken_gold(keyphrases: object):
    with pytest.raises(BadRecord, match="keyphrases"):
        gold_of({"id": "a", "keyphrases": keyphrases}, "line 1 of x")


@pytest.mark.parametrize(
    "line",
    [b"{broken", b"[1]", b'"text"', b'{"text": "no id"}', b'{"id": "b"}', b'{"id": "b", "text": 5}',
     b"\xff\xfe\xff", b'{"id": "b", "sections": [{"kind": "nonsense", "text": "x"}]}',
     b'{"id": "b", "sections": ["x"]}', b"[" * 100_000],
)  # fmt: skip
def test_a_broken_line_is_named_and_the_others_go_on(line: bytes):
    data = b'{"id": "a", "text": "One."}\n' + line + b'\n{"id": "c", "text": "Three."}\n'
    with pytest.raises(BadRecord, match=r"line 2 of x\.jsonl"):
        list(read_jsonl(data, "x.jsonl", LIMITS))
    first, failure, last = (document_or_failure(line, LIMITS) for line in lines_of(data, "x.jsonl", LIMITS))
    assert isinstance(first, Document)
    assert isinstance(last, Document)
    assert isinstance(failure, Failure)
    name = "b" if line.startswith(b'{"id": "b"') else "x.jsonl:2"
    assert (failure.document_id, failure.code) == (name, "bad_record")


def test_the_id_of_a_broken_record_is_sought_in_its_line():
    lines = [
        *((b'{"id": 7, "text": ""}', "7"), (b'\xef\xbb\xbf{"text": 5, "id": "b"}', "b"), (b'{"id": true}', "x:1")),
        *((b'{"id": "a\\"b", "te', 'a"b'), (b'{"id": ""}', "x:1"), (b'{"meta": {"id": "no"}}', "x:1")),
        (b'{"text": "' + b"a" * 200_000 + b'", "id": "far"}', "x:1"),
    ]
    assert [JsonLine("x", 1, data).id for data, _ in lines] == [name for _, name in lines]


def test_a_key_that_comes_twice_is_refused():
    failure = document_or_failure(JsonLine("x", 1, b'{"id": "a", "text": "b", "meta": {"k": 1, "k": 2}}'), LIMITS)
    assert (failure.document_id, failure.message) == ("a", "line 1 of x is not valid JSON: the key 'k' comes twice")


def test_packed_files():
    for data in (gzip.compress(GOOD), zstd.compress(GOOD)):
        assert [document.id for document in read_jsonl(data, "x", LIMITS)] == ["a", "7"]
        with pytest.raises(BrokenFile):
            list(read_jsonl(data[: len(data) // 2], "x", LIMITS))


def test_packed_bombs():
    for data in (gzip.compress(b" " * 30_000_000), zstd.compress(b" " * 30_000_000)):
        with pytest.raises(TooLarge, match="unpacks from"):
            list(read_jsonl(data, "x", LIMITS))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_a_streamed_file_may_have_any_size_and_each_line_has_the_limit(pack):
    lines = [
        b'{"id": "a", "text": "One."}',
        b'{"id": "b", "text": "' + b"long " * 20 + b'"}',
        b'{"id": "c", "text": "3."}',
    ]
    data = pack(b"\n".join(lines))
    limits = Limits(file_bytes=60, expanded_bytes=60)
    first, failure, last = (
        document_or_failure(line, limits) for line in streamed_lines(io.BytesIO(data), "x.jsonl", limits)
    )
    assert (first.id, failure.document_id, failure.code, last.id) == ("a", "b", "too_large", "c")
    assert failure.message == "line 2 of x.jsonl has 124 bytes; at most 60 are read in a line"
    assert len(lines[1]) == 123  # and the line feed
    if pack is not bytes:
        with pytest.raises(BrokenFile):
            list(streamed_lines(io.BytesIO(data[:-9]), "x.jsonl", limits))


def test_several_members_of_a_packed_file_are_one():
    for pack in (gzip.compress, zstd.compress):
        data = pack(GOOD) + pack(GOOD)
        assert [line.number for line in streamed_lines(io.BytesIO(data), "x", LIMITS)] == [1, 3, 4, 6]


def test_records_come_while_they_arrive():
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as stream, os.fdopen(writer, "wb", buffering=0) as end:
        end.write(b'{"id": "a", "text": "One."}\n')
        assert next(streamed_lines(stream, "stdin", LIMITS)).number == 1


@pytest.mark.parametrize(
    ("data", "message", "hint"),
    [
        (b"Tide gauges\ndrift.\n", "x.jsonl is not JSON Lines", 'expected {"id"'),
        (b'[{"id": "a", "text": "One."}]', "x.jsonl is not JSON Lines", "jq -c"),
    ],
)
def test_a_file_without_records_is_one_failure(data, message, hint):
    with pytest.raises(UnsupportedFormat, match=message) as raised:
        list(read_jsonl(data, "x.jsonl", LIMITS))
    assert hint in raised.value.hint


def test_a_line_in_another_encoding_is_said_to_be():
    data = GOOD.splitlines()[0] + b'\n{"id": "\xe9", "text": "t"}'
    _, failure = (document_or_failure(line, LIMITS) for line in lines_of(data, "x", LIMITS))
    assert failure.message == "line 2 of x is not valid UTF-8: invalid continuation byte at byte 8"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": "a", "title": "T", "body": "The text."}, "a text under 'body'"),
        ({"system": "tfidf|v1", "data": "x.jsonl"}, "first line of a run of 'tfidf|v1'"),
        ({"id": "a", "text": "Tides.", "author_keywords": 5}, "author_keywords of record 'a' are 5"),
        ({"id": "a", "text": "Tides.", "author_keywords": ["tide", None]}, "author_keywords of record 'a' are"),
        ({"id": "a", "text": "Tides.", "sections": True}, "record 'a' has the sections True"),
        ({"id": "a", "text": "Tides.", "sections": {"kind": "body"}}, "record 'a' has the sections"),
    ],
)
def test_what_would_be_misread_is_refused(record, message):
    with pytest.raises(BadRecord, match=message):
        document_of_record(record)


def test_empty():
    with pytest.raises(EmptyInput, match="no record"):
        list(read_jsonl(b"\n\n", "x.jsonl", LIMITS))
    with pytest.raises(EmptyInput, match=r"line 1 of x\.jsonl"):
        list(read_jsonl(b'{"id": "a", "text": "..."}', "x.jsonl", LIMITS))


@pytest.mark.parametrize("kind", [{}, [], 1, None, "chapter"])
def test_a_section_of_no_known_kind_costs_its_record(kind):
    with pytest.raises(BadRecord, match="has the section"):
        document_of_record({"id": "a", "sections": [{"kind": kind, "text": "Tides rise."}]}, LIMITS)
