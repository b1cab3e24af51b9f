"""Stages: the evaluator of keyphrase generation beside its reference's 1.2 CPU seconds; 10,000 bootstrap samples."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import bench_kpg
import bench_significance
import numpy as np
import papers
from measuring import Row, calibrate

from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.statistics.bootstrap import Resampling, make_functionals, resample
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser

_REFERENCE = 1.2
_COLD, _FURTHER = 3, 10
_TOP = 10


def kpg(most: int | None) -> Iterator[Row]:
    """The command from a cold start, then further runs in process, on the stored case or on files made of examples."""
    with tempfile.TemporaryDirectory() as folder:
        files, note = _stored() or _made(Path(folder), most)
        for name, work, rounds in (("cold", bench_kpg.cold, _COLD), ("again", bench_kpg.in_process, _FURTHER)):
            calibration, start = calibrate(), time.perf_counter()
            work(files)
            seconds = statistics.median(work(files) for _ in range(rounds))
            wall = (time.perf_counter() - start) / (rounds + 1)
            share = f"{note}; 1/{_REFERENCE / seconds:.1f} of the reference's 1.2 s for 500 documents"
            yield Row(f"kpg: {name}", "runs", 1, seconds, wall, calibration, note=share)


def significance(_most: int | None) -> Iterator[Row]:
    """10,000 bootstrap samples of a made run of 20,000 documents: nine values at one cutoff, one mean of scores."""
    counted = next(iter(make_functionals("author", bench_significance.made(1), KEYWRIGHT_1)))
    scores = np.random.default_rng(3).random((bench_significance.DOCUMENTS, 1))
    draws = Resampling()
    works: dict[str, Callable[[], object]] = {
        "bootstrap: 9 values": lambda: counted.of(resample(counted.rows, draws)),
        "bootstrap: a mean of scores that all differ": lambda: resample(scores, draws),
    }
    for name, work in works.items():
        calibration, start, cpu = calibrate(), time.perf_counter(), time.process_time()
        work()
        seconds, wall = time.process_time() - cpu, time.perf_counter() - start
        note = f"{draws.samples:,} samples of {bench_significance.DOCUMENTS:,} documents"
        yield Row(name, "runs", 1, seconds, wall, calibration, note=note)


def _stored() -> tuple[tuple[Path, Path, Path], str] | None:
    """The reference's first case, where the stored cases are."""
    cases = Path(os.environ.get("KEYWRIGHT_GOLDENS", "")) / "kpg"
    files = (cases / "data" / "inspec_src.txt", cases / "data" / "inspec_trg.txt", cases / "case01" / "pred.txt")
    return (files, "500 documents") if all(map(Path.is_file, files)) else None


def _made(folder: Path, most: int | None) -> tuple[tuple[Path, Path, Path], str]:
    """Line files of papers with gold and the default system's ten phrases."""
    labelled = papers.gold_papers(most)
    system, analyser = Default(), TextAnalyser("en")
    columns: dict[str, list[str]] = {"src": [], "trg": [], "pred": []}
    for one in labelled:
        columns["src"].append(f"title <eos> {' '.join(one.document.text.split())}")
        columns["trg"].append(";".join(entry.forms[0] for entry in one.gold))
        columns["pred"].append(";".join(system.extract(analyser.analyse(one.document)).prediction(_TOP).texts))
    for name, lines in columns.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return (folder / "src", folder / "trg", folder / "pred"), f"{len(labelled)} documents"
