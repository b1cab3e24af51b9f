"""Tasks: texts with noise and removed keyphrases, by hand and by number, and trainings with them."""

import itertools
import json

import numpy as np
import pytest
import torch
from tests.unit.neural.test_training import EXAMPLES, interrupted, one2seq, one2set

import keywright as kw
from keywright.api import train_generator
from keywright.core.errors import BadParameter, EmptyInput, MissingData, NotFitted
from keywright.datasets.collection import load
from keywright.neural.data.examples import MASKED, PRESENT_END, Example, Limits, Vocabulary
from keywright.neural.models.generator import copy_weights, find_generator
from keywright.neural.training.example_sources import ExampleSources, GuardedSets, make_training_data
from keywright.neural.training.fitting import draw_curve
from keywright.neural.training.loop import LOG, Training
from keywright.neural.training.recipe import Recipe
from keywright.neural.training.tasks import (
    change_examples,
    corrupt_source,
    infill_spans,
    make_noisy_example,
    remove_phrases,
    split_sentences,
    validate,
)

torch.set_num_threads(1)
LETTERS = tuple("abcdefg")
RECIPE = Recipe(6, 6, schedule="constant", learning_rate=3e-3, validate_every=3, objective="denoising")


@pytest.mark.parametrize(
    ("spans", "expected"),
    [({}, "abcdefg"), ({2: 3}, "ab_fg"), ({0: 1, 6: 0}, "_bcdefg_"), ({0: 2, 2: 0, 3: 2}, "_cd_e_"), ({0: 7}, "_")],
)
def test_spans_are_replaced_by_one_mark_each(spans, expected):
    """The keys count kept words: after c, d and e, say, come the fourth to last."""
    assert infill_spans(LETTERS, spans) == tuple(MASKED if letter == "_" else letter for letter in expected)


def test_sentences_end_with_full_stops():
    assert split_sentences(tuple("ab.c.de")) == [tuple("ab."), tuple("c."), tuple("de")]
    assert split_sentences(()) == []


def test_a_share_of_the_words_goes_in_spans_of_the_published_mean_length():
    words = tuple(f"w{number}" for number in range(3000))
    changed = corrupt_source(words, np.random.default_rng(1))
    left = [word for word in changed if word != MASKED]
    assert len(left) == 2100
    assert left == [word for word in words if word in set(left)]
    # 900 words in spans with mean 3 and variance 3: about 300 spans, standard deviation 10; five of them on both sides.
    assert 250 < changed.count(MASKED) < 350
    assert not any(pair == (MASKED, MASKED) for pair in itertools.pairwise(changed))


def test_the_title_stays_first_and_sentences_change_places():
    title, sentences = ("lake", "ice", "."), [(f"s{number}", "x", ".") for number in range(9)]
    source = (*title, "<title_end>", *itertools.chain.from_iterable(sentences))
    changed = corrupt_source(source, np.random.default_rng(2))
    assert changed.index("<title_end>") <= 3
    order = [word for word in changed if word.startswith("s")]
    assert set(order) <= {sentence[0] for sentence in sentences}
    assert order != sorted(order)
    example = make_noisy_example("a", source, np.random.default_rng(2))
    assert (example.id, example.source) == ("a", changed)
    assert example.phrases == ((*title, *itertools.chain.from_iterable(sentences)),)


@pytest.mark.parametrize("length", range(6))
def test_short_texts_keep_their_marks_apart(length):
    for seed in range(50):
        changed = corrupt_source(LETTERS[:length], np.random.default_rng(seed))
        assert sum(word != MASKED for word in changed) == length - round(0.3 * length)


def test_a_stopped_training_draws_the_same_noise_again(tmp_path):
    whole, model = one2seq(), one2seq()
    expected = Training(whole, RECIPE, EXAMPLES, EXAMPLES, tmp_path / "whole", "identity").run()
    assert [set(values) for values in expected.validations] == [{"step", "loss"}] * 2
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "parts", one2seq(), 4, RECIPE)
    Training(model, RECIPE, EXAMPLES, EXAMPLES, tmp_path / "parts", "identity").run()
    assert all(torch.equal(weight, copy_weights(whole)[name]) for name, weight in copy_weights(model).items())
    lines = [json.loads(line) for line in (tmp_path / "whole" / LOG).read_text().splitlines()]
    assert "F1" not in draw_curve(lines, "one2seq").svg()


@pytest.mark.parametrize("name", ["bart", "exhird", "one2seq", "t5"])
def test_generators_of_sequences_restore_texts(name):
    kind = find_generator(name)
    torch.manual_seed(1)
    config = {"embedding": 32, "hidden": 64} if name == "exhird" else {"width": 32, "heads": 2, "inner": 64}
    model = kind.from_config({**config, "layers": 1, "dropout": 0.0}, kind.files_from(EXAMPLES, 400))
    optimiser = torch.optim.Adam(model.parameters(), 1e-2)
    before = validate(RECIPE, model, EXAMPLES)["loss"]
    for step in range(20):
        loss = model.train().loss(change_examples(RECIPE, model, EXAMPLES, step))
        (loss.total / loss.tokens).backward()
        optimiser.step()
        optimiser.zero_grad()
    assert validate(RECIPE, model, EXAMPLES)["loss"] < before / 2


def test_words_that_a_model_does_not_read_are_not_to_be_restored():
    model = one2seq()
    model.count_read = lambda _source: 4
    (changed, *_) = change_examples(RECIPE, model, EXAMPLES, 0)
    assert changed.phrases == (EXAMPLES[0].source[:4],)


def texts(folder, names):
    """Return files of ten words each."""
    for name in names:
        (folder / f"{name}.txt").write_text(" ".join(f"{name}{number}" for number in range(10)))
    return tuple(folder / f"{name}.txt" for name in names)


def test_every_window_is_an_example_and_guarded_documents_are_left_out_whole(tmp_path):
    record = {"id": "c", "text": "c0 c1 c2 c3", "keyphrases": ["c0"]}
    (tmp_path / "guarded.jsonl").write_text(json.dumps(record))
    guarded = GuardedSets((load(str(tmp_path / "guarded.jsonl")),), ())
    (tmp_path / "broken.docx").write_bytes(b"no")
    sources = ExampleSources((*texts(tmp_path, "abc"), tmp_path / "broken.docx"), None, guarded, "denoising")
    data = make_training_data(sources, Limits(source=4), tmp_path / "training")
    names = sorted(example.id.rpartition("/")[2] for example in [*data.examples, *data.validation])
    assert names == ["a.txt"] * 3 + ["b.txt"] * 3
    assert +data.report.counts == {"files or documents that cannot be read": 1, "documents that are in a test set": 1}
    assert [failure.document_id for failure in sources.failures] == [str(tmp_path / "broken.docx")]


def test_other_texts_have_another_fingerprint(tmp_path):
    places, none = texts(tmp_path, "ab"), GuardedSets((), ())
    sources = ExampleSources(places, None, none, "denoising")
    first, again = (make_training_data(sources, Limits(), tmp_path / "training") for _ in range(2))
    assert first.fingerprint == again.fingerprint
    places[0].write_text("other words")
    assert make_training_data(sources, Limits(), tmp_path / "training").fingerprint != first.fingerprint
    validated = ExampleSources(places[:1], places[1], none, "denoising")
    assert [each.source[0] for each in make_training_data(validated, Limits(), tmp_path / "new").validation] == ["b0"]


def test_options_that_do_not_fit_are_refused():
    assert Recipe(chosen_by="present/F@M").with_values({"objective": "denoising"}).chosen_by == "loss"
    with pytest.raises(BadParameter, match="chosen by"):
        Recipe().with_values({"objective": "denoising", "chosen_by": "present/F@M"})
    with pytest.raises(BadParameter, match="kpdrop with objective denoising"):
        Recipe(objective="denoising", kpdrop=0.5)
    with pytest.raises(BadParameter, match="one2set cannot restore"):
        RECIPE.check_generator("one2set")


@pytest.fixture
def _no_test_sets(monkeypatch):
    """Compare with no test set, which takes seconds where they are."""
    monkeypatch.setattr(GuardedSets, "here", lambda: GuardedSets((), ()))


@pytest.mark.usefixtures("_no_test_sets")
def test_a_generator_of_sets_starts_from_one_that_restores_texts(tmp_path):
    recipe = {"objective": "denoising", "steps": 2}
    texts = ["examples/note.txt", "examples/labelled.jsonl", str(tmp_path / "broken.docx")]
    (tmp_path / "broken.docx").write_bytes(b"no")
    restoring = train_generator(
        kw.system("one2seq"), texts, tmp_path / "restoring", "tiny", recipe=recipe, device="cpu"
    )
    assert restoring.card["objective"] == "denoising"
    assert [failure.document_id for failure in restoring.failures] == [texts[2]]
    with pytest.raises(NotFitted, match="restore texts"):
        kw.extract("Lake ice melts.", system=tmp_path / "restoring")
    values = {"profile": "tiny", "recipe": {"steps": 2}, "device": "cpu", "start": tmp_path / "restoring"}
    kw.train("one2set", "examples/labelled.jsonl", tmp_path / "set", **values)
    assert kw.extract("Lake ice melts.", system=tmp_path / "set") is not None


@pytest.mark.usefixtures("_no_test_sets")
def test_texts_that_cannot_be_read_are_named(tmp_path):
    (tmp_path / "broken.docx").write_bytes(b"no")
    recipe = {"objective": "denoising"}
    with pytest.raises(EmptyInput, match=r"1 files or documents that cannot be read; .*broken\.docx"):
        kw.train("one2seq", tmp_path / "broken.docx", tmp_path / "new", profile="tiny", recipe=recipe)
    with pytest.raises(MissingData, match="neither a file nor a data set"):
        kw.train("one2seq", tmp_path / "missing.txt", tmp_path / "new", profile="tiny", recipe=recipe)
    with pytest.raises(BadParameter, match="reporting only"):
        kw.train("one2seq", "semeval2010/test", tmp_path / "new", profile="tiny", recipe=recipe)


SOURCE = tuple("deep neural networks , . <title_end> a neural network has layers of deep networks".split())
DEEP, NETS, LAYERS = ("deep", "networks"), ("neural", "networks"), ("layers",)
EXAMPLE = Example("a", SOURCE, (NETS, LAYERS, DEEP), (("learning",),))


def source(text):
    return tuple(text.split())


def drop(examples, step=0, seed=1, **options: object):
    return change_examples(Recipe(seed=seed, **options), one2seq(), examples, step)


def test_every_occurrence_by_stems_becomes_one_mark_and_the_keyphrase_becomes_absent():
    changed = remove_phrases(EXAMPLE, {NETS})
    assert changed.source == source("deep <left_out> , . <title_end> a <left_out> has layers of deep networks")
    assert (changed.present, changed.absent) == ((LAYERS, DEEP), (NETS, ("learning",)))


def test_what_occurred_only_within_a_removed_keyphrase_becomes_absent_with_it():
    example = Example("a", ("neural", "networks", "learn"), (("neural", "networks"), ("networks",), ("learn",)), ())
    changed = remove_phrases(example, {("neural", "networks")})
    assert changed == Example("a", ("<left_out>", "learn"), (("learn",),), (("neural", "networks"), ("networks",)))


def test_long_keyphrases_are_removed_first_and_adjacent_marks_are_one():
    example = Example("a", ("ice", "lake", "ice", "maps"), (("ice",), ("lake", "ice"), ("maps",)), ())
    changed = remove_phrases(example, {("ice",), ("lake", "ice")})
    assert changed == Example("a", ("<left_out>", "maps"), (("maps",),), (("ice",), ("lake", "ice")))


def test_present_keyphrases_keep_the_order_of_the_changed_text():
    example = Example("a", ("sea", "ice", "melts", ",", "ice"), (("sea", "ice"), ("ice",), ("melts",)), ())
    assert remove_phrases(example, {("sea", "ice")}).present == (("melts",), ("ice",))


@pytest.mark.parametrize(("rate", "absent"), [(0.0, 1), (1.0, 4)])
def test_rates_of_none_and_all(rate, absent):
    (changed,) = drop([EXAMPLE], kpdrop=rate, kpdrop_variant="replace" if rate else "append")
    assert len(changed.absent) == absent
    assert len(changed.phrases) == 4


def test_a_share_of_the_keyphrases_is_drawn_by_seed_and_step():
    examples = [Example(str(number), ("ice", "maps"), (("ice",), ("maps",)), ()) for number in range(1000)]
    options = {"kpdrop": 0.7, "kpdrop_variant": "replace"}
    first = drop(examples, 5, **options)
    # 2,000 draws with probability 0.7: mean 1,400, standard deviation 20.5; five of them on both sides.
    assert 1298 < sum(len(example.absent) for example in first) < 1502
    assert first == drop(examples, 5, **options)
    assert first != drop(examples, 6, **options)
    assert first != drop(examples, 5, seed=2, **options)


def test_appending_keeps_the_originals():
    both = drop([EXAMPLE], kpdrop=1.0)
    assert both == [EXAMPLE, remove_phrases(EXAMPLE, set(EXAMPLE.present))]


def test_the_mark_has_a_number_that_is_not_copied_as_a_word():
    vocabulary = Vocabulary.of([EXAMPLE], 40)
    rows, unknown = vocabulary.encode_sources([("deep", "<left_out>", "sea")])
    assert rows == [[vocabulary.numbers["deep"], PRESENT_END, len(vocabulary)]]
    assert unknown == (("sea",),)


DROPPING = Recipe(6, 6, learning_rate=3e-3, schedule="constant", validate_every=6, kpdrop=0.7)


@pytest.mark.parametrize("make", [one2seq, one2set])
def test_a_stopped_training_draws_the_same_keyphrases_again(tmp_path, make):
    whole, model = make(), make()
    Training(whole, DROPPING, EXAMPLES, EXAMPLES, tmp_path / "whole", "identity").run()
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "parts", make(), 3, DROPPING)
    Training(model, DROPPING, EXAMPLES, EXAMPLES, tmp_path / "parts", "identity").run()
    assert all(torch.equal(weight, copy_weights(whole)[name]) for name, weight in copy_weights(model).items())


@pytest.mark.parametrize("name", ["bart", "exhird", "one2seq", "one2set", "t5"])
def test_every_generator_learns_from_changed_examples(name):
    kind = find_generator(name)
    config = {"embedding": 8, "hidden": 8} if name == "exhird" else {"width": 16, "heads": 2, "inner": 16, "layers": 1}
    model = kind.from_config(config, kind.files_from(EXAMPLES, 400))
    changed = drop(EXAMPLES, kpdrop=1.0)
    loss = model.loss(changed)
    assert torch.isfinite(loss.total)
    assert loss.tokens == model.loss(EXAMPLES).tokens + model.loss(changed[len(EXAMPLES) :]).tokens


@pytest.mark.parametrize(
    "values", [{"kpdrop": -0.1}, {"kpdrop": 1.5}, {"kpdrop": float("nan")}, {"kpdrop_variant": "replace"}]
)
def test_options_out_of_range_are_refused(values):
    with pytest.raises(BadParameter, match="kpdrop"):
        Recipe(**values)
