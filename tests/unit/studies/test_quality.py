"""The quality report: what is scored how, other tools' figures, the tables, and a small run."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from keywright.catalogue import system_class
from keywright.core.candidates import Ranking
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import UnknownName
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.datasets.card import Split, find_card
from keywright.evaluation.publishing.writing import Publication
from keywright.experiments.kpg_predictions import TopPhrases, measure_reliability
from keywright.experiments.study import lay_out_study, publish
from studies.quality import measuring
from studies.quality.collections import COLLECTIONS, USUAL, collection
from studies.quality.measuring import FIRST, evaluate, first_shown, predict, scored
from studies.quality.rows import Difference, Score, elsewhere
from studies.quality.study import STUDY, scores_table, summary
from studies.quality.study import rows as report_rows

TEXT = "Tidal power from turbines. Turbines turn with tidal power; a lagoon keeps the tidal power."


def split(name) -> Split:
    found = find_card(name)[1]
    assert found is not None
    return found


@pytest.fixture
def small():
    """Two abstracts with gold of authors."""
    gold = (GoldKeyphrase(("tidal power",), "author"), GoldKeyphrase(("sea walls",), "author"))
    return tuple(LabelledDocument(Document(name, TEXT, language="en"), gold) for name in "ab")


def prediction(name: str, *phrases: tuple[str, float | None]) -> Prediction:
    found = tuple(Keyphrase(text, score=1.0, probability=p, spans=()) for text, p in phrases)
    return Prediction(name, found)


def test_held_out_splits_are_not_learnt_from_and_others_are_cross_validated():
    for one in COLLECTIONS:
        assert (one.lessons is not None) == split(one.data).held_out
        if one.lessons:
            assert not split(one.lessons.data).held_out
        assert set(one.gold) <= set(split(one.data).gold)


def test_every_usual_system_is_in_the_catalogue_and_runs_somewhere():
    for name in USUAL:
        assert system_class(name)
        assert any(name not in one.without for one in COLLECTIONS)


def test_options_are_parameters_of_their_systems():
    for part in COLLECTIONS:
        for name in USUAL:
            for golds, options in part.variants(name).items():
                assert golds <= set(part.gold)
                replace(system_class(name)(), **options)


def test_the_default_is_run_in_the_style_of_each_kind_of_gold():
    assert collection("inspec/test").variants("default") == {frozenset({"uncontr"}): {"style": "indexer"}}
    assert collection("semeval2010/test").variants("default") == {
        frozenset({"combined", "reader"}): {"style": "reader"},
        frozenset({"author"}): {"style": "author"},
    }
    assert collection("semeval2010/test").variants("kea") == {frozenset({"combined", "reader", "author"}): {}}


def test_one_mention_is_enough_in_short_texts():
    assert list(collection("inspec/test").variants("kpminer").values()) == [{"least_seen": 1}]
    assert list(collection("inspec/test").variants("rake").values()) == [{}]
    assert list(collection("krapivin2009/test").variants("kpminer").values()) == [{}]


def test_an_unknown_collection_is_refused():
    with pytest.raises(UnknownName, match="inspec"):
        collection("inspec")


def test_figures_of_other_tools_are_fractions_of_what_is_scored_here():
    """Two figures of the table that was measured: pke's KP-Miner on the shared task, its SingleRank on Inspec."""
    found = {(row.dataset, row.gold, row.measure, row.system): row.value for row in elsewhere()}
    assert found["semeval2010/test", "combined", "F@15", "pke-KPMiner"] == 0.2481
    assert found["inspec/test", "uncontr", "F@10", "pke-SingleRank"] == 0.3446
    assert found["semeval2010/test", "combined", "F@15", "HUMB"] == 0.275
    for row in elsewhere():
        rules = {rule.name for rule in collection(row.dataset).protocols}
        assert row.protocol in rules
        assert row.gold in (*collection(row.dataset).gold, "present")
        assert 0 <= row.value < 0.4


def test_scores_by_hand(small):
    """One of two gold phrases found among three that are given: P 1/3, R 1/2, F .4; the other document gets nothing."""
    here = replace(collection("kp20k_small/test"), data="kp20k_small/test")
    given = [
        prediction("a", ("lagoon", None), ("tidal powers", None), ("turbines", None)),
        prediction("b", ("sun", None)),
    ]
    result = scored(here, small, given, "mine")
    found = {(row.gold, row.measure): row.value for row in result.scores}
    assert found["author", "F@5"] == found["author", "F@10"] == pytest.approx((0.4 + 0) / 2)
    # Present: "tidal power" alone is gold; precision of five is .2 and 0, recall 1 and 0: means .1 and .5.
    assert found["present", "F@5"] == pytest.approx(2 * 0.1 * 0.5 / 0.6)
    assert [(row.gold, row.by_rank, row.sizes) for row in result.hits] == [
        ("author", "010 0", "2 2"),
        ("present", "010 -", "1 1"),  # "sun" is not present
    ]


def test_what_is_shown_is_right_by_stems_and_hyphens(small):
    here = collection("kp20k_small/test")
    given = [prediction("b", ("Tidal-Powers", 0.7)), prediction("a", ("lagoon", 0.2), ("sea wall", 0.6))]
    shown = first_shown(here, small, given)
    assert shown is not None
    assert sorted(zip(shown.owner.tolist(), shown.probabilities.tolist(), shown.right.tolist(), strict=True)) == [
        (0, 0.2, False),
        (0, 0.6, True),
        (1, 0.7, True),
    ]


def test_only_the_first_are_shown_and_systems_without_probabilities_show_none(small):
    here = collection("kp20k_small/test")
    many = prediction("a", *((f"phrase {number}", 0.1) for number in range(FIRST + 5)))
    shown = first_shown(here, small, [many])
    assert shown is not None
    assert len(shown.right) == FIRST
    assert first_shown(here, small, [prediction("a", ("lagoon", None))]) is None
    assert first_shown(here, small, [prediction("a")]) is None


def test_a_system_that_is_not_there_is_refused_before_anything_runs():
    with pytest.raises(UnknownName, match="kpminerr"):
        report_rows(["kpminerr"])


@pytest.fixture(scope="module")
def some_rows():
    shown = TopPhrases(np.array([0.3, 0.6]), np.array([False, True]), np.array([0, 1]))
    where = ("inspec/test", "keywright-1-by-document|rules")
    return (
        Score(*where, "uncontr", "F@5", "ours", 0.25, (0.2, 0.3)),
        Score(*where, "uncontr", "F@10", "ours", 0.35, (0.3, 0.4)),
        Score(*where, "present", "F@5", "ours", 0.4, (0.3, 0.5)),
        Score("inspec/test", "keywright-1-by-document", "uncontr", "F@10", "theirs", 0.4, None, "measured before"),
        measure_reliability("inspec/test", "ours", shown),
        measure_reliability("abstract", "ours", shown),
    )


def test_tables_put_the_best_first(some_rows):
    scores, calibration, bins = lay_out_study(STUDY, some_rows, system_class)
    assert scores.head == ("system", "from", "uncontr F@5", "uncontr F@10", "present F@5")
    assert [row[0].text for row in scores.rows] == ["theirs", "ours"]
    assert [cell.text for cell in scores.rows[1]][2:] == [
        "25.0 (20.0 to 30.0)",
        "35.0 (30.0 to 40.0)",
        "40.0 (30.0 to 50.0)",
    ]
    assert not any(cell.best for row in scores.rows for cell in row)  # nothing was compared
    assert scores.notes == ("keywright-1-by-document",)
    assert [cell.text for cell in calibration.rows[0]][:5] == ["inspec/test", "ours", "2", "2", "0.350"]
    assert [[cell.text for cell in row] for row in bins.rows] == [
        ["0.3 to 0.4", "1", "0.300", "0.000"],
        ["0.6 to 0.7", "1", "0.600", "1.000"],
    ]


@pytest.mark.parametrize(
    ("interval", "text", "bold"),
    [
        ((0.01, 0.09), "+5.0 (+1.0 to +9.0)", True),
        ((-0.01, 0.11), "+5.0 (-1.0 to +11.0)", False),
        (None, "+5.0 (no interval)", False),
    ],
)
def test_a_difference_is_bold_where_its_interval_excludes_zero(some_rows, interval, text, bold):
    assert summary(some_rows) is None
    where = ("inspec/test", "keywright-1-by-document|rules", "uncontr", "F@10", "default")
    apart = Difference("inspec/test", "keywright-1-by-document", "uncontr", "F@10", "theirs", "measured before", 0.05)
    rows = (*some_rows, Score(*where, 0.45, (0.4, 0.5)), replace(apart, interval=interval))
    made = summary(rows)
    assert made is not None
    ((*_, ours, other, which, difference),) = made.rows
    assert [cell.text for cell in (ours, other, which)] == ["45.0 (40.0 to 50.0)", "40.0", "theirs, measured before"]
    assert (difference.text, difference.best) == (text, bold)
    assert lay_out_study(STUDY, rows, system_class)[0] == made
    scores = scores_table(collection("inspec/test"), rows)
    assert {row[0].text for row in scores.rows if any(cell.best for cell in row)} == ({"default"} if bold else set())


def test_another_system_that_is_clearly_better_is_bold(some_rows):
    where = ("inspec/test", "keywright-1-by-document|rules", "uncontr", "F@10")
    apart = Difference(
        where[0], "keywright-1-by-document", *where[2:], "theirs", "measured before", -0.1, (-0.2, -0.05)
    )
    rows = (*some_rows, Score(*where, "default", 0.3, (0.2, 0.4)), apart)
    scores = scores_table(collection("inspec/test"), rows)
    assert {row[0].text for row in scores.rows if any(cell.best for cell in row)} == {"theirs"}


def test_every_format_has_every_number(some_rows):
    lines = list(csv.DictReader(io.StringIO(publish(STUDY, some_rows, Publication.CSV, system_class))))
    assert [line["measure"] for line in lines[:6]] == ["F@5", "F@10", "F@5", "F@10", "ECE@15", "noise floor"]
    assert (lines[1]["value"], lines[1]["low"], lines[3]["low"]) == ("0.35", "0.3", "")
    page = publish(STUDY, some_rows, Publication.HTML, system_class)
    assert page.count("<svg") == 2
    assert "share correct" in page
    assert r"\begin{tabular}" in publish(STUDY, some_rows, Publication.LATEX, system_class)
    assert "35.0 (30.0 to 40.0)" in publish(STUDY, some_rows, Publication.MARKDOWN, system_class)


@pytest.mark.data
def test_a_study_resumes_from_its_cache(mirror, tmp_path, monkeypatch):
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path))
    first = evaluate(("semeval2017/train", "tfidf"), mirror)
    assert first.shown is None
    assert {row.measure for row in first.scores} == {"F@5", "F@10"}
    monkeypatch.setattr(measuring, "predict", None)  # nothing is computed again
    monkeypatch.setattr(measuring, "scored", None)
    again = evaluate(("semeval2017/train", "tfidf"), mirror)
    assert (again.scores, again.hits) == (first.scores, first.hits)


@pytest.mark.data
def test_folds_are_scored_by_systems_that_have_not_seen_them(mirror):
    seen = []

    class Learner:
        needs = frozenset()

        def __init__(self, known=frozenset()) -> None:
            self.known = known

        def fit(self, papers):
            return Learner(frozenset(one.id for one in papers))

        def extract(self, document):
            seen.append((document.source.id, len(self.known), document.source.id in self.known))
            return Ranking.from_keyphrases(document.source, ())

    predict(collection("semeval2017/train"), "learner", Learner(), mirror)
    assert len({name for name, _, _ in seen}) == len(seen) == 350
    assert {(known, leaked) for _, known, leaked in seen} == {(280, False)}
