"""Files with one row for each document: what is read, what is said, what is refused."""

import json

import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, BadRecord, UnsupportedFormat
from keywright.evaluation.run_formats.document_rows import split_texts
from keywright.evaluation.run_formats.format import Layout
from keywright.evaluation.run_formats.reading import read_gold_file, read_run_file

LABELLED = ROOT / "examples" / "abstracts.jsonl"
LISTS = {"a": ["grid computing", "tides"], "b": ["sea"], "c": []}


@pytest.fixture
def write(tmp_path):
    def written(name, *lines: object):
        path = tmp_path / name
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
        return path

    return written


def lists(loaded):
    return {prediction.document_id: list(prediction.texts) for prediction in loaded.predictions.predictions}


def gold(labelled):
    return {each.id: [phrase.forms[0] for phrase in each.gold] for each in labelled}


def test_records_with_an_id_and_keyphrases(write):
    path = write("r.jsonl", *({"id": name, "keyphrases": phrases} for name, phrases in LISTS.items()))
    loaded = read_run_file(path)
    assert (loaded.form, loaded.numbered, lists(loaded)) == ("records", False, LISTS)
    assert loaded.notes == (
        "r.jsonl was read as JSON Lines with an id and keyphrases",
        "1 documents have no predictions",
    )
    array = write("r.json", json.dumps([{"id": name, "keyphrases": phrases} for name, phrases in LISTS.items()]))
    assert lists(read_run_file(array)) == LISTS
    assert gold(read_gold_file(array).labelled) == LISTS


def test_keyphrases_as_extract_writes_them(write):
    path = write("e.jsonl", {"id": "a", "system": "s", "keyphrases": [{"text": "grid computing", "score": 1.0}]})
    assert lists(read_run_file(path)) == {"a": ["grid computing"]}


def test_texts_are_split_at_the_only_separator(write):
    rows = [{"id": name, "keyphrases": "; ".join(phrases)} for name, phrases in LISTS.items()]
    loaded = read_run_file(write("r.jsonl", *rows))
    assert lists(loaded) == LISTS
    assert loaded.notes[0] == "r.jsonl was read as JSON Lines with an id and keyphrases, phrases separated by ';'"


def test_a_table_with_several_phrases_in_a_cell(write):
    path = write("t.csv", "id,keyphrases", "a,grid computing; tides", "b,sea", "c,")
    assert lists(read_run_file(path)) == LISTS
    semicolons = write("s.csv", "keyphrases;id", "grid computing, tides;a", "sea;b", ";c")
    assert lists(read_run_file(semicolons)) == LISTS
    written_by_pandas = write(
        "p.csv", "id,text,keyphrases", "a,x,\"['grid computing', 'tides']\"", "b,x,['sea']", "c,x,[]"
    )
    assert lists(read_run_file(written_by_pandas)) == LISTS
    read = read_gold_file(written_by_pandas)
    assert gold(read.labelled) == LISTS
    assert read.labelled[0].document.text.strip() == "x"


def test_input_label_and_output_bring_their_gold(write):
    path = write(
        "io.jsonl",
        {"input": "tides <eos> gauges see tides", "label": "tides;gauges", "output": "tides, sea"},
        {"input": "grids", "label": "grids", "output": "grids"},
    )
    loaded = read_run_file(path)
    assert (loaded.form, loaded.numbered) == ("io", True)
    assert list(lists(loaded).values()) == [["tides", "sea"], ["grids"]]
    assert list(gold(loaded.labelled).values()) == [["tides", "gauges"], ["grids"]]
    assert loaded.labelled[0].document.section("title") == "tides"
    assert "label: phrases separated by ';'" in loaded.notes
    assert kw.score(path, "kpg", intervals=False).values["present/R@5"] == pytest.approx((1 / 2 + 1) / 2)
    assert list(gold(read_gold_file(path).labelled).values()) == [["tides", "gauges"], ["grids"]]


HUGGINGFACE = {
    "id": 7,
    "document": ["Tide", "gauges", "rise", "."],
    "doc_bio_tags": ["B", "I", "O", "O"],
    "extractive_keyphrases": ["tide gauges"],
    "abstractive_keyphrases": ["sea level"],
}


def test_the_layout_of_hugging_face(write):
    path = write("h.jsonl", HUGGINGFACE)
    loaded = read_run_file(path)
    assert lists(loaded) == {"7": ["tide gauges", "sea level"]}
    assert loaded.notes[0].endswith("Hugging Face data sets, whose keyphrases are the predictions")
    read = read_gold_file(path)
    assert gold(read.labelled) == {"7": ["tide gauges", "sea level"]}
    assert read.labelled[0].document.text == "Tide gauges rise ."


def test_predictions_beside_the_gold_of_hugging_face(write):
    path = write("p.jsonl", {**HUGGINGFACE, "predictions": ["tide gauges", "moon"]})
    loaded = read_run_file(path)
    assert lists(loaded) == {"7": ["tide gauges", "moon"]}
    assert gold(loaded.labelled) == {"7": ["tide gauges", "sea level"]}
    assert kw.score(path, "keywright-1", measures=["P@2"], intervals=False).values["gold/P@2"] == 1 / 2


def test_tags_alone_mark_phrases(write):
    record = {"document": ["a", "tide", "gauge", "rises", "sea"], "doc_bio_tags": ["O", "B", "I", "I", "B"]}
    assert lists(read_run_file(write("b.jsonl", record))) == {"1": ["tide gauge rises", "sea"]}
    assert lists(read_run_file(write("c.jsonl", {**record, "doc_bio_tags": ["I", "B", "O", "B", "B"]}))) == {
        "1": ["tide", "rises", "sea"]
    }


def test_a_list_of_lists(write):
    path = write("l.json", json.dumps(list(LISTS.values())))
    loaded = read_run_file(path)
    assert loaded.numbered
    assert list(lists(loaded).values()) == list(LISTS.values())
    assert kw.score(path, path, "keywright-1", ["F@O"], intervals=False).values["gold/F@O"] == 1


def test_lines_with_a_separator_of_ones_choice(write):
    path = write("t.txt", "grid computing | tides", "sea", "")
    loaded = read_run_file(path, Layout(separator="|"))
    assert list(lists(loaded).values()) == list(LISTS.values())
    assert loaded.notes[0] == "t.txt was read as text, one document per line, phrases separated by '|'"
    tabs = write("u.txt", "grid computing\ttides", "sea", "")
    assert list(lists(read_run_file(tabs, Layout(separator=r"\t"))).values()) == list(LISTS.values())
    with pytest.raises(UnsupportedFormat, match="name the separator of phrases with --separator"):
        read_run_file(path)


def test_fields_that_the_caller_names(write):
    path = write(
        "f.jsonl",
        {"paper": "a", "out": "grid computing, tides"},
        {"paper": "b", "out": "sea"},
        {"paper": "c", "out": ""},
    )
    assert lists(read_run_file(path, Layout(id_field="paper", phrases_field="out"))) == LISTS
    numbers = {"1": LISTS["a"], "2": LISTS["b"], "3": LISTS["c"]}
    assert lists(read_run_file(path, Layout(phrases_field="out"))) == numbers
    report = kw.score(
        path, {"a": ["tide"], "b": ["sea"], "c": ["x"]}, "keywright-1", id_field="paper", phrases_field="out"
    )
    assert report.values["gold/R@5"] == 2 / 3
    assert report.warnings[0] == "f.jsonl was read as JSON Lines with phrases in 'out', phrases separated by ','"


def test_rows_of_a_table_with_named_fields_are_joined_by_id(write):
    path = write("t.csv", "paper,kw", "a,grid computing", "b,sea", "a,tides", "c,")
    loaded = read_run_file(path, Layout(id_field="paper", phrases_field="kw"))
    assert lists(loaded) == LISTS
    assert "1 rows were joined to an earlier row with the same id" in loaded.notes


def test_gold_of_tables_and_lines(write):
    assert (
        gold(read_gold_file(write("g.csv", "id,keyphrase", "a,grid computing", "a,tides", "b,sea", "c,")).labelled)
        == LISTS
    )
    lines = read_gold_file(write("g.txt", "grid computing;tides", "sea", ""))
    assert lines.numbered
    assert list(gold(lines.labelled).values()) == list(LISTS.values())
    assert read_gold_file(LABELLED) is None  # labelled documents with texts are a data set


@pytest.mark.parametrize(
    ("texts", "pieces"),
    [
        (["a; b", "c"], [("a", "b"), ("c",)]),
        (["a, b", "c"], [("a", "b"), ("c",)]),
        (["a, b; c", "d; e"], [("a, b", "c"), ("d", "e")]),
        (["a <sep> b"], [("a", "b")]),
        (["a\nb", "c\n"], [("a", "b"), ("c",)]),
        (["a b", ""], [("a b",), ()]),
        (["['a', 'b, c']", ""], [("a", "b, c"), ()]),
        (['["a"]', "[]"], [("a",), ()]),
        ([], []),
    ],
)
def test_separators_are_recognised(texts, pieces):
    assert split_texts(texts, None, "f")[0] == pieces


@pytest.mark.parametrize("texts", [["a, b; c", "d, e"], ["a; b", "c | d"], ["a; b | c"], ["a\tb", "c; d"]])
def test_two_possible_separators_are_refused_with_the_options(texts):
    with pytest.raises(BadRecord, match=r"f: phrases may be separated by .* or .*; say by which: --separator"):
        split_texts(texts, None, "f")
    assert split_texts(texts, "; ", "f")[1] == "phrases separated by '; '"


@pytest.mark.parametrize(
    ("name", "lines", "layout", "message"),
    [
        ("r.jsonl", [{"id": "a", "keyphrases": 5}], {}, "line 1 of r.jsonl has 5, not a list of phrases"),
        ("r.jsonl", [{"id": "a", "keyphrases": ["x"]}, {"keyphrases": []}], {}, "line 2 of r.jsonl has None as id"),
        ("r.jsonl", [{"id": "a", "keyphrases": []}] * 2, {}, "rows 1 and 2 have the same id 'a'"),
        ("r.jsonl", [{"id": "a", "keyphrases": []}, "{"], {}, "line 2 of r.jsonl is not valid JSON"),
        (
            "r.jsonl",
            [{"id": "a", "out": ["x"]}],
            {},
            "JSON with the fields 'id', 'out', which no format has; .*--phrases-field",
        ),
        ("r.jsonl", [{"id": "a", "outs": ["x"]}], {"phrases_field": "out"}, "no field 'out'; .* is it 'outs'"),
        ("r.jsonl", [{"id": "a", "keyphrases": []}], {"id_field": "ids"}, "no field 'ids'; .* is it 'id'"),
        ("t.csv", ["id,keyphrases", "a,grid, tides"], {}, "line 2 of t.csv: it has another number of cells"),
        ("l.json", ["[[1]]"], {}, "document 1 has the phrase 1"),
        ("l.json", ['["a", "b"]'], {"form": "lists"}, "document 1 has the text 'a', not a list of phrases"),
        ("l.json", ['[["a"]'], {}, "l.json is not valid JSON"),
        ("p.csv", ["id,keyphrases", "a,[1]"], {}, r"p.csv: '\[1\]' is not a list of phrases"),
    ],
)
def test_broken_rows_are_refused_and_named(write, name, lines, layout, message):
    with pytest.raises(BadRecord, match=message):
        read_run_file(write(name, *lines), Layout(**layout))


def test_fields_and_separators_that_a_format_does_not_use(write):
    path = write("t.csv", "id,keyphrase", "a,x")
    with pytest.raises(BadParameter, match=r"--separator for t\.csv, which is read as csv"):
        read_run_file(path, Layout(separator=";"))
    with pytest.raises(BadParameter, match=r"--id-field for t\.csv, which is read as csv"):
        read_run_file(path, Layout(id_field="id"))
