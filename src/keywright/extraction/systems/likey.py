"""Likey: phrases beside general language."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind, WordFlag
from keywright.extraction.candidates.ngrams import ngrams, words_and_numbers
from keywright.extraction.candidates.removing import Removal, remaining
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import reference_english
from keywright.extraction.features.functions.words import over_words
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.redundancy import redundant

Ties: TypeAlias = Literal["dense", "sparse"]
_LEFT_OUT: Final = (
    SectionKind.HEADING, SectionKind.CAPTION, SectionKind.REFERENCES, SectionKind.AUTHORS, SectionKind.METADATA,
    SectionKind.NOTICE,
)  # fmt: skip


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
