"""Encoders from folders, addresses and functions, and what is refused."""

import json
import pickle

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper
from safetensors.numpy import save_file
from tests.model_server import Reply, serve_model
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel

import keywright as kw
from keywright.core import model_address
from keywright.core.errors import BadParameter, BrokenFile, KeywrightError, MissingData
from keywright.core.signatures import signature
from keywright.text.user_encoders import UserEncoder, check_embeddings, make_encoder

WORDS = ("[UNK]", "grid", "job", "river", "tide")
TABLE = np.array([[0.1, 0.1], [1, 0], [3, 4], [0, 2], [-2, 0]], np.float32)
TEXT = "Grid jobs queue. The grid scheduler waits for grid jobs near the river."


def words_folder(folder):
    """A folder with a tokeniser of five words."""
    tokenizer = Tokenizer(models.WordLevel({word: row for row, word in enumerate(WORDS)}, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_a_folder_of_model2vec_gives_means_of_its_rows(tmp_path):
    save_file({"embeddings": TABLE}, words_folder(tmp_path) / "model.safetensors")
    vectors = make_encoder(str(tmp_path))(["grid", "grid job", "river grid", "grid"])
    assert vectors.tolist() == [[1, 0], [2, 2], [0.5, 1], [1, 0]]


def test_a_table_can_have_weights_and_a_mapping(tmp_path):
    columns = {
        "embeddings": TABLE[1:],
        "mapping": np.array([0, 0, 1, 2, 3], np.int64),
        "weights": np.array([1, 2, 0.5, 1, 1], np.float32),
    }
    save_file(columns, words_folder(tmp_path) / "model.safetensors")
    assert make_encoder(str(tmp_path))(["grid", "grid job"]).tolist() == [[2, 0], [1.75, 1]]


def test_weights_for_torch_give_the_mean_of_the_last_layer(tmp_path):
    torch.manual_seed(1)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    model = BertModel(BertConfig(vocab_size=5, **sizes)).eval()
    model.save_pretrained(words_folder(tmp_path))
    with torch.inference_mode():
        states = model(input_ids=torch.tensor([[1, 2, 4]])).last_hidden_state[0].numpy()
    vectors = make_encoder(str(tmp_path))(["grid", "grid job tide"])
    assert vectors[1] == pytest.approx(states.mean(axis=0), abs=1e-6)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    from keywright.text import user_encoders  # noqa: PLC0415 - its cache holds the folder as it was

    user_encoders.load_folder.cache_clear()
    assert make_encoder(str(tmp_path))(["grid job tide"])[0] == pytest.approx(states[0], abs=1e-6)


def test_onnx_is_taken_before_other_weights_and_long_texts_are_read_in_pieces(tmp_path):
    words_folder(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"not read")
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 3}')
    (tmp_path / "onnx").mkdir()
    table = helper.make_tensor("table", TensorProto.FLOAT, TABLE.shape, TABLE.ravel().tolist())
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["states"])],
        "table",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])],
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["texts", "tokens", 2])],
        [table],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(tmp_path / "onnx" / "model.onnx"))
    # Pieces of three and two tokens; weighted by tokens the mean is that of all five: (1 + 1 + 1 + 3 + 3) / 5, 8 / 5.
    vectors = make_encoder(str(tmp_path))(["grid grid grid job job", "river"])
    assert vectors == pytest.approx(np.array([[1.8, 1.6], [0, 2]]))


def test_an_address_gives_vectors_in_any_order_and_in_batches():
    with serve_model() as server:
        encoder = make_encoder(f"{server.url}#letters")
        texts = [f"text {'a' * number}" for number in range(70)]
        vectors = encoder(texts)
        prediction = kw.extract(TEXT, system=kw.system("embedrank", encoder=f"{server.url}#letters"))
    assert vectors.shape == (70, 26)
    assert vectors[:, 0].round(2).tolist() == [number + 0.01 for number in range(70)]
    assert [len(request["input"]) for request in server.requests[:2]] == [64, 6]
    assert server.requests[0]["model"] == "letters"
    assert f"the text was sent to {server.url.split('/')[2]}" in prediction.warnings
    assert encoder.fingerprint == "embeddings#letters"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]}, "several lengths"),
        ({"data": [{"index": 0, "embedding": [1, 2]}]}, "shape (1, 2)"),
        ({"choices": []}, "not of embeddings"),
        ({"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": "AAAA"}]}, "not numbers"),
    ],
)
def test_answers_that_are_no_vectors_are_refused(data, message, monkeypatch):
    monkeypatch.setattr("tests.model_server.embeddings", lambda *_: Reply(json.dumps(data)))
    with serve_model() as server, pytest.raises(BadParameter) as caught:
        make_encoder(server.url)(["grid", "tide"])
    assert message in str(caught.value)


def test_an_address_that_does_not_answer_costs_the_document(monkeypatch):
    monkeypatch.setattr(model_address, "FIRST_WAIT", 0.0)
    with pytest.raises(KeywrightError, match="cannot be reached"):
        kw.extract(TEXT, system=kw.system("keybert", encoder="http://127.0.0.1:1/v1"))


WRONG = {
    "one dimension": (np.ones(2), "shape (2,)"),
    "too few rows": (np.ones((1, 3)), "shape (1, 3)"),
    "no columns": (np.ones((2, 0)), "shape (2, 0)"),
    "not finite": (np.array([[1.0, np.nan], [1.0, 1.0]]), "1 of 2 vectors with numbers that are not finite"),
    "zeros": (np.zeros((2, 3)), "2 of 2 vectors with zeros only"),
    "several lengths": ([[1.0], [1.0, 2.0]], "several lengths"),
    "texts": ([["a"], ["b"]], "not numbers"),
    "nothing": (None, "not numbers"),
}


@pytest.mark.parametrize("name", WRONG)
def test_arrays_of_functions_are_checked(name):
    array, message = WRONG[name]
    with pytest.raises(BadParameter) as caught:
        make_encoder(lambda _texts: array)(["grid", "tide"])
    assert message in str(caught.value) or "shape ()" in str(caught.value)


def test_a_function_encodes_each_text_once():
    asked = []

    def letters(texts):
        asked.append(list(texts))
        return [[1.0, len(text)] for text in texts]

    assert make_encoder(letters)(["a", "bb", "a"]).tolist() == [[1, 1], [1, 2], [1, 1]]
    assert asked == [["a", "bb"]]
    system = kw.system("embedrank", encoder=letters)
    assert "letters" in signature(system)
    assert kw.extract(TEXT, system=system).texts


def test_folders_without_weights_or_tokeniser_say_so(tmp_path):
    with pytest.raises(MissingData, match="no weights"):
        make_encoder(str(tmp_path))
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(MissingData, match="has no tokeniser"):
        kw.system("embedrank", encoder=str(tmp_path))
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BrokenFile, match="cannot be read"):
        make_encoder(str(tmp_path))(["grid"])
    words_folder(tmp_path)
    with pytest.raises(BrokenFile, match="cannot be read"):
        make_encoder(str(tmp_path))(["grid"])


def test_a_signature_has_the_hash_of_the_weights_and_no_path(tmp_path):
    save_file({"embeddings": TABLE}, words_folder(tmp_path) / "model.safetensors")
    system = kw.system("keybert", encoder=str(tmp_path), longest=2)
    assert str(tmp_path) not in signature(system)
    assert UserEncoder(str(tmp_path)).fingerprint in signature(system)
    assert pickle.loads(pickle.dumps(system)) == system
    assert kw.extract(TEXT, system=system).texts


def test_no_texts_have_no_vectors():
    assert check_embeddings(np.zeros((0, 3)), 0, "the encoder").shape == (0, 3)
