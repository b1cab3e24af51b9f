"""Runs combined, from Python and on the command line: five labelled abstracts, and two documents of generators."""

import json
import sys
from dataclasses import replace

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, BadRecord, MissingData, MissingExtra, UnknownName
from keywright.evaluation.run_formats.reading import read_run_file
from keywright.testing.promises import equal

LABELLED = ROOT / "examples" / "abstracts.jsonl"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with two runs, and one that lacks a document."""
    folder = tmp_path_factory.mktemp("runs")
    for system in ("kpminer", "tfidf"):
        kw.run(system, LABELLED, output=folder / f"{system}.jsonl")
    lines = (folder / "tfidf.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "short.jsonl").write_text("".join(lines[:-1]), "utf-8")
    return folder


def generated(model, phrases):
    """A line of a generator: its own text and gold, each phrase of one token."""
    made = [
        {"phrase": text, "tokens": [text], "probs": [probability], "rank": rank}
        for rank, (text, probability) in enumerate(phrases)
    ]
    text = {"source": "grids <eos> we study grids .", "gold": ["grids"]}
    return json.dumps({"doc_id": "d", "model": model, **text, "phrases": made}) + "\n"


def test_the_program_does_what_python_does(runs):
    done = keywright("combine", "kpminer.jsonl", "tfidf.jsonl", "-o", "both.jsonl", "--json", cwd=runs)
    assert done.returncode == 0
    assert done.stderr.decode() == "5 documents of 2 runs: both.jsonl\n"
    summary = json.loads(done.stdout)
    assert (summary["done"], summary["failed"], summary["run"]) == (5, 0, "both.jsonl")
    run = kw.combine([runs / "kpminer.jsonl", str(runs / "tfidf.jsonl")])
    assert equal(run, read_run_file(runs / "both.jsonl").predictions)
    assert summary["system"] == run.system
    assert set(kw.score(run, "keywright-1", LABELLED).values) >= {"author/F@5"}


def test_other_documents_are_refused(runs):
    done = keywright("combine", "kpminer.jsonl", "short.jsonl", "-o", "x.jsonl", cwd=runs)
    assert done.returncode == 3
    assert b"run kpminer has 5 documents, run tfidf has 4, 4 in common; only one of them has" in done.stderr
    assert not (runs / "x.jsonl").exists()


def test_methods_and_their_demands(runs):
    files = [runs / "kpminer.jsonl", runs / "tfidf.jsonl"]
    with pytest.raises(UnknownName, match="no method of combining called 'rank'; did you mean 'ranks'"):
        kw.combine(files, "rank")
    with pytest.raises(BadRecord, match="has no probability; calibrate the run"):
        kw.combine(files, "probabilities")
    with pytest.raises(BadParameter, match="method votes does not use gold; probabilities and meta-ranker do"):
        kw.combine(files, gold=LABELLED)
    with pytest.raises(BadParameter, match="1 runs"):
        kw.combine(files[:1])
    done = keywright("combine", *files, "-o", "x.jsonl", "--method", "most", cwd=runs)
    assert done.returncode == 2


def many(folder, name, *phrases: str, documents=30):
    """A file of a generator over as many documents: every third is about another thing."""
    lines = []
    for at in range(documents):
        gold, other = ("grids", "nets") if at % 3 else ("nets", "grids")
        text = {"source": f"{gold} and {other} <eos> we study {gold} , number {at} .", "gold": [gold]}
        made = [
            {"phrase": one, "tokens": [one], "probs": [0.5], "rank": rank}
            for rank, one in enumerate([gold if one == "right" else one for one in phrases])
        ]
        lines.append(json.dumps({"doc_id": f"d{at}", "model": name, **text, "phrases": made}) + "\n")
    (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")


def test_a_meta_ranker_learns_is_kept_and_ranks(tmp_path):
    many(tmp_path, "one", "grids", "nets", "webs")
    many(tmp_path, "two", "webs", "right")
    learn = ("combine", "one.jsonl", "two.jsonl", "--method", "meta-ranker", "-o", "run.jsonl", "--save", "model.json")
    done = keywright(*learn, "--json", cwd=tmp_path)
    assert done.returncode == 0
    notes = [
        "cross-fitted: each of 30 documents is ranked by trees trained on the others, 5 folds",
        "30 documents with gold: probabilities are rough; 50 to 100 are advised",
        "the meta-ranker trained on all 30 documents: use it with --model model.json",
    ]
    assert json.loads(done.stdout)["notes"] == notes
    assert done.stderr.decode().splitlines() == [
        *(f"note: {one}" for one in notes),
        "30 documents of 2 runs: run.jsonl",
    ]
    run = read_run_file(tmp_path / "run.jsonl").predictions
    assert equal(run, kw.combine([tmp_path / "one.jsonl", tmp_path / "two.jsonl"], "meta-ranker"))
    for one in run.predictions:
        chances = [keyphrase.probability for keyphrase in one.keyphrases]
        assert chances == sorted(chances, reverse=True)
        assert chances == [keyphrase.score for keyphrase in one.keyphrases]
        assert one.texts[0] == ("grids" if int(one.document_id[1:]) % 3 else "nets")  # what the second puts second
    other = tmp_path / "other"
    other.mkdir()
    many(other, "one", "grids", "nets", "webs", documents=40)
    many(other, "two", "webs", "right", documents=40)
    apply = ("combine", "other/one.jsonl", "other/two.jsonl", "--method", "meta-ranker", "-o", "x.jsonl", "--model")
    done = keywright(*apply, "model.json", cwd=tmp_path)
    assert done.stderr.decode().splitlines() == [
        "note: the meta-ranker was trained on 30 of these documents: do not score on them",
        "40 documents of 2 runs: x.jsonl",
    ]
    done = keywright(*apply, "run.jsonl", "--force", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith(b"error: the meta-ranker run.jsonl cannot be read: ")


def test_what_a_meta_ranker_demands(runs, tmp_path):
    files = [runs / "kpminer.jsonl", runs / "tfidf.jsonl"]
    with pytest.raises(BadParameter, match="5 documents of the runs have gold; expected at least 20"):
        kw.combine(files, "meta-ranker")
    with pytest.raises(BadParameter, match="method ranks has no model to save or to take"):
        kw.combine(files, "ranks", save=tmp_path / "m.json")
    with pytest.raises(BadParameter, match="a model together with gold or save"):
        kw.combine(files, "meta-ranker", model=tmp_path / "m.json", gold=LABELLED)
    with pytest.raises(MissingData, match="there is no meta-ranker"):
        kw.combine(files, "meta-ranker", model=tmp_path / "m.json")
    with pytest.raises(BadParameter, match="cannot hold both the run and the meta-ranker; name two files"):
        kw.combine(files, "meta-ranker", tmp_path / "m.json", save=tmp_path / "m.json")
    with pytest.raises(UnknownName, match="no parameter of combining called 'labelled'"):
        kw.combine(files, "probabilities", labelled=LABELLED)
    nameless = [replace(read_run_file(one).predictions, data="") for one in files]
    with pytest.raises(BadParameter, match=r"there is no gold to train on.*; name the gold: --gold DATASET"):
        kw.combine(nameless, "meta-ranker")
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_text(json.dumps({"id": "e", "text": "grids", "keyphrases": ["grids"]}) + "\n", "utf-8")
    with pytest.raises(BadRecord, match="none of the 1 labelled documents is among the 5 of the runs"):
        kw.combine(files, "meta-ranker", gold=elsewhere)


@pytest.mark.data
def test_gold_for_reporting_teaches_nothing(runs, mirror):
    del mirror
    with pytest.raises(BadParameter, match="the gold of inspec/test is for reporting only; learn from another split"):
        kw.combine([runs / "kpminer.jsonl", runs / "tfidf.jsonl"], "meta-ranker", gold="inspec/test")


def notes_of(runs, texts=None):
    """Return the notes on a combination of runs by votes."""
    notes = []
    kw.combine(runs, tell=notes.append, texts=texts)
    return notes


def test_what_looks_odd_is_said(runs, tmp_path):
    done = keywright("combine", "kpminer.jsonl", "kpminer.jsonl", "-o", "twice.jsonl", cwd=runs)
    assert done.stderr.decode().startswith("note: run 2 is run kpminer again: its phrases count twice\n")
    texts = tmp_path / "texts.jsonl"
    changed = [
        json.dumps({**json.loads(line), "title": "Another"}) for line in LABELLED.read_text("utf-8").splitlines()
    ]
    texts.write_text("\n".join(changed) + "\n", "utf-8")
    notes = notes_of([runs / "kpminer.jsonl", runs / "tfidf.jsonl"], texts=texts)
    assert [note.partition(":")[0] for note in notes] == ["run kpminer was made from other texts than these"]


def test_files_that_bring_other_texts_are_told(tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_text(generated("one", [("grid", 0.5)]), "utf-8")
    two.write_text(generated("two", []).replace("we study grids", "nets"), "utf-8")
    assert notes_of([one, two]) == [
        "run two: 1 documents have no predictions",
        "run two has other texts than run one, whose texts decide what is present",
    ]


def test_learning_needs_an_extra_and_ranking_does_not(tmp_path, monkeypatch):
    many(tmp_path, "one", "grids", "nets")
    many(tmp_path, "two", "webs", "right")
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    kw.combine(files, "meta-ranker", save=tmp_path / "m.json")
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(MissingExtra, match=r'needs LightGBM, which is not installed; `pip install "\.\[train\]"`'):
        kw.combine(files, "meta-ranker")
    assert len(kw.combine(files, "meta-ranker", model=tmp_path / "m.json").predictions) == 30


def test_labelled_documents_tell_what_absence_means():
    runs = [kw.run("default", LABELLED, 10), kw.run("default", LABELLED, 3)]
    plain = kw.combine(runs, "probabilities")
    told = kw.combine(runs, "probabilities", gold=LABELLED)
    assert "absence:|" not in told.system
    assert told.predictions[0].keyphrases[0].score == plain.predictions[0].keyphrases[0].score  # both hold it
    assert told.predictions[0].keyphrases[-1].score >= plain.predictions[0].keyphrases[-1].score


def test_generators_bring_their_texts(tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_text(generated("one", [("ontology", 0.5), ("grid", 0.5)]), "utf-8")
    two.write_text(generated("two", [("registry", 0.25)]), "utf-8")
    (found,) = kw.combine([one, two], "ranks").predictions
    # The text has grids: it is the first present phrase, as the other two are the first absent ones.
    assert [(each.text, each.score) for each in found.keyphrases] == [
        ("ontology", 1 / 61),
        ("grid", 1 / 61),
        ("registry", 1 / 61),
    ]


def test_answers_of_stems_are_refused(tmp_path):
    file = tmp_path / "answers.txt"
    file.write_text("C-1 : grid servic,web servic\n", "utf-8")
    with pytest.raises(BadRecord, match="holds answers as a scorer takes them, in format semeval"):
        kw.combine([file, file])


def test_texts_and_gold_may_come_from_a_file_of_generations(tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_text(generated("one", [("ontology", 0.5), ("grid", 0.5)]), "utf-8")
    two.write_text(generated("two", [("registry", 0.25)]), "utf-8")
    run = kw.combine([one, two])
    assert kw.combine([run, run], texts=one).predictions[0].texts == ("ontology", "grid", "registry")
    assert kw.score(run, "kpg", one, intervals=False).values["present/R@5"] == 1
