"""Numbers of single terms of one document, columns (terms,): how they are written, where they stand, beside what.

Terms are the words of a document under one way of telling them apart. The features are those of Campos and others
(2020), each a function of its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.core.errors import unknown
from keywright.text.normal import HAN, HIRAGANA, KATAKANA

TermsAre: TypeAlias = Literal["forms", "singular", "stems"]
_UNSPACED: Final = re.compile(f"[{HAN}{HIRAGANA}{KATAKANA}]")
_FEW: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Which term each token is.

    Attributes:
        term: index of a token's term, (tokens,).
        mentions: tokens of each term, (terms,).
        word: whether a token is a word and no sign, (tokens,).
        sentence: number of its sentence, without gaps, (tokens,).
    """

    term: Ints
    mentions: Ints
    word: Bools
    sentence: Ints

    @classmethod
    def of(cls, document: AnalysedDocument, terms_are: TermsAre = "forms") -> "Terms":
        """Terms of a document: its word ``forms`` regardless of case, these without a plural's s, or its ``stems``.

        Raises:
            UnknownName: there is no such way.
        """
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
        """How many of these tokens, a mask (tokens,), each term has, (terms,)."""
        return np.bincount(self.term[tokens], minlength=len(self))


def _names(document: AnalysedDocument, terms_are: TermsAre) -> Sequence[str]:
    """What a word form is called as a term, (words,)."""
    match terms_are:
        case "forms":
            return document.words
        case "singular":
            return [word[:-1] if len(word) > _FEW and word.endswith("s") else word for word in document.words]
        case "stems":
            return [document.stems[stem] for stem in document.word_stem.tolist()]
    raise unknown("kind of terms", terms_are, ("forms", "singular", "stems"), "keywright systems yake")


def short_words(document: AnalysedDocument, shortest: int) -> Bools:
    """Words of fewer than ``shortest`` characters, (tokens,); none in scripts that are written without blanks."""
    short = (len(word) < shortest and not _UNSPACED.search(word) for word in document.words)
    return np.fromiter(short, bool, len(document.words))[document.word]


def readable_words(document: AnalysedDocument) -> Bools:
    """Words that are neither numbers nor debris, (tokens,): letters, no digits, at most one sign inside."""
    signs = np.fromiter((sum(not part.isalnum() for part in word) for word in document.words), int, len(document.words))
    other = WordFlag.DIGIT | WordFlag.SYMBOLIC
    readable: Bools = (document.word_flags & (WordFlag.LETTER | other) == WordFlag.LETTER) & (signs <= 1)
    return readable[document.word]


def casing(terms: Terms, document: AnalysedDocument) -> Floats:
    """How much a term is written as a name or acronym, (terms,).

    Mentions with a capital inside a sentence or those in capitals, whichever are more, over 1 + ln of all mentions.
    """
    begins = np.diff(terms.sentence, prepend=-1) > 0
    capital = terms.count((document.case == Case.CAPITAL) & ~begins)
    upper = terms.count(document.case == Case.UPPER)
    return np.asarray(np.maximum(capital, upper) / (1 + np.log(np.maximum(terms.mentions, 1))))


def median_sentence(terms: Terms) -> Floats:
    """Median number of the distinct sentences that hold a term, from 0, (terms,)."""
    held, sentence = _sentences_of(terms)
    ends = np.cumsum(held)
    low, high = ends - held + (held - 1) // 2, ends - held + held // 2
    return np.asarray((sentence[low] + sentence[high]) / 2)


def sentence_share(terms: Terms) -> Floats:
    """Share of the sentences that hold a term, 0 to 1, (terms,)."""
    held, _ = _sentences_of(terms)
    return np.asarray(held / max(1, int(terms.sentence.max(initial=-1)) + 1))


def _sentences_of(terms: Terms) -> tuple[Ints, Ints]:
    """How many sentences hold each term, (terms,), and which, term after term."""
    total = int(terms.sentence.max(initial=-1)) + 1
    pairs = np.unique(terms.term * total + terms.sentence)
    return np.bincount(pairs // max(1, total), minlength=len(terms)), pairs % max(1, total)


def evenness(terms: Terms, wanted: Bools, window: int) -> Floats:
    """Distinct neighbours over all neighbours, to the left and to the right, added up, 0 to 2, (terms,).

    High for words that stand beside anything, as function words do.

    Args:
        terms: the terms.
        wanted: tokens that can be neighbours, (tokens,). Signs end a neighbourhood, as do sentences.
        window: tokens to either side.
    """
    block = np.cumsum(~terms.word | (np.diff(terms.sentence, prepend=-1) > 0))
    size, pairs = len(terms), [np.zeros(0, np.int64)]
    for distance in range(1, min(window, len(block) - 1) + 1):
        near = wanted[:-distance] & wanted[distance:] & (block[:-distance] == block[distance:])
        pairs.append(terms.term[:-distance][near] * size + terms.term[distance:][near])
    met = np.concatenate(pairs)
    distinct, beside = np.unique(met), max(1, size)
    to_the_left = _ratio(distinct % beside, met % beside, size)
    return to_the_left + _ratio(distinct // beside, met // beside, size)


def _ratio(distinct: Ints, met: Ints, size: int) -> Floats:
    """Distinct over all, 0 where there is none, (terms,)."""
    return np.asarray(np.bincount(distinct, minlength=size) / np.maximum(np.bincount(met, minlength=size), 1))


def follows(terms: Terms, wanted: Bools) -> Ints:
    """How often the terms of a token and the next one stand so, side by side, (tokens,); 0 for the last token.

    Args:
        terms: the terms.
        wanted: tokens that count, (tokens,); pairs with another one, or over the end of a sentence, are 0.
    """
    together = wanted[:-1] & wanted[1:] & (terms.sentence[:-1] == terms.sentence[1:])
    pair = terms.term[:-1] * len(terms) + terms.term[1:]
    _, which, times = np.unique(pair[together], return_inverse=True, return_counts=True)
    counts = np.zeros(len(terms.term), np.int64)
    counts[:-1][together] = times[which.reshape(-1)]
    return counts
