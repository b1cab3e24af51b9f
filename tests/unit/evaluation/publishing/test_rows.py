"""A report as text, rows and JSON: one document, two hits of three predictions, four gold phrases."""

import json
from dataclasses import replace

import pytest

from keywright.evaluation.answers import parse_answers, parse_semeval_gold
from keywright.evaluation.measures.counts import F, P, at
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010
from keywright.evaluation.publishing.tables import DocumentRow, ReportRow, document_rows, report_rows
from keywright.evaluation.rules import Average, ByteMarks
from keywright.evaluation.scoring.scorer import score

PROTOCOL = replace(SEMEVAL2010, golds=("author",), measures=at(3), average=(Average.MICRO, Average.MACRO))


@pytest.fixture
def report():
    gold = parse_semeval_gold(b"A : a,b,c,d\n", "author", ByteMarks.KEPT)
    return score(parse_answers(b"A : a,x,b\nZ\n", ByteMarks.KEPT), (gold,), PROTOCOL)


def test_rows(report):
    # P = 2 / 300, R = 2 / 4, F of 0.67 and 50 percent = 1.32; macro: 2/3 and 1/2 of a hundredth, F of 0.67 and 0.50.
    micro, macro = report_rows(report)
    assert micro == ReportRow("author", "", "3", 2, *(pytest.approx(value) for value in (0.0067, 0.5, 0.0132)), {})
    assert macro == ReportRow(
        "author", "macro", "3", 2, *(pytest.approx(value) for value in (0.0067, 0.005, 0.0057)), {}
    )
    assert list(document_rows(report)) == [DocumentRow("author", "A", "3", 2, 3, 4)]


def test_a_measure_that_is_not_reported_is_absent():
    gold = parse_semeval_gold(b"A : a,b,c,d\n", "author", ByteMarks.KEPT)
    answers = parse_answers(b"A : a,x,b\n", ByteMarks.KEPT)
    (row,) = report_rows(score(answers, (gold,), replace(PROTOCOL, average=(Average.MICRO,), measures=(P @ 3,))))
    assert (pytest.approx(0.0067), None, None) == (row.P, row.R, row.F)
    assert F @ 3 not in row


def test_json(report):
    value = json.loads(json.dumps(report.to_dict()))
    assert value["protocol"] == PROTOCOL.signature
    assert value["run"].startswith("answers|sha256:")
    assert (value["scored"], value["skipped"], value["unit"]) == (1, {"not in the gold": 1}, "percent")
    assert value["values"]["author/R@3"] == 0.5
    assert value["counts"] == {"author": {"documents": 1, "with_gold": 1, "gold": 4, "predicted": 3, "hits@3": 2}}
    assert value["warnings"] == ["the author gold has 1 documents, but semeval2010 divides by 100"]


def test_text_shows_the_identities_and_every_number(report):
    lines = str(report).splitlines()
    assert lines[0] == f"protocol {PROTOCOL.signature}"
    assert "skipped 1: not in the gold" in lines
    assert "author/macro-R@3 0.0050" in lines
    assert lines[-1].startswith("warning: the author gold has 1 documents")
