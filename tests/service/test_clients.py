"""Clients that people have: curl, and one that is generated from the description of the service."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.house.tree import ROOT
from tests.service.running import TEXT, rows

GENERATOR = Path(sys.prefix) / "client-generator"
"""Packages of the generator, which needs an older typer than the command line."""
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from keywright_client import Client
from keywright_client.api.default import extract
from keywright_client.models import ExtractRequest, Problem
client = Client(base_url=sys.argv[2])
answer = extract.sync(client=client, body=ExtractRequest(text=sys.argv[3], top=1))
problem = extract.sync(client=client, body=ExtractRequest(text=""))
assert isinstance(problem, Problem)
print(json.dumps([[keyphrase.text for keyphrase in answer.keyphrases], problem.code]))
"""


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl(service):
    def curl(path: str, *options: str) -> bytes:
        command = ["curl", "-sS", "--fail-with-body", f"{service.address}{path}", *options]
        return subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout

    kind = ("-H", "Content-Type: application/json")
    answer = json.loads(curl("/api/extract", *kind, "-d", json.dumps({"text": TEXT, "top": 1})))
    assert [each["text"] for each in answer["keyphrases"]] == ["tide gauges"]
    answer = json.loads(curl("/api/extract/file", "-F", "file=@examples/article.pdf", "-F", "top=1"))
    assert (answer["id"], len(answer["keyphrases"])) == ("article.pdf", 1)
    kind = ("-H", "Content-Type: application/x-ndjson")
    answers = rows(curl("/api/extract/batch?top=1", *kind, "--data-binary", "@examples/abstracts.jsonl").decode())
    assert len(answers) == 5


@pytest.mark.skipif(not GENERATOR.is_dir(), reason="no openapi-python-client: `make install` installs it")
def test_a_generated_client(service, client, tmp_path):
    (tmp_path / "openapi.json").write_bytes(client.get("/openapi.json").content)
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none"]
    command += ["--output-path", "keywright_client"]
    environment = os.environ | {"PYTHONPATH": str(GENERATOR)}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    left_out = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("WARNING")]
    assert [line.split(" within ")[0] for line in left_out] == ["WARNING parsing POST /api/extract/batch"], (
        "lines of JSON"
    )
    program = [sys.executable, "-c", PROGRAM, str(tmp_path), service.address, TEXT]
    printed = subprocess.run(program, capture_output=True, check=True).stdout
    assert json.loads(printed) == [["tide gauges"], "empty_input"]
