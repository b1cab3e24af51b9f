"""kw.score on lists, dicts, tables and results of extract: values counted by hand, misfits named."""

import sys

import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, BadRecord, MissingExtra, NeedsUnmet, UnknownName
from keywright.core.predictions import Failure

LABELLED = ROOT / "examples" / "abstracts.jsonl"
PREDICTED = [["Grid computing", "schedulers"], ["tides", "sea"]]
GOLD = [["grid computing"], ["tide", "gauges"]]
IDS = ["a", "b"]
RECALL = 2 / 3  # of three gold phrases "grid computing" and, by its stem, "tides" are predicted


def by_id(lists, ids=IDS):
    return dict(zip(ids, lists, strict=True))


def long(lists, ids=IDS):
    rows = [(name, phrase) for name, phrases in zip(ids, lists, strict=True) for phrase in phrases]
    return {"id": [row[0] for row in rows], "keyphrase": [row[1] for row in rows]}


def recall(predictions, gold):
    report = kw.score(predictions, gold, "keywright-1", intervals=False)
    assert report.scored == 2
    return report.values["gold/R@5"]


def pandas(columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def polars(columns):
    return pytest.importorskip("polars").DataFrame(columns)


def pyarrow(columns):
    return pytest.importorskip("pyarrow").table(columns)


def test_lists_are_paired_by_position():
    report = kw.score(PREDICTED, GOLD, "keywright-1", intervals=False)
    assert report.values["gold/R@5"] == pytest.approx(RECALL)
    assert report.values["gold/P@M"] == pytest.approx(2 / 4)
    assert report.warnings == ()


@pytest.mark.parametrize("predictions", [PREDICTED, by_id(PREDICTED), long], ids=["lists", "dict", "table"])
@pytest.mark.parametrize("gold", [GOLD, by_id(GOLD), long], ids=["lists", "dict", "table"])
def test_every_combination_gives_the_same(predictions, gold):
    predictions = pandas(long(PREDICTED)) if predictions is long else predictions
    gold = polars(long(GOLD)) if gold is long else gold
    assert recall(predictions, gold) == pytest.approx(RECALL)


@pytest.mark.parametrize("table", [pandas, polars, pyarrow])
def test_tables_of_any_library(table):
    assert recall(table(long(PREDICTED)), by_id(GOLD)) == pytest.approx(RECALL)
    wide = {"doc_id": IDS, "keyphrases": PREDICTED}
    assert recall(table(wide), by_id(GOLD)) == pytest.approx(RECALL)
    assert recall(table({"keyphrases": PREDICTED}), GOLD) == pytest.approx(RECALL)


@pytest.mark.parametrize("table", [list, lambda rows: pandas({name: [row[name] for row in rows] for name in rows[0]})])
def test_rows_in_the_layout_of_hugging_face(table):
    rows = [
        {"document": ["Grid", "computing"], "extractive_keyphrases": ["grid computing"], "abstractive_keyphrases": []},
        {"document": ["Tides"], "extractive_keyphrases": ["tides"], "abstractive_keyphrases": ["sea level"]},
    ]
    assert recall([["grid computing"], ["sea level"]], table(rows)) == pytest.approx(2 / 3)
    numbered = [{"id": name, **row} for name, row in zip(("a", "b"), rows, strict=True)]
    assert recall({"b": ["sea level"], "a": ["grid computing"]}, table(numbered)) == pytest.approx(2 / 3)


def test_a_column_and_a_lazy_table():
    assert recall(pandas({"keyphrases": PREDICTED})["keyphrases"], GOLD) == pytest.approx(RECALL)
    assert recall(polars(long(PREDICTED)).lazy(), by_id(GOLD)) == pytest.approx(RECALL)


def test_rank_or_score_order_a_table():
    columns = {"id": ["a", "a"], "keyphrase": ["wrong", "grid computing"]}
    first = [kw.score(pandas(columns | more), {"a": ["grid computing"]}, "keywright-1-ranked", intervals=False)
             for more in ({}, {"rank": [2, 1]}, {"score": [0.1, 0.9]})]  # fmt: skip
    assert [report.values["gold/MRR"] for report in first] == [1 / 2, 1, 1]


def test_a_document_without_phrases_is_there():
    table = pandas({"id": ["a", "b"], "keyphrase": ["grid computing", None]})
    report = kw.score(table, by_id(GOLD), "keywright-1", intervals=False)
    assert report.values["gold/R@5"] == pytest.approx(1 / 3)
    assert "1 rows have no keyphrase" in report.warnings
    assert recall([["grid computing"], None], GOLD) == pytest.approx(1 / 3)


def test_what_other_extractors_return():
    scored = [[("Grid computing", 0.9), ("schedulers", 0.2)], [("tides", 0.7), ("sea", 0.1)]]
    assert recall(scored, GOLD) == pytest.approx(RECALL)
    assert recall(({"keyphrases": phrases} for phrases in PREDICTED), GOLD) == pytest.approx(RECALL)


def test_results_of_extract_meet_gold_by_id_or_position():
    texts = ["Tide gauges measure tides. Tide gauges drift.", "Grid schedulers wait. Grid schedulers work."]
    outcomes = [kw.extract(kw.document(text, name)) for text, name in zip(texts, IDS, strict=True)]
    gold = [["tide gauge"], ["grid scheduler"]]
    assert recall(outcomes, gold) == recall(outcomes, by_id(gold)) == 1
    report = kw.score(outcomes, gold, "keywright-1", intervals=False)
    assert "2 lists of the gold have no ids: they were taken for the documents of the predictions" in report.warnings[0]
    assert kw.score(outcomes[0], [gold[0]], "keywright-1", intervals=False).values["gold/R@5"] == 1


def test_a_failure_keeps_its_place():
    text = "Tide gauges measure tides. Tide gauges drift."
    outcomes = [Failure("a", "empty_input", "no words"), kw.extract(kw.document(text, "b"))]
    report = kw.score(outcomes, [["grids"], ["tide gauge"]], "keywright-1", intervals=False)
    assert report.values["gold/R@5"] == 1 / 2
    assert report.skipped == {"failed": 1}


def test_a_run_meets_gold_in_memory_and_lists_meet_a_data_set():
    run = kw.run("kpminer", LABELLED)
    gold = {labelled.id: [phrase.forms for phrase in labelled.gold] for labelled in kw.dataset(LABELLED)}
    own = kw.score(run, "keywright-1", intervals=False)
    values = {name.replace("author/", "gold/"): value for name, value in own.values.items()}
    assert kw.score(run, gold, "keywright-1", intervals=False).values == values
    lists = [prediction.texts for prediction in run.predictions]
    assert kw.score(lists, LABELLED, "keywright-1", intervals=False).values == own.values
    assert kw.score(lists, "keywright-1", str(LABELLED), intervals=False).values == own.values
    assert kw.score(run, run, "keywright-1", intervals=False).values["gold/F@O"] == 1


def test_gold_may_have_alternatives_kinds_and_texts():
    assert recall(PREDICTED, [[("cluster", "grid computing")], ["tide", "gauges"]]) == pytest.approx(RECALL)
    gold = [
        {"id": "a", "title": "Grid computing", "abstract": "Jobs wait.", "keyphrases": ["grid computing", "queues"]},
        {"id": "b", "text": "Tides rise.", "keyphrases": ["tides"]},
    ]
    values = kw.score(by_id(PREDICTED), gold, "kpg", intervals=False).values
    assert (values["present/R@5"], values["absent/R@5"]) == (1, 0)
    kinds = pandas(long(GOLD) | {"by": ["author", "reader", "reader"]})
    assert kw.score(by_id(PREDICTED), kinds, "keywright-1", intervals=False).values["author/R@5"] == 1


def test_the_protocol_may_come_first_or_by_keyword():
    values = kw.score(PREDICTED, GOLD, "keywright-1").values
    assert kw.score(PREDICTED, "keywright-1", GOLD).values == values
    assert kw.score(PREDICTED, GOLD, protocol="keywright-1").values == values
    assert kw.score(PREDICTED, gold=GOLD, protocol="keywright-1").values == values
    assert kw.score(PREDICTED, "keywright-1", gold=GOLD).values == values
    assert kw.score(PREDICTED, GOLD).values == values
    with pytest.raises(UnknownName, match="no protocol called 'keywright-2'; did you mean 'keywright-1'"):
        kw.score(PREDICTED, GOLD, "keywright-2")


@pytest.mark.parametrize(
    ("predictions", "gold", "message"),
    [
        (PREDICTED, GOLD[:1], "2 lists without ids, but the gold has 1 documents: '2' of the lists are left over"),
        (PREDICTED, {"a": [], "b": [], "c": []}, "2 lists without ids, but the gold has 3 documents: nothing for 'c'"),
        (by_id(PREDICTED), GOLD[:1], "the gold has 1 lists without ids, but the predictions have 2 documents"),
        (by_id(PREDICTED), {"a": ["x"], "z": ["y"]}, "1 documents have no answer: 'z'"),
        (by_id(PREDICTED), {"x": ["x"], "z": ["y"]}, r"have no document in common, such as 'a' against 'x'"),
        (by_id(PREDICTED), {"a": ["x"]}, "1 documents are not in the gold: 'b'"),
        ({1: ["a"], "1": ["b"]}, GOLD, "keys 1 and 2 have the same id '1'"),
        (["grid", "tides"], GOLD, r"item 1 is the text 'grid', not a list of phrases; one list for each document"),
        (PREDICTED, {"a": "x; y", "b": []}, r"document 'a' has the text 'x; y', not a list of phrases"),
        ([["a"], 5], GOLD, "5 of type int is not a list of phrases"),
        ([["a"], [None]], GOLD, "document 2 has the phrase None"),
        ([[("a", "b")], []], GOLD, r"document '1' has \('a', 'b'\) as one prediction"),
        ([], GOLD, "there is no document to score"),
        (object(), GOLD, "is not a list of phrases"),
    ],
)  # fmt: skip
def test_misfits_are_refused_and_named(predictions, gold, message):
    with pytest.raises((BadRecord, BadParameter), match=message):
        kw.score(predictions, gold, "keywright-1")


@pytest.mark.parametrize(
    "answer",
    [
        "Here are the keyphrases:\n1. **Grid computing**\n2. tides",
        '```json\n["Grid computing", "tides"]\n```',
        "- grid computing\n- tides\n",
    ],
)
def test_an_answer_of_a_language_model_is_a_list(answer):
    assert kw.score({"a": answer}, {"a": ["grid computing"]}, "keywright-1", measures="P@1").values["gold/P@1"] == 1
    with pytest.raises(BadRecord, match="not a list of phrases"):  # an item that is not a phrase
        kw.score({"a": answer.replace("tides", "tides " * 40)}, {"a": ["grid"]}, "keywright-1")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"id": ["a"], "keyphase": ["x"]}, "the table has no column 'keyphrase'; .*; is it 'keyphase'?"),
        ({"document": ["a"], "keyphrase": ["x"]}, "the table has no column 'id'; there are 'document', 'keyphrase'"),
        ({"id": ["a"], "keyphrase": ["x"], "keyphrases": [["x"]]}, "the columns 'keyphrase', .* and 'keyphrases'"),
        ({"id": ["a"], "term": ["x"], "keyword": ["y"]}, "both 'keyword' and 'term' are there"),
        ({"id": ["a", None], "keyphrase": ["x", "y"]}, "row 2 has .* as id"),
        ({"id": ["a", "a"], "keyphrases": [["x"], ["y"]]}, "rows 1 and 2 have the same id 'a'"),
        ({"id": ["a"], "keyphrases": ["x; y"]}, "row 1 has the text 'x; y', not a list of phrases"),
        ({"id": ["a"], "keyphrase": [["x"]]}, r"row 1 has the phrase \['x'\]"),
        ({"id": ["a"], "keyphrase": ["x"], "rank": [None]}, "row 1: rank .* is not a finite number"),
        ({"id": [], "keyphrase": []}, "there is no document to score"),
    ],
)
def test_broken_tables_are_refused_and_the_row_is_named(columns, message):
    with pytest.raises((BadRecord, BadParameter), match=message):
        kw.score(pandas(columns), GOLD, "keywright-1")


def test_a_protocol_that_needs_texts_says_so():
    with pytest.raises(NeedsUnmet, match="a table or records with `text`"):
        kw.score(PREDICTED, GOLD, "kpg")


def test_tables_need_narwhals(monkeypatch):
    table = pandas(long(PREDICTED))
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(MissingExtra, match="tables need the package narwhals, which is not installed"):
        kw.score(table, GOLD, "keywright-1")


def test_runs_in_memory_are_compared():
    runs = {"ours": PREDICTED, "theirs": [["schedulers"], ["sea"]]}
    comparison = kw.compare(runs, "keywright-1", GOLD, resamples=100)
    assert comparison.reports["ours"].values["gold/R@5"] == pytest.approx(RECALL)
    assert comparison.reports["theirs"].values["gold/R@5"] == 0
