"""The default extractor fitted to labelled documents, and its gain on held-out ones, by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.adapting.papers import PEOPLE, record, written

from keywright.adapting.fine_tuning import (
    CALIBRATION,
    DECISIVE,
    MIN_HELD_OUT,
    Adapted,
    Change,
    Gain,
    HeldOut,
    adapt_to_labelled,
    find_trained_before,
    measure_gain,
)
from keywright.core.documents import Style
from keywright.core.errors import BadParameter
from keywright.datasets.collection import DataSet, load
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.extraction.systems.default import Default
from keywright.text.languages import ByLanguage


@pytest.fixture(scope="module")
def adapted(tmp_path_factory) -> Adapted:
    return adapt_to_labelled(Default(), load(str(written(tmp_path_factory.mktemp("data")))), ByLanguage())


def test_it_learns_what_people_choose_here(adapted):
    """Who reported, and where: nothing that authors of papers choose."""
    new = ByLanguage().analyse(replace(load_document(record(41)), id="new"))
    person = PEOPLE[41 % len(PEOPLE)]
    assert person not in Default(style="author").extract(new).prediction(2).texts
    found = adapted.system.extract(new).prediction(2)
    assert person in found.texts
    assert all(0 < one.probability < 1 for one in found.keyphrases)


def load_document(given):
    """The document of a record."""
    from keywright import document  # noqa: PLC0415  (one reader of texts is enough)

    return document(given["text"], given["id"])


def test_it_says_what_that_gained(adapted):
    assert adapted.gain.documents == 30
    assert adapted.gain.shown
    assert adapted.gain.changes[0].after > adapted.gain.changes[0].before
    assert (adapted.trained_before, adapted.left_out, adapted.notes) == ((), {}, ())


def test_gold_of_one_kind_has_the_style_that_fits_best(adapted, tmp_path):
    """Before and after are judged in the style in which the shipped trees are best, whatever the gold is called."""
    style = adapted.system.style
    assert set(adapted.system.ranker.probability) == {style}
    renamed = tmp_path / "renamed.jsonl"
    lines = [json.dumps({**record(number), "by": "crowd"}) + "\n" for number in range(30)]
    renamed.write_text("".join(lines))
    again = adapt_to_labelled(Default(), load(str(renamed)), ByLanguage())
    assert again.system.style == style
    assert again.gain.changes == adapted.gain.changes


def test_gold_of_several_kinds_keeps_its_styles(tmp_path):
    path = tmp_path / "both.jsonl"
    kinds = ("author", "reader", "reader")
    lines = [json.dumps({**record(number), "by": kinds[number % 3]}) + "\n" for number in range(15)]
    path.write_text("".join(lines))
    found = adapt_to_labelled(Default(), load(str(path)), ByLanguage()).system
    assert found.style == "reader"
    assert set(found.ranker.probability) <= {"author", "reader"}


def test_knowledge_stays(adapted):
    assert adapted.system.knowledge.background is Default().knowledge.background


def test_other_languages_are_left_out_and_told(tmp_path):
    path = written(tmp_path, 6)
    french = {"id": "fr", "text": "Les réseaux de neurones apprennent.", "language": "fr", "keyphrases": ["réseaux"]}
    path.write_text(path.read_text() + json.dumps(french) + "\n")
    told = []
    found = adapt_to_labelled(Default(), load(str(path)), ByLanguage(), lambda *count: told.append(count))
    assert found.left_out == {"fr": 1}
    assert found.notes == ("documents in other languages than 'en' were left out: fr 1",)
    assert found.gain.documents == 6
    assert told == [(number, 7) for number in range(1, 8)]


def test_a_text_twice_is_one_document(tmp_path):
    path = written(tmp_path, 6)
    again = {**record(0), "id": "again"}
    path.write_text(path.read_text() + json.dumps(again) + "\n")
    assert adapt_to_labelled(Default(), load(str(path)), ByLanguage()).gain.documents == 6


def test_too_few_for_there_are_others(tmp_path):
    path = written(tmp_path, 4)
    french = {"id": "fr", "text": "Les réseaux.", "language": "fr", "keyphrases": ["réseaux"]}
    path.write_text(path.read_text() + json.dumps(french) + "\n")
    with pytest.raises(BadParameter, match=r"4 documents.*other languages than 'en' were left out: fr 1"):
        adapt_to_labelled(Default(), load(str(path)), ByLanguage())


def test_held_out_gold_teaches_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(DataSet, "held_out", True)
    with pytest.raises(BadParameter, match="for reporting only"):
        adapt_to_labelled(Default(), load(str(written(tmp_path))), ByLanguage())


@pytest.mark.data
def test_what_the_trees_have_seen_before(mirror, tmp_path):
    """By name, as part of a collection, or as a file whose documents are the collection's."""
    seen = load("semeval2017/train", mirror)
    assert find_trained_before(seen) == ("semeval2017/train",)
    assert find_trained_before(load(str(written(tmp_path)))) == ()
    note = Adapted(Default(), None, ("semeval2017/train",)).notes  # type: ignore[arg-type]  # no gain is needed
    assert note == ("the shipped trees were trained on semeval2017/train: the values under 'before' are too high",)


FEW = Resampling(samples=200)


def held_out(document: str, *, before: float, after: float, style: Style = Style.READER, gold: int = 4) -> HeldOut:
    """Twenty candidates, two of them keyphrases: at the head or the foot of the list as scores are 1 or -1."""
    answers = np.zeros(20, bool)
    answers[[0, 5]] = True
    places = np.where(answers, 1.0, 0.0)
    level = np.full(20, 0.2)
    return HeldOut(document, style, gold, answers, before * places, after * places, level, np.where(answers, 0.9, 0.0))


def test_by_hand():
    """Two of four keyphrases among the first five: 4/9, 4/14, 4/19; at the foot none is among the first fifteen."""
    found = measure_gain([held_out("a", before=-1, after=1), held_out("b", before=1, after=1)], FEW)
    assert found.documents == 2
    assert [one.measure for one in found.changes] == [DECISIVE, "F@5", "F@10", "F@15", CALIBRATION]
    at = {one.measure: one for one in found.changes}
    assert (at["F@5"].before, at["F@5"].after) == pytest.approx((2 / 9, 4 / 9))
    assert (at["F@10"].before, at["F@10"].after) == pytest.approx((2 / 14, 4 / 14))
    assert (at["F@15"].before, at["F@15"].after) == pytest.approx((2 / 19, 4 / 19))
    mean = (4 / 9 + 4 / 14 + 4 / 19) / 3
    assert (at[DECISIVE].before, at[DECISIVE].after) == pytest.approx((mean / 2, mean))
    assert at[DECISIVE].difference == pytest.approx(mean / 2)
    assert (at[DECISIVE].low, at[DECISIVE].high) == pytest.approx((0, mean))  # both are b, both are a: each 1 in 4


def test_calibration_by_hand():
    """Fifteen phrases at .2 with two keyphrases: |3 - 2| / 15; then two at .9 and thirteen at 0: 2 * .1 / 15."""
    change = measure_gain([held_out("a", before=1, after=1)], FEW).changes[-1]
    assert change.measure == CALIBRATION
    assert (change.before, change.after) == pytest.approx((1 / 15, 0.2 / 15))
    assert (change.low, change.high) == pytest.approx((-0.8 / 15, -0.8 / 15))


def test_without_probabilities_there_is_no_calibration():
    one = held_out("a", before=1, after=1)
    silent = HeldOut("b", Style.AUTHOR, 4, one.answers, one.before, one.after, None, one.probable_after)
    assert [change.measure for change in measure_gain([one, silent], FEW).changes][-1] == "F@15"


def test_styles_of_one_document_are_averaged_and_count_once():
    both = [held_out("a", before=1, after=-1, style=style) for style in (Style.AUTHOR, Style.READER)]
    found = measure_gain([*both, held_out("b", before=1, after=1)], FEW)
    assert found.documents == 2
    assert found.changes[1].after == pytest.approx((0 + 4 / 9) / 2)


def test_short_lists_are_not_held_against_a_document():
    one = HeldOut("a", Style.READER, 1, np.array([False, True]), np.array([0.0, 1.0]), np.array([1.0, 0.0]), None, None)
    assert measure_gain([one], FEW).changes[3].before == pytest.approx(2 / 3)


def changes(low: float, high: float) -> tuple[Change, ...]:
    return (Change(DECISIVE, 0.2, 0.2 + (low + high) / 2, low, high),)


@pytest.mark.parametrize(
    ("documents", "low", "high", "shown", "said"),
    [
        (MIN_HELD_OUT, 0.001, 0.02, True, "gain shown: "),
        (MIN_HELD_OUT - 1, 0.001, 0.02, False, "19 documents are too few to tell, 20 are needed"),
        (500, 0.0, 0.02, False, "no gain could be shown: the difference lies between +0.0 and +2.0 points of F (95 %)"),
        (500, -0.02, 0.02, False, "no gain could be shown: "),
        (500, -0.02, -0.001, False, "adapting makes it worse"),
    ],
)
def test_verdicts(documents, low, high, shown, said):
    gain = Gain(documents, changes(low, high))
    assert gain.shown == shown
    assert said in gain.verdict


def test_as_json():
    record = Gain(30, changes(0.01, 0.03)).as_json()
    assert json.loads(json.dumps(record)) == record
    assert (record["documents"], record["shown"]) == (30, True)
    assert record["changes"][0]["interval"] == [0.01, 0.03]
    assert record["changes"][0]["difference"] == pytest.approx(0.02)
