"""Requests that are wrong, too large, slow, broken off, or hostile end with a problem, and cost themselves only."""

import json
import socket
import time

import pytest
from tests.hostile.hostile_requests import NAMES
from tests.service.running import JSON, NDJSON, TEXT, rows

GOOD = {"text": TEXT, "top": 1}


@pytest.fixture(autouse=True)
def _still_answers(client):
    """After each test the same process answers with the same worker."""
    yield
    assert client.post("/api/extract", json=GOOD).status_code == 200


def problem(answer):
    values = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert list(values) == ["type", "title", "status", "detail", "code", "hint"]
    assert values["type"] == f"urn:keywright:{values['code']}"
    return values["status"], values["code"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", (400, "bad_request")),
        (b"{", (400, "bad_request")),
        (b"[]", (400, "bad_request")),
        (b'"text"', (400, "bad_request")),
        (b'{"text": "\xff\xfe"}', (400, "bad_request")),
        (b'{"text": "a", "expect": NaN}', (400, "bad_request")),
        (b"[" * 100_000, (400, "bad_request")),
        (b'{"text": "a", "top": 1' + b"0" * 5000 + b"}", (400, "bad_request")),
        (b"{}", (422, "bad_parameter")),
        (b'{"text": "a b", "document": {}}', (422, "bad_parameter")),
        (b'{"text": null}', (422, "bad_parameter")),
        (b'{"text": " \\n "}', (422, "empty_input")),
        (b'{"text": "a tide", "id": 5}', (422, "bad_parameter")),
        (b'{"text": "a tide", "expect": 1e999}', (422, "bad_parameter")),
        (b'{"text": "a tide", "expect": -1}', (422, "bad_parameter")),
        (b'{"text": "a tide", "quality": "superb"}', (422, "bad_parameter")),
        (b'{"text": "a tide", "language": "english"}', (422, "bad_parameter")),
        (b'{"text": "a tide", "style": "poet"}', (422, "bad_parameter")),
        (b'{"text": "a tide", "only_vocabulary": true}', (422, "bad_parameter")),
        (b'{"text": "a tide", "vocabulary": "../../etc"}', (404, "unknown_name")),
        (b'{"document": {"id": "a"}}', (422, "bad_record")),
        (b'{"document": {"id": "a", "text": 5}}', (422, "bad_record")),
        (b'{"document": {"id": "a", "text": "a b", "sections": "c"}}', (422, "bad_record")),
        (b'{"text": "' + b"a " * 60_000 + b'"}', (413, "too_large")),
        (b'{"text": "' + b"a " * 300_000 + b'"}', (413, "too_large")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bodies(client, body, expected):
    assert problem(client.post("/api/extract", content=body, headers=JSON)) == expected


def test_text_that_is_half_a_character_is_answered(client):
    answer = client.post("/api/extract", content=b'{"text": "tide gauges \\ud800 drift, tide gauges"}', headers=JSON)
    assert answer.status_code in {200, 422}


def test_an_unknown_field_names_the_nearest(client):
    answer = client.post("/api/extract", json={"text": TEXT, "vocabluary": "a"})
    assert "did you mean 'vocabulary'?" in answer.json()["hint"]
    assert answer.json()["detail"] == "a request has no field 'vocabluary'"
    assert "top=N" in client.post("/api/extract", json={"text": TEXT, "top_n": 3}).json()["hint"]
    assert (
        "did you mean 'top'?" in client.post("/api/extract/batch?tob=1", content=b"{}", headers=NDJSON).json()["hint"]
    )


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=latin-1"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
    ids=str,
)
def test_media_types(client, headers):
    answer = client.post("/api/extract", content=json.dumps(GOOD).encode(), headers=headers)
    assert problem(answer) == (415, "unsupported_format")


def test_addresses_and_methods(client):
    assert problem(client.get("/api/nothing")) == (404, "unknown_name")
    assert "/api/extract" in client.get("/api/extrct").json()["hint"]
    answer = client.get("/api/extract")
    assert problem(answer) == (405, "wrong_method")
    assert answer.headers["allow"] == "POST"
    assert client.get("/api/extract/").status_code == 404


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_of_files_are_ids_and_never_paths(client, name):
    files = {"file": (name, TEXT.encode())}
    answer = client.post("/api/extract/file", files=files, data={"top": "1"})
    assert answer.status_code in {200, 400, 415, 422}
    if answer.status_code == 200:
        document_id = answer.json()["id"]
        assert not set("/\\\0\n") & set(document_id)
        assert document_id not in {"", ".", ".."}
        assert len(document_id) <= 255


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ({"files": {"file": ("a.jsonl", b'{"id": "a", "text": "b c"}\n{"id": "d", "text": "e f"}\n')}}, 422),
        ({"files": {"file": ("a.csv", b"text,id\nb c,1\n")}}, 415),
        ({"files": {"file": ("a.txt", b"")}}, 422),
        ({"files": {"file": ("a.zip", b"PK\x03\x04" + bytes(40))}}, None),
        ({"files": [("file", ("a.txt", b"a b")), ("file", ("b.txt", b"a b"))]}, 400),
        ({"files": {"file": ("a.txt", b"a b")}, "data": {"top": "ten"}}, 422),
        ({"files": {"file": ("a.txt", b"a b")}, "data": {"tpo": "1"}}, 422),
        ({"files": {"file": ("a.txt", b"a b")}, "data": {"top": ["1", "2"]}}, 422),
        ({"files": {"file": ("a.txt", b"a b")}, "data": {f"field{number}": "1" for number in range(99)}}, 400),
        ({"files": {"file": ("a.txt", b"a b")}, "data": {"language": "e" * 20_000}}, 400),
        ({"files": {"file": ("a.txt", b"a " * 300_000)}}, 413),
    ],
    ids=range(11),
)
def test_forms(client, form, expected):
    status, _ = problem(client.post("/api/extract/file", **form))
    assert status in ({expected} if expected else {415, 422})


def test_a_form_that_breaks_off(client):
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nTide gauges'
    assert problem(client.post("/api/extract/file", content=body, headers=headers))[0] in {400, 422}
    assert (
        problem(client.post("/api/extract/file", content=body, headers={"Content-Type": "multipart/form-data"}))[0]
        == 400
    )


def test_a_body_above_the_limit_is_refused_while_it_arrives(client):
    sent = 0

    def pieces():
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b" " * 10_000
            time.sleep(0.001)

    assert problem(client.post("/api/extract", content=pieces(), headers=JSON)) == (413, "too_large")


def test_a_declared_length_above_the_limit_is_refused_before_it_arrives(service):
    with service.connected() as connection:
        head = "POST /api/extract HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        connection.sendall((head + "Content-Length: 99999999\r\n\r\n").encode())
        began = time.monotonic()
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")
        assert time.monotonic() - began < 5


def test_rows_of_a_batch_fail_by_themselves(client):
    lines = [
        json.dumps({"id": "a", "text": TEXT}).encode(),
        b"\xff\xfe",
        b"null",
        b'{"id": "long", "text": "' + b"a " * 60_000 + b'"}',
        b'{"text": "without an id"}',
        json.dumps({"id": "b", "text": TEXT}).encode(),
    ]
    answers = rows(client.post("/api/extract/batch?top=1", content=b"\n".join(lines), headers=NDJSON).text)
    assert [(row["id"], row.get("error", {}).get("code")) for row in answers] == [
        *(("a", None), ("batch:2", "bad_record"), ("batch:3", "bad_record"), ("long", "too_large")),
        *(("batch:5", "bad_record"), ("b", None)),
    ]


@pytest.mark.parametrize(("body", "expected"), [(b"", 422), (b"\n \n", 422), (b"x" * 500_000, 413)])
def test_batches_that_hold_nothing_or_too_much(client, body, expected):
    assert problem(client.post("/api/extract/batch", content=body, headers=NDJSON))[0] == expected


def test_a_batch_that_becomes_too_large_ends_with_a_row_that_says_so(client):
    def pieces():
        for number in range(40):
            yield json.dumps({"id": f"d{number}", "text": TEXT}).encode() + b"\n"
            time.sleep(0.01)
        yield b" " * 500_000

    answers = rows(client.post("/api/extract/batch?top=1", content=pieces(), headers=NDJSON).text)
    assert [row["id"] for row in answers[:40]] == [f"d{number}" for number in range(40)]
    assert answers[40]["error"]["code"] == "too_large"


def test_rows_come_while_the_batch_is_still_on_its_way(service):
    with service.connected() as connection:
        head = "POST /api/extract/batch?top=1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        answered = b""
        for number in range(3):
            line = json.dumps({"id": f"d{number}", "text": TEXT}).encode() + b"\n"
            connection.sendall(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            while f'"d{number}"'.encode() not in answered:
                answered += connection.recv(100_000)
        connection.sendall(b"0\r\n\r\n")
        while not answered.endswith(b"0\r\n\r\n"):
            answered += connection.recv(100_000)
    assert answered.startswith(b"HTTP/1.1 200 ")


def test_uploads_that_are_broken_off_are_forgotten(service, client):
    for _ in range(20):
        with service.connected() as connection:
            head = "POST /api/extract/file HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n"
            connection.sendall((head + "Content-Length: 100000\r\n\r\n--b\r\n").encode())
    time.sleep(0.3)
    text = client.get("/metrics").text
    assert "keywright_requests_admitted 0.0" in text
    assert 'route="/api/extract/file",status="499"' in text


@pytest.mark.parametrize(
    "data", [b"\x16\x03\x01 no HTTP \x00\r\n\r\n", b"GET " + b"a" * 100_000, b"POST / HTTP/9\r\n\r\n"]
)
def test_what_is_not_http_is_closed(service, data):
    with service.connected() as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(10_000)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 4")


def test_the_log_has_no_text(service, client):
    word = "tide-gauge-ebbing"  # no number, which a count or a time may hold by chance
    client.post("/api/extract", json={"text": f"{word} drifts. {word} rises."})
    client.get(f"/{word}?{word}")
    client.request(word.upper().replace("-", ""), "/healthz")
    client.post("/api/extract/file", files={"file": (word, word.encode())})
    client.post(f"/api/extract/batch?{word}=1", content=b"{}", headers=NDJSON)
    time.sleep(0.2)
    log, numbers = "\n".join(service.log), client.get("/metrics").text
    assert "ebbing" not in (log + numbers).lower()
    assert "POST /api/extract 200 " in log
    assert "GET (no route) 404 " in log


@pytest.mark.parametrize(
    "parameters", ["charset=punycode", 'x="charset=utf-8"; charset=punycode', "charset=utf-8; charset=punycode"]
)
def test_forms_in_other_encodings_are_refused(client, parameters):
    """Some codecs of Python take hours for a megabyte."""
    head = {"Content-Type": f"multipart/form-data; boundary=b; {parameters}"}
    body = b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nTide gauges drift.\r\n--b--\r\n'
    assert client.post("/", content=body, headers=head).status_code == 415


def test_forms_of_many_fields_are_refused(client):
    fields = {f"field{number}": (None, "x") for number in range(65)}
    assert client.post("/", files=fields).status_code == 400
