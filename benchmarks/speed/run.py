"""``make bench``: the speed of every stage and system, beside other tools on the same papers in the same run.

Each row comes from a process of its own, one thread, one after the other. This program imports nothing big before the
last of them has ended: on Linux the peak memory of a process begins at that of the one that started it.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import peer_environment
import showing

_HERE = Path(__file__).resolve().parent
_BUDGETS = _HERE.parent / "budgets.toml"
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "RAYON")}

Rows = list[dict[str, Any]]


def main() -> None:
    """Measure, print the table, write the file; ends with 1 when a stage is broken, never for slowness."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help="only these, as stage.py --list names them")
    parser.add_argument("--papers", type=int, help="use this many papers instead of all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there too")
    parser.add_argument("--peers", type=Path, default=Path(".venv-peers"), help="environment of the other tools")
    parser.add_argument("--tools", nargs="*", metavar="TOOL", help="only these, as peer_work.py --list names them")
    parser.add_argument("--without-peers", action="store_true", help="leave the other tools out")
    given = parser.parse_args()
    most = ["--papers", str(given.papers)] if given.papers else []
    names = given.stages or _output([sys.executable, _HERE / "stage.py", "--list"]).split()
    rows = [row for name in names for row in _stage(name, most)]
    if not given.without_peers:
        rows += _peers(given.peers, given.papers, given.tools)
    budgets = tomllib.loads(_BUDGETS.read_text("utf-8"))
    result = {"environment": _environment(), "documents": _source(), "papers": given.papers or "all", "rows": rows}
    showing.show(result, budgets)
    if given.json:
        given.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    sys.exit(any(row["note"].startswith("BROKEN") for row in rows))


def _stage(name: str, most: list[str]) -> Rows:
    """Rows of one stage; one that breaks is a row without numbers, and the others are still measured."""
    print(f"... {name}", file=sys.stderr)
    done = _run([sys.executable, _HERE / "stage.py", name, *most])
    rows: Rows = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        rows.append({"name": name, "note": f"BROKEN: {_last_line(done.stderr)}"})
    return rows


def _peers(folder: Path, most: int | None, only: list[str] | None) -> Rows:
    """Rows of the other tools; one that cannot be installed or breaks is a row that says so."""
    missing = peer_environment.prepare(folder)
    peers = json.loads(_output([sys.executable, _HERE / "peer_work.py", "--list"]))
    rows: Rows = []
    with tempfile.TemporaryDirectory() as temporary:
        texts = Path(temporary) / "texts.json"
        _output([sys.executable, _HERE / "papers.py", texts, *([str(most)] if most else [])])
        for name in only or peers:
            shown, package, _ = peers[name]
            print(f"... {shown}", file=sys.stderr)
            done = _run([peer_environment.interpreter(folder), _HERE / "peer_work.py", name, texts])
            if done.returncode == 0:
                rows.append(json.loads(done.stdout.splitlines()[-1]))
            else:
                broken = f"does not run: {_last_line(done.stderr)}"
                reason = f"not installed: {missing[package]}" if package in missing else broken
                rows.append({"name": shown, "note": reason})
    return rows


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]


def _run(command: list[Any]) -> subprocess.CompletedProcess[str]:
    environment = os.environ | _ONE_THREAD
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, env=environment)  # noqa: S603 - our own programs


def _output(command: list[Any]) -> str:
    done = _run(command)
    if done.returncode:
        sys.exit(f"{done.stderr}\nThis failed: {' '.join(map(str, command))}")
    return done.stdout


def _source() -> str:
    return _output([sys.executable, _HERE / "papers.py"]).strip()


def _environment() -> dict[str, str]:
    """Versions, and nothing of the machine: ratios are what can be compared."""
    packages = ("keywright", "numpy", "PyStemmer", "scikit-learn", "pypdfium2", "lxml", "trafilatura", "python-docx")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


if __name__ == "__main__":
    main()
