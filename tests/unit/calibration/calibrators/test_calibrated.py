"""Calibrated extractors: every promise of extractors, the system's own order, and whose calibrator it is."""

from dataclasses import replace

import pytest
from tests.unit.calibration.labelled_runs import labelled, run

from keywright.calibration.calibrators.calibrated import Calibrated
from keywright.calibration.calibrators.calibrating import add_probabilities, calibrate
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

FITTED = calibrate(run(), labelled()).calibrator
OF_PROBABILITIES = calibrate(run(probability=0.5), labelled()).calibrator


def calibrated(system, calibrator=FITTED):
    """A system with a calibrator that says it is for it."""
    return Calibrated(system, replace(calibrator, card=replace(calibrator.card, system=signature(system), depth=20)))


@pytest.mark.parametrize("system", [KPMiner(), Counting()], ids=lambda system: system.name)
def test_it_keeps_every_promise(system):
    check_extractor(calibrated(system), ByLanguage())


def test_own_probabilities_can_be_calibrated():
    check_extractor(calibrated(Default(), OF_PROBABILITIES), ByLanguage("en"))


def withheld(probability=None):
    """A run of 30 documents with probabilities, and three more without."""
    sure, more = run(probability=0.5), run(33, probability)
    return replace(sure, predictions=(*sure.predictions, *more.predictions[30:]))


def test_documents_without_probabilities_are_left_out_of_calibration():
    calibration = calibrate(withheld(), labelled(33))
    assert calibration.calibrator.card.confidence == "probability"
    assert calibration.calibrator.card.documents == 30
    assert calibration.notes[0] == "3 documents are left out: the system gives no probabilities for them"
    assert calibration.calibrator.model == OF_PROBABILITIES.model
    by_score = calibrate(withheld(), labelled(33), confidence="score").calibrator
    assert by_score.card.documents == 33


def test_documents_without_probabilities_get_none_from_a_calibrator_of_probabilities():
    after = add_probabilities(withheld(), [each.document for each in labelled(33)], OF_PROBABILITIES)
    without = [all(one.probability is None for one in each.keyphrases) for each in after.predictions]
    assert without == [False] * 30 + [True] * 3
    assert [sum(each.profile) for each in after.predictions] == [5] * 30 + [0] * 3


def test_a_document_unlike_those_of_training_costs_no_other():
    document = ByLanguage("en").analyse(Document("d", "Grid scheduler: jobs, machines", language="en"))
    default = Default(style="author")
    assert default.extract(document).probabilities is None
    ranking = calibrated(default, OF_PROBABILITIES).extract(document)
    assert ranking.probabilities is None
    assert len(ranking.profile) == len(OF_PROBABILITIES.reference.counts)
    assert sum(ranking.profile) == 0
    assert ranking.withheld.startswith("unlike the documents that the probabilities were fitted on (")
    assert ranking.prediction().warnings == (ranking.withheld,)
    by_score = calibrated(default).extract(document)
    assert by_score.probabilities is not None
    assert by_score.prediction().warnings == ()


def test_a_language_without_measured_probabilities_gets_those_of_a_calibrator():
    document = ByLanguage("de").analyse(replace(ARTICLE, language="de"))
    ranking = Default().extract(document)
    assert ranking.withheld == "no probabilities: none were measured in language 'de'"
    by_score = calibrated(Default()).extract(document)
    assert by_score.probabilities is not None
    assert not any(warning.startswith("no probabilities") for warning in by_score.prediction().warnings)


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
        Calibrated(KPMiner(), FITTED)
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
        calibrated(KPMiner(), OF_PROBABILITIES).extract(ByLanguage().analyse(ARTICLE)).prediction(3)


def test_the_signature_names_both():
    sure = calibrated(KPMiner())
    assert signature(sure).startswith("calibrated|inner:(kpminer|")
    assert f"calibrator:{sure.calibrator.fingerprint}|" in signature(sure)
    other = replace(sure.calibrator, model=replace(sure.calibrator.model, map=Beta((0, 1, 1, 0, 1, 1))))
    assert signature(replace(sure, calibrator=other)) != signature(sure)
