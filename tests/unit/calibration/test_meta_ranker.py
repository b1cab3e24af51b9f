"""The meta-ranker: what it sees, by hand; that it learns, and never from the document it ranks; five generators."""

import math
from dataclasses import replace

import numpy as np
import pytest

from keywright.calibration.ballots import ballots
from keywright.calibration.calibrators.crossfitting import folds_of
from keywright.calibration.confidence import Confidence
from keywright.calibration.meta_ranker import MetaRanker, columns, cross_fitted, rows
from keywright.calibration.text_stems import TextStems
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.runs import Run
from keywright.evaluation.foreign.judging import judge
from keywright.evaluation.foreign.reading import read_run_file
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.protocols.kpg_papers import KPG_STEMMED_GOLD


def test_what_trees_see_of_a_phrase():
    lists = [
        (Keyphrase("web services", 1, 0.75), Keyphrase("grids", 0, 0.5)),
        (Keyphrase("grid", 1, 0.25), Keyphrase("ontology", 0, 0.125)),
    ]
    text = TextStems.of("Grids. The grid and web services.")
    counted = ballots(lists, (Confidence.PROBABILITY,) * 2, lambda one: text.holds(one.text))
    found = rows(counted, text)
    assert found.shape == (3, len(columns(2))) == (3, 16)
    two, three = math.log(2), math.log(3)
    grids = dict(zip(columns(2), found[1], strict=True))
    assert grids == pytest.approx(
        {
            "votes": 2,
            "present": 1,
            "words": 1,
            "mentions": three,
            "first": 0,
            "mean confidence": 0.375,
            "highest confidence": 0.5,
            "mean reciprocal rank": 0.75,
            "best rank": 1,
            "phrases": 3,
            "confidence 1": 0.5,
            "confidence 2": 0.25,
            "reciprocal rank 1": 0.5,
            "reciprocal rank 2": 1,
            "list 1": three,
            "list 2": three,
        }
    )
    ontology = dict(zip(columns(2), found[2], strict=True))
    assert (ontology["present"], ontology["first"], ontology["mentions"]) == (0, 1, 0)
    assert (ontology["confidence 1"], ontology["reciprocal rank 1"], ontology["reciprocal rank 2"]) == (0, 0, 1)
    assert found[0][3] == pytest.approx(two)
    assert rows(ballots([(), ()], (None, None)), text).shape == (0, 16)


def made(documents=60):
    """Two runs: the first always ends with what is right, the second puts it first half of the time."""
    labelled, one, two = [], [], []
    for at in range(documents):
        name, good, bad = f"d{at}", f"good{at}", f"bad{at}"
        labelled.append(LabelledDocument(Document(name, f"{bad} {good}"), (GoldKeyphrase((good,), "author"),)))
        first = (good, bad) if at % 2 else (bad, good)
        one.append(Prediction(name, tuple(Keyphrase(text, -float(n)) for n, text in enumerate((bad, good)))))
        two.append(Prediction(name, tuple(Keyphrase(text, -float(n)) for n, text in enumerate(first))))
    return labelled, [Run("one", "", "", tuple(one)), Run("two", "", "", tuple(two))]


def test_it_learns_whom_to_believe():
    labelled, runs = made()
    run = cross_fitted(runs, labelled)
    assert all(prediction.texts[0].startswith("good") for prediction in run.predictions)
    best = run.predictions[0].keyphrases[0]
    assert best.score == best.probability > 0.5
    assert best.evidence == {"votes": 2}
    assert run.system.startswith("meta-ranker|trees:")
    ranker = MetaRanker.fit(runs, labelled)
    assert ranker.rank(runs, [one.document for one in labelled]).predictions[0].texts == ("good0", "bad0")


def test_a_document_is_not_ranked_by_its_own_gold():
    labelled, runs = made()
    fold = folds_of([one.id for one in labelled])
    other = [
        replace(one, gold=(GoldKeyphrase(("bad" + one.id[1:],), "author"),)) if fold[at] == 0 else one
        for at, one in enumerate(labelled)
    ]
    before, after = (cross_fitted(runs, given).predictions for given in (labelled, other))
    same = [one == two for one, two in zip(before, after, strict=True)]
    assert np.array_equal(np.array(same), fold == 0)


def test_bad_input():
    labelled, runs = made(10)
    with pytest.raises(BadRecord, match="none of the 1 labelled documents is among the 10 of the runs"):
        MetaRanker.fit(runs, [replace(labelled[0], document=Document("else", "x"))])
    with pytest.raises(BadParameter, match="1 runs"):
        MetaRanker.fit(runs[:1], labelled)
    with pytest.raises(BadParameter, match="3 runs; the meta-ranker was fitted on 2"):
        MetaRanker.fit(runs, labelled).rank([*runs, runs[0]], ())
    with pytest.raises(BadParameter):
        MetaRanker.fit(runs, [replace(one, gold=()) for one in labelled])


FIVE = ("exhird_h_seed1", "one2seq", "one2set", "bart", "t5_seed1")
COLLECTIONS = {"inspec": (KPG, 0.400), "krapivin": (KPG, 0.373), "semeval": (KPG_STEMMED_GOLD, 0.365)}


@pytest.mark.data
def test_five_generators(mirror):
    found = [
        [read_run_file(mirror / f"kpg_predictions/{one}_{where}.jsonl.zst") for where in COLLECTIONS] for one in FIVE
    ]
    gold = {where: one.labelled for where, one in zip(COLLECTIONS, found[-1], strict=True)}
    runs = [
        Run(model, "", "", tuple(one for each in given for one in each.predictions.predictions))
        for model, given in zip(FIVE, found, strict=True)
    ]
    run = cross_fitted(runs, [one for each in gold.values() for one in each])
    answers = {one.document_id: one for one in run.predictions}
    for where, (protocol, least) in COLLECTIONS.items():
        part = replace(run, predictions=tuple(answers[one.id] for one in gold[where]))
        assert round(judge(part, gold[where], dict).report(protocol).values["present/F@5"], 3) >= least
