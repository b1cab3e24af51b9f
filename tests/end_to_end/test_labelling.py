"""Reviewed tables become labelled data: by a column of decisions, by rows that people deleted or added."""

import json

import pymarc
import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

import keywright as kw
from keywright import api
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, EmptyInput, UnknownName
from keywright.core.keyphrases import Concept, Keyphrase
from keywright.core.predictions import Prediction
from keywright.faces.outputs.output_formats import LABELLED
from keywright.faces.outputs.results import Writer
from keywright.faces.service.page_documents import ShownDocument, read_review, write_reviewed

PAPERS = ROOT / "docs" / "examples" / "papers.csv"
COLUMNS = ("--text-column", "abstract", "--title-column", "title", "--id-column", "doi")


def labelled(tmp_path, table, documents=None, name="reviewed.csv"):
    """Gold of each document that ``label`` writes for two texts, or for other documents, and a table."""
    (tmp_path / name).write_text(table, "utf-8")
    if documents is None:
        (tmp_path / "texts").mkdir(exist_ok=True)
        for letter in "ab":
            (tmp_path / "texts" / f"{letter}.txt").write_text("Tide gauges measure sea level.", "utf-8")
        documents = [tmp_path / "texts"]
    done = api.ReviewedResults(documents, tmp_path / name)
    lines = list(Writer("", reviewed="indexer").write(done, LABELLED))
    (tmp_path / "labelled.jsonl").write_text("".join(lines), "utf-8")
    gold = {each.id: [entry.forms[0] for entry in each.gold] for each in kw.dataset(tmp_path / "labelled.jsonl")}
    return gold, done


def test_rows_that_are_left_count(tmp_path):
    gold, done = labelled(tmp_path, "id,rank,keyphrase,score\na.txt,1,tide gauges,2.5\na.txt,,sea level rise,\n")
    assert gold == {"a.txt": ["tide gauges", "sea level rise"]}
    assert (done.documents, done.keyphrases, done.rejected, done.unreviewed) == (1, 2, 0, 1)


def test_a_column_of_decisions_counts(tmp_path):
    table = "id,keyphrase,accepted\na.txt,tides,Yes\na.txt,level,no\na.txt,gauge,\na.txt,sea,1\nb.txt,sea,REJECTED\n"
    gold, done = labelled(tmp_path, table)
    assert gold == {"a.txt": ["tides", "sea"], "b.txt": []}
    assert (done.documents, done.keyphrases, done.rejected, done.unreviewed) == (2, 2, 3, 0)


def test_one_row_for_each_document(tmp_path):
    gold, _ = labelled(tmp_path, 'id,keyphrases,error\na.txt,"tide gauges;  sea  level; tide gauges;",\nb.txt,,empty\n')
    assert gold == {"a.txt": ["tide gauges", "sea level"]}


def test_records_of_json_lines_are_a_table(tmp_path):
    lines = [{"id": "a.txt", "keyphrases": ["tide gauges"]}, {"id": "b.txt", "keyphrases": []}]
    gold, _ = labelled(tmp_path, "\n".join(map(json.dumps, lines)), name="reviewed.jsonl")
    assert gold == {"a.txt": ["tide gauges"]}


def test_text_sections_and_citation_are_those_of_the_document(tmp_path):
    article = ROOT / "examples" / "article.jats.xml"
    labelled(tmp_path, f"id,keyphrase\n{article.as_posix()},songbirds\n", [article])
    (one,) = kw.dataset(tmp_path / "labelled.jsonl")
    expected = kw.read(article)
    assert one.document.text == expected.text
    assert [section.kind for section in one.document.sections] == [section.kind for section in expected.sections]
    assert (one.document.language, one.gold[0].by) == ("en", "indexer")
    same = ("title", "authors", "doi", "journal", "year")
    assert [one.document.meta[name] for name in same] == [expected.meta[name] for name in same]


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        ("id,keyphrase,accepted\na.txt,tides,perhaps\n", BadRecord, "reviewed.csv:2: the cell in column 'accepted'"),
        ("id,keyphrase\n,tides\n", BadRecord, "reviewed.csv:2 has a keyphrase and no id"),
        ("id,phrase\na.txt,tides\n", UnknownName, "no column 'keyphrase'"),
        ("doc,keyphrase\na.txt,tides\n", UnknownName, "no column 'id'"),
        ("id,keyphrase\na.txt,\n", EmptyInput, "has no keyphrase"),
        ("id,keyphrase\nc.txt,tides\n", BadParameter, "documents have ids such as 'a.txt'"),
    ],
)
def test_tables_that_cannot_be_meant_are_refused_and_nothing_is_written(tmp_path, table, error, message):
    with pytest.raises(error, match=message.replace(".", r"\.")):
        labelled(tmp_path, table)
    assert not (tmp_path / "labelled.jsonl").exists()


def test_ids_without_a_document_and_damaged_documents_are_told(tmp_path):
    (tmp_path / "good.txt").write_text("Tide gauges measure sea level.", "utf-8")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 damaged")
    (tmp_path / "table.csv").write_text("id,keyphrase\ngood.txt,tides\nbad.pdf,sea\nnone.txt,sea\n", "utf-8")
    done = keywright("label", "good.txt", "bad.pdf", "-k", "table.csv", "-o", "out.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert b"no document for 2 ids of table.csv: 'bad.pdf', 'none.txt'" in done.stderr
    counts = {"documents": 1, "keyphrases": 1, "rejected": 0, "unreviewed": 0, "failed": 1}
    assert json.loads(done.stdout) == {"output": "out.jsonl", **counts, "unknown": ["bad.pdf", "none.txt"]}


def test_what_extract_writes_is_reviewed_and_scored(tmp_path):
    done = keywright("extract", PAPERS, *COLUMNS, "--top", "3", "-o", tmp_path / "keyphrases.csv")
    assert done.returncode == 0
    done = keywright(
        *("label", PAPERS, *COLUMNS, "-k", "keyphrases.csv", "-o", "labelled.jsonl", "--by", "reader"), cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert b"5 documents with 15 keyphrases" in done.stderr
    run = kw.run("default", tmp_path / "labelled.jsonl", top=5)  # near repeats are among the five
    report = kw.score(run, "keywright-1", tmp_path / "labelled.jsonl", intervals=False)
    assert report.values["reader/R@5"] == pytest.approx(1)
    assert keywright("label", PAPERS, "-k", "keyphrases.csv", "-o", "labelled.jsonl", cwd=tmp_path).returncode == 2


def test_reviewed_subjects_go_into_a_catalogue(tmp_path):
    """Concepts with a known source, with another one, and a free keyphrase; nothing says that a machine chose them."""
    rows = [
        ("plastic pipe", "http://aims.fao.org/aos/agrovoc/c_1", "plastic pipes", "yes"),
        ("noise", "http://example.org/n", "", "yes"),
        ("leak detection", "", "", "yes"),
        ("village", "http://example.org/v", "villages", "no"),
    ]
    lines = [",".join(("10.5555/leaks", *row)) for row in rows]
    (tmp_path / "reviewed.csv").write_text("\n".join(("id,keyphrase,concept,label,accepted", *lines)), "utf-8")
    for name in ("out.mrc", "out.jats.xml", "out.bib"):
        done = keywright("label", PAPERS, *COLUMNS, "-k", "reviewed.csv", "-o", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    (record,) = pymarc.MARCReader((tmp_path / "out.mrc").read_bytes())
    fields = record.get_fields("650", "653", "883")
    assert [(field.tag, *field.indicators, dict(field.subfields)) for field in fields] == [
        ("650", " ", "7", {"a": "plastic pipes", "0": "http://aims.fao.org/aos/agrovoc/c_1", "2": "agrovoc"}),
        ("650", " ", "4", {"a": "noise", "0": "http://example.org/n"}),
        ("653", " ", " ", {"a": "leak detection"}),
    ]
    assert (record["001"].data, record["245"]["a"]) == ("10.5555/leaks", "Listening for leaks in plastic pipe")
    assert '<kwd-group kwd-group-type="indexer"' in (tmp_path / "out.jats.xml").read_text("utf-8")
    assert "keywords = {plastic pipes, noise, leak detection}" in (tmp_path / "out.bib").read_text("utf-8")


def test_a_review_of_the_page_becomes_subjects_with_uris(tmp_path):
    gauge = Concept("ex:gauge", "Tide gauges", "en")
    found = [Keyphrase("tide gauge", 0.9, concept=gauge), Keyphrase("sea level", 0.5), Keyphrase("it", 0.1)]
    prediction = Prediction("a", tuple(found))
    shown = ShownDocument(Document("a", "A tide gauge measures the sea level. It drifts.", language="en"), prediction)
    decisions = {"d1-1-decision": "accept", "d1-2-decision": "accept", "d1-3-decision": "reject", "d1-added": "drift"}
    review = read_review(prediction, 1, decisions)
    (tmp_path / "reviewed.jsonl").write_text("".join(write_reviewed([shown], [review])), "utf-8")
    command = ("label", "reviewed.jsonl", "--keyphrases", "reviewed.jsonl", "-o")
    for name in ("subjects.mrc", "again.jsonl"):
        done = keywright(*command, name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert b"1 documents with 3 keyphrases" in done.stderr
    (record,) = pymarc.MARCReader((tmp_path / "subjects.mrc").read_bytes())
    assert [(field["a"], field["0"]) for field in record.get_fields("650")] == [("Tide gauges", "ex:gauge")]
    assert [field["a"] for field in record.get_fields("653")] == ["sea level", "drift"]
    first, again = (json.loads((tmp_path / name).read_text("utf-8")) for name in ("reviewed.jsonl", "again.jsonl"))
    assert first["concepts"] == again["concepts"] == {"tide gauge": gauge.to_dict()}


def test_concepts_that_are_none_are_reported_with_their_line(tmp_path):
    line = {"id": "a.txt", "keyphrases": ["tides"], "concepts": {"tides": {"label": "Tides"}}}
    with pytest.raises(BadRecord, match=r"reviewed.jsonl:1: 'concepts' are not concepts by keyphrase: 'uri'"):
        labelled(tmp_path, json.dumps(line), name="reviewed.jsonl")
