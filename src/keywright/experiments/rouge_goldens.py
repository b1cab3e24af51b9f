"""Parity of both ROUGE evaluators with the programs that they follow: stored cases, and those with equal values."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.summaries.evaluator import Evaluator
from keywright.summaries.pairs import Pair, pair_of_record
from keywright.summaries.rouge.rouge155 import Rouge155
from keywright.summaries.rouge.rouge_score import RougeScore

FOLDER: Final = "rouge"
_NAMES: Final = {"P": "precision", "R": "recall", "F": "f"}
_TOLERANCES: Final = {"rouge155": {"P": 2e-5, "R": 2e-5, "F": 3e-5}, "rouge": dict.fromkeys("PRF", 1e-9)}
"""As stored with the cases: ROUGE-1.5.5 prints five decimals, rouge-score all."""

Case: TypeAlias = Mapping[str, Any]
Deviations: TypeAlias = list[str]


def rouge_cases(goldens: Path) -> Iterator[Case]:
    """Yield the stored cases of all files."""
    for file in sorted((goldens / FOLDER).glob("*.json")):
        yield from json.loads(file.read_text("utf-8"))["cases"]


def rouge155_deviations(case: Case) -> Deviations:
    """Return what differs from ROUGE-1.5.5 in one case, in words; empty if all values are equal."""
    deviations: Deviations = []
    with tempfile.TemporaryDirectory(prefix="keywright-") as name:
        lists = _word_files(case, Path(name))
        for key, expected in case["rouge155"].items():
            if key == "per_reference":
                for at, values in enumerate(expected):
                    deviations += _compared(
                        Rouge155(), _pair(case, [case["references"][at]]), values, f"reference {at}"
                    )
            else:
                deviations += _compared(_evaluator(key, lists), _pair(case, case["references"]), expected, key)
    return deviations


def rouge_score_deviations(case: Case) -> Deviations:
    """Return what differs from rouge-score in one case, in words; empty if all values are equal."""
    deviations: Deviations = []
    for stemming, parts in case["rouge_score"].items():
        evaluator = RougeScore(stem=stemming == "stem")
        for at, values in enumerate(parts["per_reference"]):
            deviations += _compared(evaluator, _pair(case, [case["references"][at]]), values, f"{stemming}, {at}")
        best = _pair(case, case["references"])
        deviations += _compared(evaluator, best, parts["multi_best_f"], f"{stemming}, best")
    return deviations


DEVIATIONS: Final[Mapping[str, Callable[[Case], Deviations]]] = {
    "rouge155": rouge155_deviations,
    "rouge": rouge_score_deviations,
}
REFERENCES: Final = {"rouge155": "ROUGE-1.5.5 (Lin 2004)", "rouge": "rouge-score 0.1.2"}


def _pair(case: Case, references: Sequence[Sequence[str]]) -> Pair:
    return pair_of_record({"id": case["id"], "system": "peer", "summary": case["peer"], "references": references})


def _word_files(case: Case, folder: Path) -> tuple[Path, Path]:
    """Write the stop words and the irregular words of a case; return their files."""
    stop, exceptions = folder / "stop.txt", folder / "exceptions.txt"
    stop.write_text("\n".join(case.get("stop_words_here", ())), "utf-8")
    stems = case.get("stem_exceptions_here", {}).items()
    lines = (f"{word} {stem if isinstance(stem, str) else stem[0]}" for word, stem in stems)
    exceptions.write_text("\n".join(lines), "utf-8")
    return stop, exceptions


def _evaluator(key: str, lists: tuple[Path, Path]) -> Rouge155:
    """Return the evaluator of a key such as ``average_stem_stop`` or ``jackknife_of_best``."""
    references, *switches = key.removesuffix("_of_best").split("_")
    evaluator = Rouge155(references=references)  # type: ignore[arg-type]  # checked by the evaluator
    if "stem" in switches:
        evaluator = replace(evaluator, stem=True, exceptions=str(lists[1]))
    return replace(evaluator, stop=str(lists[0])) if "stop" in switches else evaluator


def _compared(
    evaluator: Evaluator, pair: Pair, expected: Mapping[str, Mapping[str, float]], place: str
) -> Iterator[str]:
    """Yield the values of each measure that differ from those expected."""
    for measure, values in expected.items():
        one_measure = replace(evaluator, measure=measure.removeprefix("rouge"))  # type: ignore[type-var]
        (evaluation,) = one_measure.evaluate((pair,))
        for name, stored in _NAMES.items():
            value = evaluation.values[name]
            if value is None or abs(value - values[stored]) > _TOLERANCES[evaluator.name][name]:
                yield f"{pair.id}, {place}, {measure}, {name}: {value}, expected {values[stored]}"
