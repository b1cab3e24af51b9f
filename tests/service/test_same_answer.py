"""One request through Python, the command line and the service gives the same bytes."""

import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.end_to_end.program import first_record, keywright
from tests.house.tree import ROOT
from tests.service.running import JSON, NDJSON, TEXT, rows, running
from tests.unit.extraction.ranking.test_absent_phrases import PICTURES

import keywright as kw

EXAMPLES = ROOT / "examples"
OPTIONS = {"top": 7, "explain": True}


def as_printed(body: bytes) -> bytes:
    """Return an answer as ``extract --json`` prints a list of one."""
    return b"[\n" + body + b"\n]\n"


def test_a_text(client):
    printed = keywright("extract", "-", "--json", "--top", "7", "--explain", stdin=TEXT.encode()).stdout
    answer = client.post("/api/extract", json={"text": TEXT, "id": "stdin", **OPTIONS})
    assert answer.headers["content-type"] == "application/json"
    assert as_printed(answer.content) == printed
    prediction = kw.extract(kw.document(TEXT, "stdin"), **OPTIONS)
    assert answer.json() == first_record(prediction, kw.system("default"))


def test_a_record(client, tmp_path):
    record = {"id": "a", "title": "Tides", "abstract": TEXT, "venue": "Seas", "language": "en"}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    printed = keywright(
        "extract", tmp_path / "a.jsonl", "--json", "--style", "author", "--min-probability", "0.1"
    ).stdout
    answer = client.post("/api/extract", json={"document": record, "style": "author", "min_probability": 0.1})
    assert as_printed(answer.content) == printed


@pytest.mark.parametrize("file", ["article.pdf", "article.html", "article.jats.xml", "article.docx", "note.txt"])
def test_a_file(client, file):
    printed = keywright("extract", file, "--json", "--top", "3", cwd=EXAMPLES).stdout
    with (EXAMPLES / file).open("rb") as content:
        answer = client.post("/api/extract/file", files={"file": content}, data={"top": "3"})
    assert as_printed(answer.content) == printed


def test_a_batch(client, tmp_path):
    lines = (EXAMPLES / "abstracts.jsonl").read_bytes().splitlines(keepends=True)
    batch = b"".join([*lines, b"\n", lines[0], b"{broken}\n", b'{"id": "nothing"}\n'])
    (tmp_path / "batch").write_bytes(batch)
    printed = keywright("extract", "batch", "--input-format", "jsonl", "--json", "--top", "2", cwd=tmp_path).stdout
    answer = client.post("/api/extract/batch?top=2", content=batch, headers=NDJSON)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert rows(answer.text) == json.loads(printed)
    assert printed == b"[\n" + answer.content.rstrip(b"\n").replace(b"\n", b",\n") + b"\n]\n"


def test_requests_at_once(service, client):
    """Bodies of sixteen clients, good and bad, get the answers that they get one by one."""
    texts = [f"{TEXT} Buoy {number} drifts past the harbour wall of Brest." for number in range(16)]
    good = [{"text": text, "top": 3 + number % 3, "explain": number % 4 == 0} for number, text in enumerate(texts)]
    concepts = [{"text": text, "vocabulary": "tides", "language": "en"} for text in texts[:4]]
    bad = [{"text": ""}, {"text": 7}, {"text": TEXT, "vocabulary": "none"}, {"text": "Z" * 100_001}, [], {"topp": 1}]
    long = [{"text": " ".join(texts * 20)}]
    bodies = [body for several in itertools.zip_longest(good, concepts, bad, long) for body in several if body]
    alone = [client.post("/api/extract", json=body) for body in bodies]

    def ask(body):
        with service.client() as another:
            return another.post("/api/extract", json=body)

    with ThreadPoolExecutor(16) as clients:
        together = list(clients.map(ask, bodies * 3))
    assert [(each.status_code, each.content) for each in together] == [
        (each.status_code, each.content) for each in alone
    ] * 3
    assert [each.status_code for each in alone].count(200) == len(good + concepts + long)


def test_a_vocabulary_of_concepts(client, vocabularies):
    options = ("--vocabulary", "tides", "--only-vocabulary", "--label-language", "fi", "--broader", "--language", "en")
    printed = keywright("extract", "-", "--json", *options, stdin=TEXT.encode(), cwd=vocabularies).stdout
    options = {"vocabulary": "tides", "only_vocabulary": True, "label_language": "fi", "broader": True}
    answer = client.post("/api/extract", json={"text": TEXT, "id": "stdin", "language": "en", **options})
    assert as_printed(answer.content) == printed
    assert [each["concept"]["uri"][-5:] for each in answer.json()["keyphrases"]] == ["gauge", "level", "g/sea"]


def test_phrases_that_are_chosen(client, tmp_path):
    (tmp_path / "stopped").write_text("tide gauge\nsea\n")
    options = ("--stop-phrases", "stopped", "--diversity", "0.3", "--min-words", "2", "--expand-acronyms")
    printed = keywright("extract", "-", "--json", *options, stdin=TEXT.encode(), cwd=tmp_path).stdout
    chosen = {"stop_phrases": ["tide gauge", "sea"], "diversity": 0.3, "min_words": 2, "expand_acronyms": True}
    answer = client.post("/api/extract", json={"text": TEXT, "id": "stdin", **chosen})
    assert as_printed(answer.content) == printed
    form = {"stop_phrases": "tide gauge\n sea", "diversity": "0.3", "min_words": "2", "expand_acronyms": "yes"}
    file = {"file": ("stdin", TEXT.encode())}
    assert client.post("/api/extract/file", files=file, data=form).json()["keyphrases"] == answer.json()["keyphrases"]
    address = "/api/extract/batch?stop_phrases=tide+gauge&stop_phrases=sea&diversity=.3&min_words=2&expand_acronyms=1"
    record = json.dumps({"id": "a", "text": TEXT}).encode()
    row = rows(client.post(address, content=record, headers=NDJSON).text)[0]
    assert row["keyphrases"] == answer.json()["keyphrases"]


def test_phrases_of_a_list_come_first(client, tmp_path):
    (tmp_path / "terms").write_text("sea level\n")
    printed = keywright("extract", "-", "--json", "--vocabulary", "terms", stdin=TEXT.encode(), cwd=tmp_path).stdout
    answer = client.post("/api/extract", json={"text": TEXT, "id": "stdin", "vocabulary": ["sea level"]})
    assert as_printed(answer.content) == printed
    assert answer.json()["keyphrases"][0]["text"] == "sea level"


def test_guarantees(client, tmp_path):
    options = {"min_precision": 0.2, "confidence_level": 0.8}
    answer = client.post("/api/extract", json={"text": TEXT, **options})
    assert answer.status_code == 422
    assert answer.json()["detail"] == "min_precision needs a calibrator, and default has none"
    labelled = EXAMPLES / "labelled.jsonl"
    keywright("run", "sgrank", labelled, "-o", tmp_path / "run.jsonl", "--quiet")
    keywright("calibrate", tmp_path / "run.jsonl", "--gold", labelled, "-o", tmp_path / "c.json", "--quiet")
    calibrated = ("--system", "sgrank", "--calibrator", tmp_path / "c.json")
    on_command_line = ("--min-precision", "0.2", "--confidence-level", "0.8")
    printed = keywright("extract", "-", "--json", *calibrated, *on_command_line, stdin=TEXT.encode()).stdout
    with running("--jobs", "1", *calibrated) as started, started.client() as other:
        answer = other.post("/api/extract", json={"text": TEXT, "id": "stdin", **options})
    assert as_printed(answer.content) == printed


def test_absent_keyphrases(client):
    printed = keywright("extract", "-", "--json", "--absent", stdin=PICTURES.encode()).stdout
    answer = client.post("/api/extract", json={"text": PICTURES, "id": "stdin", "absent": True})
    assert as_printed(answer.content) == printed
    assert not all(each["present"] for each in answer.json()["keyphrases"])


def test_quality_best(client):
    printed = keywright("extract", "-", "--json", "--quality", "best", stdin=PICTURES.encode()).stdout
    answer = client.post("/api/extract", json={"text": PICTURES, "id": "stdin", "quality": "best"})
    assert as_printed(answer.content) == printed
    assert client.post("/api/extract", json={"text": PICTURES, "quality": "standard"}).json() != answer.json()


def test_systems(client):
    assert client.get("/api/systems").json() == json.loads(keywright("systems", "--json").stdout)


def test_answers_do_not_depend_on_requests_before(client):
    first = client.post("/api/extract", content=json.dumps({"text": TEXT}), headers=JSON).content
    client.post("/api/extract", json={"text": "Lichens grow on trees.", "language": "fr", "top": 1})
    assert client.post("/api/extract", json={"text": TEXT}).content == first
