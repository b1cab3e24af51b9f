"""Phrases that mean the same by an encoder: merged, suggested, or left apart; headings in both orders."""

import csv
from pathlib import Path

import numpy as np
import pytest

import keywright as kw
from keywright.core.errors import BadParameter
from keywright.faces.outputs.collection_files import write_folder

PAIRS = Path(__file__).parents[3] / "studies/collection/meaning_pairs.tsv"


class Angles:
    """An encoder whose vectors stand at given angles, in degrees; unknown texts stand apart from all others."""

    def __init__(self, **degrees: float) -> None:
        self.degrees = degrees

    def __call__(self, texts):  # noqa: ANN204 - tests
        vectors = np.zeros((len(texts), 2 + len(texts)))
        for row, text in enumerate(texts):
            if (angle := self.degrees.get(text.replace(" ", "_"))) is None:
                vectors[row, 2 + row] = 1
            else:
                vectors[row, :2] = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        return vectors


def collect(lists, encoder, **options):  # noqa: ANN003 - tests
    return kw.collection({f"d{number}": each for number, each in enumerate(lists)}, encoder=encoder, **options)


def counts(collection):
    return {phrase.text: phrase.documents for phrase in collection.phrases}


LISTS = [["television"], ["television", "film"], ["TV set", "movie"], ["TV sets"], ["film"]]
NEAR = Angles(television=0, TV_set=10, TV_sets=10, film=90, movie=90 + 25)  # cosines .985 and .906


def test_phrases_of_the_same_meaning_are_merged_and_doubtful_ones_suggested():
    collection = collect(LISTS, NEAR)
    assert counts(collection) == {"television": 4, "film": 2, "movie": 1}
    assert {(each.form, each.phrase, each.reason) for each in collection.merges} == {
        ("TV set", "television", "meaning, 0.98"),
        ("TV sets", "television", "meaning, 0.98"),
    }
    assert [(each.form, each.phrase, each.reason) for each in collection.suggestions] == [
        ("movie", "film", "meaning, 0.91")
    ]
    assert any("2 forms were merged by meaning, and 1 may mean the same" in each for each in collection.warnings)


def test_the_user_undoes_merges_and_takes_suggestions(tmp_path):
    write_folder(collect(LISTS, NEAR), tmp_path)
    taken = collect(LISTS, NEAR, merges=tmp_path / "suggestions.csv")
    assert counts(taken) == {"television": 4, "film": 3}
    rows = list(csv.DictReader((tmp_path / "merges.csv").read_text("utf-8").splitlines()))
    assert {row["form"] for row in rows} == {"TV set", "TV sets"}
    apart = collect(LISTS, NEAR, merges={"TV set": "TV set", "TV sets": "TV set"})
    assert counts(apart) == {"television": 2, "film": 2, "TV set": 2, "movie": 1}


@pytest.mark.parametrize(("first", "second"), [("4bit", "16bit"), ("deep learning", "learning"), ("base 8", "base 85")])
def test_other_numbers_and_added_words_are_not_merged(first, second):
    encoder = Angles(**{text.replace(" ", "_"): 0.0 for text in (first, second)})
    collection = collect([[first], [second]], encoder)
    assert counts(collection) == {first: 1, second: 1}
    assert not collection.suggestions


def test_merges_make_no_chains():
    lists = [["alpha"], ["alpha"], ["alpha"], ["beta"], ["beta"], ["gamma"]]
    collection = collect(lists, Angles(alpha=0, beta=15, gamma=30))  # cosines .966, .966 and .866
    assert counts(collection) == {"alpha": 5, "gamma": 1}


def test_without_an_encoder_nothing_is_merged_by_meaning():
    assert counts(collect(LISTS, None)) == {"television": 2, "TV set": 2, "film": 2, "movie": 1}


def test_a_broken_encoder_is_told():
    with pytest.raises(BadParameter, match="shape"):
        collect(LISTS, lambda texts: np.ones(len(texts)))


def test_headings_are_turned_where_the_other_order_is_a_phrase():
    lists = [["Gulf of Mexico", "Southern Africa"], ["Mexico, Gulf of", "Africa, Southern", "Fargo, North Dakota"]]
    assert counts(collect(lists, None)) == {"Gulf of Mexico": 2, "Southern Africa": 2, "Fargo, North Dakota": 1}


@pytest.mark.parametrize(
    ("part", "pairs", "merged", "suggested"), [("", 260, (21, 23), (34, 50)), ("end", 68, (65, 68), (0, 0))]
)
def test_judged_pairs_hold_as_the_module_says(part, pairs, merged, suggested):
    """Right ones and all, of merged and of suggested pairs, without two that their words join.

    The last 68 were judged when all was chosen.
    """
    rows = list(csv.DictReader(PAIRS.read_text("utf-8").splitlines(), delimiter="\t"))
    judged = [each for each in rows if (each["half"] == "end") == (part == "end")]
    assert len(judged) == pairs
    outcomes = {"merges": [], "suggestions": []}
    for each in judged:
        first, second, cosine = each["first"], each["second"], float(each["cosine"])
        encode = Pair({first: 0.0, second: float(np.degrees(np.arccos(min(cosine + 1e-6, 1.0))))})
        collection = collect([[first], [first], [second]], encode)
        for name, outcome in outcomes.items():
            if any(merge.reason.startswith("meaning") for merge in getattr(collection, name)):
                outcome.append(each["same"] == "yes")
    assert [(sum(outcome), len(outcome)) for outcome in outcomes.values()] == [merged, suggested]


def test_an_encoder_of_some_languages_leaves_other_letters_alone():
    class English(Angles):
        fingerprint, languages = "english", frozenset({"en"})

    lists = [["插件"], ["插件"], ["网关"], ["plug-in"], ["plugins"]]
    encoder = English(插件=0, 网关=0)
    assert counts(collect(lists, encoder)) == {"插件": 2, "网关": 1, "plug-in": 2}


class Pair(Angles):
    """An encoder of two texts as they are."""

    def __init__(self, degrees: dict[str, float]) -> None:
        super().__init__(**{text.replace(" ", "_"): angle for text, angle in degrees.items()})
