"""Which author lists may be a document's own, and what the lexicon says without them."""

from dataclasses import replace

import numpy as np
import pytest

from keywright.core.errors import MissingData
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import ANY, knowledge_of
from keywright.text.keys import phrase_key
from studies.training_data.author_lists import AuthorLists, author_lists, keys_of, words_of

LISTS = AuthorLists.of(
    [["grid computing", "web services", "old trees"], ["grid computing", "forest"], ["forest", "web service"]], "en"
)


def table(**counts: int) -> PhraseCounts:
    return PhraseCounts.of_phrases([(phrase_key(name.replace("_", " ")), count) for name, count in counts.items()], 9)


def counts(table: PhraseCounts, *phrases: str) -> list[float]:
    return table.of(np.array([phrase_key(one) for one in phrases], np.uint64)).tolist()


def test_a_list_with_two_phrases_and_most_of_the_shorter_is_taken_for_its_own():
    gold = keys_of(["Grid Computing", "web service", "agents", "trust"])
    assert LISTS.like(gold) == {0}  # two of the three of the first list; one of the others


def test_one_phrase_in_common_says_nothing():
    assert LISTS.like(keys_of(["grid computing"])) == frozenset()


def test_two_in_common_of_many_say_nothing():
    lists = AuthorLists.of([["a", "b", "c", "d"]], "en")
    assert lists.like(keys_of(["a", "b", "x", "y"])) == frozenset()  # half of the shorter one


def test_phrases_words_and_heads_of_own_lists_are_taken_out():
    knowledge = replace(
        knowledge_of(ANY),
        chosen=table(grid_computing=7, forest=2, web_service=1),
        chosen_words=table(grid=3, forest=5, service=1),
        chosen_heads=table(computing=3, forest=2),
    )
    left = LISTS.taken_out(knowledge, {1})
    assert counts(left.chosen, "grid computing", "forest", "web service") == [6, 1, 1]
    assert counts(left.chosen_words, "grid", "forest", "service") == [2, 4, 1]
    assert counts(left.chosen_heads, "computing", "forest") == [2, 1]


def test_without_own_lists_nothing_changes():
    knowledge = knowledge_of(ANY)
    assert LISTS.without_own(knowledge, keys_of(["nothing", "known"])) is knowledge


def test_elided_french_words_are_apart():
    assert words_of("droits de l'enfant", "fr") == ["droits", "de", "l'", "enfant"]


def test_a_folder_without_the_lists_is_told(tmp_path):
    with pytest.raises(MissingData, match="semeval2010/train_answer"):
        author_lists("en", tmp_path)
