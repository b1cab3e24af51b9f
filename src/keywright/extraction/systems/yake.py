"""YAKE: statistics of one text, without training, tags or collection.

Campos, Mangaravite, Pasquali, Jorge, Nunes and Jatowt, "YAKE! Keyword extraction from single documents using multiple
local features", Information Sciences 509, 2020 (first at ECIR 2018). Five numbers of each term are joined in one, S,
which is low for terms that matter: written as a name or acronym, early, frequent, beside few other words, and in many
sentences. A phrase multiplies S of its terms; a stop word inside counts by how likely it is between its neighbours.
Only the best of phrases that are spelt nearly alike stays.

The score is -S, as scores here are higher for the better; S is in the evidence.

Deviations: words are cut and sentences end as everywhere here. Forms of one phrase (*rain garden*, *rain gardens*) are
one; its best form speaks for it. The paper divides by ln of a term's mentions, which is 0 for a single one: 1 is added,
as in the authors' program. The program takes a plural's s off its terms (``terms`` = singular), does not see
possessives, and compares spellings by matching blocks at 0.9 by default. With more than one stop word inside, thus from
four words on, the paper's denominator can fall to 0 or below; such phrases are left out.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.candidates.words import stop_words
from keywright.extraction.features.functions.shape import best_occurrences, surface_form_counts, surface_forms
from keywright.extraction.features.functions.terms import (
    Terms,
    TermsAre,
    casing,
    evenness,
    follows,
    median_sentence,
    readable_words,
    sentence_share,
    short_words,
)
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.redundancy import without_similar


@dataclass(frozen=True)
class Yake:
    """Phrases of terms that are distinctive by case, position, frequency, neighbours and spread.

    longest   maximum words of a phrase
    window    words to either side that count as a term's neighbours
    alike     similarity of spelling, 0 to 1, above which the worse of two phrases is removed; 1 for none
    shortest  words of fewer letters count as stop words
    terms     definition of a term: a word form, one without a plural's s, or a stem
    """

    longest: int = 3
    window: int = 1
    alike: float = 0.8
    shortest: int = 3
    terms: TermsAre = "forms"

    name: ClassVar[str] = "yake"
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank phrases by S, the lowest first, without those spelt nearly as a better one."""
        return self.extract_first(document)

    def extract_first(self, document: AnalysedDocument, depth: int | None = None) -> Ranking:
        """Rank the first phrases; comparing the spelling of all takes quadratic time."""
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
        return rank(
            document, candidates, -weight, {"S": weight, "mentions": candidates.frequency}, complete=depth is None
        )

    def weights(self, candidates: Candidates, document: AnalysedDocument, readable: Bools, stop: Bools) -> Floats:
        """Return S of the phrase for each occurrence, (occurrences,); infinite where it is undefined."""
        terms = Terms.of(document, self.terms)
        of_token = self.term_weights(terms, document, readable, stop)[terms.term]
        surely = _surely_inside(terms, readable)
        product, total = np.ones(len(candidates.positions)), np.ones(len(candidates.positions))
        for step in range(int(candidates.widths.max(initial=0))):
            longer = np.flatnonzero(candidates.widths > step)
            token = candidates.positions[longer] + step
            product[longer] *= np.where(stop[token], 2 - surely[token], of_token[token])
            total[longer] += np.where(stop[token], surely[token] - 1, of_token[token])
        divisor = np.where(total > 0, total, np.nan) * surface_form_counts(candidates, document)
        return np.nan_to_num(product / divisor, nan=np.inf)

    def term_weights(self, terms: Terms, document: AnalysedDocument, readable: Bools, stop: Bools) -> Floats:
        """Return S of each term, low for important ones, (terms,)."""
        plain = terms.mentions[(terms.count(terms.word & ~stop) == terms.mentions) & (terms.mentions > 0)]
        most = terms.mentions[terms.term[terms.word]].max(initial=1)
        company = 1 + evenness(terms, readable, self.window) * terms.mentions / most
        usual = plain.mean() + plain.std() if len(plain) else 1.0
        early = np.log(np.log(3 + median_sentence(terms)))
        return np.asarray(
            early * company / (casing(terms, document) + (terms.mentions / usual + sentence_share(terms)) / company)
        )


def _surely_inside(terms: Terms, readable: Bools) -> Floats:
    """Return how likely each token is to occur between its neighbours, 0 to 1, (tokens,).

    The chance that it follows the one before, times the chance that the one behind it is preceded by it.
    """
    pairs = follows(terms, readable)
    before, behind = np.roll(pairs, 1), pairs  # the last token begins no pair, so nothing wraps around
    mentions = np.maximum(terms.mentions[terms.term], 1)
    return np.asarray(before / np.roll(mentions, 1) * behind / np.roll(mentions, -1))
