"""Gaps of a vocabulary: what is missing, what is near, and what is never used."""

import csv
import io
import json

import pytest
from tests.end_to_end.program import keywright

import keywright as kw
from keywright.core.errors import BadParameter, BadRecord, EmptyInput, MissingData
from keywright.core.keyphrases import Concept, Keyphrase
from keywright.core.predictions import Failure, Prediction

TABLE = """uri,label,language,kind,notation
ex:1,sensors,en,,S
ex:2,soil moisture,en,,
ex:2,soil water,en,alternative,
ex:3,tides,en,,T
"""
PREDICTIONS = [
    Prediction("a", (Keyphrase("soil sensor", 3, 0.5), Keyphrase("Soil Water", 2, 0.4), Keyphrase("moon", 1, 0.1))),
    Prediction("b", (Keyphrase("soil sensors", 3, 0.7), Keyphrase("moon", 1, 0.2), Keyphrase("once", 1, 0.9))),
    Prediction("c", (Keyphrase("soil sensors", 3, None), Keyphrase("moons", 1, 0.3), Keyphrase("Moon", 1, 0.3))),
    Failure("d", "broken_file", "broken"),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE, "utf-8")
    kw.build_vocabulary(tmp_path / "t.csv", tmp_path / "t")
    lines = (json.dumps(outcome.to_dict()) for outcome in PREDICTIONS)
    (tmp_path / "results.jsonl").write_text("\n".join(lines) + "\n\n", "utf-8")
    return tmp_path


def test_gaps_from_memory_and_from_files(folder):
    gaps = kw.vocabulary_gaps(PREDICTIONS, folder / "t")
    sensors, moon = gaps.missing
    assert (sensors.phrase, sensors.documents, sensors.examples) == ("soil sensors", 3, ("a", "b", "c"))
    assert sensors.probability == pytest.approx(0.6)  # of the two that are known
    assert sensors.near == Concept("ex:1", "sensors", "en", "S")
    assert (moon.phrase, moon.documents, moon.near) == ("moon", 3, None)  # once in each document
    assert [concept.uri for concept in gaps.unused] == ["ex:1", "ex:3"]  # soil water is soil moisture
    assert (gaps.documents, gaps.failures, gaps.concepts) == (3, 1, 3)
    assert len(kw.vocabulary_gaps(PREDICTIONS, folder / "t", min_documents=1).missing) == 3
    for results in (folder / "results.jsonl", folder):
        assert kw.vocabulary_gaps(results, kw.load_vocabulary(folder / "t")) == gaps


def test_concepts_of_results_are_used(folder):
    named = Prediction("e", (Keyphrase("ebb", 1, 0.5, concept=Concept("ex:3", "tides")),))
    gaps = kw.vocabulary_gaps([named], folder / "t")
    assert [concept.uri for concept in gaps.unused] == ["ex:1", "ex:2"]
    assert gaps.restricted


def test_the_command(folder):
    shown = keywright("vocabulary", "gaps", "results.jsonl", "--vocabulary", "t", cwd=folder)
    assert shown.returncode == 0
    assert "soil sensors" in shown.stdout.decode()
    assert shown.stderr.decode().splitlines() == [
        "3 documents: 2 phrases are missing, 1 of 3 concepts are used",
        "note: 1 documents failed, and are not counted",
    ]
    none = keywright("vocabulary", "gaps", "results.jsonl", "--vocabulary", "t", "--min-documents", "9", cwd=folder)
    assert b"0 phrases are missing" in none.stderr
    assert b"nearest concept" not in none.stdout  # a table without rows is not shown
    for name in ("gaps.csv", "gaps.html", "gaps.json"):
        assert (
            keywright("vocabulary", "gaps", "results.jsonl", "--vocabulary", "t", "-o", name, cwd=folder).returncode
            == 0
        )
    rows = list(csv.DictReader(io.StringIO((folder / "gaps.csv").read_text("utf-8"))))
    assert [row["kind"] for row in rows] == ["missing", "missing", "unused", "unused"]
    assert (rows[0]["near_uri"], rows[0]["probability"]) == ("ex:1", "0.6")
    assert "<td>soil sensors</td>" in (folder / "gaps.html").read_text("utf-8")
    assert json.loads((folder / "gaps.json").read_text("utf-8"))["missing"][0]["near"]["label"] == "sensors"


def test_what_cannot_be_compared(folder):
    kw.build_vocabulary(["tides"], folder / "flat")
    with pytest.raises(BadParameter, match="without concepts"):
        kw.vocabulary_gaps(PREDICTIONS, folder / "flat")
    with pytest.raises(BadParameter, match="min_documents 0"):
        kw.vocabulary_gaps(PREDICTIONS, folder / "t", min_documents=0)
    with pytest.raises(EmptyInput):
        kw.vocabulary_gaps([], folder / "t")
    with pytest.raises(MissingData):
        kw.vocabulary_gaps(folder / "none.jsonl", folder / "t")
    (folder / "bad.jsonl").write_text('{"system": "x"}\n{"id": "a"}\n', "utf-8")
    with pytest.raises(BadRecord, match=r"line 2 of bad\.jsonl: 'keyphrases' is missing"):
        kw.vocabulary_gaps(folder / "bad.jsonl", folder / "t")
