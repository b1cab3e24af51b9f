"""The macro variant against sums that the official script computes and never prints."""

import json

import pytest

from keywright.evaluation.answers import SEMEVAL_KINDS, parse_answers, read_semeval_gold_kind
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010_MACRO
from keywright.evaluation.rules import ByteMarks
from keywright.evaluation.scoring.scorer import score

pytestmark = pytest.mark.data


@pytest.mark.parametrize("case", ["case01", "case08", "case15", "case32"])
def test_macro_values_are_the_script_s_sums_over_100(goldens, case):
    folder = goldens / "semeval2010"
    facts = json.loads((folder / case / "case.json").read_text(encoding="utf-8"))
    answers = parse_answers((folder / case / "input.stm").read_bytes(), ByteMarks.KEPT)

    gold = [read_semeval_gold_kind(folder / "gold", kind, ByteMarks.KEPT) for kind in SEMEVAL_KINDS]
    values = score(answers, gold, SEMEVAL2010_MACRO).values

    for expected in facts["detail"]:
        for name, measure in (("precision", "P"), ("recall", "R"), ("fscore", "F")):
            for cutoff, total in expected["macro_sums"][name].items():
                assert values[f"{expected['set']}/{measure}@{cutoff}"] == pytest.approx(total / 100, rel=1e-12)
