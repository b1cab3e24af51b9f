"""Keyphrases removed from the source, by hand, and trainings that use it."""

import pytest
import torch
from tests.unit.neural.test_training import EXAMPLES, interrupted, one2seq, one2set

from keywright.core.errors import BadParameter
from keywright.neural.data.examples import Example
from keywright.neural.data.vocabulary import PRESENT_END, Vocabulary
from keywright.neural.models.catalogue import kind_of
from keywright.neural.models.generator import copy_weights
from keywright.neural.training.loop import Training
from keywright.neural.training.options import DropVariant
from keywright.neural.training.recipe import Recipe, Schedule
from keywright.neural.training.tasks import KeyphraseDropout, remove_phrases

torch.set_num_threads(1)
SOURCE = tuple("deep neural networks , . <title_end> a neural network has layers of deep networks".split())
DEEP, NETS, LAYERS = ("deep", "networks"), ("neural", "networks"), ("layers",)
EXAMPLE = Example("a", SOURCE, (NETS, LAYERS, DEEP), (("learning",),))


def source(text):
    return tuple(text.split())


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
    (changed,) = KeyphraseDropout(rate, DropVariant.REPLACE, 1).apply([EXAMPLE], 0)
    assert len(changed.absent) == absent
    assert len(changed.phrases) == 4


def test_a_share_of_the_keyphrases_is_drawn_by_seed_and_step():
    examples = [Example(str(number), ("ice", "maps"), (("ice",), ("maps",)), ()) for number in range(1000)]
    dropout = KeyphraseDropout(0.7, DropVariant.REPLACE, 1)
    first = dropout.apply(examples, 5)
    # 2,000 draws with probability 0.7: mean 1,400, standard deviation 20.5; five of them on both sides.
    assert 1298 < sum(len(example.absent) for example in first) < 1502
    assert first == dropout.apply(examples, 5)
    assert first != dropout.apply(examples, 6)
    assert first != KeyphraseDropout(0.7, DropVariant.REPLACE, 2).apply(examples, 5)


def test_appending_keeps_the_originals():
    both = KeyphraseDropout(1.0, DropVariant.APPEND, 1).apply([EXAMPLE], 0)
    assert both == [EXAMPLE, remove_phrases(EXAMPLE, set(EXAMPLE.present))]


def test_the_mark_has_a_number_that_is_not_copied_as_a_word():
    vocabulary = Vocabulary.of([EXAMPLE], 40)
    rows, unknown = vocabulary.numbered([("deep", "<left_out>", "sea")])
    assert rows == [[vocabulary.numbers["deep"], PRESENT_END, len(vocabulary)]]
    assert unknown == (("sea",),)


RECIPE = Recipe(6, 6, learning_rate=3e-3, schedule=Schedule.CONSTANT, validate_every=6, kpdrop=0.7)


@pytest.mark.parametrize("make", [one2seq, one2set])
def test_a_stopped_training_draws_the_same_keyphrases_again(tmp_path, make):
    whole, model = make(), make()
    Training(whole, RECIPE, EXAMPLES, EXAMPLES, tmp_path / "whole", "identity").run()
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "parts", make(), 3, RECIPE)
    Training(model, RECIPE, EXAMPLES, EXAMPLES, tmp_path / "parts", "identity").run()
    assert all(torch.equal(weight, copy_weights(whole)[name]) for name, weight in copy_weights(model).items())


@pytest.mark.parametrize("name", ["bart", "exhird", "one2seq", "one2set", "t5"])
def test_every_generator_learns_from_changed_examples(name):
    kind = kind_of(name)
    config = {"embedding": 8, "hidden": 8} if name == "exhird" else {"width": 16, "heads": 2, "inner": 16, "layers": 1}
    model = kind.make(config, kind.files(EXAMPLES, 400))
    changed = KeyphraseDropout(1.0, DropVariant.APPEND, 1).apply(EXAMPLES, 0)
    loss = model.loss(changed)
    assert torch.isfinite(loss.total)
    assert loss.tokens == model.loss(EXAMPLES).tokens + model.loss(changed[len(EXAMPLES) :]).tokens


@pytest.mark.parametrize(
    "values", [{"kpdrop": -0.1}, {"kpdrop": 1.5}, {"kpdrop": float("nan")}, {"kpdrop_variant": DropVariant.REPLACE}]
)
def test_options_out_of_range_are_refused(values):
    with pytest.raises(BadParameter, match="kpdrop"):
        Recipe(**values)
