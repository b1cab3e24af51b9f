"""The evaluator of n-gram graphs: options, notes, many pairs, NPowER."""

import json
from itertools import islice
from typing import Any

import pytest

from keywright.core.errors import BadParameter, BrokenFile, MissingData, NotFitted
from keywright.core.signatures import signature
from keywright.summaries.evaluator import make_evaluator
from keywright.summaries.ngram_graphs import evaluator as graph_scores
from keywright.summaries.ngram_graphs.evaluator import NGramGraph, NPowerFit, fit_npower, read_fit
from keywright.summaries.pairs import Pair, SummaryText

TEXTS = ("tides rise", "tides fall", "the moon pulls the sea", "tides rise and fall", "the moon rises at sea")


def pair(summary, *references: str, topic="t", **more: Any):
    return Pair(topic, "s", SummaryText(summary), tuple(map(SummaryText, references)), **more)


def scores(evaluator, pairs):
    return [each.values["score"] for each in evaluator.evaluate(pairs)]


def small(**options: Any):
    return NGramGraph(n=1, distance=2, **options)


def test_measures_of_the_specification_by_hand():
    pairs = [pair("abc", "abab", "abcab", "bca")]
    # abc: ab bc ac of 1. abab: 1/3 of 3 edges. abcab: (1/3 + 1/2 + 1/2) of 3. bca: ab ac bc of 1, equal.
    assert scores(small(), pairs) == pytest.approx([(1 / 9 + 4 / 9 + 1) / 3])
    assert scores(small(measure="memog"), pairs) == pytest.approx([0.542857], abs=1e-6)


def test_the_jackknife_averages_over_sets_without_one_reference():
    references = ("abab", "abcab", "bca")
    sets = [[text for text in references if text != out] for out in references]
    alone = [scores(small(measure="memog"), [pair("abc", *each)])[0] for each in sets]
    pairs = [pair("abc", *references), pair("abc", *references, own_reference=True), pair("abc", "abab")]
    by_set = scores(small(measure="memog", jackknife=True), pairs)
    plain = scores(small(measure="memog"), pairs)
    assert by_set == pytest.approx([sum(alone) / 3, plain[1], plain[2]])
    assert scores(small(jackknife=True), pairs) == pytest.approx(scores(small(), pairs))


def test_oddities_are_noted():
    pairs = [pair("abcd", "abcd", "abc"), pair("", "abcd"), pair("abcd")]
    evaluations = list(NGramGraph().evaluate(pairs))
    assert [each.values["score"] for each in evaluations] == [0.5, 0.0, None]
    assert [each.notes for each in evaluations] == [
        ("1 of 2 references have no edge: fewer than 4 characters",),
        ("the summary has no edge: fewer than 4 characters",),
        ("no reference to compare with",),
    ]
    (evaluation,) = NGramGraph(level="word", n=1, max_n=2).evaluate([pair("a b", "a b c")])
    assert evaluation.notes == ("the summary has no edge: fewer than 3 words",)
    assert evaluation.values["score"] == pytest.approx((1 * 1 / 3 + 2 * 0) / 3)  # a-b is one of three edges


def test_line_breaks_are_characters_and_tokens_are_words():
    assert scores(NGramGraph(n=1, distance=1), [pair("a\nb", "a b")]) == [0]
    tokens = Pair(
        "t", "s", SummaryText.from_json([["New York", "is"], ["big"]], "x"), (SummaryText("New York is big"),)
    )
    assert scores(NGramGraph(level="word", n=1, distance=1), [tokens]) == pytest.approx([1 / 3])  # is-big


@pytest.mark.parametrize("measure", ["autosummeng", "memog"])
@pytest.mark.parametrize("limits", [(1, 1), (30, 50), (10**6, 10**6)])
def test_many_pairs_have_the_scores_of_each_alone(monkeypatch, measure, limits):
    monkeypatch.setattr(graph_scores, "_BATCH", limits[0])
    monkeypatch.setattr(graph_scores, "_PART", limits[1])
    pairs = [
        pair(summary, *TEXTS[start : start + count], topic=f"topic {(start + count) % 3}")
        for summary in (*TEXTS, "", "ab")
        for start in range(3)
        for count in (0, 1, 3)
    ]
    evaluator = NGramGraph(measure=measure, jackknife=True)
    assert scores(evaluator, pairs) == pytest.approx([scores(evaluator, [each])[0] for each in pairs], nan_ok=False)


def test_scores_come_while_later_topics_wait(monkeypatch):
    monkeypatch.setattr(graph_scores, "_BATCH", 1)
    compared = []
    similarity = graph_scores.graphs
    original = similarity.average_similarities
    monkeypatch.setattr(similarity, "average_similarities", lambda *given: compared.append(1) or original(*given))
    pairs = [pair("tides rise", "tides fall", topic=str(number)) for number in range(5)]
    assert len(list(islice(NGramGraph().evaluate(pairs), 2))) == 2
    assert len(compared) == 2


def test_no_pairs_have_no_scores():
    assert scores(NGramGraph(), []) == []


def test_a_specification_has_its_options():
    evaluator = make_evaluator(
        "ngram-graph:measure=memog,level=word,n=1,max_n=2,distance=4,graph=symmetric,levels=cumulative,jackknife=yes",
        lambda _: {},
    )
    assert evaluator == NGramGraph("memog", "word", 1, 2, 4, "symmetric", "cumulative", jackknife=True)
    assert signature(evaluator).startswith(
        "ngram-graph|measure:memog|level:word|n:1|max_n:2|distance:4|graph:symmetric"
    )


@pytest.mark.parametrize("options", ["n=0", "distance=0", "n=3,max_n=2", "graph=round", "measure=npowr"])
def test_wrong_options_are_refused(options):
    with pytest.raises(BadParameter):
        make_evaluator(f"ngram-graph:{options}", lambda _: {})


def test_wrong_choices_are_refused_in_python():
    with pytest.raises(BadParameter, match="undirected, directed, symmetric"):
        NGramGraph(graph="round")


def labelled(weights):
    """Pairs whose human score is a linear function of AutoSummENG and MeMoG."""
    pairs = [pair(summary, *TEXTS[start : start + 2], topic=str(start)) for summary in TEXTS for start in range(4)]
    both = zip(scores(NGramGraph(), pairs), scores(NGramGraph(measure="memog"), pairs), strict=True)
    human = [weights[0] + weights[1] * first + weights[2] * second for first, second in both]
    return [
        Pair(each.id, each.system, each.summary, each.references, human={"grade": score})
        for each, score in zip(pairs, human, strict=True)
    ]


def test_npower_finds_the_coefficients_of_a_linear_score(tmp_path):
    pairs = labelled((0.5, -2.0, 3.0))
    fit = fit_npower([*pairs, pair("no grade", "no grade"), pair("x", human={"grade": 1.0})], "grade")
    assert (fit.intercept, fit.autosummeng, fit.memog) == pytest.approx((0.5, -2.0, 3.0))
    assert (fit.pairs, fit.human, fit.r2) == (20, "grade", pytest.approx(1))
    fit.save(tmp_path / "fit.json")
    assert read_fit(tmp_path / "fit.json") == fit
    evaluator = NGramGraph("npower", fit=str(tmp_path / "fit.json"))
    assert scores(evaluator, pairs) == pytest.approx([each.human["grade"] for each in pairs])
    assert f"fit:{fit.fingerprint}" in signature(evaluator)


def test_npower_without_a_fit_is_refused():
    with pytest.raises(NotFitted, match="fit_npower"):
        NGramGraph("npower")
    with pytest.raises(MissingData, match=r"nowhere\.json"):
        NGramGraph("npower", fit="nowhere.json")


def test_a_fit_is_for_its_options():
    fit = fit_npower(labelled((0, 1, 1)), "grade")
    assert NGramGraph("npower", max_n=3, fit=fit).fit is fit
    with pytest.raises(BadParameter, match="made with n=3, not n=4"):
        NGramGraph("npower", n=4, fit=fit)


def test_too_few_or_equal_summaries_determine_no_fit():
    pairs = labelled((0, 1, 1))
    with pytest.raises(BadParameter, match="2 summaries"):
        fit_npower(pairs[:2], "grade")
    with pytest.raises(BadParameter, match="do not determine"):
        fit_npower([pairs[0]] * 9, "grade")
    with pytest.raises(BadParameter, match="0 summaries"):
        fit_npower(pairs, "other")


def test_a_constant_human_score_is_explained_by_nothing():
    assert fit_npower(labelled((1, 0, 0)), "grade").r2 == 0


def test_a_damaged_fit_is_refused(tmp_path):
    path = tmp_path / "fit.json"
    NPowerFit(0.1, 0.2, 0.3, NGramGraph().settings(), "grade", 9, 0.5).save(path)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "memog": 0.4}))
    with pytest.raises(BrokenFile, match="not what its card says"):
        read_fit(path)
    path.write_text("x" * 2_000_000)
    with pytest.raises(Exception, match="2,000,000 bytes"):
        read_fit(path)
