"""Sources and keyphrases as sequences of pieces, with pieces that were chosen by hand."""

import math

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from keywright.core.errors import BadParameter
from keywright.neural.data.subwords import Subwords
from keywright.neural.decoding.phrases import Written
from keywright.neural.decoding.pieces import Marks, PieceSequences

PIECES = ["<pad>", "</s>", "<unk>", "<sep>", "▁", "▁tid", "al", "▁wave", "s", "▁en", "ergy"]
NUMBERS = {piece: number for number, piece in enumerate(PIECES)}
MARKS = Marks(start=(), title=3, end=1, prefix=(0,), separator=3, masked=2)
TIDAL, WAVES, ENERGY = [5, 6], [7, 8], [9, 10]


@pytest.fixture(scope="module")
def subwords():
    tokenizer = Tokenizer(models.Unigram([(piece, -1.0) for piece in PIECES], unk_id=2))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(PIECES[:4])
    return Subwords(tokenizer)


@pytest.fixture(scope="module")
def sequences(subwords):
    return PieceSequences(subwords, MARKS)


def test_sources_and_targets(sequences):
    assert sequences.source(("tidal", ".", "<title_end>", "waves")) == [*TIDAL, 4, 2, 3, *WAVES, 1]
    assert sequences.source(()) == [1]
    assert sequences.target([("tidal", "energy"), ("waves",)]) == [*TIDAL, *ENERGY, 3, *WAVES, 1]
    assert sequences.target([]) == [1]
    assert sequences.only_target(("waves",)) == [*WAVES, 1]


def test_marks_before_a_source(subwords):
    sequences = PieceSequences(subwords, Marks((0,), 0, 1, (1, 0), 3, 2))
    assert sequences.source(("tidal", "<title_end>", "waves")) == [0, *TIDAL, 0, *WAVES, 1]
    assert sequences.source(("tidal", "<left_out>", "waves")) == [0, *TIDAL, 2, *WAVES, 1]


@pytest.mark.parametrize(("positions", "words"), [(None, 3), (7, 3), (6, 2), (5, 2), (4, 1), (2, 0), (1, 0)])
def test_a_source_is_read_up_to_the_last_whole_word_that_fits(subwords, positions, words):
    """Three words of two pieces, and the end."""
    sequences = PieceSequences(subwords, MARKS, positions)
    source = ("tidal", "waves", "energy")
    assert sequences.count_read(source) == words
    assert len(sequences.source(source)) == 2 * words + 1


@pytest.mark.parametrize(("positions", "phrases"), [(None, 2), (6, 2), (5, 1), (3, 1), (2, 0)])
def test_a_target_has_as_many_phrases_as_fit(subwords, positions, phrases):
    """Two phrases of two pieces, a separator and the end: six."""
    sequences = PieceSequences(subwords, MARKS, positions)
    assert sequences.target([("tidal",), ("waves",)]) == [[1], [*TIDAL, 1], [*TIDAL, 3, *WAVES, 1]][phrases]


def test_phrases_that_cannot_be_scored_are_refused(subwords, sequences):
    with pytest.raises(BadParameter, match="has no pieces"):
        sequences.only_target(())
    with pytest.raises(BadParameter, match="has 4 pieces; the network has 4 positions"):
        PieceSequences(subwords, MARKS, 4).only_target(("tidal", "energy"))


def test_phrases_have_words_and_probabilities_of_pieces(sequences):
    """The list "tidal energy <sep> waves </s>" with a lone blank between separators, which is not a phrase."""
    numbers = (*TIDAL, *ENERGY, 3, 4, 3, *WAVES, 1)
    values = tuple(-0.1 * step for step in range(1, len(numbers) + 1))
    first, second = sequences.phrases(Written(numbers, values))
    assert (first.words, second.words) == (("tidal", "energy"), ("waves",))
    assert first.generation.tokens == ("▁tid", "al", "▁en", "ergy")
    assert first.generation.log_probabilities == pytest.approx((-0.1, -0.2, -0.3, -0.4))
    assert first.generation.end == pytest.approx(-0.5)
    assert (first.generation.words, second.generation.words) == (2, 1)
    assert second.generation.end == pytest.approx(-1.0)


def test_a_phrase_cut_inside_a_word_is_not_one_of_the_source(sequences):
    source = ("tidal", "waves")
    cut = Written((*WAVES, 3, 5), (-0.1,) * 4)
    whole = Written((*WAVES, 3, 5, 6), (-0.1,) * 5)
    assert [phrase.words for phrase in sequences.phrases(cut)] == [("waves",), ("tid",)]
    assert [phrase.words for phrase in sequences.phrases(cut, source)] == [("waves",)]
    assert [phrase.words for phrase in sequences.phrases(whole, source)] == [("waves",), ("tidal",)]


def allowed(constraint):
    row = constraint.apply(torch.zeros(1, len(PIECES)))[0].tolist()
    return {PIECES[number] for number, value in enumerate(row) if value > -math.inf}


def test_phrases_of_the_source_begin_and_end_with_its_words(sequences):
    """By hand for "tidal waves <title_end> 北 energy": no phrase crosses the title's end or the unknown word."""
    constraint = sequences.present_only([("tidal", "waves", "<title_end>", "北", "energy")])
    assert allowed(constraint) == {"▁tid", "▁wave", "▁en", "</s>"}
    constraint.step([NUMBERS["▁tid"]])
    assert allowed(constraint) == {"al"}
    constraint.step([NUMBERS["al"]])
    assert allowed(constraint) == {"▁wave", "<sep>", "</s>"}
    constraint.step([NUMBERS["▁wave"]])
    constraint.step([NUMBERS["s"]])
    assert allowed(constraint) == {"<sep>", "</s>"}
    constraint.step([NUMBERS["<sep>"]])
    constraint.step([NUMBERS["▁en"]])
    constraint.step([NUMBERS["ergy"]])
    assert allowed(constraint) == {"<sep>", "</s>"}
