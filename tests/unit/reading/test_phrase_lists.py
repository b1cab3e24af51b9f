"""Files of phrases."""

import pytest

from keywright.core.errors import BadParameter, BadRecord, EmptyInput, UnknownName, UnreadableInput, UnsupportedFormat
from keywright.reading.phrase_lists import collect_labels, read_labels, read_phrases


def test_one_phrase_a_line(tmp_path):
    path = tmp_path / "phrases.txt"
    path.write_bytes("\ufeffsoil  moisture\r\n\r\n C++\t\nIL-6\nsoil moisture\nbœuf".encode())
    assert read_phrases(path) == ("soil moisture", "C++", "IL-6", "bœuf")
    path.write_bytes("Größe\nÄrger".encode("cp1252"))
    assert read_phrases(str(path)) == ("Größe", "Ärger")


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        (b"", EmptyInput, "empty"),
        (b" \n\n", EmptyInput, "holds no phrases"),
        (b"grid\n--\n", BadRecord, "line 2 of phrases.txt is not a phrase: --"),
        (b"grid\n" + b"word " * 50, BadRecord, "line 2"),
        (bytes(range(256)) * 4, UnsupportedFormat, "not text"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path, content, error, said):
    path = tmp_path / "phrases.txt"
    path.write_bytes(content)
    with pytest.raises(error, match=said):
        read_phrases(path)


def test_a_missing_file_or_a_folder_is_said(tmp_path):
    with pytest.raises(UnreadableInput, match="no file"):
        read_phrases(tmp_path / "none.txt")
    with pytest.raises(UnreadableInput, match="not a regular file"):
        read_phrases(tmp_path)


TURTLE = '# a thesaurus\n@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<#c1> skos:prefLabel "soil"@en .\n'
XML = '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n</rdf:RDF>\n'
TRIPLE = '<http://a.org/1> <http://www.w3.org/2004/02/skos/core#prefLabel> "soil"@en .\n'


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("v.txt", TURTLE, "v.txt is Turtle"),
        ("v.ttl", "soil\n", "v.ttl is Turtle"),
        ("v.txt", "PREFIX skos: <http://a.org/>\n", "is Turtle"),
        ("v.txt", TRIPLE, "is N-Triples"),
        ("v.txt", XML, "is XML"),
        ("v.txt", '<rdf:RDF xmlns="a">', "is XML"),
        ("v.txt", '{"terms": ["soil"]}', "is JSON"),
        ("v.json", '["soil", "water"]', "is JSON"),
        ("v.csv", "soil,Boden\nwater,Wasser\n", "a table with the columns soil, Boden"),
        ("v.txt", "uri,prefLabel\nhttp://a.org/1,soil\n", "a table with the columns uri, prefLabel"),
        ("v.txt", "id;label\n1;soil\n", "a table with the columns id, label"),
        ("v.txt", "1\tsoil\n2\twater\n", "a table with the columns 1, soil"),
    ],
)
def test_vocabularies_in_other_formats_are_recognised(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    with pytest.raises(UnsupportedFormat, match=said) as raised:
        read_phrases(tmp_path / name)
    assert "one phrase per line" in raised.value.hint


def test_phrases_with_signs_are_phrases(tmp_path):
    phrases = ("heart, artificial", "lung, artificial", "[18F]FDG", "prefix codes", "a; b", "<i>", "{x}", "base rate")
    (tmp_path / "v.txt").write_text("\n".join(phrases))
    assert read_phrases(tmp_path / "v.txt") == phrases
    (tmp_path / "v.csv").write_text("soil\nwater\n")
    assert read_phrases(tmp_path / "v.csv") == ("soil", "water")


def test_what_is_left_out_is_counted_and_named(tmp_path):
    path = tmp_path / "terms.txt"
    lines = ("soil  moisture", "", "--", "C++", "word " * 50, "soil moisture", "\ufffdroken", "  ", "***")
    path.write_text("\n".join(lines), "utf-8")
    read = read_labels(path)
    assert list(read.labels) == ["soil moisture", "C++"]
    assert read.left_out == {
        "empty": 2,
        "without letter or digit": 2,
        "longer than 200 characters": 1,
        "there before": 1,
        "with damaged characters": 1,
    }
    assert read.first["without letter or digit"] == "terms.txt:3"
    assert read.first["there before"] == "terms.txt:6"
    assert read.refused == 4


def test_a_column_of_a_table(tmp_path):
    path = tmp_path / "terms.csv"
    path.write_text('id,scheme,subject\n1,A,"Lakes, artificial"\n2,A,\n3,A,Tides\n4,A,"open\n', "utf-8")
    read = read_labels(path)
    assert list(read.labels) == ["Lakes, artificial", "Tides"]
    assert read.notes == ("terms.csv: labels are read from the column 'subject'",)
    assert read.left_out == {"empty": 1, "in rows that cannot be read": 1}
    assert read.first["in rows that cannot be read"] == "terms.csv:5"
    assert list(read_labels(path, "scheme").labels) == ["A"]
    with pytest.raises(UnknownName, match="did you mean 'subject'"):
        read_labels(path, "subjects")
    path.write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(BadParameter, match="several columns can hold the labels"):
        read_labels(path)
    path.write_text("Begriffe\nBoden\n", "utf-8")
    assert list(read_labels(path).labels) == ["Boden"]


def test_files_that_hold_no_labels(tmp_path):
    (tmp_path / "blank.txt").write_text("\n--\n")
    (tmp_path / "terms.ttl").write_text("soil\n")
    with pytest.raises(EmptyInput, match=r"blank.txt holds no labels"):
        read_labels(tmp_path / "blank.txt")
    with pytest.raises(UnsupportedFormat, match="Turtle"):
        read_labels(tmp_path / "terms.ttl")
    with pytest.raises(UnreadableInput, match="no file"):
        read_labels(tmp_path / "none.txt")
    with pytest.raises(BadParameter, match="not a table"):
        read_labels(tmp_path / "blank.txt", "label")


def test_labels_in_memory():
    assert list(collect_labels(["a", "a", " b  c "]).labels) == ["a", "b c"]
    with pytest.raises(BadParameter, match="label 2 is a value of type int"):
        collect_labels(["a", 3])
    with pytest.raises(EmptyInput):
        collect_labels(["-"])
