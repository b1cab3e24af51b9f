"""Slots of a generator of sets: assignment, taken keyphrases and weights by hand, and trainings with them."""

import json

import numpy as np
import pytest
import torch
from tests.unit.neural.test_training import EXAMPLES, SIZE, SLOTS, f1, interrupted, learn_by_heart, one2set

from keywright.core.errors import BadParameter
from keywright.neural.data.examples import END as PHRASE_END
from keywright.neural.data.examples import NULL, Vocabulary
from keywright.neural.data.examples import PAD as NOTHING
from keywright.neural.decoding.greedy import SlotSettings, write_slots
from keywright.neural.models.copy_transformer import Size
from keywright.neural.models.generator import copy_weights
from keywright.neural.models.one2set import One2Set, assign_keyphrases, fill_empty_slots, weigh_documents
from keywright.neural.training.loop import Training
from keywright.neural.training.recipe import Recipe

torch.set_num_threads(1)
PADDING, EMPTY, END = 0, 1, 2
NO_KEYPHRASE = [EMPTY, PADDING, PADDING]
TIDES, SEA_ICE, SEA_ICE_MAPS = [5, END, PADDING], [6, 7, END], [6, 7, 8]


def test_assignment_by_hand():
    # Three slots, two keyphrases of one word (words 2 and 3) and an empty one; slot 1 likes word 2, slot 0 word 3.
    likes = torch.tensor([[0.1, 0.1, 0.2, 0.6], [0.1, 0.0, 0.7, 0.2], [0.2, 0.2, 0.3, 0.3]])
    targets = torch.tensor([[[2, 0], [3, 0], [1, 0]]])
    costly = torch.tensor([[[True, False], [True, False], [False, False]]])
    steps = likes.log()[None, :, None, :].expand(1, 3, 2, 4)
    assert assign_keyphrases(steps, targets, costly)[0, :, 0].tolist() == [3, 2, 1]


def test_assignment_takes_the_best_sum_not_the_best_single():
    # Slot 0 likes word 2 best of all, but the sum .5 + .6 of the crossed assignment is above .7 + .1.
    likes = torch.tensor([[0.1, 0.1, 0.7, 0.6], [0.2, 0.2, 0.5, 0.1]])
    targets = torch.tensor([[[2], [3]]])
    costly = torch.ones(1, 2, 1, dtype=torch.bool)
    assert assign_keyphrases(likes.log()[None, :, None, :], targets, costly)[0, :, 0].tolist() == [3, 2]


def test_a_slot_that_must_write_begins_with_a_word():
    # Likes, in this order: the empty mark, the end, padding, word 12. Any of the first three leaves the slot empty.
    likes = np.full((1, 1, 14), -9.0, np.float32)
    likes[0, 0, [NULL, PHRASE_END, NOTHING, 12]] = -1, -2, -3, -4
    settings = SlotSettings(1, 2)

    def first(filled):
        return write_slots(lambda state, _: (likes.copy(), state), None, 1, settings, None, filled=filled)[0][0]

    assert first(filled=False).words[0] == NULL
    assert (first(filled=True).words[0], first(filled=True).log_probabilities[0]) == (12, -4)


def taken(targets, written):
    """Return targets and whether losses count, for one document."""
    rows = torch.tensor([targets])
    changed, counted = fill_empty_slots(rows, torch.tensor([written]), PADDING, rows[:, :, 0] != EMPTY)
    return changed[0].tolist(), counted[0].tolist()


def test_an_empty_slot_takes_a_keyphrase_that_no_slot_would_write():
    targets = [TIDES, SEA_ICE, NO_KEYPHRASE, NO_KEYPHRASE]
    # The slot of SEA_ICE would write something else; one empty slot would write SEA_ICE, the other no keyphrase.
    changed, counted = taken(targets, [[5, END], [9, 9], [6, 7], [8, 8]])
    assert changed == [TIDES, SEA_ICE, SEA_ICE, NO_KEYPHRASE]
    assert counted == [True] * 4


def test_an_empty_slot_that_would_write_a_covered_keyphrase_is_not_taught_to_be_empty():
    targets = [TIDES, SEA_ICE, NO_KEYPHRASE, NO_KEYPHRASE]
    # The second slot would write TIDES, which covers it though it is not its own keyphrase.
    changed, counted = taken(targets, [[9, 9], [5, END], [5, END], [9, 9]])
    assert changed == targets
    assert counted == [True, True, False, True]


def test_keyphrases_that_begin_in_the_same_way_are_not_taken():
    targets = [SEA_ICE, SEA_ICE_MAPS, NO_KEYPHRASE]
    assert taken(targets, [[9, 9], [9, 9], [6, 7]]) == (targets, [True, True, False])


def test_any_word_is_right_behind_the_end():
    targets = [TIDES, NO_KEYPHRASE]
    assert taken(targets, [[9, 9, 9], [5, END, 4]]) == ([TIDES, TIDES], [True, True])


def test_weights_of_documents_by_hand():
    keyphrases = torch.tensor([[0.2, 0.5, 0.9], [0.3, 0.3, 0.3]]).log()
    empty = torch.tensor([[0.4, 0.1, 0.1], [0.9, 0.9, 0.9]]).log()
    filled = torch.tensor([[True, True, False], [False, False, False]])
    # (0.2 / 0.4 + 1) / 2; a document without keyphrases keeps its weight.
    assert weigh_documents(keyphrases, empty, filled).tolist() == pytest.approx([0.75, 1.0])


def test_the_loss_of_empty_slots_is_weighted_in_training_only():
    torch.manual_seed(3)
    model = One2Set(Vocabulary.of(EXAMPLES, 40), Size(32, 2, 64, 1, dropout=0.0, tied=True), SLOTS)
    document = EXAMPLES[:1]
    model.train()
    plain, targets, first = model.loss(document).total.detach(), *first_words(model, document)
    empty = sum(
        -values[NULL] * (0.2 if slot < 3 else 0.1)
        for slot, (target, values) in enumerate(zip(targets, first, strict=True))
        if target == NULL
    )
    ratios = [
        min(1, (values[target] - values[NULL]).exp())
        for target, values in zip(targets, first, strict=True)
        if target != NULL
    ]
    weight = sum(ratios) / len(ratios)
    assert 0 < weight < 1
    model.adaptive_empty = True
    assert model.loss(document).total.detach() == pytest.approx(float(plain - (1 - weight) * empty), rel=1e-5)
    model.eval()
    assert model.loss(document).total.detach() == pytest.approx(float(plain), rel=1e-5)


@torch.no_grad()
def first_words(model, examples):
    """Return the first target of each slot, and the log-probabilities of all words there."""
    source = model.read_batch([example.source for example in examples])
    targets, _ = model._assign(source, model._encode_targets(examples, source))
    return targets[0, :, 0].tolist(), model._first_steps(model.network.encode(source))[0, :, 0]


RECIPE = Recipe(
    6, 20, learning_rate=3e-3, schedule="constant", validate_every=20, reassign_empty=True, adaptive_empty=True
)


def test_a_trained_generator_stays_right_and_resumes_to_the_same_weights(tmp_path):
    start = one2set()
    learn_by_heart(start, tmp_path / "start", 100)
    models = [started(start) for _ in range(3)]
    Training(models[0], RECIPE, EXAMPLES[:6], EXAMPLES[:6], tmp_path / "whole", "identity").run()
    assert f1(models[0], EXAMPLES[:6]) > 0.95
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "parts", models[1], 8, RECIPE, EXAMPLES[:6])
    Training(models[2], RECIPE, EXAMPLES[:6], EXAMPLES[:6], tmp_path / "parts", "identity").run()
    for name, weight in copy_weights(models[0]).items():
        assert torch.equal(weight, copy_weights(models[2])[name])


def started(start):
    model = One2Set(start.vocabulary, SIZE, SLOTS)
    model.load_state_dict(start.state_dict())
    model.reassign_empty = model.adaptive_empty = True
    return model


@pytest.mark.parametrize("option", ["reassign_empty", "adaptive_empty"])
def test_generators_without_slots_refuse_the_options(option):
    recipe = Recipe(**{option: True})
    recipe.check_generator("one2set")
    with pytest.raises(BadParameter, match=option):
        recipe.check_generator("one2seq")
    assert json.loads(json.dumps(recipe.as_json()))[option] is True
