"""SZTERGAK at SemEval-2010: naive Bayes over many features."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Literal, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Numbers
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, LabelledDocument, SectionKind
from keywright.extraction.candidates.ngrams import content_words
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.knowledge import lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import (
    deviation,
    first_mention,
    inverse_document_frequency,
    mentions_in,
    relative_frequency,
    section_tf_idf,
)
from keywright.extraction.features.functions.nestedness import Phrasehood
from keywright.extraction.features.functions.words import (
    Categories,
    abbreviated_phrases,
    common_categories,
    ending_categories,
    is_oddly_spelt,
    pointwise_mutual_information,
    tag_categories,
)
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes, LogisticRegression
from keywright.extraction.ranking.trained import LearningSystem, chosen_columns, require_fitted
from keywright.text.tag_lexicon import tag_classes

_ALLOWED_TAGS: Final = "[NJ]|[NJ][NJIP]{0,2}[NJ]"
_SECTIONS: Final = (
    SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.HEADING, SectionKind.INTRODUCTION, SectionKind.RELATED,
    SectionKind.BODY, SectionKind.CONCLUSION, SectionKind.REFERENCES,
)  # fmt: skip
_SEEN: Final = (SectionKind.ABSTRACT, SectionKind.HEADING, SectionKind.REFERENCES)
_LEXICONS: Final = ("wordnet", "foldoc", "vera", "author-keyphrases")
_LATER: Final = ("spelling", "deviation", *map(str, _SEEN), "keyphraseness", "endings")
"""Features of the authors' later program that no account of the system of 2010 names."""
_ENDINGS: Final = (2, 3)  # letters of the endings that are features; those of the authors' later program


@dataclass(frozen=True)
class SZTERGAK(LearningSystem):
    """Noun phrases by maximum entropy over many features of term, document, collection, world; must be trained.

    Berend and Farkas, "SZTERGAK: Feature Engineering for Keyphrase Extraction", SemEval 2010; fourth of the shared
    task. Sentences are dropped by their relative place in the paper. Candidates are n-grams of nouns and adjectives,
    prepositions and possessive endings inside. KEA's features are joined by others: of the term (length, tags), of the
    document (acronyms, collocation, TF×IDF of sections), of the collection (phrasehood) and of Wikipedia.

    Deviations: WordNet's nouns, FOLDOC, V.E.R.A. and the bundled author keyphrases instead of Wikipedia's titles; no
    redirects and no categories. Allowed tags and maximum entropy with L1 are those of the authors' later program; the
    learner of the submitted run may have been KEA's naive Bayes (``learner``). Features that are known from that
    program alone are an option (``successor``): odd spelling, deviation of the places, being seen in abstract, headings
    or references, being chosen for training papers, and endings of words. Formulas of collocation, section-wise TF×IDF
    and phrasehood are readings.
    """

    opening: Annotated[float, "share of the paper, at its beginning, whose sentences stay"] = 0.3
    closing: Annotated[float, "share of the paper, at its end, whose sentences stay"] = 0.0
    longest: Annotated[int, "maximum words of a phrase"] = 4
    successor: Annotated[bool, "whether features known only from the authors' later program are used"] = False
    common: Annotated[float, "minimum share of the training papers with an ending or tag that is a feature"] = 0.9
    learner: Annotated[Literal["maximum entropy", "naive bayes"], "kind of classifier"] = "maximum entropy"
    strength: Annotated[float, "inverse of the L1 penalty of maximum entropy"] = 0.1
    without: Annotated[tuple[str, ...], "features left out, by name"] = ()
    collection: LabelledCollection | None = None
    phrasehood: Annotated[Phrasehood | None, "how often phrases are parts of longer ones"] = None
    traits: Annotated[tuple[tuple[str, ...], ...], "names of tags, then of endings, that are features"] = ()
    model: Annotated[LogisticRegression | DiscretisedNaiveBayes | None, "the fitted classifier"] = None

    name: ClassVar[str] = "sztergak"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})
    least_documents: ClassVar[int] = 2
    columns: ClassVar[tuple[str, ...]] = (
        *("words", "spelling", "acronym", "collocation", "tfidf"),
        *(f"{kind} tfidf" for kind in _SECTIONS),
        *("first", "deviation"),
        *map(str, _SEEN),
        *("phrasehood", "keyphraseness", *_LEXICONS),
        *("tags", "endings"),
    )

    def prepare(self, examples: list[LabelledDocument[AnalysedDocument]]) -> Self:
        """Count phrases, and learn which tags and endings are common."""
        documents = [example.document for example in examples]
        hood = Phrasehood.of(documents, self.candidates)
        each = zip(*(self.categories(self.candidates(document), document) for document in documents), strict=True)
        traits = tuple(common_categories(kind, round(self.common * len(documents))) for kind in each)
        return replace(super().prepare(examples), phrasehood=hood, traits=traits)

    def learn(self, rows: Floats, answers: Bools) -> LogisticRegression | DiscretisedNaiveBayes:
        """Return maximum entropy or naive Bayes."""
        if self.learner == "naive bayes":
            return DiscretisedNaiveBayes.fit(rows, answers)
        return LogisticRegression.fit(rows, answers, self.strength, "l1")

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return n-grams of the allowed tags in kept sentences, with prepositions as the only stop words."""
        joint = np.isin(np.frombuffer(tag_classes(document).encode("ascii"), "S1"), [b"I", b"P"])
        candidates = tag_phrases(document, _ALLOWED_TAGS, self.longest, allowed=content_words(document) | joint)
        begins = np.searchsorted(document.sentence, document.sentence) / max(1, len(document))
        return mentions_among(candidates, (begins < self.opening) | (begins >= 1 - self.closing))

    def measure_candidates(
        self, candidates: Candidates, document: AnalysedDocument
    ) -> tuple[Floats, dict[str, Floats]]:
        """Return features with tags and endings at their positions behind, (candidates, features); evidence without."""
        numbers, evidence = super().measure_candidates(candidates, document)
        kinds = zip(self.categories(candidates, document), self.traits, strict=True)
        return np.concatenate([numbers, *(traits.columns(names) for traits, names in kinds)], axis=1), evidence

    def categories(self, candidates: Candidates, document: AnalysedDocument) -> tuple[Categories, ...]:
        """Return tags, then endings of each number of letters, at their positions in the phrases."""
        tags = (tag_categories(candidates, document),) if "tags" in self.chosen else ()
        letters = _ENDINGS if "endings" in self.chosen else ()
        return *tags, *(ending_categories(candidates, document, number) for number in letters)

    @property
    def chosen(self) -> frozenset[str]:
        """Names of the features that take part."""
        left = chosen_columns(dict.fromkeys(self.columns), self.without, self.name)
        return frozenset(left) if self.successor else frozenset(left) - set(_LATER)

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Numbers | Bools]:
        """Return the numeric features by name: of term, document, collection, the world."""
        rarity = inverse_document_frequency(candidates, document, self.counts)
        of_sections = section_tf_idf(candidates, document)
        columns: dict[str, Numbers | Bools] = {
            "words": candidates.length,
            "spelling": is_oddly_spelt(candidates, document),
            "acronym": abbreviated_phrases(candidates, document)[1],
            "collocation": pointwise_mutual_information(candidates, document),
            "tfidf": relative_frequency(candidates, document) * rarity,
            **{f"{kind} tfidf": of_sections[:, kind.code] for kind in _SECTIONS},
            "first": first_mention(candidates, document),
            "deviation": deviation(candidates, document),
            **{str(kind): mentions_in(candidates, document, kind) > 0 for kind in _SEEN},
            "phrasehood": require_fitted(self.phrasehood, self.name)(candidates, document),
            "keyphraseness": self.counts.keyphraseness(candidates, document),
            **{name: lexicon(name).of(candidates.key) > 0 for name in _LEXICONS},
        }
        return {name: column for name, column in columns.items() if name in self.chosen}
