"""Every rule of ``semeval2010`` changes a number as computed by hand, and only past its boundary.

Unless a row says otherwise the gold is the one document A with the one phrase ``a``, so that a hit among the first 5
gives P@5 = 1 / (5 * 100) = 0.002 and R@5 = 1.
"""

import dataclasses
from dataclasses import dataclass, replace
from typing import Any

import pytest

from keywright.core.errors import BadRecord, KeywrightError, PartlyDone, UnknownName
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.evaluation import rules
from keywright.evaluation.answers import parse_answers, parse_semeval_gold
from keywright.evaluation.measures.counts import at
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT
from keywright.evaluation.scoring.scorer import score

BASE = replace(SEMEVAL2010, golds=("combined",))


@dataclass(frozen=True)
class Row:
    """One hand-computed number under ``semeval2010`` and with one rule replaced; an error class where it stops."""

    rule: str
    value: Any
    answers: bytes | tuple[str, ...]
    before: float | type[KeywrightError]
    after: float | type[KeywrightError]
    gold: bytes = b"A : a\n"
    measure: str = "P@5"


ROWS = (
    # Four candidates never reach rank 5; with the cutoff as divisor the hit counts; with the length, 1 / (4 * 100).
    Row("short_list", rules.ShortList.OF_CUTOFF, b"A : a,x,y,z\n", 0.0, 0.002),
    Row("short_list", rules.ShortList.OF_LENGTH, b"A : a,x,y,z\n", 0.0, 0.0025),
    Row("short_list", rules.ShortList.OF_CUTOFF, b"A : a,x,y,z,w\n", 0.002, 0.002),
    Row("short_list", rules.ShortList.OF_LENGTH, b"A : x,y,z,w,v,a\n", 0.0, 0.0),
    # A candidate given twice counts twice; without repeats a,x,y,z,w are the first five.
    Row("repeats", rules.Repeats.FIRST, b"A : a,a,x,y,z,w\n", 0.004, 0.002),
    Row("repeats", rules.Repeats.FIRST, b"A : a,x,y,z,w,a\n", 0.002, 0.002),
    # A gold entry given twice is hit twice and counts twice in recall. One that shares a form with an earlier one is a
    # repeat, and goes with all its forms.
    Row("gold_repeats", rules.Repeats.FIRST, b"A : a,x,y,z,w\n", 0.004, 0.002, gold=b"A : a,a\n"),
    Row("gold_repeats", rules.Repeats.FIRST, b"A : a,x,y,z,w\n", 0.004, 0.002, gold=b"A : a,b+a\n"),
    Row("gold_repeats", rules.Repeats.FIRST, b"A : b,x,y,z,w\n", 0.5, 0.0, gold=b"A : a,b+a\n", measure="R@5"),
    Row("gold_repeats", rules.Repeats.FIRST, b"A : a,x,y,z,w\n", 0.5, 0.5, gold=b"A : a,b\n", measure="R@5"),
    # One credit for each gold entry, and one for each candidate.
    Row("matching", rules.once, b"A : a,a,x,y,z\n", 0.004, 0.002),
    Row("matching", rules.once, b"A : a,x,y,z,w\n", 0.004, 0.002, gold=b"A : a,a\n"),
    Row("matching", rules.once, b"A : a,a,x,y,z\n", 0.008, 0.004, gold=b"A : a,a\n"),
    # The third alternative is not accepted; the second is, and a missing second is the empty candidate.
    Row("alternatives", rules.every, b"A : r,x,y,z,w\n", 0.0, 0.002, gold=b"A : p+q+r\n"),
    Row("alternatives", rules.every, b"A : q,x,y,z,w\n", 0.002, 0.002, gold=b"A : p+q+r\n"),
    Row("alternatives", rules.every, b"A : ,x,y,z,w\n", 0.002, 0.0, gold=b"A : c++\n"),
    Row("alternatives", rules.every, b"A : ,x,y,z,w\n", 0.002, 0.002, gold=b"A : ,d\n"),
    Row("alternatives", rules.every, b"A : p+q,x,y,z,w\n", 0.0, 0.0, gold=b"A : p+q\n"),
    # The empty candidate takes a rank: without it four are left.
    Row("accept", rules.not_empty, b"A : a,,x,y,z\n", 0.002, 0.0),
    Row("accept", rules.not_empty, b"A : a, ,x,y,z\n", 0.002, 0.002),
    # The empty entry is gold: recall is 1/3 or 1/2.
    Row("accept_gold", rules.not_empty, b"A : a,x,y,z,w\n", 0.3333, 0.5, gold=b"A : a,,b\n", measure="R@5"),
    # Case, blanks and endings count.
    Row("normalise", rules.neutral, b"A : B  nets,x,y,z,w\n", 0.0, 0.002, gold=b"A : b net\n"),
    Row("normalise", rules.neutral, b"A : b net,x,y,z,w\n", 0.002, 0.002, gold=b"A : b net\n"),
    # A carriage return spoils the last candidate, a byte order mark the first id.
    Row("marks", rules.ByteMarks.KEPT, b"A : x,y,z,w,a\r\n", 0.002, 0.0),
    Row("marks", rules.ByteMarks.KEPT, b"A : a,x,y,z,w\r\n", 0.002, 0.002),
    Row("marks", rules.ByteMarks.KEPT, b"\xef\xbb\xbfA : a,x,y,z,w\n", 0.002, 0.0),
    # The writer stems each run of letters, turns commas into blanks and drops repeats.
    Row("write", rules.unchanged, ("Nets, small", "x", "y", "z", "w"), 0.002, 0.0, gold=b"A : net small\n"),
    Row("write", rules.unchanged, ("nets", "net", "x", "y", "z", "a"), 0.002, 0.0),
    Row("write", rules.unchanged, ("net small", "x", "y", "z", "w"), 0.002, 0.002, gold=b"A : net small\n"),
    # The last answer for a document counts.
    Row("repeated_ids", rules.OddIds.REFUSED, b"A : x,y,z,w,v\nA : a,x,y,z,w\n", 0.002, BadRecord),
    Row("repeated_ids", rules.OddIds.REFUSED, b"A : a,x,y,z,w\nA\n", 0.0, BadRecord),
    Row("repeated_ids", rules.OddIds.REFUSED, b"A : a,x,y,z,w\n", 0.002, 0.002),
    # An unknown document changes nothing; one without an answer counts in recall.
    Row("unknown_ids", rules.OddIds.REFUSED, b"A : a,x,y,z,w\nB : a,x,y,z,w\n", 0.002, BadRecord),
    Row("unknown_ids", rules.OddIds.REFUSED, b"A : a,x,y,z,w\n", 0.002, 0.002),
    Row("missing_ids", rules.OddIds.REFUSED, b"A : a,x,y,z,w\n", 0.5, BadRecord, b"A : a\nB : b\n", "R@5"),
    Row("missing_ids", rules.OddIds.REFUSED, b"A : a,x,y,z,w\nB\n", 0.5, 0.5, b"A : a\nB : b\n", "R@5"),
    # A document without gold: the script divides by 0 once its list has five candidates.
    Row("no_gold", rules.NoGold.STOP, b"A : a,x,y,z,w\nB : 1,2,3,4,5\n", 0.002, PartlyDone, b"A : a\nB : \n"),
    Row("no_gold", rules.NoGold.STOP, b"A : a,x,y,z,w\nB : 1,2,3,4\n", 0.002, 0.002, b"A : a\nB : \n"),
    # P = 1 / (5 * 100), or of the one document there is.
    Row("documents", rules.Documents.COUNTED, b"A : a,x,y,z,w\n", 0.002, 0.2),
    # Pooled recall 1 of 4; mean of 1/1 and 0/3, over a hundred documents.
    Row("average", (rules.Average.MACRO,), b"A : a,x,y,z,w\nB\n", 0.25, 0.01, b"A : a\nB : b,c,d\n", "R@5"),
    # F of the pooled 0.2 % and 25 %; harmonic of 0.2 % and 1 %; mean of 2 * .2 * 1 / 1.2 = 1/3 and 0.
    Row("average", (rules.Average.MACRO,), b"A : a,x,y,z,w\nB\n", 0.0040, 0.0033, b"A : a\nB : b,c,d\n", "F@5"),
    Row("average", (rules.Average.MEAN,), b"A : a,x,y,z,w\nB\n", 0.0040, 0.0033, b"A : a\nB : b,c,d\n", "F@5"),
    # P + R = 0.
    Row("zero_divisor", rules.ZeroDivisor.STOP, b"A : x,y,z,w,v\n", 0.0, PartlyDone, measure="F@5"),
    # P = 1 / 1500 = 0.0667 %, R = 1/3: from 0.07 and 33.33 F is 0.1397 %, from the exact values 0.1331 %.
    Row(
        "f_from",
        rules.FScore.EXACT,
        b"A : a,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n",
        0.0014,
        0.0013,
        b"A : a,b,c\n",
        "F@15",
    ),
    Row("decimals", None, b"A : a,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n", 0.0007, 1 / 1500, measure="P@15"),
    Row("decimals", 3, b"A : a,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n", 0.0007, 0.00067, measure="P@15"),
    Row("unit", rules.Unit.FRACTION, b"A : a,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n", 0.0007, 0.0, measure="P@15"),
)

SHOWN_BELOW = {"name", "golds", "measures"}
SHOWN_IN_RANKED_RULES = {"means"}
SHOWN_IN_KPG_RULES = {"depth", "normalise_gold", "one_word", "classes", "text", "presence", "gold_class"}


def _number(row: Row, protocol: Protocol) -> float:
    gold = (parse_semeval_gold(row.gold, "combined", protocol.marks),)
    answers: Any = row.answers
    if isinstance(answers, bytes):
        # Fewer candidates than 10 or 15 leave those rows without a match, where a strict protocol stops.
        k = int(row.measure.partition("@")[2])
        protocol = replace(protocol, measures=at(k))
        return score(parse_answers(answers, protocol.marks), gold, protocol).values[f"combined/{row.measure}"]
    keyphrases = tuple(Keyphrase(text, -rank) for rank, text in enumerate(answers))
    run = Run("a system", "", "", (Prediction("A", keyphrases),))
    return score(run, gold, protocol).values[f"combined/{row.measure}"]


def _check(row: Row, protocol: Protocol, expected: float | type[KeywrightError]) -> None:
    if isinstance(expected, type):
        with pytest.raises(expected):
            _number(row, protocol)
    else:
        assert _number(row, protocol) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.rule}-{row.answers!r}")
def test_rule_changes_the_number_as_computed_by_hand(row):
    _check(row, BASE, row.before)
    _check(row, replace(BASE, **{row.rule: row.value}), row.after)


def test_no_rule_lacks_a_row():
    assert {row.rule for row in ROWS} | SHOWN_BELOW | SHOWN_IN_KPG_RULES | SHOWN_IN_RANKED_RULES == {
        field.name for field in dataclasses.fields(Protocol)
    }


def test_each_value_of_each_enum_is_a_rule_somewhere():
    seen = {value for protocol in (SEMEVAL2010, SEMEVAL2010_STRICT) for value in _values(protocol)}
    seen |= {value for row in ROWS for value in _values(row)}
    declared = {
        member
        for kind in vars(rules).values()
        if getattr(kind, "__module__", "") == rules.__name__ and hasattr(kind, "__members__")
        for member in kind
    }
    assert declared - seen == {
        rules.NoGold.LEFT_OUT,  # a row of keywright-1, the others of kpg
        rules.NoGold.NOT_COUNTED,
        rules.ShortList.OF_CUTOFF_IF_ANY,
        rules.GoldClass.MARK,
        *rules.PhraseClass,
    }


def _values(holder: Any) -> list[Any]:
    values = [getattr(holder, field.name) for field in dataclasses.fields(holder)]
    return [item for value in values for item in (value if isinstance(value, tuple) else (value,))]


def test_golds_are_scored_in_order_and_must_be_there():
    gold = tuple(parse_semeval_gold(b"A : a\n", kind, rules.ByteMarks.KEPT) for kind in ("reader", "author"))
    answers = parse_answers(b"A : a,x,y,z,w\n", rules.ByteMarks.KEPT)
    named = replace(BASE, golds=("author", "reader"), measures=at(5))
    assert list(score(answers, gold, named).counts) == ["author", "reader"]
    assert list(score(answers, gold, replace(named, golds=())).counts) == ["reader", "author"]
    with pytest.raises(UnknownName, match="combined"):
        score(answers, gold, BASE)


def test_measures_are_what_is_reported():
    gold = (parse_semeval_gold(b"A : a\n", "combined", rules.ByteMarks.KEPT),)
    answers = parse_answers(b"A : x,a,y,z,w\n", rules.ByteMarks.KEPT)
    assert score(answers, gold, replace(BASE, measures=at(1, 2))).values == pytest.approx(
        # One hit at rank 2 of 2 * 100; F = 2 * 0.5 * 100 / 100.5 percent.
        {f"combined/{name}@1": 0.0 for name in "PRF"}
        | {"combined/P@2": 0.005, "combined/R@2": 1, "combined/F@2": 0.01},
        abs=1e-9,
    )


def test_name_and_rules_are_the_signature():
    assert SEMEVAL2010.signature.startswith(
        "semeval2010|golds:author,reader,combined|marks:stripped|write:(semeval_line|"
    )
    assert "|matching:pairs|short_list:nothing|" in SEMEVAL2010.signature
    assert "|average:micro|" in SEMEVAL2010.signature
    assert "|decimals:2|measures:P@5,R@5,F@5," in SEMEVAL2010.signature
    derived = replace(SEMEVAL2010, name="other", average=(rules.Average.MACRO,))
    assert derived.signature.startswith("other|")
    assert "|average:macro|" in derived.signature
