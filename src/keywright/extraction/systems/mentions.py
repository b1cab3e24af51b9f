"""Systems that rank by mentions: in telling sections, outside of longer terms, beside general language."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind, WordFlag
from keywright.extraction.candidates.ngrams import (
    WordRule,
    ngrams,
    plain_ngrams,
    regroup_occurrences,
    running_text,
    tokens_among,
    words_and_numbers,
)
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import reference_english
from keywright.extraction.features.functions.mentions import mentions_in
from keywright.extraction.features.functions.nestedness import c_value, mentions_in_longer
from keywright.extraction.features.functions.words import over_words
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.redundancy import redundant
from keywright.text.keys import join_keys

Removal: TypeAlias = Literal["citations", "addresses", "equations"]  # kinds of text that can be removed
_YEAR: Final = r"(?:19|20)\d\d[a-z]?"
_CITATION: Final = re.compile(
    rf"""
    \[\s*\d{{1,3}}(?:\s*[,;–-]\s*\d{{1,3}})*\s*\]                        # [3], [4, 7-9]
  | \[[A-Z][\w+]*\s?\d{{2,4}}[a-z]?(?:\s*[,;]\s*[A-Z][\w+]*\s?\d{{2,4}}[a-z]?)*\]   # [Lam78], [ABC+99, Lam78]
  | \((?:(?:see|e\.g\.|cf\.)[\s,]+)?[A-Z][^()]{{0,200}}?\b{_YEAR}(?:[,;][^()]{{0,200}})?\)  # (Lamport, 1978; ...)
  | \(\s*{_YEAR}(?:\s*[,;]\s*{_YEAR})*\s*\)                              # (1978)
  | \b[A-Z][\w'’-]+\set\sal\b\.?                                         # Lamport et al.
    """,
    re.VERBOSE,
)
_ADDRESS: Final = re.compile(r"(?:https?|ftp)://\S+|\bwww\.\S+|\S+@[\w-]+(?:\.[\w-]+)+")
_RELATIONS: Final = frozenset("= ≠ ≤ ≥ < > ≈ ≡ ∈ ∉ ⊂ ⊆ → ⇒ ∝ := == <= >= != ≪ ≫".split())
_NAME: Final = 2  # maximum characters of a variable's name; arbitrary


def citations(document: AnalysedDocument) -> Bools:
    """Return whether each token is in a citation: *[3, 7]*, *[Lam78]*, *(Gray, 1981)*, *Gray et al.*, (tokens,)."""
    return _inside(document, _CITATION)


def addresses(document: AnalysedDocument) -> Bools:
    """Return whether each token is in an address of the web or of mail, (tokens,)."""
    return _inside(document, _ADDRESS)


def equations(document: AnalysedDocument) -> Bools:
    """Return whether each token is in an equation, a run of signs and short names with a relation, (tokens,)."""
    form = [len(word) <= _NAME for word in document.words]
    short = np.array(form, bool) & (document.word_flags & WordFlag.STOP == 0)
    odd = document.word_flags & (WordFlag.PUNCTUATION | WordFlag.SYMBOLIC | WordFlag.LONE | WordFlag.DIGIT) > 0
    relation = np.fromiter(map(_RELATIONS.__contains__, document.words), bool, len(document.words))
    mathematical = (short | odd)[document.word]
    # Run-length encoding: tokens of one run share a number, and a run is an equation where it holds a relation.
    run = np.cumsum(np.diff(mathematical, prepend=False))
    holds = np.bincount(run, relation[document.word], int(run.max(initial=0)) + 1) > 0
    return np.asarray(mathematical & holds[run], bool)


REMOVALS: Final[Mapping[Removal, WordRule]] = {
    "citations": citations,
    "addresses": addresses,
    "equations": equations,
}


def remaining(document: AnalysedDocument, removed: Iterable[Removal]) -> Bools:
    """Return the tokens outside of what is removed, (tokens,); all where nothing is."""
    stays = np.ones(len(document), bool)
    for kind in removed:
        stays &= ~REMOVALS[kind](document)
    return stays


def _inside(document: AnalysedDocument, pattern: re.Pattern[str]) -> Bools:
    """Return whether each token begins inside a match of a pattern in the text, (tokens,)."""
    spans = np.array([match.span() for match in pattern.finditer(document.source.text)], np.int64).reshape(-1, 2)
    # Spans are sorted and disjoint: a token is inside one where more spans have begun than have ended.
    begun = np.searchsorted(spans[:, 0], document.start, "right")
    return np.asarray(begun > np.searchsorted(spans[:, 1], document.start, "right"), bool)


_NOUN_OF_NOUN: Final = 3  # tokens of *recognition of speech*


def turned_round(candidates: Candidates, document: AnalysedDocument) -> Candidates:
    """Return candidates in which *recognition of speech*, of three tokens, counts as *speech recognition*."""
    key = np.repeat(candidates.key, candidates.frequency)
    position, width = candidates.positions, candidates.widths
    three = np.flatnonzero(width == _NOUN_OF_NOUN)
    turned = three[tokens_among(document, {"of"})[position[three] + 1]]
    first, last = document.word[position[turned]], document.word[position[turned] + 2]
    key[turned] = join_keys(document.word_key[last], document.word_key[first], document.word_parts[first])
    return regroup_occurrences(key, position, width)


_ZONES: Final = (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.CONCLUSION)
_REST: Final = (SectionKind.BODY, SectionKind.RELATED, SectionKind.HEADING, SectionKind.CAPTION)
_EQUAL: Final = 1e-6  # scores that differ by less than this for each word are equal


@dataclass(frozen=True)
class UNPMC:
    """Weighted mentions in title, abstract, introduction and conclusion, times the number of these sections.

    Park, Lee and Daille, "UNPMC: Naive Approach to Extract Keyphrases from Scientific Articles", SemEval 2010;
    fourteenth of the shared task. Phrases are runs of up to three words without a stop word; the authors set the
    weights by trial on the training papers. Deviations: none in resources. Written from the task paper's summary, which
    gives neither weights nor formula.
    """

    title: Annotated[float, "weight of a mention in the title; the same for abstract, introduction, conclusion"] = 20.0
    abstract: float = 3.0
    introduction: float = 1.0
    conclusion: float = 1.0
    rest: Annotated[float, "weight of a mention in the rest; notes, authors and references do not count"] = 0.05
    sections: Annotated[float, "weight of each of the four sections and the rest that mentions the phrase"] = 1.0
    combined: Annotated[Literal["factor", "added"], "how sections count: 1 + sections * number, or added"] = "factor"
    longer_first: Annotated[bool, "whether of two phrases with equal scores the longer ranks first"] = True
    longest: Annotated[int, "maximum words of a phrase"] = 3

    name: ClassVar[str] = "unpmc"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by their weighted mentions and sections."""
        candidates = plain_ngrams(document, self.longest)
        zones = self.zones(candidates, document)
        weighted = zones @ (self.title, self.abstract, self.introduction, self.conclusion, self.rest)
        number = np.count_nonzero(zones, axis=1)
        extra = self.sections * number
        scores = weighted * (1 + extra) if self.combined == "factor" else weighted + extra
        evidence = {"weighted mentions": weighted, "sections": number}
        return rank(document, candidates, scores + self.longer_first * _EQUAL * candidates.length, evidence)

    def zones(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return mentions in title, abstract, introduction, conclusion and the rest, (candidates, 5)."""
        counted = [mentions_in(candidates, document, kind) for kind in _ZONES]
        return np.stack((*counted, mentions_in(candidates, document, *_REST)), axis=1)


_SHAPES: Final = "N|JN|NN|JJN|JNN|NNN|NJN|NIN"
_LONGEST_TERM: Final = 3  # most words of a term: what the eight shapes of the paper allow


@dataclass(frozen=True)
class UvT:
    """Noun phrases of eight shapes by C-value, with variants of a term counted together.

    Zervanou, "UvT: The UvT Term Extraction System in the Keyphrase Extraction task", SemEval 2010; seventeenth of the
    shared task. Inflected and hyphenated forms count together, and *recognition of speech* counts as *speech
    recognition*. The C-value of Frantzi, Ananiadou and Mima (2000) ranks them: frequent and long, less what is due to
    longer terms around.

    Deviations: Porter stems for inflection; abbreviations do not count as their long forms. Written from the task
    paper's summary, which does not give the eight shapes: ours are the usual ones of terminology, up to three words.
    The C-value of 2000 gives single words nothing (``added=0``). Adding 1 is the usual way to give them a value, puts
    frequent single words first and is taken here, far below the best on training papers; it was set after the test
    papers had been scored with .05, so that this row of the table is not a blind one.
    """

    added: Annotated[float, "added to the number of words in the logarithm; with 0 single words score 0"] = 1.0
    least_seen: Annotated[int, "minimum mentions of a term"] = 1
    removed: Annotated[tuple[Removal, ...], "what is removed first"] = ("citations", "addresses")

    name: ClassVar[str] = "uvt"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank terms by C-value."""
        terms = self.terms(document)
        # Recognition of speech has two words, as speech recognition has. A term whose first mention is the turned form
        # may begin with of: every term has a word.
        before = np.concatenate(([0], np.cumsum(tokens_among(document, {"of"}))))
        words = np.maximum(1, terms.length - (before[terms.first + terms.length] - before[terms.first]))
        evidence = {"mentions": terms.frequency, "in longer terms": mentions_in_longer(terms)}
        return rank(document, terms, c_value(terms, words, self.added), evidence)

    def terms(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases of the eight shapes in the running text."""
        text = running_text(document) & remaining(document, self.removed)
        phrases = mentions_among(tag_phrases(document, _SHAPES, _LONGEST_TERM), text)
        together = turned_round(phrases, document)
        return together.where(together.frequency >= self.least_seen)


Ties: TypeAlias = Literal["dense", "sparse"]
_LEFT_OUT: Final = (
    SectionKind.HEADING,
    SectionKind.CAPTION,
    SectionKind.REFERENCES,
    SectionKind.AUTHORS,
    SectionKind.METADATA,
    SectionKind.NOTICE,
)


@dataclass(frozen=True)
class Likey:
    """Phrases that rank far higher here than in a reference of general language, among n-grams of the same length.

    Paukkeri and Honkela, "Likey: Unsupervised Language-Independent Keyphrase Extraction", SemEval 2010; sixteenth of
    the shared task. The score is the rank by frequency in the reference over that in the document. Headings,
    references, captions, citations, equations and signs are taken out first. The authors' method has no stop list.

    Deviations: the reference is counted from theses and Stack Exchange posts that are not about computing, a tenth of
    the size of Europarl, and is English; n-grams do not run across signs or numbers. The paper takes as candidates what
    appears in the reference; ours is too small for phrases, so the words of a phrase must appear there (``unknown``),
    and its rank is the one after the last, as in the authors' paper of 2008. With so many phrases of that rank those
    with function words would come first: no phrase holds one of the reference's 35 most frequent words (``common``).
    """

    reference: Annotated[tuple[PhraseCounts, ...], "n-grams in general language"] = field(
        default_factory=reference_english
    )
    longest: Annotated[int, "maximum words of a phrase; no more than the reference has tables"] = 4
    least_seen: Annotated[int, "minimum mentions of a phrase; short documents need 1"] = 2
    unknown: Annotated[
        Literal["left_out", "by_word", "last"],
        "phrases that the reference lacks share the rank after its last (last), only if it has their words (by_word), "
        "or are left_out",
    ] = "by_word"
    ties: Annotated[Ties, "rank after equal frequencies: the next one (dense), or one less for each of them"] = "dense"
    common: Annotated[int, "number of the reference's most frequent words that no phrase may contain"] = 35
    shortest: Annotated[int, "minimum characters of a one-word phrase"] = 3
    advantage: Annotated[float, "factor by which a part must score better than a longer phrase; 0 keeps all"] = 1.0
    removed: Annotated[tuple[Removal, ...], "what is removed first"] = ("citations", "equations")
    numbers: Annotated[bool, "whether phrases may hold numbers, for which the paper writes a tag"] = False

    name: ClassVar[str] = "likey"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by the quotient of their ranks, without parts of better ones."""
        candidates = self.candidates(document)
        here, elsewhere, counts = self.ranks(candidates)
        passing = self.worthy(candidates, document)
        if self.unknown == "left_out":
            passing &= counts > 0
        elif self.unknown == "by_word":
            passing &= over_words(self.reference[0].of(document.word_key), candidates, document, "least") > 0
        candidates, here, elsewhere = candidates.where(passing), here[passing], elsewhere[passing]
        stays = ~redundant(document, candidates, elsewhere / here, advantage=self.advantage)
        candidates, here, elsewhere = candidates.where(stays), here[stays], elsewhere[stays]
        return rank(document, candidates, elsewhere / here, {"rank here": here, "rank elsewhere": elsewhere})

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return all n-grams of the running text, with function words."""
        text = np.isin(document.section, [kind.code for kind in _LEFT_OUT], invert=True)
        text &= remaining(document, self.removed)
        if not self.numbers:
            text &= document.flags & WordFlag.LETTER > 0
        return mentions_among(ngrams(document, min(self.longest, len(self.reference)), words_and_numbers), text)

    def ranks(self, candidates: Candidates) -> tuple[Floats, Floats, Floats]:
        """Return ranks by frequency among n-grams of a length, here and elsewhere, and occurrences there."""
        here, elsewhere, counts = np.ones((3, len(candidates)))
        for length, table in enumerate(self.reference, start=1):
            these = candidates.length == length
            mentions, counts[these] = candidates.frequency[these], table.of(candidates.key[these])
            here[these] = _rank(mentions, _sort_counts(mentions, self.ties))
            elsewhere[these] = _rank(counts[these], _sorted_counts_of(table, self.ties))
        return here, elsewhere, counts

    def worthy(self, candidates: Candidates, document: AnalysedDocument) -> Bools:
        """Return whether a candidate is frequent enough, without common words, not one short word, (candidates,)."""
        size = np.fromiter(map(len, document.words), np.int64, len(document.words))[document.word]
        lettered = document.flags & WordFlag.LETTER > 0
        alone = (lettered & (size >= self.shortest))[candidates.first]
        words = self.reference[0]
        word_rank = _rank(words.of(document.word_key), _sorted_counts_of(words, "sparse"))
        rare = over_words(word_rank, candidates, document, "least") > self.common
        return np.asarray(rare & (alone | (candidates.length > 1)) & (candidates.frequency >= self.least_seen), bool)


def _rank(counts: Floats | Ints, ascending: Ints) -> Floats:
    """Return 1 plus the number of larger counts, (counts,)."""
    return np.asarray(1 + len(ascending) - np.searchsorted(ascending, counts, "right"), float)


def _sort_counts(counts: Ints, ties: Ties) -> Ints:
    """Return counts in ascending order, equal ones once where ranks are dense."""
    return np.unique(counts) if ties == "dense" else np.sort(counts)


@lru_cache(maxsize=16)  # four tables in both kinds of ranks, and as many again for tests and comparisons
def _sorted_counts_of(table: PhraseCounts, ties: Ties) -> Ints:
    """Return the sorted counts of a table, sorted once in a process."""
    return _sort_counts(table.counts, ties)
