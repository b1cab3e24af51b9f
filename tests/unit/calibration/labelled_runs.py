"""A run of made-up documents with gold: the first of five phrases is right in two documents of three."""

from functools import cache

import numpy as np

from keywright.calibration.calibrators.calibrating import calibrate
from keywright.calibration.judging import KPG_WHOLE_TEXT, decide
from keywright.calibration.phrases import JudgedPhrases
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run

WORDS = ("granite", "basalt", "obsidian", "quartz", "slate")
TEXT = f"Stones. {' and '.join(WORDS)} are stones."


def labelled(number=30, gold=None):
    """Documents of which only the gold differs."""
    return [
        LabelledDocument(
            Document(f"d{at:02}", TEXT),
            tuple(GoldKeyphrase((one,), "author") for one in (gold or [WORDS[0] if at % 3 else "chalk"])),
        )
        for at in range(number)
    ]


def run(number=30, probability=None, size=1.0, system="toy|v0.2.0"):
    """Scores fall from 5 to 1, of whatever size; a probability for all phrases, or none."""
    return Run(system, "stones", "", tuple(_prediction(f"d{at:02}", probability, size) for at in range(number)))


@cache
def fit_calibrator(number=30, probability=None):
    """The calibrator of such a run."""
    return calibrate(run(number, probability), labelled(number)).calibrator


def judged(run, labelled, protocol=KPG_WHOLE_TEXT, confidence=None, *, stemmed=False):
    """The phrases of a run as columns, each judged by its gold."""
    return decide(run, labelled, protocol, stemmed=stemmed).columns(confidence)


def judged_columns(confidence, correct, documents=None, **columns: object):
    """Phrases of one document each, of one word, present and of rank 1 unless said otherwise."""
    number = len(confidence)
    usual = {"document": np.arange(number), "rank": np.ones(number, int), "words": np.ones(number, int)}
    given = usual | {"present": np.ones(number, bool)} | {name: np.asarray(column) for name, column in columns.items()}
    documents = documents or int(given["document"].max(initial=-1)) + 1
    return JudgedPhrases(
        ids=tuple(f"d{at}" for at in range(documents)),
        confidence=np.array(confidence, float),
        correct=np.array(correct, bool),
        present=np.asarray(given.pop("present"), bool),
        gold=np.ones((documents, 2), int),
        **given,
    )


def _prediction(name, probability, size):
    spans = [((TEXT.index(word), TEXT.index(word) + len(word)),) for word in WORDS]
    phrases = (
        Keyphrase(word, size * (5 - rank), probability, spans=span)
        for rank, (word, span) in enumerate(zip(WORDS, spans, strict=True))
    )
    return Prediction(name, tuple(phrases))
