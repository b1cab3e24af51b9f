"""Evaluators of keyphrase generation, case by case: files byte for byte, every number of every document to 1e-9."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from keywright.core.errors import KeywrightError
from keywright.evaluation.measures.counts import quotient
from keywright.evaluation.protocols.kpg import KPG, KPG_STRICT
from keywright.evaluation.reference import chan2019
from keywright.evaluation.reference.chan2019 import chan_scores
from keywright.evaluation.reference.line_files import Parallel, read_parallel
from keywright.evaluation.reference.meng2017 import Tokenizer, meng_scores
from keywright.evaluation.scoring.scorer import score
from keywright.experiments.scorers import answer_kpg, parse_options
from keywright.faces.cli.app import app

pytestmark = pytest.mark.data

CASES = tuple(f"case{number:02}" for number in range(1, 44))


def _case(goldens: Path, name: str) -> tuple[Path, dict]:
    folder = goldens / "kpg" / name
    return folder, json.loads((folder / "case.json").read_text())


def _lines(folder: Path, case: dict) -> Parallel:
    return read_parallel(*(folder / case[side] for side in ("src", "trg", "pred")))


def _close(found: dict, expected: dict) -> None:
    assert found.keys() == expected.keys()
    wrong = [name for name in expected if not np.allclose(found[name], expected[name], rtol=0, atol=1e-9)]
    assert wrong == []


def test_all_cases_are_there(goldens):
    assert sorted(folder.name for folder in (goldens / "kpg").glob("case*")) == list(CASES)


@pytest.mark.parametrize("name", CASES)
def test_case_gives_the_reference_s_numbers(goldens, name):
    folder, case = _case(goldens, name)
    if case.get("exit_code") or case["error"]:
        with pytest.raises(KeywrightError):
            answer_kpg(folder, case)
        return
    found = answer_kpg(folder, case)
    for file in folder.glob("expected.*"):
        if file.suffix == ".gz":
            _close(_documents(folder, case), json.loads(gzip.decompress(file.read_bytes())))
        elif file.name == "expected.summary.json":
            _close(found, json.loads(file.read_text()))
        else:
            assert found[file.name.removeprefix("expected.")].encode() == file.read_bytes()


def _documents(folder: Path, case: dict) -> dict:
    lines = _lines(folder, case)
    match case["tool"]:
        case "meng":
            return meng_scores(lines, Tokenizer(case["args"]["tokenizer"]))
        case "kpeval-exact":
            chosen = chan2019.kpeval_options(case["args"]["k_list"])
            return _per_document(chan_scores(lines, chosen), chosen)
        case "kpeval-approximate":
            return chan2019.approximate_documents(lines)
    options = parse_options(case["args"])
    return _per_document(chan_scores(lines, options), options)


def _per_document(scores, options):
    """Every score of every document, by ``measure@cutoff_class``, as the evaluator keeps them while it runs."""
    columns = {}
    for part, of_class in scores.classes.items():
        counts, precision, recall = of_class.counts, of_class.precision, of_class.recall
        tables = {
            "precision": precision,
            "recall": recall,
            "f1_score": quotient(2 * precision * recall, precision + recall),
            "num_matches": counts.hits,
            "num_predictions": counts.divisors,
            "num_targets": np.repeat(counts.gold[:, None], counts.hits.shape[1], axis=1),
        }
        if not options.use_name_variations:
            tables |= {"AP": of_class.AP, "NDCG": of_class.NDCG, "AlphaNDCG": of_class.alpha}
            columns[f"num_targets_{part}"] = counts.gold.tolist()
            columns[f"num_predictions_{part}"] = counts.predicted.tolist()
        for place, k in enumerate(counts.cutoffs):
            columns |= {f"{name}@{k}_{part}": table[:, place].tolist() for name, table in tables.items()}
    return columns


@pytest.mark.parametrize("name", CASES)
def test_command_does_as_the_tool(goldens, tmp_path, name):
    folder, case = _case(goldens, name)
    files = [text for side in ("src", "trg", "pred") for text in (f"-{side}", str(folder / case[side]))]
    out = tmp_path / "scores"
    if case["tool"] == "evaluate_prediction":
        done = CliRunner().invoke(app, ["kpg", "score", *files, "-exp_path", str(out), *case["args"]])
    else:
        extra = ["--convention", case["tool"], "--json"]
        if "tokenizer" in case["args"]:
            extra += ["--tokenizer", case["args"]["tokenizer"]]
        if "k_list" in case["args"]:
            extra += ["--k-list", ",".join(map(str, case["args"]["k_list"]))]
        done = CliRunner().invoke(app, ["kpg", "score", *files, *extra])
    if case.get("exit_code") or case["error"]:
        assert done.exit_code in {1, 2, 3}
        assert not out.exists()
        return
    assert done.exit_code == 0
    if case["tool"] != "evaluate_prediction":
        _close(json.loads(done.stdout), json.loads((folder / "expected.summary.json").read_text()))
        return
    expected = {
        file.name.removeprefix("expected."): file.read_bytes()
        for file in folder.glob("expected.*")
        if file.suffix != ".gz"
    }
    assert {file.name: file.read_bytes() for file in out.iterdir()} == expected


@pytest.mark.parametrize("protocol", [KPG_STRICT, KPG], ids=lambda protocol: protocol.name)
@pytest.mark.parametrize("name", CASES[:8])
def test_protocols_have_the_numbers_of_the_usual_options(goldens, name, protocol):
    """``kpg`` cuts predictions as the text is cut, which models of subwords do not: a comma stays on its word there."""
    tolerance = 5.1e-6 if protocol is KPG_STRICT else 2e-3
    folder, case = _case(goldens, name)
    lines = _lines(folder, case)
    values = score(lines.answers, (lines.gold(),), protocol, lines.texts).values
    names, numbers = (folder / "expected.results_log_5_M_5_M_5_M.tsv").read_text().splitlines()
    expected = dict(zip(names.split("\t"), map(float, numbers.split("\t")), strict=True))
    for part in ("all", "present", "absent"):
        for cutoff in ("5", "M"):
            for measure, theirs in (("P", "p"), ("R", "r"), ("F", "f1")):
                ours = values[f"{part}/{measure}@{cutoff}"]
                assert ours == pytest.approx(expected[f"macro_avg_{theirs}@{cutoff}_{part}"], abs=tolerance)
