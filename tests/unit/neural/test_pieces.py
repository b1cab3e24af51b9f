"""Tokenisers of sub-words, and sources and keyphrases as sequences of pieces that were chosen by hand."""

import math
import random

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from keywright.core.errors import BadParameter, BrokenFile, EmptyInput, TooLarge, UnsupportedFormat
from keywright.neural.data import subwords as module
from keywright.neural.data.examples import Example
from keywright.neural.data.subwords import SEMICOLON, T5_SEPARATOR, Subwords, train_byte_level, train_unigram
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


SOURCE = tuple("low low low low new new wide <digit> . <title_end> low new grids".split())
EXAMPLES = [Example("a", SOURCE, (("low",), ("new", "grids")), (("wider", "grids"),))]
LEARNERS = [(train_byte_level, 300), (train_unigram, 40)]


def texts(subwords, word):
    return [subwords.piece(number) for number in subwords.pieces(word)]


def test_bytes_are_merged_by_frequency():
    """Pairs by hand: l-o and o-w occur six times (Ġ-l as often), n-e and e-w four times."""
    subwords = train_byte_level(EXAMPLES, 274)
    assert texts(subwords, "low") == ["Ġlow"]
    assert texts(subwords, "new") == ["Ġnew"]
    assert texts(subwords, "lowe") == ["Ġlow", "e"]
    assert len(subwords) <= 274


def test_a_unigram_model_has_frequent_beginnings():
    """Pieces of several different words are learned: here the beginning of five of them."""
    words = "low lower lows lowly lowest tide wide"
    subwords = train_unigram([Example("a", tuple(words.split()) * 20, (), ())], 40)
    assert texts(subwords, "low") == ["▁low"]
    assert texts(subwords, "lows") == ["▁low", "s"]
    assert [subwords.piece(number) for number in range(4)] == ["<pad>", "</s>", "<unk>", "<sep>"]


@pytest.mark.parametrize(("learn", "size"), LEARNERS)
def test_pieces_spell_their_words(learn, size):
    subwords = learn(EXAMPLES, size)
    words = ("low", "grids", "<digit>", "wider", "new")
    pieces = [piece for word in words for piece in texts(subwords, word)]
    assert subwords.words(pieces) == words
    assert subwords.words([]) == ()


def test_bytes_spell_words_of_any_script():
    subwords = train_byte_level(EXAMPLES, 300)
    assert subwords.words(texts(subwords, "北京") + texts(subwords, "café")) == ("北京", "café")


def test_unknown_characters_are_a_mark():
    subwords = train_unigram(EXAMPLES, 40)
    assert subwords.words(texts(subwords, "low") + texts(subwords, "北")) == ("low", "<unk>")


@pytest.mark.parametrize(("learn", "size"), LEARNERS)
def test_numbers_are_one_piece(learn, size):
    subwords = learn(EXAMPLES, size)
    assert texts(subwords, "<digit>") == ["<digit>"]


def test_separators_are_one_piece():
    assert len(train_byte_level(EXAMPLES, 300).pieces(SEMICOLON)) == 1
    assert train_unigram(EXAMPLES, 40).number(T5_SEPARATOR) == 3


def test_marks_that_a_document_spells_out_are_text():
    subwords = train_byte_level(EXAMPLES, 300)
    assert subwords.pieces("<s>")[0] > 4
    assert subwords.words(texts(subwords, "<s>")) == ("<s>",)


def test_a_number_without_a_piece_is_named():
    assert train_byte_level(EXAMPLES, 300).piece(9999) == "<9999>"
    assert train_byte_level(EXAMPLES, 300).number("nowhere") is None


@pytest.mark.parametrize(("learn", "size"), LEARNERS)
def test_json_and_back(learn, size):
    subwords = learn(EXAMPLES, size)
    again = Subwords.from_json(subwords.as_json())
    assert again.as_json() == subwords.as_json()
    assert len(again) == len(subwords)
    for word in ("low", "<digit>", "<s>", "grids"):
        assert again.pieces(word) == subwords.pieces(word)
    assert again.words(["<digit>"]) == ("<digit>",)


@pytest.mark.parametrize(("learn", "size"), [(train_byte_level, 400), (train_unigram, 150)])
def test_the_order_of_examples_does_not_matter(learn, size):
    choose = random.Random(0)  # noqa: S311  (no secret)
    words = ["".join(choose.choices("abcdefghijklmnop", range(16, 0, -1), k=5)) for _ in range(300)]
    examples = [Example(str(at), tuple(words[at : at + 100]), (), ()) for at in range(0, 200, 10)]
    orders = (examples, examples[::-1], examples, examples[5:] + examples[:5])
    assert len({learn(order, size).as_json() for order in orders}) == 1


def test_words_of_rare_characters_do_not_crowd_out_others():
    """A character in 4,000 is below the share that is covered."""
    examples = [Example("a", ("low",) * 1400 + ("北",), (("low",),), ())]
    assert train_unigram(examples, 20).number("北") is None
    assert train_unigram([Example("a", ("low",) * 1000 + ("北",) * 9, (), ())], 20).number("北") is not None


@pytest.mark.parametrize(("learn", "size"), LEARNERS)
def test_nothing_is_learned_from_nothing(learn, size):
    with pytest.raises(EmptyInput, match="no words"):
        learn([], size)
    with pytest.raises(EmptyInput):
        learn([Example("a", ("<digit>", "<title_end>"), (), ())], size)


@pytest.mark.parametrize("learn", [train_byte_level, train_unigram])
def test_too_few_pieces_are_refused(learn):
    with pytest.raises(BadParameter, match="pieces"):
        learn(EXAMPLES, 7)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"version": "1.0", "model": {"type": "Perl"}}', "\x80\x04."])
def test_broken_text_is_refused(text):
    with pytest.raises(BrokenFile, match="the tokeniser cannot be read"):
        Subwords.from_json(text)


def test_long_text_is_refused(monkeypatch):
    monkeypatch.setattr(module, "_MOST_BYTES", 10)
    with pytest.raises(TooLarge, match="at most 10"):
        Subwords.from_json("{" + " " * 20 + "}")


def test_a_tokeniser_that_cannot_spell_is_refused():
    with pytest.raises(UnsupportedFormat, match="no decoder"):
        Subwords(Tokenizer(models.BPE()))
