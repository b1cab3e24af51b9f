"""Ballots and votes, by hand."""

from math import log

import numpy as np
import pytest

from keywright.core.choices import Confidence
from keywright.core.errors import BadParameter, BadRecord, UnknownName
from keywright.core.keyphrases import Generation, Keyphrase
from keywright.ensembles.voting import Method, Voting, choose_confidences, collect_ballots


def sure(text, probability, spans=()):
    return Keyphrase(text, probability, probability, spans)


def plain(*texts: str, spans=()):
    return tuple(Keyphrase(text, -float(at), spans=spans) for at, text in enumerate(texts))


NO_CONFIDENCE = (None, None, None)
HERE = ((0, 4),)


def texts(keyphrases):
    return [one.text for one in keyphrases]


def test_phrases_meet_by_stems_and_repeats_count_once():
    found = collect_ballots(
        [plain("grid services", "Grid service", "uddi"), plain("UDDI", "Web-Services"), plain("web service")],
        NO_CONFIDENCE,
    )
    assert texts(found.keyphrases) == ["grid services", "UDDI", "web service"]  # as where they stand highest
    assert found.votes.tolist() == [1, 2, 2]
    np.testing.assert_equal(found.rank, [[1, np.nan, np.nan], [2, 1, np.nan], [np.nan, 2, 1]])
    assert found.reciprocal_rank.tolist() == [1, 0.75, 0.75]
    assert found.mean_confidence is None


def test_classes_are_ranked_apart_and_one_list_that_finds_a_phrase_is_enough():
    lists = [(*plain("ontology"), *plain("uddi", spans=HERE), *plain("grid")), plain("grid", "uddi")]
    found = collect_ballots(lists, (None, None))
    assert found.present.tolist() == [False, True, False]
    np.testing.assert_equal(found.rank, [[1, np.nan], [1, 1], [2, 1]])


def test_spans_of_any_list_are_the_phrases():
    lists = [plain("grid services", "uddi"), (*plain("ontology"), *plain("grid service", spans=HERE))]
    found = collect_ballots(lists, (None, None))
    assert [(one.text, one.spans) for one in found.keyphrases] == [
        ("grid services", HERE),
        ("uddi", ()),
        ("ontology", ()),
    ]


def test_presence_may_come_from_elsewhere():
    found = collect_ballots([plain("a b", "c")], (None,), lambda keyphrase: keyphrase.text == "c")
    assert found.present.tolist() == [False, True]
    assert found.rank.tolist() == [[1], [1]]


def test_stems_are_of_the_language():
    lists = [plain("réseaux neuronaux"), plain("réseau neuronal")]
    assert len(collect_ballots(lists, (None, None))) == 2
    assert len(collect_ballots(lists, (None, None), language="fr")) == 1


def test_signs_are_phrases_by_themselves():
    assert texts(collect_ballots([plain("%", "$", "%")], (None,)).keyphrases) == ["%", "$"]


def test_of_nothing_comes_nothing():
    empty = collect_ballots([(), ()], (None, None))
    assert len(empty) == 0
    for method in Method:
        assert Voting(method).rank(empty) == ()


def test_votes_decide_then_confidence_then_ranks():
    lists = [(sure("a", 0.9), sure("b", 0.5), sure("c", 0.4)), (sure("b", 0.3), sure("d", 0.8), sure("c", 0.4))]
    found = Voting().rank(collect_ballots(lists, choose_confidences(lists, Method.VOTES)))
    # b and c have two votes and a mean confidence of .4; b has the better ranks. a and d have one vote.
    assert texts(found) == ["b", "c", "a", "d"]
    assert [one.score for one in found] == pytest.approx([2.4, 2.4, 1.9, 1.8])
    assert [one.evidence["votes"] for one in found] == [2, 2, 1, 1]
    assert {one.probability for one in found} == {None}


def test_scores_of_systems_are_not_compared():
    lists = [(sure("a", 0.1), sure("b", 0.01)), plain("c", "b", "d")]
    kinds = choose_confidences(lists, Method.VOTES)
    assert kinds == (Confidence.PROBABILITY, None)
    found = Voting().rank(collect_ballots(lists, kinds))
    # ranks decide: a and c are first of their lists, d is third; of a and c the first list's goes first.
    assert texts(found) == ["b", "a", "c", "d"]
    assert [one.score for one in found] == pytest.approx([2.5, 2, 2, 1 + 1 / 3])


def test_token_probabilities_are_confidences():
    generation = Generation(("a",), (log(0.5),))
    lists = [(Keyphrase("a", 0, generation=generation),), (sure("b", 0.6),)]
    found = Voting().rank(collect_ballots(lists, choose_confidences(lists, Method.VOTES)))
    assert texts(found) == ["b", "a"]
    assert found[1].score == pytest.approx(1.5)


def test_reciprocal_rank_fusion():
    lists = [plain("a", "b", "c"), plain("c", "b"), plain("d")]
    found = Voting(Method.RANKS).rank(collect_ballots(lists, NO_CONFIDENCE))
    # c: 1/63 + 1/61, b: 2/62, a and d: 1/61.
    assert texts(found) == ["c", "b", "a", "d"]
    assert [one.score for one in found] == pytest.approx([1 / 63 + 1 / 61, 2 / 62, 1 / 61, 1 / 61])
    steep = Voting(Method.RANKS, smoothing=0).rank(collect_ballots(lists, NO_CONFIDENCE))
    assert [one.score for one in steep] == pytest.approx([4 / 3, 1, 1, 1])
    assert texts(steep) == ["c", "a", "d", "b"]  # of equal sums the better mean rank, here 1 against 1/2


def test_probabilities_are_averaged_and_absence_counts():
    lists = [(sure("a", 0.8), sure("b", 0.6, HERE)), (sure("b", 0.2, HERE),)]
    counted = collect_ballots(lists, choose_confidences(lists, Method.PROBABILITIES))
    found = Voting(Method.PROBABILITIES).rank(counted)
    assert [(one.text, one.score) for one in found] == [("b", pytest.approx(0.4)), ("a", pytest.approx(0.4))]
    found = Voting(Method.PROBABILITIES, absence=((0.3, 0.1), (0.2, 0.05))).rank(counted)
    assert [(one.text, one.score) for one in found] == [("a", pytest.approx(0.425)), ("b", pytest.approx(0.4))]


def test_probabilities_are_needed_where_they_decide():
    lists = [(sure("a", 0.8),), plain("b")]
    with pytest.raises(BadRecord, match="'b' has no probability; calibrate the run"):
        collect_ballots(lists, choose_confidences(lists, Method.PROBABILITIES))


def test_bad_numbers_are_refused():
    with pytest.raises(UnknownName, match="no method of voting called 'vote'; did you mean 'votes'"):
        Voting("vote")
    with pytest.raises(BadParameter, match="smoothing -1"):
        Voting(smoothing=-1)
    with pytest.raises(BadParameter, match=r"absence 1\.5 is not a probability"):
        Voting(absence=((1.5, 0),))
    with pytest.raises(BadParameter, match="1 lists and the absence of 2"):
        Voting(Method.PROBABILITIES, absence=((0, 0), (0, 0))).rank(
            collect_ballots([(sure("a", 0.5),)], (Confidence.PROBABILITY,))
        )
