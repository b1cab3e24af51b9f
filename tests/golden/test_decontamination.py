"""Overlaps between real collections of which it is known which documents they share, and the stored ones."""

import functools
import itertools

import pytest

from keywright.datasets.collection import load
from keywright.datasets.training_mix import TRAINING
from studies.training_data.decontamination import Traces, overlaps
from studies.training_data.training_documents import compared, left_out, training_documents

pytestmark = pytest.mark.data


@functools.cache
def traces(name, mirror) -> Traces:
    """The traces of a collection, which several tests look for."""
    return Traces.of(load(name, mirror))


def telling(pairs) -> list[tuple[str, str]]:
    """Pairs found by title or text."""
    return [(pair.document, pair.test) for pair in pairs if pair.title or pair.runs]


def test_all_trial_papers_are_training_papers(mirror):
    trial, train = (traces(f"semeval2010/{split}", mirror) for split in ("trial", "train"))
    pairs = overlaps(trial, train)
    assert sorted(telling(pairs)) == sorted((name, name) for name in trial.ids)
    assert all(pair.rules == ("title", "keyphrases", "text") for pair in pairs if pair.document == pair.test)


def test_abstracts_are_found_in_their_papers(mirror):
    """Of 100 abstracts each has its paper's id; no text rule may miss one or find another."""
    abstracts = list(load("semeval2010_abstracts/test", mirror))
    pairs = overlaps(Traces.of(abstracts), traces("semeval2010/test", mirror))
    known = {(one.id, one.document.meta["source_id"]) for one in abstracts}
    assert {(pair.document, pair.test) for pair in pairs if pair.runs} == known
    titled = {(pair.document, pair.test) for pair in pairs if pair.title}
    assert titled <= known
    assert len(titled) >= 99


def test_training_and_test_papers_share_no_title_and_no_text(mirror):
    train, test = (traces(f"semeval2010/{split}", mirror) for split in ("train", "test"))
    assert telling(overlaps(train, test)) == []


def test_one_nus_paper_is_a_krapivin_test_paper(mirror):
    """Krapivin's 1016857, "Improving the static analysis of embedded languages via partial evaluation"."""
    pairs = overlaps(Traces.of(load("nus", mirror)), Traces.of(load("krapivin_abstracts/test", mirror)))
    assert telling(pairs) == [("107", "krapivin_0068")]
    stored = compared()["training"]["nus/train"]["overlaps"]["107"]
    assert stored["text"] == ["krapivin2009/test 1016857", "krapivin_abstracts/test krapivin_0068"]
    assert "107" in left_out("nus/train")


def test_stored_overlaps_are_those_found_now(mirror):
    training = Traces.of(load("inspec/validation", mirror))
    for test in ("inspec/test", "kp20k_small/test"):
        kinds = ("uncontr",) if test == "inspec/test" else None
        pairs = overlaps(training, Traces.of(load(test, mirror), kinds))
        stored = compared()["training"]["inspec/validation"]["overlaps"]
        told = {
            document
            for document, rules in stored.items()
            if any(test in one for all_ in rules.values() for one in all_)
        }
        assert {pair.document for pair in pairs} == told


def test_training_documents_come_without_overlaps(mirror):
    for part in TRAINING[2:]:
        some = list(itertools.islice(training_documents([part], mirror), 50))
        assert len(some) == 50
        assert not {one.labelled.id for one in some} & left_out(part.data)
        assert all(entry.by in part.kinds for one in some for entry in one.labelled.gold)
    assert {one.labelled.id for one in training_documents(TRAINING[1:2], mirror)} == {
        one.id for one in load("semeval2010/train", mirror)
    }
