"""Every protocol can be explained against the neutral one, and shown as a page: no rule is forgotten."""

from dataclasses import replace

import pytest
from tests.unit.evaluation.publishing.small_runs import FIRST, LABELLED

from keywright.catalogue import PROTOCOLS
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.publishing.writing import Publication, publish
from keywright.evaluation.rules import ZeroDivisor
from keywright.evaluation.run_formats.pairing import pair_with_gold
from keywright.evaluation.scoring.report import explain


@pytest.fixture(scope="module")
def judged():
    return pair_with_gold(FIRST, LABELLED, dict)


def living(name):
    """A protocol on all the gold there is; one that stops where there is no hit goes on, as lists here are short."""
    return replace(PROTOCOLS.find(name), golds=(), zero_divisor=ZeroDivisor.ZERO)


@pytest.mark.parametrize("name", PROTOCOLS.built_in)
def test_steps_add_up_whatever_the_protocol(name, judged):
    protocol = living(name)
    for first, second in ((KEYWRIGHT_1, protocol), (protocol, KEYWRIGHT_1)):
        found = explain(first, second, judged.report)
        for value, difference in found.difference.items():
            assert sum(step.changes[value] for step in found.steps) == pytest.approx(difference, abs=1e-9)


@pytest.mark.parametrize("name", {place.partition(":")[0]: name for name, place in PROTOCOLS.built_in.items()}.values())
def test_every_family_has_a_page(name, judged):
    protocol = living(name)
    text = publish([(judged.report(protocol), judged)], [protocol], Publication.HTML)
    assert "In the gold, but not predicted" in text
