"""The benchmark programs run: on two small papers made of the examples, without other tools. Speed is not judged."""

import importlib
import json
import os
import subprocess
import sys
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

from keywright.catalogue import EXTRACTORS

ROOT = Path(__file__).parents[2]
SPEED = ROOT / "benchmarks" / "speed"


def program(name: str, *arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "KEYWRIGHT_MIRROR"}
    command = [sys.executable, str(SPEED / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_stages_give_rows_that_the_table_shows(tmp_path):
    file = tmp_path / "results.json"
    shown = program("run.py", "pickling", "--papers", "2", "--without-peers", "--json", str(file))
    rows = json.loads(file.read_text("utf-8"))["rows"]
    check_rows(rows, {"pickle a paper", "unpickle a paper"})
    assert all(row["peak"] > 1 and row["name"] in shown for row in rows)
    assert "not judged" in shown


def check_rows(rows, names):
    assert names <= {row["name"] for row in rows}
    assert all(row["seconds"] > 0 and row["calibration"] > 0 for row in rows)


def test_other_stages_give_rows_as_well(monkeypatch):
    """In this process, once on two papers: in a process of their own, with medians, they take half a minute."""
    monkeypatch.syspath_prepend(str(SPEED))
    monkeypatch.delenv("KEYWRIGHT_MIRROR", raising=False)
    for module, rounds in {
        "measuring": ("_ROUNDS",), "papers": ("_PAPERS",), "bench_hulth": ("ROUNDS",),
        "stage_evaluation": ("_COLD", "_FURTHER"),
    }.items():  # fmt: skip
        for name in rounds:
            monkeypatch.setattr(importlib.import_module(module), name, 1)
    stages = importlib.import_module("stage").STAGES
    rows = [asdict(row) for name in ("headline-cold", "formats", "system-nb", "scorer", "hulth", "kpg")
            for row in stages[name](2)]  # fmt: skip
    check_rows(
        rows, {"text to KP-Miner's lists, cold", "read pdf", "nb, alone", "hulth2003: command, cold", "kpg: cold"}
    )


def test_every_system_has_a_stage():
    assert {f"system-{name}" for name in EXTRACTORS} <= {*program("stage.py", "--list").split()}


def test_every_peer_needs_a_package_that_is_pinned():
    pinned = (ROOT / "benchmarks" / "peers.txt").read_text("utf-8")
    peers = json.loads(program("peer_work.py", "--list"))
    assert all(f"\n{package}==" in pinned for _, package, _ in peers.values())


def test_pke_is_timed_beside_the_same_systems():
    """Each is compared with a row of ours, which a system or the headline makes."""
    peers = json.loads(program("peer_work.py", "--list"))
    beside = {shown: rows for shown, _, rows in peers.values() if rows}
    kinds = "TfIdf KPMiner YAKE TextRank SingleRank TopicRank PositionRank MultipartiteRank Kea WINGNUS".split()
    assert {f"pke {kind}, tags given" for kind in kinds} <= beside.keys()
    rows = {f"{name}, {way}" for name in EXTRACTORS for way in ("alone", "analysis shared")}
    headlines = {"text to KP-Miner's lists, warm", "text to default's lists", "text to default's lists, abstracts"}
    assert {one for some in beside.values() for one in some} <= rows | headlines


def test_ratios_are_those_of_speeds_in_units(monkeypatch):
    """Five papers a second at a tenth of a second a unit, a quarter at a fifth: 0.5 and 0.05 a unit."""
    monkeypatch.syspath_prepend(str(SPEED))
    ratios = importlib.import_module("showing").ratios
    rows = [
        {"name": "ours", "items": 10, "seconds": 2.0, "calibration": 0.1},
        {"name": "theirs", "items": 1, "seconds": 4.0, "calibration": 0.2, "beside": ["ours"]},
        {"name": "other", "items": 1, "seconds": 4.0, "calibration": 0.2, "beside": ["not measured"]},
        {"name": "broken", "note": "does not run", "beside": ["ours"]},
    ]
    assert ratios(rows) == ["ours: 10 times the speed of theirs"]


def test_budgets_are_of_rows_that_were_measured():
    budgets = tomllib.loads((ROOT / "benchmarks" / "budgets.toml").read_text("utf-8"))
    stored = [json.loads(file.read_text("utf-8")) for file in (ROOT / "benchmarks" / "results").glob("[0-9]*.json")]
    assert stored
    assert all(budgets["items_in_a_unit"].keys() <= {row["name"] for row in one["rows"]} for one in stored)


@pytest.mark.thorough
def test_the_command_is_timed_on_files(tmp_path):
    file = tmp_path / "command.json"
    options = ("--part", "0.001", "--rounds", "1", "--kinds", "PDF", "--without-peers", "--json", str(file))
    shown = program("bench_command.py", *options)
    rows = json.loads(file.read_text("utf-8"))["rows"]
    assert [(row["kind"], row["tool"]) for row in rows] == [("PDF", f"keywright, --jobs {jobs}") for jobs in (1, 2)]
    assert len({row["sha256"] for row in rows}) == 1
    assert all(row["sha256"][:8] in shown for row in rows)


def test_a_vocabulary_index_is_timed(tmp_path):
    file = tmp_path / "vocabulary.json"
    program("bench_vocabulary.py", "--made", "500", "--json", str(file))
    figures = json.loads(file.read_text("utf-8"))
    assert 400 < figures["labels"] <= 500
    assert figures["abstract, ms with vocabulary"] > 0
