"""The stand-in for the official script, where the goldens have no case."""

from dataclasses import replace

import pytest

from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010, SEMEVAL2010_STRICT
from keywright.evaluation.reference.line_files import official_text
from keywright.evaluation.rules import ShortList

LINE = "-" * 85


@pytest.fixture
def gold(tmp_path):
    for kind in ("author", "reader", "combined"):
        (tmp_path / f"test.{kind}.final").write_bytes(b"A : a\n")
    return tmp_path


def _answers(tmp_path, data):
    file = tmp_path / "answers"
    file.write_bytes(data)
    return file


def test_a_row_without_a_match_is_printed_as_zero(gold, tmp_path):
    given = official_text(_answers(tmp_path, b"A : x,y,z,w,v\n"), gold, SEMEVAL2010)
    block = "Top {}:\t0\t0.00%\t0.00%\t0.00%\n"
    assert given.text.startswith(
        f"You answered 1 over 100 test document\n{LINE}\n[AUTHOR] Match_Precision_Recall_Fscore\n"
        + "".join(map(block.format, ("05", "10", "15")))
    )
    assert given.status == 0


def test_strict_stops_there_with_what_was_printed(gold, tmp_path):
    given = official_text(_answers(tmp_path, b"A : x,y,z,w,v\n"), gold, SEMEVAL2010_STRICT)
    assert (given.text, given.status) == ("You answered 1 over 100 test document\n", 1)


def test_a_derived_protocol_gives_its_numbers(gold, tmp_path):
    answers = _answers(tmp_path, b"A : a\n")
    counted = replace(SEMEVAL2010, short_list=ShortList.OF_CUTOFF)
    # 1 / 500 = 0.20 %, 1 / 1 = 100 %, F = 40 / 100.2.
    assert "Top 05:\t1\t0.20%\t100.00%\t0.40%\n" in official_text(answers, gold, counted).text
    assert "Top 05:\t0\t0.00%\t0.00%\t0.00%\n" in official_text(answers, gold, SEMEVAL2010).text


def test_another_number_of_gold_documents_is_said(gold, tmp_path):
    messages = official_text(_answers(tmp_path, b"A : a\n"), gold, SEMEVAL2010).messages
    assert messages[0] == "the author gold has 1 documents, but semeval2010 divides by 100"


@pytest.mark.parametrize("protocol", [SEMEVAL2010, SEMEVAL2010_STRICT], ids=lambda protocol: protocol.name)
def test_what_cannot_be_read_is_a_message(gold, tmp_path, protocol):
    assert official_text(None, gold, protocol).status == 1
    assert official_text(gold, gold, protocol).status == 1  # a folder
    assert "no file" in official_text(tmp_path / "absent", gold, protocol).messages[-1]
    (gold / "test.reader.final").unlink()
    given = official_text(_answers(tmp_path, b"A : a,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n"), gold, protocol)
    assert given.status == 1
    assert given.text.count("You answered") == 1
    assert "no reader gold" in given.messages[-1]
