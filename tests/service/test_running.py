"""Tokens, origins, stops, and what is lost when a process dies, hangs, or is left alone: only what it worked on."""

import contextlib
import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.end_to_end.program import keywright
from tests.service.running import CREDENTIAL, ELSEWHERE, NDJSON, TEXT, rows, running

GOOD = {"text": TEXT, "top": 1}
LONG = "The tide gauges of the harbour drift, and sea levels rise with the {} moon. "

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and processes are looked at")


def long_text(number: int) -> str:
    """Return a text on which the work takes much longer than a short time limit."""
    return "".join(LONG.format(f"word{place}x") for place in range(number))


def test_parameters_of_the_system():
    options = ("--jobs", "1", "--system", "kpminer", "--param", "least_seen=1")
    with running(*options) as service, service.client() as client:
        answer = client.post("/api/extract", json={"text": "Tide gauges drift. A harbour has tide gauges."}).json()
    assert "|least_seen:1|" in answer["signature"]
    assert "harbour" in [keyphrase["text"] for keyphrase in answer["keyphrases"]], "mentioned once"
    refused = keywright("serve", "--port", "0", "--param", "least=1")
    assert (refused.returncode, b"no parameter of default called 'least'" in refused.stderr) == (2, True)


def test_tokens(guarded):
    with guarded.client() as client:
        refused = [
            client.get("/api/systems"),
            client.get("/there/is/nothing"),
            client.post("/api/extract", json=GOOD),
            client.get("/api/systems", headers={"Authorization": "Bearer " + CREDENTIAL[:-1]}),
            client.get("/api/systems", headers={"Authorization": f"Basic {CREDENTIAL}"}),
            client.get("/api/systems", headers={"Authorization": ""}),
            client.get(
                "/api/systems", headers=[("Authorization", f"Bearer {CREDENTIAL}"), ("Authorization", "Bearer x")]
            ),
            client.get(f"/api/systems?token={CREDENTIAL}"),
            client.get("/metrics"),
            client.get("/openapi.json"),
        ]
        assert {answer.status_code for answer in refused} == {401}
        assert len({answer.content for answer in refused}) == 1, "the same answer whatever was asked for"
        assert refused[0].headers["www-authenticate"].endswith('Bearer realm="keywright"')
        assert client.get("/healthz").status_code == client.get("/readyz").status_code == 200
        for token in (CREDENTIAL, "another-token-4711-0815"):
            answer = client.post("/api/extract", json=GOOD, headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code == 200
        assert client.get("/there/is/nothing", headers={"Authorization": f"bearer {CREDENTIAL}"}).status_code == 404
    assert CREDENTIAL not in "\n".join(guarded.log)


@pytest.mark.parametrize("content", [None, "", "# nothing\n", "short\n", "sixteen characters with blanks\n", "ä" * 20])
def test_a_file_of_tokens_that_protects_nothing_is_refused(tmp_path, content):
    if content is not None:
        (tmp_path / "tokens").write_text(content, "utf-8")
    done = keywright("serve", "--token-file", tmp_path / "tokens", "--port", "0")
    assert done.returncode == (4 if content is None else 3)
    assert b"token" in done.stderr


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("--system", "defualt"), 2),
        (("--vocabulary", "nowhere"), 3),
        (("--jobs", "0"), 2),
        (("--timeout", "0"), 2),
        (("--port", "70000"), 2),
        (("--cors", "example.org"), 2),
    ],
)
def test_wrong_options_end_the_command_before_it_listens(options, status):
    done = keywright("serve", *options)
    assert done.returncode == status, done.stderr
    assert b"Traceback" not in done.stderr


def test_other_sites(guarded):
    asked = {"Origin": ELSEWHERE, "Access-Control-Request-Method": "POST"}
    asked |= {"Access-Control-Request-Headers": "authorization,content-type"}
    with guarded.client() as client:
        allowed = client.options("/api/extract", headers=asked)
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, ELSEWHERE)
        other = client.options("/api/extract", headers={**asked, "Origin": "https://b.example"})
        assert "access-control-allow-origin" not in other.headers
        answer = client.get("/healthz", headers={"Origin": "https://b.example"})
        assert "access-control-allow-origin" not in answer.headers


def test_a_document_that_takes_too_long_is_ended_and_others_are_answered():
    with running("--jobs", "2", "--timeout", "0.4") as service, service.client() as client:
        before = service.workers()
        answer = client.post("/api/extract", json={"text": long_text(20_000)})
        assert (answer.status_code, answer.json()["code"]) == (504, "took_too_long")
        assert client.post("/api/extract", json=GOOD).status_code == 200
        lines = [json.dumps({"id": "a", "text": TEXT}), json.dumps({"id": "b", "text": long_text(20_000)})]
        lines.append(json.dumps({"id": "c", "text": TEXT}))
        answers = rows(client.post("/api/extract/batch?top=1", content="\n".join(lines), headers=NDJSON).text)
        assert [(row["id"], row.get("error", {}).get("code")) for row in answers] == [
            *(("a", None), ("b", "took_too_long"), ("c", None))
        ]
        deadline = time.monotonic() + 20
        while len(service.workers()) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(service.workers() - before) == 2, "both processes were replaced"
        assert 'keywright_workers_replaced_total{reason="time limit"} 2.0' in client.get("/metrics").text


def test_workers_that_are_killed_under_load_lose_no_answer():
    with running("--jobs", "2", "--queue", "64") as service:
        stop, kills = threading.Event(), []

        def kill():
            with service.client() as client:
                while not stop.wait(0.2):
                    if "keywright_workers 2.0" in client.get("/metrics").text:
                        kills.append(min(service.workers()))
                        os.kill(kills[-1], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        with service.client() as client, ThreadPoolExecutor(8) as threads:
            answers = []
            while len(kills) < 2 and len(answers) < 2_000:
                answers += threads.map(lambda _: client.post("/api/extract", json=GOOD), range(100))
        stop.set()
        killer.join()
        assert len(kills) >= 2
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1


def test_a_full_queue_is_said_at_once_with_a_time_to_wait():
    with running("--jobs", "1", "--queue", "1") as service, ThreadPoolExecutor(6) as threads:

        def ask(number):
            with service.client() as client:
                return client.post("/api/extract", json={"text": long_text(2_000), "id": str(number)})

        answers = list(threads.map(ask, range(6)))
    busy = [answer for answer in answers if answer.status_code == 429]
    assert [answer.status_code for answer in answers if answer.status_code != 429] == [200] * (6 - len(busy))
    assert 1 <= len(busy) <= 4
    assert {answer.json()["code"] for answer in busy} == {"busy"}
    assert all(1 <= int(answer.headers["retry-after"]) <= 60 for answer in busy)


def test_a_stop_under_load_answers_what_was_accepted_and_refuses_the_rest():
    with running("--jobs", "1", "--queue", "32") as service:
        texts = [long_text(6_000)] * 4  # so long that none is done before all have come

        def ask(text):
            with service.client() as client:
                return client.post("/api/extract", json={"text": text})

        with service.client() as client, ThreadPoolExecutor(4) as threads:
            client.get("/healthz")  # a connection that is open before the stop
            asked = [threads.submit(ask, text) for text in texts]
            deadline = time.monotonic() + 20
            while "requests_admitted 4.0" not in client.get("/metrics").text:
                assert time.monotonic() < deadline, "the four requests were never in work together"
                time.sleep(0.02)
            service.process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
            late = client.post("/api/extract", json=GOOD)
            assert (late.status_code, late.json()["code"]) == (503, "unavailable")
            assert client.get("/readyz").status_code == 503
            assert client.get("/healthz").status_code == 200
            assert [each.result().status_code for each in asked] == [200] * 4
        assert service.process.wait(timeout=30) == 0
    assert any(line.startswith("stopping: 4 requests") for line in service.log)


def test_a_second_signal_ends_everything_at_once():
    with running("--jobs", "1") as service, ThreadPoolExecutor(1) as threads:
        workers = service.workers()

        def ask():
            with service.client() as client, contextlib.suppress(httpx.HTTPError):
                assert client.post("/api/extract", json={"text": long_text(20_000)}).status_code == 503

        asked = threads.submit(ask)
        with service.client() as client:
            while "requests_admitted 1.0" not in client.get("/metrics").text:
                time.sleep(0.01)
        began = time.monotonic()
        service.process.send_signal(signal.SIGINT)
        while not any(line.startswith("stopping") for line in service.log):  # two signals at once would be one
            time.sleep(0.01)
        service.process.send_signal(signal.SIGINT)
        service.process.wait(timeout=20)
        assert time.monotonic() - began < 10
        asked.result()
        for worker in workers:
            with pytest.raises(ProcessLookupError):
                os.kill(worker, 0)


def test_workers_end_with_a_service_that_is_killed():
    with running("--jobs", "1") as service:
        workers = service.workers()
        os.kill(service.process.pid, signal.SIGKILL)
        service.process.wait()
        deadline = time.monotonic() + 10
        while any(Path(f"/proc/{worker}/stat").exists() for worker in workers) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(Path(f"/proc/{worker}/stat").exists() for worker in workers)
