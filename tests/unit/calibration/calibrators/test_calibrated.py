"""Calibrated extractors: every promise of extractors, the system's own order, whose calibrator it is, and drift."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.calibration.labelled_runs import fit_calibrator, labelled, run

from keywright.calibration.calibrators.calibrated import Calibrated
from keywright.calibration.calibrators.calibrating import add_probabilities, calibrate
from keywright.calibration.calibrators.calibrator import (
    MIN_DOCUMENTS,
    DriftMonitor,
    Reference,
    check_same_system,
    is_same_system,
    monitor_profiles,
    remove_version,
)
from keywright.calibration.calibrators.parametric import Beta
from keywright.catalogue import EXTRACTORS, SYSTEMS
from keywright.core import signatures
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord, NotFitted
from keywright.core.signatures import signature
from keywright.extraction.systems.counting import Counting
from keywright.extraction.systems.default import Default
from keywright.extraction.systems.kpminer import KPMiner
from keywright.testing.extractors import check_extractor
from keywright.testing.promises import ARTICLE, LABELLED
from keywright.text.languages import ByLanguage


def calibrated(system, probability=None):
    """A system with a calibrator that says it is for it."""
    calibrator = fit_calibrator(30, probability)
    return Calibrated(system, replace(calibrator, card=replace(calibrator.card, system=signature(system), depth=20)))


@pytest.mark.parametrize("system", [KPMiner(), Counting()], ids=lambda system: system.name)
def test_it_keeps_every_promise(system):
    check_extractor(calibrated(system), ByLanguage())


def test_own_probabilities_can_be_calibrated():
    check_extractor(calibrated(Default(), 0.5), ByLanguage("en"))


def withheld(probability=None):
    """A run of 30 documents with probabilities, and three more without."""
    sure, more = run(probability=0.5), run(33, probability)
    return replace(sure, predictions=(*sure.predictions, *more.predictions[30:]))


def test_documents_without_probabilities_are_left_out_of_calibration():
    calibration = calibrate(withheld(), labelled(33))
    assert calibration.calibrator.card.confidence == "probability"
    assert calibration.calibrator.card.documents == 30
    assert calibration.notes[0] == "3 documents are left out: the system gives no probabilities for them"
    assert calibration.calibrator.model == fit_calibrator(30, 0.5).model
    by_score = calibrate(withheld(), labelled(33), confidence="score").calibrator
    assert by_score.card.documents == 33


def test_documents_without_probabilities_get_none_from_a_calibrator_of_probabilities():
    after = add_probabilities(withheld(), [each.document for each in labelled(33)], fit_calibrator(30, 0.5))
    without = [all(one.probability is None for one in each.keyphrases) for each in after.predictions]
    assert without == [False] * 30 + [True] * 3
    assert [sum(each.profile) for each in after.predictions] == [5] * 30 + [0] * 3


def test_a_document_unlike_those_of_training_costs_no_other():
    document = ByLanguage("en").analyse(Document("d", "Grid scheduler: jobs, machines", language="en"))
    default = Default(style="author")
    assert default.extract(document).probabilities is None
    ranking = calibrated(default, 0.5).extract(document)
    assert ranking.probabilities is None
    assert len(ranking.profile) == len(fit_calibrator(30, 0.5).reference.counts)
    assert sum(ranking.profile) == 0
    assert ranking.withheld.startswith("unlike the documents that the probabilities were fitted on (")
    assert ranking.prediction().warnings == (ranking.withheld,)
    by_score = calibrated(default).extract(document)
    assert by_score.probabilities is not None
    assert by_score.prediction().warnings == ()


def fitted(name):
    """A system as it comes, or fitted on two samples where it has to be; and the document for it."""
    system = SYSTEMS.find(name)()
    analyser = ByLanguage("en", tagged="tags" in system.needs)
    article = analyser.analyse(ARTICLE)
    try:
        system.extract(article).prediction(1)
    except NotFitted:
        system = system.fit([replace(one, document=analyser.analyse(one.document)) for one in LABELLED])
    return system, article


@pytest.mark.parametrize("name", EXTRACTORS)
def test_every_system_keeps_its_phrases_and_order(name):
    system, article = fitted(name)
    plain, sure = system.extract(article).prediction(7), calibrated(system).extract(article).prediction(7)
    assert all(0 < one.probability < 1 for one in sure.keyphrases)
    without = tuple(replace(one, probability=None) for one in sure.keyphrases)
    assert without == tuple(replace(one, probability=None) for one in plain.keyphrases)
    assert sure.chosen == system.extract(article).prediction(20).chosen
    assert 7 <= sum(sure.profile) <= 20 or sum(sure.profile) == len(plain.keyphrases)


def test_a_calibrator_of_another_system_is_refused():
    with pytest.raises(BadParameter, match="the calibrator was fitted for toy, and this is kpminer;"):
        Calibrated(KPMiner(), fit_calibrator())
    sure = calibrated(KPMiner())
    with pytest.raises(BadParameter, match="for kpminer with least_seen:3, and this is kpminer with least_seen:2;"):
        replace(sure, inner=KPMiner(least_seen=2))


def test_a_patch_release_keeps_calibrators(monkeypatch):
    sure = calibrated(KPMiner())
    monkeypatch.setattr(signatures, "VERSION", "0.2.7")
    assert replace(sure, inner=KPMiner()).extract(ByLanguage().analyse(ARTICLE)).prediction(1).keyphrases
    monkeypatch.setattr(signatures, "VERSION", "0.3.0")
    with pytest.raises(
        BadParameter, match=r"kpminer of keywright 0\.2\.0, and this is of 0\.3\.0; releases other than"
    ):
        replace(sure, inner=KPMiner())


def test_probabilities_that_are_not_there_are_told():
    with pytest.raises(BadRecord, match="kpminer gives no probabilities here"):
        calibrated(KPMiner(), 0.5).extract(ByLanguage().analyse(ARTICLE)).prediction(3)


def test_the_signature_names_both():
    sure = calibrated(KPMiner())
    assert signature(sure).startswith("calibrated|inner:(kpminer|")
    assert f"calibrator:{sure.calibrator.fingerprint}|" in signature(sure)
    other = replace(sure.calibrator, model=replace(sure.calibrator.model, map=Beta((0, 1, 1, 0, 1, 1))))
    assert signature(replace(sure, calibrator=other)) != signature(sure)


MINER = "kpminer|frequencies:f0ae34a2|least_seen:3|v0.1.0"
NESTED = "vote|inner:(kpminer|least_seen:3)|method:ranks|v0.1.0"


@pytest.mark.parametrize(
    ("fitted", "found"),
    [
        (MINER, MINER),
        (MINER, MINER.replace("v0.1.0", "v0.1.12")),
        (MINER, MINER.replace("v0.1.0", "v0.1.1rc2")),
        ("bart|sha256:0a", "bart|sha256:0b"),
        ("toy", "toy|v0.1.0"),
        (NESTED, NESTED),
    ],
)
def test_the_same_system(fitted, found):
    check_same_system(fitted, found, "this is")
    check_same_system(found, fitted, "this is")
    assert is_same_system(fitted, found)


@pytest.mark.parametrize(
    ("fitted", "found", "said"),
    [
        (MINER, "tfidf|longest:3|v0.1.0", "was fitted for kpminer, and this is tfidf;"),
        ("bart|sha256:0a", "t5|sha256:0a", "was fitted for bart, and this is t5;"),
        (
            MINER,
            MINER.replace("seen:3", "seen:2"),
            "was fitted for kpminer with least_seen:3, and this is kpminer with least_seen:2;",
        ),
        (
            MINER,
            "kpminer|frequencies:0000|v0.1.0",
            "with frequencies:f0ae34a2, least_seen:3, and this is kpminer with frequencies:0000, least_seen:nothing;",
        ),
        (MINER, MINER.replace("0.1.0", "0.2.0"), "for kpminer of keywright 0.1.0, and this is of 0.2.0;"),
        (MINER, MINER.replace("0.1.0", "1.1.0"), "for kpminer of keywright 0.1.0, and this is of 1.1.0;"),
        (
            NESTED,
            NESTED.replace("seen:3", "seen:2"),
            "with inner:(kpminer|least_seen:3), and this is vote with inner:(kpminer|least_seen:2);",
        ),
        (f"calibrated|inner:({MINER})|v0.1.0", MINER, "for calibrated, and this is kpminer;"),
    ],
)
def test_another_system(fitted, found, said):
    with pytest.raises(BadParameter) as told:
        check_same_system(fitted, found, "this is")
    assert said in str(told.value)
    assert not is_same_system(fitted, found)


def test_versions_go():
    assert remove_version(MINER) == "kpminer|frequencies:f0ae34a2|least_seen:3"
    assert remove_version("toy") == "toy"
    assert remove_version("a|inner:(b|v0.1.0)") == "a|inner:(b|v0.1.0)"


HALVES = Reference((0.5,), (), (1_000_000, 1_000_000, 0))


def test_the_index_by_hand():
    by_hand = 0.25 * math.log(0.75 / 0.5) - 0.25 * math.log(0.25 / 0.5)
    assert HALVES.instability((1_500_000, 500_000, 0)) == pytest.approx(by_hand, abs=1e-4)
    assert HALVES.instability((70, 70, 0)) < 0.05
    assert Reference((), (), (9, 9)).instability((9, 9)) == 0


def test_what_chance_does():
    """Drawn from the reference itself, the index is what its mean should be; ranges nobody fills do not count."""
    reference = Reference(tuple(np.arange(1, 10) / 10), (), (100,) * 10 + (0,))
    assert reference.chance((20,) * 10 + (0,)) == pytest.approx(9 / 200 + 9 / 1000)
    chance = np.random.Generator(np.random.PCG64(3))
    drawn = chance.multinomial(200, np.full(10, 0.1), size=2000)
    old = chance.multinomial(1000, np.full(10, 0.1), size=2000)
    found = [
        Reference(reference.present_edges, (), (*b.tolist(), 0)).instability((*a.tolist(), 0))
        for a, b in zip(drawn, old, strict=True)
    ]
    assert np.mean(found) == pytest.approx(reference.chance((20,) * 10 + (0,)), rel=0.05)


def test_documents_without_phrases_tell_nothing():
    monitor = DriftMonitor(HALVES)
    assert [monitor.add((0, 0, 0)) for _ in range(30)] == [None] * 30
    assert monitor.as_json() is None


def test_a_class_that_calibration_never_saw_counts():
    assert HALVES.instability((900, 900, 200)) > 0.25


def test_ranges_are_tenths_of_each_class():
    confidence = np.concatenate([np.arange(100) / 100, np.arange(50) / 50])
    present = np.repeat([True, False], [100, 50])
    found = Reference.from_phrases(confidence, present)
    assert found.counts == (10,) * 10 + (5,) * 10
    assert found.profile(np.array([0.0, 0.99, 0.0]), np.array([True, True, False])) == (1, *[0] * 8, 1, 1, *[0] * 9)
    assert Reference.from_phrases(confidence, np.ones(150, bool)).counts[-1] == 0


def test_a_watch_speaks_once_and_not_before_twenty_documents():
    monitor = DriftMonitor(HALVES)
    told = [monitor.add((10, 0, 0)) for _ in range(30)]
    assert [at for at, one in enumerate(told, start=1) if one] == [MIN_DOCUMENTS]
    assert "over 20 documents, 0.01 of it chance, 0.25 above that is the limit" in told[MIN_DOCUMENTS - 1]
    assert len(monitor.profiles) == 30
    assert monitor.warnings


def test_a_long_stream_is_judged_by_its_last_documents():
    alike, unlike = (5, 5, 0), (9, 1, 0)
    monitor = DriftMonitor(HALVES, window=200)
    assert [monitor.add(alike) for _ in range(5000)] == [None] * 5000
    told = [monitor.add(unlike) for _ in range(200)]
    assert [one for one in told if one]
    assert (len(monitor.profiles), monitor.counts) == (200, [1800, 200, 0])
    assert "over 200 documents" in next(one for one in told if one)
    whole = monitor_profiles(HALVES, [alike] * 5000 + [unlike] * 200)
    assert (len(whole.profiles), whole.warnings) == (5200, ())


def test_a_watch_is_silent_where_nothing_changes():
    monitor = DriftMonitor(HALVES)
    assert [monitor.add((5, 5, 0)) for _ in range(50)] == [None] * 50
    assert DriftMonitor(HALVES).as_json() is None
    assert monitor.as_json()["documents"] == 50


def test_what_cannot_be():
    with pytest.raises(BadParameter, match="a profile of 2 ranges, where the calibrator has 3"):
        DriftMonitor(HALVES).add((1, 2))
    for values in (((0.5, 0.4), (), (1, 1, 1, 1)), ((0.5,), (), (1, 1))):
        with pytest.raises(BadParameter, match="expected rising edges"):
            Reference(*values)
