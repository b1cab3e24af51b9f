"""The baselines of SemEval-2010: how near to the published scores those come that ``tests/golden`` computes again."""

import pytest
from tests.golden.semeval2010_scores import TEST, TRAIN, papers, read_stored_scores

from keywright.core.errors import UnknownName
from keywright.evaluation.answers import make_gold_sets
from keywright.experiments import semeval2010_paper

# KP-Miner's F@15 as published by Kim et al. (2010), tables 4 to 6.
KPMINER = {"combined": 25.2, "reader": 21.5, "author": 17.1}


@pytest.mark.data
def test_kpminer_comes_near_the_published_scores(mirror):
    seen = []
    rows = semeval2010_paper.compute_baselines(["kpminer"], lambda done, total: seen.append((done, total)), mirror)
    f15 = {row.gold: row for row in rows if row.measure == "F@15"}
    assert {kind: row.published for kind, row in f15.items()} == KPMINER
    for row in f15.values():
        assert abs(row.difference) <= 1.5
        assert row.ours == read_stored_scores()[f"{TEST}/kpminer/as-published"][f"{row.gold}/F@15"]
    assert (len(rows), seen) == (9, [(1, 1)])
    assert {(row.system, row.dataset, row.variant) for row in rows} == {("kpminer", TEST, "as-published")}


@pytest.mark.parametrize("variant", ["clean", "as-published"])
def test_naive_bayes_and_maximum_entropy_hardly_differ(variant):
    """The specification's bounds: 0.3 between them, and not 0.5 above TF×IDF, whose ranking they can only lose."""
    tfidf, bayes, entropy = (read_stored_scores()[f"{TEST}/{name}/{variant}"] for name in ("tfidf", "nb", "me"))
    for measure in tfidf:
        assert abs(bayes[measure] - entropy[measure]) <= 0.3
        assert bayes[measure] <= tfidf[measure] + 0.5


def test_careful_tfidf_beats_the_published_one():
    assert 17 <= read_stored_scores()[f"{TEST}/tfidf/clean"]["combined/F@15"] <= 20


def test_the_variant_as_published_is_nearer_to_the_published_scores():
    published = {"combined/F@5": 11.2, "combined/F@10": 14.4, "combined/F@15": 15.1}
    clean, nearest = (read_stored_scores()[f"{TEST}/tfidf/{variant}"] for variant in ("clean", "as-published"))
    assert all(abs(nearest[name] - value) < abs(clean[name] - value) for name, value in published.items())
    assert abs(nearest["combined/F@15"] - 15.1) <= 1.5


def test_counting_beats_kpminer_on_the_training_papers():
    counting, kpminer = (read_stored_scores()[f"{TRAIN}/{name}"] for name in ("counting", "kpminer"))
    for kind in ("combined", "reader"):
        assert counting[f"{kind}/F@15"] > kpminer[f"{kind}/F@15"]
    assert counting["combined/F@15"] > kpminer["combined/F@15"] + 1


@pytest.mark.data
def test_every_training_paper_has_gold_of_three_kinds(mirror):
    kinds = [one.by for one in make_gold_sets(papers(TRAIN, mirror))]
    assert sorted(kinds) == ["author", "combined", "reader"]


def test_unknown_systems_are_errors():
    with pytest.raises(UnknownName, match="'kp-miner'; did you mean 'kpminer'"):
        semeval2010_paper.compute_baselines(["kp-miner"])
