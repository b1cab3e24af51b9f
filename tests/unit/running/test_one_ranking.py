"""A document is ranked exactly once, whatever is done to its list afterwards."""

from dataclasses import dataclass, replace

import pytest
from tests.unit.calibration.labelled_runs import labelled, run

import keywright as kw
from keywright.api import prepare
from keywright.calibration.calibrators.calibrating import calibrate
from keywright.core.documents import Document
from keywright.core.interfaces import Wrapper, innermost
from keywright.core.signatures import signature
from keywright.extraction.systems.default import Default
from keywright.testing.promises import ARTICLE, NOTE

CALLS: list[str] = []


@dataclass(frozen=True)
class Counted(Default):
    """The default, with each of its rankings noted."""

    def extract(self, document):
        CALLS.append(document.source.id)
        return super().extract(document)


def calibrated():
    """The default with a calibrator that says it is for it."""
    fitted = calibrate(run(), labelled()).calibrator
    return kw.calibrated(Counted(), replace(fitted, card=replace(fitted.card, system=signature(Counted()), depth=20)))


LONG = Document("long", " ".join([ARTICLE.text, NOTE.text] * 3))
WAYS = {
    "as it is": (Counted, None, {}),
    "top": (Counted, 3, {}),
    "a long list": (Counted, 80, {}),
    "all there is": (Counted, 10_000, {}),
    "explained": (Counted, None, {"explain": True}),
    "by probability": (Counted, None, {"min_probability": 0.2}),
    "filtered": (Counted, 5, {"diversity": 0.5, "stop_phrases": ("grid",), "min_words": 2}),
    "nearly all filtered out": (Counted, 50, {"min_characters": 25}),
    "a vocabulary": (Counted, None, {"vocabulary": ("grid services",), "expand_acronyms": True}),
    "calibrated": (calibrated, None, {}),
    "calibrated, a long list": (calibrated, 80, {}),
    "limited": (calibrated, 5, {"abstain_below": 0.01}),
    "best F1": (calibrated, None, {"best_f1": True}),
    "calibrated and filtered": (calibrated, None, {"min_probability": 0.01, "min_words": 2}),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_ranks_each_document_once(way):
    system, top, options = WAYS[way]
    extraction = prepare(system(), top, **options)
    for document in (ARTICLE, LONG, NOTE):
        CALLS.clear()
        extraction.prediction(document)
        assert [document.id] == CALLS


def test_wrappers_are_known_by_what_they_wrap():
    system = calibrated()
    limited = prepare(system, abstain_below=0.01).extractor
    assert isinstance(limited, Wrapper)
    assert limited.inner == system
    assert isinstance(innermost(limited), Counted)
    assert not isinstance(innermost(limited), Wrapper)
