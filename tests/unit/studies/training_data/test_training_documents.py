"""What training gets, and what it does not; which author lists may be a document's own."""

import json
from dataclasses import replace

import numpy as np
import pytest

from keywright.core.errors import BadParameter, MissingData, WrongFingerprint
from keywright.datasets.card import card
from keywright.datasets.training_mix import RULES, TELLING, TRAINING, Style, TrainingPart
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import ANY, knowledge_of
from keywright.text.keys import phrase_key
from studies.training_data import training_documents as training
from studies.training_data.author_lists import AuthorLists, author_lists, keys_of, words_of
from studies.training_data.training_documents import ALL_LANGUAGES, FRENCH, GUARDED, left_out, training_documents


@pytest.fixture
def stored(monkeypatch):
    """Two of three documents overlap, one of them by keyphrases alone."""
    overlapping = {"1": {"text": ["inspec/test 7"]}, "2": {"keyphrases": ["inspec/test 8"]}}
    found = {
        "guarded": {"inspec/test": card("inspec").splits["test"].fingerprints["surface"]},
        "training": {
            "semeval2017/train": {
                "fingerprint": card("semeval2017").splits["train"].fingerprints["surface"],
                "overlaps": overlapping,
            }
        },
    }
    monkeypatch.setattr(training, "compared", lambda: found)
    return found


@pytest.fixture
def place(tmp_path):
    (tmp_path / "train_full").mkdir()
    records = [
        {"id": str(number), "text": f"Text {number}.", "keyphrases": ["text"], "source": "ab"[number % 2]}
        for number in (1, 2, 3, 4)
    ]
    lines = "\n".join(map(json.dumps, [*records, {"id": "5", "text": "No gold.", "keyphrases": []}]))
    (tmp_path / "train_full" / "semeval2017_train.jsonl").write_text(lines)
    return tmp_path


def ids(part: TrainingPart, place) -> list[str]:
    return [one.labelled.id for one in training_documents([part], place)]


@pytest.mark.usefixtures("stored")
def test_overlapping_documents_and_those_without_gold_are_left_out(place):
    part = TrainingPart("semeval2017/train", ("annotator",), Style.INDEXER, 0.5)
    assert ids(part, place) == ["3", "4"]
    assert next(training_documents([part], place)).part == part
    part = TrainingPart("semeval2017/train", ("annotator",), Style.INDEXER, rules=("title", "text"))
    assert ids(part, place) == ["2", "3", "4"]
    part = TrainingPart("semeval2017/train", ("annotator",), Style.INDEXER, besides={"source": ("b",)})
    assert ids(part, place) == ["4"]
    assert ids(TrainingPart("semeval2017/train", ("author",), Style.AUTHOR), place) == []


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(("every", "expected"), [(1, ["3", "4"]), (2, ["3"]), (3, ["4"]), (9, [])])
def test_one_in_so_many_documents_is_taken_before_others_are_left_out(every, expected, place):
    """Of 1, 2, 3, 4, 5: every second one is 1, 3, 5, every third one 1, 4."""
    assert ids(TrainingPart("semeval2017/train", ("annotator",), Style.INDEXER, every=every), place) == expected


def test_cards_that_changed_since_the_comparison_are_refused(stored):
    stored["guarded"]["inspec/test"] = "0"
    with pytest.raises(WrongFingerprint, match=r"card of inspec/test has fingerprint f7de33.*decontamination_report"):
        left_out("semeval2017/train")


def test_collections_that_were_never_compared_are_refused():
    with pytest.raises(BadParameter, match="kp20k_small/test was never compared"):
        left_out("kp20k_small/test")


def test_whole_collections_have_no_single_fingerprint():
    with pytest.raises(BadParameter, match="name one of its splits"):
        training.usual_fingerprint("inspec")


@pytest.mark.data
def test_held_out_gold_is_refused(mirror):
    part = TrainingPart("inspec/test", ("uncontr",), Style.INDEXER)
    with pytest.raises(BadParameter, match="inspec/test is for reporting only"):
        next(training_documents([part], mirror))


def test_every_part_was_compared_with_every_guarded_data_set():
    stored = training.compared()
    assert set(stored["guarded"]) == set(GUARDED)
    for part in (*TRAINING, *FRENCH, *ALL_LANGUAGES):
        assert left_out(part.data, TELLING) <= left_out(part.data, RULES)
        assert part.weight > 0
        collection, split = part.data.split("/")
        assert set(part.kinds) <= set(card(collection).splits[split].gold)
        assert not card(collection).splits[split].held_out


def test_every_held_out_split_is_guarded_or_part_of_one():
    from keywright.datasets.card import card_names  # noqa: PLC0415 - this test's own

    held_out = {
        f"{name}/{split.name}" for name in card_names() for split in card(name).splits.values() if split.held_out
    }
    assert held_out - set(GUARDED) == {"krapivin2009/test400", "krapivin_abstracts/test400"}


def test_the_shared_tasks_training_papers_are_all_there():
    assert left_out("semeval2010/train", TELLING) == frozenset()


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
