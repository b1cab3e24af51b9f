"""Parity of the evaluator ``ngram-graph`` with stored values: cases, and what differs from them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.summaries.ngram_graphs.comparing import Comparing, Comparison, mean_similarities
from keywright.summaries.ngram_graphs.edges import listed_edges
from keywright.summaries.ngram_graphs.evaluator import Measure, NGramGraph
from keywright.summaries.ngram_graphs.rules import GraphRules
from keywright.summaries.pairs import Pair
from keywright.summaries.texts import SummaryText

FOLDER: Final = "ngram_graph"
REFERENCE: Final = "published formulas; directed graphs checked with PyINSECT"
_TOLERANCE: Final = 1e-9
"""As stored with the cases."""
_LEVELS: Final = (3, 5)
"""Least and greatest length of n-grams of the stored means over lengths, as their file says; distance 3."""

Case: TypeAlias = Mapping[str, Any]


def ngram_graph_cases(goldens: Path) -> Iterator[Case]:
    """Yield the stored cases of all files."""
    for file in sorted((goldens / FOLDER).glob("*.json")):
        yield from json.loads(file.read_text("utf-8"))["cases"]


def ngram_graph_deviations(case: Case) -> list[str]:
    """Return what differs in one case, in words; empty if all values are equal."""
    match case["type"]:
        case "pair":
            return list(_pair_deviations(case))
        case "summary":
            return list(_summary_deviations(case))
    return [f"cases of type {case['type']} are unknown"]


def _pair_deviations(case: Case) -> Iterator[str]:
    for kind, expected in case["expected"].items():
        rules = GraphRules(case["level"], case["n"], case["D"], kind)
        for side, edges in case.get("graphs", {}).get(kind, {}).items():
            if listed_edges(case[side], rules) != sorted(map(tuple, edges)):
                yield f"{kind}: edges of {side}"
        yield from _compared(case["a"], [[case["b"]]], Comparing(rules, rules.n), expected, kind)


def _summary_deviations(case: Case) -> Iterator[str]:
    peer, models = case["peer"], case["models"]
    for expected in case["expected"]:
        rules = GraphRules(expected["level"], expected["n"], expected["D"], expected["graph"])
        comparing = Comparing(rules, rules.n)
        place = f"{rules.level} {rules.n} {rules.distance} {rules.kind}"
        yield from _compared(peer, [[model] for model in models], comparing, expected["autosummeng"], place)
        yield from _compared(peer, [models], comparing, expected["memog"], f"{place}, merged")
        if as_coded := expected.get("memog_as_coded"):
            coded = Comparing(rules, rules.n, as_coded=True)
            yield from _compared(peer, [models], coded, as_coded, f"{place}, merged as coded")
        yield from _scores(case, rules, expected)
    least, greatest = _LEVELS
    for kind, by_weights in case.get("levels_3_4_5", {}).items():
        for weights, expected in by_weights.items():
            several = Comparing(GraphRules(n=least, kind=kind), greatest, weights)
            yield from _compared(peer, [[models[0]]], several, expected, f"{kind} {weights}")


def _compared(
    peer: str, models: Sequence[Sequence[str]], comparing: Comparing, expected: Mapping[str, Any], place: str
) -> Iterator[str]:
    """Yield the similarities that differ from those expected."""
    result = mean_similarities([[Comparison(peer, tuple(map(tuple, models)))]], comparing)
    for name, stored in expected.items():
        if name == "edges":
            ours: Any = sorted((result.sizes[0], result.model_sizes[0]))
            equal = ours == stored
        else:
            ours = getattr(result, name.lower())[0]
            equal = abs(ours - stored) <= _TOLERANCE
        if not equal:
            yield f"{place}: {name} {ours}, expected {stored}"


def _scores(case: Case, rules: GraphRules, expected: Mapping[str, Any]) -> Iterator[str]:
    """Yield the scores of the evaluator that differ from those expected."""
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
        if score is None or abs(score - value) > _TOLERANCE:
            yield f"{rules}, {measure}, jackknife {jackknife}: {score}, expected {value}"
