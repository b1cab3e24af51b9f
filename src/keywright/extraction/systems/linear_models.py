"""Linear models that rank phrases: a support vector machine over pairs, a discriminant."""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument, WordFlag
from keywright.core.errors import BadParameter, needs_extra
from keywright.extraction.candidates.ngrams import content_words, ngram_occurrences, running_text, words_and_numbers
from keywright.extraction.candidates.patterns import nominal_groups, tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import background, lexicon
from keywright.extraction.features.functions.mentions import first_mention
from keywright.extraction.features.functions.words import has_special_characters, over_words
from keywright.extraction.learners.classifiers import LinearDiscriminant
from keywright.extraction.learners.examples import labels, training_rows
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.trained import FeatureSystem, require_fitted
from keywright.text.keys import phrase_key
from keywright.text.sentences import find_questions, find_with_verb
from keywright.text.stems import stemmer
from keywright.text.tag_lexicon import tag_classes
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

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank nominal groups of the beginning in the machine's order."""
        model = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        rows, evidence = self.measure_candidates(candidates, document)
        return rank(document, candidates, model.scores(rows), evidence)

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
    longest = int(candidates.length.max(initial=1))
    keys, _, _ = ngram_occurrences(document, longest, content_words, words_and_numbers)
    order = np.argsort(candidates.key)
    place = np.searchsorted(candidates.key[order], keys)
    counts = np.bincount(order[place[np.isin(keys, candidates.key)]], minlength=len(candidates))
    return np.maximum(counts, candidates.frequency)


LONGEST: Final = 3  # words of the longest phrase (the paper)
PATTERNS: Final = {"ar": "N|N[NJ]|N[NJI][NJ]", "en": "N|[NJ]N|[NJ][NJ]N|NIN"}
"""Runs of word classes that may be keyphrases; those of English also hold for all other languages.

An adjective alone, or before a preposition, is none: *the high institutions in the villages* and *the high towers in
the villages* share *village* only.
"""
UNTRAINED: Final = (
    "lbake has not been trained, so it ranks by words × mentions; `keywright train lbake akec/train -o DIR`, then "
    "`--system DIR`"
)


@dataclass(frozen=True)
class LBAKE(FeatureSystem):
    """Noun phrases in lemma form by a linear discriminant; ranks by words × mentions until it is trained.

    El-Shishtawy and Al-Sammak, "Arabic Keyphrase Extraction using Linguistic Knowledge and Machine Learning
    Techniques", 2nd International Conference on Arabic Language Resources and Tools, 2009; as described in Elghannam
    and El-Shishtawy, "Keyphrase based Evaluation of Automatic Text Summarization", IJCA 2015. Candidates are runs of
    one to three lemmas: the first a noun, the last a noun or an adjective, the middle one of three also a preposition.
    A discriminant ranks them by eight features of phrase and sentence, from the first mention.

    Deviations: the tagger does not tell nouns of place, of time and augmented nouns apart; stop words are at neither
    end (``stop_words``); English has its own order, adjectives before the noun. The weights are not published, and no
    open corpus may be used for weights that are shipped. The list of features is the later paper's, which gives no
    formulas; these are remembered from the earlier one. The papers say neither ``threshold`` nor ``top_k``.
    """

    stop_words: Annotated[bool, "whether the first and the last word may be stop words"] = False
    threshold: Annotated[float, "discriminant above which a phrase is chosen, in log-odds"] = 0.0
    top_k: Annotated[int | None, "maximum number of phrases that are chosen; all when None"] = None
    model: Annotated[LinearDiscriminant | None, "the fitted discriminant"] = None

    name: ClassVar[str] = "lbake"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn the discriminant from the candidates of documents with gold."""
        rows, answers = training_rows(labelled, self.candidates, self.features)
        return replace(self, model=LinearDiscriminant.fit(rows, answers))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank by the discriminant, or by words × mentions without one, then by mentions; lemmas are beside the text.

        Raises:
            NeedsUnmet: the document has no tags.
        """
        candidates = self.candidates(document)
        rows, evidence = self.measure_candidates(candidates, document)
        mentions = rows[:, 1]
        scores = rows[:, 0] * mentions if self.model is None else self.model.log_odds(rows)
        chosen = len(scores) if self.model is None else int(np.count_nonzero(scores > self.threshold))
        ranking = rank(
            document,
            candidates,
            scores,
            evidence,
            mentions,
            chosen=chosen if self.top_k is None else min(chosen, self.top_k),
            warnings=() if self.model else (UNTRAINED,),
        )
        order, stem = order_of(candidates, scores, mentions), document.stem

        def lemmas(positions: Ints) -> list[str]:
            """Return the lemmas of some phrases, with blanks between; stems in languages without lemmas."""
            first, size = (column[order[positions]].tolist() for column in (candidates.first, candidates.length))
            spans = (stem[begin : begin + words].tolist() for begin, words in zip(first, size, strict=True))
            return [" ".join(document.stems[number] for number in numbers) for numbers in spans]

        return replace(ranking, lemmas=lemmas)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return runs of one to three words that pass the rules of the document's language."""
        pattern = PATTERNS.get(document.source.language or "en", PATTERNS["en"])
        if self.stop_words:
            return tag_phrases(document, pattern, LONGEST)
        prepositions = np.frombuffer(tag_classes(document).encode("ascii"), "S1") == b"I"
        return tag_phrases(document, pattern, LONGEST, allowed=content_words(document) | prepositions)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> dict[str, Numbers | Bools]:
        """Return the eight features by name, each 0 to 1, in the paper's order; sentences are of first mentions."""
        sentence = document.sentence[candidates.first]
        sentences = int(document.sentence[-1]) + 1 if len(document) else 0
        is_word = document.flags & WordFlag.PUNCTUATION == 0
        words = np.bincount(document.sentence[is_word], minlength=sentences)[sentence]
        before = np.cumsum(is_word) - is_word  # words before each token
        place = before[candidates.first] - before[np.searchsorted(document.sentence, sentence)]
        content, is_content = content_words(document), np.zeros(len(document.words), bool)
        is_content[document.word[content]] = True
        mentions = np.bincount(document.stem[content], minlength=len(document.stems))[document.word_stem]
        of_its_word = over_words(np.where(is_content, mentions, 0), candidates, document, "most")
        return {
            "words of the phrase": candidates.length / LONGEST,  # NPW
            "mentions": candidates.frequency / candidates.frequency.max(initial=1),  # PRF
            "mentions of its most frequent word": of_its_word / max(1, of_its_word.max(initial=0)),  # WRF
            "place of the sentence": edge_closeness(sentence, np.full(len(sentence), sentences)),  # NSL
            "place in the sentence": edge_closeness(place, words),  # NPL
            "share of the sentence": np.minimum(candidates.length / np.maximum(1, words), 1.0),  # NPLen
            "sentence without verb": ~find_with_verb(document)[sentence],  # SCV
            "sentence is a question": find_questions(document)[sentence],  # IIT
        }


def edge_closeness(place: Ints, number: Ints) -> Floats:
    """Return (2 place / (number - 1) - 1)²: 1 for the first and last place, 0 in the middle, or for one place."""
    share = np.divide(2.0 * place, number - 1, out=np.ones(len(place)), where=number > 1)
    return np.asarray((share - 1) ** 2)
