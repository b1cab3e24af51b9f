"""Damaged input ends with a message: no traceback, no hang, no gigabytes, no mojibake in silence."""

from pathlib import Path

import pytest
from tests.end_to_end.program import warm
from tests.hostile.cases import Case, run, verdict
from tests.hostile.damages import DAMAGES
from tests.hostile.samples import FORMATS, NAMES, samples
from tests.hostile.served import KINDS, serving

KEPT = [tuple(line.rsplit("/", 2)) for line in (Path(__file__).parent / "kept.txt").read_text("utf-8").split()]
"""Cases that once ended badly."""
BY_PANDOC = [f"article.{ending}" for ending in FORMATS]
"""Samples that share the damages: each meets a quarter of them here, all of them in ``python -m tests.hostile``."""


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    return samples(tmp_path_factory.mktemp("samples"))


@pytest.fixture
def program():
    return warm()


def test_every_sample_is_named(made):
    assert set(made) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_undamaged_input_is_read(name, made, program, tmp_path):
    sample = made[name]
    for path, content in sample.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    finished = program.run(("keywright", *sample.command), b"", str(tmp_path), environment)
    assert (finished.returncode, verdict(finished)) == (0, ""), finished.stderr.decode()


@pytest.mark.parametrize("name", NAMES)
def test_damaged_input_ends_with_a_message(name, made, program, tmp_path):
    cases = [Case(name, damage, number) for number, damage in enumerate(DAMAGES)]
    if name in BY_PANDOC:  # one reader reads them all, in a program of its own that takes a second
        cases = cases[BY_PANDOC.index(name) % 4 :: 4]
    bad = [
        (case.name, wrong) for case in cases if (wrong := verdict(run(case, made[name], tmp_path / "case", program)))
    ]
    assert bad == []


@pytest.mark.parametrize(("name", "damage", "number"), KEPT)
def test_cases_that_once_ended_badly(name, damage, number, made, program, tmp_path):
    assert verdict(run(Case(name, damage, int(number)), made[name], tmp_path / "case", program)) == ""


def test_damaged_requests_cost_themselves(made):
    """Pages sent back, batches, bodies, uploads and calls of tools, each with every damage."""
    with serving(made) as served:
        cases = [(kind, damage, number) for kind in KINDS for number, damage in enumerate(DAMAGES)]
        bad = [(case, wrong) for case in cases if (wrong := served.run(*case))]
    assert bad == []
