"""Every rule of every protocol changes a number: the battery holds, and each change of one rule is noticed by it."""

import dataclasses
from pathlib import Path

import pytest
from tests.rules import study
from tests.rules.battery import PROBES
from tests.rules.mutants import FUNCTIONS, NO_RULES, mutants
from tests.rules.probing import lightened, plain

from keywright.catalogue import PROTOCOLS
from keywright.evaluation.protocol import Protocol

PAGE = Path(__file__).parents[2] / "docs" / "results" / "mutation-study.md"
HAVE_NONE = {"means"}  # rules that many protocols leave empty, so that there is nothing to change


@pytest.mark.parametrize("name", PROTOCOLS.built_in)
def test_the_battery_by_hand(name):
    protocol = lightened(PROTOCOLS.find(name))
    rows = [probe for probe in PROBES if probe.expected(name) is not None]
    seen = {probe.name: probe.seen(protocol) for probe in rows}
    assert seen == {probe.name: plain(probe.expected(name)) for probe in rows}


@pytest.mark.parametrize("name", PROTOCOLS.built_in)
def test_every_change_of_a_rule_is_noticed(name):
    findings = study.study(name)
    assert [one.fault for one in findings if one.fault] == []
    equivalent = sum(bool(one.equivalent) for one in findings)
    row = f"| `{name}` | {len(findings)} | {len(findings) - equivalent} | {equivalent} | 0 |"
    assert row in PAGE.read_text("utf-8").splitlines(), "python tools/checks/mutation_study.py --write"


@pytest.mark.parametrize("name", PROTOCOLS.built_in)
def test_every_rule_is_changed(name):
    protocol = PROTOCOLS.find(name)
    changed = {one.rule.partition(".")[0] for one in mutants(name)}
    rules = {field.name for field in dataclasses.fields(Protocol)} - NO_RULES
    assert rules - changed <= (set() if protocol.means else HAVE_NONE)
    for rule in FUNCTIONS.keys() & rules:  # one that is missing there would not stand in for the others
        now = getattr(protocol, rule)
        assert any(now == one or type(now) is type(one) for one in FUNCTIONS[rule])


def test_a_change_that_no_row_notices_is_told(monkeypatch):
    monkeypatch.setattr(study, "PROBES", ())
    findings = study.study("keywright-1")
    assert all(one.fault or one.equivalent for one in findings)
    assert "keywright-1: repeats becomes kept: not noticed" in [one.fault for one in findings]


def test_a_change_that_is_listed_and_noticed_is_told(monkeypatch):
    everything = dataclasses.replace(study.EQUIVALENT[0], rules="*", values="*", holds=lambda _: True)
    monkeypatch.setattr(study, "EQUIVALENT", (everything,))
    faults = [one.fault for one in study.study("kpg") if one.fault]
    assert "kpg: presence becomes substring: listed as equivalent, but noticed by 'present and absent'" in faults
