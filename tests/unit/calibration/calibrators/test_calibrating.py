"""Calibrating a run, and its folds: by hand on made-up documents, and on released predictions of generators."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.calibration.calibrators.phrases import drawn
from tests.unit.calibration.labelled_runs import WORDS, labelled, run

from keywright.calibration.calibrators.calibrating import add_probabilities, calibrate, recalibrate
from keywright.calibration.calibrators.calibrator import Calibrator
from keywright.calibration.calibrators.model import METHODS, ProbabilityModel, assign_document_folds, cross_fit
from keywright.core.documents import GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, BrokenFile, MissingData, UnknownName
from keywright.testing.promises import equal


@pytest.fixture(scope="module")
def found():
    return calibrate(run(), labelled(), data="stones/made-up")


def test_scores_become_the_share_that_is_right(found):
    held_out = found.calibrator.held_out
    first = held_out.confidence[held_out.rank == 1]
    assert first == pytest.approx(2 / 3, abs=0.1)
    assert held_out.confidence[held_out.rank > 1].max() < 0.1
    assert held_out.ids == tuple(f"d{at:02}" for at in range(30))
    assert found.before is None
    assert found.after["ece"] < 0.05
    assert found.after["ece: present"] == pytest.approx(found.after["ece"])
    assert "scores of this system are not probabilities, so there are no measures before" in found.notes
    assert any(note.startswith("30 documents: intervals are wide") for note in found.notes)


def test_the_card_says_what_was_done(found):
    card = found.calibrator.card
    assert (card.method, card.confidence, card.depth) == ("beta", "score", 5)
    assert (card.system, card.data) == ("toy|v0.2.0", "stones/made-up")
    assert (card.documents, card.phrases, card.correct) == (30, 150, 20)


def test_the_size_of_scores_does_not_matter(found):
    other = calibrate(run(size=1000.0), labelled())
    assert other.calibrator.held_out.confidence == pytest.approx(found.calibrator.held_out.confidence, abs=1e-6)


def test_probabilities_are_calibrated_as_they_are():
    found = calibrate(run(probability=0.9), labelled(), "beta")
    assert found.calibrator.card.confidence == "probability"
    assert found.calibrator.model.rank_transform is None
    assert found.before["ece"] == pytest.approx(0.9 - 20 / 150)
    assert found.after["ece"] < 0.03
    rows = dict(zip(("ece", "ece: present"), found.rows(), strict=False))
    assert rows["ece"][1] == "76.67"


@pytest.mark.parametrize("method", METHODS)
def test_every_method_works_and_keeps(method, tmp_path):
    fitted = calibrate(run(probability=0.6 if method == "shift" else None), labelled(), method).calibrator
    fitted.write(tmp_path / "c.json")
    again = Calibrator.read(tmp_path / "c.json")
    assert equal(again, fitted)
    assert again.fingerprint == fitted.fingerprint


def test_documents_without_gold_are_not_labelled():
    bare = [LabelledDocument(one.document, ()) for one in labelled(40)[30:]]
    assert calibrate(run(40), [*labelled(), *bare]).calibrator.card.documents == 30


def renamed(count, text):
    """The run with another text for the first phrases of each list."""
    predictions = run().predictions
    lists = [tuple(replace(one, text=text) for one in listed.keyphrases[:count]) for listed in predictions]
    made = zip(predictions, lists, strict=True)
    return replace(run(), predictions=tuple(replace(one, keyphrases=(*new, *one.keyphrases)) for one, new in made))


def cut(prediction, length):
    return replace(prediction, keyphrases=prediction.keyphrases[:length])


def test_phrases_that_no_rule_knows_are_told():
    assert not any("by the rules" in note for note in calibrate(run(), labelled()).notes)
    found = calibrate(renamed(1, "±, ≈"), labelled())
    assert any(note.startswith("the rules of kpg reject 30 of 180 phrases") for note in found.notes)
    assert found.calibrator.card.phrases == 150
    most = replace(run(), predictions=tuple(cut(one, 6) for one in renamed(5, "±, ≈").predictions))
    with pytest.raises(BadParameter, match="the rules of kpg reject 150 of 180 phrases"):
        calibrate(most, labelled())


@pytest.mark.parametrize("name", ["гранит", "الصخور", "花崗岩", "γ-Strahlung", "été"])
def test_words_of_all_scripts_are_judged(name):
    """The first phrase of every list is right, once in another script, and nothing else changes."""
    wanted = [replace(one, gold=(*one.gold, GoldKeyphrase((name.upper(),), "author"))) for one in labelled()]
    plain, found = calibrate(renamed(1, "quartzite"), labelled()), calibrate(renamed(1, name), wanted)
    assert not any("by the rules" in note for note in found.notes)
    assert found.calibrator.card.phrases == plain.calibrator.card.phrases == 180
    assert found.calibrator.card.correct == plain.calibrator.card.correct + 30


def test_what_cannot_be_calibrated():
    with pytest.raises(BadParameter, match="9 documents have both predictions and gold; expected at least 10"):
        calibrate(run(9), labelled())
    with pytest.raises(BadParameter, match="none of 150 phrases is correct"):
        calibrate(run(), labelled(gold=["chalk"]))
    with pytest.raises(BadParameter, match="all are correct"):
        calibrate(run(), labelled(gold=WORDS))
    with pytest.raises(BadRecord, match="no document in common"):
        calibrate(run(), labelled(60)[30:])
    with pytest.raises(BadRecord, match="has no probability"):
        calibrate(run(), labelled(), confidence="probability")
    with pytest.raises(BadParameter, match="31 folds of 30 documents"):
        calibrate(run(), labelled(), folds=31)
    with pytest.raises(BadParameter, match="30 documents are labelled more than once, such as 'd00'"):
        calibrate(run(), [*labelled(), *labelled()])
    alone = [*labelled(1, gold=["granite"]), *labelled(gold=["chalk"])[1:]]
    with pytest.raises(BadParameter, match="without the documents of one fold none of 120 phrases are correct"):
        calibrate(run(), alone)
    with pytest.raises(UnknownName, match="no calibrator called 'plat'"):
        calibrate(run(), labelled(), "plat")
    with pytest.raises(UnknownName, match="no confidence called 'sure'"):
        calibrate(run(), labelled(), confidence="sure")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (run(probability=1.5), "150 of 150 probabilities are not between 0 and 1, such as 1.5"),
        (run(probability=float("nan")), "150 of 150 scores are nan"),
        (run(size=float("nan")), "150 of 150 scores are nan"),
        (run(size=float("inf")), "a score is infinite"),
    ],
)
def test_confidences_that_are_none(given, said):
    with pytest.raises(BadParameter, match=said):
        calibrate(given, labelled())


def test_a_calibrator_is_applied_to_a_run(found):
    again, warnings = recalibrate(run(), labelled(), found.calibrator)
    assert warnings == ()
    assert again.correct.tolist() == found.calibrator.held_out.correct.tolist()
    assert again.confidence == pytest.approx(found.calibrator.held_out.confidence, abs=0.1)
    blind, _ = recalibrate(run(), labelled(gold=["chalk"]), found.calibrator)
    assert blind.confidence.tolist() == again.confidence.tolist()
    short = tuple(replace(one, keyphrases=one.keyphrases[:1]) for one in run().predictions)
    (warning,) = recalibrate(replace(run(), predictions=short), labelled(), found.calibrator)[1]
    assert "no longer look like those of calibration" in warning
    empty = tuple(replace(one, keyphrases=()) for one in run().predictions)
    assert len(recalibrate(replace(run(), predictions=empty), labelled(), found.calibrator)[0]) == 0
    with pytest.raises(BadParameter, match="fitted for toy, and the run is of other;"):
        recalibrate(run(system="other"), labelled(), found.calibrator)


def test_another_file_of_a_generator_is_the_same_system():
    fitted = calibrate(run(system="bart|sha256:0a"), labelled()).calibrator
    assert len(recalibrate(run(system="bart|sha256:0b"), labelled(), fitted)[0]) == 150
    with pytest.raises(BadParameter, match="fitted for bart"):
        recalibrate(run(system="t5|sha256:0a"), labelled(), fitted)


def test_a_run_gets_probabilities(found):
    documents = [one.document for one in labelled()]
    sure = add_probabilities(run(), documents, found.calibrator)
    again, _ = recalibrate(run(), labelled(), found.calibrator)
    likely = [one.probability for prediction in sure.predictions for one in prediction.keyphrases]
    assert likely == again.confidence.tolist()
    assert sure.predictions[0].texts == WORDS
    assert sum(sure.predictions[0].profile) == 5
    older = add_probabilities(run(system="toy|v0.2.9"), documents, found.calibrator)
    assert older.predictions == sure.predictions
    assert older.system == sure.system
    assert sure.system == f"calibrated|inner:(toy)|calibrator:{found.calibrator.fingerprint}|v0.2.0"
    with pytest.raises(BadParameter, match="1 documents of the run have no text, such as 'd29'"):
        add_probabilities(run(), documents[:-1], found.calibrator)
    with pytest.raises(BadParameter, match="the run is of other"):
        add_probabilities(run(system="other"), documents, found.calibrator)


def test_repeats_have_the_probability_of_the_first_and_what_is_no_phrase_has_none(found):
    first, second, *_ = run().predictions[0].keyphrases
    listed = (first, replace(first, text="Granite", score=4.5), replace(second, text="granite <unk>"), second)
    given = replace(run(1), predictions=(replace(run().predictions[0], keyphrases=listed),))
    (made,) = add_probabilities(given, [labelled()[0].document], found.calibrator).predictions
    likely = [one.probability for one in made.keyphrases]
    assert likely[0] == likely[1] > likely[3] > 0
    assert likely[2] is None
    assert sum(made.profile) == 2
    empty = replace(given, predictions=(replace(made, keyphrases=()),))
    assert add_probabilities(empty, [labelled()[0].document], found.calibrator).predictions[0].keyphrases == ()


DAMAGES = {
    "no JSON": lambda text: text[:-20],
    "no object": lambda _: "[1]",
    "something else": lambda _: '{"keywright": "run"}',
    "no card": lambda _: '{"keywright": "calibrator"}',
    "another number": lambda text: text.replace('"documents": 30', '"documents": 31'),
    "no number": lambda text: text.replace('"depth": 5', '"depth": NaN'),
    "deep": lambda _: "[" * 100_000,
    "bytes": lambda _: "\udcff",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_told(found, damage, tmp_path):
    path = tmp_path / "c.json"
    found.calibrator.write(path)
    text = DAMAGES[damage](path.read_text("utf-8"))
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BrokenFile, match=r"c\.json"):
        Calibrator.read(path)


def forged(record, path, value):
    """The record with another value somewhere, and the hash that belongs to it."""
    *names, last = path
    at = record
    for name in names:
        at = at[name]
    at[last] = value
    rest = {name: one for name, one in record["card"].items() if name != "sha256"}
    text = json.dumps({**record, "card": rest}, sort_keys=True)
    record["card"]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return record


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("card", "depth"), 0, "a card with depth 0"),
        (("card", "system"), "toy\n\x1b[31m", "and system 'toy"),
        (("card", "method"), "sorcery", "no calibrator called 'sorcery'"),
        (("card", "confidence"), "sure", "'sure' is not a valid Confidence"),
        (("card", "confidence"), "kpp", "placing belongs to scores"),
        (("card", "documents"), 31, r"are \(30, 150, 20\)"),
        (("model", "placing"), None, "placing belongs to scores"),
        (("model", "map", "weights"), [1e308] * 6, "a number as large as 1e"),
        (("model", "map", "weights"), [10**400] * 6, "weights must be a finite number"),
        (("model", "map", "weights"), [1.0] * 5, "5 weights of beta calibration"),
        (("model", "map"), {}, "'weights' is missing"),
        (("reference", "counts", 0), 10**400, "which is not what the card has"),
        (("reference", "present_edges"), [], "counts of ranges"),
        (("held_out", "ids", 1), "d00", "a document is listed twice"),
        (("held_out", "document", -1), 10**30, "too large"),
        (("held_out", "document", -1), 30, "not grouped by document"),
        (("held_out", "correct", 0), 2, "correct has 2, expected at most 1"),
        (("held_out", "probability", 0), 1.1, "not between 0 and 1"),
        (("held_out", "gold", 0), [1], "expected two for each"),
        (("held_out", "gold"), [], "0 numbers of gold for 30 documents"),
    ],
)
def test_hostile_values_are_told_though_the_hash_fits(found, path, value, said, tmp_path):
    file = tmp_path / "c.json"
    record = json.loads(json.dumps(found.calibrator.as_json()))
    file.write_text(json.dumps(forged(record, path, value)))
    with pytest.raises(BrokenFile, match=rf"c\.json cannot be read: .*{said}"):
        Calibrator.read(file)


def test_there_is_no_file(tmp_path):
    with pytest.raises(MissingData, match="there is no calibrator"):
        Calibrator.read(tmp_path / "c.json")


SEEN, CORRECT = drawn()
IDS = [f"d{at}" for at in range(60)]
DOCUMENT = np.repeat(np.arange(60), 10)


def test_folds_are_of_one_size_and_do_not_depend_on_order():
    folds = assign_document_folds(IDS, 5)
    assert np.bincount(folds).tolist() == [12] * 5
    assert assign_document_folds(IDS[::-1], 5)[::-1].tolist() == folds.tolist()


@pytest.mark.parametrize("number", [0, 1, 61])
def test_folds_that_cannot_be(number):
    with pytest.raises(BadParameter, match=f"{number} folds of 60 documents"):
        assign_document_folds(IDS, number)


@pytest.mark.parametrize("method", METHODS)
def test_no_phrase_is_asked_of_a_model_that_saw_its_document(method):
    fold = assign_document_folds(IDS, 3)[DOCUMENT]
    found = cross_fit(SEEN, CORRECT, fold, method, confident=True)
    asked = fold == 1
    other = CORRECT.copy()
    other[asked] = ~other[asked]
    assert cross_fit(SEEN, other, fold, method, confident=True)[asked].tolist() == found[asked].tolist()
    model = ProbabilityModel.fit(SEEN.where(~asked), CORRECT[~asked], method, confident=True)
    assert model.probabilities(SEEN.where(asked)).tolist() == found[asked].tolist()


@pytest.mark.parametrize("method", METHODS)
def test_scores_of_any_size_come_out_alike(method):
    """Only what is comparable between documents counts: standardised scores, not the scores."""
    model = ProbabilityModel.fit(SEEN, CORRECT, method, confident=False)
    found = model.probabilities(SEEN)
    assert ((found >= 0) & (found <= 1)).all()
    assert model.probabilities(replace(SEEN, confidence=SEEN.confidence * 1000 - 5)).tolist() == found.tolist()


def test_there_is_no_such_method():
    with pytest.raises(UnknownName, match=r"no calibrator called 'plat'; did you mean 'platt'\?"):
        ProbabilityModel.fit(SEEN, CORRECT, "plat", confident=True)
