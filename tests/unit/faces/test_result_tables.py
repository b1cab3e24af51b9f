"""Tables of keyphrases for spreadsheets: what a format cannot hold is said, and nothing becomes a formula."""

import io

import openpyxl
import pyarrow.parquet as pq

from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs import result_tables
from keywright.faces.outputs.results import Writer

META = {"note": "=1+1", "size": 3, "flag": True, "parts": ["a", "b"]}
RESULTS = (
    (None, Prediction("-5", (Keyphrase("-ase", -0.5),), meta=META)),
    (None, Failure("b", "empty_input", "b is empty", meta={"size": 4.5})),
)


def written(form, **fields: object):
    """The text or the bytes of the results, and the notes."""
    writer = Writer("s|v1", **{"keep": tuple(META), **fields})
    pieces = list(getattr(result_tables, form)(writer, RESULTS))
    return (b"" if isinstance(pieces[0], bytes) else "").join(pieces), list(writer.warnings)


def test_texts_like_formulas_in_csv_have_an_apostrophe_and_numbers_do_not():
    text, notes = written("write_csv")
    assert text.splitlines() == [
        "id,rank,keyphrase,score,probability,start,end,error,note,size,flag,parts",
        "'-5,1,'-ase,-0.5,,,,,'=1+1,3,true,a; b",
        "b,,,,,,,b is empty,,4.5,,",
    ]
    assert notes == ["cells that begin like a formula, and have an apostrophe before them: 3"]
    assert written("write_tsv", wide=True)[0].splitlines()[1] == "'-5\t'-ase\t\t'=1+1\t3\ttrue\ta; b"


def test_names_of_columns_like_formulas_are_texts():
    """Names of kept columns are those of a stranger's table."""
    name, quoted = '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'
    assert written("write_csv", keep=(name,))[0].splitlines()[0].endswith(f",{quoted}")
    assert written("write_tsv", keep=("@a",))[0].splitlines()[0].endswith("\t'@a")
    sheet = openpyxl.load_workbook(io.BytesIO(written("write_xlsx", keep=(name,))[0])).active
    assert [(cell.value, cell.data_type) for cell in sheet[1]][-1] == (name, "s")
    assert sheet.title == "keyphrases"


def test_all_texts_of_a_workbook_are_texts():
    content, notes = written("write_xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    assert [(cell.value, cell.data_type) for cell in sheet[2]][:4] == [
        ("-5", "s"),
        (1, "n"),
        ("-ase", "s"),
        (-0.5, "n"),
    ]
    assert (sheet["I2"].value, sheet["I2"].data_type) == ("=1+1", "s")
    assert notes == []


def test_long_cells_are_cut_with_a_note_and_rows_continue_on_further_sheets(monkeypatch):
    monkeypatch.setattr(result_tables, "_LONGEST_CELL", 5)
    monkeypatch.setattr(result_tables, "_MOST_ROWS", 2)
    content, notes = written("write_xlsx")
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert book.sheetnames == ["keyphrases", "keyphrases 2"]
    assert book["keyphrases 2"]["H2"].value == "b is "
    assert notes == ["cells cut, as a cell of XLSX holds 5 characters: 5"]  # two of each head, and the message


def test_kept_columns_of_parquet_have_types():
    content, _ = written("write_parquet", wide=True)
    table = pq.read_table(io.BytesIO(content)).to_pydict()
    assert table == {
        "id": ["-5", "b"],
        "keyphrases": [["-ase"], None],
        "error": [None, "b is empty"],
        "note": ["=1+1", None],
        "size": [3.0, 4.5],
        "flag": [True, None],
        "parts": ["a; b", None],
    }
