"""The forms of the page without a browser: every format, what is sent back changed, a review that calibrates."""

import html
import io
import json
import re

import httpx
import pandas as pd
import pytest
from lxml.html import document_fromstring as html_document
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT

from keywright.api.serving import MOST_SHOWN
from keywright.core.documents import Style
from keywright.faces.service.page_documents import FORMATS

LABELLED = ROOT / "examples" / "labelled.jsonl"
TEXT = (ROOT / "examples" / "note.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def client(address):
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client


def state_of(answer):
    """Return the value of the hidden field of an answer."""
    return html.unescape(re.search(r'name="state" value="([^"]*)"', answer.text)[1])


@pytest.fixture(scope="module")
def state(client):
    return state_of(client.post("/", data={"text": TEXT}))


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_is_saved(client, state, form):
    answer = client.post("/export", data={"state": state, "format": form.name})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="keyphrases{form.endings[0]}"'
    if not form.binary:
        assert "rain garden" in answer.text


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_saves_what_is_shown_without_what_is_rejected_and_with_what_is_added(client, state, form):
    answer = client.post("/", data={"text": TEXT})
    listed = html_document(answer.text).xpath("//*[@data-rank]")
    probable = [(each.get("data-phrase"), float(each.get("data-probability"))) for each in listed]
    rejected = probable[1][0]
    shown = [phrase for phrase, probability in probable if probability >= 0.3 and phrase != rejected]
    hidden = [phrase for phrase, _ in probable if phrase not in shown]
    fields = {"format": form.name, "least": "30", "d1-2-decision": "reject", "d1-added": "Zebra crossings"}
    content = client.post("/export", data={"state": state, **fields}).content
    if form.name in {"parquet", "xlsx"}:
        read = pd.read_parquet if form.name == "parquet" else pd.read_excel
        text = "\n".join(map(str, read(io.BytesIO(content)).to_numpy().ravel()))
    elif form.name == "html":  # it also has the text
        text = "\n".join(html_document(content.decode()).xpath("//section[@class='phrases']//li//bdi/text()"))
    elif form.name in {"json", "jsonl"}:  # they also have sentences with the phrases
        records = json.loads(content) if form.name == "json" else map(json.loads, content.splitlines())
        text = "\n".join(keyphrase["text"] for record in records for keyphrase in record["keyphrases"])
    else:
        text = content.decode("utf-8")
    text = re.sub(r"\\s+", " ", text)
    assert [phrase for phrase in (*shown, "Zebra crossings") if phrase not in text] == []
    others = [phrase for phrase in hidden if not any(phrase in kept for kept in (*shown, TEXT.splitlines()[0]))]
    assert len(shown) > 0 < len(others)
    assert [phrase for phrase in others if re.search(rf"\b{re.escape(phrase)}\b", text)] == []


def test_the_json_is_that_of_the_command(client, state, tmp_path):
    (tmp_path / "pasted text").write_text(TEXT, "utf-8")
    printed = json.loads(keywright("extract", tmp_path / "pasted text", "--json", "--explain").stdout)
    (record,) = client.post("/export", data={"state": state, "format": "json"}).json()
    assert record["keyphrases"] == printed[0]["keyphrases"]
    assert record["signature"] == printed[0]["signature"]


def test_a_review_calibrates_the_system(client, tmp_path):
    answer = client.post("/", files={"files": ("labelled.jsonl", LABELLED.read_bytes())})
    state = state_of(answer)
    reviewed = len(json.loads(state)["documents"])
    assert reviewed == len(LABELLED.read_text("utf-8").splitlines())
    decisions = {f"d{number}-1-decision": "accept" for number in range(1, reviewed + 1)}
    decisions |= {f"d{number}-2-decision": "reject" for number in range(1, reviewed + 1, 2)}
    saved = client.post("/review", data={"state": state, **decisions})
    file = tmp_path / "reviewed.jsonl"
    file.write_bytes(saved.content)
    keywright("run", "default", file, "-o", tmp_path / "run.jsonl", "--quiet")
    command = ["calibrate", tmp_path / "run.jsonl", "--gold", file, "-o", tmp_path / "calibrator.json", "--json"]
    card = json.loads(keywright(*command).stdout)
    assert f"{reviewed} documents" in json.dumps(card) or reviewed in card.values() or reviewed == card["documents"]


@pytest.mark.parametrize(
    "changed",
    [
        "",
        "[]",
        '{"signature": "x", "steps": [], "documents": [{"document": null, "result": {}}]}',
        "{" * 100_000,
        '{"signature": 1, "steps": [], "documents": []}',
    ],
)
def test_a_hidden_field_that_was_changed_is_refused(client, changed):
    for route in ("/shown", "/export", "/review"):
        answer = client.post(route, data={"state": changed, "format": "json"})
        assert answer.status_code == 400, answer.text
        assert "the page sent back something else" in answer.text


def test_phrases_outside_of_the_text_are_refused(client, state):
    values = json.loads(state)
    values["documents"][0]["result"]["keyphrases"][0]["spans"] = [[0, 10**9]]
    assert client.post("/shown", data={"state": json.dumps(values)}).status_code == 400


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"format": "exe"}, 404, "exe"),
        ({"format": "json", "least": "101"}, 422, "from 0 to 100"),
        ({"format": "json", "precision": "1"}, 422, "from 0 to 0"),
        ({"format": "json", "least": "٣x"}, 422, "from 0 to 100"),
    ],
)
def test_fields_that_the_page_does_not_send(client, state, fields, status, words):
    answer = client.post("/export", data={"state": state, **fields})
    assert answer.status_code == status
    assert words in html.unescape(answer.text)


@pytest.mark.parametrize("style", ["", *Style])
def test_every_style_that_the_page_offers_is_one(client, style):
    answer = client.post("/", data={"text": TEXT, "style": style})
    assert answer.status_code == 200
    assert "A probability is the chance that" in answer.text


def test_a_body_that_is_not_a_form(client):
    answer = client.post("/", content=b"{}", headers={"Content-Type": "application/json"})
    assert answer.status_code == 415
    assert "send it as Content-Type: multipart/form-data" in answer.text


def test_a_body_above_the_limit(client):
    answer = client.post("/", data={"text": "word " * 500_000})
    assert answer.status_code == 413
    assert "2,000,000 bytes" in answer.text


def test_only_the_files_of_the_page_are_served(client):
    assert client.get("/static/page.css").headers["content-type"].startswith("text/css")
    for name in ("routes.py", "..%2Froutes.py", "page.html"):
        assert client.get(f"/static/{name}").status_code == 404


def test_every_answer_has_the_policy(client, state):
    for answer in (client.get("/"), client.get("/static/page.js"), client.post("/shown", data={"state": state})):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


ABSTRACTS = """doi,title,abstract
10.1/a,Tides,Tide gauges measure the sea level. Tide gauges drift.
10.1/b,,Rain gardens.
"""


def table_named(ending, folder):
    """Return a file with two abstracts, written by pandas, in a format by its ending."""
    frame, file = pd.read_csv(io.StringIO(ABSTRACTS)), folder / f"papers.{ending}"
    match ending:
        case "xlsx":
            frame.to_excel(file, index=False)
        case "parquet":
            frame.to_parquet(file)
        case _:
            frame.to_csv(file, index=False, sep="\t" if ending == "tsv" else ",")
    return file


def shown(answer):
    """Return the documents of an answer."""
    return json.loads(state_of(answer))["documents"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "parquet"])
def test_a_table_is_several_documents_and_its_columns_are_said(client, ending, tmp_path):
    file = table_named(ending, tmp_path)
    answer = client.post("/", files={"files": (file.name, file.read_bytes())})
    assert answer.status_code == 200, answer.text
    texts = [each["document"]["text"] for each in shown(answer)]
    assert texts == ["Tide gauges measure the sea level. Tide gauges drift.", "Rain gardens."]
    assert f"{file.name}: texts are read from the column 'abstract'" in html.unescape(answer.text)
    note = f"{file.name}: the column 'title' is read where there is no text, else only if it is named"
    assert note in html.unescape(answer.text)


def test_columns_of_a_table_are_those_that_are_named(client):
    columns = {"text_column": "abstract", "title_column": "title", "id_column": "doi"}
    answer = client.post("/", data=columns, files={"files": ("papers.csv", ABSTRACTS)})
    documents = [each["document"] for each in shown(answer)]
    assert [each["id"] for each in documents] == ["10.1/a", "10.1/b"]
    assert documents[0]["text"].startswith("Tides\n")
    assert "is read from" not in answer.text
    assert 'name="title_column" size="12" value="title"' in answer.text


@pytest.mark.parametrize(
    ("name", "content", "columns", "words"),
    [
        ("papers.csv", ABSTRACTS, {"text_column": "abstrct"}, "papers.csv has no column 'abstrct'"),
        ("papers.csv", ABSTRACTS, {"text_column": "abstrct"}, "did you mean 'abstract'?"),
        ("papers.csv", "abstract,body\na,b\n", {}, "'abstract', 'body' can all hold the text"),
        ("papers.csv", "abstract,body\na,b\n", {}, "Options on the page"),
        ("papers.csv", "", {}, "papers.csv is an empty file"),
        ("papers.xlsx", b"PK\x03\x04 nothing else", {}, "papers.xlsx"),
        ("papers.parquet", b"PAR1 nothing else", {}, "papers.parquet"),
    ],
)
def test_a_table_that_cannot_be_read_says_why(client, name, content, columns, words):
    answer = client.post("/", data=columns, files={"files": (name, content)})
    assert answer.status_code == 422
    assert words in html.unescape(answer.text)
    assert f"{name}: {name}" not in answer.text


def test_a_row_without_text_costs_itself_only(client):
    answer = client.post("/", files={"files": ("papers.csv", ABSTRACTS + "10.1/c,,\n")})
    assert len(shown(answer)) == 2
    assert "papers.csv:4: the cell in column 'abstract' is empty" in html.unescape(answer.text)


def test_more_documents_than_the_page_can_show_are_counted(client):
    rows = "text\n" + "Rain gardens.\n" * (MOST_SHOWN + 1)
    answer = client.post("/", files={"files": ("papers.csv", rows)})
    assert len(shown(answer)) == MOST_SHOWN
    assert f"papers.csv holds more than {MOST_SHOWN} documents, and the first {MOST_SHOWN} are shown" in answer.text
