"""Tables in and out of the terminal: columns by name, one bad row costs that row, formulas stay texts."""

import csv
import io
import json

import openpyxl
import polars as pl
import pytest
from tests.end_to_end.program import keywright

TIDES = "Tide gauges measure the sea level. Tide gauges drift."
GRIDS = "A grid scheduler assigns jobs. The grid scheduler waits."
PAPERS = f'doi,title,abstract,year\n10.1/a,Tides,"{TIDES}",2001\n10.1/b,,,2002\n10.1/c,=Grids,"{GRIDS}",2003\n'
COLUMNS = ("--text-column", "abstract", "--title-column", "title", "--id-column", "doi")
HEAD = "id rank keyphrase score probability start end error".split()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "papers.csv").write_text(PAPERS)
    return tmp_path


def extract(folder, *arguments: object):
    return keywright("extract", *arguments, "-s", "firstphrases", "--top", "1", cwd=folder)


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def test_a_table_in_and_a_table_out(folder):
    done = extract(folder, "papers.csv", *COLUMNS, "--keep-column", "year", "-o", "keyphrases.csv")
    assert done.returncode == 1
    assert "papers.csv:3: the cell in column 'abstract' is empty" in done.stderr.decode()
    head, *lines = rows((folder / "keyphrases.csv").read_text())
    assert head == [*HEAD, "year"]
    assert [(line[0], line[1], line[-1]) for line in lines] == [
        ("10.1/a", "1", "2001"), ("10.1/b", "", "2002"), ("10.1/c", "1", "2003")
    ]  # fmt: skip
    assert "'abstract' is empty" in lines[1][7]


def test_wide_tables(folder):
    done = extract(folder, "papers.csv", *COLUMNS, "--wide", "-f", "csv", "--quiet")
    head, *lines = rows(done.stdout.decode())
    assert head == ["id", "keyphrases", "error"]
    assert [line[0] for line in lines] == ["10.1/a", "10.1/b", "10.1/c"]
    assert (lines[0][2], lines[1][1]) == ("", "")


def test_spreadsheets_and_parquet(folder):
    for name in ("a.xlsx", "a.parquet"):
        done = extract(folder, "papers.csv", *COLUMNS, "--keep-column", "title", "-o", name, "--quiet")
        assert done.returncode == 1
    sheet = openpyxl.load_workbook(folder / "a.xlsx").active
    assert [cell.value for cell in sheet[1]] == [*HEAD, "title"]
    last = sheet[sheet.max_row][8]
    assert (last.value, last.data_type) == ("=Grids", "s")
    frame = pl.read_parquet(folder / "a.parquet")
    assert frame.schema["rank"] == pl.Int64
    assert frame["title"].to_list() == ["Tides", None, "=Grids"]
    done = extract(folder, "papers.csv", *COLUMNS, "--wide", "-o", "b.parquet", "--quiet")
    assert pl.read_parquet(folder / "b.parquet").schema["keyphrases"] == pl.List(pl.String)


def test_texts_that_begin_like_formulas_have_an_apostrophe_in_csv(folder):
    done = extract(folder, "papers.csv", *COLUMNS, "--keep-column", "title", "-f", "csv")
    assert rows(done.stdout.decode())[3][-1] == "'=Grids"
    assert "cells that begin like a formula, and have an apostrophe before them: 1" in done.stderr.decode()


def test_the_citation_of_rows_reaches_bibliographic_records(folder):
    done = extract(folder, "papers.csv", *COLUMNS, "-f", "jsonld", "--quiet")
    first = json.loads(done.stdout)["@graph"][0]
    assert (first["name"], first["datePublished"]) == ("Tides", "2001")


def test_a_table_whose_columns_are_not_named(folder):
    done = extract(folder, "papers.csv")
    assert done.returncode == 3
    assert done.stderr.decode() == (
        "error: papers.csv is a table: which column has the texts?\n"
        "  --text-column NAME in the terminal, kw.extract_table(path, text=NAME) in Python; "
        "its columns are 'doi', 'title', 'abstract', 'year'\n"
    )


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--text-column", "abstrct"), 2, "did you mean 'abstract'?"),
        (("--id-column", "doi"), 2, "--id-column without --text-column"),
        ((*COLUMNS, "--wide"), 2, "--wide with the format table"),
        ((*COLUMNS, "--keep-column", "id", "-f", "csv"), 2, "--keep-column id"),
        ((*COLUMNS, "--keep-column", "journal", "-f", "csv"), 2, "no column 'journal'"),
        ((*COLUMNS, "--resume", "-o", "a.csv"), 2, "--resume without a file of JSON Lines"),
    ],
)
def test_options_that_do_not_fit(folder, arguments, status, message):
    done = extract(folder, "papers.csv", *arguments)
    assert done.returncode == status
    assert message in done.stderr.decode()


def test_columns_for_files_that_are_not_tables(folder):
    (folder / "a.txt").write_text(TIDES)
    done = extract(folder, "a.txt", *COLUMNS)
    assert done.returncode == 2
    assert "no table among the files: 'a.txt'" in done.stderr.decode()


def test_a_table_without_rows(folder):
    (folder / "empty.csv").write_text("doi,title,abstract\n")
    done = extract(folder, "empty.csv", *COLUMNS, "-f", "csv")
    assert (done.returncode, done.stdout.decode()) == (0, ",".join(HEAD) + "\n")
    assert done.stderr.decode() == "note: empty.csv has no rows\n"


def test_shards_and_resuming(folder):
    whole = extract(folder, "papers.csv", *COLUMNS, "-f", "jsonl", "--quiet").stdout
    ids = {json.loads(line)["id"] for line in whole.splitlines()}
    parts = [extract(folder, "papers.csv", *COLUMNS, "-f", "jsonl", "--quiet", "--shard", f"{i}/2") for i in (1, 2)]
    listed = [[json.loads(line)["id"] for line in part.stdout.splitlines()] for part in parts]
    assert sorted(listed[0] + listed[1]) == sorted(ids) == ["10.1/a", "10.1/b", "10.1/c"]
    first = whole.splitlines(keepends=True)[0]
    (folder / "out.jsonl").write_bytes(first + b'{"id": "10.1/')
    done = extract(folder, "papers.csv", *COLUMNS, "-o", "out.jsonl", "--resume")
    assert "1 documents were done before" in done.stderr.decode()
    assert (folder / "out.jsonl").read_bytes() == whole
    done = extract(folder, "papers.csv", "--text-column", "title", "-o", "out.jsonl", "--resume")
    assert done.returncode == 2
    assert "with text column abstract, and this is title" in done.stderr.decode()


CATALOGUE = (
    "Titel;Jahr;Autor;Zusammenfassung\n"
    "Tide gauges;1999;Meier, Anna;Tide gauges measure the sea level. Tide gauges drift.\n"
    "Kiln design;2001;Kurz, Bert;\n"
)


def test_a_title_alone_is_a_text_and_columns_in_other_languages_reach_catalogues(tmp_path):
    (tmp_path / "kat.csv").write_text(CATALOGUE, "utf-8")
    done = extract(tmp_path, "kat.csv", "--text-column", "Zusammenfassung", "-o", "kat.ris", "--quiet")
    assert done.returncode == 0
    first, second = (tmp_path / "kat.ris").read_text().split("ER  - ")[:2]
    assert {"TI  - Tide gauges", "PY  - 1999", "AU  - Meier, Anna"} <= set(first.splitlines())
    assert {"TI  - Kiln design", "PY  - 2001", "AU  - Kurz, Bert", "KW  - Kiln design"} <= set(second.splitlines())
    extract(tmp_path, "kat.csv", "--text-column", "Zusammenfassung", "-o", "kat.marc.xml", "--quiet")
    assert "Kurz, Bert" in (tmp_path / "kat.marc.xml").read_text()


def test_columns_of_a_citation_are_named(tmp_path):
    (tmp_path / "kat.csv").write_text(CATALOGUE.replace("Jahr", "Erschienen"), "utf-8")
    texts = ("kat.csv", "--text-column", "Zusammenfassung", "--quiet", "-f", "ris")
    assert b"PY  - " not in extract(tmp_path, *texts).stdout
    assert b"PY  - 1999" in extract(tmp_path, *texts, "--cite-column", "year=Erschienen").stdout
    for columns, words in ((("era=Jahr",), b"expected one of: title, authors"), (("year=Nirgends",), b"no column")):
        done = extract(tmp_path, *texts, "--cite-column", *columns)
        assert done.returncode in {2, 3}
        assert words in done.stderr


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_csv_goes_out_as_it_came_in(separator, mark, tmp_path):
    (tmp_path / "in.csv").write_text(mark + CATALOGUE.replace(";", separator).replace(", ", " "), "utf-8")
    done = extract(tmp_path, "in.csv", "--text-column", "Zusammenfassung", "-o", "out.csv", "--quiet")
    assert done.returncode == 0
    text = (tmp_path / "out.csv").read_text("utf-8")
    assert text.startswith(mark + separator.join(HEAD) + "\n")
    assert text.count("\ufeff") == len(mark)
