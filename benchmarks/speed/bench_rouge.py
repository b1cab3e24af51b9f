"""How fast ROUGE is, beside the package rouge-score.

Usage: python benchmarks/speed/bench_rouge.py [CHARACTERS]

ROUGE of the 2,500 summaries of REALSumm, 25 systems and one reference a topic; rouge-score has to be installed for the
ratios. Both take turns, so that both meet the same load of the machine; CPU seconds, best and median of the rounds, and
the ratio of the medians. rouge-score computes its measures together, as its users do, and each by itself. With
CHARACTERS, such as 1000000, two texts of so many characters are compared instead, and the peak of memory is printed.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from measuring import peak_memory

from keywright.experiments.summary_collections import read_judged
from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.pairs import Pair, SummaryText
from keywright.summaries.rouge.evaluators import Rouge155, RougeScore

ROUNDS = 5
AGREEMENT = 1e-9
TOGETHER = ("1", "2", "L")
EACH = ("1", "2", "L", "Lsum")
WORDS = 20_000  # different words of the long texts; arbitrary


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def evaluated(evaluator: Evaluator, pairs: Sequence[Pair]) -> list[Evaluation]:
    """The values of all summaries."""
    return list(evaluator.evaluate(pairs))


def ours(pairs: Sequence[Pair], measures: Sequence[str], *, stem: bool) -> list[list[float]]:
    """F of each summary, by measure."""
    evaluators = [RougeScore(measure, stem=stem, tokens="rouge155") for measure in measures]
    return [[each.values["F"] or 0.0 for each in evaluated(evaluator, pairs)] for evaluator in evaluators]


def theirs(scorer: Any, texts: Sequence[tuple[str, list[str]]], measures: Sequence[str]) -> list[list[float]]:
    """F of each summary, by measure, as rouge-score computes it."""
    scores = [scorer.score_multi(references, summary) for summary, references in texts]
    return [[score[f"rouge{measure}"].fmeasure for score in scores] for measure in measures]


def compare(pairs: Sequence[Pair], measures: Sequence[str], *, stem: bool) -> None:
    """Time both in turns, check that the values agree, and print."""
    from rouge_score.rouge_scorer import RougeScorer  # noqa: PLC0415 - the long texts need none

    texts = [
        ("\n".join(pair.summary.sentences), ["\n".join(text.sentences) for text in pair.references]) for pair in pairs
    ]
    scorer = RougeScorer([f"rouge{measure}" for measure in measures], use_stemmer=stem)
    works = (partial(ours, pairs, measures, stem=stem), partial(theirs, scorer, texts, measures))
    for values, others in zip(*(work() for work in works), strict=True):
        assert all(abs(a - b) <= AGREEMENT for a, b in zip(values, others, strict=True))  # noqa: S101 - a benchmark
    spans: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for work, times in zip(works, spans, strict=True):
            times.append(seconds(work) * 1_000)
    medians = list(map(statistics.median, spans))
    name = ", ".join(measures) + (", stems" if stem else "")
    shown = "".join(f"{min(times):9.0f} {median:9.0f}" for times, median in zip(spans, medians, strict=True))
    print(f"{name:18} {shown} {medians[1] / medians[0]:7.1f}")


def long_texts(characters: int) -> None:
    """Compare two texts under each measure; print seconds and the peak of memory."""
    chance = random.Random(1)  # noqa: S311 - words, not secrets
    words = [f"word{number}" for number in range(WORDS)]
    weights = [1 / (rank + 1) for rank in range(WORDS)]
    count = characters // 10
    texts = [chance.choices(words, weights, k=count) for _ in range(2)]
    for name, length in (("sentences of 20 words", 20), ("one sentence", count)):
        summary, reference = (_sentences(text, length) for text in texts)
        pair = Pair("long", "long", summary, (reference,))
        for evaluator in (Rouge155("1"), Rouge155("SU4"), Rouge155("L"), RougeScore("L"), RougeScore("Lsum")):
            span = seconds(partial(evaluated, evaluator, [pair]))
            print(f"{evaluator.name:9} {evaluator.measure:5} {name:22} {span:7.2f} s {peak_memory():6.0f} MiB")


def _sentences(words: Sequence[str], length: int) -> SummaryText:
    return SummaryText.from_json([" ".join(words[at : at + length]) for at in range(0, len(words), length)], "text")


def main() -> None:
    """Time and print."""
    if len(sys.argv) > 1:
        return long_texts(int(sys.argv[1]))
    first, second = read_judged("realsumm")
    pairs = first + second
    for evaluator in map(Rouge155, ("1", "2", "L", "W", "S4", "SU4")):
        spans = [seconds(partial(evaluated, evaluator, pairs)) for _ in range(ROUNDS)]
        print(f"rouge155 {evaluator.measure:3} {statistics.median(spans) * 1_000:6.0f} ms")
    print(f"{len(pairs):,} summaries; CPU ms, best and median of {ROUNDS}, keywright and rouge-score; ratio of medians")
    try:
        compare(pairs, TOGETHER, stem=False)
    except ImportError:
        sys.exit("rouge-score is not installed: no comparison (pip install rouge-score)")
    compare(pairs, TOGETHER, stem=True)
    for measure in EACH:
        compare(pairs, (measure,), stem=False)
    return None


if __name__ == "__main__":
    main()
