"""Records of the shared task's systems: they name every parameter, with its default and a legal origin."""

from dataclasses import replace

import pytest
from tests.docs.snippets import ROOT

from keywright.catalogue import SYSTEMS, system_class
from keywright.core.errors import BadRecord
from keywright.core.signatures import change_part, list_parameters
from keywright.experiments.semeval2010_records import BEST, LITERAL, ORIGINS, parse_record, read_printed, read_records
from keywright.experiments.semeval2010_table import UNDESCRIBED

RECORDS = pytest.mark.parametrize("record", read_records().values(), ids=list(read_records()))
TEXT = """
paper = "A paper"
read = "the paper"
fitted = ["model"]
[[step]]
does = "words of a phrase"
origin = "cross-validated"
source = "left open"
parameter = "longest"
value = 3
tried = [4, 5]
[[step]]
does = "a list"
origin = "stated"
parameter = "names"
value = ["a", "b"]
tried = ["none", []]
literal = "none"
departs = "Why."
[best]
longest = 5
"""


def test_every_described_participant_and_kea_have_one():
    described = {name for name, table in read_printed().items() if "rank" in table and name not in UNDESCRIBED}
    assert set(read_records()) == described | {"kea"}
    assert set(read_records()) <= set(SYSTEMS.built_in)


def test_a_record_is_read():
    record = parse_record("toy", TEXT)
    assert (record.paper, record.fitted, record.switches) == ("A paper", ("model",), ())
    assert record.tried == {"longest": (4, 5), "names": (None, ())}
    assert record.literal == {"names": None}
    assert record.steps[1].value == ("a", "b")
    assert record.variants == {LITERAL: {"names": None}, BEST: {"longest": 5}}
    assert replace(record, best={}).variants == {LITERAL: {"names": None}}


def test_an_unknown_origin_is_refused():
    with pytest.raises(BadRecord, match="guessed"):
        parse_record("toy", TEXT.replace("stated", "guessed"))


@RECORDS
def test_every_parameter_is_a_step_with_its_default(record):
    system = system_class(record.system)
    steps = {step.parameter: step for step in record.steps if step.parameter}
    apart = {*record.fitted, *record.switches}
    assert {parameter.name for parameter in list_parameters(system)} == steps.keys() | apart
    assert not steps.keys() & apart
    for parameter in list_parameters(system):
        if parameter.name in steps and not callable(parameter.default):  # bundled tables have no value to write down
            assert steps[parameter.name].value == parameter.default, parameter.name


@RECORDS
def test_values_are_of_the_parameters_kinds_and_not_the_default(record):
    system = system_class(record.system)()
    for step in record.steps:
        for value in (*step.tried, *step.literal):
            assert change_part(system, {step.parameter: value}, record.system) != system
    for values in record.variants.values():
        assert change_part(system, values, record.system) != system


@RECORDS
def test_what_is_stated_comes_before_what_is_cross_validated(record):
    """Decision 0012: a stated value that is not the default is a departure, which says why and has a row of its own."""
    for step in record.steps:
        assert step.origin in ORIGINS
        assert bool(step.literal) == bool(step.departs)
        assert set(step.literal) <= set(step.tried), "the stated value is measured, as others are"
        if step.origin == "cross-validated":
            assert step.parameter, f"{step.does}: what is chosen by measuring is a parameter"
            assert step.tried, f"{step.parameter}: what was it chosen among?"


def test_departures_are_those_of_the_decision():
    """A departure that nobody decided on fails here: decision 0012 names each of them."""
    decision = (ROOT / "docs" / "decisions" / "0012-values-of-reproduced-systems.md").read_text("utf-8")
    for record in read_records().values():
        for parameter in record.literal:
            assert f"`{record.system}` `{parameter}`" in decision
