"""Calibrated extractors that show only what their probabilities allow."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from tests.unit.calibration.labelled_runs import fit_calibrator

from keywright import api
from keywright.calibration.calibrators.calibrated import Calibrated, Cut, Limited, drop_abstained
from keywright.calibration.guarantees import guarantee_precision
from keywright.core.errors import BadParameter, CannotGuarantee
from keywright.core.signatures import signature
from keywright.extraction.systems.kpminer import KPMiner
from keywright.testing.extractors import check_extractor
from keywright.testing.promises import ARTICLE
from keywright.text.languages import ByLanguage

LIST = np.array([0.5, 0.9, 0.2, 0.6])


def calibrated(depth=20, system=None):
    """Of five phrases the first is right in 60 of 90 documents."""
    system, calibrator = system or KPMiner(), fit_calibrator(90)
    return Calibrated(system, replace(calibrator, card=replace(calibrator.card, system=signature(system), depth=depth)))


@pytest.mark.parametrize(
    ("cut", "kept"),
    [
        (Cut(), [0, 1, 2, 3]),
        (Cut(least=0.5), [0, 1, 3]),
        (Cut(least=0.5, most=2), [0, 1]),
        (Cut(least=0.6, most=2), [1, 3]),
        (Cut(abstain_below=0.9), [0, 1, 2, 3]),
        (Cut(abstain_below=0.91), []),
        # twice .9, 1.5, 2.0, 2.2 over 1, 2, 3, 4 more than 2.2: the third is the largest
        (Cut(best_f1=True), [0, 1, 3]),
        (Cut(best_f1=True, most=2), [1, 3]),
        (Cut(least=0.95, best_f1=True), []),
    ],
)
def test_what_stays(cut, kept):
    assert np.flatnonzero(cut.select(LIST)).tolist() == kept
    assert cut.select(np.zeros(0)).tolist() == []


@pytest.mark.parametrize("numbers", [{"least": 1.1}, {"abstain_below": float("nan")}, {"most": 0}])
def test_cuts_that_mean_nothing(numbers):
    with pytest.raises(BadParameter):
        Cut(**numbers)


@pytest.mark.parametrize("cut", [Cut(), Cut(0.0), Cut(0.3), Cut(0.1, most=2), Cut(best_f1=True)], ids=str)
def test_a_limited_system_meets_the_contract_of_extractors(cut):
    check_extractor(Limited(calibrated(), cut), ByLanguage())


def test_it_shows_what_the_cut_leaves_of_the_depth_of_calibration():
    article = ByLanguage().analyse(ARTICLE)
    everything = calibrated().extract(article).prediction(20)
    least = round(sorted(one.probability for one in everything.keyphrases)[-3], 6)
    limited = Limited(calibrated(), Cut(least))
    found = limited.extract(article).prediction()
    assert found.keyphrases == tuple(one for one in everything.keyphrases if round(one.probability, 6) >= least)
    assert found.chosen == len(found.keyphrases) >= 3
    assert limited.extract(article).prediction(1).keyphrases == found.keyphrases[:1]
    assert limited.extract(article).prediction(1).chosen == found.chosen
    assert found.profile == everything.profile
    assert (
        Limited(calibrated(depth=3), Cut(0.0)).extract(article).prediction().keyphrases
        == calibrated(depth=3).extract(article).prediction(3).keyphrases
    )
    assert f"|cut:(Cut|least:{least}|" in signature(limited)


@dataclass(frozen=True)
class Counted:
    """A system that stands by four phrases of each document."""

    inner: KPMiner
    name: ClassVar[str] = "counted"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document):
        return replace(self.inner.extract(document), chosen=4)


def test_an_empty_list_says_how_sure_the_best_phrase_was():
    article = ByLanguage().analyse(ARTICLE)
    best = max(one.probability for one in calibrated().extract(article).prediction(20).keyphrases)
    found = Limited(calibrated(), Cut(1.0)).extract(article).prediction()
    assert found.warnings == (f"no keyphrase: the most probable phrase has {best:.2f}, less than is asked for",)
    assert Limited(calibrated(), Cut(0.0)).extract(article).prediction().warnings == ()


def test_who_only_abstains_leaves_the_length_to_the_system():
    article = ByLanguage().analyse(ARTICLE)
    plain = calibrated(depth=3).extract(article).prediction(12)
    assert len(plain.keyphrases) == 12
    best = max(one.probability for one in plain.keyphrases[:3])
    shows, silent = (Limited(calibrated(depth=3), Cut(abstain_below=below)) for below in (best - 1e-3, best + 1e-3))
    # longer than the depth of calibration, too
    assert shows.extract(article).prediction(12).keyphrases == plain.keyphrases
    assert shows.extract(article).prediction(12).chosen is None
    assert [silent.extract(article).prediction(top).keyphrases for top in (1, 12, None)] == [(), (), ()]
    inner = calibrated(system=Counted(KPMiner()))
    assert Limited(inner, Cut()).extract(article).prediction(2).chosen == 4
    assert Limited(inner, Cut(abstain_below=1.0)).extract(article).prediction(2).chosen == 0
    assert len(api.prepare(calibrated(), abstain_below=1e-9).prediction(ARTICLE).keyphrases) == 10
    assert len(api.prepare(calibrated(), 12, abstain_below=1e-9).prediction(ARTICLE).keyphrases) == 12


def test_documents_without_a_sure_phrase_are_left_out_as_they_will_be():
    held = fit_calibrator(90).held_out
    best = max(held.confidence)
    assert len(drop_abstained(held, 0.0)) == len(held)
    left = drop_abstained(held, best)
    assert {*left.document.tolist()} == {*held.document[held.confidence == best].tolist()}
    assert left.ids == held.ids
    assert len(drop_abstained(held, 1.0)) == 0


def test_verbs_take_limits():
    system = calibrated()
    guarantee = guarantee_precision(fit_calibrator(90).held_out, 0.5, 0.8)
    extraction = api.prepare(system, min_precision=0.5, confidence_level=0.8)
    assert api.guarantee_of(extraction.extractor) == guarantee
    assert guarantee.summary.startswith(
        f"precision at least 0.5 with confidence 0.8: phrases from {guarantee.threshold:g} on"[:48]
    )
    assert 0 < guarantee.threshold <= 0.5
    found = extraction.prediction(ARTICLE)
    assert all(one.probability >= guarantee.threshold for one in found.keyphrases)
    recall = api.guarantee_of(api.prepare(system, min_recall=0.6).extractor)
    assert (recall.measure, recall.confidence) == ("recall", None)
    assert "recall at least 0.6 on average" in recall.summary
    assert api.prepare(system, 1, min_precision=0.5).extractor.cut.most == 1
    assert api.prepare(system, 20, min_recall=0.6).extractor.cut.most is None  # no list is longer
    assert api.prepare(system, "auto", abstain_below=0.4).extractor.cut == Cut(abstain_below=0.4, best_f1=True)
    assert api.prepare(system, min_precision=None, abstain_below=0.0).extractor is system


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"min_precision": 1.0}, "precision 1"),
        ({"min_precision": 0.0}, "precision 0"),
        ({"min_precision": 0.5, "confidence_level": 1.2}, "confidence_level 1.2"),
        ({"confidence_level": 0.9}, "confidence_level without min_precision"),
        ({"min_precision": 0.5, "min_recall": 0.5}, "min_precision and min_recall together"),
        ({"best_f1": True}, "extract has no option 'best_f1'"),
        ({"min_recall": 0.5, "top": 3}, "min_recall and top together"),
        ({"min_recall": 0.5, "abstain_below": 0.3}, "min_recall and abstain_below together"),
        ({"abstain_below": 2.0}, "abstain_below 2"),
        ({"min_precision": 0.5, "diversity": 0.5}, "min_precision together with other options that choose phrases"),
        ({"min_precison": 0.5}, "extract has no option 'min_precison'"),
    ],
)
def test_limits_that_cannot_be(limits, message):
    with pytest.raises(BadParameter, match=message):
        api.prepare(calibrated(), **limits)


def test_what_cannot_be_promised_is_told():
    with pytest.raises(CannotGuarantee, match="90 documents of calibration allow"):
        api.prepare(calibrated(), min_precision=0.9)


def test_a_system_without_calibrator():
    with pytest.raises(BadParameter, match="min_precision needs a calibrator, and kpminer has none") as told:
        api.prepare("kpminer", min_precision=0.5)
    assert "keywright calibrate RUN --gold DATASET -o FILE" in told.value.hint
