"""How long the semeval2010 scorer takes in process: one run of 100 documents against the three gold sets.

Usage: python benchmarks/speed/bench_scorer.py GOLD_FOLDER ANSWERS

Gold is read and indexed once, before the clock starts. Three spans are timed, each the median of ROUNDS calls on one
core: ``score`` makes a report of parsed answers; ``text`` parses the bytes of the answer file and makes the official
script's output; ``1000 resamples`` computes the three F@15 of 1,000 bootstrap samples from the counts.
"""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from keywright.evaluation.answers import SEMEVAL_KINDS, GoldSet, parse_answers, read_semeval_gold_kind
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010
from keywright.evaluation.reference.line_files import iterate_text
from keywright.evaluation.rules import Average, FScore
from keywright.evaluation.scoring import counting
from keywright.evaluation.scoring.scorer import Scorer

ROUNDS = 300
RESAMPLES = 1_000
EXACT = replace(SEMEVAL2010, name="semeval2010-exact", f_from=FScore.EXACT, decimals=None)


def median_ms(work: Callable[[], object]) -> float:
    """Median wall time of a call, in milliseconds."""
    spans = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        spans.append(time.perf_counter() - start)
    return statistics.median(spans) * 1_000


def works(sets: Sequence[GoldSet], data: bytes) -> dict[str, Callable[[], object]]:
    """The three spans as functions, gold read and indexed."""
    scorer = Scorer.of(SEMEVAL2010, sets)
    answers = parse_answers(data, SEMEVAL2010.marks)
    counts = scorer.score(answers).counts
    documents = len(next(iter(counts.values())))
    weights = np.random.default_rng(12345).multinomial(documents, [1 / documents] * documents, RESAMPLES)

    def text() -> str:
        return "".join(iterate_text(parse_answers(data, SEMEVAL2010.marks), scorer.sets.values(), SEMEVAL2010))

    def resampled() -> None:
        for one in counts.values():
            totals = weights @ counting.tabulate_statistics(one, Average.MICRO, EXACT)
            counting.compute_values(totals, one.cutoffs, Average.MICRO, EXACT)

    return {"score": lambda: scorer.score(answers), "text": text, "1000 resamples": resampled}


def main(gold_folder: Path, answer_file: Path) -> None:
    """Time and print."""
    gold = tuple(read_semeval_gold_kind(gold_folder, kind, SEMEVAL2010.marks) for kind in SEMEVAL_KINDS)
    for name, work in works(gold, answer_file.read_bytes()).items():
        print(f"{name:15} {median_ms(work):6.2f} ms")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
