"""The serving process keeps little of what is sent, and none of the work: pages, batches, their memory."""

import asyncio
import json
import threading
import tracemalloc
from contextlib import suppress
from pathlib import Path
from unittest import mock
from urllib.parse import parse_qsl, urlencode

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.running import JSON, NDJSON, TEXT, rows, running

from keywright.api.options import options_of_values
from keywright.api.serving import MOST_LISTED, RequestWork, _prepare_once
from keywright.core.errors import TooLarge
from keywright.faces.service import bodies, extraction
from keywright.faces.service import page as service_page
from keywright.faces.service.bodies import unquote_fields
from keywright.faces.service.page import Page, answer_returned
from keywright.reading.limits import limit_memory

URLENCODED = {"Content-Type": "application/x-www-form-urlencoded"}
MOST_MEMORY = 600_000_000  # bytes of the serving process, as SECURITY.md says


def pack(text, phrases):
    """Return what a page sends back of one document; ``phrases``: pairs of a text and its spans."""
    keyphrases = [
        {"text": name, "score": 1.0, "probability": None, "present": bool(spans), "spans": spans}
        for name, spans in phrases
    ]
    document = {"id": "a", "text": text, "sections": [], "language": "en", "meta": {}, "warnings": []}
    document["coverage"] = coverage = {"read": len(text), "given": len(text)}
    result = {"id": "a", "language": "en", "keyphrases": keyphrases, "coverage": coverage, "warnings": []}
    return json.dumps({"signature": "x", "documents": [{"document": document, "result": result}], "steps": []})


def nest(count):
    """Return a page with so many mentions, each inside the one before."""
    spans = [[at, 2 * count - at] for at in range(count)]
    return pack("a" * (2 * count + 1), [(f"p{number}", spans[number::MOST_LISTED]) for number in range(MOST_LISTED)])


def answer(address, **fields: str):
    """Return the answer of a worker to a form."""
    request = httpx.Request("POST", "http://a", files={name: (None, value) for name, value in fields.items()})
    return answer_returned(Page("default"), address, request.headers["content-type"], request.read())


def peak(service):
    """Return the most bytes that the serving process had."""
    status = Path(f"/proc/{service.process.pid}/status").read_text("ascii")
    return 1024 * int(status.split("VmHWM:")[1].split()[0])


@pytest.mark.parametrize(("address", "fields"), [("/shown", {}), ("/export", {"format": "html"})])
def test_pages_grow_with_what_they_show(address, fields):
    """Nested mentions once cost their number squared, in seconds and bytes."""
    sizes = [len(answer(address, state=nest(count), **fields).content) for count in (1_000, 2_000, 4_000)]
    first, second, third = sizes
    assert (third - second) / (second - first) < 2 * 1.3


def test_the_page_of_an_error_does_not_repeat_long_texts(client):
    fields = {"text": "<" * 120_000, "top": "x", "language": "fi"}
    page = client.post("/", data=fields)
    assert page.status_code == 422
    assert len(page.content) < 20_000
    assert 'value="fi"' in page.text
    assert len(answer("/shown", state="x", **fields).content) < 20_000
    assert "Tide &lt; gauges" in client.post("/", data={"text": "Tide < gauges", "top": "x"}).text


def test_the_page_of_an_error_has_a_limit(monkeypatch):
    monkeypatch.setattr(service_page, "_MOST_BYTES", 1_000_000)
    assert answer("/review", state=nest(100)).status == 422  # nothing was accepted
    assert answer("/review", state=nest(20_000)).status == 413


def test_escapes_take_little_memory():
    """Their parts once took seventy times the bytes that were sent, in the serving process."""
    tracemalloc.start()
    fields = asyncio.run(unquote_fields(b"text=" + b"%25" * 1_000_000, 16))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert fields == [("text", "%" * 1_000_000)]
    assert most < 5 * 3_000_000


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=200)), max_size=5), st.integers(1, 9))
def test_forms_are_unquoted_as_by_others(fields, piece):
    content = urlencode(fields, errors="replace").encode()
    with mock.patch.object(bodies, "_PIECE", piece):
        read = asyncio.run(unquote_fields(content, 16))
    assert read == [pair for pair in parse_qsl(content.decode(), keep_blank_values=True) if fields]


@pytest.mark.parametrize("content", [b"a&" * 16, b"&" * 16, b"text=%ff", b"text=\xe4"])
def test_damaged_forms_are_refused(content):
    with pytest.raises(ValueError, match=r"it has|can't decode"):
        asyncio.run(unquote_fields(content, 16))


def test_blanks_are_dropped_as_they_arrive():
    """To look through all of them again with each piece once took the serving process for seconds."""
    lines = extraction._ArrivedLines()
    for piece in (b" " * 1_000, b"\n \r", b" \n {"):
        lines.put(piece)
        assert not lines.has_line()
    assert lines._bytes == b"{"
    lines.put(b"}\n")
    assert lines.has_line()
    assert asyncio.run(lines.get()) == (3, b"{}")


def test_a_text_that_is_too_long_costs_itself_only(client):
    page = client.post("/", data={"text": "a " * 60_000}, files={"files": ("a.txt", "Tide gauges drift.")})
    assert page.status_code == 200
    assert page.text.count("<article") == 1
    assert "at most 100,000 are read" in page.text


def test_a_mark_names_the_best_phrases_that_cover_it():
    page = answer("/shown", state=nest(MOST_LISTED)).content.decode()
    assert 'data-ranks="1 2 3 4 5 6 7 8"' in page
    assert all(f'<a id="d1-{rank}">' in page for rank in range(1, MOST_LISTED + 1))


@pytest.mark.parametrize(
    "state",
    [
        pack("a", [("p", [])] * (MOST_LISTED + 1)),
        pack("a", [("p", [[0, 1]] * 500_001)]),
        pack("a", [("p", [[0, 2]])]),
        "[" * 1_000_000,
        '"\\ud800"',
    ],
    ids=("phrases", "mentions", "outside", "nested", "surrogate"),
)
def test_what_no_page_sends_back_is_refused(state):
    found = answer("/shown", state=state)
    assert found.status == 400
    assert b"something else than it got" in found.content


def test_long_lists_of_options_are_not_kept():
    for count, kept in ((30_000, 0), (3, 1)):
        before = _prepare_once.cache_info().currsize
        phrases = [f"phrase {number}" for number in range(count)]
        RequestWork("kpminer").sign(options_of_values({"stop_phrases": phrases}))
        assert _prepare_once.cache_info().currsize == before + kept


def test_work_on_a_page_has_a_limit_of_memory():
    with pytest.raises(TooLarge, match="needs more than"), limit_memory(100_000_000):
        bytearray(1_000_000_000)
    bytearray(1_000_000_000)


def test_a_page_lists_some_hundred_keyphrases_and_says_so(client):
    text = " ".join(f"Tide gauge {chr(97 + number % 26)}{chr(97 + number // 26)}x drifts." for number in range(600))
    page = client.post("/", data={"text": text, "top": "500"}).text
    assert page.count("<li value=") == MOST_LISTED
    assert f"the page lists the first {MOST_LISTED} keyphrases" in page


def test_texts_of_a_page_are_bounded_together(client):
    files = [("files", (f"{number}.txt", "Tide gauges drift. " * 5_000)) for number in range(3)]
    page = client.post("/", files=files).text  # with their keyphrases, three are above 400,000 bytes
    assert page.count("<article") == 2
    assert "2.txt: the page holds no more text" in page


def test_a_batch_of_too_many_lines_ends_with_a_row_that_says_so():
    before = "import keywright.faces.service.extraction as batches\nbatches.MOST_LINES = 2"
    with running("--jobs", "1", before=before) as service, service.client() as client:
        lines = "".join(f'{{"id": "{name}", "text": "Tide gauges drift."}}\n' for name in "abcd")
        answers = rows(client.post("/api/extract/batch", content=lines, headers=NDJSON).text)
    assert [row["id"] for row in answers] == ["a", "b", "batch"]
    assert answers[2]["error"]["message"] == "the batch has more than 2 lines; those behind were not read"


def test_memory_of_the_worst_bodies():
    """Batches of 19.8 MB with two bytes in each line, pages sent back, objects, escapes, and forms that are wrong."""
    with running("--jobs", "1", fresh=True) as service:
        page = nest(50_000)

        begun, ended = threading.Semaphore(0), threading.Event()

        def send(path, **options: object):
            with suppress(httpx.HTTPError), httpx.Client(base_url=service.address, timeout=60) as client:
                with client.stream("POST", path, **options) as answer:
                    next(answer.iter_bytes())
                    begun.release()
                    ended.wait(60)
                return
            begun.release()

        jobs = [("/api/extract/batch", {"content": b"1\n" * 9_900_000, "headers": NDJSON})] * 8
        jobs += [("/shown", {"files": {"state": (None, page)}})] * 4
        jobs += [("/v1/detect-language", {"content": b'{"text": [' + b"{}," * 6_600_000 + b"0]}", "headers": JSON})] * 2
        jobs += [("/", {"content": b"text=" + b"%25" * 6_600_000, "headers": URLENCODED})] * 4
        jobs += [("/", {"files": {"text": (None, "<" * 19_000_000), "top": (None, "x")}})] * 4
        threads = [threading.Thread(target=send, args=(path,), kwargs=options) for path, options in jobs]
        for thread in threads:
            thread.start()
        for _ in threads:  # all are in work, or were refused
            begun.acquire(timeout=60)
        ended.set()
        for thread in threads:
            thread.join()
        with service.client() as client:
            assert client.post("/api/extract", json={"text": TEXT, "top": 1}).status_code == 200
        assert peak(service) < MOST_MEMORY


def test_blank_lines_are_counted_and_cost_nothing(client):
    lines = b"\n" * 100_000 + b'{"id": "a", "text": "Tide gauges drift."}\n \r\n\n{"text": "without an id"}'
    answers = rows(client.post("/api/extract/batch?top=1", content=lines, headers=NDJSON).text)
    assert [row["id"] for row in answers] == ["a", "batch:100004"]
