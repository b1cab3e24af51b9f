"""Parity of the evaluators ROUGE and ``ngram-graph`` with stored values: cases, and what differs from them."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.summaries.evaluator import Evaluator
from keywright.summaries.ngram_graphs.evaluator import Measure, NGramGraph
from keywright.summaries.ngram_graphs.graphs import GraphRules, list_edges
from keywright.summaries.ngram_graphs.similarity import Comparing, Comparison, average_similarities
from keywright.summaries.pairs import Pair, SummaryText, parse_pair
from keywright.summaries.rouge.evaluators import Rouge155, RougeScore

ROUGE_FOLDER: Final = "rouge"
_NAMES: Final = {"P": "precision", "R": "recall", "F": "f"}
_TOLERANCES: Final = {"rouge155": {"P": 2e-5, "R": 2e-5, "F": 3e-5}, "rouge": dict.fromkeys("PRF", 1e-9)}
"""As stored with the cases: ROUGE-1.5.5 prints five decimals, rouge-score all."""

Case: TypeAlias = Mapping[str, Any]
Deviations: TypeAlias = list[str]


def read_rouge_cases(goldens: Path) -> Iterator[Case]:
    """Yield the stored cases of all files."""
    return _read_cases(goldens / ROUGE_FOLDER)


def _read_cases(folder: Path) -> Iterator[Case]:
    for file in sorted(folder.glob("*.json")):
        yield from json.loads(file.read_text("utf-8"))["cases"]


def compare_rouge155(case: Case) -> Deviations:
    """Return what differs from ROUGE-1.5.5 in one case, in words; empty if all values are equal."""
    deviations: Deviations = []
    with tempfile.TemporaryDirectory(prefix="keywright-") as name:
        lists = _write_word_files(case, Path(name))
        for key, expected in case["rouge155"].items():
            if key == "per_reference":
                deviations += _compare_each_reference(Rouge155(), case, expected, "reference")
            else:
                deviations += _compare_values(_make_evaluator(key, lists), case, case["references"], expected, key)
    return deviations


def compare_rouge_score(case: Case) -> Deviations:
    """Return what differs from rouge-score in one case, in words; empty if all values are equal."""
    deviations: Deviations = []
    for stemming, parts in case["rouge_score"].items():
        evaluator = RougeScore(stem=stemming == "stem")
        deviations += _compare_each_reference(evaluator, case, parts["per_reference"], stemming)
        best = parts["multi_best_f"]
        deviations += _compare_values(evaluator, case, case["references"], best, f"{stemming}, best")
    return deviations


def _write_word_files(case: Case, folder: Path) -> tuple[Path, Path]:
    stop, exceptions = folder / "stop.txt", folder / "exceptions.txt"
    stop.write_text("\n".join(case.get("stop_words_here", ())), "utf-8")
    stems = case.get("stem_exceptions_here", {}).items()
    lines = (f"{word} {stem if isinstance(stem, str) else stem[0]}" for word, stem in stems)
    exceptions.write_text("\n".join(lines), "utf-8")
    return stop, exceptions


def _make_evaluator(key: str, lists: tuple[Path, Path]) -> Rouge155:
    """Return the evaluator of a key such as ``average_stem_stop`` or ``jackknife_of_best``."""
    references, *switches = key.removesuffix("_of_best").split("_")
    evaluator = Rouge155(references=references)  # type: ignore[arg-type]  # checked by the evaluator
    if "stem" in switches:
        evaluator = replace(evaluator, stem=True, exceptions=str(lists[1]))
    return replace(evaluator, stop=str(lists[0])) if "stop" in switches else evaluator


def _compare_each_reference(
    evaluator: Evaluator, case: Case, expected: Sequence[Mapping[str, Any]], place: str
) -> Iterator[str]:
    for at, values in enumerate(expected):
        yield from _compare_values(evaluator, case, [case["references"][at]], values, f"{place} {at}")


def _compare_values(
    evaluator: Evaluator, case: Case, references: Sequence[Any], expected: Mapping[str, Any], place: str
) -> Iterator[str]:
    pair = parse_pair({"id": case["id"], "system": "peer", "summary": case["peer"], "references": references})
    for measure, values in expected.items():
        one_measure = replace(evaluator, measure=measure.removeprefix("rouge"))  # type: ignore[type-var]
        (evaluation,) = one_measure.evaluate((pair,))
        for name, stored in _NAMES.items():
            value = evaluation.values[name]
            if value is None or abs(value - values[stored]) > _TOLERANCES[evaluator.name][name]:
                yield f"{pair.id}, {place}, {measure}, {name}: {value}, expected {values[stored]}"


GRAPH_FOLDER: Final = "ngram_graph"
_GRAPH_TOLERANCE: Final = 1e-9  # as stored with the cases
_LEVELS: Final = (3, 5)
"""Least and greatest length of n-grams of the stored means over lengths, as their file says; distance 3."""


def read_graph_cases(goldens: Path) -> Iterator[Case]:
    """Yield the stored cases of all files."""
    return _read_cases(goldens / GRAPH_FOLDER)


def compare_graph_case(case: Case) -> list[str]:
    """Return what differs in one case, in words; empty if all values are equal."""
    match case["type"]:
        case "pair":
            return list(_compare_pair(case))
        case "summary":
            return list(_compare_summary(case))
    return [f"cases of type {case['type']} are unknown"]


def _compare_pair(case: Case) -> Iterator[str]:
    for kind, expected in case["expected"].items():
        rules = GraphRules(case["level"], case["n"], case["D"], kind)
        for side, edges in case.get("graphs", {}).get(kind, {}).items():
            if list_edges(case[side], rules) != sorted(map(tuple, edges)):
                yield f"{kind}: edges of {side}"
        yield from _compare_similarities(case["a"], [[case["b"]]], Comparing(rules, rules.n), expected, kind)


def _compare_summary(case: Case) -> Iterator[str]:
    peer, models = case["peer"], case["models"]
    for expected in case["expected"]:
        rules = GraphRules(expected["level"], expected["n"], expected["D"], expected["graph"])
        comparing = Comparing(rules, rules.n)
        place = f"{rules.level} {rules.n} {rules.distance} {rules.kind}"
        yield from _compare_similarities(peer, [[model] for model in models], comparing, expected["autosummeng"], place)
        yield from _compare_similarities(peer, [models], comparing, expected["memog"], f"{place}, merged")
        if as_coded := expected.get("memog_as_coded"):
            coded = Comparing(rules, rules.n, as_coded=True)
            yield from _compare_similarities(peer, [models], coded, as_coded, f"{place}, merged as coded")
        yield from _compare_scores(case, rules, expected)
    least, greatest = _LEVELS
    for kind, by_weights in case.get("levels_3_4_5", {}).items():
        for weights, expected in by_weights.items():
            several = Comparing(GraphRules(n=least, kind=kind), greatest, weights)
            yield from _compare_similarities(peer, [[models[0]]], several, expected, f"{kind} {weights}")


def _compare_similarities(
    peer: str, models: Sequence[Sequence[str]], comparing: Comparing, expected: Mapping[str, Any], place: str
) -> Iterator[str]:
    result = average_similarities([[Comparison(peer, tuple(map(tuple, models)))]], comparing)
    for name, stored in expected.items():
        if name == "edges":
            ours: Any = sorted((result.sizes[0], result.model_sizes[0]))
            equal = ours == stored
        else:
            ours = getattr(result, name.lower())[0]
            equal = abs(ours - stored) <= _GRAPH_TOLERANCE
        if not equal:
            yield f"{place}: {name} {ours}, expected {stored}"


def _compare_scores(case: Case, rules: GraphRules, expected: Mapping[str, Any]) -> Iterator[str]:
    stored: dict[tuple[Measure, bool], float] = {
        ("autosummeng", False): expected["autosummeng"]["VS"],
        ("autosummeng", True): expected["autosummeng_vs_jackknife"],
        ("memog", False): expected["memog"]["NVS"],
        ("memog", True): expected["memog_nvs_jackknife"],
    }
    pair = Pair(case["id"], "peer", SummaryText(case["peer"]), tuple(map(SummaryText, case["models"])))
    for (measure, jackknife), value in stored.items():
        evaluator = NGramGraph(
            measure, rules.level, rules.n, distance=rules.distance, graph=rules.kind, jackknife=jackknife
        )
        score = next(evaluator.evaluate([pair])).values["score"]
        if score is None or abs(score - value) > _GRAPH_TOLERANCE:
            yield f"{rules}, {measure}, jackknife {jackknife}: {score}, expected {value}"
