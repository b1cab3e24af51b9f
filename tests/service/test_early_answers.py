"""Answers to large bodies that are not read arrive, whatever refuses them, and the connection is closed."""

import json

import pytest
from tests.service.running import JSON, NDJSON, running

LARGE = b" " * 3_000_000


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("POST", "/api/nothing", JSON, 404),
        ("PUT", "/api/extract", JSON, 405),
        ("POST", "/healthz", JSON, 405),
        ("POST", "/api/extract", JSON, 413),
        ("POST", "/api/extract", {"Content-Type": "text/plain"}, 415),
        ("POST", "/v1/projects/none/suggest", JSON, 404),
        ("POST", "/shown", JSON, 415),
    ],
)
def test_errors_arrive(client, method, path, headers, status):
    for _ in range(5):
        answer = client.request(method, path, content=LARGE, headers=headers)
        assert answer.status_code == status
        assert answer.headers["connection"] == "close"


def test_bodies_of_any_length_get_their_error(client):
    """A length that is not declared may be any."""
    answer = client.post("/api/nothing", content=(LARGE[:100_000] for _ in range(30)), headers=JSON)
    assert answer.status_code == 404


def test_small_bodies_keep_the_connection(client):
    answer = client.post("/api/nothing", content=b"{}", headers=JSON)
    assert (answer.status_code, answer.headers.get("connection")) == (404, None)


def test_missing_tokens_are_told(guarded):
    with guarded.client() as client:
        for _ in range(5):
            assert client.post("/api/extract", content=LARGE, headers=JSON).status_code == 401


def test_a_full_and_a_stopping_service_say_so():
    with running("--jobs", "1", "--queue", "0") as service, service.connected() as taken:
        head = "POST /api/extract/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n"
        taken.sendall((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        line = json.dumps({"id": "a", "text": "Tide gauges drift."}).encode() + b"\n"
        taken.sendall(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        assert taken.recv(100_000)  # the first row is there, and the batch still in work
        with service.client() as client:
            for _ in range(5):
                assert client.post("/api/extract/batch", content=LARGE, headers=NDJSON).status_code == 429
            service.process.terminate()
            while client.get("/readyz").status_code == 200:
                pass
            for _ in range(3):
                assert client.post("/api/extract/batch", content=LARGE, headers=NDJSON).status_code == 503
