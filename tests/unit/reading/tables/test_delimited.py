"""CSV as people have it: separators, encodings, quotes, and rows that are damaged."""

import gzip

import pytest

from keywright.core.errors import BadRecord, EmptyInput, UnreadableInput
from keywright.reading.limits import Limits
from keywright.reading.tables.files import open_table


def rows(path, data: bytes):
    path.write_bytes(data)
    table = open_table(path, path.name, Limits())
    return table.columns, [(row.place, dict(row.cells), row.problem) for row in table.rows], table.notes


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_any_separator(tmp_path, separator):
    data = separator.join(["id", "abstract, long"]) if separator != "," else 'id,"abstract, long"'
    columns, found, notes = rows(tmp_path / "a.csv", f'{data}\r\n1{separator}"a{separator} b"\r\n'.encode())
    assert columns == ("id", "abstract, long")
    assert found == [("a.csv:2", {"id": "1", "abstract, long": f"a{separator} b"}, "")]
    assert notes == ()


def test_marks_quoted_line_ends_and_empty_rows(tmp_path):
    data = '\ufeffid;text\r\n1;"two\r\nlines, ""quoted"""\r\n;\r\n2;x\r\n;;\r\n\r\n'.encode()
    columns, found, _ = rows(tmp_path / "a.csv", data)
    assert columns == ("id", "text")
    assert found == [
        ("a.csv:2", {"id": "1", "text": 'two\r\nlines, "quoted"'}, ""),
        ("a.csv:5", {"id": "2", "text": "x"}, ""),
    ]


def test_the_line_that_tells_excel_the_separator(tmp_path):
    columns, found, _ = rows(tmp_path / "a.csv", b"sep=;\r\nid;a,b\r\n1;x\r\n")
    assert columns == ("id", "a,b")
    assert found == [("a.csv:3", {"id": "1", "a,b": "x"}, "")]


def test_windows_encoding_is_noted(tmp_path):
    columns, found, notes = rows(tmp_path / "a.csv", "id,größe\n1,café – “so”\n2,b\n".encode("cp1252"))
    assert columns == ("id", "größe")
    assert found[0][1] == {"id": "1", "größe": "café – “so”"}
    assert notes == ("a.csv is not UTF-8: it is read as cp1252",)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        (
            "cp1252",
            "Die Größe der Gärten überrascht, und für die Königin blühen schöne Häuser. Groß genug ist es hier.",
        ),
        ("cp1251", "Решётка планирования заданий. Планировщик решётки ждёт свободную машину и распределяет задания."),
    ],
)
def test_older_encodings_are_told_apart(tmp_path, encoding, text):
    data = "\n".join(["id,text", *(f'{number},"{text}"' for number in range(5))])
    _, found, notes = rows(tmp_path / "a.csv", data.encode(encoding))
    assert found[0][1]["text"] == text
    assert notes == (f"a.csv is not UTF-8: it is read as {encoding}",)


def test_utf_16_of_excel(tmp_path):
    columns, found, _ = rows(tmp_path / "a.csv", "id\ttext\r\n1\tcafé\r\n".encode("utf-16"))
    assert (columns, found[0][1]) == (("id", "text"), {"id": "1", "text": "café"})


def test_a_damaged_byte_in_one_row_of_utf_8_stays_in_its_cell(tmp_path):
    _, found, notes = rows(tmp_path / "a.csv", b"id,text\n1,M\xc3\xbcller\n2,bad \xff byte\n3,c\n")
    assert [cells["text"] for _, cells, _ in found] == ["Müller", "bad \udcff byte", "c"]
    assert notes == ()


def test_broken_quotes_cost_the_lines_that_they_span(tmp_path):
    _, found, _ = rows(tmp_path / "a.csv", b'id,text\n1,a\n2,"b" c\n3,d\n4,"open\n5,e\n')
    assert [place for place, _, problem in found if problem] == ["a.csv:3", "a.csv:5"]
    assert "lines 5 to 6" in found[-1][2]
    assert [cells["id"] for _, cells, problem in found if not problem] == ["1", "3"]


def test_rows_of_other_lengths(tmp_path):
    _, found, _ = rows(tmp_path / "a.csv", b"id,text\n1\n2,a,,\n3,a,b\n")
    assert found[0][1:] == ({"id": "1"}, "")
    assert found[1][2] == ""
    assert "3 cells under 2 columns" in found[2][2]


def test_long_cells_packed_files_and_names_that_are_missing(tmp_path):
    text = "tide " * 100_000  # more than the default limit of the module csv
    columns, found, _ = rows(tmp_path / "a.csv.gz", gzip.compress(f"id,,text\n1,x,{text}\n".encode()))
    assert columns == ("id", "column 2", "text")
    assert found[0][1]["text"] == text


@pytest.mark.parametrize("data", [b"", b"\n\n", b" , ,\n"])
def test_files_without_a_header_are_refused(tmp_path, data):
    with pytest.raises(EmptyInput):
        rows(tmp_path / "a.csv", data)


def test_a_header_with_broken_quotes_is_refused(tmp_path):
    with pytest.raises(BadRecord, match="the header of"):
        rows(tmp_path / "a.csv", b'"id,text\n1,a\n')


def test_files_that_are_not_text_are_refused(tmp_path):
    with pytest.raises(UnreadableInput):
        rows(tmp_path / "a.csv", bytes(range(256)) * 40)
