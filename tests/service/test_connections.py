"""Connections over a bare socket: too many, silent, slow, and broken off; each costs itself only."""

import json
import os
import re
import signal
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from tests.service.running import TEXT, running
from tests.service.test_bounds import nest

MOST = 4  # connections that the service of these tests takes
SILENCE = 1.0  # seconds that it waits for the head of a request
SMALL = f"""
import keywright.faces.service.server as connections
connections.MOST_CONNECTIONS = {MOST}
connections._HEAD_SECONDS = {SILENCE}
"""
REQUEST = json.dumps({"text": TEXT, "top": 1}).encode()
HEAD = b"POST /api/extract HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
UPLOAD = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n"
UPLOAD += b"Content-Length: 90000\r\n\r\n--b\r\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="connections are closed in other ways elsewhere")


@pytest.fixture(scope="module")
def small():
    with running("--jobs", "1", "--timeout", "3", before=SMALL) as service:
        yield service


def everything(connection):
    """Return all bytes until the other side closes; one that closes with bytes unread resets the connection."""
    data = b""
    try:
        while piece := connection.recv(100_000):
            data += piece
    except ConnectionResetError:
        pass
    return data


def answer(connection):
    """Return the status and the values of one answer."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(100_000)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
    )
    while len(body) < length:
        body += connection.recv(100_000)
    return int(head.split()[1]), json.loads(body)


def test_connections_above_the_limit_are_closed_and_those_in_work_are_answered(small):
    with ExitStack() as stack:
        working = [stack.enter_context(small.connected()) for _ in range(MOST)]
        for connection in working:  # in work: their bodies have begun
            connection.sendall(HEAD % len(REQUEST) + REQUEST[:10])
        time.sleep(0.1)
        refused = [stack.enter_context(small.connected()) for _ in range(2)]
        for connection in refused:
            assert everything(connection) == b""
        for connection in working:
            connection.sendall(REQUEST[10:])
        answers = [answer(connection) for connection in working]
        assert [status for status, _ in answers] == [200] * MOST
        assert len({json.dumps(values) for _, values in answers}) == 1
    with small.client() as client:
        assert client.post("/api/extract", content=REQUEST, headers={"Content-Type": "application/json"}).is_success


def test_a_flood_of_connections_is_closed_and_forgotten(small):
    with ExitStack() as stack:
        held = [stack.enter_context(small.connected()) for _ in range(MOST + 30)]
        for connection in held[:MOST]:
            connection.sendall(HEAD % len(REQUEST) + REQUEST)
            assert answer(connection)[0] == 200
        assert {everything(connection) for connection in held[MOST:]} == {b""}
    if sys.platform == "linux":
        assert len(list(Path(f"/proc/{small.process.pid}/fd").iterdir())) < 100


@pytest.mark.parametrize(
    "sent", [b"", b"POST /api/ext", HEAD.partition(b"Content-Length")[0]], ids=["nothing", "line", "head"]
)
def test_a_connection_without_the_head_of_a_request_is_closed(small, sent):
    with small.connected() as connection:
        began = time.monotonic()
        connection.sendall(sent)
        assert everything(connection) == b""
        assert SILENCE * 0.9 < time.monotonic() - began < SILENCE + 10


def test_a_head_that_comes_in_drops_is_closed_in_the_same_time(small):
    with small.connected() as connection:
        began = time.monotonic()
        try:
            for letter in b"GET /healthz HTTP/1.1\r\nHost: " + b"a" * 1_000:
                connection.sendall(bytes([letter]))
                time.sleep(0.02)
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert time.monotonic() - began < SILENCE + 10


def test_a_body_that_comes_in_drops_is_answered_with_408_and_others_are_not_kept_waiting(small):
    with small.connected() as slow, small.connected() as quick:
        slow.sendall(HEAD % len(REQUEST) + REQUEST[:5])
        quick.sendall(HEAD % len(REQUEST) + REQUEST)
        assert answer(quick)[0] == 200
        status, values = answer(slow)
        assert (status, values["code"]) == (408, "too_slow")
        assert "--timeout" in values["hint"]
        assert everything(slow) == b""


@pytest.mark.parametrize("begun", [UPLOAD, HEAD % 5_000 + REQUEST[:10]], ids=["upload", "text"])
def test_bodies_that_are_broken_off_leave_nothing(small, begun):
    for _ in range(2 * MOST):  # more than there may be connections: none is still counted
        with small.connected() as connection:
            connection.sendall(begun)
        deadline = time.monotonic() + 10
        with small.client() as client:
            while "keywright_requests_admitted 0.0" not in client.get("/metrics").text:
                assert time.monotonic() < deadline
                time.sleep(0.02)
    with small.client() as client:
        assert client.post("/api/extract", content=REQUEST, headers={"Content-Type": "application/json"}).is_success


def test_a_client_that_does_not_read_is_closed():
    """A page of many megabytes would stay in memory for as long as the client likes."""
    page = httpx.Request("POST", "http://a", files={"state": (None, nest(40_000))})
    before = "import keywright.faces.service.server as server\nserver._READ_SECONDS = 0.5"
    with running("--jobs", "1", before=before) as service, service.connected() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        head = f"POST /shown HTTP/1.1\r\nHost: a\r\nContent-Type: {page.headers['content-type']}\r\n"
        body = page.read()
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        with service.client() as client:
            while 'route="/shown"' not in client.get("/metrics").text:
                time.sleep(0.1)
        time.sleep(2)
        size = int(re.search(rb"content-length: (\d+)", connection.recv(1_000).lower())[1])
        received = 0
        try:
            while piece := connection.recv(1_000_000):
                received += len(piece)
        except ConnectionResetError:
            pass
        assert received < size - 1_000_000


SMALL_BUFFERS = """
import socket
import keywright.faces.service.server as server
server._READ_SECONDS, server._KEEP_ALIVE = 0.5, 1
take = server.BoundedConnection.connection_made
def connection_made(self, transport):
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
    take(self, transport)
server.BoundedConnection.connection_made = connection_made
"""


def test_a_client_that_leaves_a_little_unread_is_closed():
    """Below the 64 KB from which writing pauses, the connection once stayed for as long as the client liked."""
    with running("--jobs", "1", before=SMALL_BUFFERS) as service, socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(5)
        host, port = service.address.removeprefix("http://").split(":")
        connection.connect((host, int(port)))
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(3)
        received = everything(connection)
        assert len(received) < int(re.search(rb"content-length: (\d+)", received.lower())[1])


CHUNKED = HEAD.partition(b"Content-Length")[0] + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"


@pytest.mark.parametrize(
    ("begun", "endless"),
    [
        (HEAD % len(REQUEST) + REQUEST, b"GET /healthz HTTP/1.1\r\nA: " + b"a" * 1_000_000),
        (HEAD % len(REQUEST) + REQUEST, b"GET /healthz HTTP/1.1\r\n" + b"A: a\r\n" * 200_000),
        (HEAD % len(REQUEST) + REQUEST, b"GET /" + b"a" * 1_000_000),
        (CHUNKED, b"0\r\n" + b"A: a\r\n" * 200_000),
        (CHUNKED, b"1;" + b"a" * 1_000_000),
        (b"", b"GET /healthz HTTP/1.1\r\n\r\n" * 40_000),
    ],
    ids=("head", "lines", "address", "trailers", "extension", "requests"),
)
def test_heads_without_end_are_closed_while_a_request_is_in_work(begun, endless):
    """They were kept in memory, without any limit, until the request was answered."""
    with running("--jobs", "1") as service, service.connected() as connection:
        (worker,) = service.workers()
        os.kill(worker, signal.SIGSTOP)  # the request stays in work
        connection.sendall(begun)
        time.sleep(0.3)
        try:
            for at in range(0, len(endless), 50_000):
                connection.sendall(endless[at : at + 50_000])
                time.sleep(0.01)
            sent = True
        except (BrokenPipeError, ConnectionResetError):
            sent = False
        finally:
            os.kill(worker, signal.SIGCONT)
        assert not sent


def test_a_few_requests_may_be_sent_at_once(small):
    with small.connected() as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" * 8)
        data = b""
        while data.count(b"HTTP/1.1 200 OK") < 8:
            data += connection.recv(100_000)
