"""The meta-ranker: what it sees, by hand; that it learns, and never from the document it ranks; five generators."""

import math
from dataclasses import replace

import numpy as np
import pytest

from keywright.calibration.calibrators.model import assign_document_folds
from keywright.core.choices import Confidence
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.ensembles import meta_ranker
from keywright.ensembles.combining import TextStems, align_runs
from keywright.ensembles.meta_ranker import (
    MetaRanker,
    compute_features,
    describe_documents,
    name_features,
    prepare_training,
)
from keywright.ensembles.meta_ranker import cross_fit as ranked_across_folds
from keywright.ensembles.voting import collect_ballots
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.run_formats.pairing import pair_with_gold
from keywright.evaluation.run_formats.reading import read_run_file


def fit(runs, labelled):
    return MetaRanker.fit(prepare_training(runs, labelled, only_labelled=True))


def cross_fitted(runs, labelled, documents=()):
    return ranked_across_folds(prepare_training(runs, labelled, documents))


def test_what_trees_see_of_a_phrase():
    lists = [
        (Keyphrase("web services", 1, 0.75), Keyphrase("grids", 0, 0.5)),
        (Keyphrase("grid", 1, 0.25), Keyphrase("ontology", 0, 0.125)),
    ]
    text = TextStems.from_text("Grids. The grid and web services.")
    counted = collect_ballots(lists, (Confidence.PROBABILITY,) * 2, lambda one: text.mentions(one.text) > 0)
    found = compute_features(counted, text)
    assert found.shape == (3, len(name_features(2))) == (3, 16)
    two, three = math.log(2), math.log(3)
    grids = dict(zip(name_features(2), found[1], strict=True))
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
    ontology = dict(zip(name_features(2), found[2], strict=True))
    assert (ontology["present"], ontology["first"], ontology["mentions"]) == (0, 1, 0)
    assert (ontology["confidence 1"], ontology["reciprocal rank 1"], ontology["reciprocal rank 2"]) == (0, 0, 1)
    assert found[0][3] == pytest.approx(two)
    assert compute_features(collect_ballots([(), ()], (None, None)), text).shape == (0, 16)


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
    assert "|cross_fitted:5 folds|" in run.system
    ranker = fit(runs, labelled)
    documents = [one.document for one in labelled]
    ranked = ranker.rank(runs, documents)
    assert ranked.predictions[0].texts == ("good0", "bad0")
    assert "|cross_fitted:none|" in ranked.system
    assert ranker.count_learned([*documents, Document("d0", "another text")]) == 60


def test_chances_are_no_surer_than_the_coin():
    # A coin tells whether the one phrase of a document is right; its place and its mentions are chance, too. Trees
    # alone find a pattern in them all the same, and are sure of it: see the last line.
    coin = np.random.default_rng(5)
    labelled, one = [], []
    for at in range(100):
        words = coin.permutation(["grid"] * coin.integers(1, 5) + ["pad"] * coin.integers(5, 50))
        gold = GoldKeyphrase(("grid" if coin.random() < 0.5 else "elsewhere",), "author")
        labelled.append(LabelledDocument(Document(f"d{at}", " ".join(words)), (gold,)))
        one.append(Prediction(f"d{at}", (Keyphrase("grid", 1.0),)))
    runs = [Run("one", "", "", tuple(one)), Run("two", "", "", tuple(one))]
    chances = [found.keyphrases[0].probability for found in cross_fitted(runs, labelled).predictions]
    assert 0.3 < min(chances) < max(chances) < 0.7
    trees = fit(runs, labelled[:80]).trees
    documents = [each.document for each in labelled[80:]]
    given = align_runs([replace(run, predictions=run.predictions[80:]) for run in runs], documents)
    alone = np.concatenate([trees.trees.scores(one.rows) for one in describe_documents(given, (None, None)).values()])
    assert (1 / (1 + np.exp(-alone))).max() > 0.7


def test_documents_without_gold_are_ranked_by_what_was_learned_from_the_others():
    labelled, runs = made()
    documents = [one.document for one in labelled]
    some = [*labelled[:40], *(replace(one, gold=()) for one in labelled[40:])]
    run = cross_fitted(runs, some, documents)
    learned = fit(runs, labelled[:40]).rank(runs, documents)
    assert run.predictions[40:] == learned.predictions[40:]
    assert run.predictions[:40] != learned.predictions[:40]
    with pytest.raises(BadRecord, match="20 of 60 documents of the runs have no text, such as 'd40'"):
        cross_fitted(runs, labelled[:40])


def test_runs_of_other_systems_are_refused():
    labelled, (one, two) = made()
    documents = [each.document for each in labelled]
    ranker = fit([replace(one, system="bart|sha256:0a"), two], labelled)
    assert ranker.rank([replace(one, system="bart|sha256:ff"), two], documents).predictions
    with pytest.raises(BadParameter, match="run 1 is of two, where the meta-ranker was fitted on bart"):
        ranker.rank([two, one], documents)


def test_confidences_are_those_it_was_fitted_on():
    labelled, (one, two) = made()
    sure = replace(
        one,
        predictions=tuple(
            replace(each, keyphrases=tuple(replace(phrase, probability=0.5) for phrase in each.keyphrases))
            for each in one.predictions
        ),
    )
    documents = [each.document for each in labelled]
    ranker = fit([sure, two], labelled)
    assert ranker.card.confidences == ("probability", "")
    with pytest.raises(BadRecord, match="run one: phrase 'bad0' has no probability"):
        ranker.rank([one, two], documents)
    plain = fit([one, two], labelled)  # has seen no probabilities, and looks at none
    chances = [plain.rank([each, two], documents).predictions[0].keyphrases[0].probability for each in (one, sure)]
    assert chances[0] == chances[1]


def test_a_document_is_not_ranked_by_its_own_gold():
    labelled, runs = made()
    fold = assign_document_folds([one.id for one in labelled])
    other = [
        replace(one, gold=(GoldKeyphrase(("bad" + one.id[1:],), "author"),)) if fold[at] == 0 else one
        for at, one in enumerate(labelled)
    ]
    before, after = (cross_fitted(runs, given).predictions for given in (labelled, other))
    same = [one == two for one, two in zip(before, after, strict=True)]
    assert np.array_equal(np.array(same), fold == 0)


def test_bad_input():
    labelled, runs = made(20)
    with pytest.raises(BadRecord, match="none of the 1 labelled documents is among the 20 of the runs"):
        fit(runs, [replace(labelled[0], document=Document("else", "x"))])
    with pytest.raises(BadParameter, match="1 runs"):
        fit(runs[:1], labelled)
    with pytest.raises(BadParameter, match="3 runs; the meta-ranker was fitted on 2"):
        fit(runs, labelled).rank([*runs, runs[0]], ())
    with pytest.raises(BadRecord, match="none of the 0 labelled documents"):
        fit(runs, [replace(one, gold=()) for one in labelled])
    elsewhere = (GoldKeyphrase(("elsewhere",), "author"),)
    with pytest.raises(BadParameter, match="none of 40 phrases is correct"):
        fit(runs, [replace(one, gold=elsewhere) for one in labelled])
    for learn in (fit, lambda runs, labelled: cross_fitted(runs, labelled, [labelled[0].document])):
        with pytest.raises(BadParameter, match="19 documents of the runs have gold; expected at least 20"):
            learn([replace(run, predictions=run.predictions[:19]) for run in runs], labelled)


FIVE = ("exhird_h_seed1", "one2seq", "one2set", "bart", "t5_seed1")
LEARNED, OTHER = ("krapivin", "semeval"), "inspec"


@pytest.mark.long
@pytest.mark.data
def test_five_generators_on_a_collection_that_trees_have_not_seen(mirror, monkeypatch):
    monkeypatch.setattr(meta_ranker, "FOLDS", 2)  # of the calibrator, which changes no order within a class
    found = {
        where: [read_run_file(mirror / f"kpg_predictions/{one}_{where}.jsonl.zst") for one in FIVE]
        for where in (*LEARNED, OTHER)
    }
    learned = [
        Run(model, "", "", tuple(one for name in LEARNED for one in found[name][at].predictions.predictions))
        for at, model in enumerate(FIVE)
    ]
    ranker = fit(learned, [one for name in LEARNED for one in found[name][-1].labelled])
    runs = [replace(one.predictions, system=model) for model, one in zip(FIVE, found[OTHER], strict=True)]
    gold = found[OTHER][-1].labelled
    run = ranker.rank(runs, [one.document for one in gold])
    # Less than half an interval below .379, which is what a study of the same files found.
    assert pair_with_gold(run, gold, dict).report(KPG).values["present/F@5"] > 0.37
