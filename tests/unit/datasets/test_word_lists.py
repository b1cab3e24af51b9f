"""Training documents whose gold is a list of single words."""

import pytest

from keywright.core.documents import GoldKeyphrase
from keywright.core.errors import BadParameter
from keywright.datasets.collection import load
from keywright.datasets.training_mix import is_word_list


def gold(*phrases: str):
    return tuple(GoldKeyphrase((phrase,), "author") for phrase in phrases)


WORDS = tuple(f"w{at}" for at in range(12))


def test_twelve_keyphrases_and_more_than_four_fifths_of_one_word():
    assert is_word_list(gold(*WORDS))
    assert not is_word_list(gold(*WORDS[:11]))
    assert is_word_list(gold(*WORDS[:10], "a b", "c d"))  # 10 of 12
    assert not is_word_list(gold(*WORDS, "a b", "c d", "e f"))  # 12 of 15 are four fifths, not more
    assert is_word_list(gold("a", "b"), least=2)
    assert not is_word_list(gold("a", "b c"), least=2, one_word=0.5)
    assert not is_word_list(())


def test_a_keyphrase_counts_once_and_by_its_first_form():
    assert not is_word_list(gold(*WORDS[:11], "w0"))
    alternatives = tuple(GoldKeyphrase((word, f"{word} of a kind"), "reader") for word in WORDS)
    assert is_word_list(alternatives)


def test_bad_numbers_are_refused():
    with pytest.raises(BadParameter, match="least 0"):
        is_word_list((), least=0)
    with pytest.raises(BadParameter, match=r"one_word 2"):
        is_word_list((), one_word=2)


@pytest.mark.data
@pytest.mark.usefixtures("mirror")
def test_few_documents_hold_many_keyphrases():
    # Of all 20,000 test documents of KP20k 2.06 % hold 9.1 % of the keyphrases; here are 1,000 of them.
    documents = list(load("kp20k_small/test"))
    found = [one for one in documents if is_word_list(one.gold)]
    total = sum(len(one.gold) for one in documents)
    assert 100 * len(found) / len(documents) == pytest.approx(2.06, abs=0.5)
    assert 100 * sum(len(one.gold) for one in found) / total == pytest.approx(9.1, abs=0.5)
