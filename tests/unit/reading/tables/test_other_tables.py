"""XLSX, Parquet and JSON Lines as tables: cells as they are, damage and bombs refused."""

import io
import json
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from keywright.core.errors import (
    BrokenFile,
    EmptyInput,
    MissingData,
    MissingExtra,
    ProtectedFile,
    TooLarge,
    UnsupportedFormat,
)
from keywright.reading.limits import Limits
from keywright.reading.tables.files import open_table


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


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_rows_of_parquet(tmp_path, monkeypatch, library):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"id": [1, 2], "text": ["tides", None]}), path)
    (tmp_path / "b.parquet").write_bytes(path.read_bytes()[:-20])
    if library == "polars":
        monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    read = table(path)
    assert read.columns == ("id", "text")
    assert [dict(row.cells) for row in read.rows] == [{"id": 1, "text": "tides"}, {"id": 2, "text": None}]
    with pytest.raises(BrokenFile):
        table(tmp_path / "b.parquet")


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
        table(tmp_path / "a.xlsx")
    assert "[tables]" in caught.value.hint
