"""``make bench-quality``: runs of other tools that are whole are scored, others are not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.snippets import ROOT

from keywright.datasets.collection import load

PROGRAM = ROOT / "benchmarks" / "quality" / "run.py"
DATA = "semeval2017/train"


def bench(cache: Path, file: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), "--score", "--data", DATA, "--json", str(file), *arguments]
    environment = {**os.environ, "KEYWRIGHT_CACHE": str(cache)}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.data
def test_whole_runs_are_scored(mirror, tmp_path):
    """A run of the gold itself, and one in which a document is missing."""
    runs = tmp_path / "quality-peers"
    runs.mkdir()
    lines = [
        json.dumps({"id": one.id, "keyphrases": [gold.forms[0] for gold in one.gold]}) for one in load(DATA, mirror)
    ]
    (runs / "semeval2017-train.yake-0.7.3.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (runs / "semeval2017-train.pke-TfIdf.jsonl").write_text("\n".join(lines[1:]) + "\n", "utf-8")
    file = tmp_path / "peers.json"
    done = bench(tmp_path, file)
    assert done.returncode == 0, done.stderr
    rows = json.loads(file.read_text("utf-8"))["rows"]
    assert {(row["dataset"], row["system"], row["source"]) for row in rows} == {(DATA, "yake-0.7.3", "run here")}
    values = {row["measure"]: row["value"] for row in rows}
    # Five right ones of some seventeen: precision 1, recall below 1; ten are better.
    assert 0.4 < values["F@5"] < values["F@10"] < 1


def test_an_unknown_tool_is_refused(tmp_path):
    done = bench(tmp_path, tmp_path / "peers.json", "--tools", "summa")
    assert done.returncode == 2
    assert "pke-KPMiner" in done.stderr
