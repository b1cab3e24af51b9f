"""Tables of large libraries are read in a process of their own: values come back, and bombs cost themselves."""

import datetime as dt
import hashlib
import json
import os
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.end_to_end.program import keywright

from keywright.core.errors import BadParameter, BrokenFile, KeywrightError, TooLarge
from keywright.reading import apart
from keywright.reading.limits import Limits
from keywright.reading.tables.files import open_table
from keywright.reading.tables.library_tables import count_rows, rows_between
from keywright.reading.tables.rows import Row, Rows

VALUES = {
    "day": dt.date(2024, 2, 29),
    "moment": dt.datetime.fromisoformat("2024-02-29T12:30:01.000005"),
    "hour": dt.time(12, 30),
    "parts": ["a", None, "🌊"],
    "inner": {"uri": "x", "n": 1},
    "number": 1.5,
    "whole": 2**62,
    "flag": True,
    "none": None,
}


def write_bomb(path):
    """Write a table of 5 MB whose thousand rows all have the same text of ten million letters."""
    text = hashlib.shake_256(b"a").hexdigest(5_000_000)
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000, pa.int32()), [text])
    pq.write_table(pa.table({"id": pa.array(map(str, range(1_000))), "text": column}), path, compression="zstd")


def sleep(_path, _name, _limits):
    time.sleep(60)


def end(_path, _name, _limits):
    os.abort()


def refuse(_path, name, _limits):
    raise BadParameter(f"{name} is refused", "take another")


def list_rows(_path, name, first, _limits):
    def rows():
        yield Row(f"{name}:{first}", {"pid": os.getpid()})
        os._exit(3)

    return Rows(name, ("pid",), rows(), ("a note",))


def test_values_come_back(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_pylist([VALUES] * 3), path)
    table = open_table(path, "a.parquet", Limits())
    assert table.columns == tuple(VALUES)
    assert [dict(row.cells) for row in table.rows] == [VALUES] * 3
    assert apart.call_apart(count_rows, path, "a", limits=Limits()) == 3
    rows = apart.call_apart(rows_between, path, "a", 1, 2, limits=Limits())
    assert [(row.place, row.cells["day"]) for row in rows] == [("a:2", VALUES["day"]), ("a:3", VALUES["day"])]
    pq.write_table(pa.table({"a": [Decimal("1.50")], "b": [b"x"]}), path)
    assert [dict(row.cells) for row in open_table(path, "a.parquet", Limits()).rows] == [{"a": "1.50", "b": "b'x'"}]


def test_more_rows_than_an_answer_holds(tmp_path):
    book = openpyxl.Workbook()
    for row in (["id", "day"], *([number, dt.datetime.fromisoformat("2024-01-01")] for number in range(1_203))):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    rows = list(open_table(tmp_path / "a.xlsx", "a.xlsx", Limits()).rows)
    assert [row.cells["id"] for row in rows] == list(range(1_203))
    assert rows[-1].cells["day"] == dt.datetime.fromisoformat("2024-01-01")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit")
def test_a_bomb_is_an_error_of_its_table(tmp_path):
    write_bomb(tmp_path / "a.parquet")
    (row,) = open_table(tmp_path / "a.parquet", "a.parquet", Limits(memory_bytes=700_000_000)).rows
    assert "memory" in row.problem or "broke its library" in row.problem


def test_a_process_that_hangs_or_ends_is_an_error():
    with pytest.raises(TooLarge, match=r"a was not read within 0\.5 seconds"):
        apart.call_apart(sleep, Path("a"), "a", limits=Limits(seconds=0.5))
    with pytest.raises(BrokenFile, match=r"reading a broke its library \(Aborted\)"):
        apart.call_apart(end, Path("a"), "a", limits=Limits())
    with pytest.raises(BadParameter, match="a is refused; take another"):
        apart.call_apart(refuse, Path("a"), "a", limits=Limits())


def test_rows_end_with_the_process():
    """The process ends before its first answer of rows is whole."""
    table = apart.call_apart(list_rows, Path("a"), "a", 7, limits=Limits())
    assert (table.columns, table.notes) == (("pid",), ("a note",))
    (row,) = table.rows
    assert "broke its library (exit status 3)" in row.problem


def test_a_table_that_is_not_read_leaves_no_process(tmp_path, monkeypatch):
    children = []
    make = apart.Child
    monkeypatch.setattr(apart, "Child", lambda *command: children.append(make(*command)) or children[-1])
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    open_table(tmp_path / "a.parquet", "a.parquet", Limits())
    list(open_table(tmp_path / "a.parquet", "a.parquet", Limits()).rows)
    apart.call_apart(count_rows, tmp_path / "a.parquet", "a", limits=Limits())
    assert [child.is_alive for child in children] == [False] * 3


def test_a_process_that_is_limited_reads_itself(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    program = (
        "import pathlib, keywright.reading.apart as apart; apart.limit_process(10**10); apart.Child = None;"
        "from keywright.reading.tables.files import open_table; from keywright.reading.limits import Limits;"
        f"print(len(list(open_table(pathlib.Path({str(tmp_path / 'a.parquet')!r}), 'a.parquet', Limits()).rows)))"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"1\n"


VERBS = (
    ("extract", "a.parquet", "--text-column", "text"),
    ("collection", "a.parquet"),
    ("vocabulary", "build", "a.parquet", "-o", "index"),
    ("label", "note.txt", "--keyphrases", "a.parquet"),
    ("extract", "a.parquet", "--text-column", "text", "-o", "parts", "--parts"),
)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit")
@pytest.mark.parametrize("command", VERBS, ids=lambda command: f"{command[0]}-{len(command)}")
def test_the_program_itself_stays_small(command, tmp_path):
    """It once took 4.3 GB for these 5 MB."""
    write_bomb(tmp_path / "a.parquet")
    (tmp_path / "note.txt").write_text("Tide gauges drift.")
    done = keywright(*command, cwd=tmp_path, KEYWRIGHT_LIMITS="memory_bytes=700000000")
    assert 0 < done.returncode < 5
    assert done.memory < 600_000_000
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["KeywrightErrors", "VERSION", "re", "contextmanager", "Iterable"])
def test_a_process_that_was_taken_over_names_errors_only(name):
    with pytest.raises((LookupError, TypeError, ValueError)) as caught:
        apart._decode(json.dumps(([name, "os.system", ""], None)).encode())
    assert not isinstance(caught.value, KeywrightError)
