"""How long the evaluator of keyphrase generation takes: three line files in, its log and table out.

Usage: python benchmarks/speed/bench_kpg.py SOURCES TARGETS PREDICTIONS

CPU seconds: ``cold`` is the command ``keywright kpg score`` in a process of its own, imports included, the median of
COLD runs; ``first`` is the first run in this process, its words not stemmed yet; ``further`` the median of the ROUNDS
runs after it. The script that it stands in for takes about 1.2 s for the 500 documents of Inspec on this kind of
machine.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from keywright.evaluation.reference.chan2019 import Options, chan_files, chan_scores
from keywright.evaluation.reference.line_files import read_parallel

PROGRAM = Path(sys.executable).with_name("keywright")
ROUNDS = 10
COLD = 5
USUAL = Options(
    disable_extra_one_word_filter=True,
    invalidate_unk=True,
    all_ks=(5, "M"),
    present_ks=(5, "M"),
    absent_ks=(5, "M"),
)
ARGUMENTS = (
    *("-disable_extra_one_word_filter", "-invalidate_unk"),
    *("-all_ks", "5", "M", "-present_ks", "5", "M", "-absent_ks", "5", "M"),
)


def cold(files: tuple[Path, Path, Path]) -> float:
    """CPU seconds of the command."""
    sides = [text for side, path in zip(("-src", "-trg", "-pred"), files, strict=True) for text in (side, str(path))]
    with tempfile.TemporaryDirectory() as folder:
        command = [str(PROGRAM), "kpg", "score", "--quiet", *sides, "-exp_path", folder, *ARGUMENTS]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)  # noqa: S603 - our own program, files the person named
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_process(files: tuple[Path, Path, Path]) -> float:
    """CPU seconds of reading, scoring and making the files' contents."""
    start = time.process_time()
    chan_files(chan_scores(read_parallel(*files), USUAL), USUAL)
    return time.process_time() - start


def main(sources: Path, targets: Path, predictions: Path) -> None:
    """Time and print."""
    files = sources, targets, predictions
    print(f"cold    {statistics.median(cold(files) for _ in range(COLD)):6.3f} s")
    print(f"first   {in_process(files):6.3f} s")
    print(f"further {statistics.median(in_process(files) for _ in range(ROUNDS)):6.3f} s")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
