"""The benchmark programs run: on two small papers made of the examples, without other tools. Speed is not judged."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from keywright.catalogue import SYSTEMS

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
    stages = ("headline-cold", "formats", "analysis", "pickling", "system-nb", "scorer", "hulth", "kpg")
    shown = program("run.py", *stages, "--papers", "2", "--without-peers", "--json", str(file))
    found = json.loads(file.read_text("utf-8"))
    names = [row["name"] for row in found["rows"]]
    assert {
        "text to KP-Miner's lists, cold",
        "read pdf",
        "analyse, cold",
        "unpickle a paper",
        "nb, alone",
        "hulth2003: command, cold",
        "kpg: cold",
    } <= {*names}
    assert all(row["seconds"] > 0 and row["calibration"] > 0 and row["peak"] > 1 for row in found["rows"])
    assert all(name in shown for name in names)
    assert "not judged" in shown


def test_every_system_has_a_stage():
    assert {f"system-{name}" for name in SYSTEMS.own} <= {*program("stage.py", "--list").split()}


def test_every_peer_needs_a_package_that_is_pinned():
    pinned = (ROOT / "benchmarks" / "peers.txt").read_text("utf-8")
    peers = json.loads(program("peer_work.py", "--list"))
    assert all(f"\n{package}==" in pinned for _, package in peers.values())


def test_budgets_are_of_rows_that_were_measured():
    budgets = tomllib.loads((ROOT / "benchmarks" / "budgets.toml").read_text("utf-8"))
    stored = [json.loads(file.read_text("utf-8")) for file in (ROOT / "benchmarks" / "results").glob("*.json")]
    assert stored
    assert all(budgets["items_in_a_unit"].keys() <= {row["name"] for row in one["rows"]} for one in stored)
