"""Parity with the published scorers: each reference's stored cases, and the number with equal answers.

Equal means: the printed text and written files byte for byte, numbers that are only stored to 1e-9 (ROUGE-1.5.5: to its
five decimals), and a failure where the reference fails.
"""

import argparse
import base64
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from keywright.core.errors import KeywrightError, MissingData
from keywright.core.interfaces import Progress
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010_STRICT
from keywright.evaluation.reference.chan2019 import Options, approximate_summary, chan_files, chan_scores, exact_summary
from keywright.evaluation.reference.hulth2003 import Evaluation, Selection
from keywright.evaluation.reference.line_files import official_text, read_parallel
from keywright.evaluation.reference.meng2017 import Tokenizer, meng_summary
from keywright.experiments.study import Study, TableRow
from keywright.summaries.evaluator import Evaluator
from keywright.summaries.ngram_graphs.evaluator import NGramGraph
from keywright.summaries.ngram_graphs.graphs import Comparing, Comparison, GraphRules, average_similarities, list_edges
from keywright.summaries.pairs import Pair, SummaryText, parse_pair
from keywright.summaries.rouge.evaluators import Rouge155, RougeScore

_TOLERANCE: Final = 1e-9  # for answers that are stored as numbers, not as text
_GOLD_ENDINGS: Final = {"eval": "uncontr_in", "evalGen": "uncontr"}

Facts: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parity(TableRow):
    """The agreement of a protocol with its reference: cases that were run, and those ``equal``; note of others."""

    protocol: str
    reference: str
    cases: int
    equal: int
    note: str = ""


class Reference(NamedTuple):
    """A program with stored answers, which finds its cases in their folder, and compares our answer to a case."""

    program: str
    cases: Callable[[Path], Iterable[Any]]
    is_equal: Callable[[Any], bool]


class _NotACall(ValueError):
    """A case about the reference's command line, not about its scores."""


def compute_parity(progress: Progress | None = None, goldens: Path | None = None) -> tuple[Parity, ...]:
    """Return a row for each reference; without a folder of goldens (KEYWRIGHT_GOLDENS) it is ``MissingData``."""
    folder = goldens or Path(os.environ.get("KEYWRIGHT_GOLDENS", ""))
    if not (folder / "semeval2010").is_dir():
        raise MissingData("no stored answers of the reference scorers", "name their folder in KEYWRIGHT_GOLDENS")
    cases = {protocol: tuple(reference.cases(folder)) for protocol, reference in REFERENCES.items()}
    every, done = sum(map(len, cases.values())), 0
    rows = []
    for protocol, reference in REFERENCES.items():
        equal, calls = [], 0
        for case in cases[protocol]:
            try:
                equal.append(reference.is_equal(case))
            except _NotACall:
                calls += 1
            done += 1
            if progress:
                progress(done, every)
        note = f"{calls} more cases are about wrong options: tests run them through the command line" if calls else ""
        rows.append(Parity(protocol, reference.program, len(equal), sum(equal), note))
    return tuple(rows)


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _find_cases(goldens: Path, part: str, tool: str | None = None) -> list[Path]:
    """Return the folders of the cases of one tool; several tools may share a part of the folder."""
    cases = sorted((goldens / part).glob("case*"))
    return [case for case in cases if _read_json(case / "case.json").get("tool") == tool]


def _run_semeval(case: Path) -> bool:
    facts = _read_json(case / "case.json")
    ours = official_text(case / facts["args"][0] if facts["args"] else None, case / facts["gold"], SEMEVAL2010_STRICT)
    expected = (case / "expected.stdout").read_bytes()
    return ours.text.encode() == expected and bool(ours.status) == bool(facts["exit_code"])


def _run_hulth(case: Path) -> bool:
    facts = _read_json(case / "case.json")
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("command", choices=("eval", "evalGen", "keywords"))
    for name in ("groundTruth", "predicted", "data", "results"):
        parser.add_argument(f"-{name[0]}", f"--{name}")
    try:
        asked, odd = parser.parse_known_args(facts["args"])
    except (argparse.ArgumentError, SystemExit):  # SystemExit: the command is missing
        raise _NotACall from None
    wanted = (asked.data, asked.results) if asked.command == "keywords" else (asked.groundTruth, asked.predicted)
    if odd or None in wanted:
        raise _NotACall
    with tempfile.TemporaryDirectory(prefix="keywright-") as name:
        write_inputs(case, facts, Path(name))
        first, second = (os.path.join(name, given) for given in wanted)  # noqa: PTH118 - a trailing slash must stay
        try:
            if asked.command == "keywords":
                Selection(first, second).write()
                printed = ""
            else:
                printed = Evaluation(first, second, _GOLD_ENDINGS[asked.command]).text()
        except KeywrightError:
            return bool(facts["exit_code"])
        equal = printed.encode() == (case / "expected.stdout").read_bytes() and not facts["exit_code"]
        if (case / "expected_files.json").is_file():
            written = {path.name: path.read_bytes().decode() for path in Path(second).glob("*.uncontr_in")}
            equal = equal and written == _read_json(case / "expected_files.json")
        return equal


def write_inputs(case: Path, facts: Facts, folder: Path) -> None:
    """Write the input files of a case of Hulth's evaluation."""
    files: dict[str, Any] = _read_json(case / "input.json")
    if facts["gold_test500"]:
        gold = _read_json(case.parent / "gold_test500.json")
        if facts["args"][0] == "keywords":
            gold = {name: text for name, text in gold.items() if name.endswith(".uncontr")}
            gold |= _read_json(case.parent / "abstracts_test500.json")
        files = {f"g/{name}": text for name, text in gold.items()} | files
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content["base64"]) if isinstance(content, dict) else content.encode())


def _run_kpg(case: Path) -> bool:
    facts = _read_json(case / "case.json")
    fails = bool(facts.get("exit_code") or facts["error"])
    try:
        ours = answer_kpg(case, facts)
    except KeywrightError:
        return fails
    for file in case.glob("expected.*"):
        if file.name == "expected.summary.json":
            expected = _read_json(file)
            close = (np.allclose(ours[name], expected[name], rtol=0, atol=_TOLERANCE) for name in expected)
            if ours.keys() != expected.keys() or not all(close):
                return False
        elif file.suffix != ".gz" and ours[file.name.removeprefix("expected.")].encode() != file.read_bytes():
            return False
    return not fails


def answer_kpg(case: Path, facts: Facts) -> dict[str, Any]:
    """Return our answer to a case of keyphrase generation: files by name, or numbers by name."""
    lines = read_parallel(*(case / facts[side] for side in ("src", "trg", "pred")))
    match facts["tool"]:
        case "meng":
            return dict(meng_summary(lines, Tokenizer(facts["args"]["tokenizer"])))
        case "kpeval-exact":
            return dict(exact_summary(lines, facts["args"]["k_list"]))
        case "kpeval-approximate":
            return dict(approximate_summary(lines))
    options = parse_options(facts["args"])
    return dict(chan_files(chan_scores(lines, options), options))


def parse_options(arguments: Sequence[str]) -> Options:
    """Return the options of the usual script, which are flags and lists of cutoffs."""
    options: dict[str, Any] = {}
    name = ""
    for argument in arguments:
        if argument.startswith("-"):
            name = argument[1:]
            options[name] = () if name.endswith("_ks") else True
        else:
            options[name] += (int(argument) if argument.isdigit() else argument,)
    return Options(**options)


ROUGE_FOLDER: Final = "rouge"
GRAPH_FOLDER: Final = "ngram_graph"
_NAMES: Final = {"P": "precision", "R": "recall", "F": "f"}
_ROUGE_TOLERANCES: Final = {"rouge155": {"P": 2e-5, "R": 2e-5, "F": 3e-5}, "rouge": dict.fromkeys("PRF", 1e-9)}
"""As stored with the cases: ROUGE-1.5.5 prints five decimals, rouge-score all."""
_LEVELS: Final = (3, 5)  # least and greatest length of n-grams of the stored means over lengths, as their file says


def read_cases(goldens: Path, part: str) -> Iterator[Facts]:
    """Yield the cases of the JSON files in a folder."""
    for file in sorted((goldens / part).glob("*.json")):
        yield from _read_json(file)["cases"]


def compare_rouge155(case: Facts) -> list[str]:
    """Return what differs from ROUGE-1.5.5 in one case, in words; empty if all values are equal."""
    deviations: list[str] = []
    with tempfile.TemporaryDirectory(prefix="keywright-") as name:
        stop, exceptions = Path(name) / "stop.txt", Path(name) / "exceptions.txt"
        stop.write_text("\n".join(case.get("stop_words_here", ())), "utf-8")
        stems = case.get("stem_exceptions_here", {}).items()
        lines = (f"{word} {stem if isinstance(stem, str) else stem[0]}" for word, stem in stems)
        exceptions.write_text("\n".join(lines), "utf-8")
        switched: dict[str, Any] = {"stem": {"stem": True, "exceptions": str(exceptions)}, "stop": {"stop": str(stop)}}
        for key, expected in case["rouge155"].items():
            if key == "per_reference":
                deviations += _compare_each_reference(Rouge155(), case, expected, "reference")
                continue
            # A key is such as ``average_stem_stop`` or ``jackknife_of_best``.
            references, *switches = key.removesuffix("_of_best").split("_")
            options: dict[str, Any] = {"references": references}
            for switch in switches:
                options |= switched[switch]
            deviations += _compare_rouge(Rouge155(**options), case, case["references"], expected, key)
    return deviations


def compare_rouge_score(case: Facts) -> list[str]:
    """Return what differs from rouge-score in one case, in words; empty if all values are equal."""
    deviations: list[str] = []
    for stemming, parts in case["rouge_score"].items():
        evaluator = RougeScore(stem=stemming == "stem")
        deviations += _compare_each_reference(evaluator, case, parts["per_reference"], stemming)
        best = parts["multi_best_f"]
        deviations += _compare_rouge(evaluator, case, case["references"], best, f"{stemming}, best")
    return deviations


def _compare_each_reference(evaluator: Evaluator, case: Facts, expected: Sequence[Facts], place: str) -> Iterator[str]:
    for at, values in enumerate(expected):
        yield from _compare_rouge(evaluator, case, [case["references"][at]], values, f"{place} {at}")


def _compare_rouge(
    evaluator: Evaluator, case: Facts, references: Sequence[Any], expected: Facts, place: str
) -> Iterator[str]:
    pair = parse_pair({"id": case["id"], "system": "peer", "summary": case["peer"], "references": references})
    for measure, values in expected.items():
        one_measure = replace(evaluator, measure=measure.removeprefix("rouge"))  # type: ignore[type-var]
        (evaluation,) = one_measure.evaluate((pair,))
        for name, stored in _NAMES.items():
            value = evaluation.values[name]
            if value is None or abs(value - values[stored]) > _ROUGE_TOLERANCES[evaluator.name][name]:
                yield f"{pair.id}, {place}, {measure}, {name}: {value}, expected {values[stored]}"


def compare_graph_case(case: Facts) -> list[str]:
    """Return what differs in one case of n-gram graphs, in words; empty if all values are equal."""
    return list(_compare_pair(case) if case["type"] == "pair" else _compare_summary(case))


def _compare_pair(case: Facts) -> Iterator[str]:
    for kind, expected in case["expected"].items():
        rules = GraphRules(case["level"], case["n"], case["D"], kind)
        for side, edges in case.get("graphs", {}).get(kind, {}).items():
            if list_edges(case[side], rules) != sorted(map(tuple, edges)):
                yield f"{kind}: edges of {side}"
        yield from _compare_similarities(case["a"], [[case["b"]]], Comparing(rules, rules.n), expected, kind)


def _compare_summary(case: Facts) -> Iterator[str]:
    peer, models = case["peer"], case["models"]
    pair = Pair(case["id"], "peer", SummaryText(peer), tuple(map(SummaryText, models)))
    for expected in case["expected"]:
        rules = GraphRules(expected["level"], expected["n"], expected["D"], expected["graph"])
        comparing = Comparing(rules, rules.n)
        place = f"{rules.level} {rules.n} {rules.distance} {rules.kind}"
        yield from _compare_similarities(peer, [[model] for model in models], comparing, expected["autosummeng"], place)
        yield from _compare_similarities(peer, [models], comparing, expected["memog"], f"{place}, merged")
        if as_coded := expected.get("memog_as_coded"):
            coded = replace(comparing, as_coded=True)
            yield from _compare_similarities(peer, [models], coded, as_coded, f"{place}, merged as coded")
        for measure, name in (("autosummeng", "VS"), ("memog", "NVS")):
            jackknifed = expected[f"{measure}_{name.lower()}_jackknife"]
            for jackknife, value in ((False, expected[measure][name]), (True, jackknifed)):
                settings = {"distance": rules.distance, "graph": rules.kind, "jackknife": jackknife}
                evaluator = NGramGraph(measure, rules.level, rules.n, **settings)  # type: ignore[arg-type]
                score = next(evaluator.evaluate([pair])).values["score"]
                if score is None or abs(score - value) > _TOLERANCE:
                    yield f"{rules}, {measure}, jackknife {jackknife}: {score}, expected {value}"
    least, greatest = _LEVELS
    for kind, by_weights in case.get("levels_3_4_5", {}).items():
        for weights, expected in by_weights.items():
            several = Comparing(GraphRules(n=least, kind=kind), greatest, weights)
            yield from _compare_similarities(peer, [[models[0]]], several, expected, f"{kind} {weights}")


def _compare_similarities(
    peer: str, models: Sequence[Sequence[str]], comparing: Comparing, expected: Facts, place: str
) -> Iterator[str]:
    result = average_similarities([[Comparison(peer, tuple(map(tuple, models)))]], comparing)
    for name, stored in expected.items():
        sizes = sorted((result.sizes[0], result.model_sizes[0]))
        ours: Any = sizes if name == "edges" else getattr(result, name.lower())[0]
        if not np.allclose(ours, stored, rtol=0, atol=_TOLERANCE):
            yield f"{place}: {name} {ours}, expected {stored}"


_find_rouge_cases: Final = partial(read_cases, part=ROUGE_FOLDER)
_KPG_PROGRAMS: Final = {
    "kpg-strict": ("evaluate_prediction", "evaluate_prediction.py of keyphrase-generation-rl (Chan et al. 2019)"),
    "kpg-meng": ("meng", "kp_evaluate.evaluate of OpenNMT-kpg (Meng et al. 2021)"),
    "kpg-kpeval-exact": ("kpeval-exact", "exact_matching of KPEval"),
    "kpg-kpeval-approximate": ("kpeval-approximate", "approximate_matching of KPEval"),
}
"""Tool of the cases and program, by protocol."""
REFERENCES: Final[Mapping[str, Reference]] = {
    "semeval2010-strict": Reference(
        "performance.pl of SemEval-2010 Task 5", partial(_find_cases, part="semeval2010"), _run_semeval
    ),
    "hulth2003": Reference(
        "evalHulth2003 with spaCy 2.0.11 and NLTK 3.2.5", partial(_find_cases, part="inspec"), _run_hulth
    ),
    **{
        name: Reference(program, partial(_find_cases, part="kpg", tool=tool), _run_kpg)
        for name, (tool, program) in _KPG_PROGRAMS.items()
    },
    "ngram-graph": Reference(
        "published formulas; directed graphs checked with PyINSECT",
        partial(read_cases, part=GRAPH_FOLDER),
        lambda case: not compare_graph_case(case),
    ),
    "rouge155": Reference("ROUGE-1.5.5 (Lin 2004)", _find_rouge_cases, lambda case: not compare_rouge155(case)),
    "rouge": Reference("rouge-score 0.1.2", _find_rouge_cases, lambda case: not compare_rouge_score(case)),
}
"""References by the protocol, or the evaluator of summaries, that answers as they do."""

STUDY: Final = Study("scorers", compute_parity, (Parity,))
