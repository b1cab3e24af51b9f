"""Windows of an encoder: whole sentences, all pieces, mentions where their words are."""

import numpy as np
import pytest
from tests.builders import analysed

from keywright.extraction.candidates.ngrams import ngrams
from keywright.text.encoders import LONGEST, cut_windows, minilm_tokenizer


@pytest.fixture(scope="module")
def tokenizer():
    return minilm_tokenizer()


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
