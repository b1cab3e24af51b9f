"""Folders as transformers writes them: read as data, with all their variants, and refused where they are not whole."""

import json
import pickle

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import BartConfig, BartForConditionalGeneration, BartModel, T5Config, T5ForConditionalGeneration

from keywright.core.errors import BrokenFile, MissingData, TooLarge, UnsupportedFormat
from keywright.neural.decoding.phrases import Decoding
from keywright.neural.models import bart_t5
from keywright.neural.models.bart_t5 import T5, Bart, read_folder

SOURCES = [("tidal", "energy", ".", "<title_end>", "grids", "<digit>"), ("grids",)]
BART_SIZE = {
    "d_model": 16, "encoder_layers": 1, "decoder_layers": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
    "encoder_ffn_dim": 24, "decoder_ffn_dim": 24, "init_std": 0.3,
}  # fmt: skip
T5_SIZE = {"d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 2, "num_heads": 2, "decoder_start_token_id": 0}


def bart_tokeniser():
    """Return pairs of bytes as BART has them: the semicolon behind a blank is a piece, numbers are none."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=marks, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([" tidal energy ; grids ;"] * 9, trainer)
    tokenizer.enable_truncation(3)
    tokenizer.enable_padding(length=50)
    return tokenizer


def t5_tokeniser():
    """Return pieces as T5 has them, without a separator and a word for numbers."""
    pieces = ["<pad>", "</s>", "<unk>", "▁", "▁tidal", "▁energy", "▁grid", "s", *"tidalenrgyx<>"]
    tokenizer = Tokenizer(models.Unigram([(piece, -1.0 - at) for at, piece in enumerate(dict.fromkeys(pieces))], 2))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(pieces[:3])
    return tokenizer


def bart_folder(path, kind=BartForConditionalGeneration, **saving: object):
    torch.manual_seed(0)
    tokenizer = bart_tokeniser()
    network = kind(BartConfig(vocab_size=tokenizer.get_vocab_size(), **BART_SIZE)).eval()
    network.save_pretrained(path, **saving)
    tokenizer.save(str(path / "tokenizer.json"))
    return network


def t5_folder(path, rows=40, **config: object):
    torch.manual_seed(0)
    network = T5ForConditionalGeneration(T5Config(vocab_size=rows, **T5_SIZE, **config)).eval()
    network.save_pretrained(path)
    t5_tokeniser().save(str(path / "tokenizer.json"))
    return network


def logits(network):
    """Return the logits of a fixed input."""
    with torch.inference_mode():
        return network(input_ids=torch.tensor([[5, 6, 7, 1]]), decoder_input_ids=torch.tensor([[0, 4]])).logits


def generated(model):
    with torch.inference_mode():
        return model.generate(SOURCES, Decoding(longest=12))


def test_bart_of_a_folder(tmp_path):
    network = bart_folder(tmp_path)
    model = read_folder(Bart, tmp_path).eval()
    assert torch.equal(logits(model.network), logits(network))
    marks = model.sequences.marks
    assert model.subwords.piece(marks.separator) == "Ġ;"
    assert (marks.start, marks.title, marks.end, marks.prefix) == ((0,), 0, 2, (2, 0))
    source = [model.subwords.piece(number) for number in model.sequences.source(SOURCES[0])]
    assert source == ["<s>", "Ġtidal", "Ġenergy", "Ġ", ".", "<s>", "Ġgrids", "Ġ", *"<digit>", "</s>"]
    assert model.subwords.words(source[7:-1]) == ("<digit>",)


def test_t5_of_a_folder_gets_its_separator_in_a_free_row(tmp_path):
    network = t5_folder(tmp_path)
    model = read_folder(T5, tmp_path).eval()
    assert torch.equal(logits(model.network), logits(network))
    pieces = t5_tokeniser().get_vocab_size()
    assert model.subwords.number("<sep>") == pieces
    assert model.sequences.source(SOURCES[0]) == [4, 5, 3, 2, pieces, 6, 7, pieces + 1, 1]
    assert model.sequences.marks.prefix == (0,)


def test_t5_of_a_folder_without_free_rows_is_made_larger(tmp_path):
    pieces = t5_tokeniser().get_vocab_size()
    network = t5_folder(tmp_path, rows=pieces)
    model = read_folder(T5, tmp_path).eval()
    assert model.network.config.vocab_size == pieces + 2
    assert torch.allclose(logits(model.network)[..., :pieces], logits(network), atol=1e-6)
    again = T5.from_config(model.config(), model.files())
    again.load_state_dict(model.state_dict())
    assert generated(again.eval()) == generated(model)


def test_t5_with_an_output_of_its_own(tmp_path):
    """T5 1.1 does not tie its output to the embeddings, and does not scale it."""
    network = t5_folder(tmp_path, tie_word_embeddings=False, feed_forward_proj="gated-gelu")
    weights = load_file(tmp_path / "model.safetensors")
    torch.manual_seed(1)
    network.lm_head.weight = torch.nn.Parameter(torch.randn_like(network.lm_head.weight))
    save_file({**weights, "lm_head.weight": network.lm_head.weight.detach()}, tmp_path / "model.safetensors")
    config = json.loads((tmp_path / "config.json").read_text("utf-8"))
    for values in (config, {**config, "tie_word_embeddings": False}):
        (tmp_path / "config.json").write_text(json.dumps(values), "utf-8")
        model = read_folder(T5, tmp_path).eval()
        assert torch.equal(logits(model.network), logits(network))
    assert model.config()["tied_output"] is False
    again = T5.from_config(model.config(), model.files())
    again.load_state_dict(model.state_dict())
    assert torch.equal(logits(again.eval().network), logits(network))


def test_weights_in_several_files(tmp_path):
    network = bart_folder(tmp_path, max_shard_size="10KB")
    assert not (tmp_path / "model.safetensors").exists()
    assert torch.equal(logits(read_folder(Bart, tmp_path).eval().network), logits(network))
    next(tmp_path.glob("model-00002*")).unlink()
    with pytest.raises(MissingData, match="model-00002"):
        read_folder(Bart, tmp_path)


def test_weights_without_the_names_of_the_output(tmp_path):
    network = bart_folder(tmp_path, BartModel)
    model = read_folder(Bart, tmp_path).eval()
    expected = network(input_ids=torch.tensor([[5, 6, 2]]), decoder_input_ids=torch.tensor([[2, 0]])).last_hidden_state
    output = model.network(input_ids=torch.tensor([[5, 6, 2]]), decoder_input_ids=torch.tensor([[2, 0]])).logits
    assert torch.allclose(output, expected @ network.shared.weight.T, atol=1e-5)


def test_weights_of_half_precision_are_widened(tmp_path):
    bart_folder(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    save_file({name: weight.half() for name, weight in weights.items()}, tmp_path / "model.safetensors")
    assert {weight.dtype for weight in read_folder(Bart, tmp_path).parameters()} == {torch.float32}


def test_a_pickle_beside_safetensors_is_not_opened(tmp_path):
    network = bart_folder(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(pickle.dumps(print))
    assert torch.equal(logits(read_folder(Bart, tmp_path).eval().network), logits(network))


def test_values_of_a_config_that_name_code_are_not_read(tmp_path):
    network = bart_folder(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text("utf-8"))
    code = {
        "auto_map": {"AutoModel": "code.Model"},
        "_attn_implementation": "someone/kernel",
        "quantization_config": {},
    }
    (tmp_path / "config.json").write_text(json.dumps({**config, **code}), "utf-8")
    assert torch.equal(logits(read_folder(Bart, tmp_path).eval().network), logits(network))


@pytest.fixture
def folder(tmp_path):
    bart_folder(tmp_path)
    return tmp_path


def change_config(folder, **values: object):
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **values}), "utf-8")


def test_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(MissingData, match="no folder"):
        read_folder(Bart, tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file(folder, name):
    (folder / name).unlink()
    with pytest.raises(MissingData, match=f"has no {name.replace('.', '[.]')}"):
        read_folder(Bart, folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize(
    "content", [b"", b"\x80\x04\x95", b"[1]", b"[" * 100_000], ids=["empty", "pickle", "list", "deep"]
)
def test_a_damaged_file(folder, name, content):
    (folder / name).write_bytes(content)
    with pytest.raises(BrokenFile):
        read_folder(Bart, folder)


def test_another_architecture(folder):
    with pytest.raises(UnsupportedFormat, match="a model of type 'bart'; expected 't5'"):
        read_folder(T5, folder)


def test_pickled_weights(folder):
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(UnsupportedFormat, match=r"as a pickle \(pytorch_model.bin\).*save_pretrained"):
        read_folder(Bart, folder)


def test_a_tokeniser_in_another_format(folder):
    (folder / "tokenizer.json").rename(folder / "vocab.json")
    (folder / "merges.txt").write_text("a b", "utf-8")
    with pytest.raises(
        UnsupportedFormat, match=r"as vocab.json and merges.txt, expected tokenizer.json.*AutoTokenizer"
    ):
        read_folder(Bart, folder)


def test_a_tokeniser_of_another_model(folder):
    t5_tokeniser().save(str(folder / "tokenizer.json"))
    with pytest.raises(UnsupportedFormat, match="semicolon"):
        read_folder(Bart, folder)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"d_model": 8}, r"\(\d+, 16\) instead of \(\d+, 8\)"),
        ({"decoder_layers": 3}, "decoder.layers.2.* missing"),
        ({"decoder_layers": 1}, "decoder.layers.1.* unknown"),
        ({"vocab_size": 999}, "instead of"),
    ],
)
def test_a_config_that_does_not_fit_the_weights(folder, values, message):
    change_config(folder, **values)
    with pytest.raises(BrokenFile, match=f"do not fit its config.*{message}"):
        read_folder(Bart, folder)


@pytest.mark.parametrize("values", [{"d_model": "wide"}, {"encoder_attention_heads": 3}, {"activation_function": "rm"}])
def test_a_config_that_makes_no_network(folder, values):
    change_config(folder, **values)
    with pytest.raises(BrokenFile, match="makes no bart network"):
        read_folder(Bart, folder)


@pytest.mark.parametrize("names", [{"a": "../outside.safetensors"}, {"a": 7}, [], None])
def test_an_index_that_names_other_files(folder, names):
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}), "utf-8")
    with pytest.raises(BrokenFile, match="does not name files of its folder"):
        read_folder(Bart, folder)


def test_a_file_that_is_too_large(folder, monkeypatch):
    monkeypatch.setattr(bart_t5, "_MOST_BYTES", 100)
    with pytest.raises(TooLarge, match="at most 100"):
        read_folder(Bart, folder)
