"""Speed of the command that users run, today and at an earlier commit, in turn on the same documents.

    python benchmarks/speed/bench_command.py --before COMMIT [--rounds 5] [--papers 100] [--abstracts 1000]

Each round runs ``keywright extract FILE.jsonl --format jsonl`` as a process of its own, first one tree, then the other:
JSON Lines in and out, one job, texts that the process has not met. Figures are CPU seconds of the whole process, its
start included; the ratio is the median over the rounds, as machines are shared.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import papers

_ROOT = Path(__file__).resolve().parents[2]
_COMMAND = "import sys; from keywright.faces.cli import main; main()"
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "RAYON")}


def main() -> None:
    """Measure both trees in turn; print one row for each kind of document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="HEAD~1", metavar="COMMIT", help="commit to compare with")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each tree")
    parser.add_argument("--papers", type=int, default=100, help="number of papers")
    parser.add_argument("--abstracts", type=int, default=1000, help="number of abstracts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    _, abstracts = papers.abstracts(options.abstracts)
    documents = {"papers": papers.bare_papers(options.papers), "abstracts": abstracts}
    with _tree(options.before) as before, tempfile.TemporaryDirectory() as folder:
        rows = []
        for kind, listed in documents.items():
            file = Path(folder) / f"{kind}.jsonl"
            file.write_text("".join(json.dumps({"id": one.id, "text": one.text}) + "\n" for one in listed), "utf-8")
            rows.append(_compared(kind, len(listed), file, {"before": before, "now": _ROOT}, options.rounds))
    for row in rows:
        print(
            f"{row['kind']}: {row['before']:.2f} s before, {row['now']:.2f} s now for {row['documents']} documents;"
            f" {row['documents'] / row['now']:.0f} a second and core now, {row['ratio']:.2f} times as fast"
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def _compared(kind: str, number: int, file: Path, trees: dict[str, Path], rounds: int) -> dict[str, Any]:
    """Return the medians of CPU seconds of both trees, and of the ratio within each round."""
    spent: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(rounds):
        for name, tree in trees.items():
            spent[name].append(_seconds(tree, file))
    ratios = [before / now for before, now in zip(spent["before"], spent["now"], strict=True)]
    medians = {name: statistics.median(seconds) for name, seconds in spent.items()}
    return {"kind": kind, "documents": number, **medians, "ratio": statistics.median(ratios), "ratios": sorted(ratios)}


def _seconds(tree: Path, file: Path) -> float:
    """Return the CPU seconds of one run of a tree's command."""
    command = [sys.executable, "-c", _COMMAND, "extract", str(file), "--format", "jsonl", "--quiet"]
    environment = os.environ | _ONE_THREAD | {"PYTHONPATH": str(tree / "src")}
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)  # noqa: S603 - our own program
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


@contextmanager
def _tree(commit: str) -> Iterator[Path]:
    """Check a commit out beside the tree while it is measured."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "before"
        git = ["git", "-C", str(_ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)  # noqa: S603
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)  # noqa: S603


if __name__ == "__main__":
    main()
