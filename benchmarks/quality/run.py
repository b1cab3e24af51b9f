"""``make bench-quality``: other tools over the documents of the quality report, scored by our protocols.

Each tool runs as installed, in the environment that ``make bench`` uses, and is asked for 40 phrases. Runs are kept in
the cache, a line for each document, so that a second start goes on where the first stopped; what has been scored is
written into ``benchmarks/results/quality_peers.json``. KeyBERT is not among the tools: it loads its model from a hub
(our ``embedrank`` agrees with it on stored answers, tests/parity/test_keybert.py). Of full papers only those of
SemEval-2010 are read.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SPEED = HERE.parent / "speed"
sys.path[:0] = [str(SPEED), str(HERE.parents[1])]

import peer_environment  # noqa: E402 - the speed benchmarks' own module
from peer_lists import PEERS  # noqa: E402 - imports peer_pke of the speed benchmarks

from keywright.core.predictions import Keyphrase, Prediction  # noqa: E402 - after the path is set
from keywright.datasets.data_folders import cache_folder  # noqa: E402 - as above
from studies.quality.collections import COLLECTIONS, Collection  # noqa: E402 - as above
from studies.quality.measuring import documents, lessons, scored  # noqa: E402 - as above

RESULTS = HERE.parent / "results" / "quality_peers.json"
PAPERS = {"krapivin2009/test", "schutz2008/train"}
"""Full papers, hundreds of them: pke reads each for a second and more."""
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}


def main() -> None:
    """Run what is missing, score what is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="*", help="only these collections, such as inspec/test")
    parser.add_argument("--tools", nargs="*", choices=PEERS, help="only these tools")
    parser.add_argument("--peers", type=Path, default=Path(".venv-peers"), help="environment of the other tools")
    parser.add_argument("--score", action="store_true", help="run nothing, score what is there")
    parser.add_argument("--json", type=Path, metavar="FILE", default=RESULTS, help="what has been scored is kept there")
    given = parser.parse_args()
    folder = cache_folder("quality-peers")
    folder.mkdir(parents=True, exist_ok=True)
    missing = {} if given.score else peer_environment.prepare(given.peers)
    for package, reason in missing.items():
        print(f"{package} is not installed: {reason}", file=sys.stderr)
    rows: list[dict[str, Any]] = json.loads(given.json.read_text("utf-8"))["rows"] if given.json.is_file() else []
    for here, tool in plan(given.data, given.tools):
        run = folder / f"{here.data.replace('/', '-')}.{tool}.jsonl"
        if not given.score:
            print(f"... {tool} on {here.data}", file=sys.stderr)
            work(peer_environment.interpreter(given.peers), here, tool, run)
        if (found := scores(here, tool, run)) is not None:
            rows = [row for row in rows if (row["dataset"], row["system"]) != (here.data, tool)] + found
            order = [one.data for one in COLLECTIONS]
            rows.sort(key=lambda row: (order.index(row["dataset"]), row["system"]))
            given.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n", "utf-8")


def plan(data: list[str] | None, tools: list[str] | None) -> Iterator[tuple[Collection, str]]:
    """Collections and tools; Kea learns, and only where there is a split to learn from."""
    for here in COLLECTIONS:
        if here.data not in PAPERS and here.data in (data or [here.data]):
            yield from ((here, tool) for tool in tools or PEERS if here.lessons or tool != "pke-Kea")


def work(python: Path, here: Collection, tool: str, run: Path) -> None:
    """One tool over one collection; a tool that cannot start is told, and the others go on."""
    learnt = lessons(here.data) if tool == "pke-Kea" else ()
    texts = {
        "documents": [[one.id, one.document.source.text] for one in documents(here.data)],
        "papers": [],
        "training": [one.document.source.text for one in learnt],
        "gold": [[form for phrase in one.given_by(here.gold[0]) for form in phrase.forms] for one in learnt],
        "short": here.kind != "paper",
    }
    file = run.with_suffix(".texts.json")
    file.write_text(json.dumps(texts), "utf-8")
    path = {"PYTHONPATH": str(SPEED)}
    command = [str(python), str(HERE / "peer_lists.py"), tool, str(file), str(run)]
    done = subprocess.run(command, check=False, env=os.environ | _ONE_THREAD | path)  # noqa: S603 - our own program
    file.unlink()
    if done.returncode:
        print(f"{tool} ended with {done.returncode}", file=sys.stderr)


def scores(here: Collection, tool: str, run: Path) -> list[dict[str, Any]] | None:
    """The tool's rows; None where its run is not whole."""
    labelled = documents(here.data)
    lines = run.read_text("utf-8").splitlines() if run.is_file() else []
    records = {record["id"]: record["keyphrases"] for record in map(json.loads, lines)}
    if records.keys() < {one.id for one in labelled}:
        return None
    predictions = [
        Prediction(one, tuple(Keyphrase(text, score=-float(rank), spans=()) for rank, text in enumerate(phrases)))
        for one, phrases in records.items()
    ]
    return [row.record() for row in scored(here, labelled, predictions, tool, source="run here")]


if __name__ == "__main__":
    main()
