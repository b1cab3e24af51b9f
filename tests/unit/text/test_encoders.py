"""The offline encoder: right sizes, no dependence on neighbours, nearness as expected, clear errors."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed

from keywright.core.errors import MissingExtra, WrongFingerprint
from keywright.extraction.candidates.ngrams import ngrams
from keywright.text import encoders
from keywright.text.encoders import DIMENSIONS, E5, LONGEST, MINILM, MiniLM, PieceMemory, cut_windows


def cosine(one, other):
    return one @ other / np.linalg.norm(one) / np.linalg.norm(other)


def test_near_phrases_are_near():
    network, net, cooking, empty = MiniLM()(["neural network", "deep neural nets", "vegetable cooking", ""])
    assert network.shape == (DIMENSIONS,)
    assert cosine(network, net) > 0.6 > cosine(network, cooking)
    assert np.isfinite(empty).all()


def test_neighbours_do_not_change_an_embedding():
    phrases = [f"{one} {other}" for one in ("grid", "wireless sensor", "a") for other in ("computing", "nodes of nets")]
    together, alone = MiniLM()(phrases), np.vstack([MiniLM()([phrase]) for phrase in phrases])
    assert together == pytest.approx(alone, abs=1e-5)
    assert MiniLM()(phrases[::-1]) == pytest.approx(together[::-1], abs=1e-5)


def test_a_long_text_is_read_to_its_end_in_pieces_weighed_by_their_tokens():
    """126 words of one token each and two marks fill a piece: the mean of two pieces is by 128 and 2 + 14 tokens."""
    head, tail = "grid " * 126, "river " * 14
    long, first, second = MiniLM()([head + tail, head, tail])
    assert long == pytest.approx((first * 128 + second * 16) / 144, abs=1e-5)


def test_a_text_that_fills_one_piece_is_one_piece():
    """127 words are one too many for a piece of 126 and two marks."""
    network = encoders._load_network()
    full, more = network.tokenizer.encode_batch(["grid " * 126, "grid " * 127])
    assert (len(full.ids), len(full.overflowing)) == (128, 0)
    assert [len(piece.ids) for piece in more.overflowing] == [3]


def test_equal_texts_are_computed_once(monkeypatch):
    network, seen = encoders._load_network(), []

    def run(tokens, _mask):
        seen.append(tokens.shape)
        return np.ones((*tokens.shape, DIMENSIONS), np.float32)

    monkeypatch.setattr(encoders, "_load_network", lambda: encoders.Network(network.tokenizer, run))
    assert MiniLM()(["grid", "sensor", "grid"]) == pytest.approx(np.ones((3, DIMENSIONS)))
    assert seen == [(2, 3)]


def test_batches_are_bounded_in_rows_and_tokens():
    pieces = [(0, [1] * 3)] * 40 + [(0, [1] * 128)] * 9
    assert [(len(some), len(some[-1][1])) for some in encoders._batches(pieces)] == [
        (32, 3),
        (8, 3),
        (8, 128),
        (1, 128),
    ]


def test_no_phrases():
    assert MiniLM()([]).shape == (0, DIMENSIONS)


def test_its_name_says_which_weights():
    assert MiniLM().fingerprint == "minilm_l6_v2_int8@8199be6f+be50c362"


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    encoders._load_network.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"\.\[embed\]"):
        MiniLM()(["a"])


def test_other_weights_are_refused(monkeypatch):
    encoders._load_network.cache_clear()
    monkeypatch.setattr(encoders, "WEIGHTS", "0" * 64)
    with pytest.raises(WrongFingerprint, match="weights"):
        MiniLM()(["a"])


@pytest.fixture(scope="module")
def tokenizer():
    return MINILM.load_tokenizer()


def words_of(windows, tokenizer, number):
    return tokenizer.decode(windows.window(number).tolist())


def test_a_short_text_is_one_window(tokenizer):
    windows = cut_windows(analysed("Grid computing. Sensors sleep."), tokenizer)
    assert len(windows) == 1
    assert words_of(windows, tokenizer, 0) == "grid computing. sensors sleep."


def test_windows_end_with_sentences_and_lose_nothing(tokenizer):
    """Each sentence has 100 words of one piece and a full stop: two fit into 254 pieces, a third does not."""
    text = " ".join(f"{'Grid' + ' grid' * 99}." for _ in range(5))
    windows = cut_windows(analysed(text), tokenizer)
    assert np.diff(windows.bounds).tolist() == [202, 202, 101]
    assert windows.pieces.tolist() == tokenizer.encode(text, add_special_tokens=False).ids


def test_a_sentence_longer_than_a_window_is_cut_into_full_ones(tokenizer):
    text = f"Rivers flow. {'Grid' + ' grid' * 599}. Rivers flow."
    windows = cut_windows(analysed(text), tokenizer)
    assert np.diff(windows.bounds).tolist() == [3, LONGEST, LONGEST, 601 + 3 - 2 * LONGEST]


def test_mentions_lie_where_their_words_are(tokenizer):
    """Pieces: a | sub | ##graph | iso ... as the vocabulary splits them; every mention decodes to its words."""
    text = "A subgraph isomorphism is hard. Subgraph isomorphism, says Erd\N{LATIN SMALL LETTER O WITH DOUBLE ACUTE}s."
    document = analysed(text)
    windows, candidates = cut_windows(document, tokenizer), ngrams(document, longest=2)
    window, first, last = windows.mentions(candidates)
    read = [
        tokenizer.decode(windows.window(number)[begin : end + 1].tolist())
        for number, begin, end in zip(window, first, last, strict=True)
    ]
    assert read.count("subgraph isomorphism") == 2
    assert "erdos" in read


def test_a_mention_across_the_end_of_a_window_ends_with_it(tokenizer):
    """The words at 253 and 254 of a long sentence are the last of one window and the first of the next."""
    document = analysed("Grid" + " grid" * 252 + " sensor nodes" + " grid" * 50 + ".")
    windows, candidates = cut_windows(document, tokenizer), ngrams(document, longest=2)
    index = next(
        number
        for number in range(len(candidates))
        if candidates.length[number] == 2 and candidates.first[number] == LONGEST - 1
    )
    alone = candidates.where(np.arange(len(candidates)) == index)
    assert [column.tolist() for column in windows.mentions(alone)] == [[0], [LONGEST - 1], [LONGEST - 1]]


@pytest.mark.parametrize("text", ["", " \n", "\N{ZERO WIDTH SPACE}"])
def test_nothing_to_read_is_no_window(text, tokenizer):
    assert len(cut_windows(analysed(text), tokenizer)) == 0


SIGNS = "grid|- |\n|\t|\x0b|\x0c|\x1c|\x85|\xa0|\u3000|e\u0301|\u200b|\u4e2d|-|\x00".split("|")


@pytest.fixture(scope="module")
def of_languages():
    return E5.load_tokenizer()


@given(parts=st.lists(st.sampled_from(SIGNS), max_size=12), of_english=st.booleans())
def test_pieces_from_memory_are_those_of_the_whole_text(parts, of_english, tokenizer, of_languages):
    """Control characters join what is beside them, marks and invisible signs go, Chinese is cut by character."""
    tokenizer = tokenizer if of_english else of_languages
    text, memory = "".join(parts), PieceMemory(tokenizer)
    whole = tokenizer.encode(text, add_special_tokens=False)
    for _ in range(2):  # from the tokeniser, then from memory
        pieces, begins, ends = memory.cut(text)
        assert pieces.tolist() == whole.ids
        assert list(zip(begins.tolist(), ends.tolist(), strict=True)) == whole.offsets


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wärmepumpen in Mietshäusern", "de"),
        ("Таяние вечной мерзлоты", "ru"),
        ("遥感图像目标检测", "zh"),
        ("ภาษาไทย", "th"),
    ],
)
def test_pieces_of_any_language_have_the_places_of_their_characters(text, language, of_languages):
    """All characters but blanks are in a piece, no piece is unknown, and a window is between its marks."""
    windows = cut_windows(analysed(text, language=language), of_languages)
    pieces, begins, ends = PieceMemory(of_languages).cut(text)
    inside = {place for begin, end in zip(begins.tolist(), ends.tolist(), strict=True) for place in range(begin, end)}
    assert inside == {place for place, character in enumerate(text) if character != " "}
    assert of_languages.token_to_id("<unk>") not in pieces.tolist()
    assert E5.add_marks(windows.window(0)).tolist() == [0, *pieces.tolist(), 2]
