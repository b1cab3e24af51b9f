"""Tables as people have them: separators, encodings, quotes, damage; XLSX, Parquet, JSON Lines, bombs refused."""

import gzip
import io
import json
import sys
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from keywright.core.errors import (
    BadRecord,
    BrokenFile,
    EmptyInput,
    MissingData,
    MissingExtra,
    ProtectedFile,
    TooLarge,
    UnreadableInput,
    UnsupportedFormat,
)
from keywright.reading.limits import Limits
from keywright.reading.tables.files import open_table
from keywright.reading.tables.library_tables import parquet_rows, spreadsheet_rows


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


def table(path):
    return open_table(path, path.name, Limits())


def workbook(path, *rows: tuple, sheets=("first",)):
    book = openpyxl.Workbook()
    book.active.title = sheets[0]
    for row in rows:
        book.active.append(row)
    for name in sheets[1:]:
        book.create_sheet(name)
    book.save(path)
    return path


@pytest.mark.parametrize("number", [1_048_577, 99_999_999_999])
def test_rows_beyond_those_of_a_sheet_end_it(number, tmp_path):
    """A file of 1,467 bytes once made rows without end; reading stops at the last row of a sheet, and says so."""
    whole, content = workbook(tmp_path / "b.xlsx", ("text",), ("tides",), ("gauges",)).read_bytes(), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(content, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name.endswith("sheet1.xml"):
                part = part.replace(b'r="3"', b'r="%d"' % number).replace(b'"A3"', b'"A%d"' % number)
            target.writestr(name, part)
    (tmp_path / "a.xlsx").write_bytes(content.getvalue())
    first, last = table(tmp_path / "a.xlsx").rows
    assert first.cells == {"text": "tides"}
    assert last.problem == "a.xlsx has a row behind 1,048,576, the last of a sheet; it was not read"


def test_cells_of_a_workbook(tmp_path):
    path = workbook(
        tmp_path / "a.xlsx", (), ("id", " text ", "n"), (1, "tides", 2.5), (None, None, None), (2, "=1+1", "#REF!")
    )
    read = table(path)
    assert read.columns == ("id", "text", "n")
    assert [(row.place, dict(row.cells)) for row in read.rows] == [
        ("a.xlsx:3", {"id": 1, "text": "tides", "n": 2.5}),
        ("a.xlsx:5", {"id": 2, "text": None, "n": None}),  # a formula without a stored value, and an error
    ]


def test_the_sheet_that_is_read_is_named(tmp_path):
    path = workbook(tmp_path / "a.xlsx", ("id",), (1,), sheets=("papers", "notes"))
    assert table(path).notes == ("a.xlsx: of 2 sheets the sheet 'papers' is read",)


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
@pytest.mark.parametrize("above", [["Report of gauges"], ["Report of gauges", "As of March"]])
def test_columns_are_named_below_a_title(tmp_path, ending, above):
    lines = [(text,) for text in above] + [("id", "remark"), ("1", "tides"), ("2", "gauges")]
    path = workbook(tmp_path / "a.xlsx", *lines)
    if ending == "csv":
        path = tmp_path / "a.csv"
        path.write_text("\n".join(map(",".join, lines)))
    read = table(path)
    assert read.columns == ("id", "remark")
    assert [row.cells["remark"] for row in read.rows] == ["tides", "gauges"]
    assert read.notes == (f"a.{ending}: the columns are named below 'Report of gauges'",)


@pytest.mark.parametrize("data", ["text\ntides; ebb\nflow; flood\n", "text\ntides, ebb\n"])
def test_a_usual_name_above_one_column_is_no_title(tmp_path, data):
    (tmp_path / "a.csv").write_text(data)
    assert table(tmp_path / "a.csv").columns == ("text",)


def test_a_separator_of_the_header_counts_more_than_one_below_it(tmp_path):
    (tmp_path / "a.csv").write_text("nr,remark\n1,ebb; flow; flood\n2,ebb; flow; flood\n")
    assert table(tmp_path / "a.csv").columns == ("nr", "remark")


def test_a_column_of_sentences_without_a_name_loses_none(tmp_path):
    data = b"The tide rises in the afternoon.\nThe gauge is read in the morning.\n"
    columns, found, notes = rows(tmp_path / "a.csv", data)
    assert columns == ("column 1",)
    assert [row[1]["column 1"] for row in found] == data.decode().splitlines()
    assert notes == ("a.csv: the first row is read as a text, not as the name of a column",)


def test_the_first_sheet_with_text_is_read_and_characters_in_codes_are_themselves(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.create_sheet("papers")
    for row in (("id", "text"), (1, "ebb_x000D_\nand flow")):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    read = table(tmp_path / "a.xlsx")
    assert read.notes == ("a.xlsx: of 2 sheets the sheet 'papers' is read",)
    assert next(read.rows).cells == {"id": 1, "text": "ebb\r\nand flow"}


@pytest.mark.parametrize(
    "cover", [("Gauges of the harbour",), ("Report", "The gauges were read in March.", "Port office")]
)
def test_a_table_behind_a_cover_sheet_is_read_and_the_cover_is_told(tmp_path, cover):
    path = workbook(tmp_path / "a.xlsx", *((text,) for text in cover), sheets=("cover", "papers"))
    book = openpyxl.load_workbook(path)
    for row in (("nr", "remark"), (1, "tides"), (2, "ebb")):
        book["papers"].append(row)
    book.save(path)
    read = table(path)
    assert [row.cells["remark"] for row in read.rows] == ["tides", "ebb"]
    told = f"a.xlsx: left out: {len(cover)} row{'s' * (len(cover) > 1)} of text in the sheet 'cover'"
    assert read.notes == ("a.xlsx: of 2 sheets the sheet 'papers' is read", told)


@pytest.mark.parametrize("column", [("text", "tides", "ebb"), ("remark", *map(str, range(20)))])
def test_a_column_of_texts_before_another_sheet_is_no_cover(tmp_path, column):
    path = workbook(tmp_path / "a.xlsx", *((text,) for text in column), sheets=("first", "codes"))
    book = openpyxl.load_workbook(path)
    book["codes"].append(("code", "label"))
    book.save(path)
    assert table(path).columns == column[:1]


def test_workbooks_without_cells_damaged_or_locked(tmp_path):
    with pytest.raises(EmptyInput):
        table(workbook(tmp_path / "a.xlsx"))
    (tmp_path / "b.xlsx").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(BrokenFile, match="XLSX"):
        table(tmp_path / "b.xlsx")
    (tmp_path / "c.xlsx").write_bytes(b"\xd0\xcf\x11\xe0" * 9)
    with pytest.raises(ProtectedFile):
        table(tmp_path / "c.xlsx")


def test_a_bomb_is_not_unpacked(tmp_path):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 50_000_000)
    (tmp_path / "a.xlsx").write_bytes(content.getvalue())
    with pytest.raises(TooLarge):
        table(tmp_path / "a.xlsx")


def test_rows_of_parquet(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"id": [1, 2], "text": ["tides", None]}), path)
    (tmp_path / "b.parquet").write_bytes(path.read_bytes()[:-20])
    read = table(path)
    assert read.columns == ("id", "text")
    assert [dict(row.cells) for row in read.rows] == [{"id": 1, "text": "tides"}, {"id": 2, "text": None}]
    with pytest.raises(BrokenFile):
        table(tmp_path / "b.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match="Parquet needs the package pyarrow"):
        parquet_rows(path, "a", Limits())


def test_a_row_that_is_too_long_costs_itself(tmp_path):
    """Neither a line without end nor a quote that is never closed fills the memory."""
    path = tmp_path / "a.csv"
    path.write_text(
        f'id,text\n1,{"a," * 600}\n2,{"b" * 1_100}\n3,tides\n4,"{"x" * 90}\n' + f"{'y' * 90}\n" * 20, "utf-8"
    )
    read = list(open_table(path, "a.csv", Limits(text_characters=1_000)).rows)
    assert [row.place for row in read][:3] == ["a.csv:2", "a.csv:3", "a.csv:4"]
    assert [bool(row.problem) for row in read][:4] == [True, True, False, True]
    assert read[2].cells == {"id": "3", "text": "tides"}


def test_a_head_of_too_many_columns_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("a," * 16_384 + "a\n")
    with pytest.raises(TooLarge, match="16,385 columns"):
        table(tmp_path / "a.csv")


def test_keys_of_records_are_columns(tmp_path):
    path = tmp_path / "a.jsonl"
    lines = [json.dumps({"id": "a", "body": "tides"}), "{broken", json.dumps({"id": "b", "year": 2001})]
    path.write_text("\n".join(lines))
    read = table(path)
    assert read.columns == ("id", "body", "year")
    rows = list(read.rows)
    assert [row.place for row in rows] == ["a.jsonl:1", "a.jsonl:2", "a.jsonl:3"]
    assert rows[1].problem.startswith("not valid JSON")


def test_other_files_and_missing_ones(tmp_path):
    (tmp_path / "a.txt").write_text("tides")
    with pytest.raises(UnsupportedFormat, match="not a table"):
        table(tmp_path / "a.txt")
    with pytest.raises(MissingData):
        table(tmp_path / "b.csv")


def test_entities_of_xml_are_not_expanded(tmp_path):
    path = workbook(tmp_path / "a.xlsx", ("id", "text"), (1, "tides"))
    entities = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 12))
    cell = b'<sheetData><row><c t="inlineStr"><is><t>&e11;</t></is></c></row>'
    content = io.BytesIO()
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(content, "w") as changed:
        for name in archive.namelist():
            data = archive.read(name)
            if name.endswith("sheet1.xml"):
                data = f'<!DOCTYPE w [<!ENTITY e0 "lollollol">{entities}]>'.encode() + data.replace(
                    b"<sheetData>", cell
                )
            changed.writestr(name, data)
    path.write_bytes(content.getvalue())
    with pytest.raises(BrokenFile, match="is damaged from this row on"):
        table(path)


def test_an_extra_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    with pytest.raises(MissingExtra) as caught:
        spreadsheet_rows(tmp_path / "a.xlsx", "a.xlsx", Limits())
    assert "[tables]" in caught.value.hint
