"""Options that are ours: copied pieces, title phrases, and which generators have which."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import BertConfig, BertModel

from keywright.core.errors import BadParameter, UnsupportedFormat
from keywright.neural.data.examples import BEGIN, END, UNKNOWN, Example, Limits
from keywright.neural.decoding.phrases import Decoding
from keywright.neural.model_folder import load_generator, save_generator
from keywright.neural.models.generator import find_generator
from keywright.neural.onnx.export import export_generator
from keywright.neural.onnx.generators import load_exported
from keywright.neural.training.example_sources import find_title_phrases
from keywright.neural.training.fitting import load_start
from keywright.neural.training.recipe import Profile, Recipe

SOURCES = [("lake", "ice", "melts", "fast"), ("soil", "moisture", "of", "rain", "gardens")]
EXAMPLES = [Example("a", SOURCES[0], (("lake", "ice"),), ()), Example("b", SOURCES[1], (("soil", "moisture"),), ())]
SIZE = {"width": 16, "heads": 2, "inner": 32, "layers": 1, "dropout": 0.0}


def profile(recipe: Recipe) -> Profile:
    return Profile(Limits(), 40, SIZE, recipe)


def make(name, **config: Any):
    torch.manual_seed(0)
    kind = find_generator(name)
    return kind.from_config({**SIZE, **config}, kind.files_from(EXAMPLES * 20, 300 if name == "bart" else 40)).eval()


@pytest.mark.parametrize("name", ["bart", "t5"])
def test_copied_pieces_are_a_distribution_and_saved(name):
    model = make(name, copy_pieces=True)
    again = find_generator(name).from_config(model.config(), model.files())
    again.load_state_dict(model.state_dict())
    lists = model.generate(SOURCES, Decoding(longest=8))
    assert again.eval().generate(SOURCES, Decoding(longest=8)) == lists
    memory = model._encode(SOURCES)
    log_probabilities, _ = model.step(memory, torch.full((2,), model.begin))
    assert log_probabilities.exp().sum(-1).tolist() == pytest.approx([1, 1], abs=1e-4)
    with torch.no_grad():  # a gate that never writes leaves pieces of the source only
        model.copying.mixture.gate.bias.fill_(-50.0)
    copied = model.step(model._encode(SOURCES), torch.full((2,), model.begin))[0].exp()
    for row, source in zip(copied, SOURCES, strict=True):
        assert row[list(set(model.sequences.source(source)))].sum().item() == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    "name", [pytest.param("bart", marks=pytest.mark.thorough), "t5"]
)  # an export takes ten seconds
def test_copied_pieces_are_exported(name, tmp_path):
    model = make(name, copy_pieces=True)
    with torch.no_grad():  # as above
        model.copying.mixture.gate.bias.fill_(-50.0)
    save_generator(model, Limits(source=20), tmp_path / "trained", {"generator": name})
    export_generator(tmp_path / "trained", tmp_path / "exported", "float32")
    exported, _ = load_exported(tmp_path / "exported")
    expected = [[each.words for each in row] for row in model.generate(SOURCES, Decoding(longest=8))]
    assert [[each.words for each in row] for row in exported.generate(SOURCES, Decoding(longest=8))] == expected


def test_a_start_gets_the_part_that_it_lacks(tmp_path: Path):
    model = make("t5")
    save_generator(model, Limits(), tmp_path / "start", {"generator": "t5"})
    started = load_start("t5", tmp_path / "start", profile(Recipe(copy_pieces=True)))
    assert started.copying is not None
    assert torch.equal(started.network.get_input_embeddings().weight, model.network.get_input_embeddings().weight)


BERT = {"hidden_size": 24, "num_attention_heads": 3, "intermediate_size": 40, "num_hidden_layers": 3}


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    """Return a folder of BERT with random weights and pieces learned from the sources."""
    torch.manual_seed(1)
    pieces = Tokenizer(models.WordPiece(unk_token="[UNK]"))  # noqa: S106 - a mark
    pieces.normalizer, pieces.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    pieces.decoder = decoders.WordPiece(cleanup=False)
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces.train_from_iterator([*map(" ".join, SOURCES), ";"], trainers.WordPieceTrainer(special_tokens=marks))
    config = BertConfig(vocab_size=pieces.get_vocab_size(), max_position_embeddings=30, **BERT)
    BertModel(config).save_pretrained(tmp_path / "bert")
    pieces.save(str(tmp_path / "bert" / "tokenizer.json"))
    return tmp_path / "bert"


def test_an_encoder_of_bert_computes_the_same_in_bart(bert):
    model = load_start("bart", bert, profile(Recipe(copy_pieces=True))).eval()
    assert (model.config()["encoder_layers"], model.config()["decoder_layers"]) == (3, 1)
    assert (model.config()["d_model"], model.copying is not None) == (24, True)
    numbers = torch.tensor([model.sequences.source(SOURCES[1])])
    expected = BertModel.from_pretrained(bert).eval()(numbers).last_hidden_state
    # BERT adds 1e-12 before it divides by a deviation, BART 1e-5.
    assert torch.allclose(model.network.get_encoder()(numbers).last_hidden_state, expected, atol=1e-3)


def test_a_start_from_bert_learns_is_saved_and_read_again(bert, tmp_path):
    model = load_start("bart", bert, profile(Recipe(copy_pieces=True)))
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(60):
        model.train()
        optimiser.zero_grad()
        loss = model.loss(EXAMPLES)
        loss.total.backward()
        optimiser.step()
    save_generator(model.eval(), Limits(), tmp_path / "saved", {"generator": "bart"})
    again, _, _ = load_generator(tmp_path / "saved")
    lists = [
        [[each.words for each in row] for row in each.generate(SOURCES, Decoding(longest=8))] for each in (model, again)
    ]
    assert lists[0] == lists[1] == [[("lake", "ice")], [("soil", "moisture")]]


def test_what_is_no_encoder_of_bert_is_refused(bert):
    with pytest.raises(BadParameter, match="t5 cannot start from an encoder of BERT"):
        load_start("t5", bert, profile(Recipe()))
    config = json.loads((bert / "config.json").read_text("utf-8"))
    (bert / "config.json").write_text(json.dumps({**config, "hidden_act": "relu"}), "utf-8")
    with pytest.raises(UnsupportedFormat, match="activation gelu"):
        load_start("bart", bert, profile(Recipe()))


def test_title_phrases_are_runs_between_function_words_and_signs():
    title = ("calibration", "of", "low-cost", "sensors", ":", "a", "field", "study")
    assert list(find_title_phrases(title, 6)) == [("calibration",), ("low-cost", "sensors"), ("field", "study")]
    assert list(find_title_phrases(title, 1)) == [("calibration",)]


@pytest.mark.parametrize(
    ("name", "option"), [("bart", "token_shift"), ("one2seq", "copy_pieces"), ("one2set", "soft_exclusion")]
)
def test_a_generator_without_an_option_refuses_it(name, option):
    with pytest.raises(BadParameter, match=f"{option} for {name}"):
        Recipe(**{option: True}).check_generator(name)


def test_soft_exclusion_reaches_the_network():
    assert Recipe(soft_exclusion=1.0).network_values() == {"exclusion": {"hard_window": 0, "soft_weight": 1.0}}


@pytest.mark.parametrize("settings", [{}, {"strategy": "beam", "width": 1}])
def test_an_unknown_word_is_shown_as_the_most_attended_one_and_keeps_its_token(settings):
    """The output writes the unknown word only, then the end; the source has one word, which is most attended."""
    torch.manual_seed(0)
    model = find_generator("one2seq").from_config(
        {**SIZE, "tied": False}, find_generator("one2seq").files_from(EXAMPLES, 30)
    )
    model.eval()

    def step(state, words):
        values, state = type(model).step(model, state, words)
        values = torch.full_like(values, -20.0)
        values[:, UNKNOWN if (words == BEGIN).all() else END] = -0.25
        return values, state

    model.step = step
    ((phrase,),) = model.generate([("zebra",)], Decoding(longest=3, **settings))[:1]
    assert phrase.words == ("zebra",)
    assert phrase.generation.tokens == ("<unk>",)
    assert phrase.generation.log_probabilities == pytest.approx((-0.25,))
