"""Damaged input ends with a message: no traceback, no hang, no gigabytes, no mojibake in silence."""

from pathlib import Path

import pytest
from tests.end_to_end.program import warm
from tests.hostile.cases import Case, run, verdict
from tests.hostile.damages import DAMAGES
from tests.hostile.samples import NAMES, samples
from tests.hostile.served import KINDS, serving

SLOW = ("article.adoc",)
"""Samples whose cases wait for the limit of pandoc's time; one of them is among the damaged ones of every run."""
KEPT = [
    pytest.param(*line.rsplit("/", 2), marks=[pytest.mark.thorough] * line.startswith(SLOW))
    for line in (Path(__file__).parent / "kept.txt").read_text("utf-8").split()
]
"""Cases that once ended badly."""
SHARE = 4
"""Samples and kinds of requests share the damages: each meets a quarter of them here, all of them in ``make fuzz``."""


def share_damages(place):
    """Return names and numbers of the damages that the input at a place among all meets."""
    return [(damage, number) for number, damage in enumerate(DAMAGES)][place % SHARE :: SHARE]


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
    cases = [Case(name, *damage) for damage in share_damages(NAMES.index(name))]
    verdicts = {case.name: verdict(run(case, made[name], tmp_path / "case", program)) for case in cases}
    assert verdicts == dict.fromkeys(verdicts, "")


@pytest.mark.parametrize(("name", "damage", "number"), KEPT)
def test_cases_that_once_ended_badly(name, damage, number, made, program, tmp_path):
    assert verdict(run(Case(name, damage, int(number)), made[name], tmp_path / "case", program)) == ""


def test_damaged_requests_cost_themselves(made):
    """Pages sent back, batches, bodies, uploads and calls of tools."""
    with serving(made) as served:
        cases = [(kind, *damage) for place, kind in enumerate(KINDS) for damage in share_damages(place)]
        verdicts = {case: served.run(*case) for case in cases}
    assert verdicts == dict.fromkeys(verdicts, "")
