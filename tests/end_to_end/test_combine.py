"""Runs combined, from Python and on the command line: five labelled abstracts, and two documents of generators."""

import json

import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw
from keywright.core.errors import BadParameter, BadRecord, UnknownName
from keywright.core.sameness import same
from keywright.evaluation.foreign.reading import read_run_file

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
    assert same(run, read_run_file(runs / "both.jsonl").predictions)
    assert summary["system"] == run.system
    assert set(kw.score(run, "keywright-1", LABELLED).values) >= {"author/F@5"}


def test_other_documents_are_refused(runs):
    done = keywright("combine", "kpminer.jsonl", "short.jsonl", "-o", "x.jsonl", cwd=runs)
    assert done.returncode == 3
    assert b"run kpminer has 5 documents, run tfidf has 4, 4 in common; only one of them has" in done.stderr
    assert not (runs / "x.jsonl").exists()


def test_methods_and_their_demands(runs):
    files = [runs / "kpminer.jsonl", runs / "tfidf.jsonl"]
    with pytest.raises(UnknownName, match="no method of voting called 'rank'"):
        kw.combine(files, "rank")
    with pytest.raises(BadRecord, match="has no probability; calibrate the run"):
        kw.combine(files, "probabilities")
    with pytest.raises(BadParameter, match="method votes learns nothing from labelled documents"):
        kw.combine(files, labelled=LABELLED)
    with pytest.raises(BadParameter, match="1 runs"):
        kw.combine(files[:1])
    done = keywright("combine", *files, "-o", "x.jsonl", "--method", "most", cwd=runs)
    assert done.returncode == 2


def test_labelled_documents_tell_what_absence_means():
    runs = [kw.run("default", LABELLED, 10), kw.run("default", LABELLED, 3)]
    plain = kw.combine(runs, "probabilities")
    told = kw.combine(runs, "probabilities", labelled=LABELLED)
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
