"""Files of labels."""

import pytest

from keywright.core.errors import BadParameter, EmptyInput, UnknownName, UnreadableInput, UnsupportedFormat
from keywright.reading.phrase_lists import collect_labels, read_labels


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
