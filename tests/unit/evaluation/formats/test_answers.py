"""Answer and gold lines: how they are cut, and how runs are written."""

import pytest

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import MissingData
from keywright.evaluation.answers import (
    make_gold_sets,
    parse_answers,
    parse_semeval_gold,
    read_semeval_gold_kind,
    semeval_line,
)
from keywright.evaluation.rules import ByteMarks

KEPT, STRIPPED = ByteMarks.KEPT, ByteMarks.STRIPPED


@pytest.mark.parametrize(
    ("line", "name", "phrases"),
    [
        (b"A : a,b c", "A", ("a", "b c")),
        (b"A : a,,b", "A", ("a", "", "b")),
        (b"A : a,b,,", "A", ("a", "b")),
        (b"A : ,a", "A", ("", "a")),
        (b"A : ,,", "A", ()),
        (b"A :  a , b", "A", (" a ", " b")),
        (b"A : a : b,c", "A", ("a",)),
        (b"A :  : b", "A", ()),
        (b"A : : b", "A", (": b",)),
        (b"A : ", "A", ()),
        (b"A :", "A :", ()),
        (b"A", "A", ()),
        (b"", "", ()),
        (b" : a", "", ("a",)),
        (b"A : a\x0bb\x0cc\xc2\x85d", "A", ("a\x0bb\x0cc\x85d",)),  # only a line feed ends a line
    ],
)
def test_lines_are_cut_as_the_official_script_does(line, name, phrases):
    assert parse_answers(line + b"\n", KEPT).lists == {name: phrases}


def test_lines_are_counted_whatever_they_hold():
    assert parse_answers(b"", KEPT).lines == 0
    assert parse_answers(b"\n\n", KEPT).lines == 2
    answers = parse_answers(b"A : a\nB : b\nA : c", KEPT)
    assert (answers.lines, answers.repeated, answers.lists) == (3, 1, {"A": ("c",), "B": ("b",)})


def test_bytes_that_are_not_utf_8_stay_apart():
    lists = parse_answers(b"A : caf\xe9,caf\xe8,caf\xc3\xa9\n", KEPT).lists
    assert len(set(lists["A"])) == 3


def test_marks():
    data = b"\xef\xbb\xbfA : a\r\nB : b\r\r\nC : c\r"
    kept, stripped = parse_answers(data, KEPT), parse_answers(data, STRIPPED)
    assert kept.lists == {"\ufeffA": ("a\r",), "B": ("b\r\r",), "C": ("c\r",)}
    assert kept.warnings == ()
    assert stripped.lists == {"A": ("a",), "B": ("b\r",), "C": ("c",)}
    assert stripped.warnings == ("a byte order mark was stripped", "a carriage return was stripped from 3 line ends")


@pytest.mark.parametrize(
    ("entry", "forms"),
    [
        (b"a", ("a",)),
        (b"a+b", ("a", "b")),
        (b"a+b+c", ("a", "b", "c")),
        (b"c++", ("c", "")),
        (b"+c", ("", "c")),
        (b"a++b", ("a", "", "b")),
        (b"+", ("", "")),
    ],
)
def test_gold_alternatives(entry, forms):
    assert parse_semeval_gold(b"A : " + entry + b"\n", "author", KEPT).documents[0].entries == (forms,)


def test_gold_of_an_id_that_comes_again_is_another_document():
    gold = parse_semeval_gold(b"A : a\nA : b,c\n", "author", KEPT)
    assert [len(document.entries) for document in gold.documents] == [1, 2]


def test_equal_gold_has_an_equal_fingerprint():
    one, other, third = (parse_semeval_gold(data, "author", KEPT) for data in (b"A : a\n", b"A : a", b"A : b\n"))
    assert one.fingerprint == other.fingerprint != third.fingerprint


def test_missing_gold_says_which_names_were_tried(tmp_path):
    with pytest.raises(MissingData, match=r"test\.author\.final nor test\.author\.stem\.final"):
        read_semeval_gold_kind(tmp_path, "author", KEPT)


def test_gold_of_labelled_documents():
    gold = (GoldKeyphrase(("a", "b"), "author"), GoldKeyphrase(("c",), "reader"), GoldKeyphrase(("d",), "author"))
    labelled = (LabelledDocument(Document("1", "x"), gold), LabelledDocument(Document("2", "y"), ()))
    author, reader = make_gold_sets(labelled)
    assert [(document.id, document.entries) for document in author.documents] == [
        ("1", (("a", "b"), ("d",))),
        ("2", ()),
    ]
    assert [one.by for one in make_gold_sets(labelled, ("reader",))] == [reader.by] == ["reader"]


@pytest.mark.parametrize(
    ("surface", "answers"),
    [
        (("Grid-enabling Ontologies",), ("grid-enabl ontolog",)),
        (("networks", "Network", "net"), ("network", "net")),
        (("1,000 nodes", "a, b"), ("1 000 node", "a b")),
        (("a : b", ":", "c:", " "), ("a b", "c:")),
        (("x\ny",), ("x y",)),
        (tuple("abcdefghijklmnopq"), tuple("abcdefghijklmno")),
    ],
)
def test_surface_forms_are_written_as_the_task_wants(surface, answers):
    assert semeval_line(surface) == answers
