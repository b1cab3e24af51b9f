"""LBAKE: lemmas of Arabic and English phrases by a discriminant."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument, WordFlag
from keywright.extraction.candidates.ngrams import content_words
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.features.functions.words import over_words
from keywright.extraction.learners.classifiers import LinearDiscriminant
from keywright.extraction.learners.examples import training_rows
from keywright.extraction.ranking.rank import order_of, rank
from keywright.extraction.ranking.trained import FeatureSystem
from keywright.text.arabic.spelling import CONJUNCTIONS
from keywright.text.tag_lexicon import tag_classes

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
QUESTION_MARKS: Final = "?؟？"
QUESTION_WORDS: Final = {
    "ar": frozenset(
        sign + word for sign in CONJUNCTIONS for word in "هل ماذا لماذا بماذا متى أين اين كيف كم أي أية مم عم".split()
    ),
    "en": frozenset("what which who whom whose when where why how".split()),
}
"""First words of questions by language, from grammars; words that mostly mean something else are left out."""


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
        chosen = chosen if self.top_k is None else min(chosen, self.top_k)
        warnings = () if self.model else (UNTRAINED,)
        ranking = rank(document, candidates, scores, evidence, mentions, chosen=chosen, warnings=warnings)
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


def find_questions(document: AnalysedDocument) -> Bools:
    """Return whether each sentence is a question, (sentences,): by its mark, or by its first word in some languages."""
    words = QUESTION_WORDS.get(document.source.language or "en", frozenset())
    asking = np.fromiter((any(mark in word for mark in QUESTION_MARKS) for word in document.words), bool)
    opening = np.fromiter((word in words for word in document.words), bool)
    first = np.diff(document.sentence, prepend=-1) > 0
    return _any_in_sentence(asking[document.word] | (opening[document.word] & first), document)


def find_with_verb(document: AnalysedDocument) -> Bools:
    """Return whether sentences have a verb, in English also as gerund; ``NeedsUnmet`` without tags."""
    classes = np.frombuffer(tag_classes(document).encode("ascii"), "S1")
    return _any_in_sentence(np.isin(classes, [b"V", b"G"]), document)


def _any_in_sentence(tokens: Bools, document: AnalysedDocument) -> Bools:
    """Return whether a mask of tokens marks any in each sentence, (sentences,); sentences without tokens have none."""
    number = int(document.sentence[-1]) + 1 if len(document) else 0
    return np.bincount(document.sentence[tokens], minlength=number) > 0
