"""Parity with the published scorers: each reference's stored cases, and the number with equal answers.

The cases are the reference programs' own answers, in the folder that KEYWRIGHT_GOLDENS names. Equal means: the printed
text and written files byte for byte, numbers that are only stored to 1e-9, and a failure where the reference fails.
"""

import argparse
import base64
import gzip
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

import numpy as np

from keywright.core.errors import KeywrightError, MissingData
from keywright.core.interfaces import Progress
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010_STRICT
from keywright.evaluation.reference.chan2019 import Options, chan_scores
from keywright.evaluation.reference.chan2019_files import chan_files
from keywright.evaluation.reference.hulth2003 import Evaluation, Selection
from keywright.evaluation.reference.kpeval import approximate_summary, exact_summary
from keywright.evaluation.reference.meng2017 import Tokenizer, meng_summary
from keywright.evaluation.reference.parallel_files import read_parallel
from keywright.evaluation.reference.semeval2010_text import official_text
from keywright.experiments import summary_goldens
from keywright.experiments.study import Study, TableRow

NAME: Final = "scorers"
_TOLERANCE: Final = 1e-9
"""For answers that are stored as numbers, not as text."""
_GOLD_ENDINGS: Final = {"eval": "uncontr_in", "evalGen": "uncontr"}

Facts: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parity(TableRow):
    """The agreement of a protocol with its reference.

    Attributes:
        protocol: name in the catalogue, or of the command that replaces the reference.
        reference: the program whose answers are stored.
        cases: number of stored cases that were run.
        equal: number of those with the reference's answer.
        note: cases that were not run, and where they are checked.
    """

    protocol: str
    reference: str
    cases: int
    equal: int
    note: str = ""


class _Stored(NamedTuple):
    """Stored values of an evaluator of summaries.

    Attributes:
        reference: origin of the values.
        cases: cases in the folder of stored answers.
        deviations: differences from one case, in words.
    """

    reference: str
    cases: Callable[[Path], Iterable[Facts]]
    deviations: Callable[[Facts], Sequence[str]]


class _NotACall(ValueError):
    """A case about the reference's command line, not about its scores."""


class _Options(argparse.ArgumentParser):
    """A parser of the reference's options that raises for wrong ones."""

    def error(self, message: str) -> NoReturn:
        """Raise for wrong options."""
        raise _NotACall(message)


def compute_parity(progress: Progress | None = None, goldens: Path | None = None) -> tuple[Parity, ...]:
    """Run all cases; return a row for each reference.

    Args:
        progress: called with the number of cases done, and of all.
        goldens: folder of the stored answers; None takes the one that KEYWRIGHT_GOLDENS names.

    Raises:
        MissingData: there is no such folder.
    """
    folder = goldens or Path(os.environ.get("KEYWRIGHT_GOLDENS", ""))
    if not (folder / "semeval2010").is_dir():
        raise MissingData("no stored answers of the reference scorers", "name their folder in KEYWRIGHT_GOLDENS")
    evaluators = {name: tuple(stored.cases(folder)) for name, stored in _STORED.items()}
    cases = [(protocol, case) for protocol, part in _PARTS.items() for case in _find_cases(folder / part, protocol)]
    every = len(cases) + sum(map(len, evaluators.values()))
    outcomes: dict[str, list[bool]] = {protocol: [] for protocol in _PARTS}
    calls: dict[str, int] = dict.fromkeys(_PARTS, 0)
    for done, (protocol, case) in enumerate(cases, start=1):
        facts = _read_json(case / "case.json")
        try:
            outcomes[protocol].append(_RUNS[protocol](case, facts))
        except _NotACall:
            calls[protocol] += 1
        if progress:
            progress(done, every)
    protocols = tuple(
        Parity(protocol, _REFERENCES[protocol], len(equal), sum(equal), _describe_calls(calls[protocol]))
        for protocol, equal in outcomes.items()
    )
    for name, stored_cases in evaluators.items():
        equal = [not _STORED[name].deviations(case) for case in stored_cases]
        protocols += (Parity(name, _STORED[name].reference, len(equal), sum(equal)),)
        if progress:
            progress(every, every)
    return protocols


def _describe_calls(calls: int) -> str:
    return f"{calls} more cases are about wrong options: tests run them through the command line" if calls else ""


def _find_cases(folder: Path, protocol: str) -> Iterator[Path]:
    """Yield folders of the cases of one reference; several references may share a folder."""
    for case in sorted(folder.glob("case*")):
        tool = _read_json(case / "case.json").get("tool")
        if tool is None or _TOOLS[tool] == protocol:
            yield case


def _run_semeval(case: Path, facts: Facts) -> bool:
    answers = case / facts["args"][0] if facts["args"] else None
    ours = official_text(answers, case / facts["gold"], SEMEVAL2010_STRICT)
    expected = (case / "expected.stdout").read_bytes()
    return ours.text.encode() == expected and bool(ours.status) == bool(facts["exit_code"])


def _run_hulth(case: Path, facts: Facts) -> bool:
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
        _lay_out(case, facts, folder)
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


def _lay_out(case: Path, facts: Facts, folder: Path) -> None:
    """Write a case's input files."""
    files: dict[str, Any] = {}
    if facts["gold_test500"]:
        selecting = facts["args"][0] == "keywords"
        gold = _read_json(case.parent / "gold_test500.json")
        files = {f"g/{name}": text for name, text in gold.items() if not selecting or name.endswith(".uncontr")}
        if selecting:
            files |= {f"g/{name}": text for name, text in _read_json(case.parent / "abstracts_test500.json").items()}
    for name, content in (files | _read_json(case / "input.json")).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content["base64"]) if isinstance(content, dict) else content.encode())


def _run_kpg(case: Path, facts: Facts) -> bool:
    fails = bool(facts.get("exit_code") or facts["error"])
    try:
        ours = _answer_kpg(case, facts)
    except KeywrightError:
        return fails
    for file in case.glob("expected.*"):
        if file.name == "expected.summary.json":
            expected = _read_json(file)
            if ours.keys() != expected.keys() or not all(_is_close(ours[name], expected[name]) for name in expected):
                return False
        elif file.suffix != ".gz" and ours[file.name.removeprefix("expected.")].encode() != file.read_bytes():
            return False
    return not fails


def _answer_kpg(case: Path, facts: Facts) -> dict[str, Any]:
    """Return files by name, or numbers by name."""
    lines = read_parallel(*(case / facts[side] for side in ("src", "trg", "pred")))
    match facts["tool"]:
        case "meng":
            return dict(meng_summary(lines, Tokenizer(facts["args"]["tokenizer"])))
        case "kpeval-exact":
            return dict(exact_summary(lines, facts["args"]["k_list"]))
        case "kpeval-approximate":
            return dict(approximate_summary(lines))
    options = _parse_options(facts["args"])
    return dict(chan_files(chan_scores(lines, options), options))


def _parse_options(arguments: list[str]) -> Options:
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


def _is_close(ours: Any, theirs: Any) -> bool:
    return bool(np.allclose(ours, theirs, rtol=0, atol=_TOLERANCE))


def _read_json(path: Path) -> Any:
    if path.suffix == ".gz":
        return json.loads(gzip.decompress(path.read_bytes()))
    return json.loads(path.read_text("utf-8"))


_PARTS: Final = {
    "semeval2010-strict": "semeval2010",
    "hulth2003": "inspec",
    "kpg-strict": "kpg",
    "kpg-meng": "kpg",
    "kpg-kpeval-exact": "kpg",
    "kpg-kpeval-approximate": "kpg",
}
_TOOLS: Final = {
    "evaluate_prediction": "kpg-strict",
    "meng": "kpg-meng",
    "kpeval-exact": "kpg-kpeval-exact",
    "kpeval-approximate": "kpg-kpeval-approximate",
}
_REFERENCES: Final = {
    "semeval2010-strict": "performance.pl of SemEval-2010 Task 5",
    "hulth2003": "evalHulth2003 with spaCy 2.0.11 and NLTK 3.2.5",
    "kpg-strict": "evaluate_prediction.py of keyphrase-generation-rl (Chan et al. 2019)",
    "kpg-meng": "kp_evaluate.evaluate of OpenNMT-kpg (Meng et al. 2021)",
    "kpg-kpeval-exact": "exact_matching of KPEval",
    "kpg-kpeval-approximate": "approximate_matching of KPEval",
}
_RUNS: Final[Mapping[str, Callable[[Path, Facts], bool]]] = {
    "semeval2010-strict": _run_semeval,
    "hulth2003": _run_hulth,
    **dict.fromkeys(("kpg-strict", "kpg-meng", "kpg-kpeval-exact", "kpg-kpeval-approximate"), _run_kpg),
}
_STORED: Final = {
    "ngram-graph": _Stored(
        summary_goldens.GRAPH_REFERENCE,
        summary_goldens.read_graph_cases,
        summary_goldens.compare_graph_case,
    ),
    **{
        name: _Stored(summary_goldens.REFERENCES[name], summary_goldens.read_rouge_cases, deviations)
        for name, deviations in summary_goldens.DEVIATIONS.items()
    },
}

STUDY: Final = Study(NAME, compute_parity, (Parity,))
