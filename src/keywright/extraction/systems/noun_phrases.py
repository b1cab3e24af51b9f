"""Noun phrases of papers by classifiers of many features."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Literal, Self

import numpy as np

from keywright.core.arrays import Bools, Floats, Numbers
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, LabelledDocument, SectionKind
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.ngrams import content_words, tokens_among
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among
from keywright.extraction.corpus.knowledge import lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.mentions import (
    deviation,
    first_mention,
    inverse_document_frequency,
    last_mention,
    mentions_in,
    relative_frequency,
    section_tf_idf,
    tf_idf,
)
from keywright.extraction.features.functions.nestedness import Phrasehood, substring_frequency
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

_ZONES: Final = (SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.RELATED, SectionKind.CONCLUSION)
_TELLING: Final = (SectionKind.TITLE, SectionKind.HEADING, *_ZONES)
_NOUN_PHRASE: Final = "[NJ]{0,2}N(I[NJ]{0,2}N)?"


@dataclass(frozen=True)
class Wingnus(LearningSystem):
    """Noun phrases from the telling parts of a paper, by naive Bayes over few features; must be trained.

    Nguyen and Luong, "WINGNUS: Keyphrase Extraction Utilizing Document Logical Structure", SemEval 2010; second of the
    shared task. Candidates are noun phrases, simple or joined by *of*, and come only from title, headings, abstract,
    introduction, related work, conclusion and the first sentences of the body's paragraphs. A small set of its 19
    features, numbered as in the paper, won.

    Deviations: sections by rules over the text instead of SectLabel on PDFs; no typefaces, so that feature 7 is
    missing; titles of the bundled lexicon instead of DBLP for feature 9. The features 1, 4 and 6 are the set said to
    have been submitted; the task paper speaks of all 19.
    """

    columns: Annotated[tuple[int, ...], "numbers of the features, from 1 to 19 without 7, as in the paper"] = (1, 4, 6)
    intervals: Annotated[int | None, "maximum intervals of a feature; none: by minimum description length"] = None
    everywhere: Annotated[bool, "whether all mentions of a phrase count, or only those in the telling parts"] = True
    openings: Annotated[bool, "whether first sentences of paragraphs count as telling parts"] = True
    longest: Annotated[int, "maximum words of a phrase"] = 4
    scaled: Annotated[bool, "whether a document's features are scaled to 0 to 1"] = True
    collection: LabelledCollection | None = None
    model: Annotated[DiscretisedNaiveBayes | None, "the fitted classifier"] = None

    name: ClassVar[str] = "wingnus"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def learn(self, rows: Floats, answers: Bools) -> DiscretisedNaiveBayes:
        """Return naive Bayes over intervals."""
        return DiscretisedNaiveBayes.fit(rows, answers, self.intervals)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases with a mention in a telling part."""
        candidates = self.counted_phrases(document)
        inside = mentions_among(candidates, self.telling(document))
        return candidates.where(np.isin(candidates.key, inside.key)) if self.everywhere else inside

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return up to two nouns or adjectives and a noun, or two such phrases joined by *of*."""
        allowed = content_words(document) | tokens_among(document, {"of"})
        return tag_phrases(document, _NOUN_PHRASE, self.longest, allowed=allowed)

    def telling(self, document: AnalysedDocument) -> Bools:
        """Return whether each token is in a part that candidates come from, (tokens,)."""
        here = np.isin(document.section, [kind.code for kind in _TELLING])
        body = document.section == SectionKind.BODY.code
        return here | (body & paragraph_openings(document)) if self.openings else here

    def feature_columns(self, candidates: Candidates, document: AnalysedDocument) -> Mapping[str, Numbers | Bools]:
        """Return the chosen features by name, scaled where wanted."""
        features = _number_features(candidates, document, self.counts)
        if missing := sorted(set(self.columns) - features.keys()):
            raise BadParameter(f"wingnus has no feature {missing[0]}", "the paper's numbers are 1 to 19; 7 is left out")
        chosen = [features[number] for number in self.columns]
        columns = {name: np.asarray(compute(), float) for name, compute in chosen}
        return {name: _scale(values) for name, values in columns.items()} if self.scaled else columns


def _scale(values: Floats) -> Floats:
    """Return values scaled to the range 0 to 1; all 0 where they are equal."""
    least, most = values.min(initial=np.inf), values.max(initial=-np.inf)
    return np.asarray((values - least) / (most - least)) if most > least else np.zeros(len(values))


def _number_features(
    candidates: Candidates, document: AnalysedDocument, collection: LabelledCollection
) -> Mapping[int, tuple[str, Callable[[], Numbers | Bools]]]:
    """Return the paper's features by number, with names; each is computed when it is called."""

    def count(kind: SectionKind) -> Callable[[], Floats]:
        return lambda: mentions_in(candidates, document, kind)

    def find(kind: SectionKind) -> Callable[[], Bools]:
        return lambda: mentions_in(candidates, document, kind) > 0

    return {
        1: ("tfidf", lambda: tf_idf(candidates, document, collection)),
        2: ("mentions", lambda: candidates.frequency),
        3: ("mentions of parts elsewhere", lambda: substring_frequency(candidates)),
        4: ("first mention", lambda: first_mention(candidates, document)),
        5: ("last mention", lambda: last_mention(candidates, document)),
        6: ("words", lambda: candidates.length),
        8: ("in the title", find(SectionKind.TITLE)),
        9: ("titles of other papers", lambda: lexicon("titles").of(candidates.key)),
        10: ("in a heading", find(SectionKind.HEADING)),
        **{11 + place: (f"in the {kind}", find(kind)) for place, kind in enumerate(_ZONES)},
        15: ("mentions in headings", count(SectionKind.HEADING)),
        **{16 + place: (f"mentions in the {kind}", count(kind)) for place, kind in enumerate(_ZONES)},
    }


_ALLOWED_TAGS: Final = "[NJ]|[NJ][NJIP]{0,2}[NJ]"
_SECTIONS: Final = (
    SectionKind.TITLE,
    SectionKind.ABSTRACT,
    SectionKind.HEADING,
    SectionKind.INTRODUCTION,
    SectionKind.RELATED,
    SectionKind.BODY,
    SectionKind.CONCLUSION,
    SectionKind.REFERENCES,
)
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


def paragraph_openings(document: AnalysedDocument) -> Bools:
    """Return whether each token is in the first sentence of a paragraph, (tokens,): one that begins a line."""
    heads = np.flatnonzero(np.diff(document.sentence, prepend=-1))
    before = np.where(heads > 0, document.end[np.maximum(heads - 1, 0)], 0) if len(document) else heads
    text = document.source.text
    gaps = zip(before.tolist(), document.start[heads].tolist(), strict=True)
    opens = np.array([not end or "\n" in text[end:start] for end, start in gaps], bool)
    return np.repeat(opens, np.diff(np.append(heads, len(document))))
