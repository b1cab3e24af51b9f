"""Features of the single terms of one document, (terms,): case, position, spread, neighbours.

Terms are classes of equal words. The features are those of Campos and others (2020), one function each.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.core.errors import unknown_name
from keywright.text.tokens import HAN, HIRAGANA, KATAKANA

TermsAre: TypeAlias = Literal["forms", "singular", "stems"]
"""Words that are equal: word forms, forms without a plural's s, or stems."""
_UNSPACED: Final = re.compile(f"[{HAN}{HIRAGANA}{KATAKANA}]")
_LONGEST_WITHOUT_PLURAL: Final = 3
"""Maximum characters of a word that keeps its final s, as in YAKE's program: *gas*."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The term of each token.

    Attributes:
        term: index of a token's term, (tokens,).
        mentions: tokens of each term, (terms,).
        word: whether a token is a word, not a sign, (tokens,).
        sentence: number of its sentence, without gaps, (tokens,).
    """

    term: Ints
    mentions: Ints
    word: Bools
    sentence: Ints

    @classmethod
    def of(cls, document: AnalysedDocument, terms_are: TermsAre = "forms") -> "Terms":
        """Return the terms of a document, regardless of case."""
        names = _names(document, terms_are)
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        of_word = np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))
        term = of_word[document.word]
        word = np.asarray(document.flags & WordFlag.PUNCTUATION == 0, bool)
        mentions = np.bincount(term, minlength=len(numbers))
        _, sentence = np.unique(document.sentence, return_inverse=True)
        return cls(term, mentions, word, sentence.reshape(-1))

    def __len__(self) -> int:
        """Number of terms."""
        return len(self.mentions)

    def count(self, tokens: Bools) -> Ints:
        """Return the tokens of each term that a mask (tokens,) marks, (terms,)."""
        return np.bincount(self.term[tokens], minlength=len(self))


def _names(document: AnalysedDocument, terms_are: TermsAre) -> Sequence[str]:
    """Return the name of each word form's term, (words,)."""
    match terms_are:
        case "forms":
            return document.words
        case "singular":
            return [
                word[:-1] if len(word) > _LONGEST_WITHOUT_PLURAL and word.endswith("s") else word
                for word in document.words
            ]
        case "stems":
            return [document.stems[stem] for stem in document.word_stem.tolist()]
    raise unknown_name("kind of terms", terms_are, ("forms", "singular", "stems"), "keywright systems yake")


def short_words(document: AnalysedDocument, shortest: int) -> Bools:
    """Return words of fewer than ``shortest`` characters, (tokens,); none in scripts without blanks."""
    short = (len(word) < shortest and not _UNSPACED.search(word) for word in document.words)
    return np.fromiter(short, bool, len(document.words))[document.word]


def readable_words(document: AnalysedDocument) -> Bools:
    """Return words with letters, without digits and with at most one sign inside, (tokens,)."""
    signs = np.fromiter((sum(not part.isalnum() for part in word) for word in document.words), int, len(document.words))
    other = WordFlag.DIGIT | WordFlag.SYMBOLIC
    readable: Bools = (document.word_flags & (WordFlag.LETTER | other) == WordFlag.LETTER) & (signs <= 1)
    return readable[document.word]


def casing(terms: Terms, document: AnalysedDocument) -> Floats:
    """Return how often a term is written as a name or acronym, (terms,).

    The larger of mentions with a capital inside a sentence and mentions in capitals, over 1 + ln of all mentions.
    """
    begins = np.diff(terms.sentence, prepend=-1) > 0
    capital = terms.count((document.case == Case.CAPITAL) & ~begins)
    upper = terms.count(document.case == Case.UPPER)
    return np.asarray(np.maximum(capital, upper) / (1 + np.log(np.maximum(terms.mentions, 1))))


def median_sentence(terms: Terms) -> Floats:
    """Return the median number, from 0, of the distinct sentences with a term, (terms,)."""
    sentences, sentence = _sentences_of(terms)
    ends = np.cumsum(sentences)
    low, high = ends - sentences + (sentences - 1) // 2, ends - sentences + sentences // 2
    return np.asarray((sentence[low] + sentence[high]) / 2)


def sentence_share(terms: Terms) -> Floats:
    """Return the share of sentences with a term, 0 to 1, (terms,)."""
    sentences, _ = _sentences_of(terms)
    return np.asarray(sentences / max(1, int(terms.sentence.max(initial=-1)) + 1))


def _sentences_of(terms: Terms) -> tuple[Ints, Ints]:
    """Return the number of sentences with each term, (terms,), and these sentences, term after term."""
    # Pairs packed into one integer: distinct and sorted by term, then sentence, in one call.
    total = int(terms.sentence.max(initial=-1)) + 1
    pairs = np.unique(terms.term * total + terms.sentence)
    return np.bincount(pairs // max(1, total), minlength=len(terms)), pairs % max(1, total)


def evenness(terms: Terms, wanted: Bools, window: int) -> Floats:
    """Return distinct neighbours over all neighbours, left plus right, 0 to 2, (terms,).

    High for words that occur beside any other word, such as function words. Neighbours are among the tokens ``wanted``,
    (tokens,), up to ``window`` to either side; signs and ends of sentences end a neighbourhood.
    """
    block = np.cumsum(~terms.word | (np.diff(terms.sentence, prepend=-1) > 0))
    size, pairs = len(terms), [np.zeros(0, np.int64)]
    for distance in range(1, min(window, len(block) - 1) + 1):
        near = wanted[:-distance] & wanted[distance:] & (block[:-distance] == block[distance:])
        pairs.append(terms.term[:-distance][near] * size + terms.term[distance:][near])
    every_pair = np.concatenate(pairs)
    distinct, base = np.unique(every_pair), max(1, size)
    left = _ratio(distinct % base, every_pair % base, size)
    return left + _ratio(distinct // base, every_pair // base, size)


def _ratio(distinct: Ints, every: Ints, size: int) -> Floats:
    """Return distinct over all neighbours, 0 where there is none, (terms,)."""
    return np.asarray(np.bincount(distinct, minlength=size) / np.maximum(np.bincount(every, minlength=size), 1))


def follows(terms: Terms, wanted: Bools) -> Ints:
    """Return how often the terms of a token and of the next one are adjacent, (tokens,); 0 for the last token.

    Pairs with a token that is not ``wanted``, (tokens,), and pairs across the end of a sentence are 0.
    """
    adjacent = wanted[:-1] & wanted[1:] & (terms.sentence[:-1] == terms.sentence[1:])
    pair = terms.term[:-1] * len(terms) + terms.term[1:]
    _, which, times = np.unique(pair[adjacent], return_inverse=True, return_counts=True)
    counts = np.zeros(len(terms.term), np.int64)
    counts[:-1][adjacent] = times[which.reshape(-1)]
    return counts
