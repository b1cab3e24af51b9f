"""BART and T5 at tiny sizes: probabilities and lists are those of transformers, and they learn what they are given."""

import itertools
import json
import random

import pytest
import torch
from safetensors.torch import load_model, save_model

from keywright.core.errors import BadParameter, BrokenFile, UnsupportedFormat
from keywright.neural.data.examples import Example, Limits
from keywright.neural.data.subwords import train_byte_level, train_unigram
from keywright.neural.decoding.phrases import Decoding
from keywright.neural.decoding.pieces import PieceSequences
from keywright.neural.model_folder import load_generator, save_generator
from keywright.neural.models.bart_t5 import T5, Bart
from keywright.neural.models.pretrained import PieceSize

SIZE = {"width": 16, "heads": 4, "inner": 32, "layers": 2, "dropout": 0.0}
EXAMPLES = [
    Example(
        "long",
        tuple(
            "the tidal energy of barrier grids . <title_end> we use <digit> tidal grids for energy and power".split()
        ),
        (("tidal", "energy"), ("grids",)),
        (("renewable", "power", "<digit>"),),
    ),
    Example("short", tuple("barrier methods . <title_end> interior points".split()), (("barrier", "methods"),), ()),
    Example("plain", ("power", "grids"), (("power", "grids"),), (("energy",),)),
]
SOURCES = [example.source for example in EXAMPLES]
KINDS = pytest.mark.parametrize("kind", [Bart, T5])


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def models():
    return {kind: made(kind) for kind in (Bart, T5)}


def made(kind):
    """Return a model that has begun to learn, so that it writes lists which depend on their sources."""
    torch.manual_seed(0)
    model = kind.from_config(SIZE, kind.files_from(EXAMPLES, 330 if kind is Bart else 60))
    for _ in trained(model, EXAMPLES, 50):
        pass
    return model.eval()


def trained(model, examples, steps):
    """Yield the number of each step made on all examples."""
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(1, steps + 1):
        model.train()
        loss = model.loss(examples)
        (loss.total / loss.tokens).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        yield step


def generated(model, sources, longest=25, **settings: object):
    with torch.inference_mode():
        return model.generate(sources, Decoding(longest=longest, **settings))


def numbers_of(model, phrases):
    """Return numbers of pieces of each phrase."""
    return [[model.subwords.number(piece) for piece in phrase.generation.tokens] for phrase in phrases]


@pytest.mark.parametrize(
    ("kind", "pieces", "parameters"), [(Bart, 50_265, 139.4e6), (T5, 32_128, 222.9e6)], ids=["BART-base", "T5-base"]
)
def test_full_size_is_that_of_the_papers(kind, pieces, parameters):
    """139 and 220 million are published; the exact counts are those of the published weights."""
    with torch.device("meta"):
        network = kind.network_class(kind.make_config(kind.paper, pieces))
    assert sum(weight.numel() for weight in network.parameters()) == pytest.approx(parameters, rel=0.001)


@KINDS
def test_greedy_lists_are_those_of_transformers(kind, models):
    """The library decodes the padded batch; without its processors, its greedy search takes the same pieces."""
    model = models[kind]
    sequences = model.sequences
    rows = [sequences.source(source) for source in SOURCES]
    pad = model.network.config.pad_token_id
    width = max(map(len, rows))
    settings = model.network.generation_config
    settings.forced_eos_token_id = None
    output = model.network.generate(
        torch.tensor([row + [pad] * (width - len(row)) for row in rows]),
        attention_mask=torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows]),
        decoder_input_ids=torch.tensor([list(sequences.marks.prefix)] * len(rows)),
        max_new_tokens=25,
        do_sample=False,
        num_beams=1,
    )
    separators = {sequences.marks.separator, sequences.marks.end}
    for row, phrases in zip(output.tolist(), generated(model, SOURCES), strict=True):
        written = row[len(sequences.marks.prefix) :]
        if sequences.marks.end in written:
            written = written[: written.index(sequences.marks.end)]
        groups = itertools.groupby(written, key=separators.__contains__)
        expected = [list(group) for is_mark, group in groups if not is_mark]
        assert numbers_of(model, phrases) == [each for each in expected if model.subwords.words(texts(model, each))]


def texts(model, numbers):
    return [model.subwords.piece(number) for number in numbers]


@KINDS
def test_loss_is_that_of_transformers(kind, models):
    """The library builds the decoder's input from the labels by itself, and returns the mean over them."""
    model, example = models[kind], EXAMPLES[0]
    sequences = model.sequences
    labels = [*sequences.marks.prefix[1:], *sequences.target(example.phrases)]
    reference = model.network(
        input_ids=torch.tensor([sequences.source(example.source)]), labels=torch.tensor([labels])
    ).loss
    loss = model.loss([example])
    assert loss.tokens == len(labels)
    assert loss.total.item() / loss.tokens == pytest.approx(reference.item(), abs=1e-5)


@KINDS
def test_a_batch_loses_as_much_as_its_examples(kind, models):
    parts = [models[kind].loss([example]) for example in EXAMPLES]
    together = models[kind].loss(EXAMPLES)
    assert together.tokens == sum(part.tokens for part in parts)
    assert together.total.item() == pytest.approx(sum(part.total.item() for part in parts), abs=1e-3)


@KINDS
@pytest.mark.parametrize(
    "settings", [{}, {"strategy": "beam", "width": 3}, {"present_only": True}], ids=["greedy", "beam", "present only"]
)
def test_a_batch_writes_what_its_sources_write_alone(kind, settings, models):
    together = generated(models[kind], SOURCES, **settings)
    alone = [generated(models[kind], [source], **settings)[0] for source in SOURCES]
    for phrases, others in zip(together, alone, strict=True):
        assert [phrase.words for phrase in phrases] == [phrase.words for phrase in others]
        for phrase, other in zip(phrases, others, strict=True):
            values = other.generation.log_probabilities
            assert phrase.generation.log_probabilities == pytest.approx(values, abs=1e-5)
            assert phrase.generation.end == pytest.approx(other.generation.end, abs=1e-5)


@KINDS
@pytest.mark.parametrize(
    "settings",
    [{}, {"strategy": "beam", "width": 3}, {"strategy": "sampling", "width": 3}, {"present_only": True}],
    ids=["greedy", "beam", "sampling", "present only"],
)
def test_probabilities_step_by_step_are_those_of_a_plain_pass(kind, settings, models, monkeypatch):
    """Whole sequences, delimiters and all, before they are cut into phrases."""
    written = []
    monkeypatch.setattr(PieceSequences, "phrases", lambda _, each, _source: written.append(each) or [])
    generated(models[kind], SOURCES, **settings)
    width = settings.get("width", 1)
    assert len(written) == width * len(SOURCES)
    for place, each in enumerate(written):
        forced = forced_values(models[kind], SOURCES[place // width], each.words)
        assert each.log_probabilities == pytest.approx(forced, abs=1e-4)


def forced_values(model, source, numbers):
    """Return log-probabilities by a plain pass over the whole sequence."""
    sequences = model.sequences
    inputs = [*sequences.marks.prefix, *numbers]
    with torch.inference_mode():
        logits = model.network(
            input_ids=torch.tensor([sequences.source(source)]),
            decoder_input_ids=torch.tensor([inputs]),
            use_cache=False,
        ).logits[0]
    rows = logits.log_softmax(-1)[len(sequences.marks.prefix) - 1 :]
    return [rows[step, number].item() for step, number in enumerate(numbers)]


@KINDS
def test_scores_are_those_of_a_plain_pass(kind, models):
    model = models[kind]
    phrases = [[("tidal", "energy"), ("solar", "<digit>")], [], [("grids",)]]
    with torch.inference_mode():
        scored = [model.score(*each) if each[1] else [] for each in zip(SOURCES, phrases, strict=True)]
    assert [[phrase.words for phrase in row] for row in scored] == phrases
    for source, row in zip(SOURCES, scored, strict=True):
        for phrase, numbers in zip(row, numbers_of(model, row), strict=True):
            values = forced_values(model, source, [*numbers, model.end])
            assert phrase.generation.log_probabilities == pytest.approx(values[:-1], abs=1e-5)
            assert phrase.generation.end == pytest.approx(values[-1], abs=1e-5)
            assert phrase.generation.words == len(phrase.words)


@KINDS
@pytest.mark.parametrize("strategy", ["greedy", "beam", "sampling"])
def test_present_only_writes_phrases_of_the_source(kind, strategy, models):
    lists = generated(models[kind], SOURCES, strategy=strategy, width=4, present_only=True, longest=40)
    assert all(lists)
    for source, phrases in zip(SOURCES, lists, strict=True):
        text = f" {' '.join(source)} "
        assert all(f" {' '.join(phrase.words)} " in text for phrase in phrases)
        assert not any("<title_end>" in phrase.words for phrase in phrases)


@KINDS
def test_samples_depend_on_the_seed_only(kind, models):
    settings = {"strategy": "sampling", "width": 3, "temperature": 2.0}
    first, again, other = (generated(models[kind], SOURCES, seed=seed, **settings) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@KINDS
@torch.inference_mode()
def test_hypotheses_that_change_places_share_what_belongs_to_their_document(kind, models):
    """Rows 0 and 1 are of one document, row 2 is of another: only an order that mixes documents copies sources."""
    model = models[kind]
    memory = model._encode(SOURCES[:2]).rows(torch.tensor([0, 0, 1]))
    _, memory = model.step(memory, torch.tensor([model.begin, model.end, model.begin]))
    of_step = memory.cache.self_attention_cache.layers[0].keys.clone()
    of_source = memory.cache.cross_attention_cache.layers[0].keys
    swapped = memory.rows(torch.tensor([1, 0, 2]))
    assert swapped.states is memory.states
    assert swapped.cache.cross_attention_cache.layers[0].keys is of_source
    assert swapped.cache.self_attention_cache.layers[0].keys.equal(of_step[[1, 0, 2]])
    mixed = swapped.rows(torch.tensor([2, 0]))
    assert mixed.document.tolist() == [1, 0]
    assert mixed.states.equal(memory.states[[2, 0]])
    assert mixed.cache.cross_attention_cache.layers[0].keys.equal(of_source[[2, 0]])


@KINDS
def test_the_same_network_from_config_and_files(kind, models, tmp_path):
    model = models[kind]
    save_model(model, tmp_path / "model.safetensors")
    again = kind.from_config(model.config(), model.files())
    load_model(again, tmp_path / "model.safetensors")
    assert again.eval().config() == model.config()
    assert generated(again, SOURCES) == generated(model, SOURCES)


@KINDS
def test_the_same_network_from_a_folder(kind, models, tmp_path):
    """Tied weights are stored once; an output of its own stays so."""
    model = models[kind]
    save_generator(model, Limits(), tmp_path, {})
    again, _, _ = load_generator(tmp_path)
    assert isinstance(again, kind)
    assert generated(again, SOURCES) == generated(model, SOURCES)
    config = json.loads((tmp_path / "config.json").read_text("utf-8"))
    assert config["config"] == model.config()


@KINDS
def test_a_folder_whose_config_does_not_fit(kind, models, tmp_path):
    model = kind.from_config(models[kind].config(), models[kind].files())
    model.network.config.update({"d_ff": 48, "encoder_ffn_dim": 48})
    save_generator(model, Limits(), tmp_path, {})
    with pytest.raises(BrokenFile, match="do not fit"):
        load_generator(tmp_path)


@KINDS
def test_broken_configs_are_refused(kind, models):
    config, files = models[kind].config(), models[kind].files()
    with pytest.raises(BrokenFile, match="no tokenizer"):
        kind.from_config(config, {})
    with pytest.raises(BrokenFile, match="pieces, the network"):
        kind.from_config({**config, "vocab_size": 8}, files)
    for value in ("wide", -1, None, 0.5):
        with pytest.raises(BrokenFile, match=f"makes no {kind.name} network"):
            kind.from_config({**config, "d_model": value}, files)
    for value in (None, -1, 9999, "2"):
        with pytest.raises(BrokenFile):
            kind.from_config({**config, "eos_token_id": value}, files)
    with pytest.raises(BadParameter, match="the heads divide"):
        kind.from_config({**SIZE, "heads": 3}, files)


def test_tokenisers_of_the_other_kind_are_refused():
    with pytest.raises(UnsupportedFormat, match="semicolon"):
        Bart.from_config(SIZE, {"tokenizer.json": train_unigram(EXAMPLES, 60).as_json()})
    with pytest.raises(UnsupportedFormat, match="<sep>"):
        T5.from_config(SIZE, {"tokenizer.json": train_byte_level(EXAMPLES, 330).as_json()})


def test_sources_are_cut_at_the_last_position(models):
    """Twelve positions for nineteen words; learned positions end, relative ones do not."""
    model = Bart.from_config({**models[Bart].config(), "max_position_embeddings": 12}, models[Bart].files()).eval()
    read = model.count_read(SOURCES[0])
    assert 0 < read < len(SOURCES[0])
    assert len(model.sequences.source(SOURCES[0])) <= 12
    assert generated(model, [SOURCES[0][:read]], longest=11) == generated(model, SOURCES[:1], longest=11)
    assert torch.isfinite(model.loss(EXAMPLES).total)
    with pytest.raises(BadParameter, match="sequences of 12 pieces; the network has 12 positions"):
        generated(model, SOURCES, longest=12)
    assert T5.from_config(models[T5].config(), models[T5].files()).count_read(SOURCES[0] * 500) == len(SOURCES[0]) * 500


@KINDS
def test_documents_are_learned_by_heart(kind):
    """Copying from the source, and an absent phrase that only the weights can know, for each of twelve documents."""
    examples = list(synthetic(12))
    torch.manual_seed(0)
    model = kind.from_config({**SIZE, "width": 48, "inner": 96}, kind.files_from(examples, 400))
    for step in trained(model, examples, 100):
        if step % 10 == 0 and f1(model.eval(), examples) > 0.95:
            return
    pytest.fail("100 steps did not teach 12 documents")


def synthetic(count):
    """Yield documents of twenty made-up words, with two phrases of the source and one of other words."""
    choose = random.Random(0)  # noqa: S311  (no secret)
    syllables = [first + second for first in "bdfgklmnprst" for second in "aeiou"]
    words = ["".join(choose.sample(syllables, choose.choice((2, 3)))) for _ in range(120)]
    for number in range(count):
        source = choose.sample(words, 20)
        present = (tuple(source[6:8]), (source[9],))
        absent = (tuple(choose.sample(words, 2)),)
        yield Example(str(number), (*source[:4], ".", "<title_end>", *source[4:]), present, absent)


def f1(model, examples):
    lists = generated(model, [example.source for example in examples], longest=60)
    predicted = [{phrase.words for phrase in phrases} for phrases in lists]
    right = sum(len(phrases & set(example.phrases)) for phrases, example in zip(predicted, examples, strict=True))
    return 2 * right / (sum(map(len, predicted)) + sum(len(example.phrases) for example in examples))


def test_sizes_are_checked():
    with pytest.raises(BadParameter, match="width 10, heads 3"):
        PieceSize(width=10, heads=3)
    with pytest.raises(BadParameter):
        PieceSize(layers=0)
