"""JSON Lines of documents."""

import gzip
import json

import pytest
import zstandard

from keywright.core.documents import Document, GoldKeyphrase
from keywright.core.documents import SectionKind as Kind
from keywright.core.errors import BadRecord, BrokenFile, EmptyInput, TooLarge
from keywright.core.predictions import Failure
from keywright.reading.formats import Limits
from keywright.reading.jsonl import document_of_record, gold_of, read_jsonl, read_jsonl_on, read_labelled

LIMITS = Limits()
GOOD = b'{"id": "a", "title": "T", "abstract": "An abstract.", "year": 2001}\n\n{"id": 7, "text": "Text only."}\n'


def test_title_abstract_and_meta():
    first, second = read_jsonl(GOOD, "x.jsonl", LIMITS)
    assert first.text == "T\n\nAn abstract."
    assert first.section(Kind.TITLE) == "T"
    assert first.section(Kind.ABSTRACT) == "An abstract."
    assert first.meta == {"title": "T", "year": 2001}
    assert (second.id, second.text, second.sections) == ("7", "Text only.", ())


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


def test_gold():
    record = {"id": "a", "text": "t", "keyphrases": ["grid", ["peer-to-peer", "p2p"]]}
    assert gold_of(record, "a") == (
        GoldKeyphrase(("grid",), "author"),
        GoldKeyphrase(("peer-to-peer", "p2p"), "author"),
    )
    (labelled,) = read_labelled(json.dumps(record).encode(), "x.jsonl", LIMITS)
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
    first, failure, last = read_jsonl_on(data, "x.jsonl", LIMITS)
    assert isinstance(first, Document)
    assert isinstance(last, Document)
    assert isinstance(failure, Failure)
    assert (failure.document_id, failure.code) == ("x.jsonl:2", "bad_record")


def test_packed_files():
    for data in (gzip.compress(GOOD), zstandard.compress(GOOD)):
        assert [document.id for document in read_jsonl(data, "x", LIMITS)] == ["a", "7"]
        with pytest.raises(BrokenFile):
            list(read_jsonl(data[: len(data) // 2], "x", LIMITS))


def test_packed_bombs():
    for data in (gzip.compress(b" " * 30_000_000), zstandard.compress(b" " * 30_000_000)):
        with pytest.raises(TooLarge, match="unpacks from"):
            list(read_jsonl(data, "x", LIMITS))


def test_empty():
    with pytest.raises(EmptyInput, match="no record"):
        list(read_jsonl(b"\n\n", "x.jsonl", LIMITS))
    with pytest.raises(EmptyInput, match=r"line 1 of x\.jsonl"):
        list(read_jsonl(b'{"id": "a", "text": "..."}', "x.jsonl", LIMITS))
