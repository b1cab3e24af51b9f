"""ROUGE-1.5.5: each rule on texts small enough for a hand. P, R, F in this order."""

import pickle
from pathlib import Path

import pytest
from tests.unit.summaries.rouge.rouge_pairs import evaluated, pair, values

from keywright.core.errors import BadParameter, BadRecord, MissingData
from keywright.core.signatures import signature
from keywright.summaries.rouge.evaluators import Rouge155
from keywright.summaries.rouge.measures import ROUGE155_MEASURES, Overlap


def test_a_word_counts_as_often_as_in_the_text_that_has_it_less_often() -> None:
    # a twice of three times, b once: 3 of 4 and 3 of 5
    assert values(Rouge155(), "a b c a", "a b a d e") == (0.75, 0.6, 0.66667)


def test_runs_of_words_cross_sentences() -> None:
    # a b is shared, of a b, b c, c a and of a b, b a, a d, d e
    assert values(Rouge155("2"), ["a b", "c a"], ["a b a", "d e"]) == (0.33333, 0.25, 0.28571)


def test_references_are_pooled() -> None:
    # 3 + 1 shared, of 5 + 1 and of 4 + 4
    assert values(Rouge155(), "a b c a", "a b a d e", "c") == (0.5, 0.66667, 0.57143)


def test_a_reference_given_twice_counts_twice() -> None:
    assert values(Rouge155(), "a b", "a c", "a c", "b") == (0.5, 0.6, 0.54545)


def test_the_best_reference_is_the_one_with_the_highest_recall() -> None:
    assert values(Rouge155(references="best"), "a b c a", "a b a d e", "c") == (0.25, 1.0, 0.4)


@pytest.mark.parametrize(("references", "precision"), [(("a a x x", "b y"), 0.5), (("b y", "a a x x"), 0.25)])
def test_of_equal_recalls_the_first_is_best(references: tuple[str, ...], precision: float) -> None:
    assert values(Rouge155(references="best"), "a b c a", *references)[0] == precision


def test_recalls_are_compared_after_rounding() -> None:
    preferred = ROUGE155_MEASURES["1"].preferred
    assert preferred(Overlap(1, 3, 3)) == preferred(Overlap(33_333, 100_000, 3)) == 0.33333


def test_f_is_computed_from_rounded_values() -> None:
    # 5 of 6 and 5 of 8: 0.714286 exactly, 0.714284 from 0.83333 and 0.625
    summary, reference = "a b c d e x", "a b c d e u v w"
    assert values(Rouge155(), summary, reference) == (0.83333, 0.625, 0.71428)
    assert values(Rouge155(rounding="exact"), summary, reference) == pytest.approx((5 / 6, 5 / 8, 5 / 7), abs=1e-12)


def test_pairs_of_words_have_at_most_four_between() -> None:
    assert values(Rouge155("S4"), "a b c d e f", "a f") == (0.06667, 1.0, 0.12501)  # one of 15 pairs
    assert values(Rouge155("S4"), "a b c d e x f", "a f") == (0.0, 0.0, 0.0)


def test_pairs_of_words_cross_sentences() -> None:
    assert values(Rouge155("S4"), ["a", "b"], ["a b"]) == (1.0, 1.0, 1.0)


def test_single_words_of_su4_are_all_but_the_last() -> None:
    assert values(Rouge155("SU4"), "a b", "b c") == (0.0, 0.0, 0.0)  # a, a-b with b, b-c
    assert values(Rouge155("SU4"), "b a", "b c") == (0.5, 0.5, 0.5)  # b, b-a with b, b-c


def test_subsequences_of_a_sentence_are_united() -> None:
    # Lin 2004, section 3.2: w1 w2 with the first sentence, w1 w3 w5 with the second: 4 of 5
    summary = ["w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"]
    assert values(Rouge155("L"), summary, ["w1 w2 w3 w4 w5"]) == (0.4, 0.8, 0.53333)


def test_a_word_of_a_subsequence_counts_as_often_as_the_summary_has_it() -> None:
    assert values(Rouge155("L"), ["a b c"], ["a b", "a c"]) == (1.0, 0.75, 0.85714)


@pytest.mark.parametrize(
    ("summary", "reference", "expected"),
    [("a b c d", "a b c d", (1.0, 0.75786, 0.86225)), ("a b", "a x b y", (0.8909, 0.33759, 0.48964))],
)
def test_runs_of_a_subsequence_weigh_more(summary: str, reference: str, expected: tuple[float, ...]) -> None:
    assert values(Rouge155("W"), summary, reference) == expected  # as ROUGE-1.5.5 -w 1.2 prints


def test_the_jackknife_takes_the_best_of_the_others_and_the_mean() -> None:
    # R of each reference: 2/3, 1/2, 3/5; P: 1/2, 1/4, 3/4. Of the others: R 3/5, 2/3, 2/3; P 3/4, 3/4, 1/2
    jackknife = Rouge155(references="jackknife", rounding="exact")
    precision, recall, f = values(jackknife, "a b c d", "a b e", "a f", "g b c d h")
    assert (precision, recall) == pytest.approx((2 / 3, (3 / 5 + 4 / 3) / 3))
    assert f == pytest.approx((2 / 3 + 2 / 3 + 4 / 7) / 3)


def test_the_jackknife_leaves_nothing_out_of_one_reference_or_for_authors() -> None:
    jackknife = Rouge155(references="jackknife")
    assert values(jackknife, "a b", "a c") == values(Rouge155(), "a b", "a c")
    author = pair("a b", "x", "a c", "b a", system="B", reference_authors=["B", "C", "D"])
    (evaluation,) = jackknife.evaluate((author,))
    assert evaluation.values["R"] == 1.0


def files(folder: Path, **contents: str) -> dict[str, str]:
    for name, content in contents.items():
        (folder / name).write_text(content, "utf-8")
    return {name: str(folder / name) for name in contents}


def test_stems_of_exceptions_come_before_porters(tmp_path: Path) -> None:
    names = files(tmp_path, exceptions="children child\nwent go\nmen man\n")
    assert values(Rouge155(stem=True, **names), "children went", "child go") == (1.0, 1.0, 1.0)
    assert values(Rouge155(stem=True), "children went", "child go") == (0.0, 0.0, 0.0)
    assert values(Rouge155(stem=True, **names), "men", "man") == (0.0, 0.0, 0.0)  # three letters: not looked up


def test_words_over_three_letters_are_stemmed() -> None:
    assert values(Rouge155(stem=True), "cats ads", "cat ad") == (0.5, 0.5, 0.5)
    assert values(Rouge155(), "cats ads", "cat ad") == (0.0, 0.0, 0.0)


def test_stop_words_are_left_out_before_stems_are_taken(tmp_path: Path) -> None:
    names = files(tmp_path, stop="The\n\nrunning\n")
    assert values(Rouge155("2", **names), "eat the cake", "eat cake") == (1.0, 1.0, 1.0)
    assert values(Rouge155(stem=True, **names), "running", "run") == (0.0, 0.0, 0.0)
    assert values(Rouge155(stem=True, **names), "runs", "run") == (1.0, 1.0, 1.0)


def test_lists_may_be_empty(tmp_path: Path) -> None:
    names = files(tmp_path, stop="", exceptions="\n")
    assert values(Rouge155(stem=True, **names), "the cats", "the cat") == (1.0, 1.0, 1.0)


def test_words_are_in_lower_case_and_end_at_hyphens_and_signs() -> None:
    assert values(Rouge155(), "Well-known: $3.5 U.S. don't", "well known 3 5 u s don t") == (1.0, 1.0, 1.0)


def test_signatures_have_the_content_of_files(tmp_path: Path) -> None:
    first, second = (Rouge155(**files(tmp_path, stop=words)) for words in ("the", "a"))
    assert "stop:stop@b9776d7d" in signature(first)  # sha256sum of "the"
    assert signature(first) != signature(second)
    assert "stop:no" in signature(Rouge155())
    assert signature(pickle.loads(pickle.dumps(second))) == signature(second)


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    for options in ({"measure": "5"}, {"references": "worst"}, {"stem": "yes"}, {"tokens": "latin"}):
        with pytest.raises(BadParameter, match=next(iter(options))):
            Rouge155(**options)
    with pytest.raises(BadParameter, match="stem=yes"):
        Rouge155(**files(tmp_path, exceptions="a b"))
    with pytest.raises(MissingData):
        Rouge155(stop=str(tmp_path / "none"))
    with pytest.raises(BadRecord, match="line 2"):
        evaluated(Rouge155(stem=True, **files(tmp_path, exceptions="went go\nmice")), "a", "b")
