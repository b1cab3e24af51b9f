"""``python -m studies``: names, and what is refused; ``keywright reproduce`` says where a study went."""

import json

import pytest
import typer
from typer.testing import CliRunner, Result

import keywright as kw
from keywright.core.errors import UnknownName
from keywright.experiments.study import Study
from studies.__main__ import main
from studies.catalogue import PLACES, study

APP = typer.Typer()
APP.command()(main)


def studies(*arguments: str) -> Result:
    return CliRunner().invoke(APP, arguments)


def test_names_are_listed():
    assert studies("--list").stdout.splitlines() == list(PLACES)
    assert json.loads(studies("--list", "--json").stdout) == list(PLACES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "there are: "),
        (("guarantee",), "did you mean 'guarantees'"),
        (("guarantees", "--systems", "yake"), "leave --systems out"),
    ],
)
def test_wrong_usage_is_refused(arguments, message):
    done = studies(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize("name", PLACES)
def test_a_study_is_found_under_its_own_name(name):
    found = study(name)
    assert isinstance(found, Study)
    assert found.name == name


@pytest.mark.parametrize("name", PLACES)
def test_reproduce_says_where_a_study_went(name):
    assert name not in kw.list_tables()
    with pytest.raises(UnknownName, match=f"python -m studies {name}"):
        kw.reproduce(name)
