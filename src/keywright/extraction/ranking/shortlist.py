"""The shortlist of the default: which candidates are worth a description, and what its two tastes say of them."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, count_inside
from keywright.core.candidates import Candidates
from keywright.core.document_batches import Analysed
from keywright.core.documents import SectionKind, WordFlag
from keywright.extraction.candidates import prefilter
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.columns import RANKS
from keywright.extraction.features.description.described_candidates import DescribedCandidates, share_of
from keywright.extraction.features.description.weighing import Weighing
from keywright.extraction.features.functions.nestedness import mentions_in_longer, mentions_inside
from keywright.extraction.learners.ranker import mix_log_odds
from keywright.extraction.learners.trees import Trees
from keywright.extraction.ranking.context_reader import IN_CONTEXT
from keywright.extraction.ranking.reasons import contributions_by_subject, subject_of
from keywright.text.stems import stopwords
from keywright.text.tag_lexicon import TagLexicon
from keywright.text.word_borders import KOREAN, NO_BORDERS, find_word_borders

ZONES: Final = (
    SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.RELATED, SectionKind.CONCLUSION,
    SectionKind.HEADING, SectionKind.REFERENCES,
)  # fmt: skip
_LONG_TEXT: Final = 1000
"""Tokens from which on a phrase must be repeated or occur in a zone; arbitrary, between abstracts and papers."""
_AUTHOR_CHOICE: Final = 0.3
"""Weight of the logarithm of a phrase's author choices; chosen with the weights of ``counting`` on training papers
(``docs/decisions/0013-trained-default.md``)."""


def select_shortlist(
    document: Analysed, knowledge: Knowledge, weighing: Weighing, size: int
) -> tuple[DescribedCandidates, Floats]:
    """Return the candidates with the ``size`` heaviest of each document, and the weight of all, (candidates,)."""
    letters = prefilter.letters_of_terms(document, knowledge.chosen, knowledge.nouns)
    joints = prefilter.find_joints(document)
    candidates = prefilter.usual_candidates(document, letters, joints)
    passing = prefilter.passes_prefilter(candidates, document, ZONES, _LONG_TEXT)  # nothing is looked up for the others
    counts = knowledge.counts(candidates.key[passing])
    rarity, choices = np.ones(len(candidates)), np.zeros(len(candidates))
    rarity[passing], choices[passing] = knowledge.background.rarity(counts["background"]), counts["chosen"]
    product = np.prod(list(weighing.factors(candidates, document, rarity).values()), axis=0)
    weight = np.where(passing, product * (1 + _AUTHOR_CHOICE * np.log1p(choices)), 0.0)
    if document.language not in {None, "en"}:
        weight[find_pieces(candidates, document)] *= _OF_PIECES
        if knowledge.tags and document.language not in _VERBS_NAME_THINGS:
            weight *= _SURELY - find_verbs(candidates, document, knowledge.tags)
    torn = prefilter.find_torn(candidates, document, joints)
    weight[torn] *= _OF_PIECES
    bounds = candidates.first.searchsorted(document.bounds)
    parts = [heaviest(weight[begin:end], size) for begin, end in itertools.pairwise(bounds.tolist())]
    return DescribedCandidates(document, candidates, np.concatenate(parts) & ~torn), weight


_OF_PIECES: Final = 0.01  # factor of pieces of words, which so come behind all phrases; arbitrary
_SURELY: Final = 1.05  # less the share of verb of a word that is surely one leaves a twentieth; arbitrary
_MOSTLY: Final = 0.75  # share of its mentions from which on a piece is only that of a longer phrase; arbitrary
_CLAUSE: Final = 10  # characters of the longest candidates where words cannot be told apart
_WORDS_OF_CLAUSE: Final = 4  # content words of a clause, at least; arbitrary: keyphrases of so many words are rare
_VERBS_NAME_THINGS: Final = frozenset({"zh", "ja"})  # languages whose verbs are nouns without a sign of it
_BLANKS_PART_CLAUSES: Final = frozenset({"th", "lo", "km", "my"})
_SYLLABLES: Final = frozenset({"vi"})  # languages that write a blank between the syllables of a word


def find_pieces(candidates: Candidates, document: Analysed) -> Bools:
    """Return whether each candidate is a piece of a word, *ngôn* of *tuyên ngôn*, or of a sentence.

    Four content words in a row that are mentioned once are most of a clause, but for Korean, Chinese, Japanese; where
    blanks part clauses, as in Thai, so are words on both sides of one.
    A syllable is a piece if longer phrases have most of its mentions. Where words cannot be told apart, a run of
    characters is one if a longer run has most of its mentions, if it goes on and is mentioned once or as long as
    candidates get, or if a function word of two characters begins or ends it.
    """
    language = document.language or "en"
    has_borders = find_word_borders(language) != NO_BORDERS
    first, after = candidates.first, candidates.first + candidates.length
    if language in _SYLLABLES:
        inside = mentions_in_longer(candidates, least=2)
        return np.asarray((candidates.length == 1) & (inside >= _MOSTLY * candidates.frequency))
    if has_borders:
        clause = np.zeros(len(candidates), bool)
        if language in _BLANKS_PART_CLAUSES:
            clause |= count_inside(document.start[1:] > document.end[:-1], first, after - 1) > 0
        if language not in {KOREAN, *_VERBS_NAME_THINGS}:
            clause |= count_inside(document.flags & int(WordFlag.STOP) == 0, first, after) >= _WORDS_OF_CLAUSE
        return np.asarray(clause & (candidates.frequency == 1))
    inside = mentions_inside(candidates)
    # Sentinels before the first and after the last token, which nothing adjoins.
    adjoins = np.zeros(len(document) + 1, bool)
    adjoins[1:-1] = (document.end[:-1] == document.start[1:]) & (document.sentence[:-1] == document.sentence[1:])
    word = np.append(document.flags & int(WordFlag.STOP | WordFlag.PUNCTUATION) == 0, False)
    goes_on = (adjoins[first] & word[first - 1]) | (adjoins[after] & word[after])
    alone = (candidates.frequency == 1) | (candidates.length >= _CLAUSE)
    words, stop = document.words, stopwords(language)
    pairs = itertools.pairwise(document.word.tolist())
    functional = np.array([*(words[left] + words[right] in stop for left, right in pairs), False, False], bool)
    at_edge = (candidates.length > 1) & (functional[first] | functional[after - 2])
    return np.asarray((inside > 1) & (inside >= _MOSTLY * candidates.frequency) | (goes_on & alone) | at_edge)


def find_verbs(candidates: Candidates, document: Analysed, lexicon: TagLexicon) -> Floats:
    """Return how far the most verbal word of each candidate is a verb, 0 to 1, (candidates,)."""
    verbal = share_of("V", lexicon.shares(document))[document.word]
    most = verbal[candidates.first]
    for place in range(1, int(candidates.length.max(initial=0))):
        longer = candidates.length > place
        most[longer] = np.maximum(most[longer], verbal[candidates.first[longer] + place])
    return most


def heaviest(weight: Floats, size: int) -> Bools:
    """Return whether each weight is one of the ``size`` largest, (candidates,); of equal ones the first are."""
    if not 0 < size < len(weight):
        return np.full(len(weight), size > 0)
    # A partial sort finds the bound; only ties at the bound are then taken in order.
    least = np.partition(weight, len(weight) - size)[len(weight) - size]
    largest = weight > least
    largest[np.flatnonzero(weight == least)[: size - np.count_nonzero(largest)]] = True
    return np.asarray(largest)


_NEGLIGIBLE: Final = 0.01  # share of prose of a document that is not corrected, to spend no time on it; arbitrary
WEIGHT: Final = f"{RANKS}: weight"  # column of the weights by which the start is shared out, for which it counts


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Log-odds by one taste, its start and what the encoder ``added``, (shortlist,); ``usual``: expected number."""

    trees: Trees
    usual: float | None
    start: Floats
    log_odds: Floats
    added: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class JudgedShortlist:
    """The shortlists of documents with their log-odds, by all tastes together."""

    rows: Floats  # description with the style, (shortlist, columns + 1)
    log_odds: Floats  # (shortlist,)
    number: Ints  # document of each candidate, (shortlist,)
    verdicts: Sequence[Verdict]
    shares: Sequence[Floats]  # part of its log-odds that each verdict explains, (shortlist,) each
    usual: Floats  # number of keyphrases that is expected of each document, NaN where none was learnt, (documents,)
    moved: Floats  # added for a declared number of keyphrases, (shortlist,)
    prose: Floats  # share of the correction for prose in each document, 0 to 1, (documents,)
    added: Floats | None = None  # by an encoder, to all verdicts together, (shortlist,)

    @property
    def expected(self) -> list[float | None]:
        """Number of keyphrases that is expected of each document, to a tenth; None where none was learnt."""
        return [None if math.isnan(number) else number for number in self.usual.round(1).tolist()]

    def add(self, added: Floats) -> "JudgedShortlist":
        """Return the shortlists with what an encoder adds, (shortlist,)."""
        return replace(self, log_odds=self.log_odds + added, added=added)

    def correct(self, trees: Trees, usual: float | None, shares: Floats) -> "JudgedShortlist":
        """Return the shortlists as the trees of everyday prose correct them, with a share for each document."""
        shares = np.where(shares < _NEGLIGIBLE, 0.0, shares)
        share = shares[self.number]
        corrected, added = share > 0, np.zeros(len(share))
        if not corrected.any():
            return self
        added[corrected] = trees.scores(self.rows[corrected])
        return replace(
            self,
            log_odds=self.log_odds + share * added,
            verdicts=(*self.verdicts, Verdict(trees, usual, np.zeros(len(share)), added)),
            shares=(*self.shares, share),
            prose=shares,
            usual=(1 - shares) * self.usual + shares * (math.nan if usual is None else usual),
        )

    def declare(self, number: float | None) -> "JudgedShortlist":
        """Return the shortlists with log-odds for a declared number of keyphrases; None leaves them as they are."""
        if number is None or np.isnan(self.usual).any():
            return self
        moved = np.log(number / self.usual)[self.number]
        usual = np.full(len(self.usual), number)
        return replace(self, log_odds=self.log_odds + moved, moved=moved, usual=usual)

    def explain(self, row: Ints, columns: Sequence[str]) -> dict[str, Floats]:
        """Return what moved the log-odds of some rows, by subject, (rows,) each; they sum to the log-odds."""
        moved: dict[str, Floats] = {}
        for verdict, share in zip(self.verdicts, self.shares, strict=True):
            contributions = verdict.trees.contributions(self.rows[row])
            contributions[:, columns.index(WEIGHT)] += verdict.start[row]
            by_subject = contributions_by_subject(contributions, columns)
            if verdict.added is not None:
                by_subject[IN_CONTEXT] = verdict.added[row]
            for subject, column in by_subject.items():
                moved[subject] = moved.get(subject, 0.0) + share[row] * column
        moved[subject_of(WEIGHT)] += self.moved[row]
        return moved if self.added is None else {**moved, IN_CONTEXT: self.added[row]}


def judge_by(verdicts: Sequence[Verdict], rows: Floats, shares: Floats, number: Ints) -> JudgedShortlist:
    """Return log-odds of averaged probabilities of one or two tastes by ``shares``, of rows with style."""
    log_odds = verdicts[0].log_odds
    explained: Sequence[Floats] = (np.ones(len(rows)),)
    if len(verdicts) > 1:
        second = verdicts[1].log_odds
        log_odds = mix_log_odds(verdicts[0].log_odds, second, shares[number])
        # Each explains its part of the way between both, and a half where they agree, so that evidence sums up.
        way, parts = second - verdicts[0].log_odds, np.full(len(rows), 0.5)
        np.divide(log_odds - verdicts[0].log_odds, way, out=parts, where=way != 0)
        explained = (1 - parts, parts)
    usual, other = (math.nan if verdict.usual is None else verdict.usual for verdict in (verdicts[0], verdicts[-1]))
    means = (1 - shares) * usual + shares * other  # probabilities that are averaged sum to the average number
    return JudgedShortlist(
        rows, log_odds, number, verdicts, explained, means, np.zeros(len(rows)), np.zeros(len(shares))
    )
