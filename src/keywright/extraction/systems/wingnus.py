"""WINGNUS: noun phrases from the telling parts of a paper, by naive Bayes over few features.

Nguyen and Luong, "WINGNUS: Keyphrase Extraction Utilizing Document Logical Structure", SemEval 2010; second of the
shared task. Candidates are noun phrases, simple or joined by *of*, and come only from title, headings, abstract,
introduction, related work, conclusion and the first sentences of the body's paragraphs. A small set of its 19 features,
numbered as in the paper, won.

Deviations: sections by rules over the text instead of SectLabel on PDFs; no typefaces, so that feature 7 is missing;
titles of the bundled lexicon instead of DBLP for feature 9. The features 1, 4 and 6 are the set said to have been
submitted; the task paper speaks of all 19.

Values by origin (docs/results/semeval2010-systems.md). Stated: openings, columns. Usual form: intervals.
Cross-validated: longest, everywhere, scaled. Departing from the paper: columns.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final, Self

import numpy as np

from keywright.core.arrays import Bools, Floats
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, LabelledDocument, SectionKind
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Feature
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among, paragraph_openings
from keywright.extraction.candidates.words import content_words
from keywright.extraction.corpus.knowledge import titles
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.frequency import DocumentFrequency, TfIdf, term_frequency
from keywright.extraction.features.functions.nestedness import substring_frequency
from keywright.extraction.features.functions.position import MentionsIn, Scaled, SeenIn, first_mention, last_mention
from keywright.extraction.features.functions.shape import words
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import fit_system, matrix, require_fitted

_ZONES: Final = (SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.RELATED, SectionKind.CONCLUSION)
_TELLING: Final = (SectionKind.TITLE, SectionKind.HEADING, *_ZONES)
_NOUN_PHRASE: Final = "[NJ]{0,2}N(I[NJ]{0,2}N)?"


@dataclass(frozen=True)
class Wingnus:
    """Noun phrases of the telling parts, by naive Bayes; must be trained.

    columns     numbers of the features, from 1 to 19 without 7, as in the paper
    intervals   maximum intervals of each feature, with equally many rows; none: by minimum description length
    everywhere  whether all mentions of a phrase count, or only those in the telling parts
    openings    whether first sentences of paragraphs count as telling parts
    longest     maximum words of a phrase
    scaled      whether a document's features are scaled to 0 to 1
    collection  counts of the training documents
    model       the fitted classifier
    """

    columns: tuple[int, ...] = (1, 4, 6)
    intervals: int | None = None
    everywhere: bool = True
    openings: bool = True
    longest: int = 4
    scaled: bool = True
    collection: LabelledCollection | None = None
    model: DiscretisedNaiveBayes | None = None

    name: ClassVar[str] = "wingnus"
    needs: ClassVar[frozenset[str]] = frozenset({"stems", "tags"})

    def fit(self, labelled: Iterable[LabelledDocument[AnalysedDocument]]) -> Self:
        """Learn document frequencies, then the classifier."""
        learn = partial(DiscretisedNaiveBayes.fit, intervals=self.intervals)
        return fit_system(self, labelled, lambda document: self.noun_phrases(document).key, learn)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank noun phrases of the telling parts by the odds of being a keyphrase."""
        model, collection = require_fitted(self.model, self.name), require_fitted(self.collection, self.name)
        candidates = self.candidates(document)
        rows = self.features(candidates, document)
        names = [_feature_table(collection)[number][0] for number in self.columns]
        return rank(document, candidates, model.log_odds(rows), dict(zip(names, rows.T, strict=True)))

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases with a mention in a telling part."""
        candidates = self.noun_phrases(document)
        inside = mentions_among(candidates, self.telling(document))
        return candidates.where(np.isin(candidates.key, inside.key)) if self.everywhere else inside

    def noun_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return up to two nouns or adjectives and a noun, or two such phrases joined by *of*."""
        of = np.array([word == "of" for word in document.words], bool)[document.word]
        return tag_phrases(document, _NOUN_PHRASE, self.longest, allowed=content_words(document) | of)

    def telling(self, document: AnalysedDocument) -> Bools:
        """Return whether each token is in a part that candidates come from, (tokens,)."""
        here = np.isin(document.section, [kind.code for kind in _TELLING])
        body = document.section == SectionKind.BODY.code
        return here | (body & paragraph_openings(document)) if self.openings else here

    def features(self, candidates: Candidates, document: AnalysedDocument) -> Floats:
        """Return the chosen features, (candidates, features)."""
        numbered = _feature_table(require_fitted(self.collection, self.name))
        if missing := sorted(set(self.columns) - numbered.keys()):
            raise BadParameter(f"wingnus has no feature {missing[0]}", "the paper's numbers are 1 to 19; 7 is left out")
        columns = [numbered[number][1] for number in self.columns]
        return matrix([Scaled(column) for column in columns] if self.scaled else columns, candidates, document)


def _feature_table(collection: LabelledCollection) -> Mapping[int, tuple[str, Feature]]:
    """Return the paper's features by number, with names."""
    return {
        1: ("tfidf", TfIdf(collection)),
        2: ("mentions", term_frequency),
        3: ("mentions of parts elsewhere", substring_frequency),
        4: ("first mention", first_mention),
        5: ("last mention", last_mention),
        6: ("words", words),
        8: ("in the title", SeenIn((SectionKind.TITLE,))),
        9: ("titles of other papers", DocumentFrequency(titles())),
        10: ("in a heading", SeenIn((SectionKind.HEADING,))),
        **{11 + place: (f"in the {kind}", SeenIn((kind,))) for place, kind in enumerate(_ZONES)},
        15: ("mentions in headings", MentionsIn((SectionKind.HEADING,))),
        **{16 + place: (f"mentions in the {kind}", MentionsIn((kind,))) for place, kind in enumerate(_ZONES)},
    }
