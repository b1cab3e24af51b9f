"""Things by name, ours and those of other packages."""

import json
from importlib.metadata import EntryPoint

import pytest
import typer

from keywright import catalogue
from keywright.catalogue import PROTOCOLS, SYSTEMS, describe_protocol, describe_system
from keywright.core.errors import MissingExtra, UnknownName
from keywright.faces.cli.verbs.listing import systems


@pytest.fixture
def installed(monkeypatch):
    """Packages that add systems: one that works, one that does not, one that would replace ours."""
    points = [
        EntryPoint("theirs", "keywright.extraction.systems.tfidf:TfIdf", "keywright.systems"),
        EntryPoint("broken", "no_such_package.systems:Thing", "keywright.systems"),
        EntryPoint("kpminer", "no_such_package.systems:Thing", "keywright.systems"),
    ]
    monkeypatch.setattr(catalogue, "entry_points", lambda group: [point for point in points if point.group == group])


@pytest.mark.usefixtures("installed")
def test_other_packages_add_and_never_replace():
    assert SYSTEMS.names() == (*SYSTEMS.built_in, "broken", "theirs")
    assert SYSTEMS.find("theirs").name == "tfidf"
    assert SYSTEMS.find("kpminer").name == "kpminer"
    assert SYSTEMS.packages() == {"keywright", "no_such_package"}
    assert PROTOCOLS.packages() == {"keywright"}


@pytest.mark.usefixtures("installed")
def test_a_broken_package_is_told_by_name():
    with pytest.raises(MissingExtra, match=r"system 'broken' of package no_such_package\.systems does not load"):
        SYSTEMS.find("broken")


@pytest.mark.usefixtures("installed")
def test_a_broken_package_does_not_hide_the_others(capsys):
    with pytest.raises(typer.Exit) as caught:
        systems(json=True)
    out, err = capsys.readouterr()
    assert caught.value.exit_code == 1
    assert [one["name"] for one in json.loads(out)] == [*SYSTEMS.built_in, "theirs"]
    assert "'broken'" in err


def test_unknown_names_get_a_suggestion():
    with pytest.raises(UnknownName, match="no system called 'kp_miner'; did you mean 'kpminer'"):
        SYSTEMS.find("kp_miner")


def test_systems_and_protocols_are_described():
    known = describe_system("kpminer")
    assert (known["name"], known["needs"], known["trainable"]) == ("kpminer", ["stems"], True)
    cutoff = next(row for row in known["parameters"] if row["name"] == "cutoff")
    assert (cutoff["takes"], cutoff["default"]) == ("a whole number", "400")
    assert "first mention" in cutoff["meaning"]
    rules = describe_protocol("semeval2010")["rules"]
    assert rules["write"] == "(semeval_line|depth:15)"
    assert rules["documents"] == "hundred"
