"""The table of small generators: numbers by hand, published rows beside them, and what is trained when."""

import json
import sys
from dataclasses import dataclass, replace
from math import log
from typing import ClassVar

import pytest
from tests.quick_generators import save_quick_generator

import keywright as kw
from keywright.core.candidates import Ranking
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, MissingExtra, UnknownName
from keywright.core.keyphrases import Generation, Keyphrase
from keywright.experiments import small_generators
from keywright.experiments import small_generators as table
from keywright.experiments.small_generators import STUDY, load_small_generator
from keywright.neural.systems.generator_system import load_system


def labelled(name, text, *gold: str):
    return LabelledDocument(Document(name, text), tuple(GoldKeyphrase((phrase,), "author") for phrase in gold))


DATA = (
    labelled("ice", "Lake ice\n\nLake ice melts in spring.", "lake ice", "climate"),
    labelled("rain", "Rain gardens\n\nRain gardens keep water.", "rain gardens"),
)


def phrase(text, *probabilities: float):
    words = tuple(text.split())
    return Keyphrase(text, 0.0, generation=Generation(words, tuple(map(log, probabilities)), end=0.0, words=len(words)))


LISTS = {"ice": (phrase("lake ice", 0.81, 0.49), phrase("climate", 0.25)), "rain": (phrase("water", 0.55),)}


@dataclass(frozen=True)
class Written:
    """A generator that writes ``LISTS``."""

    name: ClassVar[str] = "one2seq"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document):
        return Ranking.from_keyphrases(document.source, LISTS[document.source.id], warnings=())


CARDS = {
    "trained": {"steps": 2000, "profile": {"recipe": {"batch": 32}}, "core seconds": 1230, "weights": 5_000_000},
    "before": {"steps": 1000, "profile": {"recipe": {"batch": 32}}, "core seconds": 600, "weights": 5_000_000},
}


@pytest.fixture
def data(monkeypatch):
    monkeypatch.setattr(table, "load", lambda _: DATA)
    monkeypatch.setattr(table, "GOLD", {})
    monkeypatch.setattr(table, "read_generator_card", lambda folder: CARDS.get(folder.name, CARDS["trained"]))


@pytest.fixture
def rows(monkeypatch, data):  # noqa: ARG001 - the data is set
    monkeypatch.setattr(table, "load_small_generator", lambda *_: Written())
    return table.compute_small_generators(["one2seq"], find=lambda _: Written, train=lambda *_: None)


def row(rows, measure, part, dataset="kp20k_small/test", variant=None):
    (chosen,) = [
        each
        for each in rows
        if (each.measure, each.phrase_class, each.dataset, each.variant) == (measure, part, dataset, variant)
    ]
    return chosen


def test_scores_by_hand(rows):
    # Present: P@5 1/5 and 0, R 1 and 0, so F = 2 x .1 x .5 / .6; absent the same, as the second has no absent gold.
    for part in ("present", "absent"):
        assert row(rows, "F@5", part).ours == pytest.approx(1 / 6, abs=5e-5)
        assert row(rows, "F@M", part).ours == pytest.approx(0.5)


def test_calibration_errors_and_perplexities_by_hand(rows):
    # Confidence of the right phrase sqrt(.81 x .49) = .63, of the wrong one .55: (.37 + .55) / 2.
    assert row(rows, "ECE", "present", variant="generated").ours == pytest.approx(46.0)
    assert row(rows, "ECE", "absent", variant="generated").ours == pytest.approx(75.0)
    assert row(rows, "KPP-median", "absent", None).ours == 4.0
    assert row(rows, "KPP-median", "present", None).ours == 1.70  # mean of 1 / .63 and 1 / .55
    assert not [each for each in rows if each.variant == "calibrated"]  # there is no calibrator


def test_what_a_generator_was_trained_on_is_beside_its_scores(rows):
    seen = {each.measure: each.ours for each in rows if each.measure in table.TRAINED}
    assert seen == {"labelled documents": 64_000, "texts before": 0, "minutes of a core": 20, "weights": 5_000_000}


@pytest.mark.usefixtures("data")
def test_texts_that_a_generator_saw_before_count_apart(tmp_path):
    folders = tmp_path / "trained", tmp_path / "before"
    rows = list(table.measure_generator("one2seq-helped", Written(), table.load_test_sets(), folders))
    seen = {each.measure: each.ours for each in rows if each.measure in table.TRAINED}
    assert seen == {"labelled documents": 64_000, "texts before": 32_000, "minutes of a core": 30, "weights": 5_000_000}
    assert not any(each.published for each in rows)  # the published ones have no such help


def test_published_numbers_are_beside_the_collections_that_have_them(rows):
    # Table 1 of the study; the larger part of Krapivin is in none of its tables.
    assert row(rows, "F@5", "present", "inspec/test").published == 0.281
    assert row(rows, "F@M", "absent").published == 0.046
    assert row(rows, "ECE", "present", variant="generated").published == 23.41
    assert row(rows, "F@5", "present", "krapivin_abstracts/test").published is None
    assert "1,000" in row(rows, "F@5", "present").note
    assert row(rows, "F@5", "present", "inspec/test").note == ""


def test_figures_pool_no_document_twice(rows):
    words = [each.ours for each in rows if each.measure.startswith("KPP-") and each.measure != "KPP-median"]
    assert sum(words) == 3 * len(table.POOLED)
    assert len(table.POOLED) == 4


@pytest.mark.usefixtures("data")
def test_documents_that_two_data_sets_share_are_written_once(monkeypatch):
    made = []

    def run(extraction, documents):
        made.append([document.id for document in documents])
        return run_in_memory(extraction, documents)

    run_in_memory = table.runs.run_in_memory
    monkeypatch.setattr(table.runs, "run_in_memory", run)
    data = {table.PART: tuple(DATA[1:]), table.WHOLE: tuple(DATA)}
    tested = {each.dataset: each for each in table._run_system("one2seq", Written(), data, None)}
    assert made == [[each.id for each in DATA]]
    assert list(tested) == [table.PART, table.WHOLE]
    assert [each.document_id for each in tested[table.PART].run.predictions] == [each.id for each in DATA[1:]]
    assert table.score_run(tested[table.PART].run, tested[table.PART].labelled, table.KPG).values


@pytest.mark.usefixtures("data")
def test_extractors_have_no_list_of_their_own_length():
    rows = table.compute_small_generators(["yake"], find=lambda name: kw.system(name).__class__, train=lambda *_: None)
    assert {(each.measure, each.phrase_class) for each in rows} == {("F@5", "present")}


def test_tables_for_people_have_every_part(rows):
    captions = [sheet.caption for sheet in STUDY.tables(rows)]
    assert [caption.split(",")[0] for caption in captions[:7]] == [
        "F@5 of present keyphrases",
        "F@5 of absent keyphrases",
        "F@M of present keyphrases",
        "F@M of absent keyphrases",
        "Documents that each generator saw",
        "Expected calibration error of present keyphrases",
        "Expected calibration error of absent keyphrases",
    ]


def test_longer_lists_are_those_of_a_beam_or_of_all_slots():
    variant, wider = table.lengthen_lists(kw.system("one2seq"))
    assert (variant, wider.decoding, wider.width) == ("beam 20", "beam", 20)
    variant, wider = table.lengthen_lists(kw.system("one2set"))
    assert (variant, wider.fill_slots, wider.order) == ("all slots", True, "confidence")
    assert table.lengthen_lists(kw.system("yake")) is None


@pytest.mark.usefixtures("data")
def test_rows_of_a_beam_are_apart_and_without_published_numbers(monkeypatch, tmp_path):
    save_quick_generator("one2seq", DATA, tmp_path / "generator")
    monkeypatch.setattr(table, "DATASETS", {"kp20k_small/test": "kp20k"})
    monkeypatch.setattr(table, "POOLED", ("kp20k_small/test",))
    monkeypatch.setattr(table, "load_small_generator", lambda *_: load_system(tmp_path / "generator"))
    rows = table.compute_small_generators(["one2seq"], find=lambda _: Written, train=lambda *_: None)
    greedy, beam = (row(rows, "F@5", "present", variant=variant) for variant in (None, f"beam {table.WIDTH}"))
    assert (greedy.published, beam.published) == (0.332, None)  # Table 1 of the study
    lines = next(iter(STUDY.tables(rows))).rows
    assert [tuple(cell.text for cell in line[:2]) for line in lines] == [
        ("one2seq", ""),
        ("one2seq", f"beam {table.WIDTH}"),
    ]


def test_other_systems_are_refused():
    with pytest.raises(UnknownName, match="kpminer"):
        table.compute_small_generators(["kpminer"], find=lambda _: Written, train=lambda *_: None)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(small_generators, "DATA", ())
    return tmp_path / "generators"


def training(made):
    """Return a training that writes a tiny generator and counts itself."""

    def train(untrained, _data, folder, profile, **_: object):
        made.append((untrained.name, profile))
        folder.parent.mkdir(parents=True, exist_ok=True)
        save_quick_generator(untrained.name, DATA, folder)
        card = json.loads((folder / "card.json").read_text())
        card |= {"data": [], "profile": _profile(untrained.name, profile)}
        (folder / "card.json").write_text(json.dumps(card))

    return train


def _profile(name, profile):
    from keywright.neural.training.fitting import describe_profile  # noqa: PLC0415 - torch
    from keywright.neural.training.recipe import find_profile  # noqa: PLC0415 - torch

    chosen = find_profile(name, profile)
    steps = table.DOCUMENTS // chosen.recipe.batch
    return describe_profile(replace(chosen, recipe=replace(chosen.recipe, steps=steps)))


@pytest.mark.usefixtures("cache")
def test_without_torch_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "keywright.neural.training.fitting", None)
    with pytest.raises(MissingExtra, match="neural"):
        load_small_generator("one2seq", lambda name: kw.system(name).__class__, training([]))


@pytest.mark.usefixtures("cache")
def test_a_generator_is_trained_once():
    made = []
    for _ in range(2):
        generator = load_small_generator("one2seq", lambda name: kw.system(name).__class__, training(made))
        assert generator.name == "one2seq"
    assert made == [("one2seq", "small")]


def test_a_generator_of_another_recipe_is_refused(cache):
    load_small_generator("one2seq", lambda name: kw.system(name).__class__, training([]))
    file = cache / "one2seq-small" / "card.json"
    card = json.loads(file.read_text())
    card["profile"]["recipe"]["steps"] = 5
    file.write_text(json.dumps(card))
    with pytest.raises(BadParameter, match="trained with other values of profile") as error:
        load_small_generator("one2seq", lambda name: kw.system(name).__class__, training([]))
    assert "remove that folder" in error.value.hint


def test_what_is_not_trained_is_said_first_with_its_hours(monkeypatch, tmp_path):
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "new" / "cache"))
    assert "about 3.8 hours of one core" in table.describe_wait(None)  # 225 minutes
    assert table.describe_wait(["t5", "yake"]).startswith("t5: trained first")
    assert table.describe_wait(["yake"]) == ""
    folder = tmp_path / "new" / "cache" / "generators" / "t5-small"
    folder.mkdir(parents=True)
    (folder / "card.json").write_text("{}")
    assert table.describe_wait(["t5"]) == ""
