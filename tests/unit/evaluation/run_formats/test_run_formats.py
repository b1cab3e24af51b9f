"""Runs of others: each format good, broken and with odd ids, all written by hand."""

import gzip
import json

import pytest
from tests.unit.evaluation.run_formats.run_writers import WRITERS

from keywright.core.errors import BadRecord, EmptyInput, UnknownName, UnreadableInput, UnsupportedFormat
from keywright.core.predictions import Run
from keywright.evaluation.run_formats.pairing import match_ids
from keywright.evaluation.run_formats.reading import FORMS, read_gold_file, read_run_file

LISTS = {"C-1": ("grid computing", "web services"), "C 2": ("naïve Bayes", "élan vital", "x"), "H-3.v1": ("a b c",)}


def lists_of(found):
    """Phrases by document id."""
    if isinstance(found.predictions, Run):
        return {one.document_id: one.texts for one in found.predictions.predictions}
    return found.predictions.lists


def read(tmp_path, content, name="RUN", form=None):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_run_file(path, form)


def test_every_format_has_a_writer_here():
    assert set(WRITERS) == set(FORMS) - {"fields", "lines"}  # what the caller says about them: test_document_rows.py


NUMBERED = ("kpg", "opennmt", "exhird", "one2seq", "one2set", "bart", "t5", "lists", "io")
NAMED = ("semeval", "generations-own")


@pytest.mark.parametrize("form", sorted(WRITERS.keys() - {*NUMBERED, *NAMED}))
def test_a_format_is_recognised_and_keeps_ids_and_order(form, tmp_path):
    found = read_run_file(WRITERS[form](LISTS, tmp_path / "RUN"))
    assert found.form == form
    assert lists_of(found) == LISTS
    assert not found.numbered


def test_answer_lines_are_recognised_and_scored_as_they_are(tmp_path):
    lists = {"C-1": ("grid comput", "web servic"), "H-3": ("x",)}
    found = read_run_file(WRITERS["semeval"](lists, tmp_path / "RUN"))
    assert (found.form, found.predictions.lists) == ("semeval", lists)
    assert not isinstance(found.predictions, Run)


@pytest.mark.parametrize("form", NUMBERED)
def test_formats_without_ids_take_those_of_the_gold_in_its_order(form, tmp_path):
    found = read_run_file(WRITERS[form](LISTS, tmp_path / "RUN"))
    assert (found.form, found.numbered) == (form, True)
    assert list(lists_of(found)) == ["1", "2", "3"]
    told = match_ids(found, list(LISTS), "RUN", "gold G")
    assert lists_of(told) == LISTS
    rows = "lists" if form == "lists" else "lines"
    assert told.notes[0] == f"3 {rows} of RUN have no ids: they were taken for the documents of gold G, in its order"
    with pytest.raises(BadRecord, match=f"RUN has 3 {rows} without ids, but gold G has 2 documents"):
        match_ids(found, ["a", "b"], "RUN", "gold G")


def test_every_format_can_be_named(tmp_path):
    found = read(tmp_path, "one\ntwo;three\n", form="kpg")
    assert lists_of(found) == {"1": ("one",), "2": ("two", "three")}
    with pytest.raises(UnknownName, match="did you mean 'trec'"):
        read(tmp_path, "x", form="treck")


def test_empty_and_unknown_files(tmp_path):
    with pytest.raises(EmptyInput, match="is empty"):
        read(tmp_path, b"\xef\xbb\xbf\n")
    with pytest.raises(UnsupportedFormat, match="--run-format: res, key, kpeval, io"):
        read(tmp_path, "one phrase\nanother\n")
    with pytest.raises(UnsupportedFormat):
        read(tmp_path, b"\x89PNG\x00;\x00\xff")
    with pytest.raises(UnsupportedFormat):
        read_run_file(tmp_path)
    with pytest.raises(UnreadableInput, match="no file"):
        read_run_file(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("RUN", "id,keyphrase\nA,caf\xe9\n"),
        ("RUN", "A Q0 caf\xe9 1 0.5 t\n"),
        ("RUN", "caf\xe9;b\n"),
        ("RUN", "caf\xe9"),
        ("RUN", '{"source": "caf\xe9", "target": "", "prediction": ""}'),
    ],
)
def test_another_encoding_is_told(tmp_path, name, content):
    with pytest.raises(BadRecord, match=r"RUN is not valid UTF-8: .* at byte") as told:
        read(tmp_path, content.encode("latin-1"), name)
    assert "iconv" in told.value.hint
    with pytest.raises(BadRecord, match=r"RUN is not valid UTF-8: .* at byte"):
        read(tmp_path, content.encode("utf-16"), name)


def test_packed_runs_are_read(tmp_path):
    found = read(tmp_path, gzip.compress(b"id,keyphrase\nA,b c\n"))
    assert lists_of(found) == {"A": ("b c",)}


# TREC


def test_trec_orders_by_score_then_rank_and_says_when_ranks_differ(tmp_path):
    content = "q 1 Q0 low 1 0.1 t\nq 1 Q0 high one 2 9e-1 t\nB Q0 second 2 1 t\nB Q0 first 1 1 t\n"
    found = read(tmp_path, content)
    assert lists_of(found) == {"q 1": ("high one", "low"), "B": ("first", "second")}
    assert found.notes == ("1 documents have ranks that contradict their scores; scores decided, as in TREC",)


def test_trec_with_tabs_keeps_blanks_and_q0_in_phrases(tmp_path):
    found = read(tmp_path, "A\tQ0\tthe Q0 column 3\t1\t0.5\tmy tag\n")
    assert lists_of(found) == {"A": ("the Q0 column 3",)}


@pytest.mark.parametrize("score", ["nan", "NaN", "inf", "-inf", "high"])
def test_a_score_that_is_no_number_is_an_error_with_its_line(tmp_path, score):
    with pytest.raises(BadRecord, match=rf"line 2 of RUN: score '{score}' is not a finite number"):
        read(tmp_path, f"A Q0 a 1 1.0 t\nA Q0 b 2 {score} t\n")
    with pytest.raises(BadRecord, match=rf"line 3 of RUN: score '{score}' is not a finite number"):
        read(tmp_path, f"id,keyphrase,score\nA,a,1\nA,b,{score}\n")


def test_a_broken_trec_line_is_told(tmp_path):
    with pytest.raises(BadRecord, match="line 2 of RUN: not a line of a TREC run"):
        read(tmp_path, "A Q0 a 1 1.0 t\nA Q0 b\nA Q0 c 3 0.3 t\n")


# tables


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_columns_in_any_order_with_any_usual_sign(tmp_path, sign):
    rows = [["Rank", "other", "Keyphrase", "ID"], ["2", "", "b", "A"], ["1", "", "a", "A"], ["1", "", "c", "B"]]
    found = read(tmp_path, "\ufeff" + "\r\n".join(sign.join(row) for row in rows))
    assert lists_of(found) == {"A": ("a", "b"), "B": ("c",)}


def test_without_rank_the_score_decides_and_without_both_the_line(tmp_path):
    assert lists_of(read(tmp_path, "id,keyphrase,score\nA,a,1\nA,b,3\nA,c,3\n")) == {"A": ("b", "c", "a")}
    assert lists_of(read(tmp_path, "keyphrase,id\nb,A\na,A\n")) == {"A": ("b", "a")}


def test_what_looks_odd_in_a_table_is_counted(tmp_path):
    found = read(tmp_path, 'id,rank,keyphrase\nA,1,"a, with sign"\nA,1,b\nB,,\n')
    assert lists_of(found) == {"A": ("a, with sign", "b"), "B": ()}
    assert found.notes == ("1 lines have no keyphrase", "1 documents have one rank twice; lines decided")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,keyphrase\nA\n", "line 2 of RUN: 1 columns"),
        ('id,keyphrase\nA,"a\n', "line 2 of RUN"),
        ("id,rank,keyphrase\nA,first,a\n", "rank 'first' is not a finite number"),
    ],
)
def test_a_broken_table_is_told_with_its_line(tmp_path, content, said):
    with pytest.raises(BadRecord, match=said):
        read(tmp_path, content)
    with pytest.raises(BadRecord, match="names no id or no keyphrase"):
        read(tmp_path, "A,a\n", form="csv")


# folders


def test_res_keeps_empty_lines_as_the_empty_phrase_and_key_drops_them(tmp_path):
    for ending in (".res", ".key"):
        folder = tmp_path / ending[1:]
        folder.mkdir()
        (folder / f"1{ending}").write_bytes(b" a  b \r\n\r\nc\t0.5\n")
        (folder / f"2{ending}").write_bytes(b"")
        (folder / "1.abstr").write_bytes(b"text")
    res, key = read_run_file(tmp_path / "res"), read_run_file(tmp_path / "key")
    assert lists_of(res) == {"1": ("a  b", "", "c\t0.5"), "2": ()}
    assert res.notes == (
        "1 lines of the .res files are empty, each is the empty phrase",
        "1 files of the folder do not end in .res, they were not read",
    )
    assert lists_of(key) == {"1": ("a  b", "c"), "2": ()}
    assert key.notes[0] == "1 lines of the .key files are empty, they were dropped"


# JSON


def test_kpeval_brings_its_texts_and_its_gold(tmp_path):
    records = [
        {"source": "leaks in pipes <eos> we listen .", "target": "leaks;pipes", "prediction": "leak; ;noise"},
        {"source": "no title", "target": ["a"], "predictions": [["b", "c"], "d"]},
        {"source": "t [sep] u", "target": "", "prediction": ""},
    ]
    found = read(tmp_path, "\n".join(map(json.dumps, records)))
    assert (found.form, found.numbered) == ("kpeval", True)
    assert lists_of(found) == {"1": ("leak", "noise"), "2": ("b c", "d"), "3": ()}
    assert [one.document.text for one in found.labelled] == ["leaks in pipes\nwe listen .", "no title", "t\nu"]
    assert [[gold.forms for gold in one.gold] for one in found.labelled] == [[("leaks",), ("pipes",)], [("a",)], []]
    assert found.notes == ("1 documents have no predictions",)


@pytest.mark.parametrize(
    "second",
    ["[1]", "{", '{"source": "a"}', '{"source": 1, "target": "", "prediction": ""}', '{"source": "", "target": 3}'],
)
def test_a_broken_kpeval_line_is_told(tmp_path, second):
    first = json.dumps({"source": "a", "target": "b", "prediction": "c"})
    with pytest.raises(BadRecord, match="line 2 of RUN"):
        read(tmp_path, f"{first}\n{second}\n")


def test_ake_references_as_gold_and_as_run(tmp_path):
    path = tmp_path / "test.author.json"
    path.write_text('{"C-1": [["grids", "grid"], ["uddi"]], "C-2": []}')
    assert lists_of(read_run_file(path)) == {"C-1": ("grids", "uddi"), "C-2": ()}
    one, other = read_gold_file(path).labelled
    assert [(gold.forms, gold.by) for gold in one.gold] == [(("grids", "grid"), "author"), (("uddi",), "author")]
    assert (other.id, other.gold) == ("C-2", ())
    stems = tmp_path / "test.reader.stem.json"
    stems.write_text('{"C-1": [["grid comput"]], "C-1": [["grid"]]}')
    found = read_run_file(stems)
    assert not isinstance(found.predictions, Run)
    assert (found.predictions.lists, found.predictions.repeated) == ({"C-1": ("grid",)}, 1)
    with pytest.raises(BadRecord, match="1 ids come twice"):
        read_gold_file(stems)


def test_ake_references_as_they_are_published_and_with_plain_lists(tmp_path):
    published = json.dumps({"C-1": [["grid servic"], ["uddi"]]}, indent=4, separators=(", ", ": "))
    assert lists_of(read(tmp_path, published)) == {"C-1": ("grid servic", "uddi")}
    assert lists_of(read(tmp_path, '{"C-1": ["grids", "uddi"]}')) == {"C-1": ("grids", "uddi")}


@pytest.mark.parametrize("content", ['{"A": [["a"], [1]]}', '{"A": [[]], "B": 2}', '{"A": [["a"]'])
def test_broken_ake_references_are_told(tmp_path, content):
    with pytest.raises(BadRecord):
        read(tmp_path, content)


def test_key_folders_as_gold_and_other_files_are_not_ours(tmp_path):
    folder = WRITERS["key"](LISTS, tmp_path / "gold")
    assert {one.id: tuple(gold.forms[0] for gold in one.gold) for one in read_gold_file(folder).labelled} == LISTS
    (tmp_path / "labelled.jsonl").write_text('{"id": "a", "text": "b", "keyphrases": ["b"]}')
    assert read_gold_file(tmp_path / "labelled.jsonl") is None
    (tmp_path / "lists.jsonl").write_text('{"tags": [["x"]], "id": "a", "text": "b", "keyphrases": ["b"]}')
    assert read_gold_file(tmp_path / "lists.jsonl") is None
    assert read_gold_file(tmp_path / "nothing") is None


def test_generated_text_drops_marks_and_counts_empty_lines(tmp_path):
    found = read(tmp_path, "a b; c;<peos>;d\n\n<peos>;\nx <peos> y\n")
    assert lists_of(found) == {"1": ("a b", "c", "d"), "2": (), "3": (), "4": ("x", "y")}
    assert found.notes == ("2 lines are empty: no predictions", "3 lines have a mark <peos>, it was dropped")


def test_repeated_ids_stay_to_be_counted(tmp_path):
    lines = [{"id": "A", "source": "", "target": "a", "prediction": one} for one in ("a", "b")]
    found = read(tmp_path, "\n".join(map(json.dumps, lines)))
    assert [one.document_id for one in found.predictions.predictions] == ["A", "A"]


# the wrong collection


@pytest.mark.parametrize(("ids", "said"), [(["X"], "no document in common"), ([], None), (["A", "X"], None)])
def test_a_run_of_another_collection_is_told_by_its_ids(tmp_path, ids, said):
    found = read(tmp_path, "id,keyphrase\nA,a\nB,b\n")
    if said is None:
        assert match_ids(found, ids, "RUN", "gold G") is found
        return
    with pytest.raises(BadRecord, match=rf"RUN \(2 documents\) and gold G \(1\) have {said}, such as 'A' against 'X'"):
        match_ids(found, ids, "RUN", "gold G")


def test_few_ids_in_common_are_another_collection_too(tmp_path):
    found = read(tmp_path, "id,keyphrase\n" + "".join(f"{number},x\n" for number in range(100)))
    assert match_ids(found, [str(number) for number in range(90, 190)], "RUN", "G") is found
    with pytest.raises(BadRecord, match="only 9 documents in common"):
        match_ids(found, [str(number) for number in range(91, 191)], "RUN", "G")
