"""Pieces of words: tokenisers as BART and T5 have them, trained here or read as data, each word divided by itself."""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from keywright.core.errors import BadParameter, BrokenFile, EmptyInput, TooLarge, UnsupportedFormat
from keywright.neural.data.examples import TITLE_END, UNKNOWN_PIECE, Example, Words
from keywright.text.tokens import NUMBER

BART_MARKS: Final = ("<s>", "<pad>", "</s>", UNKNOWN_PIECE, "<mask>")
"""First pieces of a tokeniser in BART's manner, in its order."""
T5_SEPARATOR: Final = "<sep>"  # mark that separates phrases, and title and abstract, in T5's manner (Kundu et al. 2023)
T5_MARKS: Final = ("<pad>", "</s>", UNKNOWN_PIECE, T5_SEPARATOR)  # first pieces of a tokeniser in T5's manner
SEMICOLON: Final = ";"  # word that separates phrases in BART's manner; words of documents never contain it

_MOST_BYTES: Final = 64 * 2**20  # largest ``tokenizer.json`` that is read: four times that of 250,000 pieces; arbitrary
_REMEMBERED: Final = 2**17  # words whose pieces are remembered: more than a large vocabulary has; some 30 MB; arbitrary
_DIGITS: Final = 6  # digits behind the point of log-probabilities, far above the errors of their sums; arbitrary
_COVERED: Final = 0.9995
"""Share of all characters that pieces must be able to spell, that of SentencePiece (Kudo and Richardson 2018); words
with rarer ones are left out of the training of ``unigram``."""


class Subwords:
    """A tokeniser of words."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        if tokenizer.decoder is None:
            raise UnsupportedFormat("the tokeniser has no decoder", "expected a tokeniser of BART or T5")
        tokenizer.no_padding()
        tokenizer.no_truncation()
        # Marks such as <s> that a document spells out are text.
        tokenizer.encode_special_tokens = True
        self._tokenizer = tokenizer
        self._marks = frozenset(token.content for token in tokenizer.get_added_tokens_decoder().values())
        self._remembered: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def pieces(self, word: str) -> tuple[int, ...]:
        """Return the numbers of a word's pieces; none for a word that the tokeniser drops."""
        pieces = self._remembered.get(word)
        if pieces is None:
            pieces = tuple(self._tokenizer.encode(f" {word}", add_special_tokens=False).ids)
            if len(self._remembered) < _REMEMBERED:
                self._remembered[word] = pieces
        return pieces

    def piece(self, number: int) -> str:
        """Return the piece of a number; ``<number>`` if the network has more numbers than there are pieces."""
        return self._tokenizer.id_to_token(number) or f"<{number}>"

    def number(self, piece: str) -> int | None:
        """Return the number of a piece, None if it does not exist."""
        number: int | None = self._tokenizer.token_to_id(piece)
        return number

    def words(self, pieces: Iterable[str]) -> Words:
        """Return the words that pieces spell; each mark is a word by itself."""
        words: list[str] = []
        for is_mark, group in itertools.groupby(pieces, key=self._marks.__contains__):
            stretch = list(group)
            words += stretch if is_mark else self._tokenizer.decoder.decode(stretch).split()
        return tuple(words)

    def add_marks(self, marks: Sequence[str]) -> None:
        """Give marks numbers of their own, behind the others, where they have none."""
        self._tokenizer.add_special_tokens([mark for mark in marks if self.number(mark) is None])
        self._marks |= frozenset(marks)

    def add_words(self, words: Sequence[str]) -> None:
        """Let each word be a piece by itself."""
        self._tokenizer.add_tokens([AddedToken(word, lstrip=True, normalized=False) for word in words])
        self._marks |= frozenset(words)
        self._remembered.clear()

    def as_json(self) -> str:
        """Return the tokeniser as JSON."""
        text: str = self._tokenizer.to_str()
        return text

    @classmethod
    def from_json(cls, text: str) -> "Subwords":
        """Return the tokeniser of a ``tokenizer.json``.

        Raises BrokenFile: not a tokeniser; TooLarge: more than 64 MiB; UnsupportedFormat: its pieces cannot be joined.
        """
        if len(text) > _MOST_BYTES:
            raise TooLarge(f"the tokeniser has {len(text):,} characters", f"at most {_MOST_BYTES:,} are read")
        try:
            tokenizer = Tokenizer.from_str(text)
        except Exception as error:  # the library raises nothing more exact
            message = f"the tokeniser cannot be read: {error}"
            raise BrokenFile(message, "expected the tokenizer.json of the library tokenizers") from error
        return cls(tokenizer)


def train_byte_level(examples: Iterable[Example], size: int) -> Subwords:
    """Return a tokeniser in BART's manner: the most frequent pairs of bytes merged (Radford et al. 2019).

    ``size``: pieces at most, 256 bytes and seven marks among them. Raises BadParameter: it is too small; EmptyInput: no
    examples.
    """
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    smallest = len(alphabet) + len(BART_MARKS) + 1
    if size < smallest:
        raise BadParameter(f"a vocabulary of {size:,} pieces", f"expected at least {smallest}: bytes and marks")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size - 1,  # the word for numbers comes behind; the semicolon is a byte
        special_tokens=list(BART_MARKS),
        initial_alphabet=alphabet,
        show_progress=False,
    )
    tokenizer.train_from_iterator(_repeat_words(_count_words(examples)), trainer)
    subwords = Subwords(tokenizer)
    subwords.add_words([SEMICOLON, NUMBER])
    return subwords


def train_unigram(examples: Iterable[Example], size: int) -> Subwords:
    """Return a tokeniser in T5's manner: the likeliest pieces of a unigram model of pieces (Kudo 2018).

    ``size``: pieces at most, five marks among them. Raises BadParameter: it has no room for the characters; EmptyInput.
    """
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=size - 1,  # the word for numbers comes behind
        special_tokens=list(T5_MARKS),
        unk_token=UNKNOWN_PIECE,
        show_progress=False,
    )
    words = _drop_rare_characters(_count_words(examples))
    try:
        tokenizer.train_from_iterator(_repeat_words(words), trainer)
    except Exception as error:  # the library raises nothing more exact
        raise BadParameter(f"no tokeniser of {size:,} pieces can be trained: {error}", "allow more pieces") from error
    # Pieces with log-probabilities that are the same in each training: the library's sums vary.
    learned = json.loads(tokenizer.to_str())["model"]["vocab"]
    rounded = [(piece, round(value, _DIGITS)) for piece, value in learned[len(T5_MARKS) :]]
    pieces = [(mark, 0.0) for mark in T5_MARKS] + sorted(rounded, key=lambda pair: (-pair[1], pair[0]))
    tokenizer.model = models.Unigram(pieces, unk_id=T5_MARKS.index(UNKNOWN_PIECE))
    subwords = Subwords(tokenizer)
    subwords.add_words([NUMBER])
    return subwords


def _count_words(examples: Iterable[Example]) -> Counter[str]:
    """Return the number of occurrences of each word of sources and keyphrases, without marks."""
    words: Counter[str] = Counter()
    for example in examples:
        words.update(example.source)
        for phrase in example.phrases:
            words.update(phrase)
    for mark in (TITLE_END[1], NUMBER):
        words.pop(mark, None)
    if not words:
        raise EmptyInput("no words to train a tokeniser on", "give labelled documents with text")
    return words


def _drop_rare_characters(words: Counter[str]) -> Counter[str]:
    """Return the words without those that have rare characters."""
    characters: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            characters[character] += count
    ranked = characters.most_common()
    before = itertools.accumulate((count for _, count in ranked), initial=0)
    room = _COVERED * characters.total()
    frequent = {character for (character, _), covered in zip(ranked, before, strict=False) if covered < room}
    return Counter({word: count for word, count in words.items() if frequent.issuperset(word)})


def _repeat_words(words: Counter[str]) -> Iterator[str]:
    """Yield each word as often as it occurs, behind blanks, in an order that does not depend on the examples'."""
    for word, count in sorted(words.items()):
        yield f" {word}" * count
