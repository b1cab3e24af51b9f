"""Examples on disk: what is read is what was written, and nothing is left of an interruption."""

import hashlib
import json

import pytest

from keywright.core.errors import BadParameter, EmptyInput
from keywright.datasets.collection import load
from keywright.neural.data.examples import Example, Limits, make_examples
from keywright.neural.model_folder import check_new
from keywright.neural.training import example_sources
from keywright.neural.training.example_sources import (
    ExampleSources,
    GuardedSets,
    StoredExamples,
    make_training_data,
    source_lengths,
)

EXAMPLES = [
    Example("first", ("soil", "moisture", "maps", "of", "soil"), (("soil", "moisture"), ("maps",)), (("survey",),)),
    Example("Größe \udcff", ("größe",), (), (("a", "b", "c"), ("größe", "\ud800"))),
    Example("", ("x", "soil"), (("soil",),), (), (("behind", "the", "cut"), ("later",))),
]
LIMITS = Limits(source=30)


def stored(folder, examples):
    return StoredExamples.write(folder / "examples.jsonl", examples)


def test_examples_are_read_as_they_were_written(tmp_path):
    examples = stored(tmp_path, EXAMPLES)
    assert list(examples) == EXAMPLES
    assert [example.behind for example in examples] == [example.behind for example in EXAMPLES]
    assert [examples[place] for place in (2, 0, -2)] == [EXAMPLES[place] for place in (2, 0, -2)]
    assert list(examples[1:]) == EXAMPLES[1:]
    assert source_lengths(examples).tolist() == source_lengths(EXAMPLES).tolist() == [5, 1, 2]
    assert list(stored(tmp_path, [])) == []


@pytest.fixture
def corpus(tmp_path):
    """Return a function that writes a file of labelled documents."""

    def write(documents=40):
        file = tmp_path / "labelled.jsonl"
        with file.open("w") as lines:
            for number in range(documents):
                abstract = f"We study soil n{number} and moisture."
                record = {"id": f"d{number}", "title": f"Report {number}", "abstract": abstract}
                lines.write(json.dumps({**record, "keyphrases": ["soil", f"n{number}"]}) + "\n")
        return file

    return write


def data_of(file, folder, validation=None):
    others = None if validation is None else load(str(validation))
    return make_training_data(ExampleSources((load(str(file)),), others, GuardedSets((), ())), LIMITS, folder)


def test_the_fingerprint_is_that_of_the_lists(corpus, tmp_path):
    data = data_of(corpus(), tmp_path / "generator" / "training")
    # A twentieth of the documents, those with the smallest hashes of their ids.
    held_out = sorted((f"d{number}" for number in range(40)), key=lambda name: hashlib.sha256(name.encode()).digest())
    every = {example.id: example for example in make_examples(load(str(tmp_path / "labelled.jsonl")), LIMITS)}
    validation = [every[name] for name in held_out[:2]]
    examples = [example for example in every.values() if example not in validation]
    assert (list(data.examples), list(data.validation)) == (examples, validation)
    assert data.fingerprint == hashlib.sha256(repr((examples, validation)).encode()).hexdigest()


def test_documents_of_the_validation_can_be_others(corpus, tmp_path):
    folder, file = tmp_path / "generator" / "training", corpus()
    assert len(data_of(file, folder).examples) == 38
    other = tmp_path / "other.jsonl"
    other.write_text(file.read_text().replace('"id": "d', '"id": "e'))
    assert (len(data_of(file, folder, other).examples), len(data_of(file, folder, other).validation)) == (40, 40)


def test_an_interruption_leaves_nothing(corpus, tmp_path, monkeypatch):
    file, folder = corpus(), tmp_path / "generator" / "training"
    with monkeypatch.context() as patch:
        patch.setattr(example_sources, "_split_places", interrupted)
        with pytest.raises(KeyboardInterrupt):
            data_of(file, folder)
    assert not folder.parent.exists()
    data_of(file, folder)
    assert [path.name for path in folder.iterdir()] == ["examples.jsonl"]


def interrupted(_ids):
    raise KeyboardInterrupt


def test_documents_without_keyphrases_leave_nothing(tmp_path):
    file = tmp_path / "labelled.jsonl"
    file.write_text('{"id": "a", "text": "Some text."}\n')
    with pytest.raises(EmptyInput, match="1 documents without keyphrases"):
        data_of(file, tmp_path / "generator" / "training")
    assert not (tmp_path / "generator").exists()


def test_a_folder_that_cannot_be_written_is_named(corpus, tmp_path):
    (tmp_path / "generator").write_text("a file")
    with pytest.raises(BadParameter, match="cannot be written"):
        data_of(corpus(), tmp_path / "generator" / "training")


def test_a_training_that_ended_before_its_first_checkpoint_is_resumed(tmp_path):
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "start.json").write_text("{}")
    check_new(tmp_path, force=False)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BadParameter, match="holds files that are not a generator"):
        check_new(tmp_path, force=False)
