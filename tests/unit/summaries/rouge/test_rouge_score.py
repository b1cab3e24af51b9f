"""rouge-score: each rule on texts small enough for a hand. P, R, F in this order."""

import pytest
from tests.unit.summaries.rouge.rouge_pairs import values

from keywright.core.errors import BadParameter
from keywright.summaries.rouge.evaluators import Rouge155, RougeScore


def test_values_are_not_rounded() -> None:
    assert values(RougeScore(), "a b c", "a b d") == pytest.approx((2 / 3, 2 / 3, 2 / 3), abs=1e-15)


@pytest.mark.parametrize("length", range(1, 10))
def test_runs_have_one_to_nine_words(length: int) -> None:
    words = "a b c d e f g h i"
    assert values(RougeScore(str(length)), f"{words} j", words) == pytest.approx(
        ((10 - length) / (11 - length), 1, 2 * (10 - length) / (21 - 2 * length))
    )


def test_the_reference_with_the_highest_f_counts() -> None:
    # c alone has the highest recall, 1, but F 2/5; a b a d e has F 2/3
    assert values(RougeScore(), "a b c a", "c", "a b a d e") == pytest.approx((3 / 4, 3 / 5, 2 / 3))
    assert values(RougeScore(), "a b", "a", "a b c d") == pytest.approx((1 / 2, 1, 2 / 3))  # equal: the first


def test_l_is_of_whole_texts_and_lsum_of_sentences() -> None:
    summary, reference = ["c d", "a b"], ["a b", "c d"]
    assert values(RougeScore("L"), summary, reference) == (0.5, 0.5, 0.5)
    assert values(RougeScore("Lsum"), summary, reference) == (1.0, 1.0, 1.0)


def test_stems_are_nltks() -> None:
    # NLTK 3.9: its stem of "dying" is "die", Porter's and that of ROUGE-1.5.5 is "dy"; without a list, "went" stays
    assert values(RougeScore(stem=True), "dying", "died") == (1.0, 1.0, 1.0)
    assert values(Rouge155(stem=True), "dying", "died") == (0.0, 0.0, 0.0)
    assert values(RougeScore(stem=True), "children went", "child go") == (0.0, 0.0, 0.0)


def test_wrong_options_are_refused() -> None:
    for options in ({"measure": "S4"}, {"references": "average"}):
        with pytest.raises(BadParameter, match=next(iter(options))):
            RougeScore(**options)
