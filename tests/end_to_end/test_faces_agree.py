"""One request through Python and through the command line gives the same JSON."""

import json
from dataclasses import replace

import pytest
from tests.end_to_end.program import first_record, keywright
from tests.house.tree import ROOT

import keywright as kw

EXAMPLES = ROOT / "examples"


@pytest.mark.parametrize("file", ["article.pdf", "article.html", "article.jats.xml", "article.docx", "note.txt"])
@pytest.mark.parametrize("system", ["default", "kpminer"])
def test_python_and_command_line_agree(file, system):
    done = keywright("extract", EXAMPLES / file, "--system", system, "--top", "7", "--explain", "--json")
    prediction = kw.extract(kw.read(EXAMPLES / file), system, top=7, explain=True)
    assert json.loads(done.stdout) == [first_record(prediction, kw.system(system))]


def test_metadata_are_with_keyphrases_and_not_in_runs(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": "a", "title": "Tides", "abstract": "Tide gauges.", "venue": "Seas"}\n')
    done = keywright("extract", tmp_path / "a.jsonl", "-s", "firstphrases", "--json")
    assert json.loads(done.stdout)[0]["meta"] == {"venue": "Seas", "title": "Tides"}
    assert kw.run("firstphrases", tmp_path / "a.jsonl").predictions[0].meta == {}


def test_texts_agree():
    text = "Tide gauges measure sea level. Tide gauges drift. Sea level rises, and tide gauges see it."
    done = keywright("extract", "-", "--json", stdin=text.encode())
    prediction = kw.extract(kw.document(text, "stdin"))
    assert json.loads(done.stdout) == [first_record(prediction, kw.system("default"))]


def test_one_many_and_endless():
    text = "Tide gauges measure sea level. Tide gauges drift."
    one = kw.extract(text)
    first, second = replace(one, document_id="text-1"), replace(one, document_id="text-2")
    assert kw.extract([text, text]) == [first, second]
    stream = kw.extract(text for _ in iter(int, 1))
    assert [next(stream), next(stream)] == [first, second]


def test_scores_agree(tmp_path):
    labelled = EXAMPLES / "abstracts.jsonl"
    run = kw.run("default", labelled, output=tmp_path / "RUN")
    report = kw.score(run, "keywright-1")
    done = keywright("score", tmp_path / "RUN", "--protocol", "keywright-1", "--json")
    assert json.loads(done.stdout)["values"] == dict(report.values)
    assert kw.score(tmp_path / "RUN", "keywright-1", labelled).values == report.values
