"""extract_table: the same rows from every kind of table, a bad row costs that row, nothing is guessed in silence."""

import warnings

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, MissingData, UnknownName, UnreadableInput

TIDES = "Tide gauges, and the sea level. Tide gauges drift."
GRIDS = "A grid scheduler assigns jobs. The grid scheduler waits."
COLUMNS = {"doi": ["10.1/a", "10.1/b", "10.1/c"], "title": ["Tides", None, "Grids"], "abstract": [TIDES, None, GRIDS]}
LONG = "keyphrase id rank score probability start end error".split()


def extract(table, *arguments: object, **keywords: object):
    """Call extract_table; the result and its notes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = kw.extract_table(table, *arguments, **{"system": "firstphrases", "top": 1, "language": "en"} | keywords)
    return found, [str(each.message) for each in caught]


def columns(frame):
    """The columns of a table of any library."""
    if isinstance(frame, pd.DataFrame):
        return frame.astype(object).where(frame.notna(), None).to_dict("list")
    return frame.to_pydict() if isinstance(frame, pa.Table) else frame.to_dict(as_series=False)


@pytest.fixture
def files(tmp_path):
    """The same table in every format of files."""
    frame = pd.DataFrame(COLUMNS)
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "a.tsv", index=False, sep="\t")
    frame.to_excel(tmp_path / "a.xlsx", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    return tmp_path


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_tables_of_every_library_give_tables_of_theirs(kind):
    table = kind(COLUMNS)
    found, notes = extract(table, "abstract", "title", "doi", keep=["title"])
    assert isinstance(found, type(table))
    listed = columns(found)
    assert list(listed) == [*LONG, "title"]
    assert listed["id"] == ["10.1/a", "10.1/b", "10.1/c"]
    assert listed["rank"] == [1, None, 1]
    assert listed["title"] == COLUMNS["title"]
    assert [each is None for each in listed["error"]] == [True, False, True]
    assert "'abstract' is empty" in listed["error"][1]
    assert notes == []


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "parquet", "jsonl"])
def test_files_of_every_format_give_the_same(files, ending):
    found, notes = extract(files / f"a.{ending}", "abstract", id="doi", keep=True)
    assert isinstance(found, pd.DataFrame)
    expected, _ = extract(pd.DataFrame(COLUMNS), "abstract", id="doi")
    for name in LONG[:-1]:
        assert columns(found)[name] == columns(expected)[name]
    assert f"a.{ending}:" in found["error"][1]
    assert list(found.columns) == [*LONG, "doi", "title", "abstract"]
    assert notes == []


def test_wide_tables_have_the_index_of_the_table():
    table = pd.DataFrame(COLUMNS, index=list("xyz"))
    found, _ = extract(table, "abstract", wide=True)
    assert list(found.columns) == ["id", "keyphrases", "error"]
    assert list(found.index) == list("xyz")
    assert found["keyphrases"]["x"] == ["Tide gauges"]
    assert found["keyphrases"]["y"] is None
    assert list(table.join(found[["keyphrases"]]).columns) == ["doi", "title", "abstract", "keyphrases"]


def test_whole_ids_stay_numbers_so_that_results_can_be_joined():
    table = pd.DataFrame({"id": [7, 9], "text": [TIDES, GRIDS], "when": pd.to_datetime(["2020-01-01", "2021-01-01"])})
    found, _ = extract(table, "text", keep="when")
    assert found["id"].tolist() == [7, 9]
    assert found["when"].dtype == table["when"].dtype
    assert len(found.merge(table, on="id")) == 2


def test_ids_that_repeat_or_are_missing():
    table = pd.DataFrame({"id": [1, 1, None, 4], "text": [TIDES] * 4}, index=list("wxyz"))
    found, notes = extract(table, "text")
    assert found["id"].tolist() == ["1", "1#2", "y", "4"]
    assert notes == ["1 row repeats an earlier id: a number makes ids distinct, such as '1#2'"]


def test_the_text_is_guessed_only_where_there_is_no_choice_and_then_said():
    found, notes = extract(pd.DataFrame(COLUMNS), id="doi")
    assert found["keyphrase"][0] == "Tide gauges"
    assert notes == [
        "the table: texts are read from the column 'abstract'",
        "the table: the column 'title' is read where there is no text, else only if it is named",
    ]
    with pytest.raises(BadParameter, match="'abstract', 'text' can all hold the text"):
        extract(pd.DataFrame({"abstract": [TIDES], "text": [TIDES]}))
    with pytest.raises(BadParameter, match="no column has a usual name"):
        extract(pd.DataFrame({"a": [TIDES], "b": [TIDES]}))
    assert extract(pd.DataFrame({"anything": [TIDES]}))[0]["keyphrase"].tolist() == ["Tide gauges"]


def test_a_column_that_is_not_there():
    with pytest.raises(UnknownName) as caught:
        extract(pd.DataFrame(COLUMNS), "abstrct")
    assert str(caught.value) == (
        "the table has no column 'abstrct'; did you mean 'abstract'? its columns are 'doi', 'title', 'abstract'"
    )
    for wrong in ({"title": "t"}, {"id": "t"}, {"keep": ["t"]}):
        with pytest.raises(UnknownName):
            extract(pl.DataFrame(COLUMNS), "abstract", **wrong)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_a_table_without_rows(kind):
    table = kind({"text": pd.array([], dtype="str")} if kind is pd.DataFrame else {"text": []})
    found, notes = extract(table, "text", keep=["text"])
    assert list(columns(found)) == [*LONG, "text"]
    assert len(found) == 0
    assert notes == ["the table has no rows: the result is empty"]


def test_bad_cells_cost_their_rows():
    cells = [TIDES, None, float("nan"), "", "  ", 12, ["a"], "paper.pdf", "12 13", GRIDS]
    found, _ = extract(pd.DataFrame({"text": pd.Series(cells, dtype=object)}), "text")
    errors = found["error"].fillna("").tolist()
    assert [bool(error) for error in errors] == [False, *[True] * 7, False, False]
    assert "12 of type int, not a text" in errors[5]
    assert "name of a file" in errors[7]
    assert found["keyphrase"].isna().tolist() == [False, *[True] * 8, False]
    with pytest.raises(UnreadableInput, match="'text' is empty"):
        extract(pd.DataFrame({"text": cells[:3]}), "text", errors="raise")


def test_an_encoding_error_in_one_row_of_a_file(tmp_path):
    rows = b"id,text", b"1,M\xc3\xbcller waits for a grid", b"2,bad \xff", f"3,{GRIDS}".encode()
    (tmp_path / "a.csv").write_bytes(b"\n".join(rows))
    found, _ = extract(tmp_path / "a.csv", "text")
    assert found["id"].tolist() == ["1", "2", "3"]
    assert found["error"].isna().tolist() == [True, False, True]
    assert found["error"][1].endswith(
        "a.csv:3: the cell in column 'text' has the byte 0xFF, which is not in the encoding of the file"
    )


def test_a_folder_of_documents():
    found, _ = extract(ROOT / "examples" / "kinds", keep=["path", "title"])
    assert found["id"][0] == "biomedical.txt"
    assert found["path"][0] == str(ROOT / "examples" / "kinds" / "biomedical.txt")
    assert found.loc[found["id"] == "software.md", "title"].item() == "tidepool"
    with pytest.raises(BadParameter, match="folder of documents"):
        extract(ROOT / "examples" / "kinds", "text")


def test_results_do_not_depend_on_processes():
    table = pl.DataFrame({"text": [TIDES, None, GRIDS] * 3})
    assert extract(table, "text")[0].equals(extract(table, "text", jobs=2)[0])


def test_lazy_tables_are_computed():
    assert isinstance(extract(pl.DataFrame(COLUMNS).lazy(), "abstract")[0], pl.DataFrame)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: extract([TIDES]), BadParameter, "not a table"),
        (lambda: extract(pd.Series([TIDES])), BadParameter, "not a table that can be read"),
        (lambda: extract(pd.DataFrame([[1, 2]], columns=["a", "a"]), "a"), BadParameter, "not a table"),
        (lambda: extract(pd.DataFrame({0: [TIDES]})), BadParameter, "not texts, such as 0"),
        (lambda: extract("nothing.csv"), MissingData, "no file 'nothing.csv'"),
        (lambda: extract(ROOT / "README.md"), UnreadableInput, "is not a table"),
        (lambda: extract(pd.DataFrame({"text": [TIDES], "score": [1]}), "text", keep=True), BadParameter, "'score'"),
        (lambda: extract(pd.DataFrame(COLUMNS), "abstract", errors="skip"), BadParameter, "'keep' or 'raise'"),
        (lambda: extract(pd.DataFrame(COLUMNS), "abstract", n=3), BadParameter, "no option 'n'"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_warnings_of_documents_are_summed_up():
    _, notes = extract(pd.DataFrame({"text": ["12 13", "14"]}), "text")
    assert len(notes) == 1
    assert notes[0].startswith("documents have 2 warnings, the first is '0: no keyphrase:")
