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

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from keywright.core.arrays import Bools, Floats, Numbers
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, SectionKind
from keywright.core.errors import BadParameter
from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import mentions_among, paragraph_openings
from keywright.extraction.candidates.words import content_words
from keywright.extraction.corpus.knowledge import lexicon
from keywright.extraction.corpus.labelled import LabelledCollection
from keywright.extraction.features.functions.frequency import tf_idf
from keywright.extraction.features.functions.nestedness import substring_frequency
from keywright.extraction.features.functions.position import first_mention, last_mention, mentions_in
from keywright.extraction.learners.classifiers import DiscretisedNaiveBayes
from keywright.extraction.ranking.rank import rank
from keywright.extraction.ranking.trained import LearningSystem, require_fitted

_ZONES: Final = (SectionKind.ABSTRACT, SectionKind.INTRODUCTION, SectionKind.RELATED, SectionKind.CONCLUSION)
_TELLING: Final = (SectionKind.TITLE, SectionKind.HEADING, *_ZONES)
_NOUN_PHRASE: Final = "[NJ]{0,2}N(I[NJ]{0,2}N)?"


@dataclass(frozen=True)
class Wingnus(LearningSystem):
    """Noun phrases of the telling parts, by naive Bayes; must be trained.

    columns     numbers of the features, from 1 to 19 without 7, as in the paper
    intervals   maximum intervals of each feature, with equally many rows; none: by minimum description length
    everywhere  whether all mentions of a phrase count, or only those in the telling parts
    openings    whether first sentences of paragraphs count as telling parts
    longest     maximum words of a phrase
    scaled      whether a document's features are scaled to 0 to 1
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

    def learn(self, rows: Floats, answers: Bools) -> DiscretisedNaiveBayes:
        """Return naive Bayes over intervals."""
        return DiscretisedNaiveBayes.fit(rows, answers, self.intervals)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank noun phrases of the telling parts by the odds of being a keyphrase."""
        model = require_fitted(self.model, self.name)
        candidates = self.candidates(document)
        rows, evidence = self.measure_candidates(candidates, document)
        return rank(document, candidates, model.log_odds(rows), evidence)

    def candidates(self, document: AnalysedDocument) -> Candidates:
        """Return noun phrases with a mention in a telling part."""
        candidates = self.counted_phrases(document)
        inside = mentions_among(candidates, self.telling(document))
        return candidates.where(np.isin(candidates.key, inside.key)) if self.everywhere else inside

    def counted_phrases(self, document: AnalysedDocument) -> Candidates:
        """Return up to two nouns or adjectives and a noun, or two such phrases joined by *of*."""
        of = np.array([word == "of" for word in document.words], bool)[document.word]
        return tag_phrases(document, _NOUN_PHRASE, self.longest, allowed=content_words(document) | of)

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
