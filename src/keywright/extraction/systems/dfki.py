"""DFKI KeyWE at SemEval-2010: a ranking support vector machine."""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, needs_extra
from keywright.extraction.candidates.ngrams import content_words, ngram_occurrences, running_text, words_and_numbers
from keywright.extraction.candidates.patterns import nominal_groups
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background, lexicon
from keywright.extraction.features.functions.mentions import first_mention
from keywright.extraction.features.functions.words import has_special_characters, over_words
from keywright.extraction.learners.examples import labels, training_rows
from keywright.extraction.ranking.trained import FeatureSystem
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer
from keywright.text.tokens import normal_form

_SHARE_OF_WORDS: Final = 0.5
"""Minimum share of a candidate's words in a keyphrase that it resembles; arbitrary, as no paper defines it."""


def grades(candidates: Candidates, document: AnalysedDocument, gold: tuple[GoldKeyphrase, ...]) -> Ints:
    """Return 2 for keyphrases, 1 for candidates that resemble one, 0 for the rest, (candidates,)."""
    # Alike are those of the same last stem, or with half of the stems; gold is read as text and as stems.
    language = document.source.language
    stem = stemmer(language or "en")
    forms = sorted({normal_form(form) for keyphrase in gold for form in keyphrase.forms})
    resembles = np.zeros(len(candidates), bool)
    # Keys of the words of each first mention, 0 behind the last one, (candidates, longest).
    places = np.arange(int(candidates.length.max(initial=1)))
    present = places < candidates.length[:, None]
    words = np.zeros(present.shape, np.uint64)
    words[present] = document.word_key[document.word[(candidates.first[:, None] + places)[present]]]
    last = words[np.arange(len(candidates)), candidates.length - 1]
    readings: tuple[Callable[[str], str], ...] = (stem, str)
    for form, reading in itertools.product(forms, readings):
        phrase = np.array([phrase_key(word, reading) for word in form.split()], np.uint64)
        common = np.isin(words, phrase[phrase > 0]).sum(axis=1)
        resembles |= np.isin(last, phrase[-1:]) | (common >= _SHARE_OF_WORDS * candidates.length)
    return np.where(labels(candidates, gold, language), 2, resembles.astype(int))


def graded_rows(
    labelled: Iterable[LabelledDocument[AnalysedDocument]],
    candidates_of: Callable[[AnalysedDocument], Candidates],
    features_of: Callable[[Candidates, AnalysedDocument], Floats],
) -> tuple[Floats, Ints, Ints]:
    """Return features (rows, features), grades (rows,) and document numbers of all candidates, without own labels."""
    numbers = itertools.count()

    def grade(candidates: Candidates, example: LabelledDocument[AnalysedDocument]) -> Ints:
        of_document = grades(candidates, example.document, example.gold)
        return np.stack((of_document, np.full(len(of_document), next(numbers))), axis=1)

    rows, graded = training_rows(labelled, candidates_of, features_of, grade)
    return rows, *graded.T


@dataclass(frozen=True, slots=True, eq=False)
class RankingSVM:
    """A weighted sum of features, divided by ``scale``, that ranks the better of two rows of a document higher.

    Joachims (2002); Herbrich, Graepel and Obermayer (2000): a linear support vector machine learns the sign of
    differences.
    """

    scale: Floats
    weight: Floats

    @classmethod
    def fit(
        cls, rows: Floats, grades: Ints, documents: Ints, *, strength: float = 1.0, pairs: int = 50, seed: int = 1
    ) -> Self:
        """Learn from features (rows, features), grades and documents; ``pairs`` of each lower grade at most."""
        with needs_extra("train", "training a ranking SVM needs scikit-learn"):
            from sklearn import svm  # noqa: PLC0415  (seconds to import, and only training needs it)

        better, worse = _pairs(grades, documents, pairs, np.random.default_rng(seed))
        if not len(better):
            message = "a ranking needs a document with rows of different grades"
            raise BadParameter(message, "do gold keyphrases occur in the documents?")
        scale = rows.std(axis=0)
        scale = np.where(scale > 0, scale, 1.0)
        differences = (rows[better] - rows[worse]) / scale
        differences = np.resize(differences, (max(2, len(better)), rows.shape[1]))  # the solver needs both signs
        signs = np.where(np.arange(len(differences)) % 2, -1.0, 1.0)
        # Without an intercept, as differences have none; 10,000 rounds are ten times the default, to converge.
        model = svm.LinearSVC(C=strength, dual=False, fit_intercept=False, max_iter=10_000)
        model.fit(differences * signs[:, None], signs)
        return cls(scale, model.coef_[0] if len(better) > 1 else differences[0])

    def scores(self, rows: Floats) -> Floats:
        """Return scores, higher is better, comparable within a document, (rows,)."""
        return np.asarray((rows / self.scale) @ self.weight)


def _pairs(grades: Ints, documents: Ints, pairs: int, random: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the better and the worse row of each pair, each (pairs,)."""
    better, worse = [np.zeros(0, int)], [np.zeros(0, int)]
    for document in np.unique(documents).tolist():
        rows = np.flatnonzero(documents == document)
        levels = np.unique(grades[rows]).tolist()
        for low, high in ((low, high) for low in levels for high in levels if low < high):
            below, above = rows[grades[rows] == low], rows[grades[rows] == high]
            for row in above.tolist():
                drawn = random.permutation(below)[:pairs]
                better.append(np.full(len(drawn), row))
                worse.append(drawn)
    return np.concatenate(better), np.concatenate(worse)


_LONGEST_GROUP = 8  # most words of a nominal group; arbitrary


@dataclass(frozen=True)
class DFKI(FeatureSystem):
    """Nominal groups of the first page, put in order by a ranking support vector machine; must be trained.

    Eichler and Neumann, "DFKI KeyWE: Ranking Keyphrases Extracted from Scientific Articles", SemEval 2010; tenth of the
    shared task. Candidates are four kinds of nominal group within the first 2000 characters, found by closed-class
    words and suffixes. Ranking is ordinal regression by eight features: keyphrases above phrases that resemble one, and
    these above the rest.

    Deviations: document frequencies of the bundled background instead of hits on the web, and an entry in a bundled
    lexicon instead of an article in Wikipedia. Certain are these two features and special characters; the other five
    are a reconstruction.
    """

    window: Annotated[int, "characters from the document's start that candidates come from"] = 2000
    maximal: Annotated[bool, "whether only the longest groups are candidates, not those inside them"] = True
    hits: Annotated[PhraseCounts, "document frequencies of phrases"] = field(default_factory=background)
    lexicons: Annotated[tuple[str, ...], "lexicons instead of an encyclopedia"] = ("foldoc", "vera", "wordnet")
    strength: Annotated[float, "inverse weight of the penalty, above 0"] = 1.0
    pairs: Annotated[int, "maximum rows of each lower grade of its document that a row is compared with"] = 50
    seed: Annotated[int, "of the draw of pairs"] = 1
    model: Annotated[RankingSVM | None, "the fitted machine"] = None

    name: ClassVar[str] = "dfki"

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn to put keyphrases before phrases that resemble one, and these before others."""
        rows, grades, documents = graded_rows(labelled, self.candidates, self.features)
        model = RankingSVM.fit(rows, grades, documents, strength=self.strength, pairs=self.pairs, seed=self.seed)
        return replace(self, model=model)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return nominal groups with mentions in the window, without authors and metadata."""
        begins = running_text(document) & (document.end <= self.window)
        return mentions_among(nominal_groups(document, _LONGEST_GROUP, maximal=self.maximal), begins)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> dict[str, Numbers | Bools]:
        """Return the features by name; association: how much more common a phrase is than its words suggest."""
        hits = np.log10(1 + self.hits.of(candidates.key))
        of_words = over_words(np.log10(1 + self.hits.of(document.word_key)), candidates, document, "mean")
        memberships = [np.zeros(len(candidates), bool)]
        memberships += [lexicon(name).of(candidates.key) > 0 for name in self.lexicons]
        return {
            "mentions at the beginning": np.log2(1.0 + candidates.frequency),
            "mentions": np.log2(1 + _mentions_anywhere(candidates, document)),
            "first mention": first_mention(candidates, document),
            "words": candidates.length,
            "special characters": has_special_characters(candidates, document),
            "lexicons": np.any(memberships, axis=0),
            "documents with it": hits,
            "association": hits - of_words,
        }


def _mentions_anywhere(candidates: Candidates, document: AnalysedDocument) -> Numbers:
    """Return the mentions in the whole document, also inside other groups, (candidates,)."""
    keys, _, _ = ngram_occurrences(document, int(candidates.length.max(initial=1)), content_words, words_and_numbers)
    order = np.argsort(candidates.key)
    place = np.searchsorted(candidates.key[order], keys)
    counts = np.bincount(order[place[np.isin(keys, candidates.key)]], minlength=len(candidates))
    return np.maximum(counts, candidates.frequency)
