"""Training without a collection: no document of it, no list of its authors."""

import numpy as np
import pytest

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Style
from keywright.datasets.training_mix import TRAINING, TrainingPart
from keywright.extraction.learners.ranker import TrainedRanker
from keywright.text.keys import gold_keys
from studies.generality import leaving_out
from studies.generality.collections import COLLECTIONS, collection
from studies.generality.leaving_out import knowledge_without, lighter, lists_of, parts_without, training_without
from studies.training_data import examples
from studies.training_data.author_lists import AuthorLists
from studies.training_data.training_documents import TrainingDocument

MIX = TrainingPart("train_mix/author", ("author",), Style.AUTHOR, besides={"source": ("kdd",)})
INSPEC = TrainingPart("inspec/train", ("uncontr",), Style.INDEXER)


def labelled(name: str, *phrases: str, text: str = "Fair schedulers of grids.") -> LabelledDocument[Document]:
    gold = tuple(GoldKeyphrase((phrase,), "author") for phrase in phrases)
    return LabelledDocument(Document(name, text, language="en"), gold)


@pytest.fixture
def lists(monkeypatch) -> AuthorLists:
    known = AuthorLists.of([["grid", "fair scheduler"], ["grid", "load", "network"]], "en")
    monkeypatch.setattr(leaving_out, "author_lists", lambda *_: known)
    return known


def test_parts_of_the_family_are_left_out():
    assert parts_without(collection("inspec"), (MIX, INSPEC)) == (
        TrainingPart("train_mix/author", ("author",), Style.AUTHOR, besides={"source": ("kdd", "inspec")}),
    )
    assert parts_without(collection("nus"), (MIX, INSPEC)) == (MIX, INSPEC)
    assert parts_without(collection("everyday")) == TRAINING


@pytest.mark.parametrize("part", COLLECTIONS, ids=lambda part: part.name)
def test_every_collection_leaves_its_own_data_out(part):
    for training in parts_without(part):
        same = [data for data in part.data if data == training.data]
        assert not same or (part.source and part.source in training.besides["source"])


def test_documents_that_overlap_the_sample_are_left_out(monkeypatch):
    stream = (TrainingDocument(MIX, labelled("same")), TrainingDocument(MIX, labelled("other")))
    parts = []
    monkeypatch.setattr(leaving_out, "training_documents", lambda chosen, _: parts.extend(chosen) or stream)
    monkeypatch.setattr(leaving_out, "overlapping", lambda *_: {"inspec": {MIX.data: frozenset({"same"})}})
    documents = list(training_without(collection("inspec"), (MIX, INSPEC)))
    assert [training.labelled.id for training in documents] == ["other"]
    assert [part.data for part in parts] == [MIX.data]


def test_lists_of_the_collection_are_taken_out_of_the_counts(monkeypatch, lists):
    """The first list shares both phrases with the document; the second one phrase of three, which is chance."""
    monkeypatch.setattr(leaving_out, "whole", lambda *_: (labelled("1", "grids", "fair schedulers"),))
    assert lists_of(collection("nus"), lists) == {0}
    before, after = leaving_out.knowledge_of("en"), knowledge_without(collection("nus"))
    keys = gold_keys(labelled("1", "grid").gold)
    assert before.chosen.of(keys) - after.chosen.of(keys) == pytest.approx(np.minimum(before.chosen.of(keys), 1))


def test_large_parts_are_lighter():
    large = TrainingPart("train_mix/author", ("author",), Style.AUTHOR, every=3)
    assert [part.every for part in lighter((large, INSPEC))] == [9, 1]


@pytest.mark.parametrize("seed", [1, 2])
def test_seeds_change_the_trees_and_not_the_probabilities(monkeypatch, seed):
    """Two rankers are trained from examples that are not described here."""
    trained = []

    def train(_, settings, _card, folds):
        trained.append((settings.seed, folds))
        return TrainedRanker(f"trees {settings.seed}", (), {"general": "map"} if folds else {})

    system = leaving_out.Default(ranker=None, knowledge=leaving_out.knowledge_of("en"))
    monkeypatch.setattr(leaving_out, "described_without", lambda *_: (system, ()))
    monkeypatch.setattr(examples, "train_ranker", train)
    leaving_out.first_ranker.cache_clear()
    default = leaving_out.train_without(collection("nus"), seed)
    leaving_out.first_ranker.cache_clear()
    assert trained == [(1, 2), (2, 0)][:seed]
    assert (default.ranker.trees, default.ranker.probability) == (f"trees {seed}", {"general": "map"})
    assert default.ranker.expected == {"general": examples.EXPECTED}
