"""Speed of the command that users run, today and at an earlier commit, in turn on the same documents.

    python benchmarks/speed/bench_command.py --before COMMIT [--rounds 5] [--papers 100] [--abstracts 1000]

Each round runs ``keywright extract FILE.jsonl --format jsonl`` as a process of its own, first one tree, then the other:
JSON Lines in and out, one job, texts that the process has not met. Figures are CPU seconds of the whole process; the
start, which a run over the first document alone measures, is taken off for the second ratio. Ratios are medians over
the rounds, as machines are shared.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import papers

import keywright as kw
from keywright.core.documents import Document

_ROOT = Path(__file__).resolve().parents[2]
_ABSTRACTS = ("inspec/train", "inspec/test")
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
    abstracts = [labelled.document for split in _ABSTRACTS for labelled in kw.dataset(split)][: options.abstracts]
    documents = {"papers": papers.bare_papers(options.papers), "abstracts": abstracts}
    with _tree(options.before) as before, tempfile.TemporaryDirectory() as folder:
        rows = []
        for kind, listed in documents.items():
            rows.append(_compared(kind, listed, Path(folder), {"before": before, "now": _ROOT}, options.rounds))
    for row in rows:
        print(
            f"{row['kind']}: {row['before']:.2f} s before, {row['now']:.2f} s now for {row['documents']} documents;"
            f" {row['documents'] / row['now']:.0f} a second and core now, {row['ratio']:.2f} times as fast,"
            f" {row['ratio_without_start']:.2f} times without the start"
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def _compared(
    kind: str, documents: Sequence[Document], folder: Path, trees: dict[str, Path], rounds: int
) -> dict[str, Any]:
    """Return the medians of CPU seconds of both trees, and of the ratios within each round."""
    files = {"start": documents[:1], "all": documents}
    for name, listed in files.items():
        lines = (json.dumps({"id": document.id, "text": document.text}) + "\n" for document in listed)
        (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in trees}
    for _ in range(rounds):
        for name, tree in trees.items():
            start, whole = (_seconds(tree, folder / f"{file}.jsonl") for file in files)
            spent[name].append((whole, whole - start))
    whole, net = (
        [before[at] / now[at] for before, now in zip(spent["before"], spent["now"], strict=True)] for at in (0, 1)
    )
    medians = {name: statistics.median(seconds for seconds, _ in pairs) for name, pairs in spent.items()}
    ratios = {"ratio": statistics.median(whole), "ratio_without_start": statistics.median(net)}
    return {"kind": kind, "documents": len(documents), **medians, **ratios, "ratios": sorted(whole)}


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
