"""``make bench-quality``: other tools over the documents of the quality report, scored by our protocols.

Each tool runs as installed, in the environment of ``make bench``, and is asked for 40 phrases. Runs are cached, a line
for each document, so that a second start resumes where the first stopped. Complete runs are scored into
``benchmarks/results/quality_peers.json``: values, and matches by document, from which the study computes differences.
KeyBERT is not among the tools, because it loads its model from a hub (our ``embedrank`` agrees with its stored answers,
tests/parity/test_keybert.py). Full papers are read of SemEval-2010 only.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SPEED = HERE.parent / "speed"
sys.path[:0] = [str(SPEED), str(HERE.parents[1])]

import peer_environment  # noqa: E402 - the speed benchmarks' own module
from peer_lists import PEERS  # noqa: E402 - imports peer_pke of the speed benchmarks

from keywright.core.keyphrases import Keyphrase  # noqa: E402 - after the path is set
from keywright.core.predictions import Prediction  # noqa: E402 - after the path is set
from keywright.datasets.files import cache_folder  # noqa: E402 - as above
from keywright.evaluation.statistics.bootstrap import Resampling  # noqa: E402 - as above
from keywright.experiments.study import TableRow  # noqa: E402 - as above
from studies.quality.collections import COLLECTIONS, Collection  # noqa: E402 - as above
from studies.quality.measuring import Scored, lesson_sources, scored, sources  # noqa: E402 - as above  # noqa: E402 - as above

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
    parser.add_argument("--json", type=Path, metavar="FILE", default=RESULTS, help="file of the scores")
    given = parser.parse_args()
    folder = cache_folder("quality-peers")
    folder.mkdir(parents=True, exist_ok=True)
    missing = {} if given.score else peer_environment.prepare(given.peers)
    for package, reason in missing.items():
        print(f"{package} is not installed: {reason}", file=sys.stderr)
    results: dict[str, Any] = json.loads(given.json.read_text("utf-8")) if given.json.is_file() else {}
    for here, tool in plan(given.data, given.tools):
        run = folder / f"{here.data.replace('/', '-')}.{tool}.jsonl"
        if not given.score:
            print(f"... {tool} on {here.data}", file=sys.stderr)
            work(peer_environment.interpreter(given.peers), here, tool, run)
        if result := scores(here, tool, run):
            new = {"rows": result.scores, "hits": result.hits}
            results = {part: replaced(results.get(part, []), rows) for part, rows in new.items()}
            given.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def replaced(records: list[dict[str, Any]], rows: Sequence[TableRow]) -> list[dict[str, Any]]:
    """Return stored records in the order of collections, with those of one tool on one collection replaced."""
    places = {(row["dataset"], row["system"]) for row in (row.record() for row in rows)}
    order = [part.data for part in COLLECTIONS]
    left = [record for record in records if (record["dataset"], record["system"]) not in places]
    return sorted(
        (*left, *(row.record() for row in rows)), key=lambda row: (order.index(row["dataset"]), row["system"])
    )


def plan(data: list[str] | None, tools: list[str] | None) -> Iterator[tuple[Collection, str]]:
    """Yield collections and tools; Kea is trained, which takes a training split."""
    for here in COLLECTIONS:
        if here.data not in PAPERS and here.data in (data or [here.data]):
            yield from ((here, tool) for tool in tools or PEERS if here.lessons or tool != "pke-Kea")


def work(python: Path, here: Collection, tool: str, run: Path) -> None:
    """Run one tool over one collection; print a message if it cannot start."""
    training = lesson_sources(here.data)[0] if tool == "pke-Kea" else ()
    texts = {
        "documents": [[paper.id, paper.document.text] for paper in sources(here.data)[0]],
        "papers": [],
        "training": [paper.document.text for paper in training],
        "gold": [[form for phrase in paper.given_by(here.gold[0]) for form in phrase.forms] for paper in training],
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


def scores(here: Collection, tool: str, run: Path) -> Scored | None:
    """Return the tool's values; None where its run is incomplete."""
    papers = sources(here.data)[0]
    lines = run.read_text("utf-8").splitlines() if run.is_file() else []
    records = {record["id"]: record["keyphrases"] for record in map(json.loads, lines)}
    if records.keys() < {paper.id for paper in papers}:
        return None
    predictions = [
        Prediction(name, tuple(Keyphrase(text, score=-float(rank), spans=()) for rank, text in enumerate(phrases)))
        for name, phrases in records.items()
    ]
    return scored(here, papers, predictions, tool, "run here", resampling=Resampling())


if __name__ == "__main__":
    main()
