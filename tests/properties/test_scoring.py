"""What holds for all predictions and gold."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.matching import Approximate, Level
from keywright.evaluation.measures.counts import at
from keywright.evaluation.protocols.keywright1 import (
    KEYWRIGHT_1,
    KEYWRIGHT_1_APPROXIMATE,
    KEYWRIGHT_1_DIVERSITY,
    KEYWRIGHT_1_NGRAM_RP,
    KEYWRIGHT_1_RANKED,
)
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010
from keywright.evaluation.rules import Average, Documents, FScore, Repeats, ShortList, every, once
from keywright.evaluation.scoring.counting import compute_values, tabulate_statistics
from keywright.evaluation.scoring.scorer import score

CLEAN = replace(
    SEMEVAL2010,
    name="semeval2010-clean",
    golds=(),
    repeats=Repeats.FIRST,
    gold_repeats=Repeats.FIRST,
    alternatives=every,
    matching=once,
    short_list=ShortList.OF_LENGTH,
    documents=Documents.COUNTED,
    f_from=FScore.EXACT,
    decimals=None,
    average=(Average.MICRO, Average.MACRO, Average.MEAN),
    measures=at(3, 5, "M", "O"),
)

PHRASES = st.sampled_from(["a", "b", "net", "nets", "Net", "a b", "b a", "", " ", "c,d", "e+f", "ﬁ"])
LISTS = st.lists(PHRASES, max_size=8)
COLLECTIONS = st.lists(st.tuples(LISTS, LISTS), min_size=1, max_size=6)


def _gold(collection):
    documents = (GoldDocument(str(at_), tuple((e,) for e in entries)) for at_, (_, entries) in enumerate(collection))
    return (GoldSet("all", tuple(documents)),)


def _lists(collection):
    return {str(place): phrases for place, (phrases, _) in enumerate(collection)}


@pytest.mark.parametrize("protocol", [KEYWRIGHT_1, CLEAN], ids=lambda protocol: protocol.name)
@given(COLLECTIONS)
def test_values_lie_between_0_and_1(protocol, collection):
    found = score(_lists(collection), _gold(collection), protocol).values
    assert all(0 <= value <= 1 for value in found.values())


@pytest.mark.parametrize("protocol", [KEYWRIGHT_1, CLEAN], ids=lambda protocol: protocol.name)
@given(st.lists(LISTS.filter(lambda entries: any(entry.strip() for entry in entries)), min_size=1, max_size=5))
def test_the_gold_itself_scores_1(protocol, entries):
    collection = [(these, these) for these in entries]
    found = score(_lists(collection), _gold(collection), protocol).values
    for name, value in found.items():
        if name.endswith(("@M", "@O")):
            assert value == pytest.approx(1)


@given(COLLECTIONS, st.randoms(use_true_random=False))
def test_the_order_of_documents_is_irrelevant(collection, chance):
    order = list(range(len(collection)))
    chance.shuffle(order)
    gold = _gold(collection)[0]
    turned = (GoldSet("all", tuple(gold.documents[place] for place in order)),)
    lists = _lists(collection)
    lists_turned = {str(place): lists[str(place)] for place in order}
    for protocol in (KEYWRIGHT_1, replace(SEMEVAL2010, golds=())):
        one, other = score(lists, (gold,), protocol), score(lists_turned, turned, protocol)
        assert one.values == pytest.approx(other.values)
        assert one.skipped == other.skipped


@given(LISTS, LISTS)
def test_averages_agree_on_one_document(phrases, entries):
    found = score({"0": phrases}, _gold([(phrases, entries)]), KEYWRIGHT_1).values
    for name, value in found.items():
        assert value == pytest.approx(found["all/" + name.rpartition("/")[2].rpartition("-")[2]])


@given(COLLECTIONS, LISTS)
def test_more_predictions_never_lower_the_hits(collection, further):
    longer = [(phrases + further, entries) for phrases, entries in collection]
    one, other = (score(_lists(these), _gold(these), KEYWRIGHT_1).counts["all"] for these in (collection, longer))
    assert np.all(one.hits[:, :4] <= other.hits[:, :4])  # 5, 10, 15, M


@given(COLLECTIONS, st.integers(0, 2**32 - 1))
def test_resampled_totals_are_those_of_the_drawn_documents(collection, seed):
    counts = score(_lists(collection), _gold(collection), CLEAN).counts["all"]
    drawn = np.random.default_rng(seed).integers(0, len(counts), (3, len(counts)))
    weights = np.stack([np.bincount(row, minlength=len(counts)) for row in drawn])
    for average in Average:
        table = tabulate_statistics(counts, average, CLEAN)
        at_once = compute_values(weights @ table, counts.cutoffs, average, CLEAN)
        for place, row in enumerate(drawn):
            alone = compute_values(table[row].sum(axis=0), counts.cutoffs, average, CLEAN)
            assert at_once.F[place] == pytest.approx(alone.F)
            assert at_once.P[place] == pytest.approx(alone.P)


@pytest.mark.parametrize(
    "protocol",
    [KEYWRIGHT_1_RANKED, KEYWRIGHT_1_APPROXIMATE, KEYWRIGHT_1_NGRAM_RP, KEYWRIGHT_1_DIVERSITY],
    ids=lambda protocol: protocol.name,
)
@given(COLLECTIONS, st.randoms(use_true_random=False))
def test_means_lie_between_0_and_1_in_any_order_of_documents(protocol, collection, chance):
    gold, lists = _gold(collection)[0], _lists(collection)
    found = score(lists, (gold,), protocol).values
    assert all(0 <= value <= 1 for value in found.values())  # alternatives, which could lift AlphaNDCG, are not here
    documents = list(gold.documents)
    chance.shuffle(documents)
    turned = score(lists, (GoldSet("all", tuple(documents)),), protocol).values
    assert {name: found[name] for name in found if name in _means(protocol)} == {
        name: turned[name] for name in turned if name in _means(protocol)
    }


@given(COLLECTIONS)
def test_near_matches_are_no_fewer_than_exact_ones(collection):
    lists, gold = _lists(collection), _gold(collection)
    exact = replace(KEYWRIGHT_1_APPROXIMATE, matching=Approximate((Level.EXACT,)))
    fewest, more = (score(lists, gold, one).values for one in (exact, KEYWRIGHT_1_APPROXIMATE))
    assert all(fewest[name] <= more[name] + 1e-12 for name in fewest)


def _means(protocol):
    return {f"all/{measure}" for family in protocol.means for measure in family.measures}
