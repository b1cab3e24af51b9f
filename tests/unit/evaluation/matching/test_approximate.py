"""Near matches by hand, and beside slow ways to compute the same."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.core.errors import BadParameter
from keywright.evaluation.matching import Approximate, Level, Weights, WordOverlap, lowered

WORDS = Approximate((Level.EXACT, Level.INCLUDES, Level.PARTOF))


def entries(*gold: str | tuple[str, ...]):
    """Gold entries, each a form or a tuple of forms, as protocols index them."""
    found: dict[str, tuple[int, ...]] = {}
    for number, forms in enumerate(gold):
        for form in (forms,) if isinstance(forms, str) else forms:
            found[form] = (*found.get(form, ()), number)
    return found


@pytest.mark.parametrize(
    ("prediction", "gold", "level"),
    [
        ("grid computing", "grid computing", Level.EXACT),
        ("grid computers", "grid computing", Level.MORPH),
        ("the grid", "grid", Level.INCLUDES),
        ("mobile grids now", "grid", Level.INCLUDES),
        ("grids", "mobile grid now", Level.PARTOF),
        ("now mobile", "mobile grid now", None),  # both words, but no run
        ("mobile now", "mobile grid now", None),
        ("art", "part", None),  # words, not letters
        ("", "grid", None),
        ("grid", "", None),
        ("", "", None),
    ],
)
def test_levels(prediction, gold, level):
    assert Approximate().level(prediction, gold) is level


def test_without_morph_runs_are_of_words_as_they_are():
    assert WORDS.level("grids", "mobile grid now") is None
    assert WORDS.level("grid", "mobile grid now") is Level.PARTOF
    assert WORDS.level("grids", "grid") is None


def test_a_level_that_is_not_asked_for_gives_nothing_nearer_ones_fall_through():
    assert Approximate((Level.MORPH,)).level("grid", "grid") is Level.MORPH
    assert Approximate((Level.EXACT,)).level("grids", "grid") is None
    assert Approximate((Level.PARTOF,)).level("grid", "grid") is Level.PARTOF
    with pytest.raises(BadParameter, match="no level"):
        Approximate(())


def test_a_gold_entry_is_credited_once():
    assert Approximate()(["grid", "the grid", "grids"], entries("grid")) == [1, 0, 0]


def test_exact_matches_choose_first_and_the_others_move_on():
    both = entries("grid computing", "grid services")
    assert Approximate()(["grid", "grid computing"], both) == [1, 1]
    assert Approximate()(["grid", "grid computing"], entries("grid computing")) == [1, 0]
    # After the third comes, "grid" has lost both; what the list is worth is still one more.
    assert Approximate()(["grid", "grid computing", "grid services"], both) == [1, 1, 0]


def test_any_accepted_form_of_an_entry_will_do():
    assert Approximate()(["quality"], entries(("service level", "quality of service"))) == [1]
    assert Approximate()(["service", "service level"], entries(("service level", "service"), "levels")) == [1, 1]


def test_nothing_to_match():
    for rule in (Approximate(), WordOverlap()):
        assert rule([], entries("a")) == []
        assert rule(["a", "b"], {}) == [0, 0]


@pytest.mark.parametrize(
    ("weights", "words", "gold", "earned"),
    [
        (Weights.UNIFORM, "a b", "a c d", 1 / 3),
        (Weights.UNIFORM, "a b", "c a b", 2 / 3),
        (Weights.HEAD, "a b", "c a b", 1.5 / 2),
        (Weights.LINEAR, "a b", "c a b", (2 + 3) / 6),
        (Weights.HEAD, "b", "b c", 0.5 / 1.5),
        (Weights.HEAD, "a b c", "b c", 1.5 / 2),  # the longer phrase is the prediction
        (Weights.HEAD, "a b", "b c", 0.5 / 1.5),  # as long: the gold's places
        (Weights.HEAD, "b c", "a b", 1 / 1.5),
        (Weights.UNIFORM, "a a", "a b a c", 2 / 4),
        (Weights.HEAD, "a", "a a", 1 / 1.5),  # its last place first
        (Weights.LINEAR, "a", "a b a", 3 / 6),
        (Weights.UNIFORM, "a", "", 0),
        (Weights.UNIFORM, "", "a", 0),
        (Weights.LINEAR, "a b", "a b", 1),
    ],
)
def test_word_overlap_of_two_phrases(weights, words, gold, earned):
    assert WordOverlap(weights).pair(tuple(words.split()), tuple(gold.split())) == pytest.approx(earned)


def test_pairs_are_one_to_one_and_earn_most():
    # ab-a 1/2, ab-abc 2/3, a-a 1, a-abc 1/3.
    assert WordOverlap()(["a b", "a"], entries("a", "a b c")) == pytest.approx([2 / 3, 1])
    assert WordOverlap()(["a", "a b", "a b c"], entries("a b c")) == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert WordOverlap()(["network"], entries("networks")) == [1]
    for forms in (("a b", "a c d"), ("a c d", "a b")):  # the nearest form of an entry, wherever it stands
        assert WordOverlap()(["a b"], entries(forms)) == [1]


PHRASES = st.sampled_from(["a", "b", "c", "a b", "b a", "a b c", "b c", "c a b", "net", "nets", "net a", ""])
LISTS = st.lists(PHRASES, max_size=5)
GOLD = st.lists(st.lists(PHRASES, min_size=1, max_size=2).map(tuple), max_size=4)


def greedy(forms, gold, rule):
    """One pass over all pairs in the order of the docstring."""
    pairs = []
    for rank, form in enumerate(forms):
        for number, accepted in enumerate(gold):
            levels = [level for level in (rule.level(form, other) for other in accepted) if level]
            if levels:
                pairs.append((min(list(Level).index(level) for level in levels), rank, number))
    ranks, numbers = set(), set()
    for _, rank, number in sorted(pairs):
        if rank not in ranks and number not in numbers:
            ranks.add(rank)
            numbers.add(number)
    return len(ranks)


@given(LISTS, GOLD)
def test_credit_up_to_a_rank_is_what_the_list_up_to_there_is_worth(forms, gold):
    rule = Approximate()
    credit = rule(forms, entries(*gold))
    assert set(credit) <= {0, 1}
    for k in range(len(forms) + 1):
        assert sum(credit[:k]) == greedy(forms[:k], gold, rule)


@given(LISTS, GOLD, st.sampled_from(Weights))
def test_the_best_pairs_are_the_best_of_all(forms, gold, weights):
    rule = WordOverlap(weights)

    def worth(form, accepted):
        return max(rule.pair(tuple(form.split()), tuple(other.split())) for other in accepted)

    credit = rule(forms, entries(*gold))
    assert all(0 <= one <= 1 + 1e-12 for one in credit)
    places = [*range(len(gold)), *[None] * len(forms)]
    best = max(
        sum(worth(form, gold[place]) for form, place in zip(forms, order, strict=True) if place is not None)
        for order in set(itertools.permutations(places, len(forms)))
    )
    stemmed = {"nets"} & {word for phrase in (*forms, *itertools.chain(*gold)) for word in phrase.split()}
    if not stemmed:
        assert sum(credit) == pytest.approx(best)
    assert sum(credit) >= best - 1e-9


@given(st.lists(PHRASES.filter(bool), min_size=1, max_size=5, unique=True))
def test_the_gold_itself_earns_all(gold):
    for rule in (Approximate(), WordOverlap()):
        assert rule(gold, entries(*gold)) == pytest.approx([1] * len(gold))


def test_lowered_keeps_endings():
    assert lowered("  ｆｉｌｔｅｒs\u00a0Bank ") == "filters bank"
