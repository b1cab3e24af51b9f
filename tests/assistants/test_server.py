"""Tools for assistants, called by the client of the SDK: in memory, and over standard input and output."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

import anyio
import pytest
from tests.end_to_end.program import PROGRAM, keywright
from tests.house.tree import ROOT
from tests.integrations.hosts import host

import keywright as kw
from keywright.faces.exit_codes import MEANINGS

mcp = host("mcp")
server, tools = (pytest.importorskip(f"keywright.faces.assistants.{name}") for name in ("server", "tools"))

TEXT = "Tide gauges measure sea level. A tide gauge drifts, so tide gauges are compared with satellite altimetry."
ARTICLE = ROOT / "examples" / "article.pdf"


def over_folder(folder: Path | None, most_characters=100_000, most_bytes=1_000_000, **system: object):
    opened = None if folder is None else tools.OpenFolder(folder.resolve(), most_bytes)
    return server.make_server(
        tools.Tools(**{"system": "default", "folder": opened, **system}, most_characters=most_characters)
    )


def asked(target, ask):
    """What an asynchronous function returns that gets a connected client."""

    async def connected():
        async with mcp.Client(target) as client:
            return await ask(client)

    return anyio.run(connected)


def called(target, name, **arguments: object):
    return asked(target, lambda client: client.call_tool(name, arguments))


def error_of(result):
    assert result.is_error
    return result.structured_content["error"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "tides.txt").write_text(TEXT, "utf-8")
    (tmp_path / "papers" / "article.pdf").write_bytes(ARTICLE.read_bytes())
    (tmp_path / "secret.txt").write_text("The secret tide gauge.", "utf-8")
    return tmp_path / "papers"


def test_tools_say_what_they_take_and_give():
    listed = asked(over_folder(ROOT), lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == ["extract_keyphrases", "extract_file", "score_keyphrases", "list_systems"]
    for tool in listed:
        assert tool.description
        assert tool.input_schema["additionalProperties"] is False
        assert all("description" in value or "enum" in value for value in tool.input_schema["properties"].values())
        assert tool.output_schema["type"] == "object"
        assert tool.annotations.read_only_hint


def test_without_a_folder_no_tool_reads_files():
    names = [tool.name for tool in asked(over_folder(None), lambda client: client.list_tools()).tools]
    assert names == ["extract_keyphrases", "score_keyphrases", "list_systems"]
    assert error_of(called(over_folder(None), "extract_file", path="a.txt"))["code"] == "unknown_name"


def test_keyphrases_of_a_text_equal_those_of_the_command_line():
    result = called(over_folder(None), "extract_keyphrases", text=TEXT, top=3, explain=True, style="author")
    done = keywright("extract", "-", "--json", "--top", "3", "--explain", "--style", "author", stdin=TEXT.encode())
    (expected,) = json.loads(done.stdout)
    assert result.structured_content == {**expected, "id": "text"}
    assert json.loads(result.content[0].text) == result.structured_content


def test_phrases_are_chosen_as_on_the_command_line(tmp_path):
    (tmp_path / "stopped").write_text("tide gauge\n")
    options = ("--stop-phrases", tmp_path / "stopped", "--diversity", "0.4", "--min-words", "2", "--top", "2000")
    done = keywright("extract", "-", "--json", *options, stdin=TEXT.encode())
    chosen = {"stop_phrases": ["tide gauge"], "diversity": 0.4, "min_words": 2, "top": 2_000}
    result = called(over_folder(None), "extract_keyphrases", text=TEXT, **chosen)
    assert [result.structured_content] == [{**each, "id": "text"} for each in json.loads(done.stdout)]


def test_guarantees_need_the_calibrator_of_the_server(tmp_path):
    labelled = ROOT / "examples" / "labelled.jsonl"
    keywright("run", "sgrank", labelled, "-o", tmp_path / "run.jsonl", "--quiet")
    keywright("calibrate", tmp_path / "run.jsonl", "--gold", labelled, "-o", tmp_path / "c.json", "--quiet")
    calibrated = over_folder(None, system="sgrank", calibrator=tmp_path / "c.json")
    options = ("--system", "sgrank", "--calibrator", tmp_path / "c.json", "--min-precision", "0.2")
    done = keywright("extract", "-", "--json", *options, stdin=TEXT.encode())
    result = called(calibrated, "extract_keyphrases", text=TEXT, min_precision=0.2)
    assert [result.structured_content] == [{**each, "id": "text"} for each in json.loads(done.stdout)]
    error = error_of(called(over_folder(None), "extract_keyphrases", text=TEXT, min_precision=0.2))
    assert error["message"] == "min_precision needs a calibrator, and default has none"


@pytest.mark.parametrize("name", ["article.pdf", "article.jats.xml", "abstracts.jsonl"])
def test_keyphrases_of_a_file_equal_those_of_the_command_line(name):
    result = called(over_folder(ROOT / "examples"), "extract_file", path=name, top=4)
    done = keywright("extract", name, "--json", "--top", "4", cwd=ROOT / "examples")
    assert result.structured_content == {"documents": json.loads(done.stdout)}


def test_links_and_paths_that_leave_the_folder_are_refused_alike(folder):
    (folder / "out.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "nowhere.txt").symlink_to(folder.parent / "nothing.txt")
    (folder / "up").symlink_to(folder.parent, target_is_directory=True)
    names = [
        *(
            "../secret.txt",
            "../nothing.txt",
            "out.txt",
            "nowhere.txt",
            "up/secret.txt",
            "up/nothing.txt",
            "/etc/passwd",
        ),
        *(str(folder.parent / "secret.txt"), "papers/../../secret.txt"),
    ]
    for name in names:
        error = error_of(called(over_folder(folder), "extract_file", path=name))
        assert error["code"] == "unreadable_input"
        assert error["message"] == f"{name!r:.100} is outside the folder that may be read"


def test_a_link_within_the_folder_is_followed(folder):
    (folder / "link.txt").symlink_to("tides.txt")
    result = called(over_folder(folder), "extract_file", path="link.txt", top=1)
    (document,) = result.structured_content["documents"]
    assert (document["id"], document["keyphrases"][0]["text"]) == ("link.txt", kw.extract(TEXT, top=1).texts[0])
    assert not called(over_folder(folder), "extract_file", path=str(folder / "tides.txt")).is_error


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("none.txt", "missing_data"),
        (".", "unreadable_input"),
        ("a\0b", "unreadable_input"),
        ("loop", "unreadable_input"),
    ],
)
def test_names_without_a_file(folder, name, code):
    (folder / "loop").symlink_to("loop")
    error = error_of(called(over_folder(folder), "extract_file", path=name))
    assert error["code"] == code
    assert str(folder) not in json.dumps(error)


def test_limits_of_bytes_characters_and_documents(folder):
    small = over_folder(folder, most_characters=50, most_bytes=1_000)
    assert error_of(called(small, "extract_file", path="article.pdf"))["code"] == "too_large"
    error = error_of(called(small, "extract_file", path="tides.txt"))
    assert error["message"] == f"the text has {len(TEXT)} characters; at most 50 are read"
    error = error_of(called(small, "extract_keyphrases", text=TEXT))
    assert (error["code"], error["message"]) == ("too_large", f"text has {len(TEXT)} characters; at most 50 are taken")
    lines = "".join(
        json.dumps({"id": str(number), "text": "tides"}) + "\n" for number in range(tools.MOST_DOCUMENTS + 1)
    )
    (folder / "many.jsonl").write_text(lines, "utf-8")
    assert "at most 100 are read" in error_of(called(over_folder(folder), "extract_file", path="many.jsonl"))["message"]


def test_a_damaged_file_is_an_error_and_a_damaged_record_costs_itself(folder):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 damaged")
    assert error_of(called(over_folder(folder), "extract_file", path="broken.pdf"))["code"] == "broken_file"
    (folder / "some.jsonl").write_text('{"id": "a", "text": "Tide gauges."}\n{"id": 1\n', "utf-8")
    documents = called(over_folder(folder), "extract_file", path="some.jsonl").structured_content["documents"]
    assert [document["id"] for document in documents] == ["a", "some.jsonl:2"]
    assert documents[1]["error"]["code"] == "bad_record"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({}, "bad_parameter", "'text' is a required property"),
        ({"text": 3}, "bad_parameter", "text: 3 is not of type 'string'"),
        ({"text": "a", "top": 0}, "bad_parameter", "top: 0 is less than the minimum of 1"),
        ({"text": "a", "top": 10_001}, "bad_parameter", "top: 10001 is greater than the maximum of 10000"),
        ({"text": "a", "stop_phrases": "/etc/passwd"}, "bad_parameter", "is not of type 'array'"),
        ({"text": "a", "vocabulary": "/etc"}, "bad_parameter", "is not of type 'array'"),
        ({"text": "a", "topp": 1}, "bad_parameter", "'topp' was unexpected"),
        ({"text": "a", "top": [1] * 1_000}, "bad_parameter", "top: wrong value for 'anyOf'"),
        ({"text": "?!"}, "empty_input", "no words"),
        ({"text": "tides", "system": "kpmine"}, "unknown_name", "no system called 'kpmine'"),
        ({"text": "tides", "system": "/etc"}, "unknown_name", "no system called '/etc'"),
        ({"text": "tides", "system": "kea"}, "not_fitted", "kea has not been trained"),
        ({"text": "tides", "language": "xx-1"}, "", "xx-1"),
    ],
)
def test_errors_have_code_and_hint_from_the_table_of_the_command_line(arguments, code, words):
    error = error_of(called(over_folder(None), "extract_keyphrases", **arguments))
    assert words in error["message"]
    assert error["code"] in {kind("").code for kind in MEANINGS}
    assert error["code"] == code or not code
    assert error["hint"]


def test_lists_are_scored_by_hand_and_an_unknown_protocol_is_told():
    """Two of three gold phrases among four predicted, by stem: P@M 2/4, R@M 2/3, F@M 4/7."""
    lists = {
        "predicted": ["tide gauge", "sea level", "drift", "harbours"],
        "gold": ["tide gauges", "sea level", "moon"],
    }
    result = called(over_folder(None), "score_keyphrases", **lists, measures=["P@M", "R@M", "F@M"])
    values = result.structured_content["values"]
    assert [values[f"gold/{letter}@M"] for letter in "PRF"] == pytest.approx([2 / 4, 2 / 3, 4 / 7])
    by_id = {key: {"a": phrases, "b": ["moon"]} for key, phrases in lists.items()}
    assert called(over_folder(None), "score_keyphrases", **by_id).structured_content["scored"] == 2
    error = error_of(called(over_folder(None), "score_keyphrases", **lists, protocol="semeval2011"))
    assert (error["code"], "semeval2010" in error["hint"]) == ("unknown_name", True)
    error = error_of(called(over_folder(None), "score_keyphrases", predicted=by_id["predicted"], gold=lists["gold"]))
    assert error["code"] == "bad_record"


def test_systems_are_listed():
    result = called(over_folder(None), "list_systems").structured_content
    assert result["default"] == "default"
    assert [system["name"] for system in result["systems"]] == list(kw.list_systems())


def test_a_defect_is_an_error_of_its_call_only(monkeypatch):
    def fail(_tools):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(tools.Tools, "list_systems", fail)
    target = over_folder(None)
    error = error_of(called(target, "list_systems"))
    assert (error["code"], error["message"]) == ("unexpected", "a defect of keywright: ZeroDivisionError: oh")
    assert not called(target, "extract_keyphrases", text=TEXT).is_error


def test_the_server_answers_while_it_works_and_a_cancelled_call_ends_at_once(monkeypatch):
    release = threading.Event()
    usual = tools.Tools.extract_keyphrases

    def slow(self, text):
        release.wait(20)
        return usual(self, text)

    monkeypatch.setattr(tools.Tools, "extract_keyphrases", slow)

    async def ask(client):
        began = time.monotonic()
        with anyio.move_on_after(0.3):
            await client.call_tool("extract_keyphrases", {"text": TEXT})
        listed = await client.call_tool("list_systems", {})
        seconds = time.monotonic() - began
        release.set()
        return listed.is_error, seconds, (await client.call_tool("extract_keyphrases", {"text": TEXT})).is_error

    is_error, seconds, later = asked(over_folder(None), ask)
    assert (is_error, later) == (False, False)
    assert seconds < 15  # far below the 20 of the work, far above a list on a busy machine


def test_a_cancelled_call_ends_the_reading_of_its_file(folder, monkeypatch):
    from keywright.running import reader  # noqa: PLC0415 - not without the extra

    stuck = reader.ReadingProcess(command=(sys.executable, "-c", "import time; time.sleep(60)"))
    monkeypatch.setattr(reader, "_own_reader", lambda _owner: stuck)
    outcomes: queue.SimpleQueue = queue.SimpleQueue()
    usual = tools.Tools.documents
    monkeypatch.setattr(tools.Tools, "documents", lambda self, path: outcomes.put(usual(self, path)))

    async def ask(client):
        with anyio.move_on_after(1.0):
            await client.call_tool("extract_file", {"path": "article.pdf"})

    asked(over_folder(folder), ask)
    (failure,) = outcomes.get(timeout=20)  # long before the 60 seconds
    assert failure.code == "broken_file"


def test_over_standard_input_and_output(folder):
    parameters = mcp.StdioServerParameters(command=str(PROGRAM), args=["mcp", "--root", str(folder), "--quiet"])
    parameters.env = dict(os.environ)

    async def ask(client):
        read = await client.call_tool("extract_file", {"path": "article.pdf", "top": 2})
        refused = await client.call_tool("extract_file", {"path": "../secret.txt"})
        return read.structured_content["documents"], error_of(refused)["code"]

    (document,), code = asked(parameters, ask)
    assert [keyphrase["text"] for keyphrase in document["keyphrases"]] == ["soil moisture", "irrigation scheduling"]
    assert (document["id"], code) == ("article.pdf", "unreadable_input")


def test_nothing_but_the_protocol_is_on_standard_output(folder):
    """The handshake of before 2026, line by line; the end of the input ends the server."""
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    call = {"name": "extract_keyphrases", "arguments": {"text": TEXT, "top": 1}}
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    command = [PROGRAM, "mcp", "--root", folder, "--quiet"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as program:
        for request in requests:
            program.stdin.write(json.dumps(request) + "\n")
            program.stdin.flush()
        answers = [json.loads(program.stdout.readline()) for _ in range(2)]
        program.stdin.close()
        assert program.wait(20) == 0
        assert program.stdout.read() == ""
    assert [answer["id"] for answer in answers] == [1, 2]
    (keyphrase,) = answers[1]["result"]["structuredContent"]["keyphrases"]
    assert keyphrase["text"] == kw.extract(TEXT, top=1).texts[0]


def test_a_wrong_folder_or_system_is_told_before_anything_is_answered(tmp_path):
    done = keywright("mcp", "--root", tmp_path / "none")
    assert (done.returncode, b"is not a folder" in done.stderr, done.stdout) == (4, True, b"")
    assert keywright("mcp", "--system", "nothing").returncode == 2


def test_without_the_sdk_one_message_says_what_to_install():
    program = "import sys; sys.modules['mcp'] = None; sys.argv = ['keywright', 'mcp']\n"
    program += "from keywright.faces.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "tools for assistants need the package mcp, which is not installed" in done.stderr
