"""The benchmark of generators and the check on an accelerator run, at sizes of tests and on the processor."""

import importlib
import json
import sys
from pathlib import Path

import pytest
import torch

from keywright.neural.training.recipe import find_profile

SPEED = Path(__file__).parents[3] / "benchmarks" / "speed"
torch.set_num_threads(1)


@pytest.fixture
def work(monkeypatch):
    monkeypatch.syspath_prepend(str(SPEED))
    return importlib.import_module("generator_work")


@pytest.fixture
def program(monkeypatch):
    """Return a function that runs the check in this process and returns its exit status."""
    monkeypatch.syspath_prepend(str(SPEED))
    check = importlib.import_module("gpu_check")

    def run(*arguments: str):
        monkeypatch.setattr(sys, "argv", ["gpu_check.py", *arguments])
        with pytest.raises(SystemExit) as left:
            check.main()
        return int(left.value.code)

    return run


def test_the_check_runs_on_the_processor(program, tmp_path, capsys):
    file = tmp_path / "check.json"
    options = ("--device", "cpu", "--steps", "2", "--profile", "tiny", "--json", str(file))
    assert program("one2seq", "one2set", *options) == 0
    printed, result = capsys.readouterr().out, json.loads(file.read_text())
    assert [row["generator"] for row in result["rows"]] == ["one2seq", "one2set"]
    assert all(row["training tokens a second"] > 0 and row["memory in MiB"] > 1 for row in result["rows"])
    assert all(f"| {row['generator']} |" in printed for row in result["rows"])


@pytest.mark.skipif(torch.accelerator.is_available(), reason="there is an accelerator")
def test_the_check_says_that_there_is_no_accelerator(program, capsys):
    assert program("--steps", "2") == 2
    printed = capsys.readouterr().err
    assert "no GPU" in printed
    assert "--device cpu --steps 2" in printed


def test_documents_are_the_same_each_time(work):
    words = work.made_words(10_000)
    assert len(set(words)) == 10_000
    examples = work.made_examples(3, words, 40)
    assert examples == work.made_examples(3, words, 40)
    assert all(20 <= len(example.source) <= 40 and len(example.phrases) == 6 for example in examples)


@pytest.mark.parametrize("name", ["bart", "exhird", "one2seq"])
def test_greedy_lists_have_as_many_tokens_as_is_said(work, name):
    profile = find_profile(name, "tiny")
    words = work.made_words(300)
    model = work.new_model(name, profile, words, "cpu")
    step, steps = model.step, []
    model.step = lambda state, word: steps.append(len(word)) or step(state, word)
    work.greedy_of(model)(work.made_examples(2, words, 20))
    prefix = 1 if name == "bart" else 0  # BART reads a second mark before the first piece
    assert steps == [2] * (work.tokens_listed(model) + prefix)


@pytest.mark.usefixtures("work")
def test_a_row_of_the_library_has_the_size_of_ours():
    bench = importlib.import_module("bench_generators")
    rows = {row["name"]: row for row in bench.measured("tiny", 1, 2, 1)}
    for name in ("bart", "t5"):
        assert rows[name]["weights"] == rows[f"transformers, {name}"]["weights"]
        assert rows[name]["tokens of a batch"] == rows[f"transformers, {name}"]["tokens of a batch"]
    assert rows["one2seq"]["tokens of a batch"] == rows["transformers, words"]["tokens of a batch"]
    assert all(row["greedy documents a second"] > 0 for row in rows.values())
