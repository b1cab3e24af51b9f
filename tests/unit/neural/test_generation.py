"""Generators as systems: folders, spans, windows, probabilities of generated and named phrases, and every verb."""

import json
import math
import shutil
from functools import partial

import pytest
import torch
from tests.builders import analysed
from tests.quick_generators import SUBJECTS, save_quick_generator, write_corpus

import keywright as kw
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BrokenFile, KeywrightError, MissingData, NotFitted
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure
from keywright.neural.data.examples import Example, Limits
from keywright.neural.decoding.phrases import Decoding
from keywright.neural.generation import DocumentGeneration, LoadedGenerator
from keywright.neural.model_folder import load_generator
from keywright.neural.systems.one2seq import One2Seq

torch.set_num_threads(1)


@pytest.fixture(scope="module", autouse=True)
def without_test_sets(tmp_path_factory):
    """Read no test sets, which take time; ``test_examples`` compares with them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEYWRIGHT_MIRROR", str(tmp_path_factory.mktemp("mirror")))
        yield


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "labelled.jsonl")


@pytest.fixture(scope="module")
def folder(corpus, tmp_path_factory):
    """Return the folder of a generator that knows the corpus."""
    place = tmp_path_factory.mktemp("generators") / "mine"
    kw.train("one2seq", corpus, place, profile="tiny", validation=corpus, recipe={"steps": 50, "validate_every": 50})
    return place


def test_a_trained_folder_gives_keyphrases_with_places_and_probabilities(folder):
    prediction = kw.extract("A report on lake ice\n\nWe study lake ice at a site. The lake ice differs there.", folder)
    first = prediction.keyphrases[0]
    assert first.text == "lake ice"
    assert first.spans == ((12, 20), (31, 39), (55, 63))
    assert 0 < first.probability <= 1
    assert first.generation.tokens == ("lake", "ice")
    assert first.generation.end is not None


def test_absent_phrases_are_marked(folder, corpus):
    run = kw.run(folder, corpus)
    absent = [each for prediction in run.predictions for each in prediction.keyphrases if each.text == "field survey"]
    assert absent
    assert not any(each.present for each in absent)


def test_every_verb_takes_the_folder(folder, corpus, tmp_path):
    run = kw.run(folder, corpus, output=tmp_path / "run.jsonl")
    assert kw.score(tmp_path / "run.jsonl", "kpg", gold=corpus).values["present/F@M"] == 1
    assert kw.analyse(tmp_path / "run.jsonl", gold=corpus) is not None
    assert kw.calibrate(run, corpus).calibrator.card.documents == 24
    together = kw.combine([run, kw.run("default", corpus)])
    assert len(together.predictions) == 24


def test_batches_and_processes_give_the_same_run(folder, corpus):
    system = kw.load(folder)
    documents = [labelled.document for labelled in kw.dataset(corpus)]
    alone = [kw.extract(document, system) for document in documents]
    together = kw.run(system, corpus, top=10)
    assert [prediction.texts for prediction in together.predictions] == [prediction.texts for prediction in alone]


def test_the_card_says_what_it_was_trained_on(folder):
    card = json.loads((folder / "card.json").read_text())
    assert card["generator"] == "one2seq"
    assert card["documents"] == 24
    assert card["steps"] == 50
    assert {"model.safetensors", "config.json", "vocabulary.json", "calibrator.json"} == set(card["sha256"])
    assert not (folder / "training" / "checkpoint").exists()
    assert (folder / "training" / "log.jsonl").is_file()
    assert (folder / "training" / "curve.svg").read_text().startswith("<svg")


def test_parameters_of_a_trained_generator_can_be_changed(folder):
    present = kw.system(folder, present_only=True)
    texts = kw.extract("Lake ice melts. We study tidal energy.", present).keyphrases
    assert all(each.present for each in texts)


def test_a_named_phrase_has_the_calibrated_probability_of_a_generated_one(folder):
    text = "A report on lake ice\n\nWe study lake ice at a site. The lake ice differs there."
    first = kw.extract(text, folder).keyphrases[0]
    same, other = kw.phrase_probabilities(text, [first.text, "tidal energy"], folder)
    assert same.probability == pytest.approx(first.probability, abs=1e-4)
    assert 0 <= other.probability < same.probability
    assert [each.probability for each in kw.phrase_probabilities(text, ["site"], kw.load(folder).inner)] == [None]


def test_an_untrained_generator_says_how_to_train_it():
    with pytest.raises(NotFitted, match="one2seq has not been trained"):
        One2Seq().extract(analysed("Lake ice melts."))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "model.safetensors").write_bytes(b"x"), "not the file that its card describes"),
        (lambda folder: (folder / "vocabulary.json").unlink(), "is missing"),
        (lambda folder: (folder / "weights.bin").write_bytes(b"x"), "can run code"),
        (lambda folder: (folder / "card.json").write_text("[]"), "not a JSON object"),
        (lambda folder: (folder / "card.json").write_text("{"), "not valid JSON"),
        (lambda folder: (folder / "card.json").unlink(), "is missing"),
        (lambda folder: edit(folder, {"generator": "gpt"}), "generator"),
    ],
)
def test_damaged_folders_are_refused(folder, tmp_path, damage, message):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    damage(copy)
    with pytest.raises(BrokenFile, match=message):
        kw.extract("Lake ice melts.", kw.load(copy))


def edit(folder, values):
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps({**card, **values}))


def test_a_config_that_does_not_fit_the_weights_is_refused(folder, tmp_path):
    import hashlib  # noqa: PLC0415 - for this test alone

    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    config = json.loads((copy / "config.json").read_text())
    config["config"]["width"] = 32
    content = json.dumps(config).encode()
    (copy / "config.json").write_bytes(content)
    hashes = json.loads((copy / "card.json").read_text())["sha256"]
    edit(copy, {"sha256": {**hashes, "config.json": hashlib.sha256(content).hexdigest()}})
    with pytest.raises(BrokenFile, match="do not fit"):
        load_generator(copy)


def test_an_empty_folder_is_not_a_generator(tmp_path):
    with pytest.raises(MissingData):
        kw.load(tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "huge"}, "profile"),
        ({"recipe": {"stepz": 3}}, "stepz"),
        ({"recipe": {"steps": "many"}}, "steps"),
        ({"width": 0, "recipe": {"steps": 1}}, "width"),
        ({"colour": 1}, "colour"),
    ],
)
def test_wrong_options_of_a_training_are_refused(corpus, tmp_path, options, message):
    with pytest.raises(KeywrightError, match=message):
        kw.train("one2seq", corpus, tmp_path / "new", **{"profile": "tiny", **options})


def test_a_trained_folder_is_not_replaced_without_force(folder, corpus):
    with pytest.raises(BadParameter, match="holds a generator"):
        kw.train("one2seq", corpus, folder, profile="tiny")


def test_a_training_that_was_stopped_at_its_calibrator_goes_on_there(folder, corpus, tmp_path, monkeypatch):
    def stop(*_arguments: object):
        raise KeyboardInterrupt

    def train(news):
        recipe = {"steps": 1, "validate_every": 1, "learning_rate": 1e-6}  # as good as its start
        options = {"profile": "tiny", "validation": corpus, "recipe": recipe, "start": folder}
        kw.train("one2seq", corpus, tmp_path / "mine", tell=news.append, **options)

    steps = []
    with monkeypatch.context() as patched:
        patched.setattr("keywright.api.generators._fit_calibrator", stop)
        with pytest.raises(KeyboardInterrupt):
            train(steps)
    weights = (tmp_path / "mine" / "model.safetensors").read_bytes()
    assert steps
    steps.clear()
    train(steps)
    assert not steps  # nothing is trained twice
    assert (tmp_path / "mine" / "model.safetensors").read_bytes() == weights
    assert (tmp_path / "mine" / "calibrator.json").is_file()
    with pytest.raises(BadParameter, match="mine"):  # and now it is finished
        train(steps)


def test_documents_without_keyphrases_are_nothing_to_learn_from(tmp_path):
    file = tmp_path / "empty.jsonl"
    file.write_text('{"id": "a", "text": "Lake ice melts.", "keyphrases": []}\n')
    with pytest.raises(KeywrightError, match="learn from"):
        kw.train("one2seq", file, tmp_path / "new", profile="tiny")


def test_a_training_starts_from_the_weights_of_a_folder(folder, corpus, tmp_path):
    options = {"profile": "tiny", "validation": corpus, "start": folder}
    again = kw.train("one2seq", corpus, tmp_path / "again", recipe={"steps": 1, "learning_rate": 1e-9}, **options)
    assert again.extract(analysed("A report on lake ice.\n\nWe study lake ice.")).prediction(1).texts == ("lake ice",)
    card = json.loads((tmp_path / "again" / "card.json").read_text())
    assert len(card["started from"]) == 64
    kw.train("one2set", corpus, tmp_path / "set", recipe={"steps": 1}, **options)
    encoder = "network.encoder.0.norms.0.weight"
    before, after = (dict(load_generator(place)[0].named_parameters())[encoder] for place in (folder, tmp_path / "set"))
    assert torch.allclose(before, after, atol=0.01)
    with pytest.raises(BadParameter, match="exhird cannot start from one2seq"):
        kw.train("exhird", corpus, tmp_path / "other", **options)


def test_a_folder_of_transformers_is_a_system(tmp_path):
    from transformers import BartConfig, BartForConditionalGeneration  # noqa: PLC0415 - slow, for this test alone

    from keywright.neural.models.bart_t5 import Bart  # noqa: PLC0415 - slow, for this test alone

    examples = [Example("a", ("lake", "ice", "melts"), (("lake", "ice"),), ())]
    (tmp_path / "tokenizer.json").write_text(Bart.files_from(examples, 300)["tokenizer.json"])
    torch.manual_seed(0)
    sizes = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2}
    inner = {"decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}
    BartForConditionalGeneration(BartConfig(vocab_size=300, **sizes, **inner)).save_pretrained(tmp_path)
    system = kw.load(tmp_path)
    assert system.name == "bart"
    assert kw.extract("Lake ice melts.", system).document_id == "text"


TEXT = "A report on lake ice. We study lake ice at a site in winter."
PHRASES = ["lake ice", "speech coding", "Lake Ice (LI)", "site"]


@pytest.fixture(scope="module", params=["one2seq", "one2set", "exhird", "bart", "t5"])
def quick(request, corpus, tmp_path_factory):
    """Return the folder of a generator of each kind, without probabilities."""
    place = tmp_path_factory.mktemp("generators") / request.param
    save_quick_generator(request.param, list(kw.dataset(corpus))[:12], place)
    return place


def confidence(keyphrase):
    return math.exp(sum(keyphrase.generation.log_probabilities) / len(keyphrase.generation.log_probabilities))


def test_phrases_come_in_their_order_with_places_and_confidence(quick):
    present, absent, acronym, word = kw.phrase_probabilities(TEXT, PHRASES, quick)
    assert [each.text for each in (present, absent, acronym, word)] == PHRASES
    assert [TEXT[start:end] for start, end in present.spans] == ["lake ice", "lake ice"]
    assert absent.spans == ()
    assert acronym.generation == present.generation
    assert all(0 < each.score <= 1 and each.score == pytest.approx(confidence(each)) for each in (present, word))
    assert all(each.probability is None for each in (present, absent))


def test_the_first_phrase_of_a_list_has_the_probabilities_of_its_generation(quick):
    if quick.name == "one2set":
        pytest.skip("slots are not written one after the other")
    first = kw.extract(TEXT, quick).keyphrases[0]
    (scored,) = kw.phrase_probabilities(TEXT, [first.text], quick)
    assert scored.generation.tokens == first.generation.tokens
    assert scored.generation.log_probabilities == pytest.approx(first.generation.log_probabilities, abs=1e-5)


def test_a_batch_is_as_one_by_one(quick):
    phrases = [*PHRASES, *SUBJECTS * 3]  # more than one batch
    together = kw.phrase_probabilities(TEXT, phrases, quick)
    for phrase, scored in zip(phrases, together, strict=True):
        (alone,) = kw.phrase_probabilities(TEXT, [phrase], quick)
        assert alone.generation.tokens == scored.generation.tokens
        expected = pytest.approx(alone.generation.log_probabilities, abs=1e-5)
        assert scored.generation.log_probabilities == expected


def test_a_long_document_gives_the_values_of_its_best_window(quick):
    model, _, _ = load_generator(quick)
    text = "The weather was fine and nothing else happened. " * 3 + TEXT
    windows = [" ".join(words) for words in _windows(text, 12)]
    generation = partial(DocumentGeneration, LoadedGenerator(model, Limits(source=12)), Decoding())
    scores = [generation().score(Document("w", window), ["lake ice"])[0] for window in windows]
    best = max(each.score for each in scores if isinstance(each, Keyphrase))
    (scored,) = generation(all_windows=True).score(Document("a", text), ["lake ice"])
    assert len(windows) > 3
    assert scored.score == pytest.approx(best, rel=1e-5)
    (first,) = generation().score(Document("a", text), ["weather"])
    (alone,) = generation().score(Document("w", windows[0]), ["weather"])
    if isinstance(alone, Keyphrase):
        assert first.score == pytest.approx(alone.score, rel=1e-5)


def test_presence_is_decided_on_the_whole_text(quick):
    longest = load_generator(quick)[1].source
    text = "Lake ice melts. " * longest + "The zebra came."
    prediction = kw.extract(text, quick)
    assert any(f"only the first {longest} words were read" in warning for warning in prediction.warnings)
    spans = kw.phrase_probabilities(text, ["lake ice"], quick)[0].spans
    assert len(spans) == longest  # also those behind the cut


def _windows(text, longest):
    words = text.lower().replace(".", " .").split()
    return [words[at : at + longest] for at in range(0, len(words), longest)]


def test_phrases_that_cannot_be_written_are_failures(quick):
    empty, good = kw.phrase_probabilities(TEXT, ["(?)", "lake ice"], quick)
    assert isinstance(empty, Failure)
    assert (empty.code, empty.document_id) == ("bad_parameter", "text")
    assert "has no words" in empty.message
    assert isinstance(good, Keyphrase)
    assert kw.phrase_probabilities(TEXT, [], quick) == ()
    if quick.name in {"one2seq", "one2set", "exhird"}:
        (unknown,) = kw.phrase_probabilities(TEXT, ["zebra ice"], quick)
        assert "'zebra' is neither in the vocabulary nor in the text" in unknown.message
        (copied,) = kw.phrase_probabilities("A zebra on ice.", ["zebra ice"], quick)
        assert isinstance(copied, Keyphrase)
    if quick.name in {"one2set", "exhird"}:
        (long,) = kw.phrase_probabilities(TEXT, ["lake " * 7], quick)
        assert "it has 7 words, and at most 6 are written" in long.message


def test_a_text_in_place_of_phrases_and_other_systems_are_refused():
    with pytest.raises(BadParameter, match="phrases is the text 'lake ice'"):
        kw.phrase_probabilities(TEXT, "lake ice", "tfidf")
    with pytest.raises(BadParameter, match="a phrase is of type int"):
        kw.phrase_probabilities(TEXT, [3], "tfidf")
    with pytest.raises(BadParameter, match="tfidf gives no probabilities to phrases"):
        kw.phrase_probabilities(TEXT, ["lake ice"], "tfidf")
    with pytest.raises(NotFitted, match="has not been trained"):
        kw.phrase_probabilities(TEXT, ["lake ice"], One2Seq())
