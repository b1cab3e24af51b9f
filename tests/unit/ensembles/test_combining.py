"""Runs into one, by hand; five generators vote in the test of the study of their predictions."""

import pytest
from tests.builders import prediction

from keywright.core.documents import Coverage, Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction, Run
from keywright.ensembles.combining import TextStems, combine, estimate_absence
from keywright.ensembles.voting import Method, Voting


def run(system, *predictions: Prediction, failures=(), **known: str):
    return Run(
        f"{system}|v1", known.get("data", ""), "words|v1", predictions, failures, texts=known.get("fingerprint", "")
    )


ONE = run("one", prediction("d1", "a", "b", coverage=Coverage(5, 9), language="en"), prediction("d2", "c"), data="x/y")
TWO = run("two", prediction("d2", "d", "c"), prediction("d1", "b"), fingerprint="ff")


def test_each_document_is_voted_on():
    found = combine([ONE, TWO])
    assert [(one.document_id, one.texts) for one in found.predictions] == [("d1", ("b", "a")), ("d2", ("c", "d"))]
    first = found.predictions[0]
    assert (first.coverage, first.language, first.chosen) == (Coverage(5, 9), "en", None)
    assert (found.data, found.analyser, found.texts) == ("x/y", "words|v1", "ff")
    assert found.system.startswith("combined|voting:(Voting|method:votes|")
    assert "(one|v1),(two|v1)" in found.system


def test_a_run_is_needed_beside_another():
    with pytest.raises(BadParameter, match="1 runs; expected two or more"):
        combine([ONE])


def test_other_documents_are_refused():
    other = run("other", prediction("d2", "a"), prediction("d9", "a"), prediction("d3", "a"))
    expected = "run one has 2 documents, run other has 3, 1 in common; only one of them has 'd1', 'd3'"
    with pytest.raises(BadRecord, match=expected):
        combine([ONE, TWO, other])


def test_other_texts_are_refused():
    same_ids = run("same", *ONE.predictions, fingerprint="ee")
    for runs in ([TWO, same_ids], [ONE, TWO, same_ids]):  # the first of three does not know its texts
        with pytest.raises(BadRecord, match="run two and run same name the same documents, but read other texts"):
            combine(runs)


def test_probabilities_that_are_missing_are_told_with_the_run():
    sure = run("sure", Prediction("d1", (Keyphrase("a", 1.0, 0.5),)))
    with pytest.raises(BadRecord, match="run two: phrase 'b' has no probability"):
        combine([sure, run("two", prediction("d1", "b"))], Voting(Method.PROBABILITIES))


def test_a_run_twice_is_that_run():
    found = combine([ONE, ONE])
    assert [one.texts for one in found.predictions] == [one.texts for one in ONE.predictions]


def test_documents_without_phrases_stay_without():
    empty = run("empty", Prediction("d1", ()), Prediction("d2", ()))
    assert [one.texts for one in combine([ONE, empty]).predictions] == [("a", "b"), ("c",)]
    assert [one.texts for one in combine([empty, empty]).predictions] == [(), ()]


def test_texts_of_other_documents_are_refused():
    expected = "the 2 documents of the runs and the 1 texts have none in common, such as 'd1' and 'e1'"
    with pytest.raises(BadRecord, match=expected):
        combine([ONE, TWO], documents=[Document("e1", "text")])
    combine([ONE, TWO], documents=[Document("d2", "text")])


def test_a_document_comes_once():
    twice = run("twice", *ONE.predictions, ONE.predictions[0])
    with pytest.raises(BadRecord, match="run twice has document 'd1' more than once"):
        combine([ONE, twice])


def test_failures_are_told():
    failure = Failure("d2", "too_large", "too large")
    one = run("one", prediction("d1", "a"), failures=(failure,))
    found = combine([one, TWO])
    assert found.predictions[1].texts == ("d", "c")
    assert found.predictions[1].warnings == ("without run one, which failed on it",)
    two = run("two", prediction("d1", "a"), failures=(failure,))
    assert combine([one, two]).failures == (failure,)
    assert [prediction.document_id for prediction in combine([one, two]).predictions] == ["d1"]


def test_phrases_stand_in_texts_where_these_are_known():
    one = run("one", prediction("d1", "ontologies", "grid services"))
    two = run("two", prediction("d1", "registry"))
    documents = [Document("d1", "A grid service.")]
    # The present phrase is first of its class: 1/61 each. Without texts it is second.
    found = combine([one, two], Voting(Method.RANKS), documents)
    assert {keyphrase.score for keyphrase in found.predictions[0].keyphrases} == {1 / 61}
    assert combine([one, two], Voting(Method.RANKS)).predictions[0].keyphrases[-1].score == 1 / 62


def test_how_probable_left_out_phrases_are():
    spans = ((0, 1),)
    present = [Keyphrase(text, 1.0, spans=spans) for text in ("grids", "webs", "nets")]
    one = Run("one", "", "", (Prediction("d", (*present, Keyphrase("ontology", 1.0))),))
    two = Run("two", "", "", (Prediction("d", (present[0], Keyphrase("registry", 1.0))),))
    text = Document("d", "grids webs nets")
    gold = (GoldKeyphrase(("web",), "author"), GoldKeyphrase(("registries", "uddi"), "author"))
    found = estimate_absence([one, two], [LabelledDocument(text, gold)])
    # The first leaves out registry, which is gold; the second webs, nets (one of two) and ontology.
    assert found == ((0.0, 1.0), (0.5, 0.0))
    with pytest.raises(BadRecord, match="none of the 1 labelled documents is among the 1 of the runs"):
        estimate_absence([one, two], [LabelledDocument(Document("e", ""), gold)])


def test_phrases_stand_where_their_stems_follow_each_other():
    text = TextStems.from_text("Peer-to-peer networks. A network of peers, peers.")
    assert text.mentions("peer to peer network")
    assert not text.mentions("network peer")
    assert not text.mentions("eer")
    assert not text.mentions("%")
    assert text.mentions("peers") == 4
    assert text.first("Peer") == 0
    assert text.first("swarm") == 1
    assert 0 < text.first("network of peers") < 1
