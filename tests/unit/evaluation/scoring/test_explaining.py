"""Which rule makes two protocols differ: steps by hand, and that they add up."""

import json
from dataclasses import fields, replace

import pytest

from keywright.core.errors import BadParameter
from keywright.evaluation.answers import parse_answers, parse_semeval_gold
from keywright.evaluation.measures.counts import F, P, at
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT
from keywright.evaluation.rules import Average, ByteMarks, Documents, ShortList, Unit
from keywright.evaluation.scoring.report import SELECTIONS, explain
from keywright.evaluation.scoring.scorer import score

GOLD = parse_semeval_gold(b"A : a,b,c,d\nB : e\n", "author", ByteMarks.KEPT)
ANSWERS = parse_answers(b"A : a,x,b,b,y\nB : e,z\n", ByteMarks.KEPT)
PLAIN = replace(SEMEVAL2010, name="plain", golds=(), measures=at(5), unit=Unit.FRACTION, decimals=None)


def report(protocol):
    return score(ANSWERS, (GOLD,), protocol)


def test_one_rule_moves_what_it_moves():
    # Document B has two answers of five: its hit counts only where short lists count. 3 hits, then 4, of 200 and 5.
    found = explain(PLAIN, replace(PLAIN, name="other", short_list=ShortList.OF_CUTOFF), report)
    (step,) = found.steps
    assert (step.rule, step.before, step.after) == ("short_list", "nothing", "of_cutoff")
    assert step.changes["author/R@5"] == pytest.approx(0.2)
    assert step.changes == step.alone == found.difference
    assert (found.start["author/R@5"], found.end["author/R@5"]) == (pytest.approx(0.6), pytest.approx(0.8))


def test_rules_that_work_together_differ_alone():
    # P@5 of 500 predictions: 3 hits .006; short lists: 4 hits .008. Of 10: 3 hits .3, with both 4 hits .4.
    both = replace(PLAIN, name="both", short_list=ShortList.OF_CUTOFF, documents=Documents.COUNTED)
    found = explain(PLAIN, both, report)
    assert [step.rule for step in found.steps] == ["short_list", "documents"]
    assert [step.changes["author/P@5"] for step in found.steps] == [pytest.approx(0.002), pytest.approx(0.392)]
    assert [step.alone["author/P@5"] for step in found.steps] == [pytest.approx(0.002), pytest.approx(0.294)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (replace(SEMEVAL2010, golds=()), KEYWRIGHT_1),
        (KEYWRIGHT_1, replace(SEMEVAL2010, golds=())),
        (replace(SEMEVAL2010_STRICT, golds=("author",), measures=at(5)), KEYWRIGHT_1),
        (PLAIN, replace(PLAIN, name="averaged", average=(Average.MACRO, Average.MICRO))),
        (PLAIN, PLAIN),
    ],
    ids=["semeval-keywright", "keywright-semeval", "strict-keywright", "averages", "same"],
)
def test_the_steps_add_up_to_what_both_protocols_report(first, second):
    found = explain(first, second, report)
    here, there = report(first).values, report(second).values
    assert set(found.start) == {name for name in here if name in there}
    for name, value in found.start.items():
        assert value == here[name]
        assert found.end[name] == there[name]
        assert sum(step.changes[name] for step in found.steps) == pytest.approx(found.difference[name], abs=1e-12)


def test_every_field_is_walked_or_selects():
    order = [step.rule for step in explain(replace(SEMEVAL2010, golds=()), KEYWRIGHT_1, report).steps]
    names = [field.name for field in fields(Protocol)]
    assert set(names) >= SELECTIONS
    assert set(order) <= set(names)
    assert order.index("normalise") + 1 == order.index("write")  # before the writer goes
    rest = [name for name in order if name != "write"]
    assert rest == [name for name in names if name in rest]
    assert "unit" not in order  # it changes with its decimals


def test_decimals_change_with_their_unit():
    found = explain(PLAIN, replace(PLAIN, name="rounded", unit=Unit.PERCENT, decimals=2), report)
    (step,) = found.steps
    assert step.rule == "decimals"
    (unit,) = explain(PLAIN, replace(PLAIN, name="percent", unit=Unit.PERCENT), report).steps
    assert unit.rule == "unit"


def test_protocols_without_a_common_value_cannot_be_explained():
    with pytest.raises(BadParameter, match="plain and deep report no value in common"):
        explain(PLAIN, replace(PLAIN, name="deep", measures=(P @ 10, F @ 10)), report)
    with pytest.raises(BadParameter, match="no value in common"):
        explain(
            replace(PLAIN, golds=("author",)), replace(PLAIN, name="other", golds=("reader",)), lambda _: report(PLAIN)
        )


def test_json_holds_it_all():
    found = explain(PLAIN, KEYWRIGHT_1, report)
    value = json.loads(json.dumps(found.to_dict()))
    assert value["from"] == PLAIN.signature
    assert value["to"] == KEYWRIGHT_1.signature
    assert [step["rule"] for step in value["steps"]] == [step.rule for step in found.steps]
    assert set(value["steps"][0]) == {"rule", "from", "to", "changes", "alone"}
    assert value["difference"]["author/F@5"] == pytest.approx(value["end"]["author/F@5"] - value["start"]["author/F@5"])
