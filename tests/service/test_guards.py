"""Who may ask: hosts, addresses and tokens; ports that are taken; what services leave behind that were killed."""

import os
import signal
import socket
import time
from pathlib import Path

import pytest
from tests.end_to_end.program import keywright
from tests.service.running import JSON, NDJSON, TEXT, rows, running

from keywright.core.errors import BadParameter
from keywright.faces.service import server
from keywright.faces.service.app import is_local

GOOD = {"text": TEXT, "top": 1}


def test_only_named_hosts_are_served():
    with running("--jobs", "1", "--allowed-host", "kw.example.org") as service, service.client() as client:
        assert client.get("/", headers={"Host": "kw.example.org:8000"}).status_code == 200
        assert client.get("/", headers={"Host": "KW.example.org"}).status_code == 200
        assert client.get("/healthz").status_code == 200
        for host in ("evil.example.org", "kw.example.org.evil.com", "127.0.0.1:8000", "", "a" * 5_000):
            answer = client.post("/api/extract", json=GOOD, headers={"Host": host})
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


def test_a_service_for_everybody_warns_and_bounds_the_requests_of_one_address():
    options = ("--jobs", "1", "--host", "0.0.0.0", "--per-address", "1")  # noqa: S104 - what is tested
    with running(*options) as service, service.connected() as taken:
        assert service.log[0].startswith(
            "warning: everybody who reaches 0.0.0.0 can use this service; --token-file FILE"
        )
        head = "POST /api/extract/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n"
        taken.sendall((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        time.sleep(0.5)
        with service.client() as client:
            answer = client.post("/api/extract", json=GOOD)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
            assert client.get("/healthz").status_code == 200
            taken.close()
            while client.post("/api/extract", json=GOOD).status_code != 200:
                pass


@pytest.mark.parametrize("host", ["127.0.0.2", "::1", "localhost"])
def test_addresses_of_this_machine(host):
    assert is_local(host)
    assert not is_local("10.0.0.1")


def test_a_port_that_is_taken_is_an_error_with_a_hint():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = keywright("serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    told = done.stderr.decode()
    assert "cannot be listened on: Address already in use" in told
    assert "0 takes a free one" in told
    assert "Traceback" not in told
    with pytest.raises(BadParameter, match="no-such-host"):
        server.check_address("no-such-host.invalid", 80)


def test_uploads_of_a_service_that_was_killed_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(server.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(server.tempfile, "tempdir", str(tmp_path))
    killed, foreign = tmp_path / "keywright-uploads-a", tmp_path / "keywright-uploads-b"
    killed.mkdir()
    (killed / "upload").write_text("text")
    foreign.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    with server.make_upload_folder() as running_one:
        assert killed.is_dir()  # it may have started in this moment
        for folder in (killed, running_one):
            os.utime(folder, (1, 1))
        with server.make_upload_folder():
            assert not killed.exists()
            assert running_one.is_dir()
            assert foreign.is_symlink()
    assert not running_one.exists()


def test_uploads_lie_in_such_a_folder(tmp_path):
    before = f"import tempfile\ntempfile.tempdir = {str(tmp_path)!r}"
    with running("--jobs", "1", before=before) as service:
        (folder,) = tmp_path.glob("keywright-uploads-*")
        service.process.send_signal(signal.SIGKILL)
        service.process.wait()
    assert folder.is_dir()
    os.utime(folder, (1, 1))
    with running("--jobs", "1", before=before):
        assert not folder.exists()
    assert not list(Path(tmp_path).glob("keywright-uploads-*"))


def test_a_row_of_an_error_has_the_id_of_its_record(client):
    lines = [
        '{"id": "1", "text": "Tide gauges drift."}',
        '{"id": "2", "text": ""}',
        '{"text": "a b", "id": 3, "title": 5}',
        '{"id": "4", "text": "a", "text": "b"}',
        '{"id": "5", "text": "a b", "sections": [{"text": 1}]}',
        "[]",
    ]
    answers = rows(client.post("/api/extract/batch?top=1", content="\n".join(lines), headers=NDJSON).text)
    assert [row["id"] for row in answers] == ["1", "2", "3", "4", "5", "batch:6"]
    assert answers[3]["error"]["message"] == "line 4 of batch is not valid JSON: the key 'text' comes twice"


def test_keys_that_come_twice_are_refused(client):
    answer = client.post("/api/extract", content=b'{"text": "a b", "top": 1, "top": 2}', headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert "the key 'top' comes twice" in answer.json()["detail"]


def test_a_full_disk_is_told():
    full = "import errno, tempfile\ndef make(**options): raise OSError(errno.ENOSPC, 'No space left on device')\n"
    with (
        running("--jobs", "1", before=f"{full}tempfile.NamedTemporaryFile = make") as service,
        service.client() as client,
    ):
        answer = client.post("/api/extract/file", files={"file": ("a.txt", "Tide gauges drift.")})
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert "No space left on device" in answer.json()["detail"]
        assert client.get("/healthz").status_code == 200
