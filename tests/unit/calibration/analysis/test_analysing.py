"""A run analysed: by hand where it is small, and the numbers of the study on released predictions."""

import json
from collections.abc import Sequence
from dataclasses import replace
from math import log

import pytest
from tests.builders import run as run_of
from tests.unit.calibration.labelled_runs import labelled as labelled_thirty
from tests.unit.calibration.labelled_runs import run as run_of_thirty

from keywright.calibration.analysis.analysing import CLASSES, analyse
from keywright.calibration.calibrators.calibrating import calibrate
from keywright.calibration.measuring import MEASURES
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, UnknownName
from keywright.core.keyphrases import Generation, Keyphrase
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010
from keywright.evaluation.rules import Repeats
from keywright.evaluation.run_formats.reading import read_run_file

GRIDS = LabelledDocument(
    Document("a", "Grid services. We study grid services, web services and UDDI."),
    (GoldKeyphrase(("grid service",), "author"), GoldKeyphrase(("ontology",), "author")),
)
PIPES = LabelledDocument(Document("b", "Pipes leak."), (GoldKeyphrase(("pipe",), "author"),))


def made(text, *probabilities: float):
    words = text.split()
    return Keyphrase(text, 0.0, generation=Generation(tuple(words), tuple(map(log, probabilities)), words=len(words)))


SURE = (made("grid services", 0.5, 0.5), made("Grid service", 0.9, 0.9), made("uddi", 0.25), made("ontologies", 0.8))


def run(*lists: Sequence[Keyphrase]):
    return run_of(dict(zip("ab", lists, strict=False)))


def test_a_generator_by_hand():
    found = analyse(run(SURE, ()), [GRIDS, PIPES])
    assert found.confidence == "kpp-s"
    assert tuple(found.reports) == CLASSES
    present = found.reports["present"]
    assert (present.documents, present.phrases, present.correct) == (2, 2, 1)
    # grid services: .5, right; uddi: .25, wrong; each in a bin of its own.
    assert present["ece"] == pytest.approx((0.5 + 0.25) / 2)
    assert found.reports["absent"]["ece"] == pytest.approx(0.2)
    assert present["expected_per_document"] == pytest.approx(0.75 / 2)
    assert found.perplexities["present"].median == pytest.approx(3)
    assert found.places["present"].mean[:2].tolist() == pytest.approx([0.375, 0.5])
    # Of the present gold, grid service is found in the first fifth, pipe is not.
    assert (found.gold.recall.size[0], found.gold.recall.mean[0]) == (2, 0.5)
    assert (found.degeneration.phrases, found.degeneration.repeats) == (4, 1)
    assert found.missing == ()
    assert "the only absent phrase is correct" in found.notes


def test_scores_are_an_order_and_nothing_more():
    scores = [Keyphrase("grid services", 40.0), Keyphrase("UDDI", 3.0), Keyphrase("web services", 2.0)]
    found = analyse(run(scores, [Keyphrase("pipe", 17.0)]), [GRIDS, PIPES])
    assert (found.confidence, found.comparable) == ("score", False)
    present = found.reports["present"]
    assert present["auroc"] == 1
    assert present["excess_aurc"] == pytest.approx(0)
    assert present.curve is not None
    assert present.curve.score.tolist() == [40, 17, 3, 2]
    assert present.absent["ece"] == "scores are not probabilities"
    assert "ece" not in present.values
    assert present.bins == ()
    assert set(present.values) | set(present.absent) == set(MEASURES)
    assert found.perplexities == {} == found.places
    assert any("no token probabilities" in one for one in found.missing)
    assert any("scores are compared between documents" in one for one in found.notes)
    assert "present phrases: no interval, since too many samples of documents have no value: AUROC" in found.notes
    assert not any("errors over bins" in one for one in found.notes)


def test_scores_that_are_said_to_be_probabilities_must_be_some():
    found = analyse(run([Keyphrase("grid services", 0.75)]), [GRIDS], confidence="score")
    assert found.comparable
    assert found.reports["present"]["ece"] == pytest.approx(0.25)
    with pytest.raises(BadParameter, match=r"1 of 1 probabilities are not between 0 and 1, such as 40\.0"):
        analyse(run([Keyphrase("grid services", 40.0)]), [GRIDS], confidence="score")
    with pytest.raises(BadParameter, match="scores are nan"):
        analyse(run([Keyphrase("grid services", float("nan"))]), [GRIDS])


@pytest.mark.parametrize("lists", [((), ()), ([made(", .", 0.5, 0.5)], ())])
def test_a_run_without_a_phrase_that_counts_says_so_and_nothing_of_scores_or_tokens(lists):
    found = analyse(run(*lists), [GRIDS, PIPES])
    assert found.reports["all"].phrases == 0
    assert len(found.missing) == 1
    assert "the run has no phrase that the protocol accepts" in found.missing[0]
    assert not any("score" in note for note in found.notes)
    assert {"there are no present phrases", "there are no absent phrases"} <= set(found.notes)


def test_the_protocol_is_the_one_that_was_applied():
    """Gold that ships stemmed is not stemmed again, and repeats never count; the signature says both."""
    plain = analyse(run(SURE), [GRIDS], protocol=replace(KPG, repeats=Repeats.KEPT))
    assert "|repeats:first|" in plain.protocol
    assert "|normalise_gold:None|" in plain.protocol
    stems = replace(GRIDS, gold=(GoldKeyphrase(("grid servic",), "author"),))
    assert "|normalise_gold:tokens_of_any_script|" in analyse(run(SURE), [stems], stemmed=True).protocol


def test_probabilities_that_some_phrases_lack_are_not_passed_over_in_silence():
    given = [Keyphrase("grid services", 3.0, 0.5), Keyphrase("UDDI", 2.0), Keyphrase("web services", 1.0, 0.25)]
    found = analyse(run(given), [GRIDS])
    assert found.confidence == "score"
    assert "2 of 3 phrases have a probability and the others none: all are judged by score" in found.notes
    assert not any("judged by" in note for note in analyse(run(given[::2]), [GRIDS]).notes)
    assert not any("judged by" in note for note in analyse(run(given[1:2]), [GRIDS]).notes)


def test_what_cannot_be_analysed():
    with pytest.raises(BadRecord, match="no document in common"):
        analyse(run(SURE), [PIPES])
    with pytest.raises(
        BadRecord, match=r"the run has no predictions \(0 failures\), so it and the gold have no document in common"
    ):
        analyse(run(), [PIPES])
    with pytest.raises(BadRecord, match="has no token probabilities"):
        analyse(run([Keyphrase("uddi", 1.0)]), [GRIDS], confidence="product")
    with pytest.raises(UnknownName, match="no confidence called 'kpps'; did you mean 'kpp-s'"):
        analyse(run(SURE), [GRIDS], confidence="kpps")
    with pytest.raises(BadParameter, match="does not distinguish present from absent phrases"):
        analyse(run(SURE), [GRIDS], protocol=SEMEVAL2010)


def test_parts_without_tokens_are_missing_with_their_reason():
    found = analyse(run([*SURE, Keyphrase("web services", 0.0)]), [GRIDS], protocol=KPG)
    assert found.perplexities == {} == found.places
    assert [one.partition(":")[0] for one in found.missing][1:] == ["perplexities", "positions in phrases"]


def test_several_kinds_of_gold_are_not_counted_twice():
    both = replace(GRIDS, gold=(*GRIDS.gold, GoldKeyphrase(("grid services",), "reader")))
    found = analyse(run(SURE), [both])
    assert found.gold.counted is None
    assert any("several kinds of gold" in one for one in found.missing)
    assert found.gold.recall.size.sum() == 1


def test_a_calibrator_gives_probabilities_and_its_own_documents_are_named():
    fitted = calibrate(run_of_thirty(), labelled_thirty()).calibrator
    found = analyse(run_of_thirty(), labelled_thirty(), calibrator=fitted)
    assert found.confidence == "calibrated"
    assert found.comparable
    assert any("was fitted on 30 of these documents" in one for one in found.notes)
    with pytest.raises(BadParameter, match="the calibrator was fitted for toy, and the run is of other"):
        analyse(replace(run(SURE), system="other"), [GRIDS], calibrator=fitted)
    with pytest.raises(BadParameter, match="a calibrator together with"):
        analyse(run_of_thirty(), labelled_thirty(), confidence="score", calibrator=fitted)


def test_json_has_all_of_it_and_no_nan():
    found = json.loads(json.dumps(analyse(run(SURE, ()), [GRIDS, PIPES]).to_dict(), allow_nan=False))
    assert set(found["classes"]) == set(CLASSES)
    assert found["perplexity"]["absent"]["median"] == pytest.approx(1.25)
    assert found["degeneration"]["duplicates"] == 0.25
    assert found["gold_by_fifth"]["means"][0] == 0.5


@pytest.mark.data
def test_released_predictions_as_measured_before(mirror):
    file = read_run_file(mirror / "kpg_predictions" / "t5_seed1_krapivin.jsonl.zst")
    steps = []
    found = analyse(file.predictions, file.labelled, stemmed=file.stemmed, step=lambda: steps.append(1))
    assert len(steps) == 3
    assert found.reports["present"]["ece"] == pytest.approx(0.623, abs=0.003)
    assert found.reports["absent"]["ece"] == pytest.approx(0.172, abs=0.003)
    assert found.gold.counted.tolist() == [677, 187, 143, 159, 146]
    assert found.gold.as_published.tolist() == [706, 206, 182, 159, 59]
    assert found.gold.recall.mean.tolist() == pytest.approx([0.490, 0.231, 0.261, 0.268, 0.329], abs=0.001)
    assert found.ece_without_degenerate["present"] < 0.45
