"""Protocols with means by hand: each option of each family changes a number at its boundary."""

from dataclasses import replace
from math import log2

import numpy as np
import pytest

from keywright.core.errors import BadParameter
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.matching import Approximate, Level, Weights, WordOverlap
from keywright.evaluation.measures import list_measures
from keywright.evaluation.measures.counts import ALPHA_NDCG, MAP, MRR, NDCG, RP, Means, Measure, P
from keywright.evaluation.measures.list_measures import AlphaValues, Ideal, Reach, Relevant
from keywright.evaluation.measures.semantic import SemanticMatching
from keywright.evaluation.protocols.keywright1 import (
    KEYWRIGHT_1,
    KEYWRIGHT_1_APPROXIMATE,
    KEYWRIGHT_1_DIVERSITY,
    KEYWRIGHT_1_NGRAM_RP,
    KEYWRIGHT_1_RANKED,
    KEYWRIGHT_1_SEMANTIC,
    KEYWRIGHT_1_SEMANTIC_KPEVAL,
)
from keywright.evaluation.publishing.tables import document_means, report_rows, report_table
from keywright.evaluation.rules import NoGold
from keywright.evaluation.scoring.scorer import score
from keywright.evaluation.statistics import bootstrap
from keywright.evaluation.statistics.bootstrap import Resampling, make_functionals, resample

SECOND = 1 / log2(3)


def gold(**entries: list[str | tuple[str, ...]]):
    """Gold of one kind: documents with their entries, each a form or a tuple of forms."""
    forms = {
        name: tuple((form,) if isinstance(form, str) else form for form in these) for name, these in entries.items()
    }
    return (GoldSet("g", tuple(GoldDocument(name, these) for name, these in forms.items())),)


def ranked(measure, **rules: Reach | Ideal):
    return replace(KEYWRIGHT_1, means=(Means((measure,), list_measures.RankedValues(**rules)),))


def value(protocol, name, predictions, entries):
    return score({"a": predictions}, gold(a=entries), protocol).values[f"g/{name}"]


@pytest.mark.parametrize(
    ("measure", "rules", "expected"),
    [  # p wrong q, of p q r s: hits at ranks 1 and 3, four gold entries
        (RP, {}, 2 / 4),
        (MAP, {}, (1 + 2 / 3) / 4),
        (MAP @ 3, {}, (1 + 2 / 3) / 4),
        (MAP @ 2, {}, 1 / 4),
        (MAP @ 2, {"reach": Reach.DEPTH}, 1 / 2),
        (MAP @ "O", {}, (1 + 2 / 3) / 4),
        (MRR, {}, 1),
        (NDCG @ 1, {}, 1),
        (NDCG @ 2, {}, 1 / (1 + SECOND)),
        (NDCG @ 3, {"ideal": Ideal.OWN}, 1.5 / (1 + SECOND)),
        (NDCG @ "M", {}, 1.5 / (1 + SECOND + 0.5)),
        (NDCG @ "G", {}, 1.5 / (1 + SECOND + 0.5 + 1 / log2(5))),
    ],
)
def test_ranked_values(measure, rules, expected):
    found = value(ranked(measure, **rules), str(measure), ["p", "x", "q"], ["p", "q", "r", "s"])
    assert found == pytest.approx(expected)


def test_reciprocal_rank_at_its_cutoff():
    assert value(ranked(MRR @ 3), "MRR@3", ["x", "y", "p"], ["p"]) == pytest.approx(1 / 3)
    assert value(ranked(MRR @ 2), "MRR@2", ["x", "y", "p"], ["p"]) == 0


def test_lists_are_not_cut_before_what_a_mean_looks_at():
    short = replace(ranked(RP), measures=(P @ 1,))
    assert value(short, "RP", ["x", "p"], ["p", "q"]) == 1 / 2
    deep = replace(ranked(MRR @ 3), measures=(P @ 1,))
    assert value(deep, "MRR@3", ["x", "y", "p", "q"], ["p"]) == pytest.approx(1 / 3)


def test_documents_without_gold_are_left_out_or_count_0():
    lists, entries = {"a": ["p"], "b": ["x"]}, gold(a=["p"], b=[])
    assert score(lists, entries, KEYWRIGHT_1_RANKED).values["g/MAP@5"] == 1
    zero = replace(KEYWRIGHT_1_RANKED, no_gold=NoGold.ZERO)
    assert score(lists, entries, zero).values["g/MAP@5"] == 1 / 2
    not_counted = replace(KEYWRIGHT_1_RANKED, no_gold=NoGold.NOT_COUNTED)
    assert score(lists, entries, not_counted).values["g/MAP@5"] == 1


def test_a_mean_of_no_document_is_0():
    found = score({"a": []}, gold(a=[]), KEYWRIGHT_1_RANKED).values
    assert {found["g/RP"], found["g/nDCG@5"], found["g/AlphaNDCG@5"]} == {0.0}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [  # three forms for two entries: both forms of the first, then the second
        ({}, (1 + 0.5 * SECOND + 0.5) / (1 + SECOND)),
        ({"alpha": 1.0}, (1 + 0.5) / (1 + SECOND)),
        ({"ideal": Ideal.OWN}, (1 + 0.5 * SECOND + 0.5) / (1 + SECOND + 0.5 * 0.5)),
    ],
)
def test_alpha_values(rules, expected):
    protocol = replace(KEYWRIGHT_1, means=(Means((ALPHA_NDCG @ 3,), AlphaValues(**rules)),))
    assert value(protocol, "AlphaNDCG@3", ["p", "q", "r"], [("p", "q"), "r"]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("relevant", "expected"),
    [(None, 0), (Relevant.WITHIN, 1 / (1 + SECOND)), (Relevant.WORDS_EITHER_WAY, 1 / (1 + SECOND))],
)
def test_alpha_values_by_kind_of_relevance(relevant, expected):
    rule = AlphaValues(relevant) if relevant else AlphaValues()
    protocol = replace(KEYWRIGHT_1, means=(Means((ALPHA_NDCG @ 5,), rule),))
    assert value(protocol, "AlphaNDCG@5", ["grid"], ["grid search", "tree"]) == pytest.approx(expected)


def test_alpha_values_at_several_cutoffs_at_once():
    protocol = replace(KEYWRIGHT_1, means=(Means(tuple(ALPHA_NDCG @ k for k in (3, 1, 2)), AlphaValues()),))
    found = score({"a": ["p", "q", "r"]}, gold(a=[("p", "q"), "r"]), protocol).values
    assert found["g/AlphaNDCG@1"] == 1
    assert found["g/AlphaNDCG@2"] == pytest.approx((1 + 0.5 * SECOND) / (1 + SECOND))
    assert found["g/AlphaNDCG@3"] == pytest.approx((1 + 0.5 * SECOND + 0.5) / (1 + SECOND))


def test_a_gold_phrase_of_the_ideal_serves_what_any_of_its_forms_serves():
    protocol = replace(KEYWRIGHT_1, means=(Means((ALPHA_NDCG @ 1,), AlphaValues(Relevant.WITHIN)),))
    # "grid", a form of the first entry, stands in the second, too: the ideal gains 2 at rank 1.
    assert value(protocol, "AlphaNDCG@1", ["tree"], [("grid", "tree"), "grid search"]) == 1 / 2


def test_near_matches_count_at_every_cutoff():
    found = score(
        {"a": ["grid", "x", "grid search"]}, gold(a=["grid search", "big grids"]), KEYWRIGHT_1_APPROXIMATE
    ).values
    assert (found["g/RP"], found["g/R@M"], found["g/P@5"]) == (1 / 2, 1, 2 / 5)
    exact = replace(KEYWRIGHT_1_APPROXIMATE, matching=Approximate((Level.EXACT,)))
    assert value(exact, "R@M", ["grid", "x", "grid search"], ["grid search", "big grids"]) == 1 / 2
    assert value(exact, "RP", ["Grid  Search"], ["grid search"]) == 1
    assert value(exact, "RP", ["grid searches"], ["grid search"]) == 0
    assert value(KEYWRIGHT_1, "R@M", ["grid searches"], ["grid search"]) == 1


def test_partial_credit_adds_up():
    lists, entries = ["grid search", "tree"], ["search", "deep grid search"]
    found = score({"a": lists}, gold(a=entries), KEYWRIGHT_1_NGRAM_RP)
    assert found.values["g/P@M"] == pytest.approx((2 / 3) / 2)  # grid search earns 2/3 with the longer one
    assert found.values["g/R@M"] == found.values["g/RP"] == pytest.approx((2 / 3) / 2)
    assert found.values["g/P@5"] == pytest.approx((2 / 3) / 5)
    assert found.to_dict()["counts"]["g"]["hits@M"] == pytest.approx(2 / 3)
    head = replace(KEYWRIGHT_1_NGRAM_RP, matching=WordOverlap(Weights.HEAD))
    assert value(head, "R@M", lists, entries) == pytest.approx((1.5 / 2) / 2)


def test_full_partial_credits_are_whole():
    phrases = [f"{a} {b}" for a in "abc" for b in "xyz"]
    found = score(
        {str(n): phrases for n in range(50)}, gold(**{str(n): phrases for n in range(50)}), KEYWRIGHT_1_NGRAM_RP
    )
    assert {found.values[f"g/{name}"] for name in ("P@5", "P@M", "R@M", "F@M", "RP")} == {1.0}


def test_diversity_by_hand():
    found = score({"a": ["big nets", "big net", "tree"]}, gold(a=["net of trees", "x"]), KEYWRIGHT_1_DIVERSITY).values
    assert found["g/Duplicates"] == pytest.approx(1 / 3)
    assert found["g/DuplicateWords"] == pytest.approx(2 / 5)
    assert found["g/Redundancy"] == pytest.approx((1 + 0 + 0) / 3)
    assert found["g/StemCoverage"] == 2 / 4
    assert found["g/Duplicates@5"] == found["g/Duplicates"]
    assert score({"a": ["q"] * 6}, gold(a=["q"]), KEYWRIGHT_1_DIVERSITY).values["g/Duplicates@5"] == pytest.approx(
        4 / 5
    )


def test_lists_that_cannot_repeat_themselves_are_left_out():
    report = score({"a": ["p", "p"], "b": ["p"], "c": []}, gold(a=["p"], b=["p"], c=["p"]), KEYWRIGHT_1_DIVERSITY)
    assert report.values["g/Redundancy"] == 1  # b has no pair, c nothing
    assert report.values["g/Duplicates"] == pytest.approx((1 / 2 + 0) / 2)
    assert report.values["g/StemCoverage"] == pytest.approx(2 / 3)


ROWS = {"cat": (1, 0), "dog": (0.6, 0.8), "car": (0, 1), "nets": (1, 0), "net": (0.5, 0.75**0.5)}


def toy(phrases):
    """Embeddings of five words."""
    return np.array([ROWS[phrase] for phrase in phrases], dtype=float).reshape(len(phrases), 2)


def semantic(protocol, *measures: Measure, **rules: bool | float):
    return replace(protocol, means=(Means(measures, SemanticMatching(toy, **rules), rewards=False),))


def test_semantic_values_and_their_cutoffs():
    protocol = semantic(KEYWRIGHT_1_SEMANTIC, *(Measure(n, k) for k in (1, None) for n in ("SemP", "SemR", "SemF")))
    found = score({"a": ["Cat", "car"]}, gold(a=["dog"]), protocol).values
    assert (found["g/SemP@1"], found["g/SemR@1"]) == pytest.approx((0.6, 0.6))
    assert (found["g/SemP"], found["g/SemR"]) == pytest.approx((0.7, 0.8))
    assert found["g/SemF"] == pytest.approx(2 * 0.7 * 0.8 / 1.5)


def test_semantic_accidents():
    measure = Measure("SemR")
    assert value(semantic(KEYWRIGHT_1_SEMANTIC, measure), "SemR", ["nets"], ["net"]) == 1
    compat = semantic(KEYWRIGHT_1_SEMANTIC, measure, kpeval_compat=True)
    assert value(compat, "SemR", ["nets"], ["net"]) == pytest.approx(0.5)
    assert KEYWRIGHT_1_SEMANTIC_KPEVAL.means[0].of.kpeval_compat
    cut = semantic(KEYWRIGHT_1_SEMANTIC, measure, threshold=0.61)
    assert value(cut, "SemR", ["cat"], ["dog"]) == 0


def test_the_signature_names_the_encoder():
    assert "minilm_l6_v2_int8@8199be6f" in KEYWRIGHT_1_SEMANTIC.signature
    assert "kpeval_compat:True" in KEYWRIGHT_1_SEMANTIC_KPEVAL.signature


@pytest.mark.parametrize("of", [list_measures.RankedValues(), list_measures.diversity_values, SemanticMatching(toy)])
def test_a_family_refuses_measures_of_another(of):
    with pytest.raises(BadParameter, match="AlphaNDCG@5 is no"):
        value(replace(KEYWRIGHT_1, means=(Means((ALPHA_NDCG @ 5,), of),)), "AlphaNDCG@5", ["cat"], ["dog"])


def test_intervals_and_document_scores_of_means():
    lists = {"a": ["p"], "b": ["x", "p"], "c": ["x"]}
    report = score(lists, gold(a=["p"], b=["p"], c=[]), KEYWRIGHT_1_RANKED)
    counts = report.counts["g"]
    scores = bootstrap.document_scores(counts, KEYWRIGHT_1_RANKED)["MRR"]
    assert scores[:2].tolist() == [1, 1 / 2]
    assert np.isnan(scores[2])
    found = {one.names[0]: one for one in make_functionals("g", counts, KEYWRIGHT_1_RANKED)}
    functional = found["g/MRR"]
    assert functional.observed.tolist() == [report.values["g/MRR"]] == [3 / 4]
    low, high = bootstrap.percentile_interval(functional.of(resample(functional.rows, Resampling(2000))), 0.95)[:, 0]
    assert 0 <= low <= 1 / 2
    assert high == 1


def test_what_each_document_adds_to_a_mean():
    report = score({"a": ["x", "p"], "b": ["x"]}, gold(a=["p"], b=[]), ranked(MRR))
    assert list(document_means(report)) == [("g", "a", "MRR", 0.5), ("g", "b", "MRR", None)]


def test_tables_show_means_beside_their_cutoff():
    report = score({"a": ["p", "x"]}, gold(a=["p"]), KEYWRIGHT_1_RANKED)
    by_line = {(row.average, row.k): row for row in report_rows(report)}
    assert by_line["", "5"].means == {"MAP": 1, "nDCG": 1, "AlphaNDCG": 1}
    assert by_line["", ""].means == {"RP": 1, "MAP": 1, "MRR": 1, "nDCG": 1}
    assert by_line["", ""].hits is None
    assert by_line["macro", "5"].means == {}
    table = report_table(report)
    assert table.head[4:] == ("P", "R", "F", "MAP", "nDCG", "AlphaNDCG", "RP", "MRR")
    assert {len(row) for row in table.rows} == {len(table.head)}
