"""The official SemEval-2010 scorer, case by case: its text byte for byte, its counts, its unprinted macro sums."""

import json
from pathlib import Path

import pytest

from keywright.datasets.collection import load
from keywright.evaluation.answers import SEMEVAL_KINDS, make_gold_sets, parse_answers, read_semeval_gold_kind
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT
from keywright.evaluation.reference.line_files import official_text
from keywright.evaluation.rules import Average, ByteMarks, PhraseClass
from keywright.evaluation.scoring.counting import count_hits, index_classes, rank_forms, tabulate_statistics

pytestmark = pytest.mark.data

CASES = tuple(f"case{number:02}" for number in range(1, 45))


@pytest.fixture(params=CASES)
def case(request, goldens):
    return goldens / "semeval2010" / request.param


def test_no_case_is_left_out(goldens):
    assert sorted(folder.name for folder in (goldens / "semeval2010").glob("case*")) == list(CASES)


def test_text_is_equal_byte_for_byte(case):
    facts = json.loads((case / "case.json").read_text(encoding="utf-8"))
    answers = case / facts["args"][0] if facts["args"] else None

    given = official_text(answers, case / facts["gold"], SEMEVAL2010_STRICT)

    assert given.text.encode() == (case / "expected.stdout").read_bytes()
    assert (given.status != 0) == (facts["exit_code"] != 0)
    assert given.status == 0 or given.messages


def test_counts_and_macro_sums_are_equal(case):
    facts = json.loads((case / "case.json").read_text(encoding="utf-8"))
    for expected in facts.get("detail") or ():
        counts = _counts(case / facts["args"][0], case / facts["gold"], expected["set"])
        sums = tabulate_statistics(counts, Average.MEAN, SEMEVAL2010_STRICT).sum(axis=0).tolist()

        assert counts.gold.sum() == expected["gold_entries"]
        assert dict(zip(("5", "10", "15"), counts.hits.sum(axis=0).tolist(), strict=True)) == expected["matches"]
        for place, name in enumerate(("precision", "recall", "fscore")):
            found = dict(zip(("5", "10", "15"), sums[3 * place : 3 * place + 3], strict=True))
            assert found == pytest.approx(expected["macro_sums"][name], rel=1e-12)


def test_lenient_text_is_the_strict_one_where_the_script_lives(goldens):
    clean = goldens / "semeval2010" / "case08"
    gold = goldens / "semeval2010" / "gold"
    given = official_text(clean / "input.stm", gold, SEMEVAL2010)
    assert given.text.encode() == (clean / "expected.stdout").read_bytes()
    assert (given.status, given.messages) == (0, ())


@pytest.mark.parametrize("odd", ["case20", "case21"])
def test_lenient_reading_strips_marks_with_a_warning(goldens, odd):
    folder = goldens / "semeval2010"
    given = official_text(folder / odd / "input.stm", folder / "gold", SEMEVAL2010)
    # Both are the run of case30, which gives every line twice, with marks added.
    clean = (folder / "case30" / "expected.stdout").read_text(encoding="utf-8")
    assert given.text == clean.replace("You answered 200 over", "You answered 100 over")
    assert given.status == 0
    assert len(given.messages) == 1
    assert "stripped" in given.messages[0]


def test_both_names_of_gold_files_are_read(mirror, goldens):
    shipped = mirror / "semeval2010" / "test_answer"
    renamed = goldens / "semeval2010" / "gold"
    for kind in ("author", "reader", "combined"):
        one, other = (read_semeval_gold_kind(folder, kind, ByteMarks.KEPT) for folder in (shipped, renamed))
        assert one.fingerprint == other.fingerprint


def test_the_data_set_and_the_gold_files_are_the_same_gold(mirror, goldens):
    folder = goldens / "semeval2010" / "gold"
    files = [read_semeval_gold_kind(folder, kind, ByteMarks.KEPT) for kind in SEMEVAL_KINDS]
    data = make_gold_sets(load("semeval2010/test", mirror))
    assert [one.fingerprint for one in data] == [one.fingerprint for one in files]


def _counts(answers: Path, gold: Path, kind: str):
    protocol = SEMEVAL2010_STRICT
    forms = rank_forms(parse_answers(answers.read_bytes(), protocol.marks).lists, protocol)
    return count_hits(
        index_classes(read_semeval_gold_kind(gold, kind, protocol.marks), protocol, {})[PhraseClass.ALL],
        forms,
        protocol,
    )
