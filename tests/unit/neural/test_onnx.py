"""Exported generators: the phrases of torch, folders, calibration, and refusals."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
import torch
from tests.quick_generators import SIZES, save_quick_generator, write_corpus

import keywright as kw
from keywright.core.errors import BadParameter, BrokenFile, MissingData, MissingExtra, NotFitted, PartlyDone
from keywright.neural.decoding.phrases import Decoding
from keywright.neural.generation import load_generator_once
from keywright.neural.model_folder import load_generator
from keywright.neural.onnx import export
from keywright.neural.onnx.export import make_graphs, quantise_weights
from keywright.neural.onnx.generators import Sessions, load_exported, make_exported

torch.set_num_threads(1)

SOURCES = (
    ("a", "report", "on", "lake", "ice", ".", "<title_end>", "lake", "ice", "melts"),
    ("tidal", "energy"),
    ("the", "xylophone", "of", "zoe", "and", "graph", "colouring", "of", "xylophone", "maps", "near", "zoe"),
    ("we", "study", "urban", "noise", "at", "<digit>", "sites"),
)
"""Of different lengths, with words that the vocabularies lack."""
DECODINGS = (Decoding(longest=20), Decoding(longest=20, present_only=True), Decoding(longest=20, fill_slots=True))
EXPORTED = ("one2set", "exhird")
"""Every way of writing: an export takes seconds. Torch runs the graphs of all; ``test_helps`` exports T5 and BART."""
LIKELY = -15.0
"""Log-probability below which the last digits are those of a sum with a far larger number, and not compared."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "labelled.jsonl")


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    """Return a function that gives the folder of a trained generator, made once."""
    place, labelled = tmp_path_factory.mktemp("generators"), list(kw.dataset(corpus))

    def train(name):
        if not (place / name).exists():
            save_quick_generator(name, labelled, place / name)
        return place / name

    return train


@pytest.fixture(scope="module")
def folders(trained, tmp_path_factory):
    """Return a function that gives the folders of a trained generator and of its export, made once."""
    place = tmp_path_factory.mktemp("exported")

    def both(name):
        if not (place / name).exists():
            kw.export(trained(name), place / name, "float32")
        return trained(name), place / name

    return both


class TorchGraphs(Sessions):
    """Graphs that torch runs, without an export: the encoder and the step of ``self.encoder``."""

    def encode(self, inputs):
        graphs, tensors = self.encoder, {name: torch.from_numpy(array) for name, array in inputs.items()}
        encoded = graphs.encode(*(tensors[name] for name in graphs.inputs))
        state = inputs | {name: each.numpy() for name, each in zip(graphs.encoded, encoded, strict=True)}
        return {name: state[name] for name in graphs.state}

    def step(self, state, words):
        graphs, tensors = self.encoder, (torch.from_numpy(state[name]) for name in self.encoder.state)
        log_probabilities, *changed = (each.numpy() for each in graphs.step(torch.from_numpy(words), *tensors))
        return log_probabilities, state | dict(zip((*graphs.changed, *graphs.also), changed, strict=True))


def written(lists):
    """Return everything about phrases but probabilities."""
    return [[(phrase.words, phrase.generation.tokens, phrase.generation.slot) for phrase in row] for row in lists]


def values(lists):
    """Return the log-probabilities of tokens, of ends and of starts."""
    each = (phrase.generation for row in lists for phrase in row)
    return np.array([v for one in each for v in (*one.log_probabilities, one.end or 0.0, one.start or 0.0)])


def check_writes_the_same(model, again):
    for decoding in DECODINGS:
        expected, actual = model.generate(SOURCES, decoding), again.generate(SOURCES, decoding)
        assert any(expected)
        assert written(actual) == written(expected)
        likely = values(expected) > LIKELY
        assert values(actual)[likely] == pytest.approx(values(expected)[likely], abs=1e-4)
        alone = [again.generate([source], decoding)[0] for source in SOURCES]
        assert written(alone) == written(actual)
        assert values(alone)[likely] == pytest.approx(values(actual)[likely], abs=1e-4)


@pytest.mark.parametrize("name", SIZES)
def test_the_graphs_of_a_generator_write_what_it_writes(name, trained):
    model, _, _ = load_generator(trained(name))
    graphs, settings = make_graphs(model)
    with torch.inference_mode():
        check_writes_the_same(model, make_exported(settings, model.files(), TorchGraphs(graphs, None)))


@pytest.mark.parametrize("name", EXPORTED)
def test_an_exported_generator_writes_what_torch_writes(name, folders):
    folder, exported = folders(name)
    model, limits, _ = load_generator(folder)
    again, same_limits = load_exported(exported)
    assert limits == same_limits
    check_writes_the_same(model, again)


def test_slots_that_must_write_add_phrases_and_change_none(trained):
    """Six slots write six phrases; those of slots that wrote one anyway keep words and probabilities."""
    model, _, _ = load_generator(trained("one2set"))
    lists, filled = (model.generate(SOURCES, Decoding(fill_slots=fill)) for fill in (False, True))
    assert min(map(len, lists)) < 6
    for few, many in zip(lists, filled, strict=True):
        assert len(many) == 6
        slots = [phrase.generation.slot for phrase in few]
        again = [phrase for phrase in many if phrase.generation.slot in slots]
        assert [phrase.words for phrase in again] == [phrase.words for phrase in few]
        assert values([again]) == pytest.approx(values([few]), abs=1e-4)


@pytest.mark.parametrize("name", EXPORTED)
def test_integers_change_probabilities_a_little(name, folders):
    """Weights of the text have 7 bits: probabilities of these generators move by some percent, and words stay."""
    _, exported = folders(name)
    contents = [(exported / file).read_bytes() for file in ("encoder.onnx", "step.onnx")]
    smaller = [quantise_weights(content) for content in contents]
    assert sum(map(len, smaller)) < 0.8 * sum(map(len, contents))
    assert os.sep.encode() + b"neural" not in smaller[1]  # no paths of this program
    settings = json.loads((exported / "config.json").read_text())["writes"]
    texts = {path.name: path.read_text() for path in exported.glob("*[yr].json")}
    integers, (floats, _) = make_exported(settings, texts, Sessions.open(*smaller, exported)), load_exported(exported)
    expected, actual = (each.generate(SOURCES[:1], DECODINGS[0]) for each in (floats, integers))
    assert written(actual)[0][:1] == written(expected)[0][:1]
    first, second = (np.exp(each[0][0].generation.log_probabilities) for each in (expected, actual))
    assert 0 < np.abs(first - second).max() < 0.1


def test_an_exported_folder_is_a_system_like_the_trained_one(folders, corpus):
    trained, exported = folders("exhird")
    first, second = (kw.run(folder, corpus, top=10) for folder in (trained, exported))
    assert [each.texts for each in first.predictions] == [each.texts for each in second.predictions]
    assert first.system != second.system
    assert second.system.startswith("exhird|weights:")
    assert kw.analyse(second, gold=corpus) is not None
    together = kw.combine([second, kw.run("default", corpus)])
    assert len(together.predictions) == 24
    text = "Lake ice melts. " * 60
    long = kw.extract(text, kw.system(exported, windows="all"))
    assert any("read in 3 windows" in warning for warning in long.warnings)
    cut = kw.extract(text, exported)
    assert any("only the first 100 words were read" in warning for warning in cut.warnings)
    with pytest.raises(BadParameter, match="exclusion_window 4 of an exported generator"):
        kw.system(exported, exclusion_window=4)


WITHOUT = """
import importlib.abc, sys
class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in {"torch", "transformers", "safetensors", "onnx", "onnxscript"}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Blocked())
import keywright as kw
for folder in sys.argv[1:]:
    print(kw.extract("A report on lake ice. We study lake ice at a site.", folder, top=5).texts[0])
assert "onnxruntime" in sys.modules
"""


def test_exported_generators_run_without_torch(folders):
    exported = [str(folders(name)[1]) for name in EXPORTED]
    command = [sys.executable, "-c", WITHOUT, *exported]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ)).stdout.split("\n")
    assert len([line for line in lines if line]) == len(EXPORTED)
    assert "Lake ice" in {line.capitalize() for line in lines}


def test_probabilities_are_fitted_again_and_measured(folders, corpus, tmp_path, monkeypatch):
    trained, exported = folders("exhird")
    graphs = tuple((exported / name).read_bytes() for name in ("encoder.onnx", "step.onnx"))
    monkeypatch.setattr(export, "export_graphs", lambda _graphs: graphs)  # made once: it takes ten seconds
    system = kw.export(trained, tmp_path / "served", calibrate_on=corpus)
    assert system.name == "calibrated"
    prediction = kw.extract("A report on lake ice. We study lake ice at a site.", tmp_path / "served")
    assert 0 < prediction.keyphrases[0].probability <= 1
    card = json.loads((tmp_path / "served" / "card.json").read_text())
    assert card["exported"]["precision"] == "int8"
    weights = hashlib.sha256((trained / "model.safetensors").read_bytes()).hexdigest()
    assert card["exported"]["from"] == weights
    measured = card["calibration"]
    assert measured["documents"] == 24
    assert set(measured["confidences"]) == {"ece", "brier"}
    assert 0 <= measured["ece"] < 1
    assert measured["probabilities before export"] is None
    with pytest.raises(BadParameter, match="--force"):
        kw.export(trained, tmp_path / "served")
    # A second export leaves nothing of the first; too few documents leave it without probabilities.
    two = tmp_path / "two.jsonl"
    two.write_text("".join(corpus.read_text().splitlines(keepends=True)[:2]))
    with pytest.raises(PartlyDone, match="without calibrated probabilities: 2 documents"):
        kw.export(trained, tmp_path / "served", "float32", calibrate_on=two, force=True)
    assert not (tmp_path / "served" / "calibrator.json").exists()
    assert kw.load(tmp_path / "served").name == "exhird"


def edited(folder, name, content):
    """Replace a file, and its hash on the card: damage that only reading finds."""
    (folder / name).write_bytes(content)
    card = json.loads((folder / "card.json").read_text())
    card["sha256"][name] = hashlib.sha256(content).hexdigest()
    (folder / "card.json").write_text(json.dumps(card))


def without_settings(folder):
    config = json.loads((folder / "config.json").read_text())
    del config["writes"]
    edited(folder, "config.json", json.dumps(config).encode())


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "step.onnx").write_bytes(b"x"), "not the file that its card describes"),
        (lambda folder: (folder / "encoder.onnx").unlink(), "is missing"),
        (lambda folder: (folder / "weights.pt").write_bytes(b"x"), "can run code"),
        (lambda folder: edited(folder, "step.onnx", b"not a graph"), "cannot be opened"),
        (lambda folder: edited(folder, "step.onnx", b"\x0a\x08location\x12\x01w"), "weights in another file"),
        (
            lambda folder: edited(folder, "step.onnx", (folder / "encoder.onnx").read_bytes()),
            "not an encoder and a step",
        ),
        (lambda folder: edited(folder, "vocabulary.json", b"[]"), "vocabulary"),
        (without_settings, "makes no generator: KeyError"),
    ],
)
def test_damaged_exports_are_refused(folders, tmp_path, damage, message):
    copy = tmp_path / "copy"
    shutil.copytree(folders("exhird")[1], copy)
    damage(copy)
    with pytest.raises(BrokenFile, match=message):
        kw.extract("Lake ice melts.", kw.load(copy))


def test_the_step_of_another_generator_is_refused(folders):
    encoder, step = (folders(name)[1] / file for name, file in (("one2set", "encoder.onnx"), ("exhird", "step.onnx")))
    with pytest.raises(BrokenFile, match="not an encoder and a step"):
        Sessions.open(encoder.read_bytes(), step.read_bytes(), encoder.parent)


def test_exported_generators_only_decode_greedily(folders):
    with pytest.raises(BadParameter, match="decoding beam of an exported generator"):
        kw.system(folders("exhird")[1], decoding="beam", width=4)
    model, _ = load_exported(folders("exhird")[1])
    with pytest.raises(BadParameter, match="sampling"):
        model.generate(SOURCES, Decoding("sampling"))
    assert kw.system(folders("one2set")[1], decoding="beam", width=4).width == 4
    with pytest.raises(BadParameter, match="exported exhird generates, and cannot score"):
        kw.phrase_probabilities("Lake ice melts.", ["lake ice"], folders("exhird")[1])


def test_what_cannot_be_exported_is_refused(folders, corpus, tmp_path, monkeypatch):
    trained, exported = folders("exhird")
    with pytest.raises(BadParameter, match="holds an exported generator"):
        kw.export(exported, tmp_path / "again")
    with pytest.raises(BadParameter, match="holds the generator itself"):
        kw.export(trained, trained, force=True)
    with pytest.raises(BadParameter, match="files that are not an exported generator"):
        kw.export(trained, corpus.parent, force=True)
    with pytest.raises(BadParameter, match="'int4'"):
        kw.export(trained, tmp_path / "new", "int4")
    with pytest.raises(MissingData, match="no trained generator"):
        kw.export(tmp_path, tmp_path / "new")
    with pytest.raises(BadParameter, match="name the folder that it was exported from"):
        load_generator(exported)
    restoring = shutil.copytree(trained, tmp_path / "restoring")
    card = json.loads((restoring / "card.json").read_text())
    (restoring / "card.json").write_text(json.dumps({**card, "objective": "denoising"}))
    with pytest.raises(NotFitted, match="learned to restore texts"):
        kw.export(restoring, tmp_path / "new")
    monkeypatch.setitem(sys.modules, "onnxscript", None)
    with pytest.raises(MissingExtra, match="export needs onnxscript"):
        kw.export(trained, tmp_path / "new")
    assert not (tmp_path / "new" / "card.json").exists()


def test_no_runtime_no_extraction(folders, monkeypatch):
    exported = folders("exhird")[1]
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    load_generator_once.__globals__["_load_folder"].cache_clear()
    with pytest.raises(MissingExtra, match="exported generators need onnxruntime"):
        kw.extract("Lake ice melts.", exported)
