"""Gains of an encoder on documents that it did not learn from, and counts of single documents, by hand."""

from collections import Counter

import numpy as np
import pytest
from tests.builders import analysed, gold
from tools.train.reader.gains import (
    HeldOut,
    by_origin,
    by_seed,
    f1_by_collection,
    gains,
    left_out_in,
    of_seeds,
    scores_in,
)
from tools.train.reader.readings import Answers, Readings, TextRead

from keywright.core.documents import LabelledDocument, Style
from keywright.datasets.training_mix import TRAINING, TrainingPart
from studies.reader.gains import counted, mean_gains
from studies.reader.rows import CalibrationError, Gain, Reach, SeedGain
from studies.reader.study import STUDY, tables
from studies.training_data.training_documents import TrainingDocument


def text(number, answers, log_odds):
    """Return a document of one window, whose six candidates have one mention each."""
    order = np.arange(len(answers))
    return TextRead(
        id=number,
        part=0,
        windows=[np.array([1, 2, 3])],
        candidate=order,
        window=np.zeros(len(answers), int),
        first=np.zeros(len(answers), int),
        last=np.zeros(len(answers), int),
        answers=[Answers(Style.AUTHOR, 1.0, np.array(answers, bool), np.array(log_odds, float))],
    )


@pytest.fixture
def readings():
    """Two documents of six candidates; the default puts the only keyphrase last."""
    answers = [0, 0, 0, 0, 0, 1]
    names = [part.data for part in TRAINING]
    return Readings.of((text(number, answers, [5, 4, 3, 2, 1, 0]) for number in range(2)), names)


def test_f1_counts_the_keyphrases_at_each_cutoff(readings):
    """The reader lifts the keyphrase of both documents to the first place: F@5 is 0 before, 2 / (5 + 1) after."""
    lifted = np.array([5, 4, 3, 2, 1, 9], float)
    rows = {row.measure: row for row in gains("held out", f1_by_collection(readings, {0: lifted, 1: lifted}))}
    assert (rows["F@5"].standard, rows["F@5"].best) == (0, pytest.approx(1 / 3))
    assert rows["F@5"].encoder == pytest.approx(1 / 3)  # corrections alone: 0 for all others, 9 for the keyphrase
    assert rows["F@5"].interval == pytest.approx((1 / 3, 1 / 3))
    assert rows["F@10"].standard == rows["F@10"].best == pytest.approx(2 / 7)  # six candidates are all there are
    assert {row.number for row in rows.values()} == {2}
    assert rows["F@5"].clear
    assert not rows["F@10"].clear


def test_log_odds_of_a_file_are_given_back_to_their_documents(readings, tmp_path):
    np.savez(tmp_path / "a.npz", documents=[1, 0], log_odds=np.arange(12.0))
    scores = scores_in(tmp_path / "a.npz", readings)
    assert scores[1].tolist() == [0, 1, 2, 3, 4, 5]
    assert scores[0].tolist() == [6, 7, 8, 9, 10, 11]


def test_the_gain_of_a_seed_is_a_mean_over_data_sets(readings, tmp_path):
    """Three quarters of the 8 lift the keyphrase from 0 to 6, to the first place; without one it stays last."""
    for seed, corrected in (("1", 8.0), ("2", 0.0)):
        log_odds = np.array([5, 4, 3, 2, 1, corrected])
        np.savez(tmp_path / f"half0-seed{seed}.npz", documents=[0, 1], log_odds=np.tile(log_odds, 2))
    rows = list(of_seeds(readings, by_seed(readings, tmp_path.glob("*.npz"))))
    gains_at_5 = {row.seeds: row.gain for row in rows if row.measure == "F@5"}
    # Together the correction is 4, of which three quarters, 3, pass two of the five before it: the fourth place.
    assert gains_at_5 == {"1": pytest.approx(1 / 3), "2": 0, "1 + 2": pytest.approx(1 / 3)}
    assert SeedGain("1", "author", "F@10", 1, 0.0) in rows
    assert STUDY.read([row.record() for row in rows]) == tuple(rows)
    (table,) = tables(rows)
    assert [[cell.text for cell in line] for line in table.rows][:2] == [
        ["1", "+33.33", "+0.00", "+0.00"],
        ["2", "+0.00", "+0.00", "+0.00"],
    ]


def test_seeds_are_compared_on_the_documents_that_all_held_out(readings):
    """One seed lifts the keyphrase of both documents, the other held only the first one out, and lifts nothing."""
    lifted, same = np.array([5, 4, 3, 2, 1, 9.0]), np.array([5, 4, 3, 2, 1, 0.0])
    rows = of_seeds(readings, {"1": {0: same, 1: lifted}, "2": {0: same}})
    assert {row.seeds: row.gain for row in rows if row.measure == "F@5"} == {"1": 0, "2": 0, "1 + 2": 0}


def test_the_tables_of_the_study_are_by_origin():
    rows = (
        Gain("test", "inspec/test", "present", "F@5", 500, 0.48, 0.5, (0.01, 0.03)),
        Gain("left out", "nus/train", "reader", "F@5", 120, 0.4, 0.39, (-0.02, 0.01), 0.2),
        CalibrationError("inspec/test", "uncontr", 0.01, 0.02, 0.005),
    )
    assert STUDY.read([row.record() for row in rows]) == rows
    first, second, errors = tables(rows)
    assert [cell.text for cell in first.rows[0]][4:] == ["0.480", "", "0.500", "+0.020", "0.010 to 0.030", "yes"]
    assert [cell.text for cell in second.rows[0]][5:8] == ["0.200", "0.390", "-0.010"]
    assert [cell.text for cell in errors.rows[0]][2:] == ["0.010", "0.020", "0.005"]


def test_the_mean_gain_counts_all_collections_alike():
    """Four documents of one collection gain .2 at 5, one of another .4; parts are one; the general style is apart."""

    def f1(documents, gain):
        return np.tile(np.array([[0.5] * 3, [0.1] * 3, [0.5 + gain, 0.5, 0.5]]), (documents, 1, 1))

    values = {("a/train", "author"): f1(3, 0.2), ("b", "reader"): f1(1, 0.4), ("a/train", "general"): f1(4, -0.1)}
    values["a/validation", "author"] = f1(1, 0.2)
    rows = {(row.dataset, row.gold, row.measure): row for row in mean_gains("left out", values)}
    own = rows["mean of 2", "own style", "F@5"]
    assert (own.standard, own.encoder, own.best) == pytest.approx((0.5, 0.1, 0.8))
    assert own.interval == pytest.approx((0.3, 0.3))  # all documents of a collection gain the same
    assert own.number == 5
    assert rows["mean of 1", "general", "F@5"].best == pytest.approx(0.4)
    assert rows["mean of 2", "own style", "F@10"].best == pytest.approx(0.5)


def test_each_origin_has_its_own_readings(readings, tmp_path):
    """Collections left out lie in folders of their own, with log-odds of trees that did not see them."""
    readings.save(tmp_path)
    np.savez(tmp_path / "nus-train-seed1.npz", documents=[1], log_odds=np.array([5, 4, 3, 2, 1, 9], float))
    parts = [HeldOut("held out", readings, {1: readings.log_odds[:6]}), *left_out_in([tmp_path])]
    origins = by_origin(parts, 1.0)
    assert list(origins) == ["held out", "left out"]
    gained = {origin: next(iter(f1.values()))[0, 2, 0] for origin, f1 in origins.items()}
    assert gained == {"held out": 0, "left out": pytest.approx(1 / 3)}


TEXT = "We compare tide gauges with satellite altimetry. Tide gauges measure the level of the Baltic Sea."


def test_keyphrases_are_counted_where_they_are():
    """The second has six words, one more than candidates; the third is not in the text."""
    document = analysed(TEXT, language="en")
    phrases = gold("tide gauges", "compare tide gauges with satellite altimetry", "ocean currents")
    part = TrainingPart("nus/train", ("author",), Style.AUTHOR)
    training = TrainingDocument(part, LabelledDocument(document.source, phrases))
    assert Counter(counted(training, document)) == {"all": 3, "text": 2, "candidates": 1, "shortlist": 1, "read": 1}


def test_counts_are_a_table():
    row = Reach("nus/train", 44, 36, 35, 27, 25)
    assert STUDY.read([row.record()]) == (row,)
    (table,) = tables([row])
    assert [cell.text for cell in table.rows[0]] == ["nus/train", "44", "36", "35", "27", "25"]
