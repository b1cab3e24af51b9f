"""Rows of a collection from lists, with numbers computed by hand, and samples read as plain text."""

import json
from hashlib import sha256

import numpy as np
import pytest

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind, Style
from keywright.core.errors import BadParameter, UnknownName
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction
from keywright.evaluation.statistics.bootstrap import Resampling
from studies.generality import measuring
from studies.generality.collections import COLLECTIONS, Collection, collection, documents, sample, whole
from studies.generality.lists import Draws, mean_of_runs, prediction_of, run, shown
from studies.generality.measuring import SEEDS, rows_of
from studies.generality.rows import Calibration, Difference, Score
from studies.generality.study import STUDY, rows, sheets, units_of
from studies.training_data.examples import as_plain_text

PART = Collection("nus", (), "author", Style.AUTHOR, None, {})


def listed(name: str, *phrases: str, probability: float | None = None) -> Prediction:
    return Prediction(name, tuple(Keyphrase(phrase, 0.0, probability) for phrase in phrases))


@pytest.fixture
def table(monkeypatch) -> tuple:
    gold = (GoldKeyphrase(("grid",), "author"),)
    papers = tuple(LabelledDocument(Document(name, "Grids."), gold) for name in "ab")
    monkeypatch.setattr(measuring, "documents", lambda *_: papers)
    wrong = tuple(listed(name, "load") for name in "ab")
    right = tuple(listed(name, "grids", "load", probability=0.5) for name in "ab")
    half = (listed("a", "grids", probability=0.5), listed("b", "load", probability=0.5))
    unsure = tuple(listed(prediction.document_id, *prediction.texts) for prediction in half)
    lists = {
        ("default", "general"): {1: right, 2: half},
        ("default", "reader"): {1: right, 2: right},
        ("tfidf", ""): {None: wrong},
        ("yake", ""): {None: unsure},
        ("counting", ""): {None: wrong},
    }
    return tuple(rows_of(PART, lists))


def score_of(table, system: str, style: str = "", seed: int | None = None, measure: str = "F@5") -> Score:
    wanted = (system, style, seed, measure)
    (row,) = [
        row for row in table if isinstance(row, Score) and (row.system, row.style, row.seed, row.measure) == wanted
    ]
    return row


def test_f_is_of_macro_averages_and_the_mean_over_seeds(table):
    # one of five right, all gold covered: 2 * .2 * 1 / 1.2; half of that covered: P .1, R .5
    right, half = 2 * 0.2 * 1 / 1.2, 2 * 0.1 * 0.5 / 0.6
    assert score_of(table, "default", "general", 1).value == pytest.approx(right)
    assert score_of(table, "default", "general", 2).value == pytest.approx(half)
    assert score_of(table, "default", "general").value == pytest.approx((right + half) / 2)
    assert score_of(table, "default", "reader").interval == pytest.approx((right, right))
    assert score_of(table, "tfidf").value == 0
    assert score_of(table, "yake").documents == 2


def test_differences_are_to_the_best_other_system_but_the_baseline(table):
    by_style = {row.style: row for row in table if isinstance(row, Difference) and row.measure == "F@5"}
    right, half = 2 * 0.2 * 1 / 1.2, 2 * 0.1 * 0.5 / 0.6
    assert {row.other for row in by_style.values()} == {"yake"}
    assert by_style["reader"].value == pytest.approx(right - half)
    # documents drawn: both without a hit of yake, one of each, both with one; paired, so never below 0
    assert by_style["reader"].interval == pytest.approx((0, right))


def test_calibration_is_beside_its_floor(table):
    by_style = {row.style: row for row in table if isinstance(row, Calibration)}
    assert set(by_style) == {"reader", "general"}
    reader = by_style["reader"]
    assert (reader.seeds, reader.phrases, reader.probability, reader.right) == (2, 4, 0.5, 0.5)
    assert (reader.error, reader.interval) == (0, (0, 0))
    # of 4 phrases at .5, k are right: E|k - 2| / 4 = (2 * 1 + 1 * 8 + 0 * 6) / 16 / 4
    assert reader.floor.error == pytest.approx((2 * 1 * 2 + 1 * 4 * 2) / 16 / 4, abs=0.01)


def test_phrases_without_probability_are_left_out():
    papers = tuple(LabelledDocument(Document(name, "Grids."), (GoldKeyphrase(("grid",), "author"),)) for name in "ab")
    columns = shown(papers, (listed("a", "grids"), listed("b", "load", "grids", probability=0.25)))
    assert (columns.probabilities.tolist(), columns.right.tolist(), columns.owner.tolist()) == (
        [0.25, 0.25],
        [False, True],
        [1, 1],
    )
    assert shown(papers, (listed("a", "grids"), listed("b"))) is None


def test_draws_are_of_seeds_and_documents():
    draws = Draws.of(3, Resampling(samples=2000))
    assert set(draws.documents.sum(axis=1)) == {3}
    runs = [np.zeros((3, 1)), np.ones((3, 1))]
    samples = draws.samples(runs, lambda totals: totals / 3)
    assert {0.0, 0.5, 1.0} == set(samples.ravel())
    assert draws.ends(samples) == [(0, 1)]
    assert mean_of_runs(runs, lambda totals: totals / 3) == pytest.approx([0.5])


def test_rows_are_stored_and_laid_out(table):
    read = STUDY.read(json.loads(json.dumps([row.record() for row in table])))
    assert read == table
    summary, *_, seeds = sheets(table)
    (line,) = summary.rows
    assert [cell.text for cell in line[:5]] == ["nus", "2", "13.6", "9.1", "yake"]
    assert [cell.text for cell in seeds.rows[0]] == ["nus", "18.2", "9.1"]


def test_lists_are_stored_with_documents_that_failed():
    def extraction(document: Document):
        return Prediction(document.id, (Keyphrase("grid", 1.0, 0.25),), language="en") if document.id == "a" else None

    papers = tuple(LabelledDocument(Document(name, "Grids."), ()) for name in "ab")
    first, second = map(prediction_of, json.loads(json.dumps(run(extraction, papers))))
    assert (first.texts, first.keyphrases[0].probability, first.language) == (("grid",), 0.25, "en")
    assert (second.document_id, second.keyphrases) == ("b", ())
    assert run(lambda _: None, papers) == []


def test_the_default_runs_once_for_each_seed():
    assert [unit.seed for unit in units_of("nus", "default")] == list(SEEDS)
    assert [unit.seed for unit in units_of("nus", "yake")] == [None]
    with pytest.raises(UnknownName, match="no system of the study called 'rake'"):
        rows(["rake"])


GOLD = (GoldKeyphrase(("grid",), "author"),)


def test_fields_become_paragraphs_that_the_reader_finds_again():
    text = "Grids.\nWe show grids.\ngrid, fair\nBody of grids."
    marked = (
        Section(SectionKind.TITLE, 0, 6),
        Section(SectionKind.ABSTRACT, 7, 21),
        Section(SectionKind.KEYWORDS, 22, 32),
    )
    plain = as_plain_text(Document("1", text, marked, language="en", meta={"source": "x"}))
    assert plain.text == "Grids.\n\nWe show grids.\n\nBody of grids."
    assert (plain.id, plain.language, dict(plain.meta)) == ("1", None, {})
    assert SectionKind.KEYWORDS not in {section.kind for section in plain.sections}


def test_bare_text_stays_as_it_is():
    text = "Grids\nA. Author\nAbstract\nWe show grids.\n\n\n\n1 Introduction\nGrids are fast."
    plain = as_plain_text(as_plain_text(Document("1", text)))
    assert plain.text == text
    assert plain.section(SectionKind.ABSTRACT) == "We show grids."


def test_a_sample_is_fixed_and_without_printed_keywords():
    part = Collection("x", (), "author", Style.AUTHOR, 2, {}, lists=False)
    texts = {"a": "Grids.", "b": "Palabras clave: grids", "c": "Grids.", "d": "Grids."}
    papers = [LabelledDocument(Document(name, text), GOLD) for name, text in texts.items()]
    expected = sorted("acd", key=lambda name: sha256(name.encode()).hexdigest())[:2]
    assert [paper.id for paper in sample(part, papers)] == expected
    assert [paper.id for paper in sample(part, papers[::-1])] == expected


def test_only_gold_of_the_kind_and_source_counts(tmp_path):
    lines = [
        {"id": "1", "text": "Grids.", "keyphrases": ["grid"], "source": "a"},
        {"id": "2", "text": "Grids.", "keyphrases": ["grid"], "source": "b"},
        {"id": "3", "text": "Grids.", "keyphrases": ["grid"], "by": "reader", "source": "a"},
    ]
    path = tmp_path / "papers.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    part = Collection("x", (str(path),), "author", Style.AUTHOR, None, {}, source="a")
    assert [paper.id for paper in whole(part)] == ["1"]


@pytest.mark.data
@pytest.mark.usefixtures("mirror")
def test_test_splits_are_refused():
    with pytest.raises(BadParameter, match="for reporting only"):
        whole(Collection("x", ("inspec/test",), "uncontr", Style.INDEXER, None, {}))
    assert not any("test" in name.rpartition("/")[2] for part in COLLECTIONS for name in part.data)


def test_collections_are_found_by_name():
    assert collection("nus").gold == "combined"
    assert len(documents("everyday")) == 15
    with pytest.raises(UnknownName, match="no collection of the study called 'duc'"):
        collection("duc")
