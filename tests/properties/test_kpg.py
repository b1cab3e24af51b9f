"""What holds for all predictions, gold and texts of keyphrase generation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.normal_forms.phrases import blank_stems, published_stems, stems_of_any_script
from keywright.evaluation.protocols.kpg import KPG, KPG_STRICT
from keywright.evaluation.reference import chan2019
from keywright.evaluation.reference.chan2019 import Options, chan_scores
from keywright.evaluation.reference.line_files import Parallel
from keywright.evaluation.reference.meng2017 import meng_summary
from keywright.evaluation.rules import NoGold, PhraseClass
from keywright.evaluation.scoring.scorer import score

WORDS = st.sampled_from(["net", "nets", "neural", "a", "parts", "art", ",", "<unk>"])
PHRASES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
LISTS = st.lists(PHRASES, min_size=1, max_size=8).map(tuple)
COLLECTIONS = st.lists(st.tuples(PHRASES, LISTS, LISTS), min_size=1, max_size=5)


def _lines(collection) -> Parallel:
    sources, targets, predictions = zip(*collection, strict=True)
    return Parallel(sources, targets, predictions, 0)


def _scores(collection, protocol):
    lines = _lines(collection)
    return score(lines.answers, (lines.gold(),), protocol, lines.texts)


@pytest.mark.parametrize("protocol", [KPG, KPG_STRICT], ids=lambda protocol: protocol.name)
@given(COLLECTIONS)
def test_classes_divide_all_phrases(protocol, collection):
    counts = _scores(collection, protocol).counts
    for column in ("predicted", "gold"):
        parts = [getattr(counts[part], column) for part in ("present", "absent")]
        assert np.array_equal(sum(parts), getattr(counts["all"], column))
    at_m = [counts[part].hits[:, counts[part].cutoffs.index("M")] for part in PhraseClass]
    assert np.array_equal(at_m[0], at_m[1] + at_m[2])


@given(COLLECTIONS)
def test_every_number_lies_between_0_and_1(collection):
    assert all(0 <= value <= 1 for value in _scores(collection, KPG).values.values())
    lines = _lines(collection)
    for summary in (chan2019.exact_summary(lines), chan2019.approximate_summary(lines)):
        assert all(0 <= value <= 1 + 1e-9 for value in summary.values())
    sums = ("correct@", "_num")
    ranked = {name: value for name, value in meng_summary(lines).items() if not any(one in name for one in sums)}
    assert all(0 <= value <= 1 + 1e-6 for value in ranked.values())


@given(COLLECTIONS)
def test_leaving_out_documents_without_gold_never_lowers_a_mean(collection):
    every, fewer = (
        _scores(collection, replace(KPG, no_gold=rule)).values for rule in (NoGold.ZERO, NoGold.NOT_COUNTED)
    )
    assert all(fewer[name] >= every[name] - 1e-12 for name in every if "micro" not in name)


@given(COLLECTIONS)
def test_relevance_by_rank_sums_to_the_hits(collection):
    for counts in _scores(collection, KPG_STRICT).counts.values():
        assert np.array_equal(counts.by_rank().sum(axis=1), counts.hits[:, counts.cutoffs.index("M")])


@given(LISTS, LISTS)
def test_alpha_ndcg_is_no_more_than_1(forms, gold):
    assert all(0 <= value <= 1 + 1e-12 for value in chan2019.greedy_alpha_ndcg(forms, gold, range(len(forms) + 1)))


@given(COLLECTIONS)
def test_the_evaluator_and_the_protocol_agree(collection):
    options = Options(disable_extra_one_word_filter=True, invalidate_unk=True)
    found = chan_scores(_lines(collection), options)
    for part, counts in _scores(collection, KPG_STRICT).counts.items():
        mine = found.classes[PhraseClass(part)].counts
        assert np.array_equal(mine.hits[:, mine.cutoffs.index("M")], counts.hits[:, counts.cutoffs.index("M")])


@given(st.lists(WORDS, max_size=6).map(" ".join))
def test_text_that_was_cut_before_has_the_same_forms_either_way(text):
    assert published_stems(text) == blank_stems(text)


@given(st.text(st.characters(codec="ascii")))
def test_ascii_has_the_same_forms_in_any_script(text):
    assert stems_of_any_script(text) == published_stems(text)
    spread = stems_of_any_script(f"{text} \u00b1")  # a sign, which is no word
    assert spread == published_stems(text)


@given(st.text())
def test_any_text_has_a_normal_form(text):
    assert "  " not in published_stems(text)
    assert published_stems(text).strip() == published_stems(text)
    gold = (GoldSet("author", (GoldDocument("d", ((text,),)),)),)
    assert score({"d": (text,)}, gold, KPG, {"d": text}).scored == 1
