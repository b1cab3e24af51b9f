"""How long intervals and tests take, and scoring of very many documents.

Usage: python benchmarks/speed/bench_significance.py [DOCUMENTS]

A made run of 20,000 documents (ten predictions and one to fifteen gold entries each, hits by chance), ``keywright-1``:
10,000 bootstrap samples of all values at one cutoff, of one continuous document score, and approximate randomisation of
two such runs. With DOCUMENTS, such as 1000000, a stream of so many documents of ten phrases is scored, its intervals
are computed, and the peak of the process's memory is printed.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.evaluation.measures.counts import Counts, Cutoff, build_counts
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import ShortList
from keywright.evaluation.scoring.scorer import Pair, score_stream
from keywright.evaluation.statistics.bootstrap import Resampling, make_functionals, resample
from keywright.evaluation.statistics.significance import add_intervals, randomisation_p

DOCUMENTS = 20_000
CUTOFFS: tuple[Cutoff, ...] = (5, 10, 15, "M", "O")
MILLION_BYTES = 1_000_000
KILOBYTE = 1_024


def made(seed: int) -> Counts:
    """Counts of a run that finds gold with a chance that differs from document to document."""
    chance = np.random.default_rng(seed)
    skill = chance.beta(2, 4, DOCUMENTS)
    gold = np.random.default_rng(0).integers(1, 16, DOCUMENTS).tolist()
    hits = (chance.random((DOCUMENTS, 10)) < skill[:, None]).astype(int)
    within = np.minimum(np.cumsum(hits, axis=1), np.array(gold)[:, None])
    ranked = np.diff(within, axis=1, prepend=0).tolist()
    return build_counts(tuple(map(str, range(DOCUMENTS))), ranked, gold, CUTOFFS, ShortList.OF_CUTOFF)


def shown(what: str, work: Callable[[], object]) -> None:
    """Print the best of three wall times of a call."""
    spans = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        spans.append(time.perf_counter() - start)
    print(f"{what:58} {min(spans) * 1_000:8.0f} ms")


def pairs(documents: int) -> Iterator[Pair]:
    """Ten phrases for each document, three of them right, beside their gold; made when asked for."""
    for number in range(documents):
        subject = number % 9_973
        gold = tuple(GoldKeyphrase((f"{subject} topic {rank}",), "author") for rank in (0, 4, 8, 12))
        yield [f"{subject} topic {rank}" for rank in range(10)], LabelledDocument(Document(str(number), ""), gold)


def memory() -> float:
    """The most memory that this process has held, in millions of bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KILOBYTE / MILLION_BYTES


def many(documents: int) -> None:
    """Score a stream of so many documents; print time and memory."""
    before = memory()
    start = time.perf_counter()
    report = score_stream(pairs(documents), KEYWRIGHT_1)
    scored, held = time.perf_counter(), memory()
    add_intervals(report, KEYWRIGHT_1, Resampling())
    done = time.perf_counter()
    print(f"{documents:,} documents of ten phrases under keywright-1, in a stream")
    print(f"  scored in {scored - start:.1f} s, intervals of all {len(report.values)} values in {done - scored:.1f} s")
    print(f"  memory: {before:,.0f} MB before, {held:,.0f} MB after scoring, {memory():,.0f} MB with intervals")


def main() -> None:
    """Time and print."""
    if len(sys.argv) > 1:
        many(int(sys.argv[1]))
        return
    one, other = made(1), made(2)
    first, second = (tuple(make_functionals("author", counts, KEYWRIGHT_1)) for counts in (one, other))
    draws = Resampling()
    print(f"{draws.samples:,} samples of {DOCUMENTS:,} documents")
    for place, k in ((0, "5"), (4, "O")):
        rows = first[place].rows
        groups = len(np.unique(rows, axis=0))
        names = f"bootstrap, {len(first[place].names)} values @ {k} ({groups:,} different rows)"
        shown(names, lambda place=place, rows=rows: first[place].of(resample(rows, draws)))
    scores = np.random.default_rng(3).random((DOCUMENTS, 1))
    shown("bootstrap, mean of scores that all differ", lambda: resample(scores, draws))
    shown("randomisation, 9 values @ 5", lambda: randomisation_p(first[0], second[0], draws))
    pair = np.hstack([first[0].rows, second[0].rows])
    shown("paired bootstrap, 9 values @ 5", lambda: resample(pair, draws))


if __name__ == "__main__":
    main()
