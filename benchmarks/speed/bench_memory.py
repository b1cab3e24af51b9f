"""Memory of the commands that users run over very many documents: ``extract`` and ``score``.

    make bench-memory ARGS="--only extract --json benchmarks/results/memory.json"

Documents are abstracts that repeat, each tenth word replaced by one that was never there before. They pass from JSON
Lines to JSON Lines; the resident memory of the program and of each worker is sampled after every hundredth of the
documents, and a line is fitted to the samples after the first 50,000 documents. For ``score``, predictions and gold of
as many documents are made up, ten phrases and five, and the peak of the program is measured. Needs Linux.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import keywright as kw
from keywright.core.signatures import fingerprint_digests, hash_document

_ROOT = Path(__file__).resolve().parents[2]
_COMMAND = "import sys; from keywright.faces.cli import main; main()"
_SPLITS = ("inspec/train", "inspec/test")
_WARM = 50_000  # documents before which memory may grow
_NEW = 0.1  # share of new words
_SAMPLES = 100
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MEGABYTE = 1e6


def main() -> None:
    """Measure both commands; print a row for each process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000, help="number of documents")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes of extract")
    parser.add_argument("--only", choices=("extract", "score"), help="one of the commands")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    figures: dict[str, Any] = {"documents": options.documents}
    with tempfile.TemporaryDirectory() as folder:
        if options.only != "score":
            figures["extract"] = _extraction(options.documents, options.jobs, Path(folder))
        if options.only != "extract":
            figures["score"] = _scoring(options.documents, Path(folder))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def abstracts(count: int) -> Iterator[dict[str, str]]:
    """Yield made-up abstracts."""
    texts = [labelled.document.text.split() for split in _SPLITS for labelled in kw.dataset(split)]
    chance = random.Random(0)  # noqa: S311 - made-up texts
    for number in range(count):
        words = list(texts[number % len(texts)])
        for _ in range(int(len(words) * _NEW)):
            words[chance.randrange(len(words))] = "".join(chance.choices(_LETTERS, k=chance.randint(5, 10)))
        yield {"id": f"document-{number}", "text": " ".join(words)}


def _extraction(count: int, jobs: int, folder: Path) -> list[dict[str, Any]]:
    """Return the memory of each process of ``extract``: the program first, then its workers."""
    file = folder / "abstracts.jsonl"
    with file.open("w", encoding="utf-8") as target:
        target.writelines(json.dumps(record) + "\n" for record in abstracts(count))
    arguments = ["extract", str(file), "--format", "jsonl", "--quiet", "--jobs", str(jobs)]
    samples: list[tuple[int, list[int]]] = []
    began = time.monotonic()
    with subprocess.Popen(_command(arguments), stdout=subprocess.PIPE, env=_environment()) as program:  # noqa: S603
        for number, _ in enumerate(program.stdout or (), start=1):
            if number % max(1, count // _SAMPLES) == 0:
                samples.append((number, [_resident(process) for process in _processes(program.pid)]))
    file.unlink()
    seconds = time.monotonic() - began
    print(f"extract: {number} documents in {seconds:.0f} s, {jobs} jobs")
    names = ["program", *(f"worker {number}" for number in range(1, jobs + 1))]
    size = min(len(each) for _, each in samples)
    rows = [_row(name, [(number, each[place]) for number, each in samples]) for place, name in enumerate(names[:size])]
    return [{**row, "seconds": round(seconds)} for row in rows]


def _row(name: str, samples: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Return the first and the most memory of a process, and its growth after the first documents, in megabytes."""
    number, size = np.array(samples, float).T
    later = number > (_WARM if number[-1] > 2 * _WARM else number[-1] / 4)
    slope = np.polyfit(number[later], size[later], 1)[0] * 1e5 / _MEGABYTE
    row = {
        "process": name,
        "megabytes_at_first": round(size[0] / _MEGABYTE, 1),
        "megabytes_at_most": round(size.max() / _MEGABYTE, 1),
        "megabytes_at_last": round(size[-1] / _MEGABYTE, 1),
        "megabytes_per_100000": round(float(slope), 2),
    }
    print(
        f"  {name}: {row['megabytes_at_first']} MB at first, {row['megabytes_at_most']} at most,"
        f" {row['megabytes_at_last']} at last; {slope:+.2f} MB for 100,000 documents"
    )
    return row


def _scoring(count: int, folder: Path) -> dict[str, Any]:
    """Return the seconds and the peak of ``score`` in megabytes."""
    run, gold = folder / "run.jsonl", folder / "gold.jsonl"
    _write_run(count, run, gold)
    arguments = ["score", str(run), "--gold", str(gold), "--protocol", "keywright-1", "--json"]
    began = time.monotonic()
    program = subprocess.Popen(_command(arguments), stdout=subprocess.DEVNULL, env=_environment())  # noqa: S603
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    seconds, peak = time.monotonic() - began, usage.ru_maxrss * 1024 / _MEGABYTE
    print(f"score: {count} documents in {seconds:.0f} s, {peak:.0f} MB at most, exit status {program.returncode}")
    return {"seconds": round(seconds), "megabytes_at_most": round(peak), "exit_status": program.returncode}


def _write_run(count: int, run: Path, gold: Path) -> None:
    """Write made-up predictions and their gold, with the fingerprint of the texts, as ``keywright run`` does."""
    chance = random.Random(0)  # noqa: S311 - made-up texts
    words = ["".join(chance.choices(_LETTERS, k=chance.randint(3, 9))) for _ in range(20_000)]
    header = {"system": "made up", "data": "", "analyser": "", "environment": {}}
    with run.open("w") as predictions, gold.open("w") as labelled:
        predictions.write(json.dumps(header | {"texts": "0" * 16}) + "\n")
        digests = []
        for number in range(count):
            phrases = [" ".join(chance.sample(words, 2)) for _ in range(12)]
            listed = [{"text": phrase, "score": 1 / rank} for rank, phrase in enumerate(phrases[:10], start=1)]
            predictions.write(json.dumps({"id": f"d{number}", "keyphrases": listed}) + "\n")
            document = kw.Document(f"d{number}", " ".join(phrases))
            record = {"id": document.id, "text": document.text, "keyphrases": phrases[7:]}
            labelled.write(json.dumps(record) + "\n")
            digests.append(hash_document(document))
        digests.sort()
        predictions.seek(0)  # the real fingerprint takes as many bytes
        predictions.write(json.dumps(header | {"texts": fingerprint_digests(b"".join(digests))}) + "\n")


def _command(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-c", _COMMAND, *arguments]


def _environment() -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(_ROOT / "src")}


def _processes(program: int) -> list[int]:
    """Return a program and its workers; not the small process of the library that cleans up behind them."""
    children = Path(f"/proc/{program}/task/{program}/children").read_text().split()
    return [program, *(int(child) for child in children if "spawn_main" in _command_line(int(child)))]


def _command_line(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text()


def _resident(process: int) -> int:
    """Return the resident memory of a process in bytes; 0 for one that has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    match = re.search(r"VmRSS:\s+(\d+) kB", status)
    return 1024 * int(match[1]) if match else 0


if __name__ == "__main__":
    main()
