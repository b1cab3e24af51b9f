"""How fast n-gram graphs score summaries, beside the same formulas over dictionaries.

Usage: python benchmarks/speed/bench_ngram_graphs.py [CHARACTERS]

AutoSummENG and MeMoG (characters, n = 3, distance 3, undirected) of the 2,500 summaries of REALSumm, 25 systems and one
reference a topic. Both take turns, so that both meet the same load of the machine; CPU seconds, best and median of the
rounds. Dictionaries are timed twice: with graphs made for each pair, and with references' graphs kept. With CHARACTERS,
such as 1000000, two texts of so many characters are compared instead, and the peak of memory is printed.
"""

import io
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import plain_ngram_graphs as plain
from measuring import peak_memory

from keywright.core.zstandard import zstd
from keywright.summaries.ngram_graphs.evaluator import NGramGraph
from keywright.summaries.pairs import Pair, SummaryText

N, DISTANCE = 3, 3
ROUNDS = 7
AGREEMENT = 1e-9


def realsumm() -> list[Pair]:
    """The summaries of REALSumm."""
    path = Path(os.environ["KEYWRIGHT_MIRROR"]) / "summary_eval" / "realsumm.jsonl.zst"
    with path.open("rb") as file:
        lines = io.TextIOWrapper(zstd.open(file), "utf-8")
        records = [json.loads(line) for line in lines]
    return [
        Pair(row["doc_id"], row["system"], SummaryText(row["summary"]), tuple(map(SummaryText, row["references"])))
        for row in records
    ]


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def with_kept_references(texts: list[tuple[str, list[str]]]) -> list[float]:
    """AutoSummENG over dictionaries, where each reference's graph is made once."""
    kept = cache(lambda text: plain.graph(text, N, DISTANCE))
    return [
        statistics.fmean(plain.similarities(plain.graph(summary, N, DISTANCE), kept(text))[1] for text in references)
        for summary, references in texts
    ]


def compare(pairs: list[Pair]) -> None:
    """Time both in turns, check that the values agree, and print."""
    texts = [(pair.summary.whole, [text.whole for text in pair.references]) for pair in pairs]
    works: dict[str, dict[str, Callable[[], list[float]]]] = {}
    for measure, formulas in (("autosummeng", plain.autosummeng), ("memog", plain.memog)):
        evaluator = NGramGraph(measure=measure)
        works[measure] = {
            "keywright": lambda evaluator=evaluator: [each.values["score"] for each in evaluator.evaluate(pairs)],
            "dictionaries": lambda formulas=formulas: formulas(texts, N, DISTANCE),
        }
    works["autosummeng"]["dictionaries, references kept"] = lambda: with_kept_references(texts)
    print(f"{len(pairs):,} summaries, n = {N}, distance {DISTANCE}; CPU ms, best and median of {ROUNDS}")
    for measure, sides in works.items():
        ours, *others = (work() for work in sides.values())
        assert all(abs(a - b) <= AGREEMENT for other in others for a, b in zip(ours, other, strict=True))  # noqa: S101
        spans: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(ROUNDS):
            for name, work in sides.items():
                spans[name].append(seconds(work))
        for name, each in spans.items():
            best, median = min(each), statistics.median(each)
            times = f"{best / min(spans['keywright']):5.1f} x {median / statistics.median(spans['keywright']):5.1f} x"
            print(f"{measure:12} {name:30} {1_000 * best:7.0f} {1_000 * median:7.0f}  {times}")


def long_texts(characters: int) -> None:
    """Compare two long texts; print time and memory."""
    chance = random.Random(1)  # noqa: S311 - made texts, no secrets
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(20_000)]
    first, second = (SummaryText(" ".join(chance.choices(words, k=characters // 6))[:characters]) for _ in range(2))
    before = peak_memory()
    start = time.perf_counter()
    (evaluation,) = NGramGraph().evaluate([Pair("long", "system", first, (second,))])
    span = time.perf_counter() - start
    print(f"two texts of {characters:,} characters: {span:.2f} s, score {evaluation.values['score']:.4f}")
    print(f"memory: {before:,.0f} MiB before, {peak_memory():,.0f} MiB at most")


def main() -> None:
    """Time and print."""
    if len(sys.argv) > 1:
        long_texts(int(sys.argv[1]))
    else:
        compare(realsumm())


if __name__ == "__main__":
    main()
