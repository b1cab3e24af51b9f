"""What is trained is what is served: mentions, head and encoder give the same corrections in torch and without it."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.builders import analysed, labelled
from tools.train.reader import export
from tools.train.reader.batching import batch_of, shuffled
from tools.train.reader.export import held_out, ship
from tools.train.reader.network import WIDTH, Reader
from tools.train.reader.prepare import Described, read
from tools.train.reader.prepare import readings as readings_of
from tools.train.reader.readings import Readings
from tools.train.reader.train import split, weighted
from tools.train.reader.training import LowerStates, Recipe, Training
from tools.train.reader.unpack_e5 import unpack_blocks
from transformers import BertConfig, BertModel

from keywright.core.documents import Style
from keywright.core.errors import BadParameter, BrokenFile, MissingData
from keywright.core.signatures import signature
from keywright.datasets.training_mix import TRAINING
from keywright.extraction.learners.examples import Examples
from keywright.extraction.learners.ranker import probability_maps
from keywright.extraction.ranking.context_reader import IN_CONTEXT, ContextReader
from keywright.extraction.ranking.language_resources import load_shipped_ranker
from keywright.extraction.systems.default import Default
from keywright.text.encoders import E5, MINILM, cut_windows

torch.set_num_threads(1)

TEXTS = (
    "Tide gauges measure the level of the Baltic Sea. We compare tide gauges with satellite altimetry.",
    "Graph colouring assigns colours to vertices. A greedy colouring of a sparse graph needs few colours.",
)
SHORT = "Sparse graphs. Vertices and colours."


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """Return the folder of a small encoder with random weights."""
    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(1)
    config = BertConfig(hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32)
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def described(text, keyphrases, number):
    document = analysed(text, language="en")
    shortlist = Default().view(document)[0].shortlist
    answers = np.isin(np.arange(len(shortlist)), keyphrases)
    rows = np.zeros((len(shortlist), 1))
    examples = tuple(
        Examples(f"{number:016x}", style, rows, answers, ("x",), weight)
        for style, weight in ((Style.READER, 0.5), (Style.GENERAL, 1.0))
    )
    return Described(0, cut_windows(document, MINILM.load_tokenizer()), shortlist, examples)


@pytest.fixture(scope="module")
def readings():
    documents = [described(text, (0, 3), number) for number, text in enumerate((*TEXTS, SHORT))]
    log_odds = [np.linspace(1, -3, len(document.shortlist)) for document in documents]
    read_texts = (read(document, [odds] * 2) for document, odds in zip(documents, log_odds, strict=True))
    return Readings.of(read_texts, [part.data for part in TRAINING])


def test_trees_learn_nothing_from_data_sets_that_are_left_out():
    """Of one data set, keyphrases have a 1 in the column, of the one left out a 0: trees prefer a 1 in both."""
    learnt, left_out = (part.data for part in TRAINING if part.data in {"nus/train", "news500n/train"})
    one = described(TEXTS[0], (0, 3), 0)
    documents = [of_part(one, learnt if number % 2 else left_out, number, ones=number % 2) for number in range(100)]
    prepared = readings_of(documents, [left_out])
    for number in range(100):
        for example, _ in prepared.answered(number, prepared.log_odds):
            difference = example.log_odds[example.answers].mean() - example.log_odds[~example.answers].mean()
            assert (difference > 1) if number % 2 else (difference < -1)


def of_part(document, data, number, ones):
    """Return a document under another number in a data set, with a column of 1 for keyphrases, or for all others."""
    examples = [
        replace(each, document=f"{number:016x}", rows=(each.answers == ones).astype(float)[:, None])
        for each in document.examples
    ]
    return replace(document, part=[part.data for part in TRAINING].index(data), examples=tuple(examples))


@pytest.fixture(scope="module", autouse=True)
def export_equal_weights_once():
    """Three of the readers that are shipped have the same weights, and an export takes seconds."""
    made, export_module = {}, export.export_module

    def export_once(module, tensors, axes, inputs, outputs):
        weights = b"".join(tensor.numpy().tobytes() for tensor in module.state_dict().values())
        if weights not in made:
            made[weights] = export_module(module, tensors, axes, inputs, outputs)
        return made[weights]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "export_module", export_once)
        yield


def reader_of(encoder):
    """Return a reader whose head does something."""
    torch.manual_seed(2)
    reader = Reader(encoder, 2, 1)
    torch.nn.init.normal_(reader.head.out.weight)
    return reader.eval()


@pytest.fixture(scope="module")
def shipped(encoder, tmp_path_factory):
    """Return the folder of a reader that is served, made once: an export takes seconds."""
    folder = tmp_path_factory.mktemp("shipped")
    ship(reader_of(encoder), {}, {"name": "test", "ranker": load_shipped_ranker().fingerprint}, folder)
    return folder


def corrections(reader, readings, documents):
    batch = batch_of(readings, documents).tensors()
    with torch.no_grad():
        return reader.head(reader.upper_states(reader.lower_states(batch.rows, batch.mask), batch.mask), batch).numpy()


def test_the_served_reader_gives_what_torch_gives(encoder, readings, tmp_path):
    reader = reader_of(encoder)
    served = ship(reader, {}, {"name": "test"}, tmp_path, share=0.5, exact=True)
    expected = 0.5 * corrections(reader, readings, [0])
    document = analysed(TEXTS[0], language="en")
    shortlist = Default().view(document)[0].shortlist
    log_odds = np.linspace(1, -3, len(shortlist))
    actual = [served.corrections(document, shortlist, log_odds, style) for style in (Style.READER, Style.GENERAL)]
    assert expected.std() > 0.05
    assert np.concatenate(actual) == pytest.approx(expected, abs=1e-5)


def test_embeddings_of_four_bits_are_served_as_they_were_packed(encoder, tmp_path):
    """By hand: the byte 0x2f has 15 and 2, which mean 7 and -6, at places 0 and 16 of a block, times its scale."""
    assert unpack_blocks(np.full((1, 16), 0x2F, np.uint8), np.float16([0.5]))[0].tolist() == [3.5] * 16 + [-3.0] * 16
    reader, draw = reader_of(encoder), np.random.default_rng(1)
    words = reader.embeddings.word_embeddings
    pairs = draw.integers(0, 256, (words.num_embeddings, WIDTH // 32, 16)).astype(np.uint8)
    scales = draw.uniform(0.01, 0.02, pairs.shape[:2]).astype(np.float16)
    np.savez(tmp_path / "embeddings.npz", pairs=pairs, scales=scales)
    whole = unpack_blocks(pairs.reshape(-1, 16), scales.reshape(-1)).reshape(words.weight.shape)
    words.weight.data = torch.from_numpy(whole)
    served = ship(reader, {}, {}, tmp_path, exact=True, packed=tmp_path / "embeddings.npz")
    pieces = np.array([7, 1, 30])
    with torch.no_grad():
        rows = torch.tensor([[0, 7, 1, 30, 2]])
        mask = torch.ones_like(rows, dtype=torch.bool)
        expected = reader.upper_states(reader.lower_states(rows, mask), mask)[0].numpy()
    assert (served.encoder.pieces, served.encoder.file.name) == (E5, "reader_any.onnx")
    assert served.encoder.states(pieces) == pytest.approx(expected, abs=1e-5)


def test_documents_of_a_batch_do_not_change_each_other(encoder, readings):
    """The texts have different lengths, so that rows are padded."""
    reader = reader_of(encoder)
    alone = [corrections(reader, readings, [number]) for number in (2, 0, 1)]
    assert corrections(reader, readings, [2, 0, 1]) == pytest.approx(np.concatenate(alone), abs=1e-5)


def training(encoder, readings, file, epochs=3):
    torch.manual_seed(1)
    reader = Reader(encoder, 2, 1)
    every = np.arange(len(readings))
    return Training(
        reader, readings, every, Recipe(2, 1, epochs, rate=1e-3), LowerStates(reader, readings, file.parent), file
    )


def test_training_learns_which_candidates_people_chose(encoder, readings, tmp_path):
    trained = training(encoder, readings, tmp_path / "a.pt", epochs=100)
    before = trained.held_out(np.arange(3))[0]
    trained.run()
    after = trained.held_out(np.arange(3))[0]
    answers = np.concatenate([readings.answers[readings.within(readings.answer_bounds, row)] for row in (0, 1)])
    assert after[answers].mean() - before[answers].mean() > 1
    assert after[~answers].mean() < before[~answers].mean()


def test_the_states_of_another_encoder_are_in_another_file(encoder, readings, tmp_path):
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        reader = Reader(encoder, 2, 1)
        if seed == 2:
            torch.nn.init.zeros_(reader.lower[0].output.dense.weight)
        LowerStates(reader, readings, tmp_path)
    assert len(list(tmp_path.glob("lower1-*.npy"))) == 2


def test_a_training_that_was_stopped_reaches_the_same_weights(encoder, readings, tmp_path, monkeypatch):
    whole = training(encoder, readings, tmp_path / "whole.pt")
    whole.run()

    class StoppedError(Exception):
        pass

    def stop_behind_the_first(self, documents, total, optimiser):
        if (tmp_path / "parts.pt").exists():
            raise StoppedError
        step(self, documents, total, optimiser)

    step = Training._step
    monkeypatch.setattr("tools.train.reader.training._SAVE_EVERY", -1.0)
    stopped = training(encoder, readings, tmp_path / "parts.pt")
    with monkeypatch.context() as patched:
        patched.setattr(Training, "_step", stop_behind_the_first)
        with pytest.raises(StoppedError):
            stopped.run()
    resumed = training(encoder, readings, tmp_path / "parts.pt")
    resumed.run()
    for first, second in zip(whole.reader.parameters(), resumed.reader.parameters(), strict=True):
        assert torch.equal(first, second)
    other = training(encoder, readings, tmp_path / "parts.pt", epochs=4)
    with pytest.raises(SystemExit, match="was trained by"):
        other.run()


def test_every_document_is_in_one_batch(readings):
    """With marks the texts have 24, 22 and 9 pieces, so that two rows fill at most 48."""
    assert readings.longest.tolist() == [24, 22, 9]
    batches = shuffled(readings, np.arange(3), 48, 1)
    assert sorted(number for batch in batches for number in batch) == [0, 1, 2]
    assert sorted(map(len, batches)) == [1, 2]


def test_the_default_with_a_reader(encoder, readings, tmp_path):
    """Log-odds are those of the default and the corrections, which are evidence; probabilities are the reader's."""
    np.savez(tmp_path / "half.npz", documents=[0, 1, 2], log_odds=readings.log_odds)
    maps = probability_maps(held_out(readings, [tmp_path / "half.npz"]))
    assert sorted(maps) == ["general", "reader"]
    served = ship(reader_of(encoder), maps, {"name": "test", "ranker": load_shipped_ranker().fingerprint}, tmp_path)
    document = analysed(TEXTS[0], language="en")
    plain = Default(style="reader", any_domain=True)
    best = replace(plain, quality="best", reader=served)
    before, after = plain.extract(document), best.extract(document)
    assert len(before) == len(after)
    every = np.arange(len(after))
    texts = [[text for text, _ in ranking.phrases(every)] for ranking in (before, after)]
    order = [texts[0].index(text) for text in texts[1]]
    assert after.scores - before.scores[order] == pytest.approx(after.evidence(every)[IN_CONTEXT], abs=1e-9)
    assert after.probabilities(every) == pytest.approx(maps["reader"].of(after.scores))
    together = best.extract_together([document, analysed(TEXTS[1], language="en"), analysed("", language="en")])
    assert together[0].scores.tolist() == after.scores.tolist()
    assert len(together[2]) == 0
    identity = signature(best)
    assert f"reader@{served.encoder.sha256[:8]}+" in identity
    assert "reader@" not in signature(plain)
    recalibrated = replace(served, probability={"general": maps["reader"]})
    assert signature(replace(best, reader=recalibrated)) != identity
    french = best.extract(analysed("Les marées de la mer Baltique montent avec le vent.", language="fr"))
    assert "ranked without the encoder" in french.warnings[-1]


def test_other_files_are_refused(shipped, tmp_path):
    shutil.copytree(shipped, tmp_path, dirs_exist_ok=True)
    (tmp_path / "reader_en.onnx").write_bytes(b"other weights")
    document = analysed(TEXTS[0], language="en")
    with pytest.raises(BrokenFile, match="SHA-256"):
        Default(quality="best", reader=ContextReader.load(tmp_path / "reader_en.npz")).extract(document)
    (tmp_path / "reader_en.onnx").unlink()
    with pytest.raises(MissingData, match=r"reader_en\.onnx"):
        Default(quality="best", reader=ContextReader.load(tmp_path / "reader_en.npz")).extract(document)
    (tmp_path / "reader_en.npz").write_bytes(b"no arrays")
    with pytest.raises(BrokenFile, match="cannot be read"):
        ContextReader.load(tmp_path / "reader_en.npz")
    with pytest.raises(MissingData):
        ContextReader.load(tmp_path / "none.npz")


def test_trees_of_its_own_have_no_quality_best(shipped):
    """The encoder learnt what the shipped trees miss: other trees, and training, are refused."""
    best = Default(quality="best", reader=ContextReader.load(shipped / "reader_en.npz"))
    with pytest.raises(BadParameter, match="trees of its own"):
        replace(best, ranker=load_shipped_ranker("fr"))
    with pytest.raises(BadParameter, match="trees of its own"):
        best.fit([labelled(TEXTS[0], "tide gauges")])
    assert replace(best, quality="standard").reader is None


def test_a_half_is_held_out_and_crowds_do_not_teach_the_general_style(readings):
    """Each document has an example of readers with the weight .5 and one of the general style with the weight 1."""
    numbers = [[part.data for part in TRAINING].index(data) for data in ("nus/train", "news500n/train", "nus/train")]
    ids = np.array([0, 1, 3], np.uint64)
    three = replace(readings, part=np.array(numbers), id=ids)
    assert weighted(three, 0.4).weight.tolist() == [0.5, 0.4, 0.5, 0, 0.5, 0.4]
    learned, held_out = split(three, 0, [], 1)
    assert (learned.tolist(), held_out.tolist()) == ([1, 2], [0])
    learned, held_out = split(three, None, ["news500n/train"], 1)
    assert (learned.tolist(), held_out.tolist()) == ([0, 2], [1])


def test_readings_of_a_folder(readings, tmp_path):
    with pytest.raises(SystemExit, match="prepare"):
        Readings.load(tmp_path / "folder")
    readings.save(tmp_path / "folder")
    assert Readings.load(tmp_path / "folder").answers.tolist() == readings.answers.tolist()
