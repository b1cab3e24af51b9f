"""Parity with the published scorers: each reference's stored cases, and the number with equal answers.

Equal means: the printed text and written files byte for byte, numbers that are only stored to 1e-9, and a failure where
the reference fails.
"""

import argparse
import base64
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

import numpy as np

from keywright.core.errors import KeywrightError, MissingData
from keywright.core.interfaces import Progress
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010_STRICT
from keywright.evaluation.reference.chan2019 import Options, approximate_summary, chan_scores, exact_summary
from keywright.evaluation.reference.chan2019_files import chan_files
from keywright.evaluation.reference.hulth2003 import Evaluation, Selection
from keywright.evaluation.reference.meng2017 import Tokenizer, meng_summary
from keywright.evaluation.reference.parallel_files import read_parallel
from keywright.evaluation.reference.semeval2010_text import official_text
from keywright.experiments.study import Study, TableRow
from keywright.experiments.summary_goldens import (
    compare_graph_case,
    compare_rouge155,
    compare_rouge_score,
    read_graph_cases,
    read_rouge_cases,
)

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


class _Options(argparse.ArgumentParser):
    """A parser of the reference's options that raises for wrong ones."""

    def error(self, message: str) -> NoReturn:
        """Raise for wrong options."""
        raise _NotACall(message)


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


def _find_cases(part: str, tool: str | None = None) -> Callable[[Path], list[Path]]:
    """Return what finds the folders of the cases of one tool; several tools may share a part of the folder."""
    return lambda goldens: [
        case for case in sorted((goldens / part).glob("case*")) if _read_json(case / "case.json").get("tool") == tool
    ]


def _run_semeval(case: Path) -> bool:
    facts = _read_json(case / "case.json")
    answers = case / facts["args"][0] if facts["args"] else None
    ours = official_text(answers, case / facts["gold"], SEMEVAL2010_STRICT)
    expected = (case / "expected.stdout").read_bytes()
    return ours.text.encode() == expected and bool(ours.status) == bool(facts["exit_code"])


def _run_hulth(case: Path) -> bool:
    facts = _read_json(case / "case.json")
    parser = _Options(add_help=False)
    parser.add_argument("command", choices=("eval", "evalGen", "keywords"))
    for short, long in (("-g", "--groundTruth"), ("-p", "--predicted"), ("-d", "--data"), ("-r", "--results")):
        parser.add_argument(short, long)
    asked, odd = parser.parse_known_args(facts["args"])
    wanted = (asked.data, asked.results) if asked.command == "keywords" else (asked.groundTruth, asked.predicted)
    if odd or None in wanted:
        raise _NotACall
    with tempfile.TemporaryDirectory(prefix="keywright-") as name:
        folder = Path(name)
        write_inputs(case, facts, folder)
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


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


REFERENCES: Final[Mapping[str, Reference]] = {
    "semeval2010-strict": Reference("performance.pl of SemEval-2010 Task 5", _find_cases("semeval2010"), _run_semeval),
    "hulth2003": Reference("evalHulth2003 with spaCy 2.0.11 and NLTK 3.2.5", _find_cases("inspec"), _run_hulth),
    "kpg-strict": Reference(
        "evaluate_prediction.py of keyphrase-generation-rl (Chan et al. 2019)",
        _find_cases("kpg", "evaluate_prediction"),
        _run_kpg,
    ),
    "kpg-meng": Reference(
        "kp_evaluate.evaluate of OpenNMT-kpg (Meng et al. 2021)", _find_cases("kpg", "meng"), _run_kpg
    ),
    "kpg-kpeval-exact": Reference("exact_matching of KPEval", _find_cases("kpg", "kpeval-exact"), _run_kpg),
    "kpg-kpeval-approximate": Reference(
        "approximate_matching of KPEval", _find_cases("kpg", "kpeval-approximate"), _run_kpg
    ),
    "ngram-graph": Reference(
        "published formulas; directed graphs checked with PyINSECT",
        read_graph_cases,
        lambda case: not compare_graph_case(case),
    ),
    "rouge155": Reference("ROUGE-1.5.5 (Lin 2004)", read_rouge_cases, lambda case: not compare_rouge155(case)),
    "rouge": Reference("rouge-score 0.1.2", read_rouge_cases, lambda case: not compare_rouge_score(case)),
}
"""References by the protocol, or the evaluator of summaries, that answers as they do."""

STUDY: Final = Study("scorers", compute_parity, (Parity,))
