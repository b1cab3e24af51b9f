"""YAKE: statistics of the words of one text."""

import re
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.core.errors import unknown_name
from keywright.extraction.candidates.ngrams import ngrams, stop_words
from keywright.extraction.features.functions.words import best_occurrences, surface_form_counts, surface_forms
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.redundancy import without_similar
from keywright.text.word_borders import HAN, HIRAGANA, KATAKANA

TermsAre: TypeAlias = Literal["forms", "singular", "stems"]
"""Words that are equal: word forms, forms without a plural's s, or stems."""
_UNSPACED: Final = re.compile(f"[{HAN}{HIRAGANA}{KATAKANA}]")
_LONGEST_WITHOUT_PLURAL: Final = 3  # maximum characters of a word that keeps its final s, as in YAKE's program: *gas*


@dataclass(frozen=True)
class Yake:
    """Phrases of terms that are distinctive by case, position, frequency, neighbours and spread in one text.

    Campos, Mangaravite, Pasquali, Jorge, Nunes and Jatowt, "YAKE! Keyword extraction from single documents using
    multiple local features", Information Sciences 509, 2020 (first at ECIR 2018). Five numbers of each term are joined
    in one, S, which is low for terms that matter. A phrase multiplies S of its terms; a stop word inside counts by how
    likely it is between its neighbours. Only the best of phrases that are spelt nearly alike stays. The score is -S; S
    is in the evidence.

    Deviations: words are cut and sentences end as everywhere here. Forms of one phrase are one; its best form speaks
    for it. The paper divides by ln of a term's mentions, which is 0 for a single one: 1 is added, as in the authors'
    program. The program takes a plural's s off its terms (``terms`` = singular), does not see possessives, and compares
    spellings by matching blocks at 0.9 by default. With more than one stop word inside the paper's denominator can fall
    to 0 or below; such phrases are left out.
    """

    longest: Annotated[int, "maximum words of a phrase"] = 3
    window: Annotated[int, "words to either side that count as a term's neighbours"] = 1
    alike: Annotated[float, "similarity of spelling, 0 to 1, above which the worse phrase goes; 1 for none"] = 0.8
    shortest: Annotated[int, "words of fewer letters count as stop words"] = 3
    terms: Annotated[TermsAre, "definition of a term: a word form, one without a plural's s, or a stem"] = "forms"

    name: ClassVar[str] = "yake"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank phrases by S, the lowest first, without those spelt nearly as a better one, in quadratic time."""
        readable, stop = readable_words(document), stop_words(document) | short_words(document, self.shortest)
        candidates = ngrams(document, self.longest, lambda _: readable & ~stop, lambda _: readable)
        weights = self.weights(candidates, document, readable, stop)
        best = best_occurrences(candidates, -weights)
        defined = np.isfinite(weights[best])
        candidates, best = candidates.where(defined), best[defined]
        order = order_of(candidates, -weights[best])
        different = order[without_similar(surface_forms(candidates, document, best[order]), self.alike, depth)]
        stays = np.isin(np.arange(len(candidates)), different)
        candidates, weight = candidates.where(stays), weights[best[stays]]
        evidence = {"S": weight, "mentions": candidates.frequency}
        return rank(document, candidates, -weight, evidence, complete=depth is None)

    extract_first = extract

    def weights(self, candidates: Candidates, document: AnalysedDocument, readable: Bools, stop: Bools) -> Floats:
        """Return S of the phrase for each occurrence, (occurrences,); infinite where it is undefined."""
        terms = Terms.of(document, self.terms)
        of_token = self.term_weights(terms, readable, stop)[terms.term]
        surely = terms.probability_inside(readable)
        product, total = np.ones(len(candidates.positions)), np.ones(len(candidates.positions))
        for step in range(int(candidates.widths.max(initial=0))):
            longer = np.flatnonzero(candidates.widths > step)
            token = candidates.positions[longer] + step
            product[longer] *= np.where(stop[token], 2 - surely[token], of_token[token])
            total[longer] += np.where(stop[token], surely[token] - 1, of_token[token])
        divisor = np.where(total > 0, total, np.nan) * surface_form_counts(candidates, document)
        return np.nan_to_num(product / divisor, nan=np.inf)

    def term_weights(self, terms: "Terms", readable: Bools, stop: Bools) -> Floats:
        """Return S of each term, low for important ones, (terms,)."""
        plain = terms.mentions[(terms.count(terms.word & ~stop) == terms.mentions) & (terms.mentions > 0)]
        most = terms.mentions[terms.term[terms.word]].max(initial=1)
        company = 1 + terms.evenness(readable, self.window) * terms.mentions / most
        usual = plain.mean() + plain.std() if len(plain) else 1.0
        median, spread = terms.sentence_statistics()
        early = np.log(np.log(3 + median))
        return np.asarray(early * company / (terms.casing() + (terms.mentions / usual + spread) / company))


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The terms of a document, which are classes of equal words, and the paper's features of them, (terms,)."""

    term: Ints  # index of a token's term, (tokens,)
    mentions: Ints  # tokens of each term, (terms,)
    word: Bools  # whether a token is a word, not a sign, (tokens,)
    sentence: Ints  # number of its sentence, without gaps, (tokens,)
    case: Ints  # codes of ``Case``, (tokens,)

    @classmethod
    def of(cls, document: AnalysedDocument, terms_are: TermsAre = "forms") -> "Terms":
        """Return the terms of a document, regardless of case."""
        match terms_are:
            case "forms":
                names = list(document.words)
            case "singular":
                plural = (len(word) > _LONGEST_WITHOUT_PLURAL and word.endswith("s") for word in document.words)
                names = [word[:-1] if cut else word for word, cut in zip(document.words, plural, strict=True)]
            case "stems":
                names = [document.stems[stem] for stem in document.word_stem.tolist()]
            case _:
                raise unknown_name("kind of terms", terms_are, ("forms", "singular", "stems"), "keywright systems yake")
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        term = np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))[document.word]
        word = np.asarray(document.flags & WordFlag.PUNCTUATION == 0, bool)
        _, sentence = np.unique(document.sentence, return_inverse=True)
        return cls(term, np.bincount(term, minlength=len(numbers)), word, sentence.reshape(-1), document.case)

    def count(self, tokens: Bools) -> Ints:
        """Return the tokens of each term that a mask (tokens,) marks."""
        return np.bincount(self.term[tokens], minlength=len(self.mentions))

    def casing(self) -> Floats:
        """Return mentions with a capital inside a sentence, or in capitals if more, over 1 + ln of all, (terms,)."""
        begins = np.diff(self.sentence, prepend=-1) > 0
        capital, upper = self.count((self.case == Case.CAPITAL) & ~begins), self.count(self.case == Case.UPPER)
        return np.asarray(np.maximum(capital, upper) / (1 + np.log(np.maximum(self.mentions, 1))))

    def sentence_statistics(self) -> tuple[Floats, Floats]:
        """Return the median number, from 0, of the distinct sentences with a term, and their share of all, 0 to 1."""
        # Pairs packed into one integer: distinct and sorted by term, then sentence, in one call.
        total = max(1, int(self.sentence.max(initial=-1)) + 1)
        pairs = np.unique(self.term * total + self.sentence)
        number, sentence = np.bincount(pairs // total, minlength=len(self.mentions)), pairs % total
        first = np.cumsum(number) - number
        low, high = first + (number - 1) // 2, first + number // 2
        return np.asarray((sentence[low] + sentence[high]) / 2), np.asarray(number / total)

    def evenness(self, wanted: Bools, window: int) -> Floats:
        """Return distinct neighbours over all neighbours, left plus right, 0 to 2.

        High for words that occur beside any other word, such as function words. Neighbours are among the tokens
        ``wanted``, (tokens,), up to ``window`` to either side; signs and ends of sentences end a neighbourhood.
        """
        block = np.cumsum(~self.word | (np.diff(self.sentence, prepend=-1) > 0))
        size, pairs = len(self.mentions), [np.zeros(0, np.int64)]
        for distance in range(1, min(window, len(block) - 1) + 1):
            near = wanted[:-distance] & wanted[distance:] & (block[:-distance] == block[distance:])
            pairs.append(self.term[:-distance][near] * size + self.term[distance:][near])
        every_pair = np.concatenate(pairs)
        distinct, base = np.unique(every_pair), max(1, size)

        def share_distinct(distinct: Ints, every: Ints) -> Floats:
            return np.asarray(np.bincount(distinct, minlength=size) / np.maximum(np.bincount(every, minlength=size), 1))

        left = share_distinct(distinct % base, every_pair % base)
        return left + share_distinct(distinct // base, every_pair // base)

    def follows(self, wanted: Bools) -> Ints:
        """Return how often terms of a token and the next are adjacent in a sentence, both ``wanted``, (tokens,)."""
        adjacent = wanted[:-1] & wanted[1:] & (self.sentence[:-1] == self.sentence[1:])
        pair = self.term[:-1] * len(self.mentions) + self.term[1:]
        _, which, times = np.unique(pair[adjacent], return_inverse=True, return_counts=True)
        counts = np.zeros(len(self.term), np.int64)
        counts[:-1][adjacent] = times[which.reshape(-1)]
        return counts

    def probability_inside(self, readable: Bools) -> Floats:
        """Return the chance that a token follows the one before, times that of preceding the one behind, (tokens,)."""
        pairs = self.follows(readable)
        before, behind = np.roll(pairs, 1), pairs  # the last token begins no pair, so nothing wraps around
        mentions = np.maximum(self.mentions[self.term], 1)
        return np.asarray(before / np.roll(mentions, 1) * behind / np.roll(mentions, -1))


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
