"""Every writer of CSV, TSV and XLSX: texts of strangers that begin like a formula are texts."""

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import openpyxl
import pytest
from tests.end_to_end.program import keywright

import keywright as kw
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction
from keywright.core.views import format_row
from keywright.faces.outputs.collection_files import write_folder
from keywright.faces.outputs.output_formats import KEYPHRASES
from keywright.faces.outputs.results import Writer

SIGNS = ("=", "+", "-", "@", "\t", "\r")
EVIL = [f'{sign}HYPERLINK("http://evil.example")' for sign in SIGNS]
SOURCE = Path(kw.__file__).parent
META = {'=cmd|"/C calc"!A0': "@SUM(1)"}
RESULTS = [(None, Prediction(text, (Keyphrase(text, -0.5),), meta=META)) for text in EVIL]
RESULTS += [(None, Failure(EVIL[0], "empty_input", EVIL[1]))]


def read_cells(text, separator=","):
    return [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row]


def find_formulas(cells):
    """Return the cells that a spreadsheet would take for a formula: numbers are none."""
    return [cell for cell in cells if cell.startswith(SIGNS) and not re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", cell)]


def test_one_function_writes_all_lines():
    """TSV of a report is made of its CSV, whose cells are safe."""
    writers = Counter(
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        for _ in re.findall(r"csv\.(?:DictW|w)riter\(", file.read_text("utf-8"))
    )
    assert writers == {"core/views.py": 1, "faces/cli/output_options.py": 1}


@pytest.mark.parametrize("text", EVIL)
def test_a_text_has_an_apostrophe_and_a_number_has_none(text):
    assert read_cells(format_row((text, -0.5, "-0.5", None), numbers={2})) == [f"'{text}", "-0.5", "-0.5", ""]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("form", [form for form in KEYPHRASES if form.tabular], ids=lambda form: form.name)
def test_tables_of_keyphrases(form, wide):
    writer = Writer("system", keep=tuple(META), wide=wide)
    pieces = list(writer.write(iter(RESULTS), form))
    content = b"".join(piece.encode("utf-8") if isinstance(piece, str) else piece for piece in pieces)
    if form.name == "xlsx":
        (sheet,) = openpyxl.load_workbook(io.BytesIO(content)).worksheets
        cells = [cell for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]
        assert {cell.data_type for cell in cells} == {"s"}
        assert any(cell.value.startswith("=HYPERLINK") for cell in cells)
    elif form.name in {"csv", "tsv"}:
        cells = read_cells(content.decode(), "\t" if form.name == "tsv" else ",")
        assert f"'{EVIL[0]}" in cells
        assert find_formulas(cells) == []


def test_files_of_a_collection(tmp_path):
    phrases = [{"text": f"=tide gauge{number}", "score": 1.0, "spans": []} for number in range(3)]
    lines = [json.dumps({"id": f"=d{number}", "keyphrases": phrases}) for number in range(6)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), "utf-8")
    write_folder(kw.collection([tmp_path / "a.jsonl"]), tmp_path / "out")
    tables = [file for file in (tmp_path / "out").iterdir() if file.suffix in {".csv", ".txt"}]
    assert len(tables) == 6
    for file in tables:
        assert find_formulas(read_cells(file.read_text("utf-8"), "," if file.suffix == ".csv" else "\t")) == []


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_reports_and_comparisons(form, tmp_path):
    """Names of runs are names of files, which anybody may have chosen."""
    record = {"keyphrases": [{"text": "tide gauges", "score": 1.0, "spans": []}]}
    lines = [json.dumps({"id": name, **record}) + "\n" for name in "ab"]
    for name in ("=one.jsonl", "@two.jsonl"):
        (tmp_path / name).write_text("".join(lines), "utf-8")
    (tmp_path / "gold.jsonl").write_text(
        '{"id": "a", "text": "x", "keyphrases": ["tide gauges"]}\n{"id": "b", "text": "y", "keyphrases": ["rain"]}\n'
    )
    for command in (("score", "=one.jsonl"), ("compare", "=one.jsonl", "@two.jsonl")):
        done = keywright(*command, "--gold", "gold.jsonl", "--format", form, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        cells = read_cells(done.stdout.decode(), "\t" if form == "tsv" else ",")
        assert ("'=one" in cells) is (command[0] == "compare")
        assert find_formulas(cells) == []
