"""Training: learning by heart, stopping and going on, and what stops it."""

import json
import math
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tests.docs.snippets import ROOT

from keywright.core.errors import BadParameter, BrokenFile, EmptyInput, PartlyDone
from keywright.core.signatures import list_parameters
from keywright.neural.data.examples import Example, Limits, Vocabulary
from keywright.neural.decoding.phrases import Decoding, generate_phrases, make_phrase
from keywright.neural.models.copy_transformer import One2Seq, Size
from keywright.neural.models.generator import copy_weights, load_weights
from keywright.neural.models.one2set import One2Set, Slots
from keywright.neural.training.fitting import hash_identity
from keywright.neural.training.loop import LOG, Training
from keywright.neural.training.recipe import RECIPE_PAGE, Optimiser, Profile, Recipe
from keywright.neural.training.state import (
    SM3,
    TrainingProgress,
    give_back_freed_memory,
    load_checkpoint,
    make_optimiser,
    save_checkpoint,
)
from keywright.neural.training.tasks import validate

torch.set_num_threads(1)

SUBJECTS = ("soil moisture", "tidal energy", "graph colouring", "speech coding", "urban noise", "lake ice")


def example(number):
    """Return a document about a subject, with a present keyphrase, one that its name decides, and an absent one."""
    subject = tuple(SUBJECTS[number % len(SUBJECTS)].split())
    source = ("report", f"n{number}", "on", *subject, "and", "its", "limits", ".", "we", "measure", f"x{number}")
    return Example(str(number), source, (subject, (f"x{number}",)), (("survey", subject[1]),))


EXAMPLES = [example(number) for number in range(12)]
SIZE = Size(width=32, heads=2, inner=64, layers=1, dropout=0.1, tied=True)
SLOTS = Slots(count=6, steps=4)
RECIPE = Recipe(6, 12, learning_rate=3e-3, schedule="constant", validate_every=6, chosen_by="present/F@M")


def one2seq():
    torch.manual_seed(0)
    return One2Seq(Vocabulary.of(EXAMPLES, 40), SIZE)


def one2set():
    torch.manual_seed(0)
    return One2Set(Vocabulary.of(EXAMPLES, 40), SIZE, SLOTS)


def training(folder, model=None, recipe=RECIPE, **others: Any):
    return Training(model or one2seq(), recipe, EXAMPLES, EXAMPLES, folder, "identity", **others)


def f1(model, examples):
    """Return F1 of all keyphrases, present and absent together."""
    outputs = generate_phrases(model, [each.source for each in examples], Decoding(), 6)
    lists = {row: {phrase.words for phrase in phrases} for row, phrases in outputs}
    right = sum(len(phrases & set(examples[row].phrases)) for row, phrases in lists.items())
    return 2 * right / (sum(map(len, lists.values())) + sum(len(each.phrases) for each in examples))


def learn_by_heart(model, folder, steps, examples=EXAMPLES[:6]):
    recipe = Recipe(batch=6, steps=steps, learning_rate=1e-2, schedule="cosine", warmup=10, validate_every=steps)
    Training(model, recipe, examples, examples, folder, "identity").run()
    return f1(model, examples)


@pytest.mark.parametrize(("make", "steps"), [(one2seq, 80), (one2set, 100)])
def test_a_tiny_generator_learns_its_documents_by_heart(tmp_path, make, steps):
    assert learn_by_heart(make(), tmp_path, steps) > 0.95


@pytest.mark.parametrize(
    ("capabilities", "precision"),
    [({"avx2": True, "amx_bf16": False}, torch.float32), ({"avx2": True, "avx512_bf16": True}, torch.bfloat16)],
)
def test_products_are_mixed_where_the_processor_has_them(tmp_path, monkeypatch, capabilities, precision):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities, raising=False)
    types: list[torch.dtype] = []
    model = one2seq()
    product = model.network.encoder[0].attention.query
    product.register_forward_hook(lambda _module, _inputs, output: types.append(output.dtype))
    mixed = training(tmp_path, model, replace(RECIPE, steps=1, mixed_precision=True, chosen_by="loss"))
    mixed.run()
    assert mixed.is_mixed == (precision is torch.bfloat16)
    assert types[0] is precision


@pytest.mark.parametrize(
    ("make", "optimiser"), [(one2set, "adam"), *((one2seq, optimiser) for optimiser in get_args(Optimiser))]
)
def test_a_stopped_training_goes_on_to_the_same_weights(tmp_path, make, optimiser):
    whole, recipe = make(), replace(RECIPE, optimiser=optimiser)
    expected = training(tmp_path / "whole", whole, recipe).run()
    for stops in (4, 5):
        with pytest.raises(KeyboardInterrupt):
            interrupted(tmp_path / "parts", make(), stops, recipe)
    model = make()
    progressed = training(tmp_path / "parts", model, recipe).run()
    assert progressed.steps == expected.steps == 12
    assert progressed.validations == expected.validations
    for name, weight in copy_weights(model).items():
        assert torch.equal(weight, copy_weights(whole)[name]), name


def interrupted(folder, model, steps, recipe=RECIPE, examples=EXAMPLES):
    """Train, saving after every step, until some steps are made; then stop as Ctrl-C does."""
    loss, made = model.loss, []

    def counted(batch):
        if model.training:
            made.append(batch)
        if len(made) > steps:
            raise KeyboardInterrupt
        return loss(batch)

    model.loss = counted
    Training(model, recipe, examples, examples, folder, "identity", save_every=0.0).run()


def test_the_log_has_each_validation_once_after_stops(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path, one2seq(), 7)
    training(tmp_path).run()
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert [line["step"] for line in lines if "validation" in line] == [6, 12]


def test_time_that_is_over_leaves_a_checkpoint(tmp_path):
    with pytest.raises(PartlyDone, match="the time is over"):
        training(tmp_path, seconds=0.0).run()
    model = one2seq()
    loaded = load_checkpoint(tmp_path / "checkpoint", model, make_optimiser(RECIPE, model))
    assert loaded[0].steps == 1


def test_a_loss_that_is_not_a_number_stops_and_keeps_the_checkpoint(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path, one2seq(), 3)
    before = load_file(tmp_path / "checkpoint" / "weights.safetensors")
    run = training(tmp_path)
    run.recipe = Recipe(batch=6, steps=12, learning_rate=1e30, schedule="constant", validate_every=20)
    with pytest.raises(PartlyDone, match="the loss is"):
        run.run()
    after = load_file(tmp_path / "checkpoint" / "weights.safetensors")
    assert all(torch.equal(before[name], weight) for name, weight in after.items())


def test_another_training_in_the_folder_is_refused(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path, one2seq(), 2)
    other = training(tmp_path)
    other.identity = "other data"
    with pytest.raises(BadParameter, match="another training"):
        other.run()


def test_a_damaged_checkpoint_is_an_error_and_the_one_before_serves_after_a_crash(tmp_path):
    model = one2seq()
    optimiser = make_optimiser(RECIPE, model)
    save_checkpoint(tmp_path / "checkpoint", TrainingProgress("x", steps=1), model, copy_weights(model), optimiser)
    (tmp_path / "checkpoint").rename(tmp_path / "checkpoint.old")  # a crash between two renames
    assert load_checkpoint(tmp_path / "checkpoint", model, optimiser)[0].steps == 1
    (tmp_path / "checkpoint.old" / "weights.safetensors").write_bytes(b"no")
    with pytest.raises(BrokenFile, match="checkpoint"):
        load_checkpoint(tmp_path / "checkpoint", model, optimiser)


def test_nothing_to_learn_from_is_an_error(tmp_path):
    run = training(tmp_path)
    run.examples = []
    with pytest.raises(EmptyInput, match="no documents"):
        run.run()


def test_short_memory_gives_advice(tmp_path, monkeypatch):
    def fail(_examples):
        raise MemoryError

    run = training(tmp_path)
    monkeypatch.setattr(run.model, "loss", fail)
    with pytest.raises(PartlyDone, match="memory is too short") as error:
        run.run()
    assert "batch" in error.value.hint


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        ("constant", [0.5, 1, 1, 1]),
        ("linear", [0.5, 1, 0.5, 0]),
        ("cosine", [0.5, 1, 0.5, 0]),
        ("halving", [0.5, 1, 1, 1]),
    ],
)
def test_learning_rates_by_hand(schedule, rates):
    recipe = Recipe(steps=10, warmup=2, learning_rate=1.0, schedule=schedule)
    assert [recipe.rate(step) for step in (0, 2, 6, 10)] == pytest.approx(rates)


def test_halvings_and_the_power_of_the_warmup():
    recipe = Recipe(learning_rate=0.1, schedule="halving")
    assert recipe.rate(5, halvings=2) == pytest.approx(0.025)
    assert recipe.rate(5, halvings=20) == pytest.approx(0.001)
    growing = Recipe(optimiser="sm3", learning_rate=0.1, warmup=2000, warmup_power=2, schedule="constant")
    assert growing.rate(999) == pytest.approx(0.1 * 0.25)


def test_adafactor_changes_large_weights_by_more():
    model = torch.nn.ParameterList([torch.full((2, 2), size) for size in (0.01, 1.0)])
    optimiser = make_optimiser(Recipe(optimiser="adafactor", learning_rate=0.1), model)
    for weight in model:
        weight.grad = torch.ones(2, 2)
    optimiser.step()
    # Equal gradients have equal directions, of size 1; the rate is multiplied by the root mean square of the weights.
    assert [weight[0, 0].item() for weight in model] == pytest.approx([0.01 - 0.1 * 0.01, 1 - 0.1], rel=1e-4)


def test_sm3_by_hand():
    weight = torch.nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    optimiser = SM3([weight], lr=0.1)
    first = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    weight.grad = first
    optimiser.step()  # nothing is known yet: gradient / |gradient|
    np.testing.assert_allclose(weight.detach().numpy(), [[0.9, 1.9], [2.9, 3.9]], rtol=1e-6)
    # Rows now have 4 and 16, columns 9 and 16; the smaller of row and column is added to the next squares.
    weight.grad = torch.ones(2, 2)
    optimiser.step()
    expected = np.array([[0.9, 1.9], [2.9, 3.9]]) - 0.1 / np.sqrt(np.array([[4, 4], [9, 16]]) + 1)
    np.testing.assert_allclose(weight.detach().numpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("values", [{"batch": 0}, {"learning_rate": 0.0}, {"clip": -1.0}, {"learning_rate": math.nan}])
def test_recipes_out_of_range_are_refused(values):
    with pytest.raises(BadParameter, match="expected"):
        Recipe(**values)


def phrase(text):
    return make_phrase((word, -0.1) for word in text.split())


def test_validation_scores_by_hand(monkeypatch):
    examples = [
        Example("a", ("soil", "moisture", "maps"), (("soil", "moisture"),), (("drought",),)),
        Example("b", ("lake", "ice"), (("lake", "ice"),), ()),
    ]
    # Present: a has 1 right of 2, b none; P = (1/2 + 0) / 2, R = (1 + 0) / 2, F = 2 PR / (P + R) = 1/3.
    lists = {("soil", "moisture", "maps"): [phrase("soil moistures"), phrase("maps")], ("lake", "ice"): []}
    monkeypatch.setattr(One2Seq, "generate", lambda _self, sources, _decoding: [lists[source] for source in sources])
    values = validate(RECIPE, one2seq(), examples)
    assert values["present/F@M"] == pytest.approx(1 / 3)
    assert values["absent/F@M"] == 0


def test_validation_gives_the_loss_of_a_word():
    model = one2seq().eval()
    values = validate(RECIPE, model, EXAMPLES)
    with torch.inference_mode():
        losses = [model.loss([each]) for each in EXAMPLES]
    expected = sum(loss.total.item() for loss in losses) / sum(loss.tokens for loss in losses)
    assert values["loss"] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("make", [one2seq, one2set])
def test_a_batch_equals_one_by_one(tmp_path, make):
    model = make()
    training(tmp_path, model, Recipe(batch=6, steps=20, learning_rate=1e-2, validate_every=20)).run()
    model.eval()
    sources = [EXAMPLES[0].source, EXAMPLES[1].source[:4], ("x", *EXAMPLES[2].source, "more", "words")]
    for decoding in (Decoding(), Decoding(present_only=True), Decoding(strategy="beam", width=2)):
        with torch.inference_mode():
            together = model.generate(sources, decoding)
            alone = [model.generate([source], decoding)[0] for source in sources]
        for first, second in zip(together, alone, strict=True):
            assert [phrase.words for phrase in first] == [phrase.words for phrase in second]
            for one_phrase, other in zip(first, second, strict=True):
                assert one_phrase.generation.log_probabilities == pytest.approx(
                    other.generation.log_probabilities, abs=1e-5
                )


@pytest.mark.parametrize("make", [one2seq, one2set])
def test_phrases_of_a_list_have_the_probabilities_that_scoring_gives(tmp_path, make):
    model = make()
    training(tmp_path, model, Recipe(batch=6, steps=60, learning_rate=1e-2, validate_every=60)).run()
    model.eval()
    with torch.inference_mode():
        phrases = model.generate([EXAMPLES[0].source], Decoding())[0]
        first = (
            max(phrases, key=lambda phrase: sum(phrase.generation.log_probabilities)) if make is one2set else phrases[0]
        )
        (scored,) = model.score(EXAMPLES[0].source, [first.words])
    assert scored.words == first.words
    assert sum(scored.generation.log_probabilities) >= sum(first.generation.log_probabilities) - 1e-4


def test_weights_of_another_network_are_refused():
    other = One2Seq(Vocabulary.of(EXAMPLES, 30), SIZE)
    with pytest.raises(ValueError, match="shape"):
        load_weights(one2seq(), copy_weights(other))
    weights = copy_weights(other)
    del weights["network.copying.gate.bias"]
    with pytest.raises(ValueError, match="missing"):
        load_weights(other, weights)


@pytest.mark.parametrize("make", [one2seq, one2set])
def test_a_scored_phrase_keeps_its_words(make):
    model = make().eval()
    with torch.inference_mode():
        (scored,) = model.score(EXAMPLES[0].source, [("outlandish", "moisture")])
    assert scored.words == ("outlandish", "moisture")
    assert len(scored.generation.log_probabilities) == 2
    assert scored.generation.end is not None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count pages elsewhere")
def test_freed_memory_is_given_back():
    blocks = [bytearray(50_000) for _ in range(2_000)]  # 100 MB in blocks that the C library does not map alone
    last = bytearray(50_000)
    before = _resident()
    del blocks
    give_back_freed_memory()
    assert before - _resident() > 50_000_000
    assert len(last) == 50_000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count pages elsewhere")
def test_a_training_keeps_the_memory_of_a_large_array_until_its_end():
    # In a process of its own: memory that earlier tests freed would hold the array.
    script = f"""
import numpy as np
from pathlib import Path
from keywright.neural.training.state import keep_freed_memory

def read_resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * {resource.getpagesize()}

with keep_freed_memory():
    before = read_resident()
    array = np.ones(12_500_000)  # 100 MB
    del array
    print(read_resident() - before)
print(read_resident() - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    inside, after = map(int, done.stdout.split())
    assert inside > 80_000_000
    assert after < 20_000_000


def _resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


PROFILE = Profile(Limits(source=100), 300, {"width": 32}, Recipe(batch=6, steps=12, chosen_by="present/F@M"))


def test_options_that_are_off_leave_the_identity_of_older_checkpoints():
    # Of the version before there were options.
    expected = "7db020865b3d5f678c05f0a8946a577ecf87b901f82827fabd654b8d3a6bcd7d"
    assert hash_identity("one2seq", PROFILE, "data") == expected


def test_options_that_are_on_change_the_identity():
    changed = Profile(Limits(source=100), 300, {"width": 32}, Recipe(6, 12, chosen_by="present/F@M", kpdrop=0.5))
    assert hash_identity("one2seq", changed, "data") != hash_identity("one2seq", PROFILE, "data")
    assert "kpdrop_variant" not in changed.recipe.as_json()
    assert changed.recipe.as_json()["kpdrop"] == 0.5


def test_the_page_that_errors_name_has_every_value_of_a_recipe():
    page = (ROOT / RECIPE_PAGE).read_text("utf-8")
    assert [value.name for value in list_parameters(Recipe) if f"`{value.name}" not in page] == []
