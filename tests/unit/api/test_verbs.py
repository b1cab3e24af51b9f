"""The verbs in Python: what they give, and what they refuse."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.house.tree import ROOT

import keywright as kw
from keywright.api import extracting
from keywright.core.errors import (
    BadParameter,
    BrokenFile,
    EmptyInput,
    MissingData,
    NotFitted,
    PartlyDone,
    UnknownName,
    UnreadableInput,
)
from keywright.datasets.collection import DataSet
from keywright.testing.promises import equal

LABELLED = ROOT / "examples" / "abstracts.jsonl"
TEXT = "Tide gauges measure sea level. Tide gauges drift."


def test_a_document_of_a_text():
    document = kw.document(TEXT, "tides", "en")
    assert (document.id, document.text.strip(), document.language) == ("tides", TEXT, "en")
    with pytest.raises(EmptyInput):
        kw.document(" ")


def test_a_file_of_many_documents_is_not_one():
    with pytest.raises(UnreadableInput, match="several documents"):
        kw.read(LABELLED)
    assert len(list(kw.read_all([LABELLED]))) == 5


def test_evidence_comes_when_asked_for():
    assert kw.extract(TEXT).keyphrases[0].evidence == {}
    assert kw.extract(TEXT, explain=True).keyphrases[0].evidence != {}


def test_options_choose_among_phrases(tmp_path):
    known = tmp_path / "known.txt"
    known.write_text("tide gauges\n")
    without = kw.extract(TEXT, stop_phrases=known).texts
    assert "Tide gauges" in kw.extract(TEXT).texts
    assert "Tide gauges" not in without
    assert kw.extract([TEXT], stop_phrases=["Tide gauge"])[0].texts == without
    assert kw.extract(TEXT, vocabulary={"sea level"}, only_vocabulary=True).texts == ("sea level",)
    with pytest.raises(BadParameter, match="extract has no option 'divers'"):
        kw.extract(TEXT, divers=1)
    with pytest.raises(BadParameter, match="min_words '2'"):
        kw.extract(TEXT, min_words="2")


def test_systems_come_by_name_value_and_folder(tmp_path):
    by_name = kw.system("kpminer", least_seen=1)
    assert kw.extract(TEXT, by_name) == kw.extract(TEXT, kw.system("kpminer", least_seen=1))
    trained = kw.train("nb", LABELLED, tmp_path / "nb", longest=2)
    loaded = kw.load(tmp_path / "nb")
    assert equal(loaded, trained)
    assert kw.extract(TEXT, tmp_path / "nb") == kw.extract(TEXT, trained)
    card = json.loads((tmp_path / "nb" / "card.json").read_text())
    assert card["documents"] == 5
    assert "longest:2" in card["system"]
    with pytest.raises(BadParameter, match="no parameter of nb called 'longst'"):
        kw.system(str(tmp_path / "nb"), longst=2)


def test_what_cannot_be_is_refused(tmp_path):
    with pytest.raises(UnknownName):
        kw.system("nothing")
    with pytest.raises(NotFitted):
        kw.extract(TEXT, "nb")
    with pytest.raises(BadParameter, match="top -1"):
        kw.extract(TEXT, top=-1)
    with pytest.raises(BadParameter, match="cannot be trained"):
        kw.train("counting", LABELLED)
    with pytest.raises(BadParameter, match="cannot be a folder"):
        kw.train("nb", LABELLED, LABELLED)
    with pytest.raises(MissingData):
        kw.load(tmp_path)
    with pytest.raises(BadParameter, match="no systems to choose from"):
        kw.reproduce("semeval2010-data", ["tfidf"])
    with pytest.raises(BadParameter, match="no ablations"):
        kw.reproduce("semeval2010-data", ablate=True)


def test_a_run_is_the_same_in_memory_and_on_disk(tmp_path):
    told = []
    here = kw.run("default", LABELLED, top=7)
    there = kw.run("default", LABELLED, 7, tmp_path / "RUN", jobs=2, progress=lambda *count: told.append(count))
    assert here.predictions == there.predictions
    assert {len(prediction.keyphrases) for prediction in here.predictions} == {7}
    assert told[-1] == (5, 5)
    assert [path.name for path in tmp_path.iterdir()] == ["RUN"]


def test_scores_need_gold():
    data = kw.dataset(LABELLED)
    run = kw.run("default", data)
    nameless = kw.Run(run.system, "", run.analyser, run.predictions)
    with pytest.raises(BadParameter, match="does not name its data"):
        kw.score(nameless, "keywright-1")
    assert kw.score(nameless, "keywright-1", data).values == kw.score(run, "keywright-1").values


def test_the_default_is_kept_where_it_gained_something(tmp_path):
    """Five abstracts show nothing; without a folder the system comes back all the same."""
    assert kw.extract(TEXT, kw.train("default", LABELLED), top=1).texts
    with pytest.raises(PartlyDone, match=r"too few to tell.*anyway=True saves it"):
        kw.train("default", LABELLED, tmp_path / "d")
    assert not (tmp_path / "d").exists()
    kept = kw.train("default", LABELLED, tmp_path / "d", anyway=True)
    assert kw.extract(TEXT, tmp_path / "d", top=2) == kw.extract(TEXT, kept, top=2)
    with pytest.raises(BadParameter, match="force=True"):
        kw.train("default", LABELLED, tmp_path / "d", anyway=True)


def test_unlabelled_documents_are_counted(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_text("A tide gauge on the pier.")
    told = []
    found = kw.adapt([tmp_path], tmp_path / "d", progress=lambda *count: told.append(count))
    assert (found.documents, told) == (2, [(1, 0), (2, 0)])
    assert kw.extract(TEXT, tmp_path / "d") == kw.extract(TEXT, found.system)
    with pytest.raises(BadParameter, match="kpminer cannot be adapted"):
        kw.adapt(tmp_path, system="kpminer")
    with pytest.raises(BadParameter, match="holds a trained system"):
        kw.adapt(tmp_path, tmp_path / "d")


def test_damaged_folders_are_refused(tmp_path):
    kw.train("tfidf", LABELLED, tmp_path / "t")
    (tmp_path / "t" / "arrays.npz").write_bytes(b"PK")
    with pytest.raises(BrokenFile):
        kw.load(tmp_path / "t")


def test_held_out_gold_trains_nothing(monkeypatch):
    monkeypatch.setattr(DataSet, "held_out", True)
    with pytest.raises(BadParameter, match="for reporting only"):
        kw.train("nb", LABELLED)


def test_what_is_read_is_never_written_over(tmp_path):
    data = tmp_path / "data.jsonl"
    data.write_bytes(LABELLED.read_bytes())
    run = tmp_path / "run.jsonl"
    kw.run("kpminer", data, output=run)
    before = data.read_bytes(), run.read_bytes()
    for written_over in (
        lambda: kw.run("kpminer", data, output=data),
        lambda: kw.analyse(run, data, report=run),
        lambda: kw.analyse([run], data, report=data),
        lambda: kw.calibrate(run, data, run),
        lambda: kw.calibrate(run, data, data),
        lambda: kw.combine([run, run], output=run),
        lambda: kw.combine([run, run], "meta-ranker", gold=data, save=data),
    ):
        with pytest.raises(BadParameter, match="is read, and would be lost"):
            written_over()
    assert (data.read_bytes(), run.read_bytes()) == before


def test_documents_are_no_data_set():
    with pytest.raises(BadParameter, match="a value of type list is not a data set"):
        kw.run("kpminer", [kw.document(TEXT)])


def test_calls_with_one_document_keep_what_they_prepared_and_answer_as_new_ones(monkeypatch):
    prepared = []
    prepare = extracting.prepare
    monkeypatch.setattr(extracting, "_last", threading.local())
    monkeypatch.setattr(
        extracting, "prepare", lambda *args, **options: prepared.append(args) or prepare(*args, **options)
    )
    texts = [TEXT, "Rain gardens hold water.", TEXT, "Sensors drift, and tide gauges do."]
    assert equal([kw.extract(text) for text in texts], [prepare().prediction(kw.document(text)) for text in texts])
    assert len(prepared) == 1
    assert len(kw.extract(TEXT, top=1)) == 1
    assert kw.extract(TEXT, "tfidf").texts == prepare("tfidf").prediction(kw.document(TEXT)).texts
    assert len(prepared) == 3
    monkeypatch.setenv("KEYWRIGHT_LIMITS", "pages=10")
    for changing in ({"stop_phrases": ["gauges"]}, {"stop_phrases": ["tide"]}):  # a list is another one in each call
        kw.extract(TEXT, "tfidf", **changing)
    kw.extract(TEXT, "tfidf")
    assert len(prepared) == 6
    with ThreadPoolExecutor(1) as pool:  # an analyser is not for several threads
        assert pool.submit(kw.extract, TEXT, "tfidf").result().texts == kw.extract(TEXT, "tfidf").texts
    assert len(prepared) == 7
